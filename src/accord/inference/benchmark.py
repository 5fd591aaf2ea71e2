"""How probable each band of an interpretation scale is, given the standard error of the value."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import erfc, isfinite, isnan, nan, sqrt

import numpy as np

from accord.arrays import Floats

__all__ = ["band_probabilities", "surest_band"]


def band_probabilities(
    value: float, standard_error: float, bounds: Sequence[float], *, lowest: float = -1.0, highest: float = 1.0
) -> Floats:
    r"""Probability of each band (Gwet 2014, chapter 6), lowest band first.

    .. math::
        P(b) = \frac{\Phi((v - l_b)/s) - \Phi((v - u_b)/s)}{\Phi((v - L)/s) - \Phi((v - H)/s)}

    for a value v with standard error s and a band from :math:`l_b` to :math:`u_b`; ``bounds`` are the
    inner boundaries, L and H the ends the coefficient can take.
    """
    edges = [lowest, *bounds, highest]
    if not isfinite(value) or not isfinite(standard_error):
        return np.full(len(edges) - 1, np.nan)
    if standard_error == 0:
        certain = np.zeros(len(edges) - 1)
        certain[np.searchsorted(np.asarray(bounds), value, side="right")] = 1.0
        return certain
    above = [_normal((value - edge) / standard_error) for edge in edges]
    possible = above[0] - above[-1]
    return np.array([(low - high) / possible if possible else nan for low, high in pairwise(above)])


_ROOT_HALF = sqrt(0.5)


def _normal(z: float) -> float:
    """The normal distribution function; for a handful of numbers faster than an array."""
    return 0.5 * erfc(-z * _ROOT_HALF)


def surest_band(probabilities: Floats | Sequence[float], sureness: float = 0.95) -> int | None:
    """The highest band that holds with this probability or better: cumulated from the top.

    None if a probability is undefined.
    """
    at_least = list(accumulate(map(float, reversed(probabilities))))
    if isnan(at_least[-1]):
        return None
    needed = min(sureness, at_least[-1])
    return len(at_least) - 1 - next(place for place, chance in enumerate(at_least) if chance >= needed)
