"""Two groups compared within strata of equal level: Mantel-Haenszel for two values, Mantel's test for ordered ones."""

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.inference.interval import Interval
from accord.noise import settled
from accord.quantiles import chdtrc, ndtri
from accord.records import dataclass

__all__ = ["CommonOdds", "StratifiedTest", "common_odds", "compare_in_strata"]

Members = NDArray[np.bool_]
Strata = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class StratifiedTest:
    """The test that two groups score alike in every stratum, and by how much they do not.

    ``difference`` is the mean of the second group minus that of the first at equal level, each stratum weighing
    by its members of the second group. ``first``, ``second`` and ``strata`` count what could be compared: strata with
    both groups in them.
    """

    chi_square: float
    p: float
    difference: float
    interval: Interval | None
    first: int
    second: int
    strata: int


def compare_in_strata(
    score: Floats, second: Members, stratum: Strata, *, correct: bool = False, confidence: float = 0.95
) -> StratifiedTest:
    r"""Mantel's (1963) chi-square with one degree of freedom; for scores 0 and 1 it is that of Mantel and Haenszel.

    .. math::
        \chi^2 = \frac{\left(|\sum_k F_k - \mathrm E F_k| - c\right)^2}{\sum_k \mathrm{Var} F_k}, \quad
        \mathrm E F_k = \frac{n_{2k}}{n_k} \sum y, \quad
        \mathrm{Var} F_k = \frac{n_{1k} n_{2k}}{n_k^2 (n_k - 1)} \left(n_k \sum y^2 - (\sum y)^2\right)

    where :math:`F_k` is the sum of the second group's scores in stratum k, and c is 1/2 with ``correct`` (for scores
    that are whole numbers), else 0. ``second`` is true for members of the second group. Undefined (nan) if no
    stratum has both groups and two different scores.
    """
    sizes, ones, totals, squares, mine = _sums(score, second, stratum)
    both = (mine[0] > 0) & (ones > 0)
    sizes, ones, totals, squares, mine = sizes[both], ones[both], totals[both], squares[both], mine[:, both]
    if not len(sizes):
        nothing = float("nan")
        return StratifiedTest(
            chi_square=nothing, p=nothing, difference=nothing, interval=None, first=0, second=0, strata=0
        )
    spread = np.maximum(sizes * squares - totals**2, 0)
    variance = ones * mine[0] / (sizes**2 * np.maximum(sizes - 1, 1)) * spread
    away = float(settled((mine[1] - mine[0] / sizes * totals).sum(), float(np.abs(mine[1]).max())))
    whole = float(variance.sum())
    chi_square = max(abs(away) - 0.5 * correct, 0.0) ** 2 / whole if whole > 1e-12 else float("nan")
    weight = mine[0] / mine[0].sum()
    difference = float(settled(weight @ (mine[1] / mine[0] - (totals - mine[1]) / ones), float(np.abs(score).max())))
    error = float(np.sqrt((weight * (1 / mine[0] + 1 / ones)) ** 2 @ variance))
    half = float(ndtri((1 + confidence) / 2)) * error
    method = "normal distribution, variance of equal groups in strata"
    interval = Interval(low=difference - half, high=difference + half, level=confidence, method=method)
    return StratifiedTest(
        chi_square=chi_square, p=float(chdtrc(1, chi_square)), difference=difference,
        interval=interval if whole > 1e-12 else None,
        first=int(ones.sum()), second=int(mine[0].sum()), strata=len(sizes),
    )  # fmt: skip


def _sums(score: Floats, second: Members, stratum: Strata) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """By stratum: members, members of the first group, sum, sum of squares; and count and sum of the second."""
    _, place = np.unique(stratum, return_inverse=True)
    member = second.astype(np.float64)
    columns = np.stack([np.ones(len(score)), score, score**2, member, member * score])
    sums = np.stack([np.bincount(place, column) for column in columns]).astype(np.float64)
    return sums[0], sums[0] - sums[3], sums[1], sums[2], sums[3:]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonOdds:
    """Odds of the value 1 in the second group over those in the first, at equal level; nan where a cell is empty."""

    ratio: float
    log_error: float
    interval: Interval | None


def common_odds(hit: Floats, second: Members, stratum: Strata, *, confidence: float = 0.95) -> CommonOdds:
    r"""Mantel and Haenszel's common odds ratio, with the error of its logarithm by Robins, Breslow and Greenland.

    .. math:: \hat\psi = \sum_k \frac{a_k d_k}{n_k} \Big/ \sum_k \frac{b_k c_k}{n_k}

    with :math:`a_k, b_k` the ones and zeros of the second group, :math:`c_k, d_k` those of the first.
    """

    sizes, ones, totals, _, mine = _sums(hit, second, stratum)
    a, c = mine[1], totals - mine[1]
    b, d = mine[0] - a, ones - c
    r, s = a * d / sizes, b * c / sizes
    p, q = (a + d) / sizes, (b + c) / sizes
    up, down = float(r.sum()), float(s.sum())
    if up == 0 or down == 0:
        return CommonOdds(ratio=float("nan"), log_error=float("nan"), interval=None)
    variance = (p @ r) / (2 * up**2) + (p @ s + q @ r) / (2 * up * down) + (q @ s) / (2 * down**2)
    error, centre = float(np.sqrt(variance)), float(np.log(up / down))
    half = float(ndtri((1 + confidence) / 2)) * error
    interval = Interval(
        low=float(np.exp(centre - half)),
        high=float(np.exp(centre + half)),
        level=confidence,
        method="Robins, Breslow and Greenland",
    )
    return CommonOdds(ratio=up / down, log_error=error, interval=interval)
