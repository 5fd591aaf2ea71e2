"""Small drawings beside a number: its interval, and how it moved."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.safestring import mark_safe

from accord.look.bar import Bar, shared_ends
from accord.records import dataclass
from accord.reporting.forest import thresholds
from accord.words import steady

__all__ = ["Sparkline", "drawn_bar", "interval_bars", "sparkline"]

_SPARK = (120, 36)
_MARGIN = 4


def interval_bars(mains: Sequence[Mapping[str, Any] | None]) -> list[str]:
    """The interval bar of each main number on one axis, with the thresholds of its own scale; '' for none."""
    known = [main for main in mains if main]
    ends = shared_ends([end for main in known for end in _ends(main)], (0.0, 1.0))
    return [drawn_bar(_bar(main, ends)) if main else "" for main in mains]


def drawn_bar(bar: Bar) -> str:
    """A bar for a page; its words are escaped where it is drawn."""
    return mark_safe(bar.to_svg())  # noqa: S308


def _ends(main: Mapping[str, Any]) -> tuple[float, float]:
    return (main["value"], main["value"]) if main["low"] is None else (main["low"], main["high"])


def _bar(main: Mapping[str, Any], ends: tuple[float, float]) -> Bar:
    low, high = _ends(main)
    interval = (
        "no interval"
        if main["low"] is None
        else f"{main['level']:.0%} interval {steady(low):.2f} to {steady(high):.2f}"
    )
    words = f"{steady(main['value']):.2f}, {interval}"
    return Bar(main["value"], low, high, words, ends, thresholds(main["coefficient"]))


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
