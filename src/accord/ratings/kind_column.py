"""The column that tells people from models, found by its cells where its name does not say so."""

from collections.abc import Collection
from typing import Any

import numpy as np

from accord.arrays import distinct
from accord.ratings.coding import code_names
from accord.ratings.column_values import texts_of
from accord.ratings.factor import Factor
from accord.ratings.kinds import HUMAN, KIND, MODEL, kind_named
from accord.ratings.mapping import ColumnMap
from accord.ratings.raw import RawTable

__all__ = ["with_kind_column"]

_MOST_KINDS = 8
"""A column with more different cells names raters or systems."""


def with_kind_column(table: RawTable, mapped: ColumnMap, given: Collection[str]) -> ColumnMap:
    """The same with a column as kind whose cells all say human or model, one for each rater.

    Where a rater has both, it tells texts apart and not raters.
    """
    if KIND in mapped.columns or KIND in given or "rater" not in mapped.columns:
        return mapped
    rater: Factor | None = None
    for name in mapped.rest(list(table.columns)):
        kinds = _kinds(table.columns[name])
        if kinds is None:
            continue
        rater = code_names(table.columns[mapped.columns["rater"][0]]) if rater is None else rater
        if _one_for_each(kinds, rater):
            said = f"column {name!r} is taken as kind, as its cells tell people from models"
            return ColumnMap({**mapped.columns, KIND: (name,)}, (*mapped.guesses, said))
    return mapped


def _kinds(column: Any) -> Factor | None:
    """The kinds that the cells name; None where a cell names none, or all name the same."""
    texts, _ = texts_of(column)
    if not texts or not all(map(kind_named, texts[: _MOST_KINDS + 1])):
        return None
    cells = code_names(column)
    if not 1 < len(cells.names) <= _MOST_KINDS:
        return None
    named = list(map(kind_named, cells.names))
    if set(named) != {HUMAN, MODEL}:
        return None
    codes = np.array([name == MODEL for name in named], dtype=np.int32)
    return Factor(np.where(cells.codes < 0, -1, codes[cells.codes]).astype(np.int32), (HUMAN, MODEL))


def _one_for_each(kinds: Factor, rater: Factor) -> bool:
    known = (kinds.codes >= 0) & (rater.codes >= 0)
    pairs = rater.codes[known].astype(np.int64) * 2 + kinds.codes[known]
    return len(distinct(pairs)) == len(distinct(rater.codes[known]))
