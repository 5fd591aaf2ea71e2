"""The scale that ratings evidently lie on, and the few values that evidently do not: typing errors, not opinions.

Honest ratings must hardly ever be called off their scale. So a value is off only if it is rare, and lies where the
rest leaves no doubt: beyond a gap that is large beside the whole rest, below zero among counts and points, beyond the
well-used end of a short scale, or outside 0 to 100 where the rest fills it.
docs/explanation/sanity.md holds the measured rates.
"""

import numpy as np
from numpy.typing import NDArray

from accord.records import dataclass

__all__ = ["Body", "body_of"]

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

_FEWEST = 8
_RARE = 0.02
_FAR = 3.0
_SURELY_FAR = 20.0
_STEPS = 4.5
_MIDDLE = 0.25
_SHORT = 10.0
"""A scale of so many steps at most is short: its points are used, and a gap in it means something."""
_FAR_OF_TWO = 9.0
_DOUBLED = frozenset(11.0 * digit for digit in range(1, 10))
"""A digit typed twice."""


@dataclass(frozen=True, slots=True)
class Body:
    """The ends between which the ratings lie, and the values that lie off them."""

    low: float
    high: float
    off: Numbers


def body_of(values: Numbers, counts: Counts | None = None) -> Body:
    """The body of different numbers in order, each given so many times."""
    times = np.ones(len(values), dtype=np.int64) if counts is None else np.asarray(counts, dtype=np.int64)
    first, last = 0, len(values)
    left = max(1, int(_RARE * times.sum())) if times.sum() >= _FEWEST else 0
    while last - first > 2 and left > 0:
        above = _is_off(values[first : last - 1], times[first : last - 1], values[last - 1], times[last - 1])
        # What lies below is what lies above with all signs turned.
        mirrored, turned = -values[first + 1 : last][::-1], times[first + 1 : last][::-1]
        below = _is_off(mirrored, turned, -values[first], times[first], downwards=True)
        if above and times[last - 1] <= left:
            last -= 1
            left -= int(times[last])
        elif below and times[first] <= left:
            left -= int(times[first])
            first += 1
        else:
            break
    off = np.concatenate((values[:first], values[last:]))
    return Body(float(values[first]), float(values[last - 1]), off)


def _is_off(rest: Numbers, times: Counts, value: float, often: int, *, downwards: bool = False) -> bool:
    """Whether a value above all the others is none of their scale."""
    low, high = float(rest[0]), float(rest[-1])
    span, gap = high - low, value - high
    if gap >= _SURELY_FAR * span and gap >= _FAR_OF_TWO * min(span, 1.0):
        return True
    if gap >= (_FAR if span > _SHORT else 1.0) * span and gap >= (_STEPS if span > 1 else _FAR_OF_TWO * span):
        return _is_spread(rest, times)
    whole = bool((rest == np.rint(rest)).all()) and float(value).is_integer()
    if downwards and high <= 0 < value and whole and span >= 2:  # below zero, where nothing else is
        return high in (0.0, -1.0) if span <= _SHORT else True
    if whole and span <= _SHORT and gap >= 3 and value in _DOUBLED and low <= value % 10 <= high:
        return _is_spread(rest, times)
    if whole and span <= _SHORT and len(rest) == span + 1 and span >= 2:
        return _ends_abruptly(times, often) and (gap >= 2 or _ends_at_a_known_place(times, high, low, downwards))
    return not downwards and low >= 0 and 90 <= high <= 100 < value and _fills_hundred(rest, times)


def _is_spread(rest: Numbers, times: Counts) -> bool:
    """Whether the middle of the rest lies well above its low end: counts and penalties, whose middle does not, thin out
    without an end, and what lies far up may be honest."""
    middle = rest[np.searchsorted(np.cumsum(times), times.sum() / 2)]
    return bool(middle - rest[0] >= _MIDDLE * (rest[-1] - rest[0]))


def _ends_abruptly(times: Counts, often: int) -> bool:
    """Whether the last point of the rest is used so much that its use cannot just have thinned out."""
    end = int(times[-1])
    return end >= 5 and end >= 0.25 * int(times.max()) and end >= 10 * often


def _ends_at_a_known_place(times: Counts, high: float, low: float, downwards: bool) -> bool:
    """Whether the value next to the end lies beyond 1 to 5, 1 to 7 or 0 to 10 rather than on a longer scale."""
    if downwards:
        return low == -5 and high == -1 and int(times[-1]) >= 30  # 0 beside 1 to 5
    usual = high == 10 or (high in (5.0, 7.0) and low == 1)
    return usual and int(times[-1]) >= 30 and int(times[-1]) >= 0.5 * int(times.max())


def _fills_hundred(rest: Numbers, times: Counts) -> bool:
    """Whether a good part of the rest lies in the upper half, and some of it at the end."""
    total = int(times.sum())
    return bool(times[rest > 50].sum() >= 0.25 * total and times[rest >= 90].sum() >= max(2, 0.02 * total))
