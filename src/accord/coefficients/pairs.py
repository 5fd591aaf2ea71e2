"""Coefficients of two raters: the value of each pair, the mean over pairs, and both without an item."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import field
from functools import partial
from typing import ClassVar

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers
from accord.coefficients import blocks
from accord.coefficients.batch import divided, total
from accord.coefficients.coefficient import DEFAULTS, Analytic, Coefficient, Estimated, Sums, Values, bounded
from accord.coefficients.features import Block, View
from accord.coefficients.left_out import looked_up, mean_without, tables_without
from accord.coefficients.options import Options
from accord.design.scale import Scale
from accord.errors import NotEnoughDataError
from accord.quantiles import median_of, ndtri
from accord.records import dataclass
from accord.tables.later import Later, Settles

__all__ = ["PairCoefficient", "PairValues", "TableValues", "pair_means"]

_CHUNK_CELLS = 1 << 20
_MEANS = ("observed", "expected")
"""Parts of which a mean over pairs has the mean; of others, such as concordant pairs of items, it has the sum."""


@dataclass(frozen=True)
class PairValues(Settles):
    """One value for each pair of raters that share an item; ``pairs`` holds the two raters' places.

    ``error`` is a standard error, on Fisher's z for correlations (``on_z``); nan where none is known. It is made when
    somebody asks, as a mean over pairs needs none.
    """

    pairs: Integers
    items: Integers
    value: Floats
    error: Later[Floats] = Later()
    parts: Values = field(default_factory=dict)
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

        reach = float(ndtri(1 - (1 - confidence) / 2)) * self.error
        if not self.on_z:
            return np.maximum(self.value - reach, -1.0), np.minimum(self.value + reach, 1.0)
        middle = np.arctanh(np.where(np.abs(self.value) < 1, self.value, np.nan))
        return np.tanh(middle - reach), np.tanh(middle + reach)

    def mean(self) -> dict[str, float]:
        """The mean over the pairs that have a value, with its parts."""
        undefined = np.isnan(self.value)
        missing = int(np.count_nonzero(undefined))
        found = {
            "value": float(pair_means(self.value)),
            "pairs": float(len(undefined) - missing),
            "undefined_pairs": float(missing),
        }
        if len(self.items) > 1:
            found["median_shared_items"] = median_of(self.items)
        for name, part in self.parts.items():
            known = np.where(undefined, np.nan, part) if missing else part
            found[name] = float(pair_means(known)) if name in _MEANS else float(part.sum())
        return found


def pair_means(values: Floats) -> Floats:
    """Mean over the pairs (last axis) for which the coefficient is defined; nan if there is none."""
    defined = ~np.isnan(values)
    if defined.all() and values.shape[-1]:
        return np.asarray(total(values) / values.shape[-1])
    return divided(total(np.where(defined, values, 0.0)), total(defined.astype(np.float64)))


@dataclass(frozen=True)
class TableValues(Settles):
    """What contingency tables give: a value for each, its parts by name, and a standard error (nan where none is).

    The error is an array, or a function that gives it when somebody asks.
    """

    value: Floats
    error: Later[Floats] = Later()
    parts: Values = field(default_factory=dict)


class PairCoefficient(Coefficient):
    """A coefficient of two raters: :meth:`of_pair_table` is all that must be told.

    With more than two raters it is the mean over the pairs that have a value. ``method`` says in words how the interval
    of a single pair is made from its standard error, ``on_z`` that this error is one of Fisher's z.
    """

    method: ClassVar[str] = ""
    on_z: ClassVar[bool] = False
    leaves_out: ClassVar[bool] = True

    @abstractmethod
    def of_pair_table(self, tables: Floats | Integers, scale: Scale, options: Options = DEFAULTS) -> TableValues:
        """The values of contingency tables (..., values, values): one table, all pairs, or all pairs of replicates."""

    def values_of_tables(self, tables: Floats, scale: Scale, options: Options = DEFAULTS) -> Floats:
        """The values alone, for resampling; override where they cost less than with their parts and errors."""
        return self.of_pair_table(tables, scale, options).value

    def without_item_of_table(self, tables: Floats, scale: Scale, options: Options = DEFAULTS) -> Floats:
        """The value of a table without an item of each of its cells, in the shape of the tables.

        The general way copies a table for each cell that has an item; override it where there is a closed form.
        """
        values = tables.shape[-1]
        flat = tables.reshape(-1, values**2)
        found, cells = np.full(flat.size, np.nan), np.flatnonzero(flat)
        step = max(1, _CHUNK_CELLS // max(values**2, 1))
        for start in range(0, len(cells), step):
            chunk = cells[start : start + step]
            which, cell = np.divmod(chunk, values**2)
            fewer = flat[which].astype(np.float64)
            fewer[np.arange(len(which)), cell] -= 1
            found[chunk] = self.values_of_tables(fewer.reshape(-1, values, values), scale, options)
        return found.reshape(tables.shape)

    def of_pairs(self, view: View, options: Options = DEFAULTS) -> PairValues:
        """Every pair of raters that share an item."""
        counted = view.pair_tables
        tables = counted.tables.astype(np.float64)
        found = self.of_pair_table(tables, view.scale, options)
        items = np.asarray(tables.sum(axis=(-2, -1)), dtype=np.int64)
        return PairValues(counted.pairs, items, found.value, lambda: found.error, found.parts, self.on_z)

    def of_view(self, view: View, options: Options = DEFAULTS) -> dict[str, float]:
        return self.of_pairs(view, options).mean()

    def estimate(self, view: View, confidence: float, options: Options = DEFAULTS) -> Estimated:
        """For a single pair its own error and interval; a mean over pairs has no analytic one."""
        found = self.of_pairs(view, options)
        mean = found.mean()
        if len(found.value) != 1:
            return mean, Analytic
        mean["items"] = float(found.items[0])
        return mean, partial(self._analytic_of_pair, found, confidence)

    def _analytic_of_pair(self, found: PairValues, confidence: float) -> Analytic:
        value, error = float(found.value[0]), float(found.error[0])
        if not self.method or np.isnan(value + error):
            return Analytic()
        low, high = (float(end[0]) for end in found.limits(confidence))
        on_own_scale = (1 - value**2) * error if self.on_z else error
        return Analytic(on_own_scale, bounded(low, high, confidence, self.method))

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        if not sizes.fits(blocks.PAIR_TABLES.width(view), len(view.codes)):
            raise NotEnoughDataError(
                f"{len(view.pairs[0]):,} pairs of raters on {view.values:,} different values and {len(view.codes):,} "
                "different items are too many tables to resample."
            )
        return (blocks.PAIR_TABLES,)

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        tables = sums[blocks.PAIR_TABLES]
        tables = tables.reshape(len(tables), len(view.pairs[0]), view.values, view.values)
        return pair_means(self.values_of_tables(tables, view.scale, options))

    def without_item(self, view: View, options: Options = DEFAULTS) -> Floats | None:
        counted = view.pair_tables
        whole, cells = np.empty(len(counted.tables)), np.empty(counted.tables.shape)
        for rows in _chunks(counted.tables):
            tables = counted.tables[rows].astype(np.float64)
            whole[rows] = self.values_of_tables(tables, view.scale, options)
            cells[rows] = self.without_item_of_table(tables, view.scale, options)
        return mean_without(view, counted.pairs, whole, looked_up(cells))

    def without_units(self, view: View, unit: Integers, options: Options = DEFAULTS) -> Floats | None:
        """The value without the patterns of each unit, ``unit`` being that of each pattern; None where it is too much.

        All coefficients with intervals of 139 documents, 5,556 items by 10 raters on three criteria: 3 s, with the
        ratings counted anew without each document 36 s.
        """
        counted = view.pair_tables
        if not len(counted.pairs):
            return None
        parts = tables_without(view, counted.pairs, counted.tables, unit)
        return np.concatenate([pair_means(self.values_of_tables(tables, view.scale, options)) for tables in parts])


def _chunks(tables: Integers) -> Iterator[slice]:
    step = max(1, _CHUNK_CELLS // max(tables.shape[-1] ** 2, 1))
    return (slice(start, start + step) for start in range(0, len(tables), step))
