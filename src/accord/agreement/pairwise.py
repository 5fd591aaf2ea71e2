"""Every pair of raters on its own: a matrix of values, with n and a standard error for each pair."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from accord.agreement import correlation, kappa, kendall
from accord.agreement.batch import divided
from accord.agreement.features import scale_numbers
from accord.agreement.options import Options
from accord.agreement.weights import weight_matrix
from accord.design.scale import Scale
from accord.errors import OptionError
from accord.ratings.counts import CountSource, Floats, Integers, PairTables, Patterns

__all__ = ["PAIR_COEFFICIENTS", "PairValues", "cohen_errors", "pair_values", "pairwise"]

_TABLE_CELLS = 500_000
_COMPARED_ITEMS = 5_000


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
        square = np.full((raters, raters), np.nan)
        square[self.pairs[:, 0], self.pairs[:, 1]] = square[self.pairs[:, 1], self.pairs[:, 0]] = self.value
        np.fill_diagonal(square, 1.0)
        return square

    def shared(self, raters: int) -> Integers:
        """(raters, raters): how many items two raters share."""
        square = np.zeros((raters, raters), dtype=np.int64)
        square[self.pairs[:, 0], self.pairs[:, 1]] = square[self.pairs[:, 1], self.pairs[:, 0]] = self.items
        return square

    def limits(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Both ends of the interval of each pair, normal; by Fisher's z for correlations."""
        from scipy.special import ndtri

        reach = float(ndtri(1 - (1 - confidence) / 2)) * self.error
        if not self.on_z:
            return self.value - reach, self.value + reach
        middle = np.arctanh(np.where(np.abs(self.value) < 1, self.value, np.nan))
        return np.tanh(middle - reach), np.tanh(middle + reach)


def cohen_errors(tables: Floats | Integers, weights: Floats) -> Floats:
    r"""Standard error of Cohen's kappa, weighted or not (Fleiss, Cohen and Everitt 1969), as psych computes it.

    .. math:: v = \frac{\sum_{ij} p_{ij} [w_{ij}(1-p_e) - (\bar w_{i\cdot} + \bar w_{\cdot j})(1-p_o)]^2
              - (p_o p_e - 2 p_e + p_o)^2}{n (1-p_e)^4}
    """
    tables = np.asarray(tables, dtype=np.float64)
    n = tables.sum(axis=(-2, -1))
    shares = divided(tables, n[..., None, None])
    found = kappa.cohen(tables, weights)
    po, pe = found.observed[..., None, None], found.expected[..., None, None]
    mean_rows = shares.sum(axis=-2) @ weights.T
    mean_columns = shares.sum(axis=-1) @ weights
    pull = weights * (1 - pe) - (mean_rows[..., :, None] + mean_columns[..., None, :]) * (1 - po)
    spread = (shares * np.square(pull)).sum(axis=(-2, -1))
    po, pe = found.observed, found.expected
    variance = divided(spread - np.square(po * pe - 2 * pe + po), n * (1 - pe) ** 4)
    return np.where(np.isnan(found.value), np.nan, np.sqrt(np.maximum(variance, 0.0)))


def _scott_errors(tables: Floats, weights: Floats) -> Floats:
    """Standard error of Scott's pi: Gwet's linearisation over the items two raters share."""
    n = tables.sum(axis=(-2, -1))
    found = kappa.scott(tables, weights)
    pooled = divided(tables.sum(axis=-1) + tables.sum(axis=-2), 2 * n[..., None])
    toward = pooled @ weights
    pe, value = (part[..., None, None] for part in (found.expected, found.value))
    chance = (toward[..., :, None] + toward[..., None, :]) / 2
    pull = divided(weights - pe - 2 * (1 - value) * (chance - pe), 1 - pe) - value
    spread = (tables * np.square(pull)).sum(axis=(-2, -1))
    return np.sqrt(divided(spread, n * (n - 1)))


def pairwise(source: CountSource, key: str, options: Options | None = None) -> PairValues:
    """A pair coefficient for every pair of raters that share an item."""
    scale = source.facts().scale
    raters = source.facts().raters
    if key in _BY_SCORES:
        return _of_scores(source.patterns(), scale, _BY_SCORES[key])
    if raters * (raters - 1) / 2 * len(scale) ** 2 > _TABLE_CELLS and key in _BY_ORDER:
        return _of_columns(source.patterns(), key)
    return pair_values(source.pairs(), scale, key, options)


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
        return PairValues(pairs, _items(tables), found.value, cohen_errors(tables, weights), parts)

    return rule


def _scott_rule(pairs: Integers, tables: Floats, scale: Scale, options: Options) -> PairValues:
    weights = weight_matrix(options.own_weights_or("identity"), scale)
    found = kappa.scott(tables, weights)
    parts = {"observed": found.observed, "expected": found.expected}
    return PairValues(pairs, _items(tables), found.value, _scott_errors(tables, weights), parts)


def _agreement_rule(default: str) -> _TableRule:
    def rule(pairs: Integers, tables: Floats, scale: Scale, options: Options) -> PairValues:
        weights = weight_matrix(options.weights_or(default) if default != "identity" else default, scale)
        items = tables.sum(axis=(-2, -1))
        share = divided(np.tensordot(tables, weights, axes=([-2, -1], [0, 1])), items)
        square = divided(np.tensordot(tables, weights**2, axes=([-2, -1], [0, 1])), items)
        error = np.sqrt(divided(np.maximum(square - share**2, 0.0), items - 1))
        return PairValues(pairs, items.astype(np.int64), share, error)

    return rule


