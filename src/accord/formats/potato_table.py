"""Potato's export to CSV or TSV: one row for each user and instance, one column a label (``schema.label``)."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.formats.collect import Collector
from accord.formats.content import delimited
from accord.formats.detection import delimiter_of, header_of

__all__ = ["is_table", "table_rows"]

_FIRST = ("instance_id", "user_id")
_SPANS = "_spans"
_ASIDE = {*_FIRST, "annotator_origin", "annotator_origin_detail"}
_ROOM = ("_room", "_room_id")


def is_table(text: str) -> bool:
    """Whether the header begins with instance_id and user_id and names labels of schemas."""
    names = header_of(text)
    return tuple(names[:2]) == _FIRST and any("." in name for name in names[2:])


def table_rows(collect: Collector, text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line number and annotation of each row, in the shape of the export to JSON lines."""
    rows = delimited(text, delimiter_of(text), str(path))
    _, names = next(rows)
    for line, cells in collect.counted(rows):
        if len(cells) != len(names):
            collect.dropped(line, f"{len(cells)} cells where the header has {len(names)}")
            continue
        yield line, _annotation(collect, line, dict(zip(names, cells, strict=True)))


def _annotation(collect: Collector, line: int, record: Mapping[str, str]) -> Mapping[str, Any]:
    labels: dict[str, dict[str, str]] = {}
    spans: dict[str, Any] = {}
    settled = {name for name in record if "." not in name and record[name] and name not in _ASIDE}
    for name, cell in record.items():
        schema, _, label = name.partition(".")
        if name in _ASIDE or label in _ROOM or not cell:
            continue
        if label == _SPANS:
            spans[schema] = _listed(collect, line, cell)
        elif schema not in settled or not label:
            # A column of the schema alone holds the final answer where several labels were stored for one choice.
            labels.setdefault(schema, {})[label] = cell
    return {**{name: record.get(name) for name in _ASIDE}, "labels": labels, "spans": spans}


def _listed(collect: Collector, line: int, cell: str) -> list[Any]:
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        collect.dropped(line, f"spans cannot be read: {cell[:60]!r}; the labels are kept")
        return []
    return found
