"""Correlation of two raters: Pearson, Spearman, Lin's concordance; with the parts of Fisher's z interval."""

import numpy as np

from accord.agreement.batch import divided, mid_ranks, total
from accord.ratings.counts import Floats, Integers

__all__ = ["lin_ccc", "lin_error", "pearson", "pearson_error", "spearman", "spearman_error"]

_NO_VARIANCE = 1e-12


def _spreads(moments: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """n, the difference of means, two variances and the covariance (all over n)."""
    n, one, other, one2, other2, product = np.moveaxis(np.asarray(moments, dtype=np.float64), -1, 0)
    mean_one, mean_other = divided(one, n), divided(other, n)
    first = divided(one2, n)
    second = divided(other2, n)
    variance_one = np.where(first - mean_one**2 > _NO_VARIANCE * first, first - mean_one**2, 0.0)
    variance_other = np.where(second - mean_other**2 > _NO_VARIANCE * second, second - mean_other**2, 0.0)
    return n, mean_one - mean_other, variance_one, variance_other, divided(product, n) - mean_one * mean_other


def pearson(moments: Floats) -> Floats:
    """Pearson's r from n, two sums, two sums of squares and the sum of products (..., 6)."""
    _, _, one, other, covariance = _spreads(moments)
    return divided(covariance, np.sqrt(one) * np.sqrt(other))


def lin_ccc(moments: Floats) -> Floats:
    r"""Lin's concordance correlation, variances over n as in Lin (1989).

    .. math:: \rho_c = \frac{2 s_{12}}{s_1^2 + s_2^2 + (\bar x_1 - \bar x_2)^2}
    """
    _, shift, one, other, covariance = _spreads(moments)
    return divided(2 * covariance, one + other + shift**2)


def spearman(tables: Floats | Integers) -> Floats:
    """Spearman's rho: Pearson's r of the mid-ranks, from contingency tables (..., values, values)."""
    tables = np.asarray(tables, dtype=np.float64)
    rows, columns = total(tables), tables.sum(axis=-2)
    half = total(rows)[..., None] / 2
    one, other = mid_ranks(rows) - half, mid_ranks(columns) - half
    covariance = total(total(tables * other[..., None, :]) * one)
    return divided(covariance, np.sqrt(total(rows * one**2)) * np.sqrt(total(columns * other**2)))


def pearson_error(n: float) -> float:
    """Standard error of Fisher's z of r."""
    return float((n - 3) ** -0.5) if n > 3 else float("nan")


def spearman_error(rho: float, n: float) -> float:
    """Standard error of Fisher's z of rho (Bonett and Wright 2000)."""
    return float(((1 + rho**2 / 2) / (n - 3)) ** 0.5) if n > 3 else float("nan")


def lin_error(moments: Floats) -> float:
    """Standard error of the z-transformed concordance correlation (Lin 1989, as corrected in 2000)."""
    n, shift, one, other, covariance = (float(part) for part in _spreads(moments))
    if n <= 2 or one * other == 0 or covariance == 0:
        return float("nan")
    r = covariance / (one * other) ** 0.5
    c = 2 * covariance / (one + other + shift**2)
    u2 = shift**2 / (one * other) ** 0.5
    variance = (1 - r**2) * c**2 / ((1 - c**2) * r**2) if abs(c) < 1 else 0.0
    if abs(c) < 1:
        variance += 2 * c**3 * (1 - c) * u2 / (r * (1 - c**2) ** 2) - c**4 * u2**2 / (2 * r**2 * (1 - c**2) ** 2)
    return float(max(variance, 0.0) ** 0.5 / (n - 2) ** 0.5)
