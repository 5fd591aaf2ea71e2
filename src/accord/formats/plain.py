"""Plain tables, long (one row per rating) or wide (one column per rater): read by the ratings room, written here."""

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from accord.errors import FormatError
from accord.formats.detection import objects
from accord.formats.imported import Action, Imported, Repair, RepairLog
from accord.formats.options import ReadOptions
from accord.formats.rows import (
    RatingRow,
    lost_answers,
    lost_columns,
    lost_spans,
    plain_number,
    rating_rows,
    spelled,
)
from accord.ratings.data_package import METADATA_KEY, package_text
from accord.ratings.raw import FILE_STEP
from accord.ratings.read import read as read_table
from accord.ratings.table import OPTIONAL_COLUMNS, Ratings
from accord.ratings.text_file import GUESSED
from accord.tables.csv_lines import csv_writer, guarded
from accord.words import counted

__all__ = [
    "columns_of", "detect_csv", "detect_jsonl", "detect_parquet", "detect_tsv", "detect_wide", "read_csv", "read_jsonl",
    "read_parquet", "read_tsv", "read_wide_csv", "read_xlsx", "wide_rows", "write_csv", "write_jsonl",
    "write_parquet", "write_tsv", "write_wide_csv",
]  # fmt: skip


def _reader(format: str) -> Callable[[Path, ReadOptions], Imported]:
    """A reader of plain tables of one kind of file."""

    def read(path: Path, options: ReadOptions) -> Imported:
        ratings = _table(path, options, format)
        return Imported(ratings, format=format, log=_guesses(ratings))

    return read


def _wide_reader(format: str, kind: str) -> Callable[[Path, ReadOptions], Imported]:
    """A reader of tables with one column per rater."""

    def read(path: Path, options: ReadOptions) -> Imported:
        wide = options.table.get("wide", True)
        ratings = _table(path, options, kind, wide=wide)
        return Imported(ratings, format=format, log=_guesses(ratings))

    return read


read_csv, read_tsv, read_jsonl = _reader("csv"), _reader("tsv"), _reader("jsonl")
read_parquet, read_xlsx, read_wide_csv = _reader("parquet"), _reader("xlsx"), _wide_reader("wide-csv", "csv")


def _table(path: Path, options: ReadOptions, kind: str, **more: Any) -> Ratings:
    named: dict[str, Any] = {name: value for name, value in options.table.items() if name not in more}
    ratings: Ratings = read_table(path, format=kind, encoding=options.encoding, **options.building, **named, **more)
    return ratings


def _guesses(ratings: Ratings) -> RepairLog:
    """Rows that are no ratings, and an encoding that had to be guessed, which may have changed any letter."""
    guessed = [Repair(Action.GUESSED, note) for note in ratings.notes if GUESSED in note]
    left = [_dropped(ratings, place, reason) for place, reason in ratings.left_out]
    words = [
        Repair(Action.DROPPED, remark.message.partition(": ")[2], int(row) if row.isdigit() else None)
        for remark in ratings.remarks
        for row in remark.rows
    ]
    return RepairLog((*guessed, *left, *words))


def _dropped(ratings: Ratings, place: int, reason: str) -> Repair:
    """A row that is no rating, with its sheet or file where there are several."""
    file, line = divmod(place, FILE_STEP)
    files = ratings.places.files if ratings.places else ()
    return Repair(Action.DROPPED, reason, line, files[file] if files else "")


def _delimited_by(delimiter: str) -> Callable[[str, Path], str | None]:
    """Whether the first line holds several cells parted like this."""
    word = {",": "commas", "\t": "tabs", ";": "semicolons"}[delimiter]

    def detect(sample: str, path: Path) -> str | None:
        line = sample.split("\n", 1)[0]
        if delimiter in line and not sample.lstrip().startswith(("{", "[", "PK", "PAR1", "$FL")):
            return f"a header separated by {word}"
        return None

    return detect


detect_csv, detect_tsv = _delimited_by(","), _delimited_by("\t")


def detect_wide(sample: str, path: Path) -> str | None:
    """Never: a table with one column per rater is a plain one until it is named."""
    return None


def detect_jsonl(sample: str, path: Path) -> str | None:
    found = objects(sample, 1)
    return "JSON objects with named cells" if found else None


def detect_parquet(sample: str, path: Path) -> str | None:
    return "the file begins with PAR1" if sample.startswith("PAR1") else None


def columns_of(ratings: Ratings) -> list[str]:
    """The columns of a long table: the contract's in its order, then the user's own."""
    there = {*ratings.columns, *ratings.numbers}
    known = [name for name in OPTIONAL_COLUMNS if name in there]
    return ["item", "rater", "value", *known, *sorted(there - set(known))]


def _cells(row: RatingRow, columns: Sequence[str]) -> list[str]:
    first = {"item": row.item, "rater": row.rater, "value": spelled(row.value)}
    return [first[name] if name in first else row.name(name) for name in columns]


