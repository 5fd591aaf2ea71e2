"""How many decimals a coefficient is said with: two, unless they would contradict what is said of it."""

from math import isnan

from accord.reliability.estimate import Estimate
from accord.words import steady

__all__ = ["decisive_digits"]

_USUAL, _MOST = 2, 4
_MARKS = ((0.666666666667, 0.667), (0.8, 0.8))
"""What Krippendorff asks for, to as many digits as numbers are sure, and as it is printed."""


def decisive_digits(estimate: Estimate) -> int:
    """Two, or as many as it takes to see on which side of 0, .667 and .8 the value and both ends lie.

    An end of .6660 would be printed as 0.67, beside "not shown to reach .667".
    """
    ends = estimate.interval
    numbers = [estimate.value, *((ends.low, ends.high) if ends else ())]
    known = [number for number in numbers if not isnan(number)]
    fitting = (digits for digits in range(_USUAL, _MOST) if all(_is_told(one, digits) for one in known))
    return next(fitting, _MOST)


def _is_told(number: float, digits: int) -> bool:
    number, printed = steady(number), round(steady(number), digits)
    sides = ((number > 0) == (printed > 0), (number < 0) == (printed < 0) or abs(number) < 1e-12)
    return all(sides) and all((number >= exact) == (printed >= shown) for exact, shown in _MARKS)
