"""How near an answer on a line must come to a known one, and how a range of right answers is written."""

import re
from collections.abc import Sequence

__all__ = ["SLACK", "range_of", "right_between"]

SLACK = 0.1
"""A score on a line may miss a known one by this share of the line: nobody hits a point of a hundred."""
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|–|—|\.\.\.?|…|to|bis|a|até|إلى|到|至)\s*({_NUMBER})", re.IGNORECASE)


def right_between(expected: Sequence[float], kind: str, first: float | None, last: float | None) -> tuple[float, float]:
    """Lowest and highest right answer: what lies between several numbers; around a single one a tenth of the line.

    ``kind`` is that of the criterion, ``first`` and ``last`` are the ends of its line.
    """
    low, high = min(expected), max(expected)
    if low < high or kind != "slider" or last is None:
        return low, high
    first = first or 0.0
    miss = SLACK * (last - first)
    return max(first, low - miss), min(last, high + miss)


def range_of(text: str) -> tuple[float, float] | None:
    """The ends of ``0-30``, ``0 – 30``, ``0 to 30`` or ``0..30``; None where that is no range."""
    found = _RANGE.fullmatch(text.strip())
    return (float(found[1]), float(found[2])) if found else None
