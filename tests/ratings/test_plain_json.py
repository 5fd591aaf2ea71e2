"""JSON lines are read column by column with the same result as line by line, whatever they hold."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.ratings import json_file
from accord.ratings.factor import Coded
from accord.ratings.json_file import read_json_text
from accord.ratings.plain_json import plain_json_columns
from accord.ratings.text_file import FileText

CELLS = st.sampled_from(
    [1, 1.0, True, False, None, 0, "1", "", "a", "ü", "{", "a,b", "x:y", "}", "[1]", "line\nbreak", 'say "no"',
     "back\\", "\ud800", [1, 2], {"a": 1}, 1e30, -2.5, float("nan"), "long " * 12]
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    names = draw(st.lists(st.sampled_from(["item", "rater", "a b", "ü", "{x"]), min_size=1, max_size=3, unique=True))
    plain = draw(st.booleans())
    cell = st.sampled_from([1, 2.5, "a", "seg-1", None, "ü"]) if plain else CELLS
    rows = draw(st.lists(st.tuples(*[cell] * len(names)), min_size=1, max_size=9))
    separators = draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    letters = draw(st.booleans())
    lines = [
        json.dumps(dict(zip(names, row, strict=True)), separators=separators, ensure_ascii=letters) for row in rows
    ]
    if draw(st.integers(0, 3)) == 0:
        odd = draw(st.sampled_from(["", "{}", '{"item":1', "[1]", '{"item":1,"item":2}', '{"item" : 1 } ', "{,}"]))
        lines.insert(draw(st.integers(0, len(lines))), odd)
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return newline.join(lines) + draw(st.sampled_from(["", newline]))


def outcome(text: str) -> Any:
    try:
        table = read_json_text(FileText(text, ("noted",)), "file.jsonl")
    except AccordError as error:
        return type(error), str(error)
    # Cells by their spelling, which tells 1 from True and nan from nothing.
    columns = {name: [_spelled(cell) for cell in cells] for name, cells in table.columns.items()}
    return columns, np.asarray(table.row_numbers).tolist(), table.notes


def _spelled(cell: Any) -> str:
    return "nothing" if cell is None or cell != cell else repr(cell)


@settings(max_examples=500, deadline=None)
@given(texts())
@example('{"a":1}\n{"a":1}\n')
@example('{"a":"\\u00fc"}\n{"a":"ü"}\n')
@example('{"a":01}\n')
def test_columns_and_lines_give_the_same_table_or_the_same_error(text: str) -> None:
    if not text.strip():
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(json_file, "WORTH_CODING", 0)
        by_column = outcome(text)
        patched.setattr(json_file, "plain_json_columns", lambda _: None)
        by_line = outcome(text)
    if isinstance(by_line[0], dict) and isinstance(by_column[0], dict):
        # Equal cells of one column are one cell where they are coded: 1, 1.0 and True have the first spelling.
        by_line = ({name: _merged(cells) for name, cells in by_line[0].items()}, *by_line[1:])
        by_column = ({name: _merged(cells) for name, cells in by_column[0].items()}, *by_column[1:])
    assert by_column == by_line


def _merged(cells: list[str]) -> list[str]:
    return [{"True": "1", "1.0": "1", "False": "0"}.get(cell, cell) for cell in cells]


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_everyday_lines_are_read_by_columns(separators: tuple[str, str]) -> None:
    rows = [{"item": f"s{n // 3}", "rater": "Zoë", "value": n % 7, "note": None} for n in range(60)]
    text = "\n".join(json.dumps(row, separators=separators, ensure_ascii=False) for row in rows)
    columns = plain_json_columns(text)
    assert columns is not None and all(isinstance(column, Coded) for column in columns.values())
    assert [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)] == rows
