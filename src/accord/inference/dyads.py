"""Pairs of raters as the unit: two pairs that share a rater are not independent."""

from math import atanh, sqrt, tanh

import numpy as np

from accord.arrays import Floats
from accord.inference.interval import Interval
from accord.quantiles import stdtrit

__all__ = ["dyadic_interval"]

_FEWEST_PAIRS = 3
_NEAR_ONE = 0.9999


def dyadic_interval(square: Floats, value: float, level: float = 0.95) -> tuple[Interval | None, float]:
    r"""The interval and the standard error of a mean over pairs, for other pairs of raters of the same kind.

    With :math:`e_{ij}` the distance of a pair from the mean, P pairs and G = min(raters, pairs)

    .. math:: V = \frac{G}{G-1} \frac{1}{P^2} \Big[\sum_i \Big(\sum_j e_{ij}\Big)^2 - \sum_{i<j} e_{ij}^2\Big]

    counts every two pairs that share a rater (Aronow, Samii and Assenova 2015); it is never less than the variance of
    independent pairs. The ends are those of t(G - 1) on Fisher's z scale. ``square`` (raters, raters) is nan where two
    raters have no value. None for fewer than three pairs, or where all pairs have one value.
    """
    apart = square.copy()
    np.fill_diagonal(apart, np.nan)
    known = ~np.isnan(apart)
    pairs, raters = int(known.sum()) // 2, int(known.any(axis=1).sum())
    if pairs < _FEWEST_PAIRS or not abs(value) <= 1:
        return None, float("nan")
    off = np.where(known, apart - value, 0.0)
    alone = float(np.square(off).sum()) / 2
    groups = min(raters, pairs)
    shared = float(np.square(off.sum(axis=1)).sum()) - alone
    error = sqrt(groups / (groups - 1) * max(shared, alone)) / pairs
    if not error > 0:
        return None, 0.0
    middle = min(max(value, -_NEAR_ONE), _NEAR_ONE)
    reach = float(stdtrit(groups - 1, (1 + level) / 2)) * error / (1 - middle**2)
    ends = tanh(atanh(middle) - reach), tanh(atanh(middle) + reach)
    method = f"variance over {pairs:,} pairs of {raters:,} raters on Fisher's z, t({groups - 1:,})"
    return Interval(low=min(ends[0], value), high=max(ends[1], value), level=level, method=method), error
