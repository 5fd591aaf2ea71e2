r"""How two raters order the items: seen from the cells of a table, from the items of two columns, or from patterns.

A place is a cell, an item or a pattern; ``times`` items stand at it. For each place it is counted how many items both
raters order against it alike, a, and oppositely, d. Leaving out an item of the place then takes a from the concordant
pairs and d from the discordant ones: no table is copied. With the sums of signs
:math:`s_i = \sum_j \mathrm{sgn}(x_i - x_j)` (twice the mid-rank, centred) the products of ranks change as

.. math:: \sum_j s_j t_j \to \sum_j s_j t_j - s_i t_i - \sum_j s_j\,\mathrm{sgn}(y_j - y_i)
          - \sum_j t_j\,\mathrm{sgn}(x_j - x_i) + a_i - d_i.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import numpy as np

from accord import sizes
from accord.arrays import Codes, Floats, Integers
from accord.coefficients.batch import applied, total
from accord.coefficients.drawn_order import exact_kind, of_each_rater, rank_sums, untied
from accord.coefficients.features import View
from accord.coefficients.item_order import ordered_alike
from accord.records import dataclass

__all__ = [
    "Concordance",
    "Order",
    "RankProducts",
    "Side",
    "concordances_of_weights",
    "concordances_without_units",
    "order_of_columns",
    "order_of_tables",
    "orders",
    "rank_products_of_weights",
    "rank_products_without_units",
    "side_of",
]

_KEPT_ARRAYS = 4
"""For every item of a pair, so that few pairs are ordered once for all coefficients that ask."""


class Concordance(NamedTuple):
    """Pairs of items that two raters put in the same order, in opposite orders, or tie.

    ``one_untied`` and ``other_untied`` count the pairs of items that one rater, or the other, does not tie;
    ``values`` gives the smaller number of different values that a rater used.
    """

    items: Floats
    concordant: Floats
    discordant: Floats
    one_untied: Floats
    other_untied: Floats
    values: Callable[[], Floats]


class RankProducts(NamedTuple):
    """Sums over items of the products of two raters' sums of signs, and of their squares."""

    product: Floats
    one_squares: Floats
    other_squares: Floats


class Side:
    """One rater: how many items have each value, (..., values), and which value each place has."""

    def __init__(self, counts: Floats, place: Integers | Codes) -> None:
        self.counts, self._place = counts, place.astype(np.intp, copy=False)
        self.items = total(counts)

    @cached_property
    def of_value(self) -> Floats:
        """The sum of signs of each value: items below it less items above."""
        values = self.counts.shape[-1]
        if self.counts.ndim > 1 and sizes.few_cells(values):
            return applied(self.counts, _signs_of_values(values))
        return np.asarray(2 * self.counts.cumsum(axis=-1) - self.counts - self.items[..., None])

    def at(self, numbers: Floats) -> Floats:
        """Numbers by value at each place."""
        return numbers.take(self._place, axis=-1)

    @cached_property
    def sums(self) -> Floats:
        """The same at each place."""
        return self.at(self.of_value)

    @cached_property
    def same(self) -> Floats:
        """Items with the value of the place."""
        return self.at(self.counts)

    @cached_property
    def untied(self) -> Floats:
        """Pairs of items with different values."""
        return np.asarray((self.items * self.items - total(np.square(self.counts))) / 2)

    @cached_property
    def untied_without(self) -> Floats:
        """Without an item of each place; a place that has none loses none, so its number means nothing."""
        return np.maximum(self.untied[..., None] - (self.items[..., None] - self.same), 0.0)

    def values(self) -> Floats:
        """How many different values there are."""
        return np.asarray((self.counts > 0).sum(axis=-1), dtype=np.float64)

    def values_without(self) -> Floats:
        return np.asarray(self.values()[..., None] - (self.same == 1))

    def toward(self, by_value: Floats) -> Floats:
        """For each place i the sum over values j of their number, times sgn(x_j - x_i)."""
        running = by_value.cumsum(axis=-1)
        return self.at(running[..., -1:] - 2 * running + by_value)

    @cached_property
    def squares(self) -> Floats:
        return total(self.counts * np.square(self.of_value))

    @cached_property
    def squares_without(self) -> Floats:
        """The sum of squared sums of signs without an item of each place."""
        untied = self.items[..., None] - self.same
        toward = self.toward(self.counts * self.of_value)
        return np.maximum(self.squares[..., None] - np.square(self.sums) - 2 * toward + untied, 0.0)

    @cached_property
    def ties(self) -> Floats:
        """The sum of t^3 - t over groups of t tied items."""
        return total((self.counts * self.counts - 1) * self.counts)

    @cached_property
    def ties_without(self) -> Floats:
        return np.asarray(self.ties[..., None] - 3 * (self.same - 1) * self.same)


