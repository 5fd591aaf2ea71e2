r"""An interval for a mean share of agreement: Wilson's, with as many items as the share is worth.

The share of agreeing pairs is binomial for two raters only. With more, an item gives a share between 0 and 1, whose
mean varies less; within documents it varies more. Both are one number, the items that a binomial share with this error
would have come from:

.. math:: n^* = \frac{p(1-p)}{s^2} \left(\frac{z}{t_{n-1}}\right)^2

as Korn and Graubard (1998) do for surveys, and never fewer than the units there are: an item that all agree on or not
is the worst that can be.
"""

from math import isnan, sqrt

from accord.inference.interval import Interval
from accord.quantiles import ndtri, stdtrit

__all__ = ["wilson_interval"]


def wilson_interval(
    share: float, standard_error: float, units: float, *, level: float = 0.95, unit: str = "items"
) -> Interval | None:
    """Wilson's (1927) interval; ``units`` is the (effective) number of items or documents."""
    if isnan(share) or units <= 1:
        return None
    z, t = float(ndtri((1 + level) / 2)), float(stdtrit(units - 1, (1 + level) / 2))
    variance = share * (1 - share)
    worth = units
    if standard_error > 0 and not isnan(standard_error):
        worth = max(units, variance / standard_error**2 * (z / t) ** 2)
    centre = (share + z**2 / (2 * worth)) / (1 + z**2 / worth)
    reach = z / (1 + z**2 / worth) * sqrt(variance / worth + z**2 / (4 * worth**2))
    low, high = max(centre - reach, 0.0), min(centre + reach, 1.0)
    return Interval(low=min(low, share), high=max(high, share), level=level, method=f"Wilson, variance over {unit}")
