"""An interval of a mean that holds for every law on a bounded scale, however lopsided."""

from collections.abc import Sequence

import numpy as np

from accord.inference.interval import Interval

__all__ = ["bounded_mean", "near_an_end"]

_OUTER = 0.1
"""Scores in the outer tenth of the scale are taken to be near its end."""


def near_an_end(values: Sequence[float], scale: tuple[float, float]) -> bool:
    """Whether a score lies so near an end of the scale that the law of scores must be lopsided there."""
    outer = _OUTER * (scale[1] - scale[0])
    return min(values) < scale[0] + outer or max(values) > scale[1] - outer


def bounded_mean(values: Sequence[float], level: float, scale: tuple[float, float]) -> Interval:
    r"""Anderson's interval: the means of all laws on the scale within a Kolmogorov band of the scores.

    With probability :math:`1 - \alpha/2` the true law lies nowhere more than :math:`\epsilon` above the empirical one
    (Smirnov's exact one-sided quantile), so at worst the highest :math:`\epsilon` of the scores stand for the lowest
    value of the scale; and the other way round. It needs no assumption, and is wide for few scores because much may
    not have shown yet.

    References
    ----------
    Anderson, T. W. (1969). Confidence limits for the expected value of an arbitrary bounded random variable.
    """
    from scipy.stats import ksone

    ordered = np.sort(np.asarray(values, dtype=np.float64))
    n = len(ordered)
    band = float(ksone.ppf(1 - (1 - level) / 2, n))
    shares = np.full(n, 1 / n)
    lowest, highest = _without(shares[::-1], band)[::-1], _without(shares, band)
    return Interval(
        low=float(lowest @ ordered) + band * scale[0], high=float(highest @ ordered) + band * scale[1], level=level,
        method="Anderson's interval for any law on the scale",
    )  # fmt: skip


def _without(shares: np.ndarray, mass: float) -> np.ndarray:
    """The shares with so much taken away from the front."""
    before = np.concatenate(([0.0], np.cumsum(shares)[:-1]))
    return np.asarray(np.clip(shares - np.clip(mass - before, 0, None), 0, None))
