"""Numbers a pair of raters summed for each item, without a table of patterns x pairs x values.

An item changes the tables of those pairs only whose both raters rated it, and each of them by one cell. So what a pair
loses with an item is known once for each cell, and the sum over pairs is put together pattern by pattern.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers, distinct, every_pair
from accord.coefficients.batch import divided
from accord.coefficients.features import View

__all__ = ["CellNumber", "cells_met", "looked_up", "mean_without", "sum_over_pairs", "tables_without"]

_CHUNK_CELLS = 1 << 20
_CHUNK_ROWS = 1 << 14
_BLOCKS = 4

CellNumber = Callable[[Integers | int, Integers, Integers], Floats]
"""A number for each (pair, value of the one, value of the other)."""


def looked_up(cells: Floats) -> CellNumber:
    """The numbers of (pairs, values, values) by their place."""
    values, flat = cells.shape[-1], cells.ravel()
    return lambda pair, one, other: flat[(pair * values + one) * values + other]


def mean_without(view: View, pairs: Integers, whole: Floats, without: CellNumber) -> Floats:
    """The mean over pairs without an item of each pattern, nan where no pair has a value then.

    ``whole`` is the value of each pair, ``without`` its value when it loses an item of a cell.
    """
    defined = ~np.isnan(whole)
    known = np.where(defined, whole, 0.0)

    def changed(pair: Integers, one: Integers, other: Integers) -> tuple[Floats, Floats | None]:
        """By how much the sum of the values changes, and their number if it does."""
        left = without(pair, one, other)
        undefined = np.isnan(left)
        if not undefined.any() and defined.all():
            return left - known[pair], None
        return np.where(undefined, 0.0, left) - known[pair], ~defined[pair] - undefined.astype(np.float64)

    value, number = _over_pairs(view, pairs, changed)
    return divided(known.sum() + value, defined.sum() + number)


def sum_over_pairs(view: View, pairs: Integers, number: CellNumber) -> Floats:
    """For each pattern the sum over the pairs of raters that both rated it."""
    return _over_pairs(view, pairs, lambda *cell: (number(*cell), None))[0]


def tables_without(view: View, pairs: Integers, tables: Integers, unit: Integers) -> Iterator[Floats]:
    """(units, pairs, values, values): the tables without the patterns of each unit, some units at a time.

    ``unit`` is the unit of each pattern; what a unit takes from the tables is few cells, so no table is counted anew.
    """
    size, units = max(tables.size, 1), int(unit.max(initial=-1)) + 1
    owner, place, times = cells_met(view, pairs, unit)
    step = max(1, _CHUNK_CELLS // size)
    for start in range(0, units, step):
        number = min(step, units - start)
        low, high = np.searchsorted(owner, (start, start + number))
        taken = np.bincount((owner[low:high] - start) * size + place[low:high], times[low:high], number * size)
        yield tables.astype(np.float64) - taken.reshape(number, *tables.shape)


def cells_met(view: View, pairs: Integers, unit: Integers) -> tuple[Integers, Integers, Floats]:
    """Of each meeting of two raters, in the order of units: unit, cell in the tables of all pairs, how often."""
    found = [
        (unit[rows], (pair * view.values + one) * view.values + other, view.times[rows])
        for rows, pair, one, other in _meetings(view, pairs)
    ]
    owner, place, times = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(owner, kind="stable")
    return owner[order], place[order], times[order]


def _over_pairs(
    view: View, pairs: Integers, numbers: Callable[..., tuple[Floats, Floats | None]]
) -> tuple[Floats, Floats]:
    """The sums of two numbers; the second one is None where it is 0 for all that was asked about."""
    width, met = view.raters * view.values, float(view.per_item @ (view.per_item - 1)) / 2
    if sizes.is_dense(len(view.codes), width, met):
        one, other = numbers(*np.indices((len(pairs), view.values, view.values)).reshape(3, -1))
        return _by_product(view, pairs, one), _by_product(view, pairs, np.zeros(1) if other is None else other)
    sums, counts = np.zeros(len(view.codes)), np.zeros(len(view.codes))
    for rows, *cell in _meetings(view, pairs):
        value, count = numbers(*cell)
        sums[rows] += value
        if count is not None:
            counts[rows] += count
    return sums, counts


def _by_product(view: View, pairs: Integers, numbers: Floats) -> Floats:
    r"""The same as a quadratic form: the sum over pairs of a number a cell is :math:`x' S x`, x the values given."""
    if not numbers.any():
        return np.zeros(len(view.codes))
    values, (first, second) = view.values, pairs.T
    square = np.zeros((view.raters, values, view.raters, values))
    square[first, :, second, :] = numbers.reshape(len(pairs), values, values)
    return _forms(view, square.reshape(view.raters * values, -1))


def _forms(view: View, square: Floats) -> Floats:
    """x' S x of each pattern; S has nothing below the diagonal, so blocks of it are left out."""
    forms = np.zeros(len(view.codes))
    step = max(1, _CHUNK_CELLS // max(len(square), 1))
    ends = np.linspace(0, view.raters, min(_BLOCKS, view.raters) + 1).astype(int) * view.values
    for start in range(0, len(view.codes), step):
        codes = view.codes[start : start + step]
        given: Floats = (codes[:, :, None] == np.arange(view.values)).reshape(len(codes), -1).astype(np.float64)
        for low, high in pairwise(ends):
            toward = given[:, low:high] @ square[low:high, low:]
            forms[start : start + step] += np.einsum("pc,pc->p", toward, given[:, low:])
    return forms


_Meeting = tuple[Integers | slice, Integers | int, Integers, Integers]
"""Patterns in which two raters meet, at most one pair of each: the pair's place and the two values given."""


def _meetings(view: View, pairs: Integers) -> Iterator[_Meeting]:
    """All meetings of two raters, some thousand patterns at a time."""
    if view.is_complete:
        columns = view.columns
        for pair, (first, second) in enumerate(pairs.tolist()):
            yield slice(None), pair, columns[first], columns[second]
        return
    place = np.full((view.raters, view.raters), -1, dtype=np.int64)
    place[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
    for ratings in distinct(view.per_item[view.per_item >= 2]).astype(int):
        alike = np.flatnonzero(view.per_item == ratings)
        for start in range(0, len(alike), _CHUNK_ROWS):
            rows = alike[start : start + _CHUNK_ROWS]
            raters, values = (part[rows, :ratings].astype(np.int64) for part in view.slots)
            for first, second in zip(*every_pair(ratings), strict=True):
                yield rows, place[raters[:, first], raters[:, second]], values[:, first], values[:, second]
