"""Correlations of the same units under many weights at once: what a bootstrap of a correlation is made of."""

from collections.abc import Callable

import numpy as np

from accord.arrays import Floats
from accord.noise import ranked

__all__ = ["KINDS", "weighted_correlation"]

KINDS = ("pearson", "spearman", "kendall")
_CHUNK_CELLS = 4_000_000


def weighted_correlation(kind: str, x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """A function from weights (replicates, units) to the correlation under each row of them.

    A unit of weight 2 stands for two equal ones, as in a bootstrap. Where x or y does not vary, or no weight is
    left, the correlation is nan.
    """
    if kind == "pearson":
        return lambda weights: _pearson(x, y, weights)
    if kind == "spearman":
        ranks = _ranker(x), _ranker(y)
        return lambda weights: _pearson(ranks[0](weights), ranks[1](weights), weights)
    return _kendall(x, y)


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """x and y are (units,) or (replicates, units)."""
    total = weights.sum(axis=1, keepdims=True)
    share = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    # Equal values leave no trace of rounding once they are 0.
    x, y = (side - side[..., :1] for side in (x, y))
    x, y = (side - (share * side).sum(axis=1, keepdims=True) for side in (x, y))
    spread_x, spread_y = ((share * np.square(side)).sum(axis=1) for side in (x, y))
    product = (share * x * y).sum(axis=1)
    return _ratio(product, spread_x, spread_y)


def _ratio(top: Floats, one: Floats, other: Floats) -> Floats:
    # Rounding leaves a trace of variance where there is none.
    below = np.sqrt(one * other)
    known = (one > 1e-12 * max(one.max(initial=0.0), 1e-300)) & (other > 1e-12 * max(other.max(initial=0.0), 1e-300))
    value: Floats = np.divide(top, below, out=np.full(len(top), np.nan), where=known & (below > 0))
    return np.clip(value, -1.0, 1.0)


def _ranker(values: Floats) -> Callable[[Floats], Floats]:
    """Mid-ranks of the values when each counts as often as its weight."""
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(ranked(values)[order]) > 0])
    group = np.empty(len(values), dtype=np.int64)
    group[order] = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(values)]))

    def ranks(weights: Floats) -> Floats:
        sizes = np.add.reduceat(weights[:, order], starts, axis=1)
        middle: Floats = sizes.cumsum(axis=1) - sizes / 2
        return middle[:, group]

    return ranks


def _kendall(x: Floats, y: Floats) -> Callable[[Floats], Floats]:
    """τ-b: every two units, counted as often as the product of their weights."""
    step = max(1, _CHUNK_CELLS // len(x))

    def of(weights: Floats) -> Floats:
        sums = np.zeros((3, len(weights)))
        for start in range(0, len(x), step):
            rows = slice(start, start + step)
            apart_x, apart_y = (np.sign(side[rows, None] - side) for side in (x, y))
            for at, pairs in enumerate((apart_x * apart_y, np.abs(apart_x), np.abs(apart_y))):
                sums[at] += ((weights[:, rows] @ pairs) * weights).sum(axis=1)
        return _ratio(*sums)

    return of
