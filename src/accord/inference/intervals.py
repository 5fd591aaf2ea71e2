"""Ways to make an interval: percentile and BCa from a bootstrap, t, normal and Fisher z from a formula."""

from math import isfinite, isnan
from numbers import Real

import numpy as np

from accord.arrays import Floats
from accord.errors import OptionError
from accord.inference.bootstrap import Resampled
from accord.inference.interval import Interval
from accord.quantiles import ndtr, ndtri, of_sample, stdtrit

__all__ = [
    "bca_intervals",
    "check_confidence",
    "percentile_intervals",
    "t_interval",
]

_NOTHING = 1e-12
"""An end that is less is what rounding left, and its sign would say on which side of 0 the interval lies."""


def check_confidence(level: float) -> float:
    """A confidence level between 0 and 1, or an error in words."""
    given: object = level
    if not isinstance(given, Real):
        raise OptionError(f"A confidence level is a number between 0 and 1, such as 0.95; {level!r} was given.")
    if not 0 < level < 1:
        hint = f" Did you mean {level / 100:g}?" if 1 < level < 100 else ""
        raise OptionError(f"A confidence level lies between 0 and 1, such as 0.95; {level:g} was given.{hint}")
    return level


def percentile_intervals(resampled: Resampled, level: float = 0.95) -> tuple[Interval | None, ...]:
    """The middle part of the replicates; None where no replicate is defined."""
    ends = np.array([(1 - level) / 2, (1 + level) / 2])
    return tuple(_interval(resampled, draws, ends, level, "percentile") for draws in resampled.draws.T)


def bca_intervals(
    resampled: Resampled, values: Floats, accelerations: Floats, level: float = 0.95
) -> tuple[Interval | None, ...]:
    r"""Bias-corrected and accelerated intervals (Efron 1987).

    The ends are the percentiles :math:`\Phi(z_0 + (z_0 + z) / (1 - a (z_0 + z)))` of the replicates, with
    :math:`z_0` from the share of replicates below the value (half of those equal to it) and the
    acceleration a from the jackknife. Where that share is 0 or 1, or a is undefined, the correction
    has no value; where it is so near to them that both ends fall together, it has no sense. The plain
    percentiles are then given, under their own name.
    """
    return tuple(
        _bca(resampled, draws, value, acceleration, level)
        for draws, value, acceleration in zip(resampled.draws.T, values, accelerations, strict=True)
    )


def _bca(resampled: Resampled, draws: Floats, value: float, acceleration: float, level: float) -> Interval | None:
    defined = draws[~np.isnan(draws)]
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if not len(defined) or isnan(value):
        return None
    close = 1e-12 * max(1.0, abs(value))  # sums in another order differ in the last bits
    below = float(np.mean(defined < value - close) + np.mean(defined <= value + close)) / 2
    if not 0 < below < 1 or not isfinite(acceleration):
        return _interval(resampled, draws, tails, level, "percentile")
    bias = ndtri(below)
    shifted = bias + ndtri(tails)
    ends = ndtr(bias + shifted / (1 - acceleration * shifted))
    found = _interval(resampled, draws, ends, level, "BCa")
    if found is not None and found.high - found.low <= close < np.ptp(defined):
        return _interval(resampled, draws, tails, level, "percentile")
    return found


def _interval(resampled: Resampled, draws: Floats, ends: Floats, level: float, kind: str) -> Interval | None:
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return None
    low, high = (0.0 if abs(end) < _NOTHING else end for end in of_sample(defined, *ends.tolist()))
    how = "" if resampled.engine == "exact" else f" by {resampled.engine}"
    return Interval(
        low=low, high=high, level=level, method=f"bootstrap over {resampled.unit}{how}, {kind}",
        replicates=len(draws), undefined=len(draws) - len(defined),
    )  # fmt: skip


def t_interval(
    value: float, standard_error: float, df: float, *, level: float = 0.95, method: str, highest: float = 1.0
) -> Interval | None:
    """Value ± t(df) x standard error, cut at the highest value there can be."""
    reach = float(stdtrit(df, (1 + level) / 2)) * standard_error
    if not isfinite(value) or not isfinite(reach):
        return None
    return Interval(low=value - reach, high=min(value + reach, highest), level=level, method=method)
