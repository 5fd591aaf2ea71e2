"""Count ratings that lie in memory: numpy on codes, the same integers the SQL side gives."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord import sizes
from accord.arrays import Integers
from accord.errors import NotEnoughDataError
from accord.ratings.counts import (
    CountSource,
    DocumentCounts,
    Facts,
    ItemMoments,
    ItemValueCounts,
    PairTables,
    Patterns,
    RaterMarginals,
    RaterParts,
    laid_out,
)
from accord.ratings.names import in_order, order_of_names
from accord.ratings.pair_counting import pair_tables
from accord.ratings.poisson_weights import factors, item_keys, poisson_weights
from accord.ratings.pooled_units import occasion_ranks, with_pooled_units
from accord.ratings.roles import other_rows
from accord.ratings.table import Factor, Ratings

__all__ = ["InMemory", "count_source", "counted_rows", "distinct", "kinds_of", "patterns_of"]

_KEY_SPAN = 1 << 62
_SHORT_KEY_SPAN = 1 << 31
_CACHED = 1 << 17
_DRAWN_CELLS = 5_000_000


def count_source(ratings: Ratings) -> "InMemory":
    """The counts of these ratings, made when first asked for and then kept."""
    return InMemory(ratings)


def counted_rows(ratings: Ratings) -> NDArray[np.bool_] | None:
    """Rows that count between raters; None if all do.

    Ratings given for practice and ratings of control items are left out, and where a rater judged an
    item on several occasions only the first counts: repeats tell how a rater agrees with himself.
    """
    others = other_rows(ratings) if "role" in ratings.columns else None
    keep = None if others is None else ~others
    dated = "occasion" in ratings.columns or "occasion" in ratings.numbers
    ranks = occasion_ranks(ratings) if dated else None
    if ranks is None:
        return keep
    cell = ratings.item.codes.astype(np.int64) * max(ratings.raters, 1) + ratings.rater.codes
    if keep is not None:
        ranks = np.where(keep, ranks, np.inf)
    order = np.lexsort((ranks, cell))
    first = np.empty(len(ratings), dtype=bool)
    sorted_cell = cell[order]
    first[order] = np.r_[True, sorted_cell[1:] != sorted_cell[:-1]] if len(order) else False
    return first if keep is None else keep & first


class InMemory(CountSource):
    """Ratings in memory as a source of counts.

    Raters and documents are counted in the order of their names, so that a seed draws the same from the same ratings,
    whatever the order of rows and columns; ``shown_raters`` keeps the order in which raters came.
    """

    has_patterns = True

    def __init__(self, ratings: Ratings) -> None:
        if ratings.pooled:
            ratings = with_pooled_units(ratings)
        self.ratings = ratings
        rows = counted_rows(ratings) if ratings.columns or ratings.numbers else None
        if ratings.item.has_empty or ratings.rater.has_empty:
            named = (ratings.item.codes >= 0) & (ratings.rater.codes >= 0)
            rows = named if rows is None else rows & named
        self._counted = ratings if rows is None or rows.all() else ratings.where(rows)
        self._facts: Facts | None = None

    @property
    def counted(self) -> Ratings:
        """The ratings that count between raters."""
        return self._counted

    @property
    def left_out(self) -> int:
        """Ratings that do not count between raters: practice, control items, later occasions."""
        return len(self.ratings) - len(self._counted)

    @property
    def fingerprint(self) -> str:
        return self.ratings.fingerprint

    def rater_names(self) -> tuple[str, ...]:
        return tuple(in_order(self._counted.rater.names))

    def shown_raters(self) -> tuple[str, ...]:
        return tuple(self._counted.rater.names)

    def item_names(self) -> tuple[str, ...]:
        """The items in the order of the rows of ``matrix``."""
        return tuple(self._counted.item.names)

    def facts(self) -> Facts:
        if self._facts is None:
            counted = self._counted
            self._facts = Facts(
                scale=counted.scale,
                items=counted.items,
                raters=counted.raters,
                ratings=len(counted),
                complete=len(counted) == counted.items * counted.raters,
                pairable=self._pairable(),
            )
        return self._facts

    def _pairable(self) -> int:
        counted = self._counted
        if sizes.is_mostly_empty(counted.items * counted.raters, len(counted)) or "_moments" in self.__dict__:
            return int(np.count_nonzero(self._ratings_per_item >= 2))
        if counted.layout is not None:
            return counted.items if counted.raters >= 2 else 0
        compared = (self._patterns.codes >= 0).sum(axis=1) >= 2
        return int(self._patterns.multiplicity[compared].sum())

    @cached_property
    def _ratings_per_item(self) -> Integers:
        counted = self._counted
        if self._counted.layout is not None:
            return np.full(counted.items, counted.raters, dtype=np.int64)
        return np.bincount(counted.item.codes, minlength=counted.items).astype(np.int64)

    @cached_property
    def matrix(self) -> NDArray[np.int32]:
        """The value code of each (item, rater), -1 where there is no rating."""
        counted, order = self._counted, order_of_names(self._counted.rater.names)
        if counted.layout is not None:
            return counted.layout if order is None else counted.layout.T[order].T
        if not sizes.is_laid_out(counted.items, counted.raters):
            raise NotEnoughDataError(
                f"{counted.raters:,} raters and {counted.items:,} items overlap too little to be laid out as a table. "
                "Choose coefficients that do not tell raters apart, such as krippendorff_alpha."
            )
        # One column a rater: columns are what patterns are made of, and rows of the table often come rater by rater.
        codes = np.full(counted.items * counted.raters, -1, dtype=np.int32)
        cell = counted.cells
        if cell is None:
            cell = counted.rater.codes.astype(np.intp)
            cell *= counted.items
            cell += counted.item.codes
        codes[cell] = counted.value
        by_rater = codes.reshape(counted.raters, counted.items)
        return (by_rater if order is None else by_rater[order]).T

    @cached_property
    def _patterns(self) -> Patterns:
        return patterns_of(self.matrix, len(self._counted.scale))

    def patterns(self) -> Patterns:
        return self._patterns

    @cached_property
    def _unnamed_patterns(self) -> Patterns:
        counted, per_item = self._counted, self._ratings_per_item
        if sizes.values_fill(counted.items * len(counted.scale), len(counted)):
            return laid_out(self.item_values())
        order = np.lexsort((counted.value, counted.item.codes))
        starts = np.cumsum(per_item) - per_item
        place = np.arange(len(counted)) - np.repeat(starts, per_item)
        slots = np.full((counted.items, int(per_item.max(initial=0))), -1, dtype=np.int32)
        slots[counted.item.codes[order], place] = counted.value[order]
        found = patterns_of(slots, len(counted.scale))
        # In the order that a table of value counts has, so that the same seed draws the same items either way.
        turned = np.where(found.codes >= 0, len(counted.scale) - found.codes, 0)
        in_order = np.lexsort(turned.T[::-1])
        return Patterns(found.codes[in_order], found.multiplicity[in_order])

    def unnamed_patterns(self) -> Patterns:
        return self._unnamed_patterns

    @cached_property
    def _item_values(self) -> ItemValueCounts:
        counted, values = self._counted, len(self._counted.scale)
        if sizes.is_laid_out(counted.items, counted.raters):
            rows, multiplicity = value_counts(self._patterns.codes, values), self._patterns.multiplicity
        else:
            rows, multiplicity = self._rows_of_values(), np.ones(counted.items, dtype=np.int64)
        return ItemValueCounts(*distinct(rows, multiplicity))

    def item_values(self) -> ItemValueCounts:
        return self._item_values

    @cached_property
    def _moments(self) -> ItemMoments:
        counted = self._counted
        scores, item = counted.scores, counted.item.codes
        if not (counted.scale.array == np.rint(counted.scale.array)).all():
            # Sums of fractions differ in their last bits by the order of rows, and equal items shall have equal sums.
            by_value = np.argsort(counted.value, kind="stable")
            scores, item = scores[by_value], item[by_value]
        total = np.bincount(item, weights=scores, minlength=counted.items)
        squares = np.bincount(item, weights=scores * scores, minlength=counted.items)
        once = np.ones(len(total), dtype=np.int64)
        return moments_once([self._ratings_per_item, total.astype(np.float64), squares.astype(np.float64)], once)

    def moments(self) -> ItemMoments:
        return self._moments

    @cached_property
    def _marginals(self) -> RaterMarginals:
        counted, values = self._counted, len(self._counted.scale)
        if "_patterns" in self.__dict__ and len(self._patterns.codes) * 4 < counted.items:
            return RaterMarginals(_marginals_of(self._patterns, values))
        if counted.layout is not None:
            return RaterMarginals(np.array([np.bincount(column, minlength=values) for column in self.matrix.T]))
        cell = counted.rater.codes.astype(np.int64) * values + counted.value
        counts = np.bincount(cell, minlength=counted.raters * values).reshape(counted.raters, values)
        order = order_of_names(counted.rater.names)
        return RaterMarginals(counts if order is None else counts[order])

    def marginals(self) -> RaterMarginals:
        return self._marginals

    @cached_property
    def _pairs(self) -> PairTables:
        return pair_tables(self._patterns, len(self._counted.scale))

    def pairs(self) -> PairTables:
        return self._pairs

    @cached_property
    def clusters(self) -> Factor | None:
        """The document of each item in the order of ``matrix``; None where ratings name no documents."""
        document = self._counted.columns.get("document")
        if document is None:
            return None
        document = document.in_order_of_names()
        codes = np.full(self._counted.items, -1, dtype=np.int32)
        codes[self._counted.item.codes] = document.codes
        if (codes[self._counted.item.codes] != document.codes).any():
            # An item of several documents belongs to the last of them by name, whichever row comes last.
            np.maximum.at(codes, self._counted.item.codes, document.codes)
        return Factor(codes, document.names)

    def by_document(self, *, named: bool = True) -> DocumentCounts | None:
        """The items with their documents; None where ratings name no documents."""
        if "document" not in self._counted.columns or self.clusters is None:
            return None
        counted = self._counted
        documents = self.clusters.codes.astype(np.int64)
        rows = self.matrix.astype(np.int64) if named else self._rows_of_values()
        keyed, multiplicity = distinct(np.column_stack((documents, rows)) + 1, np.ones(counted.items, dtype=np.int64))
        return DocumentCounts(keyed[:, 1:] - 1, multiplicity, keyed[:, 0] - 1, named)

    def draws(self, *, named: bool = True, seed: int, replicates: int) -> Iterator[Integers]:
        """How often each pattern occurs in each replicate under Poisson weights, as stored ratings give them."""
        rows = self.matrix.astype(np.int64) + 1 if named else self._rows_of_values()
        keys, step = item_keys(self._counted.item.names), max(1, _DRAWN_CELLS // max(len(rows), 1))
        for start in range(0, replicates, step):
            drawn = factors(seed, range(start, min(start + step, replicates)))
            yield distinct(rows, poisson_weights(keys, drawn).T.astype(np.int64))[1]

    def _rows_of_values(self) -> Integers:
        counted, values = self._counted, len(self._counted.scale)
        cell = counted.item.codes.astype(np.int64) * values + counted.value
        return np.bincount(cell, minlength=counted.items * values).reshape(counted.items, values).astype(np.int64)

    def by_rater(self) -> RaterParts:
        """What each rater gave to items of each kind."""
        counted = self._counted
        rows = self._rows_of_values()
        kinds, kind = kinds_of(rows)
        rater = counted.rater.in_order_of_names().codes
        cell = (kind[counted.item.codes] * counted.raters + rater) * len(counted.scale) + counted.value
        found, multiplicity = np.unique(cell, return_counts=True)
        rest, own = np.divmod(found, len(counted.scale))
        which, rater = np.divmod(rest, counted.raters)
        return RaterParts(kinds[which], rater, own, multiplicity.astype(np.int64))


def kinds_of(rows: Integers) -> tuple[Integers, Integers]:
    """Different rows in order, and which of them each row is."""
    keys = _keys(rows.astype(np.int32) - 1, int(rows.max()) + 1)
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], kind.astype(np.int64)


def patterns_of(matrix: NDArray[np.int32], values: int) -> Patterns:
    """Rows of an (items, raters) table of codes, equal rows once, in order of their codes."""
    raters, radix = matrix.shape[1], values + 1
    if raters and sizes.keys_are_counted(radix**raters, len(matrix)):
        found = _key_counts(matrix, radix)
        present = np.flatnonzero(found)
        powers = radix ** np.arange(raters - 1, -1, -1, dtype=np.int64)
        codes = (present[:, None] // powers) % radix - 1
        return Patterns(codes.astype(np.int32), found[present].astype(np.int64))
    keys = _keys(matrix, radix)
    order = np.argsort(keys)
    starts, multiplicity = _runs(keys[order])
    return Patterns(np.ascontiguousarray(matrix[order[starts]], dtype=np.int32), multiplicity)


def _key_counts(matrix: NDArray[np.int32], radix: int) -> Integers:
    """How many rows have each key, in parts that stay in the processor's cache."""
    items, raters = matrix.shape
    found = np.zeros(radix**raters, dtype=np.int64)
    for start in range(0, items, _CACHED):
        found += np.bincount(_keys(matrix[start : start + _CACHED], radix), minlength=len(found))
    return found


