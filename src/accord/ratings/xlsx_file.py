"""Excel workbooks (.xlsx), one sheet read; archives that unpack to too much are refused."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from accord.errors import ColumnError, InputError, MissingExtraError, UnreadableFileError
from accord.ratings.joined_tables import joined_tables
from accord.ratings.mapping import map_columns
from accord.ratings.raw import MOST_COLUMNS, RawTable, table_of_rows
from accord.words import counted

__all__ = ["MOST_UNPACKED", "check_workbook", "open_workbook", "read_xlsx", "sheet_rows", "uncomputed"]

MOST_UNPACKED = 512 * 1024**2
"""A workbook may unpack to this many bytes (512 MB): far more rows than Excel can hold."""
_MOST_ROWS = 1_048_576
_ROW = re.compile(rb"<(?:\w+:)?row[ >/]")
_HIDDEN_ROW = re.compile(rb'<(?:\w+:)?row [^>]*\bhidden="(?:1|true)"')
_HIDDEN_COLUMN = re.compile(rb'<(?:\w+:)?col [^>]*\bhidden="(?:1|true)"')
_LOOKED_AT = 50
_SHORT = 4


def check_workbook(data: bytes, source: str) -> None:
    """Refuse what is no workbook, is damaged, or is an archive that swells when unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
            names = archive.namelist()
            rows = _most_rows(archive) if unpacked <= MOST_UNPACKED else 0
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError, RuntimeError, zlib.error):
        raise UnreadableFileError(f"{source} is a damaged or truncated Excel workbook. Copy it again.") from None
    if unpacked > MOST_UNPACKED:
        size, most = f"{unpacked / 1024**2:,.0f} MB", f"{MOST_UNPACKED // 1024**2} MB"
        raise UnreadableFileError(
            f"{source} would unpack to {size}; workbooks over {most} are refused. Save it as CSV."
        )
    if rows > _MOST_ROWS:
        raise UnreadableFileError(
            f"{source} has a sheet of more than {_MOST_ROWS:,} rows, which is all that Excel holds. Save it as CSV."
        )
    if "[Content_Types].xml" not in names:
        raise UnreadableFileError(f"{source} is a zip archive, but not an Excel workbook. Unpack it first.")


def _most_rows(archive: zipfile.ZipFile) -> int:
    """About how many rows the longest sheet has, without reading them: to read millions of empty ones takes minutes."""
    most = 0
    for part in archive.infolist():
        # A row takes six bytes and more: a smaller part cannot hold too many.
        if part.file_size > 6 * _MOST_ROWS and "sheet" in part.filename.lower():
            with archive.open(part) as text:
                rows = sum(len(_ROW.findall(chunk)) for chunk in iter(partial(text.read, 1 << 20), b""))
                most = max(most, rows)
    return most


def sheet_rows(sheet: Any, most: int | None = None) -> list[list[Any]]:
    """All rows that a sheet holds, of equal width, whatever its own note of its size says.

    Programs that add rows and forget to renew that note are common; openpyxl believes it and would drop the rest. It
    would also drop a row whose number was there before: such a sheet is refused.
    """
    rows: list[list[Any]] = []
    width, last = 0, 0
    for number, cells in _numbered(sheet):
        if number <= last or number > _MOST_ROWS:
            raise UnreadableFileError(_odd_row(sheet.title, number, last))
        if most is not None and number > most:
            break
        last, end = number, max((cell["column"] for cell in cells), default=0)
        if end > MOST_COLUMNS:
            raise ColumnError(
                f"Sheet “{sheet.title}” has {end:,} columns in row {number:,}; at most {MOST_COLUMNS:,} are read. "
                "Delete what stands far to the right of the table."
            )
        # Empty rows up to a stray cell far below are counted, and filled only when one is there.
        if cells:
            rows += [[] for _ in range(number - len(rows) - 1)]
            rows.append([None] * end)
            for cell in cells:
                rows[-1][cell["column"] - 1] = cell["value"]
            width = max(width, end)
    return [[*row, *[None] * (width - len(row))] for row in rows]


