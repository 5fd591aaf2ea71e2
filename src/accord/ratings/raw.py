"""A table as it lies in a file or frame: named columns, line numbers, and what was guessed to read it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.design.scale import Value
from accord.errors import ColumnError, FormatError, Problem, UnreadableFileError
from accord.ratings.factor import Coded, Factor
from accord.ratings.plain_text import PlainColumns
from accord.ratings.tidying import holds_one_cell, tidied
from accord.ratings.total_rows import may_hold_totals
from accord.records import dataclass

__all__ = [
    "FILE_STEP",
    "MOST_COLUMNS",
    "RawTable",
    "table_of_columns",
    "table_of_objects",
    "table_of_records",
    "table_of_rows",
    "taken",
]

FILE_STEP = 1 << 40
"""Line n of the k-th of several files (from 0) is numbered k x FILE_STEP + n."""
MOST_COLUMNS = 5000
_LONGEST_NAME = 10_000


@dataclass(frozen=True)
class RawTable:
    """Columns of equal length by the user's own names, before anything is made of them.

    ``files`` names the files where there are several; their lines are numbered in steps of ``FILE_STEP``.
    """

    columns: Mapping[str, Any]
    row_numbers: Sequence[int] | NDArray[np.int64]
    source: str = ""
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    left_out: tuple[tuple[int, str], ...] = ()
    """Line and reason of every row that is no part of the table."""
    orders: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    """The values of columns that say themselves in which order they stand."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """Column -> the question in full, where a survey tool spells it out below the header."""

    def __len__(self) -> int:
        return len(self.row_numbers)


def table_of_rows(
    rows: Sequence[Sequence[Any]], lines: Sequence[int], source: str, notes: Sequence[str] = ()
) -> RawTable:
    """Columns from rows of cells, a header among them; rows that do not fit it are an error that names their lines."""
    _check_width(max(map(len, rows), default=0), "columns", source)
    tidy = tidied(rows, lines)
    rows, lines = tidy.rows, tidy.lines
    names = _checked_header(["" if name is None else str(name) for name in tidy.header], source)
    wrong = [place for place, row in enumerate(rows) if len(row) != len(names)]
    if wrong:
        problems = [
            Problem(f"{len(rows[place])} cells, but the header has {len(names)}", row=lines[place], file=source)
            for place in wrong
        ]
        raise FormatError(f"{source}: rows do not fit the header ({', '.join(names[:8])}):", problems)
    if not rows:
        raise UnreadableFileError(f"{source} holds a header and no rows.")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    told = (*notes, *tidy.notes)
    asked = {name: str(text).strip() for name, text in zip(names, tidy.questions, strict=False) if text}
    return RawTable(columns, np.array(lines, dtype=np.int64), source, told, left_out=tidy.left_out, questions=asked)


def table_of_columns(plain: PlainColumns, source: str, notes: Sequence[str] = ()) -> RawTable | None:
    """The table of columns that fit their header; None where a row may be no part of it."""
    edges = [*plain.first_rows, *plain.last_rows]
    tidy = tidied(edges, range(1, len(edges) + 1))
    if tidy.left_out or tidy.notes or len(plain.columns) > MOST_COLUMNS:
        return None
    if plain.last_rows and holds_one_cell(plain.last_rows[-1]):
        return None  # Whether it is a note is told by all rows.
    if may_hold_totals(column.distinct for column in plain.columns):
        return None
    names = _checked_header(plain.first_rows[0], source)
    return RawTable(dict(zip(names, plain.columns, strict=True)), plain.lines, source, tuple(notes))


def table_of_records(
    records: Sequence[Mapping[str, Any]], lines: Sequence[int], source: str, notes: Sequence[str] = ()
) -> RawTable:
    """Columns from objects with named cells; a name that an object lacks is an empty cell."""
    names = dict.fromkeys(name for record in records for name in record)
    columns = {name: [record.get(name) for record in records] for name in _checked_names(names, source)}
    return RawTable(columns, np.array(lines, dtype=np.int64), source, tuple(notes))


def table_of_objects(columns: Mapping[str, Coded], source: str, notes: Sequence[str] = ()) -> RawTable:
    """The same where every line holds an object with the same names, and their cells are known as columns."""
    rows = len(next(iter(columns.values())))
    _checked_names(columns, source)
    return RawTable(columns, range(1, rows + 1), source, tuple(notes))


def taken(cells: Any, rows: NDArray[np.intp]) -> Any:
    """These rows of a column, whatever it is made of."""
    return cells[rows] if isinstance(cells, np.ndarray | Factor | Coded) else [cells[row] for row in rows.tolist()]


def _checked_names(names: Collection[str], source: str) -> Collection[str]:
    _check_width(len(names), "names in its objects", source)
    _check_lengths(names, source)
    return names


def _checked_header(header: Sequence[str], source: str) -> list[str]:
    names = [str(name).strip() for name in header]
    names = [name or f"column {place}" for place, name in enumerate(names, start=1)]
    _check_lengths(names, source)
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        raise ColumnError(f"{source} has more than one column named {', '.join(twice[:5])}. Give each its own name.")
    return names


def _check_width(number: int, what: str, source: str) -> None:
    if number > MOST_COLUMNS:
        raise ColumnError(f"{source} has {number:,} {what}; at most {MOST_COLUMNS:,} are read.")


def _check_lengths(names: Collection[str], source: str) -> None:
    longest = max(map(len, names), default=0)
    if longest > _LONGEST_NAME:
        raise ColumnError(
            f"{source} has a column whose name is {longest:,} characters long; a header has names of at most "
            f"{_LONGEST_NAME:,}. Is its first line a header, and is a quotation mark never closed?"
        )
