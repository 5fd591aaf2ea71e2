"""The interval bar: a value with its interval on a line, the same mark wherever a number is shown."""

from collections.abc import Iterable
from html import escape
from math import ceil, floor

from accord.records import dataclass

__all__ = ["Bar", "shared_ends"]

_STEPS = 10
"""Axes that bars share end at a tenth of their length."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value and its interval between the ends of an axis; ``marks`` are hairlines, ``words`` say it aloud."""

    value: float
    low: float
    high: float
    words: str
    ends: tuple[float, float] = (0.0, 1.0)
    marks: tuple[float, ...] = ()

    def place(self, number: float) -> float:
        """Where a number stands, in per cent of the line; what lies beyond an end stands at the end."""
        first, last = self.ends
        return round(100 * min(1.0, max(0.0, (number - first) / (last - first))), 2)

    def to_svg(self) -> str:
        """A drawing whose strokes keep their width however wide the page makes it."""
        low, value, high = self.place(self.low), self.place(self.value), self.place(self.high)
        marks = "".join(
            f'<line class="mark" x1="{self.place(mark)}%" x2="{self.place(mark)}%" y1="2" y2="16"/>'
            for mark in self.marks
            if self.ends[0] < mark < self.ends[1]
        )
        return (
            f'<svg class="ci" role="img" aria-label="{escape(self.words)}" width="100%" height="18">'
            f'<line class="axis" x1="0" x2="100%" y1="9" y2="9"/>{marks}'
            f'<line class="range" x1="{low}%" x2="{high}%" y1="9" y2="9"/>'
            f'<line class="at" x1="{value}%" x2="{value}%" y1="2" y2="16"/></svg>'
        )


def shared_ends(numbers: Iterable[float], whole: tuple[float, float] | None = None) -> tuple[float, float]:
    """One axis for several bars: ``whole`` if they fit into it, else a little more than they need."""
    known = [number for number in numbers if number == number and abs(number) != float("inf")]
    if not known:
        return whole or (0.0, 1.0)
    low, high = min(known), max(known)
    if whole is not None:
        step = (whole[1] - whole[0]) / _STEPS
        low, high = min(whole[0], floor(low / step) * step), max(whole[1], ceil(high / step) * step)
        return low, high
    room = (high - low) * 0.08 or 1.0
    return low - room, high + room
