"""The scale that a header names: the column «Fluency (1-5)» says itself which answers there were."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from accord.patterns import pattern
from accord.ratings.names import spelled_number

__all__ = ["HeaderScale", "header_scales", "scale_in_name", "without_scale"]

_NUMBER = r"([-+]?\d+(?:\.\d+)?)"
_ENDS = pattern(
    rf"[(\[]\s*(?:scale:?\s*)?{_NUMBER}\s*(?:-|\u2013|\u2014|\.{{2,3}}|\u2026|to|bis)\s*{_NUMBER}\s*"
    r"(?:points?|stars?|scale)?\s*(?:[,;:][^)\]]*)?[)\]]\s*\Z",
    re.I,
)
_LATEST_START = 1.0
"""Scales begin at 0, at 1 or below; (2019-2020) and (12-18) are something else."""


class HeaderScale(NamedTuple):
    """The two ends of a scale as a header names them."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{spelled_number(self.low)} to {spelled_number(self.high)}"


def scale_in_name(name: str) -> HeaderScale | None:
    """The scale in brackets at the end of the name of a column; None where there is none."""
    match = _ENDS.search(name)
    if match is None:
        return None
    low, high = float(match[1]), float(match[2])
    return HeaderScale(low, high) if low < high and low <= _LATEST_START else None


def without_scale(name: str) -> str:
    """The name of a column without the scale in brackets at its end: «Fluency (1-5)» is Fluency."""
    return name if scale_in_name(name) is None else _ENDS.sub("", name).strip()


def header_scales(columns: Iterable[tuple[str, str]]) -> Mapping[str, HeaderScale]:
    """Criterion -> the scale on which all of its columns agree, of pairs (criterion, column)."""
    named: dict[str, set[HeaderScale | None]] = {}
    for criterion, column in columns:
        named.setdefault(criterion, set()).add(scale_in_name(column))
    return {criterion: only for criterion, found in named.items() if len(found) == 1 and (only := next(iter(found)))}