def _numbered(sheet: Any) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The cells of each row with the number that the sheet gives it, which openpyxl's own rows do not tell."""
    from openpyxl.worksheet._reader import WorkSheetParser

    book = sheet.parent
    formats = {"date_formats": book._date_formats, "timedelta_formats": book._timedelta_formats}
    with sheet._get_source() as source:
        reader = WorkSheetParser(source, sheet._shared_strings, data_only=book.data_only, epoch=book.epoch, **formats)
        yield from reader.parse()


def _odd_row(title: str, number: int, last: int) -> str:
    if number > _MOST_ROWS:
        return f"Sheet “{title}” has a row {number:,}; Excel's last is {_MOST_ROWS:,}. Save the table as CSV."
    return (
        f"Sheet “{title}” has row {number:,} after row {last:,}: rows are repeated or out of order, and one would hide "
        "the other. Open the workbook, save it and read it again."
    )


def open_workbook(data: bytes, *, results: bool = True) -> Any:
    """The workbook, row by row: results of formulas, or the formulas themselves; sheets of charts hold no rows."""
    from openpyxl.reader.excel import ExcelReader

    class SheetsOfRows(ExcelReader):
        """openpyxl fails on a sheet that is a chart when it reads row by row."""

        def read_chartsheet(self, sheet: Any, rel: Any) -> None: ...

    reader = SheetsOfRows(io.BytesIO(data), read_only=True, data_only=results)
    reader.read()
    return reader.wb


def uncomputed(data: bytes, title: str, rows: Sequence[Sequence[Any]]) -> list[int]:
    """The row of each cell whose formula was never computed: such a cell looks empty."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        if not any(b"<f>" in (text := archive.read(name)) or b"<f " in text for name in sheets):
            return []
    formulas = sheet_rows(open_workbook(data, results=False)[title])
    return [
        number
        for number, (row, said) in enumerate(zip(rows, formulas, strict=False), start=1)
        for shown, cell in zip(row, said, strict=False)
        if shown is None and isinstance(cell, str) and cell.startswith("=")
    ]


def _uncomputed_note(empty: int) -> tuple[str, ...]:
    if not empty:
        return ()
    one = empty == 1
    told = f"{counted(empty, 'cell holds a formula', 'cells hold formulas')} without a kept result"
    return (f"{told} and {'counts' if one else 'count'} as empty; open the workbook, save it and read it again",)


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
        notes = (
            _notes(book, chosen, sheet)
            + _hidden(chosen)
            + _uncomputed_note(len(uncomputed(data, chosen.title, rows[chosen.title])))
        )
    except InputError:
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


def _hidden(sheet: Any) -> tuple[str, ...]:
    """What somebody hid is read like the rest, and said: a filter that was left on hides rows, too."""
    with sheet._get_source() as source:
        text = source.read()
    rows, columns = (len(pattern.findall(text)) for pattern in (_HIDDEN_ROW, _HIDDEN_COLUMN))
    found = [
        *([f"the sheet {sheet.title}"] if sheet.sheet_state != "visible" else []),
        *([counted(rows, "row", "rows")] if rows else []),
        *(["columns"] if columns else []),
    ]
    return (f"hidden in the workbook, and read like the rest: {', '.join(found)}",) if found else ()


def _table(rows: list[list[Any]], source: str, notes: tuple[str, ...]) -> RawTable:
    numbered = [(line, row) for line, row in enumerate(rows, start=1) if any(cell is not None for cell in row)]
    if not numbered:
        raise UnreadableFileError(f"{source} holds an empty sheet.")
    width = max(place for _, row in numbered for place, cell in enumerate(row, start=1) if cell is not None)
    full = [(line, (row + [None] * width)[:width]) for line, row in numbered]
    return table_of_rows([row for _, row in full], [line for line, _ in full], source, notes)
