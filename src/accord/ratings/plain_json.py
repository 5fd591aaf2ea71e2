"""JSON lines that are plain: every line is an object with the same names in the same order, and no cell is nested.

Whatever is not plain is left to the reader that looks at each line and can say what is wrong with it.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.arrays import distinct
from accord.ratings.cell_coding import Ends, coded_cells, words_of
from accord.ratings.coding import coded_values
from accord.ratings.factor import Coded
from accord.ratings.plain_text import even_rows, letters_of, padded

__all__ = ["plain_json_columns"]

_MARKS = b"{}[]:,\n"


def plain_json_columns(text: str) -> dict[str, Coded] | None:
    """The cells of each name, in the order of the lines; None where anything is not plain."""
    data = padded(text)
    # Behind a backslash a quotation mark closes nothing; other escapes are read with the cells that hold them.
    if data is None or b'\\"' in data:
        return None
    letters = letters_of(data)
    marks = even_rows(letters, _MARKS, quoted=True)
    if marks is None or len(marks[0]) % 2 or bytes(letters[marks[0]]) != _pattern(len(marks[0])):
        return None
    starts, ends = marks[:, :-1] + 1, marks[:, 1:]
    # An object fills its line: it begins behind the end of the line before, and the line ends behind it.
    if (marks[0, 0], *distinct(marks[1:, 0] - marks[:-1, -1])) != (0, 1) or (starts[:, -1] != ends[:, -1]).any():
        return None
    names = [_only_cell(data, starts[:, place], ends[:, place]) for place in range(0, marks.shape[1] - 2, 2)]
    if len(set(names)) < len(names) or not all(isinstance(name, str) for name in names):
        return None
    columns = [_coded(data, starts[:, place], ends[:, place]) for place in range(1, marks.shape[1] - 2, 2)]
    if any(column is None for column in columns):
        return None
    return {str(name): column for name, column in zip(names, columns, strict=True) if column is not None}


def _pattern(marks: int) -> bytes:
    return b"{" + b",".join([b":"] * (marks // 2 - 1)) + b"}\n"


def _only_cell(data: bytes, starts: Ends, ends: Ends) -> Any:
    """What stands in a cell that is the same in every row; None where it is not."""
    first, last = int(starts[0]), int(ends[0])
    if (ends - starts != last - first).any() or any((w != w[0]).any() for w in words_of(data, starts, ends - starts)):
        return None
    found = _parsed([data[first:last].decode("utf-8")])
    return None if found is None else found[0]


def _coded(data: bytes, starts: Ends, ends: Ends) -> Coded | None:
    codes, tokens = coded_cells(data, starts, ends)
    cells = _parsed(tokens)
    if cells is None:
        return None
    # 5 and 5.0 are spelled differently and are one cell, as they are where each line is parsed alone.
    if len(set(cells)) < len(cells):
        place = {cell: number for number, cell in enumerate(dict.fromkeys(cells))}
        codes, cells = np.array([place[cell] for cell in cells], dtype=np.int32)[codes], list(place)
    return coded_values(codes, cells)


def _parsed(tokens: Sequence[str]) -> list[Any] | None:
    """The JSON of cells, parsed at once; None where one is no JSON."""
    try:
        cells = json.loads(f"[{','.join(tokens)}]")
    except (ValueError, RecursionError):
        return None
    return cells if len(cells) == len(tokens) else None
