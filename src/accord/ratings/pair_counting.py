"""Contingency tables of pairs of raters, counted from patterns."""

from collections.abc import Iterator

import numpy as np

from accord import sizes
from accord.arrays import Integers, distinct, every_pair
from accord.errors import NotEnoughDataError
from accord.ratings.counts import PairTables, Patterns

__all__ = ["pair_tables", "pair_tables_in_parts"]

_CHUNK_CELLS = 4_000_000
"""What is laid out at a time, to bound the memory."""
_CACHED = 1 << 14
"""What is counted at a time, so that it stays in the processor's cache: 25 raters x 100 items x 5 values take 0.2 ms
instead of 1.0, 30 x 1,000 x 11 values 1.8 instead of 9.6."""


def pair_tables(patterns: Patterns, values: int) -> PairTables:
    """Contingency tables of all pairs of raters that share an item, in order of the raters."""
    raters = patterns.codes.shape[1]
    first, second = every_pair(raters)
    if not sizes.pair_tables_fit(len(first), values):
        raise NotEnoughDataError(
            f"{len(first):,} pairs of raters on {values:,} different values make tables too large and too empty "
            "to compare. Treat the values as an interval scale and use icc_a1, lin_ccc or krippendorff_alpha."
        )
    possible = len(first) * len(patterns.codes)
    if sizes.meet_rarely(_meetings(patterns), possible):
        return _tables_by_meeting(patterns, values)
    if sizes.pairs_are_multiplied(raters, values, possible):
        tables = _tables_by_product(patterns, values)[first, :, second, :]
    else:
        tables = _tables_by_count(patterns, values, first, second)
    shared = tables.any(axis=(1, 2))
    return PairTables(np.stack((first, second), axis=1)[shared].astype(np.int64), tables[shared])


def pair_tables_in_parts(patterns: Patterns, values: int) -> Iterator[PairTables]:
    """The same tables, some pairs at a time where all of them would be too large."""
    first, second = every_pair(patterns.codes.shape[1])
    if sizes.pair_tables_fit(len(first), values):
        yield pair_tables(patterns, values)
        return
    step = max(1, _CHUNK_CELLS // max(len(patterns.codes), values**2))
    for start in range(0, len(first), step):
        here = slice(start, start + step)
        tables = _tables_by_count(patterns, values, first[here], second[here])
        shared = tables.any(axis=(1, 2))
        yield PairTables(np.stack((first[here], second[here]), axis=1)[shared].astype(np.int64), tables[shared])


def _tables_by_count(patterns: Patterns, values: int, first: Integers, second: Integers) -> Integers:
    """Some pairs at a time in one count of (pair, value, value); a last place takes what is not rated by both."""
    columns, weights = np.ascontiguousarray(patterns.codes.T), None
    if (patterns.multiplicity != 1).any():
        if patterns.multiplicity.sum() <= 2 * len(patterns.multiplicity):  # then to repeat is cheaper than to weigh
            columns = np.repeat(columns, patterns.multiplicity, axis=1)
        else:
            weights = patterns.multiplicity.astype(np.float64)
    has_gaps, tables = bool((columns < 0).any()), np.empty((len(first), values**2), dtype=np.int64)
    step = max(1, _CACHED // max(columns.shape[1], values**2, 1))
    for start in range(0, len(first), step):
        one, other = columns[first[start : start + step]], columns[second[start : start + step]]
        joint, cells = one * np.int32(values), len(one) * values**2
        joint += other
        joint += (np.arange(len(one), dtype=np.int32) * np.int32(values**2))[:, None]
        if has_gaps:
            joint[(one < 0) | (other < 0)] = cells
        each = None if weights is None else np.tile(weights, len(one))
        found = np.bincount(joint.ravel(), weights=each, minlength=cells + 1)
        tables[start : start + step] = found[:cells].reshape(-1, values**2)
    return tables.reshape(-1, values, values)


def _tables_by_product(patterns: Patterns, values: int) -> Integers:
    """(raters, values, raters, values): how often a value of one rater meets a value of another."""
    raters = patterns.codes.shape[1]
    width = raters * values
    product = np.zeros((width, width))
    step = max(1, _CHUNK_CELLS // max(width, 1))
    for start in range(0, len(patterns.codes), step):
        codes, weight = patterns.codes[start : start + step], patterns.multiplicity[start : start + step]
        chosen = (codes[:, :, None] == np.arange(values)).reshape(len(codes), width).astype(np.float64)
        product += (chosen * weight[:, None]).T @ chosen
    return product.astype(np.int64).reshape(raters, values, raters, values)


def _meetings(patterns: Patterns) -> int:
    """How often two raters meet on a pattern."""
    per_item = (patterns.codes >= 0).sum(axis=1)
    return int((per_item * (per_item - 1) // 2).sum())


def _tables_by_meeting(patterns: Patterns, values: int) -> PairTables:
    """The same where each item has few of the raters: only pairs that met on an item are looked at."""
    raters = patterns.codes.shape[1]
    per_item = np.count_nonzero(patterns.codes >= 0, axis=1)
    met, cells, weights = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for ratings in distinct(per_item[per_item >= 2]):
        rows = np.flatnonzero(per_item == ratings)
        codes = patterns.codes[rows]
        who = np.nonzero(codes >= 0)[1].reshape(len(rows), ratings)
        what = np.take_along_axis(codes, who, axis=1).astype(np.int64)
        for one, other in zip(*every_pair(ratings), strict=True):
            met.append(who[:, one] * raters + who[:, other])
            cells.append(what[:, one] * values + what[:, other])
            weights.append(patterns.multiplicity[rows])
    pairs, place = np.unique(np.concatenate(met), return_inverse=True)
    cell = place * values**2 + np.concatenate(cells)
    found = np.bincount(cell, weights=np.concatenate(weights), minlength=len(pairs) * values**2)
    both = np.stack(np.divmod(pairs, raters), axis=1).astype(np.int64)
    return PairTables(both, found.astype(np.int64).reshape(-1, values, values))
