"""How probable each band of an interpretation scale is, given the standard error of the value."""

from collections.abc import Sequence
from math import isfinite

import numpy as np
from scipy.special import ndtr

from accord.ratings.counts import Floats

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
    edges = np.array([lowest, *bounds, highest])
    if not isfinite(value) or not isfinite(standard_error):
        return np.full(len(edges) - 1, np.nan)
    if standard_error == 0:
        certain = np.zeros(len(edges) - 1)
        certain[np.searchsorted(np.asarray(bounds), value, side="right")] = 1.0
        return certain
    above = ndtr((value - edges) / standard_error)
    return np.asarray((above[:-1] - above[1:]) / (above[0] - above[-1]), dtype=np.float64)


def surest_band(probabilities: Floats, sureness: float = 0.95) -> int | None:
    """The highest band that holds with this probability or better: cumulated from the top.

    None if a probability is undefined.
    """
    if np.isnan(probabilities).any():
        return None
    at_least = np.cumsum(probabilities[::-1])[::-1]
    return int(np.flatnonzero(at_least >= min(sureness, at_least[0]))[-1])
