"""Marot: ten columns, the last a JSON object; spans are token indices with the last one included."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.formats.collect import Collector, as_int, joined
from accord.formats.content import delimited, read_text
from accord.formats.google_mqm import take_error
from accord.formats.imported import Imported, Side
from accord.formats.meanings import MQM_SCORE
from accord.formats.mqm_rows import ErrorRow, ErrorRows, is_no_error
from accord.formats.offsets import OffsetError, from_tokens
from accord.formats.options import ReadOptions
from accord.formats.texts import Texts

__all__ = ["detect", "read"]

_COLUMNS = (
    "system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata",
)  # fmt: skip


def detect(sample: str, path: Path) -> str | None:
    """Ten cells parted by tabs, the last one a JSON object."""
    lines = [line.rstrip("\r").split("\t") for line in sample.split("\n")[:20] if line.strip()]
    header = bool(lines) and tuple(lines[0][:3]) == _COLUMNS[:3] and len(lines[0]) >= len(_COLUMNS)
    rows = lines[1:] if header else lines
    if rows and len(rows[0]) == 10 and rows[0][9].startswith("{"):
        return "ten cells in each line, separated by tabs, the last a JSON object"
    return "the header names docSegId, globalSegId and metadata" if header else None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read errors and score them; spans from tokens where the file gives them, from <v> tags otherwise."""
    collect = Collector(path)
    errors = ErrorRows(path)
    tokens: dict[str, dict[Side, list[str]]] = {}
    lines = delimited(read_text(path, options, collect), "\t", str(path), quoted=False)
    # The header may have an eleventh cell with a remark, "# Documentation: ..."; the lines below it have ten.
    for line, cells in collect.counted(one for one in lines if tuple(one[1][:2]) != _COLUMNS[:2]):
        if len(cells) != len(_COLUMNS):
            collect.dropped(line, f"{len(cells)} cells; a Marot line has {len(_COLUMNS)}")
            continue
        _take(collect, errors, tokens, line, dict(zip(_COLUMNS, cells, strict=True)))
    errors.rate(collect)
    return collect.imported("marot", options, MQM_SCORE)


def _take(
    collect: Collector, errors: ErrorRows, known: dict[str, dict[Side, list[str]]], line: int, record: dict[str, str]
) -> None:
    item = joined(record["system"], record["doc"], record["docSegId"])
    metadata = _metadata(collect, line, record["metadata"])
    tokens = known.setdefault(item, {})
    segment = metadata.get("segment")
    for side in Side:
        found = segment.get(f"{side}_tokens") if isinstance(segment, Mapping) else None
        if isinstance(found, list) and all(isinstance(token, str) for token in found):
            tokens[side] = found
    more = {"system": record["system"], "document": record["doc"], "segment": record["docSegId"]}
    row = ErrorRow(line, record["category"], record["severity"], "\t".join(record.values()))
    before = len(collect.spans)
    take_error(collect, errors, row, item, record["rater"], Texts(record["source"], record["target"]), more)
    if len(collect.spans) > before and not is_no_error(row.category, row.severity):
        places = _token_places(collect, line, metadata, tokens)
        if places:
            del collect.spans[before:]
            for side, place in places:
                collect.mark(
                    item, record["rater"], place, side=side, category=row.category.strip(),
                    severity=row.severity.strip(),
                )  # fmt: skip


def _metadata(collect: Collector, line: int, cell: str) -> Mapping[str, Any]:
    if not cell.startswith("{"):
        if cell.strip():
            collect.repaired(line, "the last column is a plain note, as in old Marot files; the note is not kept")
        return {}
    try:
        metadata = json.loads(cell)
    except (ValueError, RecursionError):
        collect.repaired(line, "the metadata are not JSON; the error is kept without them")
        return {}
    return metadata if isinstance(metadata, Mapping) else {}


def _token_places(
    collect: Collector, line: int, metadata: Mapping[str, Any], tokens: Mapping[Side, list[str]]
) -> list[tuple[Side, tuple[int, int]]]:
    places = []
    for side in Side:
        pairs = metadata.get(f"{side}_spans")
        for pair in pairs if isinstance(pairs, list) and side in tokens else ():
            first, last = (
                (as_int(pair[0]), as_int(pair[1])) if isinstance(pair, list) and len(pair) == 2 else (None, None)
            )
            try:
                if first is None or last is None:
                    raise OffsetError(f"{pair!r} is no pair of token numbers")
                places.append((side, from_tokens(tokens[side], first, last)))
            except OffsetError as problem:
                collect.repaired(line, f"{side}: {problem}; the span is taken from the <v> tags")
    return places