def _keys(matrix: NDArray[np.int32], radix: int) -> NDArray[Any]:
    """One integer a row, equal for equal rows and in the order of their codes."""
    if matrix.shape[1] and radix ** matrix.shape[1] < _SHORT_KEY_SPAN:
        return _short_keys(matrix, radix)
    keys = np.zeros(len(matrix), dtype=np.int64)
    span = 1
    for column in matrix.T:
        if span * radix >= _KEY_SPAN:
            if _all_differ(keys):
                return keys
            found, keys = np.unique(keys, return_inverse=True)
            span = len(found)
        keys *= radix
        keys += column
        keys += 1
        span *= radix
    return keys


def _all_differ(keys: Integers) -> bool:
    ordered = np.sort(keys)
    return bool((ordered[1:] != ordered[:-1]).all())


def _short_keys(matrix: NDArray[np.int32], radix: int) -> NDArray[Any]:
    """The same in the fewest bytes that hold the largest key: what overflows on the way comes back at the end."""
    short = np.min_scalar_type(radix ** matrix.shape[1]).type
    keys = matrix[:, 0].astype(short)
    for column in matrix.T[1:]:
        keys *= short(radix)
        keys += column.astype(short)
    keys += short(sum(radix**place for place in range(matrix.shape[1])))
    return keys


