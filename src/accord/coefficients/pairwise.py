"""Every pair of raters on its own: a matrix of values, with n and a standard error for each pair."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients import correlation, kappa, kendall
from accord.coefficients.batch import divided, weighed
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.order_summary import OrderSummary, order_summary
from accord.coefficients.weights import weight_matrix
from accord.design.scale import Scale
from accord.errors import OptionError
from accord.ratings.counts import CountSource, PairTables

__all__ = ["PAIR_COEFFICIENTS", "PairValues", "cohen_errors", "is_fine", "pair_values", "pairwise"]

_TABLE_CELLS = 500_000
_MANY_TABLES_CELLS = 30_000_000
_FEW_VALUES = 10


@dataclass(frozen=True, slots=True)
class PairValues:
    """One value for each pair of raters that share an item; ``pairs`` holds the two raters' places.

    ``error`` is a standard error, on Fisher's z for correlations (``on_z``); nan where none is known.
    """

    pairs: Integers
    items: Integers
    value: Floats
    error: Floats
    parts: dict[str, Floats] = field(default_factory=dict)
    on_z: bool = False

    def matrix(self, raters: int) -> Floats:
        """(raters, raters), symmetric, 1 on the diagonal, nan where two raters share no item."""
        square = self.squared(self.value, raters)
        np.fill_diagonal(square, 1.0)
        return square

    def squared(self, numbers: Floats, raters: int) -> Floats:
        """(raters, raters) of a number for each pair, symmetric, nan where there is no pair."""
        square = np.full((raters, raters), np.nan)
        square[self.pairs[:, 0], self.pairs[:, 1]] = square[self.pairs[:, 1], self.pairs[:, 0]] = numbers
        return square

    def shared(self, raters: int) -> Integers:
        """(raters, raters): how many items two raters share."""
        square = np.zeros((raters, raters), dtype=np.int64)
        square[self.pairs[:, 0], self.pairs[:, 1]] = square[self.pairs[:, 1], self.pairs[:, 0]] = self.items
        return square

    def limits(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Both ends of the interval of each pair, normal within -1 and 1; by Fisher's z for correlations."""
        from scipy.special import ndtri

        reach = float(ndtri(1 - (1 - confidence) / 2)) * self.error
        if not self.on_z:
            return np.maximum(self.value - reach, -1.0), np.minimum(self.value + reach, 1.0)
        middle = np.arctanh(np.where(np.abs(self.value) < 1, self.value, np.nan))
        return np.tanh(middle - reach), np.tanh(middle + reach)


def cohen_errors(tables: Floats | Integers, weights: Floats, found: kappa.Kappa | None = None) -> Floats:
    r"""Standard error of Cohen's kappa (Fleiss, Cohen and Everitt 1969): as psych, and weighted as vcd, has it.

    .. math:: v = \frac{\sum_{ij} p_{ij} [w_{ij}(1-p_e) - (\bar w_{i\cdot} + \bar w_{\cdot j})(1-p_o)]^2
              - (p_o p_e - 2 p_e + p_o)^2}{n (1-p_e)^4}
    """
    tables = np.asarray(tables, dtype=np.float64)
    n = tables.sum(axis=(-2, -1))
    shares = divided(tables, n[..., None, None])
    found = found or kappa.cohen(tables, weights)
    po, pe = found.observed[..., None, None], found.expected[..., None, None]
    mean_rows = shares.sum(axis=-2) @ weights.T
    mean_columns = shares.sum(axis=-1) @ weights
    pull = weights * (1 - pe) - (mean_rows[..., :, None] + mean_columns[..., None, :]) * (1 - po)
    spread = (shares * np.square(pull)).sum(axis=(-2, -1))
    po, pe = found.observed, found.expected
    variance = divided(spread - np.square(po * pe - 2 * pe + po), n * (1 - pe) ** 4)
    return np.where(np.isnan(found.value), np.nan, np.sqrt(np.maximum(variance, 0.0)))


def _scott_errors(tables: Floats, weights: Floats, found: kappa.Kappa) -> Floats:
    """Standard error of Scott's pi: Gwet's linearisation over the items two raters share."""
    n = tables.sum(axis=(-2, -1))
    pooled = divided(tables.sum(axis=-1) + tables.sum(axis=-2), 2 * n[..., None])
    toward = pooled @ weights
    pe, value = (part[..., None, None] for part in (found.expected, found.value))
    chance = (toward[..., :, None] + toward[..., None, :]) / 2
    pull = divided(weights - pe - 2 * (1 - value) * (chance - pe), 1 - pe) - value
    spread = (tables * np.square(pull)).sum(axis=(-2, -1))
    return np.sqrt(divided(spread, n * (n - 1)))


def pairwise(source: CountSource, key: str, options: Options | None = None, view: View | None = None) -> PairValues:
    """A pair coefficient for every pair of raters that share an item; ``view`` keeps what several can share."""
    scale = source.facts().scale
    raters = source.facts().raters
    if key in _BY_SCORES:
        return _of_scores(view or View(source.patterns(), scale), _BY_SCORES[key])
    if key in _BY_ORDER and is_fine(raters, len(scale)):
        return _of_columns(view.order if view else order_summary(source.patterns()), key)
    return pair_values(source.pairs(), scale, key, options)


def is_fine(raters: int, values: int) -> bool:
    """Whether tables of all pairs of raters would be too large to read order from."""
    cells = raters * (raters - 1) / 2 * values**2
    return cells > (_MANY_TABLES_CELLS if values <= _FEW_VALUES else _TABLE_CELLS)


