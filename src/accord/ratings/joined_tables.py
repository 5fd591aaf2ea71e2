"""Several tables as one: of several files, or of several sheets of a workbook; each row keeps where it stands."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.ratings.coding import stacked
from accord.ratings.raw import FILE_STEP, RawTable
from accord.ratings.tidying import LEFT_OUT

__all__ = ["joined_tables"]


def joined_tables(tables: Sequence[RawTable]) -> RawTable:
    """One table of all; a column that one of them lacks is empty in its rows."""
    names = dict.fromkeys(name for table in tables for name in table.columns)
    columns = {name: stacked([_column(table, name) for table in tables]) for name in names}
    lines = np.concatenate([np.asarray(table.row_numbers) + place * FILE_STEP for place, table in enumerate(tables)])
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


def _of_file(note: str, table: RawTable) -> str:
    """A note with the name of its file where it names rows: row 5 of one file is not that of another."""
    return f"{table.source}: {note}" if note.startswith(LEFT_OUT) else note


def _column(table: RawTable, name: str) -> Any:
    columns: Mapping[str, Any] = table.columns
    return columns[name] if name in columns else [None] * len(table)
