"""Prodigy JSONL: one line an answer; accept, reject or ignore, with choices, a label or spans."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.formats.collect import Collector, as_int, as_name, as_text
from accord.formats.content import json_lines
from accord.formats.detection import objects
from accord.formats.imported import Imported, Side
from accord.formats.meanings import CATEGORIES
from accord.formats.options import ReadOptions
from accord.formats.rows import by_rating, lost_columns, lost_sides, rating_rows, spelled
from accord.formats.texts import Texts

__all__ = ["detect", "read", "write"]

_NAMES = ("system", "document", "segment", "scenario", "condition", "group", "phase", "batch", "role", "occasion")
_APART = ("criterion", "occasion", "phase", "scenario", "condition", "system")
"""What may tell two answers of a rater to one task apart, where a file says it of its tasks."""


def detect(sample: str, path: Path) -> str | None:
    """JSON lines with an answer and Prodigy's hashes or session."""
    rows = objects(sample, 1)
    marks = {"_input_hash", "_task_hash", "_session_id", "_annotator_id", "_view_id"}
    if rows and "answer" in rows[0] and marks & set(rows[0]):
        return "JSON lines with answer and " + ", ".join(sorted(marks & set(rows[0])))
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read answers; one that was ignored is a rating without an answer."""
    collect = Collector(path)
    rows = list(json_lines(path, options, collect))
    last = {_task(row, path.stem): line for line, row in rows}
    for line, row in rows:
        answer = row.get("answer")
        if answer not in ("accept", "reject", "ignore"):
            collect.dropped(line, f"answer is {str(answer)[:40]!r}; it is accept, reject or ignore in Prodigy")
        elif last[_task(row, path.stem)] != line and options.duplicates in (None, "last"):
            collect.dropped(line, "the rater answered this task again later, and the later answer counts")
        else:
            _take(collect, line, row, str(answer), path.stem)
    given: dict[str, set[object]] = {}
    for rated in collect.rows:
        given.setdefault(as_name(rated.get("criterion")), set()).add(rated["value"])
    # Accept and reject have no order; what the options of a choice mean, Prodigy does not say.
    means = {name: CATEGORIES for name, values in given.items() if values <= {"accept", "reject", None}}
    return collect.imported("prodigy", options, means)


def _task(row: Mapping[str, Any], stem: str) -> tuple[str, ...]:
    """Rater, item and what tells two answers to it apart.

    The item is the task, an input with the question about it: one input is asked about several times, with other
    labels or other spans.
    """
    rater = as_name(row.get("_annotator_id") or row.get("_session_id")) or stem
    meta = row.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    names = (meta.get("id"), row.get("_task_hash"), row.get("_input_hash"), row.get("id"))
    item = next((name for name in map(as_name, names) if name), as_text(row.get("text")))
    return rater, item, *(as_name(meta.get(name)) for name in _APART)


def _take(collect: Collector, line: int, row: Mapping[str, Any], answer: str, stem: str) -> None:
    rater, item, *_ = _task(row, stem)
    if not as_name(row.get("_annotator_id") or row.get("_session_id")):
        collect.guessed(line, f"no _annotator_id and no _session_id; called {stem} after the file")
    meta = row.get("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    if not item:
        collect.dropped(line, "no _task_hash, _input_hash, id or text names the item")
        return
    collect.text(item, as_text(row.get("source")), as_text(row.get("text")))
    marked = _mark(collect, line, item, rater, row.get("spans"))
    value, criterion = _answer(row, answer, marked)
    more: dict[str, Value | None] = {name: as_name(meta.get(name)) or None for name in _NAMES}
    more["criterion"] = as_name(meta.get("criterion")) or criterion
    collect.rate(line, item, rater, value, **more)


def _answer(row: Mapping[str, Any], answer: str, marked: int) -> tuple[Value | None, str | None]:
    """The value and the name of what was judged."""
    if isinstance(row.get("accept"), list):
        chosen = [label for label in map(as_name, row["accept"]) if label]
        if answer == "ignore" or not chosen:
            return None, None
        if answer == "reject":
            return "reject", None
        return (chosen[0] if len(chosen) == 1 else frozenset(chosen)), None
    label = as_name(row.get("label")) or None
    return (None if answer == "ignore" else answer), label or ("spans" if marked else None)


def _mark(collect: Collector, line: int, item: str, rater: str, spans: object) -> int:
    marked = 0
    for span in spans if isinstance(spans, list) else ():
        given = span if isinstance(span, Mapping) else {}
        start, end = as_int(given.get("start")), as_int(given.get("end"))
        if start is None or end is None or not 0 <= start <= end:
            collect.dropped(line, "a span has no start and end; the answer is kept")
            continue
        side = Side.SOURCE if given.get("side") == "source" else Side.TARGET
        collect.mark(
            item,
            rater,
            (start, end),
            side=side,
            category=as_name(given.get("label")),
            severity=as_name(given.get("severity")),
            missing=given.get("missing") is True,
        )
        marked += 1
    return marked


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write one line a rating, its value as the accepted choice; spans go with the first rating of a rater."""
    marks = dict(by_rating(imported.spans))
    lines = []
    for row in rating_rows(imported.ratings):
        texts = imported.texts.get(row.item, Texts())
        meta = {"id": row.item, **{name: row.name(name) for name in (*_NAMES, "criterion") if row.name(name)}}
        chosen = sorted(row.value) if isinstance(row.value, frozenset) else [spelled(row.value)]
        entry: dict[str, Any] = {
            "text": texts.target,
            "accept": chosen,
            "answer": "accept",
            "_annotator_id": row.rater,
            "meta": meta,
        }
        entry |= {"source": texts.source} if texts.source else {}
        if spans := marks.pop((row.item, row.rater), None):
            entry["spans"] = [
                {
                    "start": s.start,
                    "end": s.end,
                    "label": s.category,
                    "side": str(s.side),
                    "severity": s.severity,
                    "missing": s.missing,
                }
                for s in spans
            ]
        lines.append(json.dumps(entry, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return (
        *lost_columns(imported.ratings, {*_NAMES, "criterion"}, texts=True),
        *lost_sides(imported, ("side", "severity", "category", "missing")),
    )
