"""How one rater orders the items of many replicates, from how often each value is drawn."""

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients.features import View

__all__ = ["exact_kind", "of_each_rater", "rank_sums", "untied"]

_EXACT_IN_HALF = 1 << 24
"""Whole numbers up to this are exact in 32 bits."""


def exact_kind(weights: Floats) -> type[np.floating[Any]]:
    """Numbers of half the size, multiplied in half the time, where no sum of the weights needs more digits."""
    is_small = weights.sum(axis=1).max(initial=0) < _EXACT_IN_HALF
    return np.float32 if is_small and (weights == np.rint(weights)).all() else np.float64


def of_each_rater(
    view: View, weights: Floats, make: Callable[[Floats, Integers], Floats]
) -> Callable[[int, Integers], Floats]:
    """What is made of a rater on the patterns of a pair: where all rated all, the same in every pair.

    ``make`` gets how often each value is drawn, (replicates, values) in their order, and the value of each pattern.
    """
    known: dict[int, Floats] = {}

    def made(rater: int, rows: Integers) -> Floats:
        if rater in known:
            return known[rater]
        used, code = np.unique(view.codes[rows, rater], return_inverse=True)
        order = np.argsort(code, kind="stable")
        starts = np.searchsorted(code[order], np.arange(len(used)))
        counts = np.add.reduceat(weights[:, rows[order]], starts, axis=1) if len(used) else np.zeros((len(weights), 1))
        found = make(counts, code)
        if view.is_complete:
            known[rater] = found
        return found

    return made


def untied(counts: Floats, _: Integers) -> Floats:
    """Pairs of items to which the rater gives different values."""
    return np.asarray((counts * (counts.sum(axis=1, keepdims=True) - counts)).sum(axis=1) / 2)


def rank_sums(counts: Floats, code: Integers) -> Floats:
    """At each pattern, how many items the rater puts below less how many above: twice the mid-rank, centred."""
    up_to = counts.cumsum(axis=1)
    return np.asarray((2 * up_to - counts - up_to[:, -1:])[:, code])
