"""Columns that an engine fetched, as the counts they hold."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from accord.arrays import Floats, Integers
from accord.errors import NotEnoughDataError
from accord.ratings.counting import moments_once
from accord.ratings.counts import ItemMoments, ItemValueCounts, Patterns

__all__ = [
    "MOST_CELLS",
    "cells",
    "floats_of",
    "integers",
    "integers_of",
    "is_own_number",
    "moments_of",
    "moments_of_patterns",
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
            "nothing. Choose coefficients for interval data, which need only three sums per item."
        )
    return np.stack([integers_of(parts, name) for name in names], axis=1), integers_of(parts, times)


def moments_of(table: ItemValueCounts, numbers: Any) -> ItemMoments:
    """Moments follow from the value counts: no second pass over the data."""
    columns = [table.counts.sum(axis=1), table.counts @ numbers, table.counts @ (numbers * numbers)]
    return moments_once([np.asarray(column, dtype=np.float64) for column in columns], table.multiplicity)


def moments_of_patterns(patterns: Patterns, numbers: Floats) -> ItemMoments:
    """Moments follow from the patterns of who said what."""
    given = patterns.codes >= 0
    scores = np.where(given, numbers[patterns.codes], 0.0)
    return moments_once([given.sum(axis=1), scores.sum(axis=1), (scores * scores).sum(axis=1)], patterns.multiplicity)
