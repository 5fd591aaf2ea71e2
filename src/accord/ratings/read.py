"""Read ratings from a file, a data frame or an array."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accord.arrays import in_an_array
from accord.design.scale import Level
from accord.errors import ColumnError, FormatError, OptionError, UnreadableFileError
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook
from accord.ratings.coding import MISSING_TOKENS, code_column, code_names
from accord.ratings.column_names import is_metadata
from accord.ratings.data_package import Described
from accord.ratings.declared import DeclaredDirection, DeclaredScale, listed_scale
from accord.ratings.described import described_source
from accord.ratings.files import is_large, read_file, read_stream
from accord.ratings.frames import read_frame
from accord.ratings.header_scales import HeaderScale, header_scales
from accord.ratings.item_columns import filled_down, with_item
from accord.ratings.kind_column import with_kind_column
from accord.ratings.mapping import ColumnMap, map_columns, text_columns
from accord.ratings.raw import FILE_STEP, RawTable, table_of_records
from accord.ratings.repeats import joined, sign_between
from accord.ratings.respondents import without_void_rows
from accord.ratings.several import fit_in_memory, is_paths, is_several, listed_files, read_files
from accord.ratings.shapes import NO_ITEM, Shape, shape_of
from accord.ratings.spark_engine import is_spark_frame
from accord.ratings.table import Factor, Ratings
from accord.ratings.whole_table import ratings_of_whole_table
from accord.ratings.wide import long_columns
from accord.words import set_by, shown_names

__all__ = ["ratings_of_table", "read"]

_SILENT = Codebook()
"""What is known where nobody said anything."""


def read(
    source: Any,
    *,
    item: str | Sequence[str] | None = None,
    rater: str | None = None,
    value: str | Sequence[str] | None = None,
    criterion: str | None = None,
    columns: Mapping[str, str] | None = None,
    level: Level | str | None = None,
    scale: DeclaredScale | Mapping[str, DeclaredScale] | None = None,
    scales: Mapping[str, DeclaredScale] | None = None,
    direction: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None = None,
    codebook: Codebook | None = None,
    wide: bool | Sequence[str] | None = None,
    duplicates: str | None = None,
    missing: Iterable[str] = MISSING_TOKENS,
    separator: str | None = None,
    map_rater: Mapping[str, str] | None = None,
    drop_off_scale: bool = False,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | int | None = None,
    engine: str | None = None,
    memory: str | None = None,
    master: str | None = None,
    **optional: str | None,
) -> Any:
    """Read ratings: one row per rating, one column per criterion (several ``value``), or one per rater (``wide``).

    ``source`` is a path (CSV, TSV, JSON lines, Parquet, .xlsx), a pattern or a list of paths, any data frame
    Narwhals knows, or a two-dimensional array of items x raters. ``item``, ``rater``, ``value``, ``criterion``
    and the other columns of the contract (``document="docId"``) name the user's columns; those not named are
    found by common names, and ``Ratings.notes`` states every guess. ``direction`` says which end of a scale is good.
    A codebook beside the files (``datapackage.json``) is used unless ``codebook`` is given; options come before both.

    Files of more than about five million ratings, PySpark frames, and anything with an ``engine``
    (duckdb or spark) are not read but counted where they lie: the result is then a
    :class:`~accord.ratings.stored.StoredRatings`, which gives counts and no rows. ``engine="memory"``
    reads any file whole.
    """
    named = {"item": item, "rater": rater, "value": value, "criterion": criterion, **(columns or {}), **optional}
    is_file = isinstance(source, str | os.PathLike | list | tuple)
    said = described_source(source) if codebook is None and is_file else Described(codebook or _SILENT)
    given = {role: column for role, column in named.items() if column is not None}
    if said.columns and not wide:
        given = {role: parts if len(parts) > 1 else parts[0] for role, parts in said.columns.items()} | given
    options: dict[str, Any] = {"format": format, "encoding": encoding, "delimiter": delimiter, "sheet": sheet}
    meant: dict[str, Any] = {"level": level, "scale": scale, "scales": scales, "direction": direction}
    meant["codebook"] = said.codebook
    made = _Making(missing, map_rater, drop_off_scale, duplicates)
    lies = is_file or engine is not None or type(source).__module__.startswith("pyspark.")
    stays = where_it_lies(source, engine) if lies else None
    if stays is not None:
        _refuse({**made.asked, "wide": wide, **options, "delimiter": None, "several values": _several(value)})
        reached = {"engine": stays, "memory": memory, "master": master}
        return _stored(source, reached, notes=said.notes, separator=separator, **meant, **given)
    if master is not None:
        raise OptionError("A master belongs to engine='spark' (--engine spark).")
    table = _of_files(source, **options) if is_file or hasattr(source, "read") else read_frame(source)
    table = replace(table, notes=(*table.notes, *said.notes)) if said.notes else table
    made = made._replace(missing=(*missing, *said.missing)) if said.missing else made
    return ratings_of_table(table, given, wide=wide, separator=separator, **made._asdict(), **meant)


class _Making(NamedTuple):
    """How ratings are made of the rows that were read."""

    missing: Iterable[str]
    map_rater: Mapping[str, str] | None
    drop_off_scale: bool
    duplicates: str | None

    @property
    def asked(self) -> dict[str, Any]:
        """What the user said of it."""
        return {name: option for name, option in self._asdict().items() if option is not MISSING_TOKENS}


def _several(names: str | Sequence[str] | None) -> Sequence[str] | None:
    return names if names is not None and not isinstance(names, str) and len(names) > 1 else None


def where_it_lies(source: Any, engine: str | None) -> str | None:
    """The engine that must count this source; None if it is read into memory."""
    if is_spark_frame(source):
        return "spark"
    if engine == "memory":
        return None
    if engine is not None:
        if isinstance(source, str | os.PathLike) or is_paths(source):
            return engine
        what = type(source).__name__
        raise OptionError(f"An engine counts files; this is in memory already ({what}). Leave engine={engine!r} out.")
    if is_several(source):
        return None if fit_in_memory(source) else "duckdb"
    return "duckdb" if isinstance(source, str | os.PathLike) and is_large(Path(source)) else None


def _refuse(options: Mapping[str, Any]) -> None:
    asked = [name for name, value in options.items() if value not in (None, False)]
    if asked:
        raise OptionError(f"{' and '.join(asked)} cannot be used with ratings that are counted where they lie.")


def _stored(source: Any, reached: Mapping[str, Any], **options: Any) -> Any:
    from accord.ratings.open_stored import open_spark_frame, open_stored

    if is_spark_frame(source):
        return open_spark_frame(source, **options)
    return open_stored(source, **{name: value for name, value in reached.items() if value is not None}, **options)


def _of_files(source: Any, **options: Any) -> RawTable:
    if is_several(source):
        return read_files(listed_files(source), **options)
    if isinstance(source, str | os.PathLike):
        return read_file(Path(source), **options)
    if callable(getattr(source, "read", None)):
        return read_stream(source, **options)
    if isinstance(source, list | tuple) and source and all(isinstance(one, Mapping) for one in source):
        return table_of_records(source, range(1, len(source) + 1), "")
    return read_frame(source)


_EVERY_REVISION = {"uuid", "revision", "superseded_by", "systems_shown"}
"""Columns of the export of all judgements: its items stand without their system, and replaced answers are in it."""


def ratings_of_table(
    table: RawTable,
    given: Mapping[str, str | Sequence[str]],
    *,
    wide: bool | Sequence[str] | None = None,
    codebook: Codebook | None = None,
    **build: Any,
) -> Ratings:
    """Ratings of a raw table: find the columns, make wide tables long, build."""
    unsaid = all(one is None or one is False or one is MISSING_TOKENS for one in (wide, *build.values()))
    nothing_said = unsaid and not given and codebook in (_SILENT, None)
    if nothing_said and (whole := ratings_of_whole_table(table)) is not None:
        return whole
    table = without_void_rows(table)
    names = list(table.columns)
    if set(names) >= _EVERY_REVISION:
        raise FormatError(
            f"{table.source or 'The table'} holds every judgement that was ever made, with what replaced it. Read the "
            "ratings that count instead: ratings.csv, or the study itself."
        )
    outside = list(wide) if wide is not None and not isinstance(wide, bool) else []
    mapped = with_item(table, map_columns([name for name in names if name not in outside], given), given)
    mapped = with_kind_column(table, mapped, given)
    if {"item", "rater"} <= mapped.columns.keys():
        table = filled_down(table, mapped)
    shape = shape_of(table, mapped, wide, list(given))
    mapped = mapped.without_value(shape.columns) if shape.cells and "value" in mapped.columns else mapped
    meaning = mapped.told(codebook or Codebook(), [name for name in names if name not in shape.columns])
    notes = [*table.notes, *(guess for guess in meaning.guesses if guess not in (codebook or Codebook()).guesses)]
    notes += [shape.note] if shape.note and wide is None else []
    if table.orders and all(build.get(name) is None for name in ("level", "scale", "scales")):
        build |= _declared_orders(table, shape, mapped)
    if any(sign in name for name in names for sign in ")]"):
        build["headers"] = _header_scales(shape, mapped)
    named = {"source": table.source, "files": table.files, "notes": notes, "codebook": meaning, **build}
    others = {role: _column(table, role, parts) for role, parts in mapped.columns.items()}
    if "rater" not in others and table.files and not any(cell.rater for cell in shape.cells):
        others["rater"] = _files_as_raters(table)
        notes.append(f"no column names who rated; each file is taken as a rater: {shown_names(list(table.files))}")
    languages = mapped.columns.get("language_pair", ())
    kept = (*mapped.rest(names), *(languages if len(languages) > 1 else ()))
    own = {name: table.columns[name] for name in kept if name not in others}
    if not shape.cells:
        _require_long(set(others), mapped, table)
        return _named(build_ratings({**others, **own}, row_numbers=table.row_numbers, **named), table, mapped)
    _settle_roles(shape, others, notes)
    own = {name: column for name, column in own.items() if name not in shape.columns}
    columns, lines = long_columns(table, shape.cells, {**others, **own})
    return _named(build_ratings(columns, row_numbers=lines, **named), table, mapped)


def _named(ratings: Ratings, table: RawTable, mapped: ColumnMap) -> Ratings:
    """The ratings with the user's own names of columns, and the rows of the file that are none of them."""
    called = {parts[0]: role for role, parts in mapped.columns.items() if len(parts) == 1 and parts[0] != role}
    named = replace(ratings, called=called, left_out=table.left_out)
    # How the rows lie was looked at before, and they are the same.
    vars(named).update({known: vars(ratings)[known] for known in ("layout", "repeats_cells") if known in vars(ratings)})
    return named