def _delimited(imported: Imported, path: Path, delimiter: str) -> tuple[str, ...]:
    columns = columns_of(imported.ratings)
    out = io.StringIO(newline="")
    writer = csv_writer(out, delimiter)
    writer.writerow(columns)
    changed = 0
    for row in rating_rows(imported.ratings):
        cells = _cells(row, columns)
        safe = [guarded(cell) for cell in cells]
        changed += safe != cells
        writer.writerow(safe)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    return (
        *lost_spans(imported),
        *lost_answers(imported),
        *_guard_words(changed),
        *_set_words(imported.ratings),
    )


def write_csv(imported: Imported, path: Path) -> tuple[str, ...]:
    return _delimited(imported, path, ",")


def write_tsv(imported: Imported, path: Path) -> tuple[str, ...]:
    return _delimited(imported, path, "\t")


def _guard_words(changed: int) -> tuple[str, ...]:
    rows = counted(changed, "row has", "rows have")
    return (f"{rows} text that begins like a formula; an apostrophe was put in front of it.",) if changed else ()


def _set_words(ratings: Ratings) -> tuple[str, ...]:
    return (
        ("Sets of labels are written with bars between; read them with separator='|'.",)
        if ratings.scale.has_sets
        else ()
    )


def _record(row: RatingRow) -> dict[str, Any]:
    value: Any = row.value
    if isinstance(value, float):
        value = plain_number(value)
    elif isinstance(value, frozenset):
        value = sorted(value)
    more = {name: plain_number(cell) if isinstance(cell, float) else cell for name, cell in row.more.items()}
    return {"item": row.item, "rater": row.rater, "value": value, **more}


def write_jsonl(imported: Imported, path: Path) -> tuple[str, ...]:
    with path.open("w", encoding="utf-8", newline="") as out:
        for row in rating_rows(imported.ratings):
            out.write(json.dumps(_record(row), ensure_ascii=False) + "\n")
    return (*lost_spans(imported), *lost_answers(imported))


def write_parquet(imported: Imported, path: Path) -> tuple[str, ...]:
    """Through a JSON lines file beside it, which DuckDB turns into Parquet with the types stated."""
    import duckdb

    ratings = imported.ratings
    beside = path.with_name(path.name + ".rows")
    # Where one criterion has sets of labels and another has numbers, a column of one type holds them as CSV would.
    mixed = ratings.scale.has_sets and not all(isinstance(value, frozenset) for value in ratings.scale.values)
    with beside.open("w", encoding="utf-8", newline="") as out:
        for row in rating_rows(ratings):
            record = _record(row) | ({"value": spelled(row.value)} if mixed else {})
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    sets = ratings.scale.has_sets and not mixed
    kind = "DOUBLE" if ratings.scale.is_numeric else "VARCHAR[]" if sets else "VARCHAR"
    kinds = {name: "DOUBLE" if name in ratings.numbers else "VARCHAR" for name in columns_of(ratings)} | {"value": kind}
    described = package_text(ratings.codebook, path.name, None, list(kinds), numbers=tuple(ratings.numbers))
    stated = ", ".join(f"{_quoted(name)}: '{kind}'" for name, kind in kinds.items())
    try:
        with duckdb.connect() as connection:
            connection.execute(
                f"COPY (SELECT * FROM read_json({_quoted(str(beside))}, columns={{{stated}}}, "  # noqa: S608
                f"format='newline_delimited')) TO {_quoted(str(path))} "
                f"(FORMAT parquet, KV_METADATA {{{METADATA_KEY}: {_quoted(described)}}})"
            )
    finally:
        beside.unlink(missing_ok=True)
    words = _set_words(ratings) if mixed else ()
    return (*lost_spans(imported), *lost_answers(imported), *words)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def wide_rows(rows: Sequence[RatingRow], across: str) -> tuple[list[str], dict[tuple[str, ...], dict[str, str]], bool]:
    """A wide table: names across, the cells of each item (and criterion), and whether a cell was needed twice."""
    names: dict[str, None] = {}
    table: dict[tuple[str, ...], dict[str, str]] = {}
    twice = False
    for row in rows:
        name, criterion = row.rater, row.name("criterion")
        key = (row.item, criterion)
        if across == "criterion":
            name, key = criterion or "value", (row.item, row.rater)
        names.setdefault(name)
        cells = table.setdefault(key, {})
        twice |= name in cells
        cells[name] = spelled(row.value)
    return list(names), table, twice


def write_wide_csv(imported: Imported, path: Path) -> tuple[str, ...]:
    """One row an item (and criterion), one column per rater."""
    raters, table, twice = wide_rows(list(rating_rows(imported.ratings)), "rater")
    if twice:
        raise FormatError("A wide table has one cell for an item and a rater, but some rated an item several times.")
    criteria = any(criterion for _, criterion in table)
    keys = ["item", "criterion"] if criteria else ["item"]
    out = io.StringIO(newline="")
    writer = csv_writer(out)
    changed = 0
    for row in (
        [*keys, *raters],
        *([*key[: len(keys)], *(cells.get(rater, "") for rater in raters)] for key, cells in table.items()),
    ):
        safe = [guarded(cell) for cell in row]
        changed += safe != row
        writer.writerow(safe)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    return (
        *lost_spans(imported),
        *lost_answers(imported),
        *lost_columns(imported.ratings, {"criterion"}),
        *_guard_words(changed),
        *_set_words(imported.ratings),
    )