def _concordance_parts(found: kendall.Concordance) -> dict[str, Floats]:
    return {"concordant": found.concordant, "discordant": found.discordant, "untied": found.untied}


def _gamma_rule(pairs: Integers, tables: Floats, _: Scale, __: Options) -> PairValues:
    found = kendall.concordance(tables)
    return PairValues(pairs, _items(tables), found.gamma, kendall.gamma_errors(tables), _concordance_parts(found))


def _tau_rule(pairs: Integers, tables: Floats, _: Scale, __: Options) -> PairValues:
    found = kendall.concordance(tables)
    return PairValues(pairs, _items(tables), found.tau_b, kendall.tau_b_errors(tables), _concordance_parts(found))


def _spearman_rule(pairs: Integers, tables: Floats, _: Scale, __: Options) -> PairValues:
    value, items = correlation.spearman(tables), _items(tables)
    return PairValues(pairs, items, value, _spearman_errors(value, items), on_z=True)


def _spearman_errors(value: Floats, items: Integers) -> Floats:
    return np.array([correlation.spearman_error(rho, n) for rho, n in zip(value, items, strict=True)])


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


def _columns(patterns: Patterns, one: int, other: int) -> tuple[Integers, Integers]:
    """The codes of two raters over the items both rated, one entry an item."""
    first, second = patterns.codes[:, one], patterns.codes[:, other]
    both = (first >= 0) & (second >= 0)
    times = patterns.multiplicity[both]
    return np.repeat(first[both].astype(np.int64), times), np.repeat(second[both].astype(np.int64), times)


def _shared_pairs(patterns: Patterns) -> Integers:
    given = (patterns.codes >= 0).astype(np.float64)
    first, second = np.triu_indices(patterns.codes.shape[1], 1)
    shared = (given.T @ given)[first, second] > 0
    return np.stack((first[shared], second[shared]), axis=1).astype(np.int64)


def _of_columns(patterns: Patterns, key: str) -> PairValues:
    """Coefficients of order on fine scales: no table; a standard error where items are not too many to compare."""
    pairs = _shared_pairs(patterns)
    value, items = np.full(len(pairs), np.nan), np.zeros(len(pairs), dtype=np.int64)
    error = np.full(len(pairs), np.nan)
    found: list[kendall.Concordance] = []
    for place, (one, other) in enumerate(pairs):
        columns = _columns(patterns, int(one), int(other))
        items[place] = len(columns[0])
        if key == "spearman":
            value[place] = _spearman_of_columns(*columns)
        else:
            found.append(kendall.concordance_of_columns(*(column.astype(np.float64) for column in columns)))
            value[place] = found[-1].gamma if key == "gamma" else found[-1].tau_b
            if len(pairs) == 1 and items[place] <= _COMPARED_ITEMS:
                error[place] = kendall.errors_of_columns(*columns)[key != "gamma"]
    names = ("concordant", "discordant", "untied") if found else ()
    parts = {name: np.array([float(getattr(one, name)) for one in found]) for name in names}
    if key == "spearman":
        return PairValues(pairs, items, value, _spearman_errors(value, items), on_z=True)
    return PairValues(pairs, items, value, error, parts)


def _spearman_of_columns(one: Integers, other: Integers) -> float:
    def ranks(codes: Integers) -> Floats:
        counts = np.bincount(codes).astype(np.float64)
        middles: Floats = (counts.cumsum() - counts / 2 - len(codes) / 2)[codes]
        return middles

    first, second = ranks(one), ranks(other)
    return float(divided(np.asarray(first @ second), np.sqrt(first @ first) * np.sqrt(second @ second)))


_BY_ORDER = frozenset({"gamma", "kendall_tau_b", "spearman"})


def _of_scores(patterns: Patterns, scale: Scale, value: Callable[[Floats], Floats]) -> PairValues:
    """Pearson and Lin from sums of scores, pair by pair."""
    numbers = scale_numbers(scale)
    given = patterns.codes >= 0
    scores = np.append(numbers, 0.0)[patterns.codes]
    scores = np.where(given, scores - (scores[given].mean() if given.any() else 0.0), 0.0)
    times = patterns.multiplicity.astype(np.float64)
    weighted = (scores * times[:, None]).T
    counted = given.astype(np.float64)
    pairs = _shared_pairs(patterns)
    one, other = pairs[:, 0], pairs[:, 1]
    sums, squares = weighted @ counted, (weighted * scores.T) @ counted
    moments = np.stack(
        (
            ((counted * times[:, None]).T @ counted)[one, other],
            sums[one, other], sums[other, one], squares[one, other], squares[other, one],
            (weighted @ scores)[one, other],
        ), axis=1,
    )  # fmt: skip
    if value is correlation.lin_ccc:
        error = np.array([correlation.lin_error(each) for each in moments])
    else:
        error = np.array([correlation.pearson_error(each) for each in moments[:, 0]])
    return PairValues(pairs, moments[:, 0].astype(np.int64), value(moments), error, on_z=True)


_BY_SCORES: dict[str, Callable[[Floats], Floats]] = {"pearson": correlation.pearson, "lin_ccc": correlation.lin_ccc}

PAIR_COEFFICIENTS = (*_BY_TABLES, *_BY_SCORES)