def _declared_orders(table: RawTable, shape: Shape, mapped: ColumnMap) -> dict[str, Any]:
    """The scales of columns that say their order themselves."""
    ordered = {
        name: listed_scale(values, {}, Level.ORDINAL, spelled=", ".join(map(str, values)))
        for name, values in table.orders.items()
        if len(values) > 1
    }
    by_criterion = {cell.criterion: ordered[cell.column] for cell in shape.cells if cell.column in ordered}
    if by_criterion and "" not in by_criterion:
        return {"scales": by_criterion}
    held = shape.columns or list(mapped.columns.get("value", ()))
    scales = [ordered.get(name) for name in held]
    return {"scale": scales[0]} if scales and scales[0] is not None and all(one == scales[0] for one in scales) else {}


def _header_scales(shape: Shape, mapped: ColumnMap) -> Mapping[str, HeaderScale]:
    """The scales that the names of the columns of values name, by criterion."""
    held = [("", name) for name in mapped.columns.get("value", ())] if "criterion" not in mapped.columns else []
    return header_scales([(cell.criterion, cell.column) for cell in shape.cells] or held)


def _settle_roles(shape: Shape, others: dict[str, Any], notes: list[str]) -> None:
    """Leave out what the columns of values say themselves, and say what stands for an item that no column names."""
    if shape.cells[0].rater:
        others.pop("rater", None)
    others.pop("value", None)
    if shape.respondents:
        others.pop("item", None)
        if "rater" not in others:
            notes.append("there is no column of respondents; a respondent is a row of the table")
    elif "item" not in others:
        notes.append(NO_ITEM)


