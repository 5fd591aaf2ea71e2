"""Correlation of the scores of two raters: Pearson's r and Lin's concordance, as means over pairs of raters."""

from abc import abstractmethod
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients import blocks
from accord.coefficients.batch import divided, total
from accord.coefficients.coefficient import DEFAULTS, Sums
from accord.coefficients.features import Block, View
from accord.coefficients.left_out import mean_without
from accord.coefficients.options import Options
from accord.coefficients.pairs import PairCoefficient, PairValues, TableValues, pair_means
from accord.design.scale import Scale

__all__ = ["Correlation", "LinConcordance", "Pearson", "Spreads", "moments_of_tables", "spreads"]

_NO_VARIANCE = 1e-12


class Spreads(NamedTuple):
    """Of two columns of scores: n, the difference of means, two variances and the covariance (all over n)."""

    n: Floats
    shift: Floats
    one: Floats
    other: Floats
    covariance: Floats


def spreads(moments: Floats) -> Spreads:
    """From n, two sums, two sums of squares and the sum of products: (..., 6)."""
    n, one, other, one2, other2, product = np.moveaxis(np.asarray(moments, dtype=np.float64), -1, 0)
    mean_one, mean_other = divided(one, n), divided(other, n)
    first, second = _variance(divided(one2, n), mean_one), _variance(divided(other2, n), mean_other)
    return Spreads(n, _shift(mean_one, mean_other), first, second, divided(product, n) - mean_one * mean_other)


def _variance(square: Floats, mean: Floats) -> Floats:
    variance = square - np.square(mean)
    return np.where(variance > _NO_VARIANCE * square, variance, 0.0)


def _shift(one: Floats, other: Floats) -> Floats:
    """Equal means differ by rounding, of which the square must not be all that is left to divide by."""
    shift = one - other
    return np.where(np.abs(shift) > _NO_VARIANCE * (np.abs(one) + np.abs(other)), shift, 0.0)


class Correlation(PairCoefficient):
    """A correlation of scores: means, variances and covariance of each pair are all it looks at."""

    on_z: ClassVar[bool] = True

    @abstractmethod
    def formula(self, found: Spreads) -> Floats: ...

    @abstractmethod
    def error(self, found: Spreads) -> Floats:
        """The standard error of Fisher's z of each pair."""

    def of_pair_table(self, tables: Floats | Integers, scale: Scale, options: Options = DEFAULTS) -> TableValues:
        found = spreads(moments_of_tables(np.asarray(tables, dtype=np.float64), scale.array))
        return TableValues(self.formula(found), partial(self.error, found))

    def of_pairs(self, view: View, options: Options = DEFAULTS) -> PairValues:
        moments, pairs = view.score_moments, np.stack(view.pairs, axis=1).astype(np.int64)
        found = spreads(moments)
        items = moments[:, 0].astype(np.int64)
        return PairValues(pairs, items, self.formula(found), partial(self.error, found), on_z=True)

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        return (blocks.RATER_MOMENTS if view.is_complete else blocks.PAIR_MOMENTS,)

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        (block,) = self.features(view, options)
        return pair_means(self.formula(sums.shared("spreads", lambda: _spreads_of_sums(sums[block], view))))

    def without_item(self, view: View, options: Options = DEFAULTS) -> Floats | None:
        """The moments of a pair less those of one item."""
        moments, scores = view.score_moments, np.zeros(view.values)
        scores[view.codes[view.codes >= 0]] = view.scores[view.codes >= 0]

        def without(pair: Integers | int, one: Integers, other: Integers) -> Floats:
            first, second = scores[one], scores[other]
            lost = (np.ones(len(one)), first, second, first * first, second * second, first * second)
            return self.formula(spreads(moments[pair] - np.stack(lost, axis=1)))

        pairs = np.stack(view.pairs, axis=1)
        return mean_without(view, pairs, self.formula(spreads(moments)), without)


def moments_of_tables(tables: Floats, numbers: Floats) -> Floats:
    """(..., 6), the scores centred so that their products stay exact; ``numbers`` are those of the values."""
    rows, columns = total(tables), tables.sum(axis=-2)
    scores = numbers - numbers.mean()
    products = total(total(tables * scores) * scores)
    parts = total(rows), rows @ scores, columns @ scores, rows @ scores**2, columns @ scores**2, products
    return np.stack(parts, axis=-1)


def _spreads_of_sums(moments: Floats, view: View) -> Spreads:
    """Where all rated all, means and variances are made once a rater instead of once a pair."""
    if not view.is_complete:
        return spreads(np.stack(np.split(moments, 6, axis=1), axis=-1))
    n, sums, squares, products = np.split(moments, [1, 1 + view.raters, 1 + 2 * view.raters], axis=1)
    first, second = view.pairs
    means = divided(sums, n)
    variances = _variance(divided(squares, n), means)
    one, other = means[..., first], means[..., second]
    covariance = divided(products, n) - one * other
    return Spreads(n, _shift(one, other), variances[..., first], variances[..., second], covariance)


class Pearson(Correlation):
    r"""Pearson's :math:`r = s_{12} / (s_1 s_2)`."""

    method: ClassVar[str] = "analytic, Fisher's z over items"

    def formula(self, found: Spreads) -> Floats:
        return divided(found.covariance, np.sqrt(found.one) * np.sqrt(found.other))

    def error(self, found: Spreads) -> Floats:
        return np.asarray(np.where(found.n > 3, found.n - 3, np.nan) ** -0.5)


class LinConcordance(Correlation):
    r"""Lin's concordance correlation, variances over n as in Lin (1989).

    .. math:: \rho_c = \frac{2 s_{12}}{s_1^2 + s_2^2 + (\bar x_1 - \bar x_2)^2}
    """

    method: ClassVar[str] = "analytic, Fisher's z over items (Lin)"

    def formula(self, found: Spreads) -> Floats:
        covariance = np.where((found.one > 0) & (found.other > 0), found.covariance, 0.0)
        return divided(2 * covariance, found.one + found.other + np.square(found.shift))

    def error(self, found: Spreads) -> Floats:
        """Lin (1989), as corrected in 2000."""
        known = (found.n > 2) & (found.one * found.other != 0) & (found.covariance != 0)
        n, shift, one, other, covariance = (np.where(known, part, np.nan) for part in found)
        spread = np.sqrt(one * other)
        r, c, u2 = covariance / spread, self.formula(found), shift**2 / spread
        rest = np.where(np.abs(c) < 1, 1 - c**2, np.nan)
        variance = (1 - r**2) * c**2 / (rest * r**2) + 2 * c**3 * (1 - c) * u2 / (r * rest**2)
        variance = variance - c**4 * u2**2 / (2 * r**2 * rest**2)
        error = np.sqrt(np.maximum(np.where(np.isnan(rest) & known, 0.0, variance), 0.0)) / np.sqrt(n - 2)
        return np.asarray(error)
