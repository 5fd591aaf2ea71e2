"""Tables in text with a separator (CSV, TSV): the separator found out, quoted newlines kept, lines numbered."""

import csv
import io
from typing import Literal

from accord.errors import FormatError, OptionError, Problem
from accord.ratings.plain_text import WORTH_CODING, plain_columns
from accord.ratings.raw import RawTable, table_of_columns, table_of_rows
from accord.ratings.text_file import FileText

__all__ = ["DELIMITERS", "read_csv_text", "rows_of_text"]

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_ROWS = 50
_LONGEST_CELL = 10_000_000


def read_csv_text(found: FileText, source: str, delimiter: str | None = None) -> RawTable:
    """Read separated text with a header line."""
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise OptionError(f"The delimiter {delimiter!r} must be a single character such as , or ; or a tab.")
    used = delimiter or _sniffed(found.text)
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
    if used == "\t" and delimiter is None and not _quotes_close(found.text, used):
        quoting = csv.QUOTE_NONE
    if (plain := _plain_table(found, used, source, quoted=quoting == csv.QUOTE_MINIMAL)) is not None:
        return plain
    rows, lines = _parsed(found.text, used, quoting, source)
    if not rows:
        raise FormatError(f"{source} has no header line.")
    return table_of_rows(rows, lines, source, found.notes)


def _plain_table(found: FileText, delimiter: str, source: str, *, quoted: bool) -> RawTable | None:
    """The table of a text where no row needs a look of its own; None where one may."""
    if len(found.text) < WORTH_CODING:
        return None
    plain = plain_columns(found.text, delimiter, _LONGEST_CELL, quoted=quoted)
    return None if plain is None else table_of_columns(plain, source, found.notes)


def rows_of_text(text: str, source: str) -> list[list[str]]:
    """The rows of separated numbers that have no header: a comma beside another separator is decimal."""
    first = text.lstrip().partition("\n")[0]
    used = next((sign for sign in (";", "\t", "|") if sign in first), ",")
    return _parsed(text, used, csv.QUOTE_MINIMAL, source)[0]


def _sniffed(text: str) -> str:
    """The separator that cuts the first rows into the most cells, the same number in each."""
    sample = text[:200_000]
    return max(DELIMITERS, key=lambda one: (_columns(sample, one), -DELIMITERS.index(one)))


def _columns(sample: str, delimiter: str) -> float:
    if delimiter not in sample:
        return 0
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    widths = []
    try:
        for row, _ in zip(reader, range(_SAMPLE_ROWS), strict=False):
            if row:
                widths.append(len(row))
    except csv.Error:
        return 0
    if not widths or widths[0] < 2:
        return 0
    return widths[0] * sum(width == widths[0] for width in widths) / len(widths)


def _quotes_close(text: str, delimiter: str) -> bool:
    """Tables with tabs are often written without quoting: then a quote is a letter like any other."""
    if '"' not in text:
        return True
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        return False
    return True


def _parsed(text: str, delimiter: str, quoting: Literal[0, 3], source: str) -> tuple[list[list[str]], list[int]]:
    rows: list[list[str]] = []
    lines: list[int] = []
    previous = csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True)
    try:
        end = 0
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                rows.append(row)
                lines.append(end + 1)
            end = reader.line_num
    except csv.Error as error:
        where = lines[-1] + 1 if lines else 1
        words = f"{_REASONS.get(str(error), str(error))} (the row that starts here)"
        raise FormatError(f"{source} is not a well-formed table:", [Problem(words, row=where, file=source)]) from None
    finally:
        csv.field_size_limit(previous)
    return rows, lines


_REASONS = {"unexpected end of data": "a quotation mark is opened and never closed"}