def _files_as_raters(table: RawTable) -> Factor:
    codes = (in_an_array(table.row_numbers) // FILE_STEP).astype(np.int32)
    return Factor(codes, tuple(Path(name).stem for name in table.files))


def _column(table: RawTable, role: str, parts: Sequence[str]) -> Any:
    """A column, or several put together: an item made of document and segment, a pair of two languages."""
    if len(parts) == 1:
        return table.columns[parts[0]]
    factors = [code_names(table.columns[part]) for part in parts]
    whole = factors[0]
    for factor in factors[1:]:
        whole = joined(whole, factor, sign_between(role))
    return whole


def _require_long(there: set[str], mapped: ColumnMap, table: RawTable) -> None:
    names, source = list(table.columns), table.source
    absent = [role for role in ("item", "rater", "value") if role not in there]
    if not absent:
        return
    if len(names) < 2:
        raise UnreadableFileError(f"{source or 'The table'} has a single column ({shown_names(names)}), so no ratings.")
    role, example = absent[0], _likeliest(table, mapped.rest(names))
    how = f", for example {set_by(role, repr(example))}," if example else f" with {set_by(role, 'COLUMN')},"
    tool = _LABEL_STUDIO if {"annotation_id", "lead_time"} <= set(names) else ""
    raise ColumnError(
        f"{source + ': n' if source else 'N'}o column is named like {' or '.join(absent)}. Say which it is{how} or "
        f"{set_by('wide', python=True)} if each rater has a column. The columns are: {shown_names(names)}.{tool}"
    )


_LABEL_STUDIO = (
    " It looks like the CSV of Label Studio, whose JSON export says which column is the answer: give that one."
)


def _likeliest(table: RawTable, names: Sequence[str]) -> str:
    """The column whose cells differ least, as answers do, but differ; the first where none does."""
    texts = set(text_columns(names))
    plain = [name for name in names if not is_metadata(name) and name not in texts]
    different = {name: len(code_column(table.columns[name]).distinct) for name in plain}
    several = {name: number for name, number in different.items() if number > 1}
    return min(several, key=several.__getitem__) if several else next(iter(names), "")
