r"""Kendall's W with each item left out, exactly, where values are few: products of matrices instead of pairs of raters.

With the sums of signs :math:`R_i = \sum_g \sum_j \mathrm{sgn}(x_{gi} - x_{gj})` (twice the centred rank sums) and
:math:`D_{ij} = \sum_g \mathrm{sgn}(x_{gj} - x_{gi})` leaving out item i changes

.. math:: \sum_j R_j^2 \to \sum_j R_j^2 - R_i^2 - 2 \sum_j R_j D_{ij} + \sum_j D_{ij}^2.

The third sum runs over raters one by one. The last is a quadratic form in the values that the item was given, whose
matrix is made of the tables of each rater with each.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.coefficients.batch import divided
from accord.ratings.counts import Patterns

__all__ = ["has_few_values", "w_left_out"]

_VALUES = 30
_WIDTH = 2_000
_CHUNK_CELLS = 1 << 20


def has_few_values(patterns: Patterns, values: int) -> bool:
    """Whether a table of all values of all raters with each other costs less than every pair of raters in turn."""
    raters: int = patterns.codes.shape[1]
    return values <= _VALUES and raters * values <= _WIDTH


def w_left_out(patterns: Patterns, values: int, value: float) -> Floats:
    """Kendall's W without an item of each pattern; only items that every rater rated count, others change nothing."""
    whole = (patterns.codes >= 0).all(axis=1)
    without = np.full(len(patterns.codes), value)
    if whole.any():
        without[whole] = _of_complete(patterns.codes[whole], patterns.multiplicity[whole].astype(np.float64), values)
    return without


def _of_complete(codes: NDArray[np.int32], times: Floats, values: int) -> Floats:
    raters, n = codes.shape[1], float(times.sum())
    tables = _tables(codes, times, values)
    counts = np.diagonal(tables).reshape(raters, values)
    below = counts.cumsum(axis=1)
    sums = _picked(2 * below - counts - n, codes)
    by_value = np.stack([np.bincount(column, weights=times * sums, minlength=values) for column in codes.T])
    lower = by_value.cumsum(axis=1)
    toward = _picked(lower[:, -1:] - 2 * lower + by_value, codes)
    squares = float(times @ np.square(sums)) - np.square(sums) - 2 * toward + _forms(codes, _signed(tables, values))
    ties = float(((counts**2 - 1) * counts).sum()) - 3 * _picked((counts - 1) * counts, codes)
    left = n - 1
    return divided(3 * squares, raters**2 * (left**3 - left) - raters * ties)


def _picked(table: Floats, codes: NDArray[np.int32]) -> Floats:
    """For each pattern the sum over raters of the table's number at (rater, value given)."""
    picked = np.zeros(len(codes))
    for row, column in zip(table, codes.T, strict=True):
        picked += row[column]
    return picked


def _tables(codes: NDArray[np.int32], times: Floats, values: int) -> Floats:
    """How often each value of each rater meets each value of each rater: (raters x values, raters x values)."""
    width = codes.shape[1] * values
    tables = np.zeros((width, width))
    for rows, given in _chosen(codes, values):
        tables += (given * times[rows, None]).T @ given
    return tables


def _signed(tables: Floats, values: int) -> Floats:
    """From how often values meet to how the items that have them lie to every two values: sums of signs."""
    place = np.arange(values)
    signs = np.sign(place[None, :] - place[:, None]).astype(np.float64)
    raters = len(tables) // values
    rows: Floats = np.einsum("ac,gcx->gax", signs, tables.reshape(raters, values, -1)).reshape(len(tables), -1)
    both: Floats = np.einsum("bd,xhd->xhb", signs, rows.reshape(-1, raters, values)).reshape(len(tables), -1)
    return both


def _forms(codes: NDArray[np.int32], square: Floats) -> Floats:
    """x' S x of each pattern, x the values given."""
    forms = np.empty(len(codes))
    for rows, given in _chosen(codes, len(square) // codes.shape[1]):
        forms[rows] = np.einsum("pc,pc->p", given @ square, given)
    return forms


def _chosen(codes: NDArray[np.int32], values: int) -> Iterator[tuple[slice, Floats]]:
    """Some patterns at a time: 1 for the value that each rater gave, (patterns, raters x values)."""
    step = max(1, _CHUNK_CELLS // (codes.shape[1] * values))
    for start in range(0, len(codes), step):
        rows = slice(start, start + step)
        yield rows, (codes[rows, :, None] == np.arange(values)).reshape(-1, codes.shape[1] * values).astype(np.float64)
