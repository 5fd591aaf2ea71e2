"""A plain text is read column by column with the same result as row by row, whatever the text holds."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from accord import agreement
from accord.errors import AccordError
from accord.ratings import cell_coding, csv_file, parquet_file, plain_text
from accord.ratings.cell_coding import code_keys, coded_cells
from accord.ratings.csv_file import read_csv_text
from accord.ratings.factor import Coded
from accord.ratings.files import read_file
from accord.ratings.names import LaterNames
from accord.ratings.plain_text import plain_columns
from accord.ratings.read import read
from accord.ratings.text_file import FileText

CELLS = st.sampled_from(
    [
        "a", "b", "01", "1", "1,5", "", " ", "x y", '"', '""', 'say "no"', "ü", "日本", "long " * 12, "\t", ";", "n",
        "total", "line\nbreak", "cr\rhere", "crlf\r\nhere", "\u2028", "-", "7", "77", "777777777777", "seg-123456789",
    ]
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str | None]:
    """A table in text, mostly well-formed, and the separator that the reader is told."""
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    newline = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    width = draw(st.integers(1, 4))
    plain = draw(st.booleans())
    cell = st.sampled_from(["a", "bb", "3", "", "seg-10", "ü"]) if plain else CELLS
    rows = draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=14))
    marks = draw(st.sampled_from(["never", "where needed", "always"]))
    lines = [separator.join(_written(one, separator, marks) for one in row) for row in rows]
    if draw(st.integers(0, 4)) == 0:
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(["", " ", "a", 'x"y', '"open', '"a"b,c'])))
    end = draw(st.sampled_from(["", newline, newline * 2]))
    return newline.join(lines) + end, draw(st.sampled_from([None, separator]))


def _written(cell: str, separator: str, marks: str) -> str:
    needed = any(sign in cell for sign in (separator, '"', "\n", "\r"))
    if marks == "never" or (marks == "where needed" and not needed):
        return cell
    return '"' + cell.replace('"', '""') + '"'


def outcome(text: str, separator: str | None) -> Any:
    try:
        table = read_csv_text(FileText(text, ("noted",)), "file.csv", separator)
    except AccordError as error:
        return type(error), str(error)
    columns = {name: list(cells) for name, cells in table.columns.items()}
    return columns, np.asarray(table.row_numbers).tolist(), table.notes, table.left_out


@settings(max_examples=500, deadline=None)
@given(texts(), st.sampled_from([1, 12, 50, 1 << 18]))
@example(("a,b\n" + '"x\ny",1\n' * 9, ","), 30)
@example(("a,b\n" + '"x""y",1\n' * 9 + 'z,"""q"""\n', ","), 30)
@example(("a\tb\n" + '5" disk\t1\n' * 9, None), 30)
@example(("a,b\n" + "x,1\n" * 9 + "x,1,2\n" * 9, ","), 30)
@example(("a,b\n" + "x,1\n" * 9 + f"{'long ' * 12},2\n" * 3 + "x,1\n" * 9, ","), 30)
@example(("a,b\n" + "x,1\n" * 9 + "name-of-16-bytes,2\n" * 3 + "x,1\n" * 9, ","), 30)
def test_columns_and_rows_give_the_same_table_or_the_same_error(made: tuple[str, str | None], part: int) -> None:
    text, separator = made
    if not text.strip():
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(csv_file, "WORTH_CODING", 0)
        patched.setattr(plain_text, "_PART", part)
        by_column = outcome(text, separator)
        patched.setattr(csv_file, "plain_columns", lambda *_, **__: None)
        assert by_column == outcome(text, separator)


@pytest.mark.parametrize(
    "text",
    [
        "item,rater,value\n" + "".join(f"s{n // 3},r{n % 3},{n % 7}\n" for n in range(60)),
        '"item","rater","value"\n' + "".join(f'"s{n // 3}","r{n % 3}",{n % 7}\n' for n in range(60)),
        "item;text\r\n" + "".join(f"s{n};words with ü {n % 4}{' and more' * 9}\r\n" for n in range(30)),
        "item,text\n" + "".join(f's{n},"two\nlines, and ""marks"" {n % 4}"\n' for n in range(30)),
    ],
)  # fmt: skip
def test_everyday_files_are_read_by_columns(text: str) -> None:
    separator = ";" if ";" in text.partition("\n")[0] else ","
    assert plain_columns(text, separator, 1000, quoted=True) is not None


def test_a_file_of_many_parts_has_the_table_and_the_lines_of_its_rows() -> None:
    rows = [f"s{n // 3},r{n % 3},{n % 7}" for n in range(100_000)]
    for quoted in (False, True):
        text = "\n".join(["item,rater,value", '"two\nlines",r,1' if quoted else "one,r,1", *rows])
        found = plain_columns(text, ",", 1000, quoted=True)
        assert found is not None and len(text) > 3 * plain_text._PART
        assert found.lines[:2].tolist() == [2, 4 if quoted else 3]
        assert found.lines[-1] == len(rows) + (3 if quoted else 2)
        cells = list(zip(*map(list, found.columns), strict=True))[1:]
        assert [",".join(row) for row in cells] == rows
        assert [",".join(row) for row in found.last_rows] == rows[-4:]


@given(st.lists(st.text(alphabet="abü\x01\x7f", max_size=30), min_size=1, max_size=60))
def test_cells_are_coded_in_the_order_of_first_appearance(cells: list[str]) -> None:
    parts = [cell.encode() for cell in cells]
    ends = np.cumsum([len(part) for part in parts])
    codes, names = coded_cells(b"".join(parts) + b"\0" * 8, ends - [len(part) for part in parts], ends)
    assert names == list(dict.fromkeys(cells))
    assert [names[code] for code in codes] == cells


@pytest.mark.parametrize(
    ("odd", "later"),
    [
        ([], True), (["a-ü-in-the-middle"], True), (["seg-123456789-123456"], True), (["x" * 48], True),
        ([" a"], False), (["a "], False), (["", "b"], False), (["über"], False), (["é" * 40], False),
    ],
)  # fmt: skip
def test_many_different_cells_become_texts_when_somebody_looks_unless_blanks_may_be_around_them(odd, later) -> None:
    cells = [f"s{n // 2}" for n in range(3000)] + odd
    parts = [cell.encode() for cell in cells]
    ends = np.cumsum([len(part) for part in parts])
    codes, names = coded_cells(b"".join(parts) + b"\0" * 8, ends - [len(part) for part in parts], ends)
    assert isinstance(names, LaterNames) is later
    assert list(names) == list(dict.fromkeys(cells))
    assert [names[code] for code in codes.tolist()] == cells


def test_keys_that_share_their_mixed_bits_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_coding, "_PART", 7_000)  # both keys come again in other parts
    # More different keys than the first table has places: many fall on one place and must be told apart.
    keys = np.random.default_rng(1).permutation(np.repeat(np.arange(20_000, dtype=np.uint64), 3))
    keys[:8000] = 5
    codes, first = code_keys([keys, keys % np.uint64(7)])
    assert np.array_equal(keys[first][codes], keys) and len(first) == len(np.unique(keys))
    assert np.array_equal(first, np.sort(first))


def test_texts_of_a_parquet_file_are_the_same_coded_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    texts = np.array(["", "a", " a", "ü", "01", "1", None, "x" * 99], dtype=object)
    columns = {"item": [f"s{n}" for n in rng.integers(0, 90, 400)], "Note": texts[rng.integers(0, 8, 400)].tolist()}
    table = pyarrow.table({**columns, "value": rng.integers(0, 5, 400), "none": pyarrow.array([None] * 400, "string")})
    path = tmp_path / "ratings.parquet"
    parquet.write_table(table, path, row_group_size=64)
    fetched = {name: list(cells) for name, cells in read_file(path).columns.items()}
    monkeypatch.setattr(parquet_file, "_WORTH_CODING", 0)
    coded = read_file(path)
    assert isinstance(coded.columns["item"], Coded) and isinstance(coded.columns["none"], Coded)
    assert {name: list(cells) for name, cells in coded.columns.items()} == fetched
    monkeypatch.setattr(parquet_file, "code_keys", lambda keys: code_keys([keys[0] % np.uint64(3)]))
    assert {name: list(cells) for name, cells in read_file(path).columns.items()} == fetched
    monkeypatch.setattr(parquet_file, "_WORTH_ARROW", 0)
    in_arrow = read_file(path)
    assert isinstance(in_arrow.columns["item"].distinct, LaterNames)
    assert not isinstance(in_arrow.columns["Note"].distinct, LaterNames)  # blanks are around some
    assert {name: list(cells) for name, cells in in_arrow.columns.items()} == fetched
    parquet.write_table(table.select(["Note", "item"]), path)
    assert {name: list(cells) for name, cells in read_file(path).columns.items()} == {
        name: fetched[name] for name in ("Note", "item")
    }


def test_a_large_parquet_file_has_the_same_ratings_with_and_without_arrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(f"s{item}", rater, (item * 7 + len(rater)) % 5) for item in range(50) for rater in ("ann", "berta", "c")]
    table = pyarrow.table(dict(zip(("item", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True)))
    path = tmp_path / "ratings.parquet"
    parquet.write_table(table, path)
    monkeypatch.setattr(parquet_file, "_WORTH_CODING", 0)
    without = read(path)
    monkeypatch.setattr(parquet_file, "_WORTH_ARROW", 0)
    found = read(path)
    assert isinstance(found.item.names, LaterNames) and found.item.names._made is None  # nobody looked at any
    assert (found.fingerprint, found.notes) == (without.fingerprint, without.notes)
    assert tuple(found.item.names) == tuple(without.item.names)
    assert agreement(found).to_dict() == agreement(without).to_dict()