@dataclass(frozen=True)
class Order:
    """Two raters: ``around`` counts for each place the items ordered alike, and oppositely.

    ``by_value`` adds up numbers of the places by the value of the one rater, and of the other. ``columns`` are the
    tables where they stand by column, as those of many replicates do.
    """

    times: Floats
    around: Callable[[], tuple[Floats, Floats]]
    sides: Callable[[], tuple[Side, Side]]
    by_value: tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]
    columns: Floats | None = None

    @cached_property
    def _around(self) -> tuple[Floats, Floats]:
        return self.around()

    @property
    def agree(self) -> Floats:
        """The items ordered alike with each place."""
        return self._around[0]

    @property
    def differ(self) -> Floats:
        """The items ordered oppositely to each place."""
        return self._around[1]

    @cached_property
    def _sides(self) -> tuple[Side, Side]:
        return self.sides()

    @property
    def one(self) -> Side:
        return self._sides[0]

    @property
    def other(self) -> Side:
        return self._sides[1]

    @cached_property
    def _counted(self) -> tuple[Floats, Floats]:
        if self.columns is not None:
            return _ordered_pairs(self.columns)
        return total(self.times * self.agree) / 2, total(self.times * self.differ) / 2

    @property
    def concordant(self) -> Floats:
        return self._counted[0]

    @property
    def discordant(self) -> Floats:
        return self._counted[1]

    @cached_property
    def concordance(self) -> Concordance:
        one, other = self._sides
        return Concordance(
            one.items, self.concordant, self.discordant, one.untied, other.untied,
            lambda: np.minimum(one.values(), other.values()),
        )  # fmt: skip

    @cached_property
    def concordance_without(self) -> Concordance:
        """The same without an item of each place."""
        one, other, whole = self.one, self.other, self.concordance
        return Concordance(
            whole.items[..., None] - 1,
            whole.concordant[..., None] - self.agree,
            whole.discordant[..., None] - self.differ,
            one.untied_without,
            other.untied_without,
            lambda: np.minimum(one.values_without(), other.values_without()),
        )

    @cached_property
    def ranks(self) -> RankProducts:
        if self.columns is None:
            product = total(self.times * self.one.sums * self.other.sums)
        else:
            product = total(total(self.columns * self.other.of_value[..., None, :]) * self.one.of_value)
        return RankProducts(product, self.one.squares, self.other.squares)

    @cached_property
    def products_without(self) -> Floats:
        one, other = self.one, self.other
        of_one, of_other = self.by_value
        toward = one.toward(of_one(self.times * other.sums)) + other.toward(of_other(self.times * one.sums))
        changed = self.agree - self.differ - toward - one.sums * other.sums
        return np.asarray(self.ranks.product[..., None] + changed)

    @cached_property
    def ranks_without(self) -> RankProducts:
        return RankProducts(self.products_without, self.one.squares_without, self.other.squares_without)


