"""Means over pairs of raters with each item left out, exactly, without a table of patterns x pairs x values.

An item changes the tables of those pairs only whose both raters rated it, and each of them by one cell. So the
value of a pair is computed once for each cell that can lose an item, and a mean is put together pair by pair.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients import correlation, kappa, kendall
from accord.coefficients.batch import applied, divided, total, weighed
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.weights import weight_matrix
from accord.ratings.counting import pair_tables
from accord.ratings.counts import PairTables, Patterns

__all__ = ["PAIR_MEANS", "WIDE_CELLS", "light_left_out", "pair_features", "pair_mean_left_out"]

_COHEN = {"cohen_kappa": "identity", "cohen_kappa_linear": "linear", "cohen_kappa_quadratic": "quadratic"}
_BY_SCORES = {"pearson": correlation.pearson, "lin_ccc": correlation.lin_ccc}
_BY_ORDER: dict[str, Callable[[Floats], Floats]] = {
    "gamma": lambda tables: kendall.concordance(tables).gamma,
    "kendall_tau_b": lambda tables: kendall.concordance(tables).tau_b,
    "spearman": correlation.spearman,
}
PAIR_MEANS = frozenset({*_COHEN, *_BY_SCORES, *_BY_ORDER, "light_kappa"})
WIDE_CELLS = 2_000_000
"""Patterns x features up to which a mean over pairs of raters is laid out for resampling."""
_CHUNK_CELLS = 1 << 20
_CHUNK_ROWS = 1 << 14
_PRODUCT_WIDTH = 2_000
_PRODUCT_COST = 400
"""Cells of a product of matrices that cost as much as one look at the cell of a pair."""
_BLOCKS = 4

_Without = Callable[[Integers, Integers, Integers], Floats]
"""The value of pairs without one item to which their raters gave these two values."""


class _Meetings(NamedTuple):
    """Patterns in which two raters meet, at most one pair of each: the pair's place and the two values given."""

    rows: Integers
    pair: Integers
    one: Integers
    other: Integers


def pair_features(view: View, key: str) -> int:
    """How many features an item has where a mean over pairs is a function of sums: the width of its blocks."""
    pairs = len(view.pairs[0])
    if key == "light_kappa" and not view.is_complete:
        return view.raters * (view.raters - 1) // 2 + view.raters * view.values
    if key in _BY_ORDER:
        return pairs * view.values**2
    if key in _BY_SCORES:
        return pairs + 2 * view.raters + 1 if view.is_complete else 6 * pairs
    return pairs + view.raters * view.values if view.is_complete else pairs * (1 + 2 * view.values)


def light_left_out(view: View, value: float) -> Floats:
    """Light's kappa without an item of each pattern: only an item that every rater rated changes it."""
    whole = view.complete > 0
    without = np.full(len(view.codes), value)
    if whole.any():
        part = Patterns(view.codes[whole], view.multiplicity[whole])
        complete, tables = View(part, view.scale), partial(pair_tables, part, view.values)
        without[whole] = pair_mean_left_out(complete, "light_kappa", Options(), tables)
    return without


def pair_mean_left_out(view: View, key: str, options: Options, tables: Callable[[], PairTables]) -> Floats:
    """The mean over pairs without an item of each pattern, nan where no pair has a value then."""
    if key in _BY_SCORES:
        whole, without = _by_scores(view, _BY_SCORES[key])
        return _means(view, np.stack(view.pairs, axis=1), whole, without)
    counted = tables()
    if key in _BY_ORDER:
        whole, without = _by_order(counted, _BY_ORDER[key])
    else:
        named = options.own_weights_or("identity") if key == "cohen_kappa" else _COHEN.get(key, "identity")
        whole, without = _by_margins(counted, weight_matrix(named, view.scale))
    return _means(view, counted.pairs, whole, without)


def _means(view: View, pairs: Integers, whole: Floats, without: _Without) -> Floats:
    defined = ~np.isnan(whole)
    sums = np.full(len(view.codes), np.where(defined, whole, 0.0).sum())
    counts = np.full(len(view.codes), float(defined.sum()))
    change = _changes_by_product if _is_dense(view) else _changes_by_meeting
    change(view, pairs, _steps(whole, without), sums, counts)
    return divided(sums, counts)


_Steps = Callable[[Integers, Integers, Integers], tuple[Floats, Floats]]
"""By how much the sum over pairs, and the number of pairs that have a value, change without such an item."""


def _steps(whole: Floats, without: _Without) -> _Steps:
    defined = ~np.isnan(whole)
    known = np.where(defined, whole, 0.0)

    def steps(pair: Integers, one: Integers, other: Integers) -> tuple[Floats, Floats]:
        left = without(pair, one, other)
        lost = np.isnan(left)
        return np.where(lost, 0.0, left) - known[pair], ~defined[pair] - lost.astype(np.float64)

    return steps


def _changes_by_meeting(view: View, pairs: Integers, steps: _Steps, sums: Floats, counts: Floats) -> None:
    for met in _meetings(view, pairs):
        value, number = steps(met.pair, met.one, met.other)
        sums[met.rows] += value
        counts[met.rows] += number