def _runs(ordered: NDArray[Any]) -> tuple[Integers, Integers]:
    """Where each run of equal numbers starts, and how long it is."""
    if not len(ordered):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    new = np.ones(len(ordered) + 1, dtype=bool)  # one more start at the end
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:-1])
    starts = np.flatnonzero(new)
    return starts[:-1], starts[1:] - starts[:-1]


def value_counts(codes: NDArray[np.int32], values: int) -> Integers:
    """How often each value occurs in each row of codes."""
    rows, columns = np.nonzero(codes >= 0)
    cell = rows * values + codes[rows, columns]
    return np.bincount(cell, minlength=len(codes) * values).reshape(len(codes), values).astype(np.int64)


def _marginals_of(patterns: Patterns, values: int) -> Integers:
    """How often each rater gave each value, (raters, values)."""
    rows = [np.bincount(column + 1, weights=patterns.multiplicity, minlength=values + 1) for column in patterns.codes.T]
    return np.array(rows)[:, 1:].astype(np.int64)


def distinct(rows: Integers, multiplicity: Integers) -> tuple[Integers, Integers]:
    """Equal rows once, in order, with their multiplicities added up."""
    if not len(rows):
        return rows, multiplicity
    radix = int(rows.max()) + 1
    keys = _keys(rows.astype(np.int32) - 1, radix)
    order = np.argsort(keys)
    starts, _ = _runs(keys[order])
    return rows[order[starts]], np.add.reduceat(multiplicity[order], starts)


def moments_once(columns: Sequence[NDArray[Any]], multiplicity: Integers) -> ItemMoments:
    """Items with the same number, sum and sum of squares, once; ``columns`` are these three."""
    order = np.lexsort(tuple(columns[::-1]))
    ordered = [column[order] for column in columns]
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in ordered], axis=0)
    starts = np.flatnonzero(new)
    ratings, total, squares = (column[starts] for column in ordered)
    return ItemMoments(ratings.astype(np.int64), total, squares, np.add.reduceat(multiplicity[order], starts))