class _Forms(NamedTuple):
    """What makes of the cells of a small table the items ordered alike with a cell and oppositely, and both margins."""

    same: Floats
    opposite: Floats
    rows: Floats
    columns: Floats


@lru_cache(maxsize=32)
def _values_of_cells(values: int) -> tuple[Integers, Integers]:
    """The value of the one rater and of the other at each cell of a table."""
    place = np.arange(values)
    return np.repeat(place, values), np.tile(place, values)


@lru_cache(maxsize=32)
def _signs_of_values(values: int) -> Floats:
    """What makes of counts by value the sum of signs of each value."""
    above: Floats = np.triu(np.ones((values, values)), 1)
    return above - above.T


@lru_cache(maxsize=32)
def _forms(values: int) -> _Forms:
    above: Floats = np.triu(np.ones((values, values)), 1)
    same, opposite = np.kron(above, above), np.kron(above, above.T)
    own: Floats = np.eye(values)
    rows: Floats = np.repeat(own, values, axis=0)
    return _Forms(same + same.T, opposite + opposite.T, rows, np.tile(own, (values, 1)))


def order_of_tables(tables: Floats | Integers) -> Order:
    """From contingency tables (..., values, values), values in order: O(values^2), whatever the items."""
    tables = np.asarray(tables, dtype=np.float64)
    values = tables.shape[-1]
    cells = tables.reshape(*tables.shape[:-2], values * values)
    by_replicate = tables.ndim > 2 and len(tables) > sizes.SHORT and tables.strides[0] == tables.itemsize
    whole = tables if by_replicate else None

    def around() -> tuple[Floats, Floats]:
        if sizes.few_cells(values):
            forms = _forms(values)
            return applied(cells, forms.same), applied(cells, forms.opposite)
        opposite = _around(tables[..., ::-1])[..., ::-1]
        return _around(tables).reshape(cells.shape), opposite.reshape(cells.shape)

    def sides() -> tuple[Side, Side]:
        if whole is None and sizes.few_cells(values):
            rows, columns = applied(cells, _forms(values).rows), applied(cells, _forms(values).columns)
        else:
            rows, columns = total(tables), tables.sum(axis=-2)
        of_one, of_other = _values_of_cells(values)
        return Side(rows, of_one), Side(columns, of_other)

    def by_row(numbers: Floats) -> Floats:
        return total(numbers.reshape(tables.shape))

    def by_column(numbers: Floats) -> Floats:
        return np.asarray(numbers.reshape(tables.shape).sum(axis=-2))

    return Order(cells, around, sides, (by_row, by_column), whole)


def _ordered_pairs(tables: Floats) -> tuple[Floats, Floats]:
    """Pairs of items in the same order, and in opposite orders: each row with all that lie below it."""
    values = tables.shape[-1]
    alike, opposite, below = (np.zeros_like(tables[..., 0, part]) for part in (0, 0, slice(None)))
    for row in range(values - 2, -1, -1):
        below, own = below + tables[..., row + 1, :], tables[..., row, :]
        before, after = below[..., 0], below[..., -1]
        for value in range(1, values):
            opposite += own[..., value] * before
            before = before + below[..., value]
            alike += own[..., -1 - value] * after
            after = after + below[..., -1 - value]
    return alike, opposite


def _around(tables: Floats) -> Floats:
    """For each cell the sum of the cells below and to the right, and of those above and to the left."""
    sums = tables.cumsum(axis=-2).cumsum(axis=-1)
    around = np.zeros_like(tables)
    around[..., 1:, 1:] = sums[..., :-1, :-1]
    # What lies beyond is all, less the rows up to the cell, less the columns up to it, plus what was taken off twice.
    around += sums[..., -1:, -1:] - sums[..., :, -1:] - sums[..., -1:, :] + sums
    return around


