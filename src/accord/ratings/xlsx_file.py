"""Excel workbooks (.xlsx), one sheet read; archives that unpack to too much are refused."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.errors import ColumnError, MissingExtraError, UnreadableFileError
from accord.ratings.joined_tables import joined_tables
from accord.ratings.mapping import map_columns
from accord.ratings.raw import MOST_COLUMNS, RawTable, table_of_rows
from accord.words import counted

__all__ = ["MOST_UNPACKED", "check_workbook", "open_workbook", "read_xlsx", "sheet_rows"]

MOST_UNPACKED = 512 * 1024**2
"""A workbook may unpack to this many bytes (512 MB): far more rows than Excel can hold."""
_LOOKED_AT = 50
_SHORT = 4


def check_workbook(data: bytes, source: str) -> None:
    """Refuse what is no workbook, is damaged, or is an archive that swells when unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
        raise UnreadableFileError(f"{source} is a damaged or truncated Excel workbook. Copy it again.") from None
    if unpacked > MOST_UNPACKED:
        size, most = f"{unpacked / 1024**2:,.0f} MB", f"{MOST_UNPACKED // 1024**2} MB"
        raise UnreadableFileError(
            f"{source} would unpack to {size}; workbooks over {most} are refused. Save it as CSV."
        )
    if "[Content_Types].xml" not in names:
        raise UnreadableFileError(f"{source} is a zip archive, but not an Excel workbook. Unpack it first.")


def sheet_rows(sheet: Any, most: int | None = None) -> list[list[Any]]:
    """All rows that a sheet holds, of equal width, whatever its own note of its size says.

    Programs that add rows and forget to renew that note are common; openpyxl believes it and would drop the rest.
    """
    sheet.reset_dimensions()
    rows, width, last = [], 0, 0
    for number, row in enumerate(sheet.iter_rows(values_only=True, max_row=most), 1):
        if len(row) > MOST_COLUMNS:
            raise ColumnError(
                f"Sheet “{sheet.title}” has {len(row):,} columns in row {number:,}; at most {MOST_COLUMNS:,} are read. "
                "Delete what stands far to the right of the table."
            )
        # Empty rows up to a stray cell far below are counted, and filled only when one is there.
        if row:
            rows += [()] * (number - last - 1)
            rows.append(row)
            width, last = max(width, len(row)), number
    return [[*row, *[None] * (width - len(row))] for row in rows]


def open_workbook(data: bytes, *, results: bool = True) -> Any:
    """The workbook, row by row: results of formulas, or the formulas themselves; sheets of charts hold no rows."""
    from openpyxl.reader.excel import ExcelReader

    class SheetsOfRows(ExcelReader):
        """openpyxl fails on a sheet that is a chart when it reads row by row."""

        def read_chartsheet(self, sheet: Any, rel: Any) -> None: ...

    reader = SheetsOfRows(io.BytesIO(data), read_only=True, data_only=results)
    reader.read()
    return reader.wb


