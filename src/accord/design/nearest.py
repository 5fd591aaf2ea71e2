"""The nearest known word to a mistyped one."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean"]

_SHOWN = 30
_PART = 3


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``". Did you mean 'x'?"``, or the known words where none is near; a part of several words names them all."""
    choices = sorted(set(known))
    holding = [choice for choice in choices if word.lower() in choice.lower()]
    if len(word) >= _PART and 1 < len(holding) <= _SHOWN:
        return f". Did you mean {', '.join(map(repr, holding[:-1]))} or {holding[-1]!r}?"
    if near := get_close_matches(word.lower(), choices, n=1, cutoff=0.6):
        return f". Did you mean {near[0]!r}?"
    if not choices:
        return ". There is none here"
    more = f" and {len(choices) - _SHOWN:,} more" if len(choices) > _SHOWN else ""
    return f". Known here: {', '.join(choices[:_SHOWN])}{more}"
