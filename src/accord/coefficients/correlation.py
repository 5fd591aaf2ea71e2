"""Correlation of two raters: Pearson, Spearman, Lin's concordance; with the parts of Fisher's z interval."""

from typing import NamedTuple

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients.batch import divided, mid_ranks, total

__all__ = [
    "Spreads",
    "lin_ccc",
    "lin_error",
    "lin_of_spreads",
    "pearson",
    "pearson_error",
    "pearson_of_spreads",
    "spearman",
    "spearman_error",
    "spreads",
]

_NO_VARIANCE = 1e-12


class Spreads(NamedTuple):
    """Of two columns of scores: n, the difference of means, two variances and the covariance (all over n)."""

    n: Floats
    shift: Floats
    one: Floats
    other: Floats
    covariance: Floats


def spreads(n: Floats, one: Floats, other: Floats, one2: Floats, other2: Floats, product: Floats) -> Spreads:
    """From n, two sums, two sums of squares and the sum of products."""
    mean_one, mean_other = divided(one, n), divided(other, n)
    first, second = _variance(divided(one2, n), mean_one), _variance(divided(other2, n), mean_other)
    return Spreads(n, mean_one - mean_other, first, second, divided(product, n) - mean_one * mean_other)


def spreads_of_raters(
    n: Floats, sums: Floats, squares: Floats, products: Floats, first: Integers, second: Integers
) -> Spreads:
    """The same for pairs of raters who all rated the same items: means and variances are made once a rater."""
    means = divided(sums, n)
    variances = _variance(divided(squares, n), means)
    one, other = means[..., first], means[..., second]
    covariance = divided(products, n) - one * other
    return Spreads(n, one - other, variances[..., first], variances[..., second], covariance)


def _variance(square: Floats, mean: Floats) -> Floats:
    variance = square - np.square(mean)
    return np.where(variance > _NO_VARIANCE * square, variance, 0.0)


def _of_moments(moments: Floats) -> Spreads:
    return spreads(*np.moveaxis(np.asarray(moments, dtype=np.float64), -1, 0))


def pearson_of_spreads(found: Spreads) -> Floats:
    return divided(found.covariance, np.sqrt(found.one) * np.sqrt(found.other))


def lin_of_spreads(found: Spreads) -> Floats:
    return divided(2 * found.covariance, found.one + found.other + np.square(found.shift))


def pearson(moments: Floats) -> Floats:
    """Pearson's r from n, two sums, two sums of squares and the sum of products (..., 6)."""
    return pearson_of_spreads(_of_moments(moments))


def lin_ccc(moments: Floats) -> Floats:
    r"""Lin's concordance correlation, variances over n as in Lin (1989).

    .. math:: \rho_c = \frac{2 s_{12}}{s_1^2 + s_2^2 + (\bar x_1 - \bar x_2)^2}
    """
    return lin_of_spreads(_of_moments(moments))


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
    n, shift, one, other, covariance = (float(part) for part in _of_moments(moments))
    if n <= 2 or one * other == 0 or covariance == 0:
        return float("nan")
    r = covariance / (one * other) ** 0.5
    c = 2 * covariance / (one + other + shift**2)
    u2 = shift**2 / (one * other) ** 0.5
    variance = (1 - r**2) * c**2 / ((1 - c**2) * r**2) if abs(c) < 1 else 0.0
    if abs(c) < 1:
        variance += 2 * c**3 * (1 - c) * u2 / (r * (1 - c**2) ** 2) - c**4 * u2**2 / (2 * r**2 * (1 - c**2) ** 2)
    return float(max(variance, 0.0) ** 0.5 / (n - 2) ** 0.5)
