"""Rows of Hugging Face datasets: Parquet or JSON whose features say which numbers are names of classes."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import FormatError, UnreadableFileError
from accord.formats.collect import Collector, as_int
from accord.formats.content import read_json
from accord.formats.imported import Imported, RepairLog
from accord.formats.options import ReadOptions
from accord.ratings.parquet_file import parquet_metadata, read_parquet
from accord.ratings.raw import RawTable, table_of_records
from accord.ratings.read import ratings_of_table
from accord.ratings.text_file import file_bytes

__all__ = ["detect", "read", "table_options"]


def detect(sample: str, path: Path) -> str | None:
    """Parquet with the metadata of a dataset, or JSON with features and rows."""
    if sample.startswith("PAR1"):
        return "Parquet whose metadata hold the features of a dataset" if _features_of_parquet(path) else None
    start = sample.lstrip()[:2000]
    if start.startswith("{") and '"features"' in start and '"rows"' in sample and '"row_idx"' in sample:
        return "JSON with features and rows"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the table; numbers of a ClassLabel become their names."""
    collect = Collector(path)
    content = file_bytes(path)
    if content.startswith(b"PAR1"):
        table, features = read_parquet(path, content, path.name), _features_of_parquet(path)
    else:
        table, features = _json_table(path, options)
    columns = dict(table.columns)
    for name, classes in _classes(features).items():
        if name in columns:
            columns[name] = _named(collect, columns[name], classes, name, table)
    log = RepairLog(tuple(collect.repairs))
    table = RawTable(columns, table.row_numbers, table.source, (*table.notes, *filter(None, [log.summary()])))
    given, more = table_options(options)
    ratings = ratings_of_table(table, given, **more, **options.building)
    return Imported(ratings, log=log, format="huggingface")


def table_options(options: ReadOptions) -> tuple[dict[str, Any], dict[str, Any]]:
    """Columns by name, and how to build: the two kinds of options of a plain table."""
    building = {name: options.table[name] for name in ("wide", "missing", "separator") if name in options.table}
    given = {
        name: value for name, value in options.table.items() if name not in (*building, "columns", "sheet", "delimiter")
    }
    return {**given, **(options.table.get("columns") or {})}, building


def _json_table(path: Path, options: ReadOptions) -> tuple[RawTable, Mapping[str, Any]]:
    document = read_json(path, options)
    rows = document.get("rows") if isinstance(document, Mapping) else None
    if not isinstance(rows, list) or not rows:
        raise FormatError(f"{path}: no rows; a page of a dataset has features and rows.")
    records = [row["row"] if isinstance(row, Mapping) and isinstance(row.get("row"), Mapping) else row for row in rows]
    if not all(isinstance(record, Mapping) for record in records):
        raise FormatError(f"{path}: a row is not an object {{...}}.")
    features = {}
    listed = document.get("features")
    for feature in listed if isinstance(listed, list) else ():
        if isinstance(feature, Mapping):
            features[str(feature.get("name"))] = feature.get("type")
    if document.get("truncated_cells") or any(isinstance(row, Mapping) and row.get("truncated_cells") for row in rows):
        raise UnreadableFileError(
            f"{path}: some cells were cut off by the page of the dataset. Download the Parquet files."
        )
    return table_of_records(records, list(range(1, len(records) + 1)), path.name), features


def _features_of_parquet(path: Path) -> Mapping[str, Any]:
    try:
        info = json.loads(parquet_metadata(path, "huggingface") or "{}")["info"]["features"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return info if isinstance(info, Mapping) else {}


def _classes(features: Mapping[str, Any]) -> dict[str, list[str]]:
    found = {}
    for name, kind in features.items():
        names = kind.get("names") if isinstance(kind, Mapping) and kind.get("_type") == "ClassLabel" else None
        if isinstance(names, list):
            found[str(name)] = [str(label) for label in names]
    return found


def _named(collect: Collector, column: Any, classes: Sequence[str], name: str, table: RawTable) -> list[Any]:
    """Names of classes; -1 is how a dataset writes «no label», anything else outside is left as it is."""
    cells: list[Any] = []
    plain = (
        np.ma.filled(column.astype(object), None).tolist() if isinstance(column, np.ma.MaskedArray) else list(column)
    )
    for line, cell in zip(map(int, table.row_numbers), plain, strict=True):
        place = as_int(cell.item() if isinstance(cell, np.generic) else cell)
        if place is not None and 0 <= place < len(classes):
            cells.append(classes[place])
        else:
            cells.append(None)
            if place not in (None, -1):
                collect.dropped(
                    line, f"{name} is {place}, but the dataset names {len(classes)} classes; taken as no label"
                )
    return cells
