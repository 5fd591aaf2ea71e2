"""SPSS .sav, .zsav and .por: wide or long, with value labels and values the user declared missing."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from accord.design.scale import Level, Scale, Value
from accord.errors import FormatError, MissingExtraError, OperationError, UnreadableFileError
from accord.formats.huggingface import table_options
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions
from accord.formats.rows import lost_answers, lost_columns, lost_spans, rating_rows
from accord.ratings.declared import listed_scale
from accord.ratings.mapping import map_columns
from accord.ratings.raw import RawTable
from accord.ratings.read import ratings_of_table
from accord.ratings.shapes import shape_of
from accord.ratings.text_file import file_bytes

__all__ = ["detect", "labelled_table", "opened", "read", "write"]

_PORTABLE, _HEAD = "ASCII SPSS PORT FILE", 400
_LEVELS = {"nominal": Level.NOMINAL, "ordinal": Level.ORDINAL, "scale": Level.INTERVAL}


def detect(sample: str, path: Path) -> str | None:
    if _PORTABLE in sample[:_HEAD]:
        return "the file begins as SPSS portable files do"
    return "the file begins with $FL, as SPSS files do" if sample.startswith(("$FL2", "$FL3")) else None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the variables; values declared missing are no ratings, labelled values keep their labels."""
    content = file_bytes(path)
    if _PORTABLE.encode() in content[:_HEAD]:
        data, meta = opened(path, "SPSS", "read_por")
        return labelled_table(path, options, "spss", "SPSS", data, meta)
    if not content.startswith((b"$FL2", b"$FL3")):
        raise UnreadableFileError(f"{path} is not an SPSS file (it does not begin with $FL2 or $FL3).")
    data, meta = opened(path, "SPSS", "read_sav", encoding=options.encoding)
    return labelled_table(path, options, "spss", "SPSS", data, meta)


def labelled_table(
    path: Path, options: ReadOptions, format: str, program: str, data: Mapping[str, Any], meta: Any
) -> Imported:
    """The table of a statistics program: values declared missing are no ratings, labelled values keep their labels."""
    labels = meta.variable_value_labels or {}
    missing, columns = 0, {}
    for name, cells in data.items():
        codes = {str(code) for code in (getattr(meta, "missing_user_values", None) or {}).get(name, ())}
        columns[name], empty = _cells(cells, (meta.missing_ranges or {}).get(name, ()), codes)
        missing += empty
    rows = len(next(iter(columns.values()), []))
    if not rows:
        raise UnreadableFileError(f"{path} holds no rows.")
    notes = [f"{missing:,} values are declared missing in the {program} file; they are no ratings"] if missing else []
    table = RawTable(columns, np.arange(1, rows + 1), path.name, tuple(notes))
    given, more = table_options(options)
    judged = _judged(table, given, more.get("wide"))
    scale = None if options.scale is not None or options.scales is not None else _scale(judged, labels, columns, meta)
    table = _labelled(table, labels, judged, scale)
    building = options.building | ({"scale": scale, "level": options.level} if scale is not None else {})
    return Imported(ratings_of_table(table, given, **more, **building), format=format, notes=tuple(notes))


def opened(path: Path, program: str, function: str, **more: Any) -> tuple[Mapping[str, Any], Any]:
    """Variables and their descriptions, read by the library's function for files of this program."""
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtraError(f"Reading {program} files", "formats") from None
    wanted = {"user_missing": True, **more}
    if function in ("read_xport", "read_por"):
        del wanted["user_missing"]
    try:
        data, meta = getattr(pyreadstat, function)(
            str(path), output_format="dict", disable_datetime_conversion=True, **wanted
        )
    except Exception as error:  # the C library's errors have no common class
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnreadableFileError(f"{path} is a damaged or truncated {program} file: {reason}") from None
    if not all(isinstance(name, str) for name in data):
        raise UnreadableFileError(f"{path} is a damaged {program} file: some of its variables have no name.")
    return data, meta


def _cells(cells: Any, declared: Sequence[Mapping[str, Any]], codes: Collection[str]) -> tuple[list[Any], int]:
    """Cells with None for system-missing and user-missing values, and how many the user declared."""
    kept: list[Any] = []
    empty = 0
    for cell in cells.tolist() if isinstance(cells, np.ndarray) else list(cells):
        if cell is None or cell == "" or (isinstance(cell, float) and isnan(cell)):
            kept.append(None)
        elif (isinstance(cell, str) and cell in codes) or any(_between(cell, span) for span in declared):
            kept.append(None)
            empty += 1
        else:
            kept.append(cell)
    return kept, empty


