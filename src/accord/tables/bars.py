"""The interval bar: a value, its interval and the marks it is read against, in one line of a terminal."""

from collections.abc import Mapping, Sequence
from math import isnan

__all__ = ["bar_heading", "interval_bar"]

_EMPTY, _LINE, _VALUE, _MARK, _CROSSED = "·", "━", "●", "┊", "┿"


def interval_bar(
    value: float, low: float, high: float, *, start: float = 0.0, stop: float = 1.0, width: int = 29,
    marks: Sequence[float] = (),
) -> str:  # fmt: skip
    """``········━━●━━┿━···┊····``: what lies beyond the ends is drawn at them; nothing without a value."""
    if isnan(value):
        return ""
    signs = [_EMPTY] * width
    if not isnan(low) and not isnan(high):
        first, last = _place(low, start, stop, width), _place(high, start, stop, width)
        signs[first : last + 1] = [_LINE] * (last + 1 - first)
    for mark in marks:
        place = _place(mark, start, stop, width)
        signs[place] = _CROSSED if signs[place] == _LINE else _MARK
    signs[_place(value, start, stop, width)] = _VALUE
    return "".join(signs)


def bar_heading(marks: Mapping[str, float], *, start: float = 0.0, stop: float = 1.0, width: int = 29) -> str:
    """The words of the marks above their places, left out where they would touch."""
    line = ""
    for words, mark in sorted(marks.items(), key=lambda pair: pair[1]):
        place = _place(mark, start, stop, width)
        place -= 0 if place == 0 else (len(words) - 1) // 2
        if not line or place > len(line):
            line = line.ljust(place) + words
    return line


def _place(number: float, start: float, stop: float, width: int) -> int:
    share = (number - start) / (stop - start) if stop > start else 0.0
    return round(min(max(share, 0.0), 1.0) * (width - 1))
