"""Several tables as one: of several files, or of several sheets of a workbook; each row keeps where it stands."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from accord.arrays import in_an_array
from accord.errors import InputError
from accord.ratings.coding import stacked
from accord.ratings.raw import FILE_STEP, RawTable
from accord.ratings.tidying import LEFT_OUT

__all__ = ["joined_tables"]

_FEWEST_ROWS, _MOST_ROWS = 10, 50_000
_FEWEST_COLUMNS = 3
_ALIKE = 0.9


def joined_tables(tables: Sequence[RawTable]) -> RawTable:
    """One table of all; a column that one of them lacks is empty in its rows."""
    for one, other in combinations(tables, 2):
        _require_different(one, other)
    names = dict.fromkeys(name for table in tables for name in table.columns)
    columns = {name: stacked([_column(table, name) for table in tables]) for name in names}
    lines = np.concatenate([in_an_array(table.row_numbers) + place * FILE_STEP for place, table in enumerate(tables)])
    absent = [
        f"{table.source} has no column {name!r}; it is empty there"
        for table in tables
        for name in names
        if name not in table.columns
    ]
    notes = dict.fromkeys((*(_of_file(note, table) for table in tables for note in table.notes), *absent))
    sources = tuple(table.source for table in tables)
    left_out = tuple(
        (line + place * FILE_STEP, reason) for place, table in enumerate(tables) for line, reason in table.left_out
    )
    whole = f"{sources[0]} and {len(sources) - 1:,} more"
    return RawTable(columns, lines, whole, tuple(notes), sources, left_out=left_out)


def _require_different(one: RawTable, other: RawTable) -> None:
    """Refuse two exports of the same ratings: where some column is in one of them only, nobody would notice."""
    shared = [name for name in one.columns if name in other.columns]
    fewest, most = sorted((len(one), len(other)))
    # With the same columns a rating that is there twice is noticed, row by row.
    if (
        set(one.columns) == set(other.columns)
        or len(shared) < _FEWEST_COLUMNS
        or fewest < _FEWEST_ROWS
        or most > _MOST_ROWS
    ):
        return
    rows, others = (
        set(zip(*(map(str, table.columns[name]) for name in shared), strict=True)) for table in (one, other)
    )
    same = len(rows & others)
    if same >= _ALIKE * fewest:
        raise InputError(
            f"{one.source} and {other.source} hold the same rows ({same:,} of {fewest:,}): each rating would count "
            "twice. Read one of them."
        )


def _of_file(note: str, table: RawTable) -> str:
    """A note with the name of its file where it names rows: row 5 of one file is not that of another."""
    return f"{table.source}: {note}" if note.startswith(LEFT_OUT) else note


def _column(table: RawTable, name: str) -> Any:
    columns: Mapping[str, Any] = table.columns
    return columns[name] if name in columns else [None] * len(table)
