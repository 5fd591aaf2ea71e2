"""Label Studio JSON: tasks with annotations; every control (from_name) is a criterion, regions are spans."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.errors import FormatError
from accord.formats.collect import Collector, as_int, as_name, as_number, as_text, as_value
from accord.formats.content import json_documents
from accord.formats.detection import objects
from accord.formats.imported import Imported, Side, Span
from accord.formats.meanings import CATEGORIES, NUMBER_OF_SPANS, POINTS, STARS
from accord.formats.offsets import OffsetError, from_utf16, to_utf16
from accord.formats.options import ReadOptions
from accord.formats.rows import RatingRow, by_rating, lost_columns, plain_number, rating_rows
from accord.formats.texts import Texts

__all__ = ["SPANS", "detect", "read", "write"]

SPANS = "spans"
"""The criterion of span-only annotations: how many spans a rater marked."""
_NAMES = ("system", "document", "segment", "scenario", "condition", "group", "phase", "batch", "role")
_MINIMAL = {"annotation_id", "annotator", "lead_time"}
_KINDS = ("choices", "rating", "number", "taxonomy", "selected", "datetime")
_MEANS = {"taxonomy": CATEGORIES, "rating": STARS, "number": POINTS}
"""What a control says of its answers; whether choices have an order, it does not say."""
_SOURCE = re.compile(r"^(src|source|prompt)", re.IGNORECASE)


def detect(sample: str, path: Path) -> str | None:
    """Tasks with data and annotations that have results."""
    tasks = [_of_today(task) for task in objects(sample, 1)]
    if tasks and set(tasks[0]) >= _MINIMAL and "annotations" not in tasks[0]:
        return "JSON objects with annotation_id, annotator and lead_time"
    if tasks and isinstance(tasks[0].get("annotations"), list) and isinstance(tasks[0].get("data"), Mapping):
        return "JSON tasks with data and annotations"
    if not tasks and '"annotations"' in sample and '"result"' in sample and '"completed_by"' in sample:
        return "JSON with annotations, results and completed_by"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read every annotation; one that was cancelled is a rating without an answer."""
    collect = Collector(path)
    tasks = [(place, _of_today(task)) for place, task in json_documents(path, options, collect)]
    collect.seen.clear()  # a row is an annotation here, not a task
    if tasks and set(tasks[0][1]) >= _MINIMAL:
        raise FormatError(
            f"{path} is Label Studio's JSON-MIN, which does not tell answers from the data they are about. "
            "Export the project as JSON."
        )
    results = [
        result
        for _, task in tasks
        for note in _listed(task.get("annotations"))
        for result in _listed(note.get("result"))
    ]
    only_spans = not any(map(_kind, results)) and any(map(_is_text_region, results))
    number = 0
    for place, task in tasks:
        data = task.get("data")
        if not isinstance(data, Mapping) or not isinstance(task.get("annotations"), list):
            number += 1
            collect.row(number)
            collect.dropped(number, f"task {place} is without data or annotations")
            continue
        item = as_name(data.get("item")) or as_name(task.get("id")) or str(place)
        collect.text(item, as_text(data.get("source")), as_text(data.get("text") or data.get("target")))
        for annotation in _listed(task["annotations"]):
            number += 1
            collect.row(number)
            _take(collect, number, item, data, annotation, only_spans)
        if task.get("predictions"):
            collect.note("Predictions of models are not ratings and were left out.")
    means = {as_name(result.get("from_name")): _MEANS[kind] for result in results if (kind := _kind(result)) in _MEANS}
    return collect.imported("label-studio", options, {SPANS: NUMBER_OF_SPANS} if only_spans else means)


def _of_today(task: Mapping[str, Any]) -> Mapping[str, Any]:
    """A task of before version 1.0, when annotations were called completions, as it is written today."""
    if isinstance(task.get("completions"), list) and "annotations" not in task:
        return {**task, "annotations": task["completions"]}
    return task


def _listed(value: object) -> Iterable[Mapping[str, Any]]:
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def _kind(result: Mapping[str, Any]) -> str:
    """The kind of answer to the whole task; '' for a region or an unknown one."""
    value = result.get("value")
    if not isinstance(value, Mapping) or "start" in value:
        return ""
    return next((kind for kind in _KINDS if kind in value), "")


def _is_text_region(result: Mapping[str, Any]) -> bool:
    value = result.get("value")
    return isinstance(value, Mapping) and "start" in value


