"""The smallest difference between two systems that a plan can show."""

from math import inf, sqrt

from scipy import stats

from accord.errors import InputError

__all__ = ["POWER", "smallest_difference"]

POWER = 0.8
"""In so many of such studies a difference of this size would be shown."""


def smallest_difference(
    items: int, raters: float, reliability: float, *, level: float = 0.95, power: float = POWER
) -> float:
    r"""The difference of two means that is shown with this power, in standard deviations of single scores.

    .. math::
        d = (t_{1-\frac{1-L}{2}} + t_{P}) \sqrt{\frac{2}{n} \left(\rho + \frac{1-\rho}{k}\right)}

    with n items of each system, k raters of each, and reliability ρ of single scores; t has n - 1 degrees of freedom.
    Texts are taken as independent, and what two systems make of an item as unrelated: where an item that is hard for
    one is hard for the other, smaller differences are shown. ``inf`` for fewer than two items: nothing can be shown.
    """
    if not 0 <= reliability <= 1:
        raise InputError(f"A reliability of {reliability:g} is not between 0 and 1.")
    if items < 2 or raters <= 0:
        return inf
    free = items - 1
    quantiles = stats.t.ppf(1 - (1 - level) / 2, free) + stats.t.ppf(power, free)
    return float(quantiles * sqrt(2 / items * (reliability + (1 - reliability) / raters)))
