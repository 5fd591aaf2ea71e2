"""Small drawings beside a number: where they lie on the page, in whole units of their own view box."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["IntervalBar", "Mark", "Sparkline", "interval_bar", "sparkline"]

_WIDTH = 200
_SPARK = (120, 36)
_MARGIN = 4
_MARKS = ((-1.0, "−1"), (0.0, "0"), (0.667, ".67"), (0.8, ".8"), (1.0, "1"))
"""The ends of the axis, and what Krippendorff (2004) asks of tentative and of firm conclusions."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of the axis that is named."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class IntervalBar:
    """A point on a line from 0 to 1, with its interval."""

    point: float
    low: float
    high: float
    marks: tuple[Mark, ...]

    @property
    def width(self) -> float:
        return max(2.0, self.high - self.low)


def interval_bar(value: float, low: float | None, high: float | None) -> IntervalBar:
    """The axis runs from 0 to 1, or from -1 where a value lies below zero."""
    start = -1.0 if min(value, value if low is None else low) < 0 else 0.0

    def place(number: float | None) -> float:
        inside = min(1.0, max(start, float(value if number is None else number)))
        return round((inside - start) / (1 - start) * _WIDTH, 1)

    marks = tuple(Mark(place(number), label) for number, label in _MARKS if number >= start)
    return IntervalBar(place(value), place(low), place(high), marks)


@dataclass(frozen=True, slots=True)
class Sparkline:
    """The course of a value and of its interval."""

    line: str
    band: str
    end: tuple[float, float]
    zero: float


def sparkline(history: Sequence[Mapping[str, Any]]) -> Sparkline | None:
    """From the first state to the last, by number of judgements; nothing for a single state."""
    known = [point for point in history if point["value"] is not None]
    if len(known) < 2:
        return None
    first, last = known[0]["judgements"], known[-1]["judgements"]
    width, height = _SPARK[0] - 2 * _MARGIN, _SPARK[1] - 2 * _MARGIN
    start = -1.0 if min(min(point["value"], point["low"] or 0.0) for point in known) < 0 else 0.0

    def x(point: Mapping[str, Any], place: int) -> float:
        if last > first:
            return float(round(_MARGIN + (point["judgements"] - first) / (last - first) * width, 1))
        return round(_MARGIN + place / (len(known) - 1) * width, 1)

    def y(number: float) -> float:
        return round(_MARGIN + (1 - min(1.0, max(start, number))) / (1 - start) * height, 1)

    line = [f"{x(point, at)},{y(point['value'])}" for at, point in enumerate(known)]
    ends = [(at, point) for at, point in enumerate(known) if point["low"] is not None and point["high"] is not None]
    upper = [f"{x(point, at)},{y(point['high'])}" for at, point in ends]
    lower = [f"{x(point, at)},{y(point['low'])}" for at, point in reversed(ends)]
    end = (x(known[-1], len(known) - 1), y(known[-1]["value"]))
    return Sparkline(" ".join(line), " ".join([*upper, *lower]), end, y(0.0))