def _other_regions(results: Iterable[Mapping[str, Any]]) -> str:
    """What was marked in pictures, sound or video, in words; '' if nothing was."""
    kinds = {
        as_name(result.get("type"))
        for result in results
        if isinstance(result.get("value"), Mapping)
        and not _kind(result)
        and not _is_text_region(result)
        and result.get("type") != "textarea"
    }
    return ", ".join(sorted(kinds - {""}))


def _take(
    collect: Collector, place: int, item: str, data: Mapping[str, Any], annotation: Mapping[str, Any], only_spans: bool
) -> None:
    who = annotation.get("completed_by")
    rater = as_name((who.get("email") or who.get("id")) if isinstance(who, Mapping) else who)
    if not rater:
        collect.dropped(place, f"an annotation of {item} has no completed_by")
        return
    more: dict[str, Value | None] = {name: as_name(data.get(name)) or None for name in _NAMES}
    more["time_s"] = as_number(annotation.get("lead_time"))
    more["occasion"] = as_name(annotation.get("occasion")) or None
    if annotation.get("ground_truth") is True:
        more["role"] = "gold"
    results = list(_listed(annotation.get("result")))
    if annotation.get("was_cancelled") is True:
        collect.rate(place, item, rater, None, **more)
        return
    regions = _mark_regions(collect, place, item, rater, data, results)
    comment = "; ".join(_written_texts(results)) or None
    answered = False
    for result in results:
        kind = _kind(result)
        if kind:
            value = _answer(result["value"][kind])
            collect.rate(place, item, rater, value, criterion=as_name(result.get("from_name")), comment=comment, **more)
            answered = True
    marked = _other_regions(results)
    if marked:
        collect.dropped(place, f"the annotation marks regions ({marked}) that are not text: they are not ratings")
    elif only_spans:
        collect.rate(place, item, rater, float(regions), criterion=SPANS, comment=comment, **more)
    elif not answered:
        collect.dropped(place, "the annotation answers no question about the whole task")


def _answer(value: object) -> Value | None:
    """One choice is a label, several are a set; a taxonomy answer is its path."""
    if isinstance(value, list):
        labels = ["/".join(map(as_name, part)) if isinstance(part, list) else as_name(part) for part in value]
        return labels[0] if len(labels) == 1 else as_value(labels)
    return as_value(value)


def _written_texts(results: Iterable[Mapping[str, Any]]) -> list[str]:
    written = []
    for result in results:
        value = result.get("value")
        given = value.get("text") if isinstance(value, Mapping) and result.get("type") == "textarea" else None
        written += [as_text(part) for part in (given if isinstance(given, list) else [given]) if as_text(part)]
    return written


def _mark_regions(
    collect: Collector, place: int, item: str, rater: str, data: Mapping[str, Any], results: list[Mapping[str, Any]]
) -> int:
    """Regions with labels become spans; a choice on the same region is its severity."""
    severity: dict[str, str] = {}
    regions: list[tuple[Mapping[str, Any], str]] = []
    for result in results:
        value = result.get("value")
        if not isinstance(value, Mapping) or "start" not in value:
            continue
        labels = value.get("labels") or value.get("hypertextlabels") or value.get("paragraphlabels")
        if isinstance(labels, list):
            regions.append((result, "/".join(map(as_name, labels))))
        elif isinstance(value.get("choices"), list):
            severity[as_name(result.get("id"))] = "/".join(map(as_name, value["choices"]))
        else:
            collect.dropped(
                place, f"the answer {as_name(result.get('from_name'))} is about a region, not about the task"
            )
    for result, category in regions:
        side = Side.SOURCE if _SOURCE.match(as_name(result.get("to_name"))) else Side.TARGET
        where = _region_place(collect, place, data, result)
        if where is not None:
            label = severity.get(as_name(result.get("id")), "")
            missing = as_name(result["value"].get("meta")) == "missing"
            collect.mark(item, rater, where, side=side, category=category, severity=label, missing=missing)
    return len(regions)