def _uncomputed(data: bytes, title: str, rows: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Cells whose formula was never computed look empty: they are counted."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        if not any(b"<f>" in (text := archive.read(name)) or b"<f " in text for name in sheets):
            return ()
    formulas = sheet_rows(open_workbook(data, results=False)[title])
    cells = (
        (shown, cell) for row, said in zip(rows, formulas, strict=False) for shown, cell in zip(row, said, strict=False)
    )
    empty = sum(shown is None and isinstance(cell, str) and cell.startswith("=") for shown, cell in cells)
    if not empty:
        return ()
    told = counted(empty, "cell holds a formula", "cells hold formulas")
    return (f"{told} without a kept result and count as empty; open the workbook, save it and read it again",)


def read_xlsx(data: bytes, source: str, sheet: str | int | None = None) -> RawTable:
    """The rows of one sheet: the first, or the one named (or numbered from 1)."""
    check_workbook(data, source)
    try:
        book = open_workbook(data)
        chosen = _sheet(book, sheet, source)
        alike = _sheets_of_systems(book, chosen) if sheet is None else []
        rows = {one.title: sheet_rows(one) for one in alike or [chosen]}
        if len({repr(cells) for cells in rows.values()}) < len(rows):
            alike = []  # a sheet that was copied is no further system
        notes = _notes(book, chosen, sheet) + _uncomputed(data, chosen.title, rows[chosen.title])
    except ColumnError:
        raise
    except ImportError:
        raise MissingExtraError("Reading Excel workbooks", "formats") from None
    except Exception as error:  # openpyxl raises whatever its parsers raise on a damaged book
        raise UnreadableFileError(f"{source} is a damaged Excel workbook: {type(error).__name__}.") from None
    if not alike:
        return _table(rows[chosen.title], source, notes)
    tables = {title: _table(cells, f"{source} ({title})", ()) for title, cells in rows.items()}
    return _of_sheets(tables, source, [title for title in book.sheetnames if title not in rows])


def _of_sheets(tables: Mapping[str, RawTable], source: str, left: Sequence[str]) -> RawTable:
    """Sheets with the same columns as one table: of systems where raters come in several of them, else of raters."""
    rater = map_columns(list(next(iter(tables.values())).columns), {}).columns.get("rater", ("",))[0]
    raters = [
        {str(cell).strip() for cell in table.columns.get(rater, ()) if cell is not None} for table in tables.values()
    ]
    apart = sum(map(len, raters)) == len(set().union(*raters))
    said = "the sheets hold other raters and are read as one table" if apart else "each sheet is taken as a system"
    said += f": {', '.join(tables)}" + (f"; not read: {', '.join(left)}" if left else "")
    parts = list(tables.values()) if apart else [_with_system(table, title) for title, table in tables.items()]
    joined = joined_tables(parts)
    return replace(joined, source=source, notes=(*joined.notes, f"{said}; one alone is read with --sheet"))


def _sheets_of_systems(book: Any, chosen: Any) -> list[Any]:
    """The sheets with the same names of columns, if these say who rated and not which system; [] if there is one."""
    headers = {sheet.title: _header(sheet) for sheet in book.worksheets}
    shared = headers[chosen.title]
    roles = map_columns(shared, {}).columns
    if "rater" not in roles or "system" in roles or len(roles["rater"]) != 1:
        return []
    alike = [sheet for sheet in book.worksheets if headers[sheet.title] == shared and _table_rows(sheet) > 1]
    return alike if len(alike) > 1 else []


def _header(sheet: Any) -> list[str]:
    """The names of the columns: the first row with two cells; titles above have one."""
    rows = [[str(cell).strip() for cell in row if cell is not None] for row in sheet_rows(sheet, _LOOKED_AT)]
    return next((row for row in rows if len(row) > 1), [])


def _with_system(table: RawTable, title: str) -> RawTable:
    return replace(table, columns={**table.columns, "system": [title.strip()] * len(table)})


def _sheet(book: Any, sheet: str | int | None, source: str) -> Any:
    names = list(book.sheetnames)
    if sheet is None:
        return _main_sheet(book)
    if isinstance(sheet, int) and 1 <= sheet <= len(names):
        return book[names[sheet - 1]]
    if sheet not in names:
        raise ColumnError(f"{source} has no sheet {sheet!r}. Its sheets are: {', '.join(names)}.")
    return book[sheet]


def _main_sheet(book: Any) -> Any:
    """The first sheet that is not short beside the longest: explanations and legends have few rows of two cells."""
    sizes = [_table_rows(sheet) for sheet in book.worksheets]
    return next(sheet for sheet, size in zip(book.worksheets, sizes, strict=True) if size >= max(sizes) / _SHORT)


def _table_rows(sheet: Any) -> int:
    rows = sheet_rows(sheet, _LOOKED_AT)
    return sum(sum(cell is not None and str(cell).strip() != "" for cell in row) > 1 for row in rows)


def _notes(book: Any, chosen: Any, sheet: str | int | None) -> tuple[str, ...]:
    if sheet is not None or len(book.sheetnames) == 1:
        return ()
    return (f"read the sheet {chosen.title} of {len(book.sheetnames)}; name another with --sheet",)


def _table(rows: list[list[Any]], source: str, notes: tuple[str, ...]) -> RawTable:
    numbered = [(line, row) for line, row in enumerate(rows, start=1) if any(cell is not None for cell in row)]
    if not numbered:
        raise UnreadableFileError(f"{source} holds an empty sheet.")
    width = max(place for _, row in numbered for place, cell in enumerate(row, start=1) if cell is not None)
    full = [(line, (row + [None] * width)[:width]) for line, row in numbered]
    return table_of_rows([row for _, row in full], [line for line, _ in full], source, notes)