def pair_values(tables: PairTables, scale: Scale, key: str, options: Options | None = None) -> PairValues:
    """The same from contingency tables."""
    if key not in _BY_TABLES:
        raise OptionError(f"{key!r} is not computed pair by pair. These are: {', '.join(PAIR_COEFFICIENTS)}.")
    counts = tables.tables.astype(np.float64)
    return _BY_TABLES[key](tables.pairs, counts, scale, options or Options())


_TableRule = Callable[[Integers, Floats, Scale, Options], PairValues]


def _items(tables: Floats) -> Integers:
    return np.asarray(tables.sum(axis=(-2, -1)), dtype=np.int64)


def _kappa_rule(default: str) -> _TableRule:
    def rule(pairs: Integers, tables: Floats, scale: Scale, options: Options) -> PairValues:
        chosen = options.own_weights_or(default) if default == "identity" else default
        weights = weight_matrix(chosen, scale)
        found = kappa.cohen(tables, weights)
        parts = {"observed": found.observed, "expected": found.expected}
        return PairValues(pairs, _items(tables), found.value, cohen_errors(tables, weights, found), parts)

    return rule


def _scott_rule(pairs: Integers, tables: Floats, scale: Scale, options: Options) -> PairValues:
    weights = weight_matrix(options.own_weights_or("identity"), scale)
    found = kappa.scott(tables, weights)
    parts = {"observed": found.observed, "expected": found.expected}
    return PairValues(pairs, _items(tables), found.value, _scott_errors(tables, weights, found), parts)


def _agreement_rule(default: str) -> _TableRule:
    def rule(pairs: Integers, tables: Floats, scale: Scale, options: Options) -> PairValues:
        weights = weight_matrix(options.weights_or(default) if default != "identity" else default, scale)
        items = tables.sum(axis=(-2, -1))
        share = divided(weighed(tables, weights), items)
        square = divided(weighed(tables, weights**2), items)
        error = np.sqrt(divided(np.maximum(square - share**2, 0.0), items - 1))
        return PairValues(pairs, items.astype(np.int64), share, error)

    return rule


def _concordance_parts(found: kendall.Concordance, items: Integers) -> dict[str, Floats]:
    """Pairs of items: in the same order, in opposite order, tied by neither rater, and all that were compared."""
    return {
        "concordant": found.concordant, "discordant": found.discordant, "untied": found.untied,
        "compared": items * (items - 1) / 2,
    }  # fmt: skip


def _gamma_rule(pairs: Integers, tables: Floats, _: Scale, __: Options) -> PairValues:
    found = kendall.concordance(tables)
    items = _items(tables)
    return PairValues(pairs, items, found.gamma, kendall.gamma_errors(tables), _concordance_parts(found, items))


def _tau_rule(pairs: Integers, tables: Floats, _: Scale, __: Options) -> PairValues:
    found = kendall.concordance(tables)
    items = _items(tables)
    return PairValues(pairs, items, found.tau_b, kendall.tau_b_errors(tables), _concordance_parts(found, items))


def _spearman_rule(pairs: Integers, tables: Floats, _: Scale, __: Options) -> PairValues:
    value, items = correlation.spearman(tables), _items(tables)
    return PairValues(pairs, items, value, _spearman_errors(value, items), on_z=True)


def _spearman_errors(value: Floats, items: Integers) -> Floats:
    """:func:`accord.coefficients.correlation.spearman_error` of every pair."""
    free = np.where(items > 3, items - 3.0, np.nan)
    return np.sqrt((1 + np.square(value) / 2) / free)


_BY_TABLES: dict[str, _TableRule] = {
    "percent_agreement": _agreement_rule("identity"),
    "weighted_agreement": _agreement_rule("linear"),
    "cohen_kappa": _kappa_rule("identity"),
    "cohen_kappa_linear": _kappa_rule("linear"),
    "cohen_kappa_quadratic": _kappa_rule("quadratic"),
    "scott_pi": _scott_rule,
    "gamma": _gamma_rule,
    "kendall_tau_b": _tau_rule,
    "spearman": _spearman_rule,
}


def _of_columns(summary: OrderSummary, key: str) -> PairValues:
    """Coefficients of order on fine scales: every item against all others, without a table."""
    if key == "spearman":
        errors = _spearman_errors(summary.spearman, summary.items)
        return PairValues(summary.pairs, summary.items, summary.spearman, errors, on_z=True)
    found = summary.concordance
    value, error = (found.gamma, summary.gamma_error) if key == "gamma" else (found.tau_b, summary.tau_b_error)
    return PairValues(summary.pairs, summary.items, value, error, _concordance_parts(found, summary.items))


_BY_ORDER = frozenset({"gamma", "kendall_tau_b", "spearman"})


def _of_scores(view: View, value: Callable[[Floats], Floats]) -> PairValues:
    """Pearson and Lin from sums of scores, pair by pair."""
    moments, pairs = view.score_moments, np.stack(view.pairs, axis=1).astype(np.int64)
    if value is correlation.lin_ccc:
        error = np.array([correlation.lin_error(each) for each in moments])
    else:
        error = np.where(moments[:, 0] > 3, moments[:, 0] - 3, np.nan) ** -0.5
    return PairValues(pairs, moments[:, 0].astype(np.int64), value(moments), error, on_z=True)


_BY_SCORES: dict[str, Callable[[Floats], Floats]] = {"pearson": correlation.pearson, "lin_ccc": correlation.lin_ccc}

PAIR_COEFFICIENTS = (*_BY_TABLES, *_BY_SCORES)
