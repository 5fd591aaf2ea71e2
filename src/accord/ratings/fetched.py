"""Columns that an engine fetched, as the counts they hold."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from accord.arrays import Floats, Integers
from accord.errors import NotEnoughDataError
from accord.ratings.counts import ItemMoments, ItemValueCounts

__all__ = [
    "MOST_CELLS",
    "cells",
    "floats_of",
    "integers",
    "integers_of",
    "is_own_number",
    "moments_of",
    "moments_once",
    "stacked",
]

MOST_CELLS = 200_000_000
"""Counts are fetched while patterns x values stay below this; beyond it items hardly repeat."""


def is_own_number(raw: Any, number: float) -> bool:
    """Whether a raw cell is spelled as the number it stands for."""
    try:
        return float(raw) == number
    except (TypeError, ValueError):
        return False


def integers(column: Any) -> Integers:
    """A column of whole numbers."""
    return np.asarray(column, dtype=np.int64)


def _floats(column: Any) -> Floats:
    """A column of numbers, nan where empty."""
    return np.ma.filled(np.ma.asarray(column, dtype=np.float64), nan)


def integers_of(parts: Sequence[Mapping[str, Any]], name: str) -> Integers:
    """A column of whole numbers of all parts."""
    return np.concatenate([integers(part[name]) for part in parts])


def floats_of(parts: Sequence[Mapping[str, Any]], name: str) -> Floats:
    """A column of numbers of all parts, nan where empty."""
    return np.concatenate([_floats(part[name]) for part in parts])


def cells(column: Any) -> list[Any]:
    """A column as a list."""
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def stacked(
    parts: Sequence[Mapping[str, Any]], names: Sequence[str], times: str = "multiplicity"
) -> tuple[Integers, Integers]:
    """The counts of all buckets under each other, refused where they would not fit."""
    rows = sum(len(part[times]) for part in parts)
    if rows * len(names) > MOST_CELLS:
        raise NotEnoughDataError(
            f"The items fall into {rows:,} patterns of {len(names)} counts: they hardly repeat, so counting saves "
            "nothing. Choose coefficients for interval data, which need three sums an item only."
        )
    return np.stack([integers_of(parts, name) for name in names], axis=1), integers_of(parts, times)


def moments_of(table: ItemValueCounts, numbers: Any) -> ItemMoments:
    """Moments follow from the value counts: no second pass over the data."""
    columns = [table.counts.sum(axis=1), table.counts @ numbers, table.counts @ (numbers * numbers)]
    return moments_once([np.asarray(column, dtype=np.float64) for column in columns], table.multiplicity)


def moments_once(columns: Sequence[Any], multiplicity: Integers) -> ItemMoments:
    order = np.lexsort(columns[::-1])
    sorted_columns = [column[order] for column in columns]
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in sorted_columns], axis=0)
    starts = np.flatnonzero(new)
    ratings, total, squares = (column[starts] for column in sorted_columns)
    return ItemMoments(ratings.astype(np.int64), total, squares, np.add.reduceat(multiplicity[order], starts))