def _between(cell: Any, span: Mapping[str, Any]) -> bool:
    try:
        return bool(span["lo"] <= cell <= span["hi"])
    except TypeError:
        return False


def _judged(table: RawTable, given: Mapping[str, Any], wide: bool | Sequence[str] | None) -> list[str]:
    """The variables that hold ratings: the value of a long file, the raters of a wide one."""
    outside = list(wide) if wide is not None and not isinstance(wide, bool) else []
    mapped = map_columns([name for name in table.columns if name not in outside], given)
    return shape_of(table, mapped, wide, list(given)).columns or [*mapped.columns.get("value", ())]


def _scale(
    judged: Sequence[str], labels: Mapping[str, Any], columns: Mapping[str, list[Any]], meta: Any
) -> Scale | None:
    """The labelled values as a declared scale, if all rating variables share them and every value has a label."""
    found = [labels.get(name) for name in judged]
    if not found or not found[0] or any(one != found[0] for one in found):
        return None
    given = {_value(cell) for name in judged for cell in columns[name] if cell is not None}
    named: dict[Value, str] = {_value(value): str(label) for value, label in found[0].items()}
    declared = [span for name in judged for span in (meta.missing_ranges or {}).get(name, ())]
    named = {value: label for value, label in named.items() if not any(_between(value, span) for span in declared)}
    if not given <= set(named) or len(named) < 2:
        return None
    level = _LEVELS.get((meta.variable_measure or {}).get(judged[0], ""))
    if not all(isinstance(value, float) for value in named):
        level = None  # the measure of SPSS speaks of numbers; the order of labels that are texts is nobody's
    return listed_scale(list(named), named, level, spelled=", ".join(map(str, named)))


def _value(cell: Any) -> Value:
    return float(cell) if isinstance(cell, int | float) else str(cell)


def _labelled(table: RawTable, labels: Mapping[str, Any], judged: Sequence[str], scale: Scale | None) -> RawTable:
    """Names instead of numbers for labelled variables that are not ratings (rater 1 = Anna)."""
    columns = dict(table.columns)
    notes = list(table.notes)
    for name, named in labels.items():
        if name not in columns:
            continue
        if name in judged:
            if scale is None:
                notes.append(f"the value labels of {name} do not cover all its values and were ignored")
        else:
            columns[name] = [named.get(cell, cell) for cell in columns[name]]
    return RawTable(columns, table.row_numbers, table.source, tuple(notes))


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write a long file: one case a rating, with the labels of the scale."""
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtraError("Writing SPSS files", "formats") from None
    ratings = imported.ratings
    if ratings.scale.has_sets:
        raise FormatError("SPSS holds one value in a cell, but the ratings are sets of labels.")
    names = {
        name: _variable(name, place)
        for place, name in enumerate(("item", "rater", "value", *ratings.columns, *ratings.numbers))
    }
    cells: dict[str, list[Any]] = {variable: [] for variable in names.values()}
    for row in rating_rows(ratings):
        first = {"item": row.item, "rater": row.rater, "value": row.value}
        for name, variable in names.items():
            empty: Any = None if name in ratings.numbers else ""
            cells[variable].append(first.get(name, row.more.get(name, empty)))
    labels = {"value": dict(ratings.scale.labels)} if ratings.scale.labels and ratings.scale.is_numeric else {}
    measures = {Level.NOMINAL: "nominal", Level.ORDINAL: "ordinal", Level.INTERVAL: "scale", Level.RATIO: "scale"}
    try:
        pyreadstat.write_sav(
            _frame(cells),
            str(path),
            variable_value_labels=labels,
            variable_measure={"value": measures[ratings.level]},
        )
    except OperationError:
        raise
    except Exception as error:  # the C library's errors have no common class
        raise FormatError(f"SPSS cannot hold these ratings: {error}") from None
    changed = [name for name, variable in names.items() if name != variable]
    return (
        *lost_columns(ratings, set(names)),
        *lost_spans(imported),
        *lost_answers(imported),
        *([f"Names that SPSS does not allow were changed: {', '.join(changed)}."] if changed else []),
    )


def _frame(cells: Mapping[str, list[Any]]) -> Any:
    """The data frame that the SPSS library wants: of whichever library is installed."""
    for library in ("pandas", "polars"):
        with suppress(ImportError):
            return import_module(library).DataFrame(cells)
    raise OperationError("Writing SPSS files needs pandas or polars. Install one of them: pip install pandas.")


def _variable(name: str, place: int) -> str:
    """A name SPSS allows: letters, digits and underscores, beginning with a letter, at most 64 bytes."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter == "_") else "_" for letter in name)[:60]
    reserved = {"ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"}
    return plain if plain[:1].isalpha() and plain.upper() not in reserved else f"v{place}_{plain}"
