"""``--scale 0 100``, ``--scale 0..100`` and ``--scale 0-100`` say the same to every command."""

from collections.abc import Sequence

from accord.patterns import pattern

__all__ = ["one_scale_form"]

_NUMBER = pattern(r"[-+]?\d+(?:\.\d+)?\Z")
_RANGE = pattern(r"([-+]?\d+(?:\.\d+)?)(?:\.\.|[-\u2013])([-+]?\d+(?:\.\d+)?)\Z")
_TWO_WORDS = ("score",)
"""Commands whose --scale is two numbers; that of all others is one word."""


def one_scale_form(arguments: Sequence[str]) -> list[str]:
    """The arguments with --scale as their command takes it."""
    words: list[str] = []
    rest = list(arguments)
    two = bool(rest) and rest[0] in _TWO_WORDS
    while rest:
        word = rest.pop(0)
        words.append(word)
        if word == "--":
            return [*words, *rest]
        if word != "--scale" or not rest:
            continue
        if two and (ends := _RANGE.match(rest[0])):
            rest[:1] = [ends[1], ends[2]]
        elif not two and len(rest) > 1 and _NUMBER.match(rest[0]) and _NUMBER.match(rest[1]):
            rest[:2] = [f"{rest[0]}..{rest[1]}"]
    return words
