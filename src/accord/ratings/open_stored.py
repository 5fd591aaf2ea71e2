"""Open ratings that are counted where they lie: files with DuckDB, frames and paths with Spark."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.design.scale import Level
from accord.errors import ColumnError, OptionError
from accord.ratings.asked import Asked
from accord.ratings.codebook import Codebook
from accord.ratings.column_names import is_metadata
from accord.ratings.declared import DeclaredDirection, DeclaredScale
from accord.ratings.duckdb_engine import MEMORY, DuckDBEngine, files_of
from accord.ratings.engine import Progress
from accord.ratings.mapping import ColumnMap, map_columns, text_columns
from accord.ratings.spark_engine import SparkEngine, open_frame
from accord.ratings.stored import LOOKED_AT, StoredRatings
from accord.words import set_by, shown_names

__all__ = ["ENGINES", "open_spark_frame", "open_stored"]

ENGINES = ("duckdb", "spark")


def open_stored(
    paths: str | Path | Sequence[str | Path],
    *,
    engine: str = "duckdb",
    master: str | None = None,
    memory: str = MEMORY,
    threads: int | None = None,
    **options: Any,
) -> StoredRatings:
    """Ratings in Parquet or CSV files, by path, pattern or list; nothing is counted yet.

    ``memory`` limits DuckDB; ``master`` names a Spark cluster, which must see the paths itself.
    The other options are those of :func:`accord.read`: columns, ``level``, ``scale``, ``direction``, ``separator``.
    """
    if engine not in ENGINES:
        raise OptionError(f"The engine {engine!r} is not known. Known: {', '.join(ENGINES)}.")
    listed = [paths] if isinstance(paths, str | Path) else list(paths)
    source = str(listed[0]) if len(listed) == 1 else f"{len(listed)} paths"
    if engine == "spark":
        return _opened(SparkEngine(open_frame([str(path) for path in listed], master)), source, **options)
    if master is not None:
        raise OptionError("A master belongs to engine='spark'; DuckDB counts in this process.")
    return _opened(DuckDBEngine(files_of(paths), memory=memory, threads=threads), source, **options)


def open_spark_frame(frame: Any, **options: Any) -> StoredRatings:
    """Ratings in a PySpark frame, counted where they lie."""
    return _opened(SparkEngine(frame), "Spark frame", **options)


def _opened(
    engine: DuckDBEngine | SparkEngine,
    source: str,
    *,
    level: Level | str | None = None,
    scale: DeclaredScale | Mapping[str, DeclaredScale] | None = None,
    scales: Mapping[str, DeclaredScale] | None = None,
    direction: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None = None,
    codebook: Codebook | None = None,
    separator: str | None = None,
    notes: Sequence[str] = (),
    progress: Progress | None = None,
    **given: str | Sequence[str] | None,
) -> StoredRatings:
    names = engine.column_names()
    mapped = map_columns(names, {role: column for role, column in given.items() if column is not None})
    if absent := [role for role in ("item", "rater", "value") if role not in mapped.columns]:
        example = (mapped.rest(names) or names or [absent[0]])[0]
        raise ColumnError(
            f"{source}: no column is named like {' or '.join(absent)}. Say which it is, "
            f"for example {set_by(absent[0], repr(example))}. "
            "Files counted where they lie must be long, one row per rating. "
            f"The columns are: {shown_names(names)}."
        )
    meaning = mapped.told(codebook or Codebook(), names)
    asked = Asked.of(
        level=level, scale=scale, scales=scales, direction=direction, codebook=meaning, separator=separator
    )
    told = (
        *notes,
        *(guess for guess in meaning.guesses if guess not in (codebook or Codebook()).guesses),
        *_not_read(mapped, names),
        *asked.overruled(),
        f"counted where they lie, by {engine.name}; the same rater twice on one item was looked for in the items of "
        f"up to about {LOOKED_AT:,} ratings",
    )
    return StoredRatings(engine, mapped, asked, source, told, progress=progress)


def _not_read(mapped: ColumnMap, names: Sequence[str]) -> tuple[str, ...]:
    """A line on columns that may be answers too: their cells are not looked at, so all are named."""
    rest = mapped.rest(names)
    texts = set(text_columns(rest))
    others = [name for name in rest if name not in texts and not is_metadata(name)]
    (value,) = mapped.columns["value"][:1]
    return (f"ratings are read from {value!r} only; not read as ratings: {shown_names(others)}",) if others else ()
