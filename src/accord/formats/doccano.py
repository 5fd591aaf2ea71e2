"""doccano JSONL: one line a text with its labels (classification) or label spans; one file a user."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.formats.collect import Collector, as_int, as_name, as_text
from accord.formats.content import json_documents
from accord.formats.detection import first_object
from accord.formats.imported import Imported
from accord.formats.label_studio import SPANS
from accord.formats.options import ReadOptions
from accord.formats.rows import by_rating, lost_columns, lost_criteria, lost_sides, rating_rows, spelled
from accord.formats.texts import Texts

__all__ = ["detect", "read", "write"]

_HELD = {"system", "document", "segment", "criterion", "comment"}


def detect(sample: str, path: Path) -> str | None:
    """JSON lines with text and a list of labels, or entities with start_offset."""
    row = first_object(sample)
    if row is None or "text" not in row or "answer" in row or "responses" in row:
        return None
    if isinstance(row.get("entities"), list) and ("relations" in row or _entity(row["entities"])):
        return "JSON lines with text and entities"
    if isinstance(row.get("label", row.get("labels")), list):
        return "JSON lines with text and a list of labels"
    if isinstance(row.get("annotations"), list) and "meta" in row:
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
    rows = list(json_documents(path, options, collect))
    only_spans = any(_entities(row) for _, row in rows) and not any(_labels(row) for _, row in rows)
    for line, row in rows:
        if not isinstance(row.get("text"), str) and "id" not in row:
            collect.dropped(line, "no text and no id")
            continue
        _take(collect, line, row, path.stem, only_spans)
    return collect.imported("doccano", options)


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
    labels = _labels(row)
    if any(not label for label in labels):
        collect.dropped(line, "a label is empty")
        return
    value: Value | None = None if not labels else labels[0] if len(labels) == 1 else frozenset(labels)
    collect.rate(line, item, own, value, **more)


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
