"""The nearest known word to a mistyped one."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean", "mistyped"]

_SHOWN = 30
_PART = 3
_LIKE = 0.8
_SHORT = 3


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``". Did you mean 'x'?"``, or the known words where none is near; a part of several words names them all."""
    choices = sorted(set(known))
    holding = [choice for choice in choices if word.lower() in choice.lower()]
    if len(word) >= _PART and 1 < len(holding) <= _SHOWN:
        return f". Did you mean {', '.join(map(repr, holding[:-1]))} or {holding[-1]!r}?"
    if near := get_close_matches(word.lower(), choices, n=1, cutoff=0.6):
        return f". Did you mean {near[0]!r}?"
    if not choices:
        return ". There is no other here."
    more = f" and {len(choices) - _SHOWN:,} more" if len(choices) > _SHOWN else ""
    return f". Known here: {', '.join(choices[:_SHOWN])}{more}"


def mistyped(word: str, known: Iterable[str], *, absent: Iterable[str]) -> str:
    """The known word that was probably meant, or '' where the word is one of its own.

    Other capitals, one letter too many, too few, wrong or out of turn: meant in any case. Merely alike, as
    ``document_id`` and ``document``: only where the known word is ``absent``.
    """
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    for choice in known:
        if plain == choice or (len(choice) > _SHORT and _is_slip(plain, choice)):
            return choice
    long = [choice for choice in absent if len(choice) > _SHORT]
    return next(iter(get_close_matches(plain, long, n=1, cutoff=_LIKE)), "")


def _is_slip(word: str, meant: str) -> bool:
    """Whether one letter was added, left out or replaced, or two stand in each other's place."""
    place = next((at for at, (ours, theirs) in enumerate(zip(word, meant, strict=False)) if ours != theirs), None)
    if place is None:
        return abs(len(word) - len(meant)) == 1
    rest, other = word[place:], meant[place:]
    swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return swapped or rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
