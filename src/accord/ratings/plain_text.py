"""Separated text that is plain: every row has the cells of the header, and quotation marks only enclose whole cells.

Whatever is not plain is left to the reader that looks at each row and can say what is wrong with it.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accord.ratings.cell_coding import CellColumn, Ends
from accord.ratings.factor import Coded
from accord.records import dataclass

__all__ = ["WORTH_CODING", "PlainColumns", "even_rows", "letters_of", "padded", "plain_columns"]

WORTH_CODING = 20_000
"""Letters from which on a plain text is read column by column; below, rows are as fast."""
_NEWLINE, _QUOTE = 10, 34
_SPARE = b"\0" * 8
"""After the text: room to read eight bytes at the end of the last cell."""
_FEWEST_ROWS = 8
_EDGE = 4
"""Rows at the beginning and at the end that are shown as they are."""
_PART = 1 << 18
"""Letters that are looked at together: what is made of them stays in the processor's cache. Of a text of 8 MB as a
whole it was 64 MB of new memory, which the system filled with zeros first: a third of the time."""


@dataclass(frozen=True)
class PlainColumns:
    """The cells of each column below the first row, the line of each row, and the rows at both ends as cells."""

    columns: list[Coded]
    lines: NDArray[np.int64]
    first_rows: list[list[str]]
    last_rows: list[list[str]]


def plain_columns(text: str, delimiter: str, longest: int, *, quoted: bool) -> PlainColumns | None:
    """The columns of plain text; None where anything is not plain. ``quoted``: quotation marks may enclose cells."""
    quoted = quoted and '"' in text
    data = encoded(text) if delimiter.isascii() and not (quoted and "\r" in text) else None
    if data is None:
        return None
    columns, lines = list[CellColumn](), list[NDArray[np.int64]]()
    first_rows, last_rows = list[list[str]](), list[list[str]]()
    line = 0
    for part in _parts(data, quoted=quoted):
        letters = letters_of(part)
        cells = _cells(letters, delimiter.encode(), quoted=quoted)
        if cells is None:
            return None
        starts, ends, rows = cells
        header = not columns
        columns = columns or [CellColumn() for _ in starts.T]
        if len(starts.T) != len(columns) or int((ends - starts).max()) > longest:
            return None
        first_rows += _rows(part, starts[:_EDGE], ends[:_EDGE]) if len(first_rows) < _EDGE else []
        last_rows = [*last_rows, *_rows(part, starts[-_EDGE:], ends[-_EDGE:])][-_EDGE:]
        lines.append(rows[header:] + line)
        line += int(np.count_nonzero(letters == _NEWLINE)) if quoted else len(rows)
        for column, begin, end in zip(columns, starts[header:].T, ends[header:].T, strict=True):
            column.add(part, begin, end)
    if 1 + sum(map(len, lines)) < _FEWEST_ROWS:
        return None
    coded = [column.coded() for column in columns]
    if quoted and b'""' in data:
        coded = [(codes, [name.replace('""', '"') for name in names]) for codes, names in coded]
    found = [Coded(codes, names) for codes, names in coded]
    return PlainColumns(found, np.concatenate(lines), first_rows[:_EDGE], last_rows)


def _parts(data: bytes, *, quoted: bool) -> Iterator[bytes]:
    """Parts of whole rows, with room behind each."""
    start = 0
    while start < len(data):
        stop = len(data) if len(data) - start <= _PART else data.index(b"\n", start + _PART) + 1
        marks = data.count(b'"', start, stop) if quoted else 0
        while marks % 2 and stop < len(data):  # this line ends within a cell
            after = data.index(b"\n", stop) + 1
            marks += data.count(b'"', stop, after)
            stop = after
        yield data[start : stop + len(_SPARE)].ljust(stop - start + len(_SPARE), b"\0")
        start = stop


def encoded(text: str) -> bytes | None:
    """The text with all its rows ended in one way; None where letters are broken or row ends are mixed."""
    if "\r" in text:
        if text.count("\r") != text.count("\r\n"):
            return None
        text = text.replace("\r\n", "\n")
    if text.endswith("\n\n") or not text.endswith("\n"):
        text = text.rstrip("\n") + "\n"
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half of a letter
        return None


def padded(text: str) -> bytes | None:
    """The same with room behind."""
    data = encoded(text)
    return None if data is None else data + _SPARE


def letters_of(data: bytes) -> NDArray[np.uint8]:
    """The bytes of a padded text, the end of its last row among them."""
    return np.frombuffer(data, dtype=np.uint8)[: -len(_SPARE)]


def even_rows(letters: NDArray[np.uint8], marks: bytes, *, quoted: bool) -> NDArray[np.int64] | None:
    """Where these marks stand, (rows, marks of a row), if every row has the same marks in the same order, else None.

    Ends of rows are among the marks. ``quoted``: between quotation marks a mark is a letter like any other.
    """
    parts = letters == marks[0]
    for mark in marks[1:]:
        parts |= letters == mark
    if quoted:
        inside = np.cumsum(letters == _QUOTE, dtype=np.uint8) & 1
        if inside[-1]:
            return None
        parts &= inside == 0
    found = np.flatnonzero(parts)
    width = int(np.argmax(letters[found] == _NEWLINE)) + 1
    if len(found) % width or width < 2:
        return None
    rows = found.reshape(-1, width)
    return rows if (letters[rows] == letters[rows[0]]).all() else None


def _rows(data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[list[str]]:
    return [
        [data[start:end].decode("utf-8").replace('""', '"') for start, end in zip(row, stop, strict=True)]
        for row, stop in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def _cells(letters: NDArray[np.uint8], delimiter: bytes, *, quoted: bool) -> tuple[Ends, Ends, Ends] | None:
    """Where the cells of each row begin and end, without their quotation marks, and the line of each row."""
    ends = even_rows(letters, delimiter + b"\n", quoted=quoted)
    if ends is None:
        return None
    starts = np.empty_like(ends)
    starts.reshape(-1)[0] = 0
    np.add(ends.reshape(-1)[:-1], 1, out=starts.reshape(-1)[1:])
    lines = np.arange(1, len(ends) + 1)
    if not quoted:
        return starts, ends, lines
    if int(np.count_nonzero(letters == _NEWLINE)) > len(ends):
        before = np.cumsum(letters == _NEWLINE)
        lines[1:] = before[starts[1:, 0] - 1] + 1
    return _unquoted(letters, starts, ends, lines)


def _unquoted(letters: NDArray[np.uint8], starts: Ends, ends: Ends, lines: Ends) -> tuple[Ends, Ends, Ends] | None:
    """The same without the marks around cells; None where one stands elsewhere and is not doubled."""
    places = np.flatnonzero(letters == _QUOTE)
    opening, closing = places[::2], places[1::2]
    at_start = np.zeros(len(letters) + 1, dtype=bool)
    at_start[starts] = True
    at_end = np.zeros(len(letters) + 1, dtype=bool)
    at_end[ends] = True
    # A mark within a cell is written twice: it closes, and the next opens again at once.
    again = opening[1:] == closing[:-1] + 1
    opens, closes = at_start[opening], at_end[closing + 1]
    opens[1:] |= again
    closes[:-1] |= again
    if not (opens.all() and closes.all()):
        return None
    enclosed = letters[starts] == _QUOTE
    return starts + enclosed, ends - enclosed, lines
