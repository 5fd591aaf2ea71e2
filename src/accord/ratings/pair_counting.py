"""Contingency tables of pairs of raters, counted from patterns."""

import numpy as np

from accord.arrays import Integers
from accord.errors import NotEnoughDataError
from accord.ratings.counts import PairTables, Patterns

__all__ = ["FEW_MEETINGS", "pair_tables"]

_TABLE_CELLS = 30_000_000
FEW_MEETINGS = 300_000
_MOST_MEETINGS = 20_000_000
_SPARSE_MEETINGS = 4


def pair_tables(patterns: Patterns, values: int) -> PairTables:
    """Contingency tables of all pairs of raters that share an item, in order of the raters."""
    raters = patterns.codes.shape[1]
    first, second = np.triu_indices(raters, 1)
    if len(first) * values**2 > _TABLE_CELLS:
        raise NotEnoughDataError(
            f"{len(first):,} pairs of raters on {values:,} different values make tables too large and too empty "
            "to compare. Treat the values as an interval scale and use icc_a1, lin_ccc or krippendorff_alpha."
        )
    if len(first) * len(patterns.codes) <= FEW_MEETINGS and len(first) * values**2 <= FEW_MEETINGS:
        tables = _tables_of_few(patterns, values, first, second)
    elif _meetings(patterns) <= min(len(first) * len(patterns.codes) // _SPARSE_MEETINGS, _MOST_MEETINGS):
        return _tables_by_meeting(patterns, values)
    elif raters * values <= 512:
        tables = _tables_by_product(patterns, values)[first, :, second, :]
    else:
        tables = _tables_by_counting(patterns, values, first, second)
    shared = tables.any(axis=(1, 2))
    return PairTables(np.stack((first, second), axis=1)[shared].astype(np.int64), tables[shared])


def _tables_of_few(patterns: Patterns, values: int, first: Integers, second: Integers) -> Integers:
    """All pairs in one count of (pair, value, value); the last place takes what is not rated by both."""
    columns = patterns.codes.T
    joint = columns[first] * np.int32(values) + columns[second]
    joint += (np.arange(len(first), dtype=np.int32) * values**2)[:, None]
    cells = len(first) * values**2
    if (patterns.codes < 0).any():
        joint[(columns[first] < 0) | (columns[second] < 0)] = cells
    weights = None
    if (patterns.multiplicity != 1).any():
        weights = np.broadcast_to(patterns.multiplicity, joint.shape).ravel()
    found = np.bincount(joint.ravel(), weights=weights, minlength=cells + 1)
    return found[:cells].astype(np.int64).reshape(-1, values, values)


def _tables_by_product(patterns: Patterns, values: int) -> Integers:
    """(raters, values, raters, values): how often a value of one rater meets a value of another."""
    raters = patterns.codes.shape[1]
    width = raters * values
    product = np.zeros((width, width))
    step = max(1, 4_000_000 // max(width, 1))
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
    for ratings in np.unique(per_item[per_item >= 2]):
        rows = np.flatnonzero(per_item == ratings)
        codes = patterns.codes[rows]
        who = np.nonzero(codes >= 0)[1].reshape(len(rows), ratings)
        what = np.take_along_axis(codes, who, axis=1).astype(np.int64)
        for one, other in zip(*np.triu_indices(ratings, 1), strict=True):
            met.append(who[:, one] * raters + who[:, other])
            cells.append(what[:, one] * values + what[:, other])
            weights.append(patterns.multiplicity[rows])
    pairs, place = np.unique(np.concatenate(met), return_inverse=True)
    cell = place * values**2 + np.concatenate(cells)
    found = np.bincount(cell, weights=np.concatenate(weights), minlength=len(pairs) * values**2)
    both = np.stack(np.divmod(pairs, raters), axis=1).astype(np.int64)
    return PairTables(both, found.astype(np.int64).reshape(-1, values, values))


def _tables_by_counting(patterns: Patterns, values: int, first: Integers, second: Integers) -> Integers:
    """The same for many values: one count of joint codes a pair of raters."""
    tables = np.zeros((len(first), values * values), dtype=np.int64)
    columns = np.ascontiguousarray(patterns.codes.T).astype(np.int64)
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        both = (columns[one] >= 0) & (columns[other] >= 0)
        joint = columns[one][both] * values + columns[other][both]
        weights = patterns.multiplicity[both]
        tables[place] = np.bincount(joint, weights=weights, minlength=values * values).astype(np.int64)
    return tables.reshape(-1, values, values)