def order_of_columns(one: Integers, other: Integers, sides: tuple[Side, Side] | None = None) -> Order:
    """From two columns of codes: every item is a place."""
    agree, differ = ordered_alike(one, other)

    def by(codes: Integers) -> Callable[[Floats], Floats]:
        return lambda numbers: np.bincount(codes, weights=numbers).astype(np.float64)

    made = sides or (_side(one), _side(other))
    return Order(np.ones(len(one)), lambda: (agree, differ), lambda: made, (by(one), by(other)))


def _side(codes: Integers) -> Side:
    return Side(np.bincount(codes).astype(np.float64), codes)


class OrderOfPair(NamedTuple):
    """A pair of raters: the patterns both rated, the place of the first item of each, and the order of the items."""

    rows: Integers
    first: Integers
    order: Order


def orders(view: View) -> Iterator[OrderOfPair]:
    """Each pair of raters in turn; memory is for one pair at a time where they are many."""
    size = _KEPT_ARRAYS * len(view.codes) * len(view.pairs[0])
    for one, other in zip(*view.pairs, strict=True):
        yield view.kept(f"order of {one} and {other}", partial(_order_of_pair, view, int(one), int(other)), size)


def _order_of_pair(view: View, first: int, second: int) -> OrderOfPair:
    one, other = (view.codes[:, rater].astype(np.int64) for rater in (first, second))
    rows, times = np.arange(len(one)), view.multiplicity
    if not view.is_complete:
        rows = np.flatnonzero((one >= 0) & (other >= 0))
        one, other, times = one[rows], other[rows], times[rows]
    if len(times) < times.sum():
        order = order_of_columns(np.repeat(one, times), np.repeat(other, times))
    else:
        # Where all rated all, a rater is the same in every pair.
        sides = (side_of(view, first), side_of(view, second)) if view.is_complete else None
        order = order_of_columns(one, other, sides)
    return OrderOfPair(rows, np.cumsum(times) - times, order)


def side_of(view: View, rater: int) -> Side:
    """A rater who rated every pattern; the places are the patterns."""
    codes = view.codes[:, rater]
    make = lambda: Side(np.bincount(codes, weights=view.times).astype(np.float64), codes)  # noqa: E731
    return view.kept(f"side of {rater}", make, _KEPT_ARRAYS * len(codes))


def _signs(view: View, rater: int, rows: Integers) -> Floats:
    """+1, 0 or -1: how the rater orders two of these patterns, all of which the rater rated."""
    codes = view.codes[rows, rater].astype(np.float64)
    return np.asarray(np.sign(codes[:, None] - codes[None, :]))


def _shared(view: View, place: int) -> Integers:
    """Patterns that both raters of a pair rated: in a pool of raters these are few, and nothing else counts."""
    return np.flatnonzero(view.both[:, place])


def concordances_of_weights(view: View, weights: Floats) -> Concordance:
    """(replicates, pairs) from how often each pattern occurs: every count is a quadratic form in the weights."""

    def form(matrix: Floats, drawn: Floats) -> Floats:
        """Half the form: the sum over unordered pairs of patterns."""
        return np.asarray(((drawn.astype(kind) @ matrix.astype(kind)) * drawn).sum(axis=1) / 2)

    kind = exact_kind(weights)
    untied_by = of_each_rater(view, weights, untied)
    columns = []
    for place, (one, other) in enumerate(zip(*view.pairs, strict=True)):
        rows = _shared(view, place)
        drawn = weights[:, rows]
        both = _signs(view, int(one), rows) * _signs(view, int(other), rows)
        balance, ordered = form(both, drawn), form(np.abs(both), drawn)
        sides = untied_by(int(one), rows), untied_by(int(other), rows)
        columns.append((drawn.sum(axis=1), (ordered + balance) / 2, (ordered - balance) / 2, *sides))
    n, concordant, discordant, one_untied, other_untied = _stacked(columns, 5, len(weights))
    used = partial(_values_used, view, weights)
    return Concordance(n, concordant, discordant, one_untied, other_untied, used)


