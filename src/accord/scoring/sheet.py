"""Read a small sheet of named columns (CSV, TSV, xlsx or TOML), cell by cell as it is printed."""

import csv
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.design.toml_text import parse_toml
from accord.errors import ColumnError, FormatError, Problem, UnreadableFileError
from accord.ratings.xlsx_file import sheet_rows

__all__ = ["Row", "Sheet", "read_sheet"]

_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells by column, as text, and the line it stands on."""

    number: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        return self.cells.get(column, "").strip()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of a file with named columns."""

    source: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def require(self, *columns: str) -> None:
        """Stop with one sentence if a column is missing."""
        if missing := [column for column in columns if column not in self.columns]:
            raise ColumnError(
                f"{self.source} has no column {', '.join(map(repr, missing))}. It has: {', '.join(self.columns)}."
            )

    def numbers(self, column: str) -> list[float | None]:
        """A column of numbers, None where empty; every cell that is no number is named in one error."""
        problems, values = [], []
        for row in self.rows:
            text = row.text(column)
            try:
                values.append(float(text) if text else None)
            except ValueError:
                problems.append(Problem(f"{text!r} in column {column!r} is not a number", row.number, self.source))
        if problems:
            raise FormatError(f"{self.source} has cells that are not numbers:", problems)
        return values


def read_sheet(path: str | Path, lists: str = "row") -> Sheet:
    """The sheet in this file; in TOML the rows are tables named ``[[row]]`` (or as ``lists`` says)."""
    file = Path(path)
    if not file.exists():
        raise UnreadableFileError(f"There is no file {file}. Check the name and the folder.")
    if file.is_dir():
        raise UnreadableFileError(f"{file} is a folder. Name the file in it.")
    if file.stat().st_size > _LARGEST:
        raise UnreadableFileError(f"{file} is larger than 64 MB: that is no sheet of printed numbers.")
    readers: dict[str, Callable[[Path], Sheet]] = {
        ".csv": lambda file: _delimited(file, ","),
        ".tsv": lambda file: _delimited(file, "\t"),
        ".txt": lambda file: _delimited(file, "\t"),
        ".xlsx": _workbook,
        ".toml": lambda file: _toml(file, lists),
    }
    if file.suffix.lower() not in readers:
        raise UnreadableFileError(f"{file} is no sheet this command reads. Give a file .csv, .tsv, .xlsx or .toml.")
    try:
        sheet = readers[file.suffix.lower()](file)
    except OSError as error:
        raise UnreadableFileError(f"{file} cannot be read: {error.strerror}.") from error
    if not sheet.rows:
        raise UnreadableFileError(f"{file} has no rows below its header.")
    return sheet


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFileError(f"{file} is not text in UTF-8. Save it as UTF-8 and try again.") from error


def _delimited(file: Path, delimiter: str) -> Sheet:
    lines = _text(file).splitlines(keepends=True)
    try:
        cells = [(number, row) for number, row in _counted(csv.reader(lines, delimiter=delimiter)) if any(row)]
    except csv.Error as error:
        raise UnreadableFileError(f"{file} is not a table of columns: {error}.") from error
    return _sheet(file, cells)


def _counted(reader: Iterable[list[str]]) -> Iterable[tuple[int, list[str]]]:
    for row in reader:
        yield getattr(reader, "line_num", 0), row


def _workbook(file: Path) -> Sheet:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        from accord.errors import MissingExtraError

        raise MissingExtraError("Reading .xlsx", "formats") from error
    from zipfile import BadZipFile

    try:
        book = load_workbook(file, read_only=True, data_only=True)
    except (BadZipFile, KeyError, ValueError) as error:
        raise UnreadableFileError(f"{file} is no xlsx workbook, or it is damaged.") from error
    rows = [["" if cell is None else str(cell) for cell in row] for row in sheet_rows(book.worksheets[0])]
    book.close()
    return _sheet(file, [(number, row) for number, row in enumerate(rows, 1) if any(row)])


def _sheet(file: Path, cells: Sequence[tuple[int, Sequence[str]]]) -> Sheet:
    if not cells:
        raise UnreadableFileError(f"{file} is empty.")
    header = tuple(name.strip() for name in cells[0][1])
    if repeated := sorted({name for name in header if name and header.count(name) > 1}):
        raise ColumnError(f"{file} has the column {repeated[0]!r} twice. Rename one of them.")
    wide = [number for number, row in cells[1:] if len(row) > len(header) and any(row[len(header) :])]
    if wide:
        raise FormatError(
            f"{file} has rows with more cells than its header:",
            [Problem(f"more than {len(header)} cells", number, str(file)) for number in wide],
        )
    rows = tuple(Row(number, dict(zip(header, row, strict=False))) for number, row in cells[1:])
    return Sheet(str(file), tuple(name for name in header if name), rows)


def _toml(file: Path, lists: str) -> Sheet:
    """Numbers should be written as text ("0.30") in TOML where the printed zeros matter."""
    try:
        content = parse_toml(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFileError(f"{file} is not valid TOML: {error}.") from error
    tables = content.get(lists)
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise FormatError(f"{file} must hold its rows as tables named [[{lists}]].")
    columns = tuple(dict.fromkeys(name for table in tables for name in table))
    rows = tuple(Row(number, {k: str(v) for k, v in table.items()}) for number, table in enumerate(tables, 1))
    return Sheet(str(file), columns, rows)
