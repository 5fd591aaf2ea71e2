"""Appraise CSV: no header; user, system, item, type, languages, score, document, flag, spans, times and batch.

Its export to JSON lines says the same by name, with the texts.
"""

import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from accord.errors import FormatError
from accord.formats.browser_spans import mark_errors, parse_errors, written_errors
from accord.formats.collect import Collector, as_name, as_number, joined
from accord.formats.content import delimited, json_lines, read_text
from accord.formats.detection import first_object
from accord.formats.imported import Imported
from accord.formats.meanings import SCORE_TO_100
from accord.formats.options import ReadOptions
from accord.formats.rows import by_rating, lost_columns, lost_criteria, lost_sides, rating_rows, spelled
from accord.tables.csv_lines import csv_writer

__all__ = ["ROLES", "detect", "read", "write"]

ROLES = {"TGT": "system", "CHK": "repeat", "REF": "reference", "BAD": "degraded"}
_TYPES = {role: kind for kind, role in ROLES.items()}
_SUFFIX = re.compile(r"^(bad|dup|incomplete)\d*$")
_FIRST = ("user", "system", "item", "type", "from", "to", "score")
_LAST = ("t0", "t1", "batch", "key", "place")
_FLAGS = ("True", "False")
_KEYS = {
    "user": "annotator", "system": "target_id", "item": "item_id", "type": "item_type", "from": "source_language",
    "to": "target_language", "score": "score", "document": "document_id", "spans": "mqm_annotations",
    "t0": "start_time", "t1": "end_time", "batch": "batch_number", "comment": "comment", "source": "source_text",
    "target": "target_text",
}  # fmt: skip
_BREAK = re.compile(r"</?br\s*/?>", re.IGNORECASE)
_SHAPE = (
    "an Appraise row has user, system, item, type, two languages and a score; then document and flag, spans, "
    "two times, batch and item key, and the place of the target, as its task has them"
)
_HELD = {
    "system",
    "document",
    "segment",
    "role",
    "time_s",
    "source_language",
    "target_language",
    "criterion",
    "occasion",
}