def _region_place(
    collect: Collector, line: int, data: Mapping[str, Any], result: Mapping[str, Any]
) -> tuple[int, int] | None:
    value = result["value"]
    overall = value.get("globalOffsets")
    if isinstance(overall, Mapping):
        start, end = as_int(overall.get("start")), as_int(overall.get("end"))
    elif "startOffset" in value:
        collect.dropped(line, "a region of hypertext or paragraphs says where it lies in its part only")
        return None
    else:
        start, end = as_int(value.get("start")), as_int(value.get("end"))
    if start is None or end is None or not 0 <= start <= end:
        collect.dropped(line, "a region is not a stretch of text (no whole numbers start and end)")
        return None
    marked = value.get("text")
    own = data.get(as_name(result.get("to_name")))
    texts = [own] if isinstance(own, str) else [text for text in data.values() if isinstance(text, str)]
    if isinstance(marked, str):
        for text in texts:
            try:
                if text[slice(*from_utf16(text, start, end))] == marked:
                    return from_utf16(text, start, end)
            except OffsetError:
                pass
            if text[start:end] == marked:
                return start, end
        collect.guessed(
            line, f"the text marked from {start} to {end} is not found there; the offsets are kept as written"
        )
        return start, end
    try:
        return from_utf16(own, start, end) if isinstance(own, str) else (start, end)
    except OffsetError as problem:
        collect.dropped(line, f"a region was left out: {problem}")
        return None


def write(imported: Imported, path: Path) -> tuple[str, ...]:
    """Write one task for each item, one annotation for each rater (and occasion)."""
    marks = by_rating(imported.spans)
    tasks: dict[str, dict[tuple[str, str], list[RatingRow]]] = {}
    for row in rating_rows(imported.ratings):
        tasks.setdefault(row.item, {}).setdefault((row.rater, row.name("occasion")), []).append(row)
    written = []
    for number, (item, annotations) in enumerate(tasks.items(), 1):
        first = next(iter(annotations.values()))[0]
        texts = imported.texts.get(item, Texts())
        data = {"item": item, **{name: first.name(name) for name in _NAMES if first.name(name)}}
        data |= {key: text for key, text in (("source", texts.source), ("text", texts.target)) if text}
        notes = [_annotation(who, rows, texts, marks.get((item, who[0]), [])) for who, rows in annotations.items()]
        written.append({"id": number, "data": data, "annotations": notes})
    path.write_text(json.dumps(written, ensure_ascii=False, indent=1), encoding="utf-8", newline="")
    held = {*_NAMES, "criterion", "occasion", "time_s"}
    return (*lost_columns(imported.ratings, held, texts=True, once=_NAMES), *_lost_omissions(imported))


def _annotation(who: tuple[str, str], rows: list[RatingRow], texts: Texts, spans: list[Span]) -> dict[str, Any]:
    results: list[dict[str, Any]] = []
    for row in rows:
        criterion = row.name("criterion") or "value"
        if isinstance(row.value, float):
            value: dict[str, Any] = {"number": plain_number(row.value)}
        else:
            value = {"choices": sorted(row.value) if isinstance(row.value, frozenset) else [row.value]}
        if criterion != SPANS:
            results.append({"from_name": criterion, "to_name": "text", "type": next(iter(value)), "value": value})
    for place, span in enumerate(spans):
        results += _regions(place, span, texts)
    times = [row.number("time_s") for row in rows]
    occasion = {"occasion": who[1]} if who[1] else {}
    return {
        "completed_by": who[0],
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": times[0],
        "result": results,
        **occasion,
    }


def _regions(place: int, span: Span, texts: Texts) -> list[dict[str, Any]]:
    text = texts.source if span.side is Side.SOURCE else texts.target
    start, end = (span.start, span.end) if not text else to_utf16(text, span.start, span.end)
    where: dict[str, Any] = {"start": start, "end": end}
    if text:
        where["text"] = text[span.start : span.end]
    if span.missing:
        where["meta"] = "missing"
    shared = {"id": f"span{place}", "to_name": "source" if span.side is Side.SOURCE else "text"}
    regions = [
        {**shared, "from_name": "label", "type": "labels", "value": {**where, "labels": [span.category or "error"]}}
    ]
    if span.severity:
        value = {key: where[key] for key in ("start", "end")} | {"choices": [span.severity]}
        regions.append({**shared, "from_name": "severity", "type": "choices", "value": value})
    return regions


def _lost_omissions(imported: Imported) -> tuple[str, ...]:
    unnamed = sum(not span.category for span in imported.spans)
    criteria = imported.ratings.columns.get("criterion")
    unlabelled = criteria is None or (criteria.codes < 0).any()
    return (
        *([f"{unnamed:,} spans without a category get the label error."] if unnamed else []),
        *(["Ratings without a criterion get the criterion value."] if unlabelled else []),
    )
