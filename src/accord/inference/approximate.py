r"""What BCa would give if resamples without end were drawn: ABC, "approximate bootstrap confidence", draws none.

The ends are the statistic itself at weights tilted along each unit's influence t. With
:math:`\sigma^2 = \sum t_i^2 / n^2`, the acceleration :math:`a = \sum t_i^3 / (6 (\sum t_i^2)^{3/2})`, the bias b of the
jackknife and the curvature c of the statistic along the tilt,

.. math:: z_0 = \Phi^{-1}\{2\,\Phi(a)\,\Phi(c - b/\sigma)\}, \quad w = z_0 + z, \quad
          \theta(w) = T\!\left(1 + \frac{w}{(1 - a w)^2}\,\frac{t}{n \sigma}\right)

and :math:`\theta(z_{.025})` to :math:`\theta(z_{.975})` is the interval. Its error is of the order of BCa's own, 1/n.

DiCiccio, T. J., & Efron, B. (1992). More accurate confidence intervals in exponential families.
"""

from math import isfinite

import numpy as np

from accord.arrays import Floats
from accord.inference.interval import Interval
from accord.inference.jackknife import Jackknife
from accord.inference.statistic import SumStatistic
from accord.quantiles import ndtr, ndtri

__all__ = ["approximate_intervals"]

_STEP = 0.1
"""Standard errors by which the statistic is moved to see its curvature."""


def approximate_intervals(
    statistic: SumStatistic, left_out: Jackknife, level: float = 0.95
) -> tuple[Interval | None, ...]:
    """One interval a statistic; None where the value without some unit is undefined or never changes."""
    units, times = left_out.units, statistic.multiplicity.astype(np.float64)
    influence = (units - 1) * (left_out.mean_left_out - left_out.left_out)
    sigma = np.sqrt(times @ np.square(influence)) / units
    sigma = np.where(sigma > 0, sigma, np.nan)
    bias = (units - 1) * (left_out.mean_left_out - left_out.values) / sigma
    sums = times @ statistic.features
    tilts = (times[:, None] * influence / (units * sigma)).T @ statistic.features

    def tilted(reach: Floats) -> Floats:
        """The values at so many standard errors along the tilt of each: (statistics, reaches) of both."""
        moved = sums + (reach[:, :, None] * tilts[:, None, :]).reshape(-1, len(sums))
        found = statistic.evaluate(moved).reshape(*reach.shape, len(reach))
        return np.stack([found[place, :, place] for place in range(len(reach))])

    around = tilted(np.tile([-_STEP, _STEP], (len(sigma), 1))).sum(axis=1)
    curvature = (around - 2 * left_out.values) / (2 * _STEP**2 * sigma)
    a = left_out.accelerations
    w = ndtri(2 * ndtr(a) * ndtr(curvature - bias))[:, None] + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    ends = tilted(w / np.square(1 - a[:, None] * w))
    return tuple(
        Interval(low=low, high=high, level=level, method=f"ABC over {left_out.unit}")
        if isfinite(low + high + spread)
        else None
        for (low, high), spread in zip(ends.tolist(), sigma.tolist(), strict=True)
    )
