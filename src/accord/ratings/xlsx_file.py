"""Excel workbooks (.xlsx), one sheet read; archives that unpack to too much are refused."""

import io
import zipfile
from typing import Any

from accord.errors import ColumnError, MissingExtraError, UnreadableFileError
from accord.ratings.raw import RawTable, table_of_rows

__all__ = ["MOST_UNPACKED", "check_workbook", "read_xlsx", "sheet_rows"]

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
    rows = [list(row) for row in sheet.iter_rows(values_only=True, max_row=most)]
    width = max(map(len, rows), default=0)
    return [row + [None] * (width - len(row)) for row in rows]


def read_xlsx(data: bytes, source: str, sheet: str | int | None = None) -> RawTable:
    """The rows of one sheet: the first, or the one named (or numbered from 1)."""
    check_workbook(data, source)
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("Reading Excel workbooks", "formats") from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        chosen = _sheet(book, sheet, source)
        rows = sheet_rows(chosen)
        notes = _notes(book, chosen, sheet)
    except ColumnError:
        raise
    except Exception as error:  # openpyxl raises whatever its parsers raise on a damaged book
        raise UnreadableFileError(f"{source} is a damaged Excel workbook: {type(error).__name__}.") from None
    return _table(rows, source, notes)


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
