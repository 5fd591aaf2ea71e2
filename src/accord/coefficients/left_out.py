"""Numbers a pair of raters summed for each item, without a table of patterns x pairs x values.

An item changes the tables of those pairs only whose both raters rated it, and each of them by one cell. So what a pair
loses with an item is known once for each cell, and the sum over pairs is put together pattern by pattern.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers
from accord.coefficients.batch import divided
from accord.coefficients.features import View

__all__ = ["CellNumber", "looked_up", "mean_without", "sum_over_pairs"]

_CHUNK_CELLS = 1 << 20
_CHUNK_ROWS = 1 << 14
_BLOCKS = 4

CellNumber = Callable[[Integers, Integers, Integers], Floats]
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

    def value(pair: Integers, one: Integers, other: Integers) -> Floats:
        left = without(pair, one, other)
        return np.where(np.isnan(left), 0.0, left) - known[pair]

    def number(pair: Integers, one: Integers, other: Integers) -> Floats:
        return np.asarray(~defined[pair] - np.isnan(without(pair, one, other)).astype(np.float64))

    return divided(
        known.sum() + sum_over_pairs(view, pairs, value), defined.sum() + sum_over_pairs(view, pairs, number)
    )


def sum_over_pairs(view: View, pairs: Integers, number: CellNumber) -> Floats:
    """For each pattern the sum over the pairs of raters that both rated it."""
    width, met = view.raters * view.values, float(view.per_item @ (view.per_item - 1)) / 2
    if sizes.is_dense(len(view.codes), width, met):
        return _by_product(view, pairs, number)
    sums = np.zeros(len(view.codes))
    for at in _meetings(view, pairs):
        sums[at.rows] += number(at.pair, at.one, at.other)
    return sums


def _by_product(view: View, pairs: Integers, number: CellNumber) -> Floats:
    r"""The same as a quadratic form: the sum over pairs of a number a cell is :math:`x' S x`, x the values given."""
    values, (first, second) = view.values, pairs.T
    numbers = number(*np.indices((len(pairs), values, values)).reshape(3, -1))
    if not numbers.any():
        return np.zeros(len(view.codes))
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


class _Meetings(NamedTuple):
    """Patterns in which two raters meet, at most one pair of each: the pair's place and the two values given."""

    rows: Integers
    pair: Integers
    one: Integers
    other: Integers


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
