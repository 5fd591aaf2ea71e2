"""Sums over the last, short axis of many small tables, as products of matrices: several times faster than loops."""

from functools import lru_cache

import numpy as np

from accord.arrays import Floats
from accord.sizes import SHORT

__all__ = ["applied", "divided", "mid_ranks", "quadratic", "stands_by_column", "total", "weighed"]


def stands_by_column(array: Floats) -> bool:
    """Whether the first axis is that of many replicates, which lie side by side in memory.

    Sums over the other axes then run along whole columns: 12 coefficients of 5,000 replicates take 45 instead of 85 ms.
    """
    return array.ndim > 1 and len(array) > SHORT and array.strides[0] == array.itemsize


def divided(top: Floats, bottom: Floats) -> Floats:
    """A quotient that is nan where there is nothing to divide by."""
    top, bottom = np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
    if bottom.all():  # nearly always, and several times faster than asking place by place
        return np.asarray(top / bottom)
    out = np.full(np.broadcast_shapes(top.shape, bottom.shape), np.nan)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def total(array: Floats) -> Floats:
    """The sum over the last axis."""
    width = array.shape[-1]
    if array.ndim == 1 or width > SHORT or stands_by_column(array):
        return np.asarray(array.sum(axis=-1))
    if array.ndim == 2:
        return np.asarray(array @ _ones(width))
    return (array.reshape(-1, width) @ _ones(width)).reshape(array.shape[:-1])


@lru_cache(maxsize=SHORT + 1)
def _ones(width: int) -> Floats:
    return np.ones(width)


def applied(array: Floats, matrix: Floats) -> Floats:
    """Every row of the last axis times the matrix; what stands by column stays so."""
    width = array.shape[-1]
    if stands_by_column(array):
        first_last = (*range(1, array.ndim), 0)
        return np.asarray(np.matmul(matrix.T, array.transpose(first_last)).transpose(-1, *range(array.ndim - 1)))
    if array.ndim == 2:
        return np.asarray(array @ matrix)
    return (array.reshape(-1, width) @ matrix).reshape(*array.shape[:-1], matrix.shape[1])


def weighed(tables: Floats, weights: Floats) -> Floats:
    """The sum of the cells of each table (..., values, values), each times its weight."""
    return np.asarray(tables.reshape(*tables.shape[:-2], weights.size) @ weights.ravel())


def quadratic(one: Floats, matrix: Floats, other: Floats) -> Floats:
    """one' M other, for every row of the last axis."""
    return total(applied(one, matrix) * other)


def mid_ranks(marginals: Floats) -> Floats:
    """Number of ratings below each value plus half of those at it."""
    values = marginals.shape[-1]
    if marginals.ndim == 1 or values > SHORT:
        return np.asarray(marginals.cumsum(axis=-1) - marginals / 2)
    return applied(marginals, _ranking(values))


@lru_cache(maxsize=SHORT)
def _ranking(values: int) -> Floats:
    return np.triu(np.ones((values, values)), 1) + np.eye(values) / 2
