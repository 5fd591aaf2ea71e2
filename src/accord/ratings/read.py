"""Read ratings from a file, a data frame or an array."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.design.scale import Level
from accord.errors import ColumnError, OptionError, UnreadableFileError
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook
from accord.ratings.coding import MISSING_TOKENS, code_names
from accord.ratings.data_package import Described
from accord.ratings.declared import DeclaredDirection, DeclaredScale
from accord.ratings.described import described_source
from accord.ratings.files import is_large, read_file
from accord.ratings.frames import read_frame
from accord.ratings.mapping import ColumnMap, map_columns
from accord.ratings.raw import RawTable
from accord.ratings.repeats import joined
from accord.ratings.several import fit_in_memory, is_paths, is_several, listed_files, read_files
from accord.ratings.spark_engine import is_spark_frame
from accord.ratings.table import Ratings
from accord.ratings.wide import long_columns, rater_columns
from accord.words import shown_names

__all__ = ["ratings_of_table", "read"]


def read(
    source: Any,
    *,
    item: str | Sequence[str] | None = None,
    rater: str | None = None,
    value: str | None = None,
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
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | int | None = None,
    engine: str | None = None,
    memory: str | None = None,
    master: str | None = None,
    **optional: str | None,
) -> Any:
    """Read ratings: one row a rating, or ``wide`` with one column a rater.

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
    said = described_source(source) if codebook is None and is_file else Described(codebook or Codebook())
    given = {role: column for role, column in named.items() if column is not None}
    if said.columns and not wide:
        given = {role: parts if len(parts) > 1 else parts[0] for role, parts in said.columns.items()} | given
    options = {"format": format, "encoding": encoding, "delimiter": delimiter, "sheet": sheet}
    meant: dict[str, Any] = {"level": level, "scale": scale, "scales": scales, "direction": direction}
    meant["codebook"] = said.codebook
    lies = is_file or engine is not None or type(source).__module__.startswith("pyspark.")
    stays = where_it_lies(source, engine) if lies else None
    if stays is not None:
        _refuse({"wide": wide, "duplicates": duplicates, **options, "delimiter": None})
        reached = {"engine": stays, "memory": memory, "master": master}
        return _stored(source, reached, notes=said.notes, separator=separator, **meant, **given)
    if master is not None:
        raise OptionError("A master belongs to engine='spark' (--engine spark).")
    table = _of_files(source, **options) if is_file else read_frame(source)
    table = replace(table, notes=(*table.notes, *said.notes))
    return ratings_of_table(
        table, given, wide=wide, duplicates=duplicates, missing=missing, separator=separator, **meant
    )  # fmt: skip


def where_it_lies(source: Any, engine: str | None) -> str | None:
    """The engine that must count this source; None if it is read into memory."""
    if is_spark_frame(source):
        return "spark"
    if engine == "memory":
        return None
    if engine is not None:
        if isinstance(source, str | os.PathLike) or is_paths(source):
            return engine
        raise OptionError(f"engine={engine!r} counts files; this is a {type(source).__name__} in memory already.")
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
    return read_file(Path(source), **options) if isinstance(source, str | os.PathLike) else read_frame(source)


def ratings_of_table(
    table: RawTable,
    given: Mapping[str, str | Sequence[str]],
    *,
    wide: bool | Sequence[str] | None = None,
    codebook: Codebook | None = None,
    **build: Any,
) -> Ratings:
    """Ratings of a raw table: find the columns, make wide tables long, build."""
    names = list(table.columns)
    outside = list(wide) if wide is not None and not isinstance(wide, bool) else []
    mapped = map_columns([name for name in names if name not in outside], given)
    raters = rater_columns(table, mapped, wide)
    meaning = mapped.told(codebook or Codebook(), [name for name in names if name not in raters])
    notes = [*table.notes, *(guess for guess in meaning.guesses if guess not in (codebook or Codebook()).guesses)]
    named = {"source": table.source, "files": table.files, "notes": notes, "codebook": meaning, **build}
    others = {role: _column(table, parts) for role, parts in mapped.columns.items()}
    if not raters:
        _require_long(mapped, names, table.source)
        own = {name: table.columns[name] for name in mapped.rest(names) if name not in others}
        return build_ratings({**others, **own}, row_numbers=table.row_numbers, **named)
    others.pop("rater", None)
    others.pop("value", None)
    if wide is None:
        notes.append(f"read as a wide table, one column a rater: {shown_names(raters)}")
    if "item" not in others:
        notes.append("there is no item column; an item is a row of the table")
    own = {name: table.columns[name] for name in mapped.rest(names) if name not in raters and name not in others}
    columns, lines = long_columns(table, raters, {**others, **own})
    return build_ratings(columns, row_numbers=lines, **named)


def _column(table: RawTable, parts: Sequence[str]) -> Any:
    """A column, or several put together: the names of an item made of document and segment."""
    if len(parts) == 1:
        return table.columns[parts[0]]
    factors = [code_names(table.columns[part]) for part in parts]
    whole = factors[0]
    for factor in factors[1:]:
        whole = joined(whole, factor)
    return whole


def _require_long(mapped: ColumnMap, names: Sequence[str], source: str) -> None:
    absent = [role for role in ("item", "rater", "value") if role not in mapped.columns]
    if not absent:
        return
    if len(names) < 2:
        raise UnreadableFileError(f"{source or 'The table'} has a single column ({shown_names(names)}), so no ratings.")
    example = (mapped.rest(names) or names)[0]
    raise ColumnError(
        f"{source + ': n' if source else 'N'}o column is named like {' or '.join(absent)}. "
        f"Say which it is, for example --{absent[0]} {example!r} ({absent[0]}={example!r} in Python), "
        "or --wide (wide=True) if each rater has a column. "
        f"The columns are: {shown_names(names)}."
    )