def detect(sample: str, path: Path) -> str | None:
    """Rows of seven or more cells whose fourth is TGT, CHK, REF or BAD, or JSON lines that say the same by name."""
    row = first_object(sample)
    if row is not None:
        named = {"annotator", "item_type", "document_id"} <= set(row) and ("target_id" in row or "targets" in row)
        return "JSON lines with annotator, item_type, document_id and targets" if named else None
    rows: list[list[str]] = []
    with suppress(FormatError):  # the sample may be cut inside quotes
        rows.extend(cells for _, cells in islice(delimited(sample, ",", str(path)), 20))
    fit = [len(cells) >= len(_FIRST) and cells[3] in ROLES for cells in rows]
    if fit and fit[0] and sum(fit) * 2 > len(fit):
        return f"rows of {len(rows[0])} cells without a header, the fourth is a type such as {rows[0][3]}"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read an Appraise export."""
    collect = Collector(path)
    rows = list(_records(path, options, collect))
    first = _first_items(rows) if options.segments == "position" else {}
    for line, record, document, marks in rows:
        _take(collect, line, record, document, marks, first)
    _advise(collect, rows, options)
    return collect.imported("appraise", options, SCORE_TO_100)


_Row = tuple[int, dict[str, str], str, set[str]]


def _records(path: Path, options: ReadOptions, collect: Collector) -> list[_Row]:
    rows: list[_Row] = []
    text = read_text(path, options, collect)
    for line, record in (
        _named(path, options, collect) if text.lstrip().startswith("{") else _listed(path, text, collect)
    ):
        document, *parts = record.get("document", "").split("#")
        rows.append((line, record, document, {found[1] for part in parts if (found := _SUFFIX.match(part))}))
    return rows


def _listed(path: Path, text: str, collect: Collector) -> Iterator[tuple[int, dict[str, str]]]:
    for line, cells in delimited(text, ",", str(path)):
        record = _record(cells)
        if record is None:
            collect.dropped(line, f"{len(cells)} cells that cannot be told apart: {_SHAPE}")
        else:
            yield line, record


def _named(path: Path, options: ReadOptions, collect: Collector) -> Iterator[tuple[int, dict[str, str]]]:
    """The records of an export to JSON lines: one target a line, or a list of them."""
    for line, row in json_lines(path, options, collect):
        targets = row.get("targets", [row])
        for target in targets if isinstance(targets, list) else ():
            if not isinstance(target, Mapping):
                collect.dropped(line, "a target is not an object")
                continue
            cells = {name: target.get(key, row.get(key)) for name, key in _KEYS.items()}
            cells["item"] = target.get("segment_id", cells["item"])
            if isinstance(cells["spans"], list):
                cells["spans"] = json.dumps(cells["spans"])
            record = {name: cell if isinstance(cell, str) else as_name(cell) for name, cell in cells.items()}
            absent = [_KEYS[name] for name in _FIRST if not record[name]]
            if absent:
                collect.dropped(line, f"no {', '.join(absent)}")
                continue
            record["target"] = _BREAK.sub("\n", record["target"])  # the page shows a break as one character
            yield line, {name: cell for name, cell in record.items() if cell}


def _record(cells: list[str]) -> dict[str, str] | None:
    """The cells by name: their number depends on the task and on the options of the export."""
    if len(cells) < len(_FIRST):
        return None
    record, rest = dict(zip(_FIRST, cells, strict=False)), cells[len(_FIRST) :]
    if len(rest) >= 2 and rest[1] in _FLAGS:
        record |= {"document": rest[0], "flag": rest[1]}
        rest = rest[2:]
        if rest and (rest[0].startswith("[") or rest[0] in ("", "None")):
            record["spans"], rest = rest[0], rest[1:]
    if len(rest) not in (0, 2, 4, 5) or any(as_number(cell) is None for cell in rest if cell not in ("", "None")):
        return None
    return record | dict(zip(_LAST, rest, strict=False))


def _first_items(rows: list[_Row]) -> dict[tuple[str, str], int]:
    """The lowest item number of each document of each user: its first segment."""
    lowest: dict[tuple[str, str], int] = {}
    for _, record, _, _ in rows:
        if record["item"].isdecimal():
            key = record["user"], record.get("document", "")
            lowest[key] = min(lowest.get(key, int(record["item"])), int(record["item"]))
    return lowest


def _take(
    collect: Collector,
    line: int,
    record: dict[str, str],
    document: str,
    marks: set[str],
    first: dict[tuple[str, str], int],
) -> None:
    score = as_number(record["score"])
    role = ROLES.get(record["type"])
    if role is None:
        collect.dropped(line, f"type {record['type']!r} is not one of {', '.join(ROLES)}")
        return
    if score is None:
        collect.dropped(line, f"score {record['score']!r} is not a number")
        return
    if "incomplete" in marks:
        collect.repaired(line, "document is marked #incomplete: its ratings are kept, the mark is not")
    if "bad" in marks:
        role = "degraded"
    elif "dup" in marks and role == "system":
        role = "repeat"
    key = record["user"], record.get("document", "")
    segment = str(int(record["item"]) - first[key]) if key in first and record["item"].isdecimal() else record["item"]
    item = joined(record["system"], document, segment) + {"degraded": "#bad", "reference": "#ref"}.get(role, "")
    began, ended = as_number(record.get("t0", "")), as_number(record.get("t1", ""))
    more = {"occasion": "2"} if role == "repeat" else {}
    more |= {name: record[name] for name in ("batch", "comment") if record.get(name)}
    collect.rate(
        line,
        item,
        record["user"],
        score,
        system=record["system"],
        document=document,
        segment=segment,
        role=role,
        source_language=record["from"],
        target_language=record["to"],
        **more,
        time_s=None if began is None or ended is None else round(abs(ended - began), 6),
    )
    text = record.get("target") or None
    if text is not None:
        collect.text(item, record.get("source", ""), text)
    mark_errors(collect, item, record["user"], parse_errors(record.get("spans", ""), line, collect), line, text)


def _advise(collect: Collector, rows: list[_Row], options: ReadOptions) -> None:
    """Batches may number segments anew, and then raters of one document seem to share no item."""
    raters_of: dict[str, defaultdict[object, set[str]]] = {"documents": defaultdict(set), "items": defaultdict(set)}
    for _, record, document, _ in rows:
        if document:
            raters_of["documents"][record["system"], document].add(record["user"])
            raters_of["items"][record["system"], document, record["item"]].add(record["user"])
    shared = {name: any(len(raters) > 1 for raters in groups.values()) for name, groups in raters_of.items()}
    if options.segments == "id" and shared["documents"] and not shared["items"]:
        collect.note(
            "Raters share documents but no item number: batches seem to number segments anew. "
            "Read with segments=position to number them by their place in the document."
        )


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write ratings (numbers only) and spans as Appraise exports them."""
    marks = by_rating(imported.spans)
    out = io.StringIO(newline="")
    writer = csv_writer(out)
    renamed = 0
    for row in rating_rows(imported.ratings):
        if as_number(row.value) is None:
            raise FormatError(f"Appraise holds scores only, but {row.item!r} was rated {spelled(row.value)!r}.")
        system, document, segment = row.name("system"), row.name("document"), row.name("segment") or row.item
        role = row.name("role") or "system"
        suffix = {"degraded": "#bad", "reference": "#ref"}.get(role, "")
        renamed += joined(system, document, segment) + suffix != row.item
        spans = json.dumps(written_errors(marks.get((row.item, row.rater), ()), None, "error_type"))
        writer.writerow(
            [
                row.rater,
                system,
                segment,
                _TYPES.get(role, "TGT"),
                row.name("source_language"),
                row.name("target_language"),
                spelled(row.value),
                document,
                "False",
                spans,
                0,
                row.number("time_s") or 0,
            ]
        )
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    return (
        *lost_columns(imported.ratings, _HELD),
        *lost_criteria(imported.ratings, ""),
        *lost_sides(imported, ("severity", "category", "missing")),
        *([f"Names of {renamed:,} rated items become system:document:segment."] if renamed else []),
        *_other_roles(imported),
    )


def _other_roles(imported: Imported) -> tuple[str, ...]:
    factor = imported.ratings.columns.get("role")
    lost = sorted(set(factor.names) - set(_TYPES)) if factor else []
    return (f"Roles that become system: {', '.join(lost)}.",) if lost else ()
