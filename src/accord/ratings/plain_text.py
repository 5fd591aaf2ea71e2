"""Separated text that is plain: every row has the cells of the header, and quotation marks only enclose whole cells.

Whatever is not plain is left to the reader that looks at each row and can say what is wrong with it.
"""

import numpy as np
from numpy.typing import NDArray

from accord.ratings.cell_coding import coded_cells
from accord.ratings.factor import Coded
from accord.records import dataclass

__all__ = ["WORTH_CODING", "PlainColumns", "even_rows", "padded", "plain_columns"]

WORTH_CODING = 20_000
"""Letters from which on a plain text is read column by column; below, rows are as fast."""
_NEWLINE, _QUOTE = 10, 34
_SPARE = b"\n" + b"\0" * 8
"""After the text: the end of its last row, and room to read eight bytes at the end of the last cell."""
_FEWEST_ROWS = 8
_EDGE = 4
"""Rows at the beginning and at the end that are shown as they are."""


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
    data = padded(text) if delimiter.isascii() and not (quoted and "\r" in text) else None
    cells = None if data is None else _cells(data, delimiter.encode(), quoted=quoted)
    if data is None or cells is None:
        return None
    starts, ends, lines = cells
    if len(starts) < _FEWEST_ROWS or int((ends - starts).max()) > longest:
        return None
    doubled = quoted and b'""' in data
    columns = []
    for first, last in zip(starts[1:].T, ends[1:].T, strict=True):
        codes, names = coded_cells(data, first, last)
        if doubled:
            names = [name.replace('""', '"') for name in names]
        columns.append(Coded(codes, names))
    edges = [_rows(data, starts[rows], ends[rows]) for rows in (slice(0, _EDGE), slice(-_EDGE, None))]
    return PlainColumns(columns, lines[1:], *edges)


def padded(text: str) -> bytes | None:
    """The text with its rows ended in one way, and room behind; None where letters are broken or row ends are mixed."""
    if "\r" in text:
        if text.count("\r") != text.count("\r\n"):
            return None
        text = text.replace("\r\n", "\n")
    try:
        return text.rstrip("\n").encode("utf-8") + _SPARE
    except UnicodeEncodeError:  # half of a letter
        return None


def even_rows(letters: NDArray[np.uint8], marks: bytes, *, quoted: bool) -> NDArray[np.int64] | None:
    """Where these marks stand, (rows, marks of a row), if every row has the same marks in the same order, else None.

    Ends of rows are among the marks. ``quoted``: between quotation marks a mark is a letter like any other.
    """
    letters = letters[: 1 - len(_SPARE)]
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


def _cells(
    data: bytes, delimiter: bytes, *, quoted: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
    """Where the cells of each row begin and end, without their quotation marks, and the line of each row."""
    letters = np.frombuffer(data, dtype=np.uint8)[: 1 - len(_SPARE)]
    ends = even_rows(np.frombuffer(data, dtype=np.uint8), delimiter + b"\n", quoted=quoted)
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


def _unquoted(
    letters: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
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
