r"""The two-way analysis of variance of items x raters, and what the six intraclass correlations make of it.

Names after McGraw and Wong (1996): ICC(1), ICC(A,1), ICC(C,1) for a single rating, (k) for the mean of k.
"""

import numpy as np

from accord.arrays import Floats
from accord.coefficients.batch import divided, total
from accord.quantiles import fdtri
from accord.records import dataclass

__all__ = ["Anova", "Form", "Freedom", "anova", "anova_of_matrix"]

_NO_VARIANCE = 1e-12
_NO_ENDS = float("nan"), float("nan")


@dataclass(frozen=True, slots=True)
class Anova:
    """Mean squares of n items x k raters: between items, between raters, residual, within items."""

    items: Floats
    raters: float
    between: Floats
    columns: Floats
    residual: Floats
    within: Floats


def anova_of_matrix(scores: Floats) -> Anova:
    """From a complete (items, raters) table of scores."""
    scores = scores - scores.mean() if scores.size else scores
    total = scores.sum(axis=1)
    squares = np.einsum("ij,ij->", scores, scores)
    sums = np.array([len(scores), total @ total, squares, *scores.sum(axis=0)])
    return anova(sums[None, :])


def anova(sums: Floats) -> Anova:
    """From sums over complete items (..., 3 + raters): items, total^2, squares, scores of each rater."""
    n, total2, squares, columns = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
    k = columns.shape[-1]
    correction = divided(total(columns) ** 2, n * k)
    all_squares = squares - correction
    between = _positive(total2 / k - correction, all_squares)
    raters = _positive(divided(total(columns**2), n) - correction, all_squares)
    within = _positive(all_squares - between, all_squares)
    residual = _positive(all_squares - between - raters, all_squares)
    return Anova(
        items=n,
        raters=k,
        between=divided(between, n - 1),
        columns=raters / max(k - 1, 1),
        residual=divided(residual, (n - 1) * (k - 1)),
        within=divided(within, n * (k - 1)),
    )


def _positive(part: Floats, whole: Floats) -> Floats:
    """A sum of squares is not negative: what is left of rounding is none at all."""
    return np.where(part > _NO_VARIANCE * whole, part, np.where(np.isnan(part), np.nan, 0.0))


@dataclass(frozen=True, slots=True)
class Freedom:
    """Degrees of freedom of the error term and of the raters' mean square."""

    error: float
    raters: float


@dataclass(frozen=True, slots=True)
class Form:
    r"""One of the six forms.

    .. math:: \frac{MS_R - MS_E}{MS_R + (k-1) MS_E + \frac{k}{n}(MS_C - MS_E)}

    is the ``absolute`` agreement of single ratings; consistency has no last term. ``one_way`` takes :math:`MS_W` for
    :math:`MS_E`. The reliability ``of_mean`` ratings has no :math:`(k-1) MS_E` and a k-th of the last term.
    """

    one_way: bool = False
    absolute: bool = False
    of_mean: bool = False

    def of_anova(self, table: Anova) -> Floats:
        error = table.within if self.one_way else table.residual
        bottom = table.between if self.of_mean else table.between + (table.raters - 1) * error
        if self.absolute:
            times = 1 if self.of_mean else table.raters
            added = bottom + times * divided(table.columns, table.items)
            bottom = added - times * divided(table.residual, table.items)
            # What rounding leaves is nothing to divide by: a replicate was undefined on one machine, 1e16 on another.
            bottom = np.where(np.abs(bottom) > _NO_VARIANCE * added, bottom, 0.0)
        if self.absolute and self.of_mean:
            # Below zero the mean of k ratings holds no variance of items at all: the ratio has no meaning.
            bottom = np.where(bottom > 0, bottom, 0.0)
        return divided(table.between - error, bottom)

    def ends(self, table: Anova, confidence: float, freedom: Freedom | None = None) -> tuple[float, float]:
        """The interval by F distributions (McGraw and Wong 1996); nan where there is no residual to divide by.

        ``freedom`` is given where ratings are incomplete; else it follows from items and raters.
        """
        n, k = float(np.ravel(table.items)[0]), table.raters
        between, residual, within = (float(np.ravel(part)[0]) for part in (table.between, table.residual, table.within))
        tail = 1 - (1 - confidence) / 2
        if not n > 1 or not k > 1 or not between > 0:
            return _NO_ENDS
        freedom = freedom or Freedom(n * (k - 1) if self.one_way else (n - 1) * (k - 1), k - 1)
        if self.absolute:
            return self._agreement_ends(table, freedom, tail)
        error = within if self.one_way else residual
        if not error > 0:
            return _NO_ENDS
        low = between / error / _f_quantile(n - 1, freedom.error, tail)
        high = between / error * _f_quantile(freedom.error, n - 1, tail)
        if not self.of_mean:
            return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
        return 1 - 1 / low, 1 - 1 / high

    def _agreement_ends(self, table: Anova, freedom: Freedom, tail: float) -> tuple[float, float]:
        """Satterthwaite's degrees of freedom for the mixture of rater and residual variance, as irr and irrNA in R."""
        n, between, columns, residual = (
            float(np.ravel(part)[0]) for part in (table.items, table.between, table.columns, table.residual)
        )
        k, value = table.raters, float(np.ravel(self.of_anova(table))[0])
        if not value < 1:
            return _NO_ENDS
        a = k * value / (n * (1 - value))
        b = 1 + k * value * (n - 1) / (n * (1 - value))
        bottom = (a * columns) ** 2 / freedom.raters + (b * residual) ** 2 / freedom.error
        mixed = (a * columns + b * residual) ** 2 / bottom if bottom > 0 else float("nan")
        if not mixed > 0:
            return _NO_ENDS
        lower, upper = _f_quantile(n - 1, mixed, tail), _f_quantile(mixed, n - 1, tail)
        shift = columns - residual if self.of_mean else k * columns + (k * n - k - n) * residual
        low = n * (between - lower * residual) / (lower * shift + n * between)
        high = n * (upper * between - residual) / (shift + n * upper * between)
        return low, high


def _f_quantile(top: float, bottom: float, probability: float) -> float:
    return float(fdtri(top, bottom, probability))