def concordances_without_units(view: View, unit: Integers) -> Concordance:
    """(units, pairs): the same without the patterns of each unit, from one comparison of all patterns.

    A unit takes with it what its patterns add to the form, less what they add among themselves and was taken twice.
    """
    units = int(unit.max()) + 1
    columns = []
    for place, (one, other) in enumerate(zip(*view.pairs, strict=True)):
        rows = _shared(view, place)
        own, times = unit[rows], view.times[rows]
        within = own[:, None] == own[None, :]

        def form(matrix: Floats, own: Integers = own, times: Floats = times, within: Floats = within) -> Floats:
            among = times * ((matrix * within) @ times)
            lost = np.bincount(own, 2 * times * (matrix @ times) - among, units)
            return np.asarray((times @ matrix @ times - lost) / 2)

        first, second = _signs(view, int(one), rows), _signs(view, int(other), rows)
        both = first * second
        balance, untied = form(both), form(np.abs(both))
        left = times.sum() - np.bincount(own, times, units)
        columns.append(
            (left, (untied + balance) / 2, (untied - balance) / 2, form(np.abs(first)), form(np.abs(second)))
        )
    there = np.where(unit == np.arange(units)[:, None], 0.0, view.times)
    n, concordant, discordant, one_untied, other_untied = _stacked(columns, 5, units)
    return Concordance(n, concordant, discordant, one_untied, other_untied, partial(_values_used, view, there))


def _values_used(view: View, weights: Floats) -> Floats:
    """(replicates, pairs): the smaller number of different values that a rater of the pair gave to shared items."""
    columns = []
    for place, pair in enumerate(zip(*view.pairs, strict=True)):
        rows = _shared(view, place)
        occurs = weights[:, rows] > 0
        found = (np.unique(view.codes[rows, rater], return_inverse=True) for rater in pair)
        columns.append(np.minimum(*((occurs @ np.eye(len(used))[code] > 0).sum(axis=1) for used, code in found)))
    return np.stack(columns, axis=1).astype(np.float64)


def rank_products_of_weights(view: View, weights: Floats) -> RankProducts:
    ranks_by = of_each_rater(view, weights, rank_sums)
    columns = []
    for place, (one, other) in enumerate(zip(*view.pairs, strict=True)):
        rows = _shared(view, place)
        drawn = weights[:, rows]
        first, second = ranks_by(int(one), rows), ranks_by(int(other), rows)
        columns.append(tuple((drawn * part).sum(axis=1) for part in (first * second, first**2, second**2)))
    return RankProducts(*_stacked(columns, 3, len(weights)))


def rank_products_without_units(view: View, unit: Integers) -> RankProducts:
    """(units, pairs): the same without the patterns of each unit, from how often a unit has each value."""
    units, columns = int(unit.max()) + 1, []
    for place, raters in enumerate(zip(*view.pairs, strict=True)):
        rows = _shared(view, place)
        own, times = unit[rows], view.times[rows]
        there = np.where(own == np.arange(units)[:, None], 0.0, times)
        one, other = (_without_units(view.codes[rows, rater], own, times, units) for rater in raters)
        columns.append(((there * one.sums * other.sums).sum(axis=1), one.squares, other.squares))
    return RankProducts(*_stacked(columns, 3, units))


def _without_units(codes: Codes, own: Integers, times: Floats, units: int) -> Side:
    """One rater without the patterns of each unit, at each pattern."""
    used, code = np.unique(codes, return_inverse=True)
    counts = np.bincount(own * len(used) + code, times, units * len(used)).reshape(units, len(used))
    return Side(counts.sum(axis=0) - counts, code)


def _stacked(columns: Sequence[tuple[Floats, ...]], parts: int, replicates: int) -> list[Floats]:
    return [np.stack(part, axis=1) for part in zip(*columns, strict=True)] or [np.zeros((replicates, 0))] * parts