def _is_dense(view: View) -> bool:
    """Whether raters meet so often that all their cells together are multiplied faster than looked up one by one."""
    width, met = view.raters * view.values, float(view.per_item @ (view.per_item - 1)) / 2
    return width <= _PRODUCT_WIDTH and len(view.codes) * width**2 <= _PRODUCT_COST * met


def _changes_by_product(view: View, pairs: Integers, steps: _Steps, sums: Floats, counts: Floats) -> None:
    r"""The same as a quadratic form: the sum over pairs of a number a cell is :math:`x' S x`, x the values given."""
    values, (first, second) = view.values, pairs.T
    places = np.indices((len(pairs), values, values)).reshape(3, -1)
    for step, changed in zip(steps(*places), (sums, counts), strict=True):
        if step.any():
            square = np.zeros((view.raters, values, view.raters, values))
            square[first, :, second, :] = step.reshape(len(pairs), values, values)
            _add_forms(view, square.reshape(view.raters * values, -1), changed)


def _add_forms(view: View, square: Floats, changed: Floats) -> None:
    """Add x' S x of each pattern; S has nothing below the diagonal, so blocks of it are left out."""
    step = max(1, _CHUNK_CELLS // max(len(square), 1))
    ends = np.linspace(0, view.raters, min(_BLOCKS, view.raters) + 1).astype(int) * view.values
    for start in range(0, len(view.codes), step):
        codes = view.codes[start : start + step]
        given: Floats = (codes[:, :, None] == np.arange(view.values)).reshape(len(codes), -1).astype(np.float64)
        for low, high in pairwise(ends):
            toward = given[:, low:high] @ square[low:high, low:]
            changed[start : start + step] += np.einsum("pc,pc->p", toward, given[:, low:])


def _meetings(view: View, pairs: Integers) -> Iterator[_Meetings]:
    """All meetings of two raters, some thousand patterns at a time."""
    place = np.full((view.raters, view.raters), -1, dtype=np.int64)
    place[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
    for ratings in np.unique(view.per_item[view.per_item >= 2]).astype(int):
        alike = np.flatnonzero(view.per_item == ratings)
        for start in range(0, len(alike), _CHUNK_ROWS):
            rows = alike[start : start + _CHUNK_ROWS]
            raters, values = (part[rows, :ratings].astype(np.int64) for part in view.slots)
            for first, second in zip(*np.triu_indices(ratings, 1), strict=True):
                pair = place[raters[:, first], raters[:, second]]
                yield _Meetings(rows, pair, values[:, first], values[:, second])


def _looked_up(tables: PairTables, cells: Integers, found: Floats) -> _Without:
    """The value of a cell by its place."""
    values = tables.tables.shape[-1]
    places = np.zeros(tables.tables.size)  # an empty cell is never asked for
    places[cells] = found
    return lambda pair, one, other: places[(pair * values + one) * values + other]


def _by_margins(tables: PairTables, weights: Floats) -> tuple[Floats, _Without]:
    """Cohen's kappa: one item less is a step in agreement, in both margins and in their product."""
    counts, values = tables.tables.astype(np.float64), tables.tables.shape[-1]
    rows, columns = total(counts), counts.sum(axis=-2)
    agreement, items = weighed(counts, weights), total(rows)
    to_rows, to_columns = applied(columns, weights.T), applied(rows, weights)
    product = total(to_columns * columns)
    cells = np.flatnonzero(tables.tables)
    rest, other = np.divmod(cells, values)
    pair, one = np.divmod(rest, values)
    lost, left = weights[one, other], items[pair] - 1
    met = product[pair] - to_rows[pair, one] - to_columns[pair, other] + lost
    found = kappa.chance_corrected(divided(agreement[pair] - lost, left), divided(met, left * left)).value
    return kappa.cohen(counts, weights).value, _looked_up(tables, cells, found)


def _by_order(tables: PairTables, value: Callable[[Floats], Floats]) -> tuple[Floats, _Without]:
    """Coefficients of order: a table of its own for each cell that loses an item, some at a time."""
    size = tables.tables.shape[-1] ** 2
    cells = np.flatnonzero(tables.tables)
    found = np.empty(len(cells))
    step = max(1, _CHUNK_CELLS // max(size, 1))
    for start in range(0, len(cells), step):
        pair, cell = np.divmod(cells[start : start + step], size)
        without = tables.tables[pair].astype(np.float64)
        without.reshape(len(pair), size)[np.arange(len(pair)), cell] -= 1
        found[start : start + step] = value(without)
    return value(tables.tables.astype(np.float64)), _looked_up(tables, cells, found)


def _by_scores(view: View, value: Callable[[Floats], Floats]) -> tuple[Floats, _Without]:
    """Pearson and Lin: the moments of a pair less those of one item."""
    moments, scores = view.score_moments, np.zeros(view.values)
    scores[view.codes[view.codes >= 0]] = view.scores[view.codes >= 0]

    def without(pair: Integers, one: Integers, other: Integers) -> Floats:
        first, second = scores[one], scores[other]
        lost = (np.ones(len(pair)), first, second, first * first, second * second, first * second)
        return value(moments[pair] - np.stack(lost, axis=1))

    return value(moments), without
