"""doccano JSONL: one line a text with its labels (classification) or label spans; one file a user.

Up to version 1.0 one file holds the annotations of all users, as JSON lines or as CSV with one row an annotation.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.formats.collect import Collector, as_int, as_name, as_text
from accord.formats.content import delimited, json_documents, read_text
from accord.formats.detection import first_object, header_of
from accord.formats.imported import Imported
from accord.formats.label_studio import SPANS
from accord.formats.meanings import CATEGORIES, NUMBER_OF_SPANS
from accord.formats.options import ReadOptions
from accord.formats.rows import by_rating, lost_columns, lost_criteria, lost_sides, rating_rows, spelled
from accord.formats.texts import Texts

__all__ = ["detect", "read", "write"]

_HELD = {"system", "document", "segment", "criterion", "comment"}


def detect(sample: str, path: Path) -> str | None:
    """JSON lines with text and a list of labels, or entities with start_offset."""
    names = header_of(sample)
    if {"id", "text", "label", "user"} <= set(names) and "annotation_approver" in names:
        return "the header names id, text, annotation_approver, label and user"
    row = first_object(sample)
    if row is None or "text" not in row or "answer" in row or "responses" in row:
        return None
    if isinstance(row.get("entities"), list) and ("relations" in row or _entity(row["entities"])):
        return "JSON lines with text and entities"
    if isinstance(row.get("label", row.get("labels")), list):
        return "JSON lines with text and a list of labels"
    if isinstance(row.get("annotations"), list) and ("meta" in row or "annotation_approver" in row):
        return "JSON lines with text, annotations and meta"
    return None


def _entity(entities: list[Any]) -> bool:
    return bool(entities) and isinstance(entities[0], Mapping) and "start_offset" in entities[0]


def read(path: Path, options: ReadOptions) -> Imported:
    """Read labels; doccano exports one file a user, so the file is named after the rater."""
    collect = Collector(path)
    collect.note(
        f"doccano does not write who annotated: where a line does not say, the rater is {path.stem}, after the file."
    )
    text = read_text(path, options)
    is_json = text.lstrip().startswith(("{", "["))
    rows = list(json_documents(path, options, collect)) if is_json else _of_table(collect, path, text)
    only_spans = any(_entities(row) for _, row in rows) and not any(_labels(row) or _by_user(row) for _, row in rows)
    for line, row in rows:
        if not isinstance(row.get("text"), str) and "id" not in row:
            collect.dropped(line, "no text and no id")
            continue
        _take(collect, line, row, path.stem, only_spans)
    asked = {as_name(row.get("criterion")) for row in collect.rows}
    return collect.imported("doccano", options, dict.fromkeys(asked, NUMBER_OF_SPANS if only_spans else CATEGORIES))


def _of_table(collect: Collector, path: Path, text: str) -> list[tuple[int, Mapping[str, Any]]]:
    """The rows of an old CSV file, one an annotation, as one line a text with all its annotations."""
    rows = delimited(text, ",", str(path))
    _, names = next(rows, (0, []))
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for line, cells in collect.counted(rows):
        if len(cells) != len(names):
            collect.dropped(line, f"{len(cells)} cells where the header has {len(names)}")
            continue
        record = dict(zip(names, cells, strict=True))
        first, whole = found.setdefault(
            record.get("id", ""), (line, {"id": record.get("id"), "text": record.get("text"), "annotations": []})
        )
        if first != line:
            collect.merged(line)
        note = {name: record[name] for name in ("label", "user", "start_offset", "end_offset") if record.get(name)}
        whole["annotations"].append(note)
    return list(found.values())


def _take(collect: Collector, line: int, row: Mapping[str, Any], stem: str, only_spans: bool) -> None:
    item = as_name(row.get("item")) or as_name(row.get("id")) or str(line)
    collect.text(item, as_text(row.get("source")), as_text(row.get("text")))
    comments = row.get("Comments", row.get("comments"))
    comment = "; ".join(map(as_name, comments)) if isinstance(comments, list) else as_name(comments)
    more: dict[str, Value | None] = {
        name: as_name(row.get(name)) or None for name in ("system", "document", "segment", "criterion")
    }
    more["comment"] = comment or None
    own = as_name(row.get("user") or row.get("annotator") or row.get("username")) or stem
    spans: dict[str, int] = {own: 0}
    for rater, start, end, label in _entities(row):
        first, last = as_int(start), as_int(end)
        if first is None or last is None or not 0 <= first <= last <= len(as_text(row.get("text"))):
            collect.dropped(line, f"a span from {start} to {end} does not lie in the text")
            continue
        collect.mark(item, rater or own, (first, last), category=label)
        spans[rater or own] = spans.get(rater or own, 0) + 1
    if only_spans:
        for rater, count in spans.items():
            collect.rate(line, item, rater, float(count), **{**more, "criterion": SPANS})
        return
    for rater, given in _by_user(row).items():
        collect.rate(line, item, rater or own, given[0] if len(given) == 1 else frozenset(given), **more)
    if _by_user(row):
        return
    labels = _labels(row)
    if any(not label for label in labels):
        collect.dropped(line, "a label is empty")
        return
    value: Value | None = None if not labels else labels[0] if len(labels) == 1 else frozenset(labels)
    collect.rate(line, item, own, value, **more)


def _by_user(row: Mapping[str, Any]) -> dict[str, list[str]]:
    """The labels of whole texts that each user gave in a file of old; '' where it does not say who."""
    given = row.get("annotations")
    found: dict[str, list[str]] = {}
    for entry in given if isinstance(given, list) else ():
        label = as_name(entry.get("label")) if isinstance(entry, Mapping) and "start_offset" not in entry else ""
        if label:
            found.setdefault(as_name(entry.get("user")), []).append(label)
    return found


def _labels(row: Mapping[str, Any]) -> list[str]:
    given = row.get("label", row.get("labels", row.get("cats")))
    if isinstance(given, str | int | float) and not isinstance(given, bool):
        return [as_name(given)]
    return (
        [as_name(label) for label in given if isinstance(label, str | int | float)] if isinstance(given, list) else []
    )


def _entities(row: Mapping[str, Any]) -> list[tuple[str, object, object, str]]:
    """Rater ('' if not said), start, end and label of each span, in any of the shapes doccano has had."""
    found: list[tuple[str, object, object, str]] = []
    for key in ("entities", "label", "labels", "annotations"):
        for entry in row[key] if isinstance(row.get(key), list) else ():
            if isinstance(entry, list) and len(entry) == 3:
                found.append(("", entry[0], entry[1], as_name(entry[2])))
            elif isinstance(entry, Mapping) and "start_offset" in entry:
                found.append(
                    (
                        as_name(entry.get("user")),
                        entry["start_offset"],
                        entry.get("end_offset"),
                        as_name(entry.get("label")),
                    )
                )
    return found


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write one line a rating; the rater is written as user, which doccano ignores and Accord reads."""
    marks = by_rating(imported.spans)
    lines = []
    for number, row in enumerate(rating_rows(imported.ratings), 1):
        texts = imported.texts.get(row.item, Texts())
        spans = [] if row.name("criterion") != SPANS else marks.get((row.item, row.rater), [])
        entry: dict[str, Any] = {"id": number, "item": row.item, "user": row.rater, "text": texts.target}
        entry |= {"source": texts.source} if texts.source else {}
        entry |= {name: row.name(name) for name in ("system", "document", "segment") if row.name(name)}
        if row.name("criterion") == SPANS:
            entry["label"] = [[span.start, span.end, span.category] for span in spans]
        else:
            entry |= {"criterion": row.name("criterion")} if row.name("criterion") else {}
            entry["label"] = sorted(row.value) if isinstance(row.value, frozenset) else [spelled(row.value)]
        entry["Comments"] = [row.name("comment")] if row.name("comment") else []
        lines.append(json.dumps(entry, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    criteria = imported.ratings.columns.get("criterion")
    if criteria is not None and SPANS in criteria.names:
        return (
            *lost_columns(imported.ratings, _HELD, texts=True),
            *lost_sides(imported, ("category",)),
            *(lost_criteria(imported.ratings, SPANS)),
        )
    spans_lost = (f"{len(imported.spans):,} spans: a line holds either labels or spans.",) if imported.spans else ()
    return (*lost_columns(imported.ratings, _HELD, texts=True), *spans_lost)
