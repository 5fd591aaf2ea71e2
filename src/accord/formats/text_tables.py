"""Texts to be judged, as people have them: a table by CSV, TSV, xlsx, JSONL or XLIFF, or one text per line."""

import csv
import io
import json
from collections.abc import Iterable, Sequence

from accord.errors import FormatError, InputError, UnreadableFileError
from accord.formats.imported import Side
from accord.formats.xliff import read_segments
from accord.ratings.text_file import decoded
from accord.ratings.xlsx_file import check_workbook, open_workbook, sheet_rows
from accord.records import dataclass

__all__ = ["TextTable", "read_text_table"]

_DELIMITERS = {"\t": "tab-separated", ",": "comma-separated", ";": "semicolon-separated"}
_MOST_ROWS = 20_000
_MOST_COLUMNS = 200
"""Each is mapped by eye, on a page with a menu for each."""
_LONGEST_NAME = 40
_ENDS_A_SENTENCE = (".", "!", "?", "…", "。", "！", "？", "؟")


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of cells under the names of their columns, and in words where they come from."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    told: str
    languages: tuple[str, str] = ("", "")
    """Of the sources and of the texts to judge, where the file says so."""
    numbers: tuple[int, ...] = ()
    """Where each row stands in the file, as a spreadsheet counts; from 1 on where nothing is said."""

    def number_of(self, row: int) -> int:
        """Where the row stands in the file; ``row`` is counted from 1 among the rows of the table."""
        return self.numbers[row - 1] if self.numbers else row


def read_text_table(content: bytes, name: str, *, has_names: bool | None = None) -> TextTable:
    """Whatever was pasted or uploaded; ``has_names`` says whether the first row names the columns, or is looked at."""
    if content[:2] == b"PK":
        return _from_workbook(content, name, has_names)
    try:
        text = decoded(content, name).text.lstrip("\ufeff")
    except UnreadableFileError as error:
        raise UnreadableFileError(str(error).replace("a table of ratings", "texts or a table of them")) from None
    start = text.lstrip()[:4_000]
    if not start:
        raise FormatError("There is no text in it. Paste one text per line, or a table with a column of texts.")
    if start.startswith("<") and "<xliff" in start:
        return _from_xliff(text, name)
    if start.startswith(("{", "[")):
        return _from_json(text, name)
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        delimiter = _delimiter(lines, name)
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter)) if delimiter else []
    except csv.Error:
        raise FormatError(
            f"{name} cannot be read as a table: a quotation mark opens a cell and none closes it, or a cell has more "
            f"than {csv.field_size_limit():,} characters."
        ) from None
    if delimiter is None:
        return TextTable(("text",), tuple((line.strip(),) for line in lines), f"{len(lines):,} lines, one text each")
    return _table(rows, has_names, f"{_DELIMITERS[delimiter]} table")


def _delimiter(lines: Sequence[str], name: str) -> str | None:
    """The sign that parts most lines into equally many cells; commas part sentences too, so they need more."""
    for sign in _DELIMITERS:
        counts = [len(row) for row in csv.reader(lines[:200], delimiter=sign)]
        first = counts[0]
        same = sum(count == first for count in counts) / len(counts)
        named = sign != "\t" and name.lower().endswith(".csv")
        enough = 0.5 if sign == "	" else 0.9 if named else 1.0
        if first > 1 and same >= enough and (named or sign == "	" or len(lines) > 1):
            return sign
    return None


def _from_workbook(content: bytes, name: str, has_names: bool | None) -> TextTable:
    check_workbook(content, name)
    try:
        book = open_workbook(content)
        sheet = max(book.worksheets, key=lambda one: len(sheet_rows(one)))
        rows = [["" if cell is None else str(cell) for cell in row] for row in sheet_rows(sheet)]
    except InputError:
        raise
    except Exception as error:  # openpyxl raises whatever its parsers raise on a damaged book
        raise FormatError(f"{name} is a damaged Excel workbook: {type(error).__name__}.") from None
    return _table(rows, has_names, f"sheet “{sheet.title}”")


def _from_json(text: str, name: str) -> TextTable:
    try:
        lines = [text] if text.lstrip().startswith("[") else [line for line in text.splitlines() if line.strip()]
        found = [json.loads(line) for line in lines]
        if found and isinstance(found[0], list):
            found = found[0]
    except json.JSONDecodeError as error:
        raise FormatError(f"{name} is not JSON lines: {error}.") from None
    except (ValueError, RecursionError):
        raise FormatError(f"{name} holds a number of thousands of digits, or is nested too deeply.") from None
    if not found or not all(isinstance(one, dict) for one in found):
        raise FormatError(f"{name} holds no objects: write one {{...}} a line.")
    rows = [dict(_flat(one)) for one in found]
    columns = tuple(dict.fromkeys(key for row in rows for key in row))
    _require_few(len(columns))
    return TextTable(columns, tuple(tuple(row.get(key, "") for key in columns) for row in rows), "JSON lines")


def _flat(row: dict[str, object], before: str = "") -> Iterable[tuple[str, str]]:
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}:")
        else:
            yield f"{before}{key}", "" if value is None else str(value)


def _from_xliff(text: str, name: str) -> TextTable:
    reader = read_segments(text, name)
    found = ((one, one.texts) for one in reader.segments)
    rows = tuple(
        (one.document, one.name, texts.get(Side.SOURCE, ""), texts.get(Side.TARGET, "")) for one, texts in found
    )
    said = {**reader.languages, **reader.file}
    source = said.get("source-language", said.get("srcLang", ""))
    target = said.get("target-language", said.get("trgLang", ""))
    return TextTable(("document", "segment", "source", "target"), rows, f"XLIFF, {len(rows):,} rows", (source, target))


def _table(all_rows: list[list[str]], has_names: bool | None, told: str) -> TextTable:
    numbered = [(number, row) for number, row in enumerate(all_rows, start=1) if any(cell.strip() for cell in row)]
    rows = [row for _, row in numbered]
    if not rows:
        raise FormatError("There is no text in it. Paste one text per line, or a table with a column of texts.")
    if len(rows) > _MOST_ROWS:
        raise FormatError(f"It has {len(rows):,} rows, more than {_MOST_ROWS:,}. Split the study.")
    width = max(map(len, rows))
    _require_few(width)
    whole = [(*row, *[""] * (width - len(row))) for row in rows]
    named = _names_columns(whole) if has_names is None else has_names
    names = whole[0] if named else tuple(f"column {place}" for place in range(1, width + 1))
    columns: list[str] = []
    for place, name in enumerate(names, start=1):
        plain = name.strip() or f"column {place}"
        columns.append(plain if plain not in columns else f"{plain} {place}")
    body = tuple(tuple(cell.strip() for cell in row) for row in whole[1 if named else 0 :])
    numbers = tuple(number for number, _ in numbered)[1 if named else 0 :]
    return TextTable(tuple(columns), body, f"{told}, {len(body):,} rows, {width} columns", numbers=numbers)


def _require_few(columns: int) -> None:
    if columns > _MOST_COLUMNS:
        raise FormatError(
            f"It has {columns:,} columns, more than {_MOST_COLUMNS}. Keep those that raters see or that name a text."
        )


def _names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row looks like names: all there, all different, all short, and none a sentence."""
    first = [cell.strip() for cell in rows[0]]
    return (
        len(rows) > 1
        and all(first)
        and len(set(first)) == len(first)
        and all(len(cell) <= _LONGEST_NAME and not cell.endswith(_ENDS_A_SENTENCE) for cell in first)
    )
