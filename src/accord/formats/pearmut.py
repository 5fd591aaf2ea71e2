"""Pearmut JSONL: one line a submission of a document; scores and spans for each segment and system."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Level
from accord.errors import FormatError
from accord.formats.browser_spans import mark_errors, written_errors
from accord.formats.collect import Collector, as_name, as_number, as_text, joined
from accord.formats.content import json_lines
from accord.formats.imported import Imported, Texts
from accord.formats.options import ReadOptions
from accord.formats.rows import RatingRow, by_rating, lost_columns, lost_sides, plain_number, rating_rows, spelled

__all__ = ["detect", "read", "write"]

_RESET = "__RESET__"
_ASIDE = ("welcome_", "random_", "goodbye_")
_HELD = {"system", "document", "segment", "criterion", "comment"}


def detect(sample: str, path: Path) -> str | None:
    """JSON lines with user_id, item_i and annotation."""
    from accord.formats.detection import first_object

    row = first_object(sample)
    if row is not None and {"user_id", "item_i", "annotation"} <= set(row):
        return "JSON lines with user_id, item_i and annotation"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the submissions that count: the last one of each user and document after a reset."""
    collect = Collector(path)
    current: dict[tuple[str, str], tuple[int, Mapping[str, Any]]] = {}
    for line, entry in json_lines(path, options, collect):
        key = as_name(entry.get("user_id")), as_name(entry.get("item_i"))
        if not all(key) or "annotation" not in entry:
            collect.dropped(line, "no user_id, item_i or annotation: not a submission")
        elif key[1].startswith(_ASIDE):
            collect.dropped(line, f"{key[1]} is a page before, between or after the items")
        else:
            if key in current:
                by = "reset" if entry["annotation"] == _RESET else "superseded"
                collect.dropped(current.pop(key)[0], f"{by} in line {line}")
            if entry["annotation"] == _RESET:
                collect.dropped(line, "a reset mark: it masks what its user submitted before")
            else:
                current[key] = line, entry
    for (user, document), (line, entry) in current.items():
        _take_entry(collect, line, user, document, entry)
    return collect.imported(
        "pearmut", options, None if any("criterion" in row for row in collect.rows) else Level.INTERVAL
    )


def _take_entry(collect: Collector, line: int, user: str, document: str, entry: Mapping[str, Any]) -> None:
    annotations = entry["annotation"]
    segments = annotations if isinstance(annotations, list) else [annotations]
    items = entry.get("item")
    items = items if isinstance(items, list) else [items]
    comment = as_name(entry.get("comment")) or None
    for place, systems in enumerate(segments):
        shown = items[place] if place < len(items) and isinstance(items[place], Mapping) else {}
        if systems is None:
            collect.dropped(line, f"segment {place} was skipped by {user}")
        elif not isinstance(systems, Mapping) or not all(isinstance(answer, Mapping) for answer in systems.values()):
            collect.dropped(line, f"segment {place} holds no answers for systems")
        else:
            for system, answer in systems.items():
                segment = as_name(shown.get("item_id")) or (f"{document}:{place}" if len(segments) > 1 else document)
                _take_answer(collect, line, (user, document, segment, str(system)), answer, shown, comment)


def _take_answer(
    collect: Collector,
    line: int,
    who: tuple[str, str, str, str],
    answer: Mapping[str, Any],
    shown: Mapping[str, Any],
    comment: str | None,
) -> None:
    user, document, segment, system = who
    item = joined(system, segment)
    sliders = answer.get("sliders")
    scores = dict(sliders) if isinstance(sliders, Mapping) else {}
    if not scores or answer.get("score") is not None:
        scores[""] = answer.get("score")
    for criterion, given in scores.items():
        score = as_number(given)
        if given is not None and score is None:
            collect.dropped(line, f"score {str(given)[:40]!r} of {item} is not a number")
            continue
        more = {"criterion": str(criterion)} if criterion else {}
        note = as_name(answer.get("textfield")) or comment
        collect.rate(line, item, user, score, system=system, document=document, segment=segment, comment=note, **more)
    targets = shown.get("tgt")
    text = targets.get(system) if isinstance(targets, Mapping) else None
    text = text if isinstance(text, str) else None
    if text is not None:
        collect.text(item, as_text(shown.get("src")), text)
    spans = answer.get("error_spans")
    listed = [span for span in spans if isinstance(span, Mapping)] if isinstance(spans, list) else []
    mark_errors(collect, item, user, listed, line, text, newlines_marked=False)


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write one submission for each rater and document."""
    marks = by_rating(imported.spans)
    entries: dict[tuple[str, str], dict[str, list[RatingRow]]] = {}
    renamed = 0
    for row in rating_rows(imported.ratings):
        if as_number(row.value) is None:
            raise FormatError(f"Pearmut holds scores only, but {row.item!r} was rated {spelled(row.value)!r}.")
        document, segment = row.name("document") or row.name("segment") or row.item, row.name("segment") or row.item
        renamed += joined(row.name("system") or "system", segment) != row.item
        entries.setdefault((row.rater, document), {}).setdefault(segment, []).append(row)
    with path.open("w", encoding="utf-8", newline="") as out:
        for (rater, document), segments in entries.items():
            entry = {"user_id": rater, "item_i": document, "annotation": [], "item": []}
            comments = {row.name("comment") for rows in segments.values() for row in rows if row.name("comment")}
            if comments:
                entry["comment"] = "; ".join(sorted(comments))
            for segment, rows in segments.items():
                annotation, item = _segment(segment, rows, marks, imported)
                entry["annotation"].append(annotation)  # type: ignore[attr-defined]
                entry["item"].append(item)  # type: ignore[attr-defined]
            out.write(json.dumps(entry, ensure_ascii=False) + "\n")
    held = _HELD if _one_comment(imported) else _HELD - {"comment"}
    return (
        *lost_columns(imported.ratings, held), *lost_sides(imported, ("severity", "category", "missing")),
        *([f"Names of {renamed:,} rated items become system:segment."] if renamed else []),
    )  # fmt: skip


def _one_comment(imported: Imported) -> bool:
    return "comment" not in imported.ratings.columns


def _segment(
    segment: str, rows: list[RatingRow], marks: Mapping[tuple[str, str], Any], imported: Imported
) -> tuple[Any, Any]:
    annotation: dict[str, dict[str, Any]] = {}
    item: dict[str, Any] = {"item_id": segment, "src": "", "tgt": {}}
    for row in rows:
        system = row.name("system") or "system"
        texts = imported.texts.get(row.item)
        answer = annotation.setdefault(system, {"score": None, "error_spans": []})
        score = plain_number(float(row.value)) if isinstance(row.value, float) else None
        if row.name("criterion"):
            answer.setdefault("sliders", {})[row.name("criterion")] = score
        else:
            answer["score"] = score
        text = texts.target if texts else None
        answer["error_spans"] = written_errors(
            marks.get((row.item, row.rater), ()), text, "category", newlines_marked=False
        )
        item["src"], item["tgt"][system] = (texts or Texts()).source, text or ""
    if not any(item["tgt"].values()):
        del item["tgt"]
    return annotation, item
