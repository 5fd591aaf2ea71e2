"""Langfuse scores, as its API and exports give them: of people (ANNOTATION), evaluators (EVAL) and others (API)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.formats.collect import Collector, as_name, as_number
from accord.formats.content import delimited, json_documents, read_text
from accord.formats.detection import delimiter_of, first_object, header_of
from accord.formats.imported import Imported
from accord.formats.judge_scores import mappings, meaning_of
from accord.formats.meanings import CATEGORIES
from accord.formats.options import ReadOptions

__all__ = ["detect", "read"]

_SOURCES = {"ANNOTATION": "human", "EVAL": "model", "API": ""}
_TRUE = ("true", "1", "1.0")
_NEEDED = {"name", "value", "source"}
_FACTS = {
    "model": ("model",),
    "prompt": ("prompt", "promptVersion", "prompt_version", "promptName", "prompt_name", "evaluatorVersion"),
    "rubric": ("rubric", "criteria"),
}
"""What evaluators write into the metadata of a score, by the fact it tells."""
_SETTINGS = ("parameters", "modelParameters", "model_params")
_SUBJECTS = ("observationId", "traceId", "sessionId", "datasetRunId")


def detect(sample: str, path: Path) -> str | None:
    """Scores with name, value, source and what they are about, in a list, below data, or as a table."""
    row = first_object(sample)
    if row is not None and isinstance(row.get("data"), list):
        row = next(iter(mappings(row["data"])), None)
    if row is not None:
        return "JSON with scores that have name, source and a trace" if _is_score(row) else None
    if set(header_of(sample)) >= {*_NEEDED, "traceId"}:
        return "the header names name, value, source and traceId"
    return None


def _is_score(row: Mapping[str, Any]) -> bool:
    about = "subject" in row or any(name in row for name in _SUBJECTS)
    return set(row) >= _NEEDED and about and str(row["source"]).upper() in _SOURCES


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the scores; each name is a criterion."""
    collect = Collector(path)
    text = read_text(path, options, collect)
    rows = _of_json(path, options, collect) if text.lstrip()[:1] in ("{", "[") else _of_table(path, text, collect)
    for line, row in rows:
        collect.row(line)
        _take(collect, line, row)
    values: dict[str, list[Value | None]] = {}
    for rated in collect.rows:
        values.setdefault(as_name(rated["criterion"]), []).append(rated["value"])
    means = {
        name: meaning_of(given) or CATEGORIES
        for name, given in values.items()
        if all(isinstance(value, str) for value in given)
    }
    return collect.imported("langfuse", options, means)


def _of_json(path: Path, options: ReadOptions, collect: Collector) -> list[tuple[int, Mapping[str, Any]]]:
    """The scores of a list, of lines, or of pages, which hold them below data."""
    found = [row for _, row in json_documents(path, options)]
    scores = [one for row in found for one in (mappings(row["data"]) if isinstance(row.get("data"), list) else [row])]
    return list(enumerate(scores, 1))


def _of_table(path: Path, text: str, collect: Collector) -> list[tuple[int, Mapping[str, Any]]]:
    rows = delimited(text, delimiter_of(text), str(path))
    _, names = next(rows, (0, []))
    found: list[tuple[int, Mapping[str, Any]]] = []
    for line, cells in rows:
        if len(cells) == len(names):
            found.append((line, dict(zip((name.strip() for name in names), cells, strict=True))))
        else:
            collect.row(line)
            collect.dropped(line, f"{len(cells)} cells where the header has {len(names)}")
    return found


def _take(collect: Collector, line: int, row: Mapping[str, Any]) -> None:
    name, source = as_name(row.get("name")), as_name(row.get("source")).upper()
    subject = row.get("subject")
    abouts = [subject.get("id")] if isinstance(subject, Mapping) else [row.get(key) for key in _SUBJECTS]
    item = next((about for about in map(as_name, abouts) if about), "")
    if not name or not item or source not in _SOURCES:
        collect.dropped(line, "no name, no trace, or a source that is not ANNOTATION, EVAL or API")
        return
    kind = as_name(row.get("dataType")).upper()
    if kind in ("TEXT", "CORRECTION"):
        collect.dropped(line, f"a score of the type {kind} is not a verdict")
        return
    comment = as_name(row.get("comment")) or None
    who = {"ANNOTATION": as_name(row.get("authorUserId")) or "annotator", "EVAL": _evaluator(row), "API": "API"}[source]
    if source == "API":
        collect.note("Scores with the source API may come from a judge or a program: their kind is not said.")
    if source == "EVAL":
        told = _metadata(row)
        settings = next((told[key] for key in _SETTINGS if key in told), {"temperature": told.get("temperature")})
        facts = {field: next((told[key] for key in keys if key in told), None) for field, keys in _FACTS.items()}
        collect.judges.told(who, name, parameters=settings, **facts)
    collect.rate(
        line, item, who, _value(row, kind), criterion=name, kind=_SOURCES[source] or None, comment=comment,
        **({"document": as_name(row.get("traceId"))} if row.get("observationId") and row.get("traceId") else {}),
    )  # fmt: skip


def _evaluator(row: Mapping[str, Any]) -> str:
    """The model of an evaluator where its score says it, else the evaluator, which has the name of the score."""
    return as_name(_metadata(row).get("model")) or f"{as_name(row.get('name'))} evaluator"


def _metadata(row: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = row.get("metadata")
    if isinstance(metadata, str) and metadata.startswith("{"):
        try:
            metadata = json.loads(metadata)
        except (ValueError, RecursionError):
            metadata = None
    return metadata if isinstance(metadata, Mapping) else {}


def _value(row: Mapping[str, Any], kind: str) -> Value | None:
    value, label = row.get("value"), as_name(row.get("stringValue"))
    if kind == "BOOLEAN" or isinstance(value, bool):
        given = "true" if value is True else "false" if value is False else as_name(value) or label
        return None if given == "" else "pass" if given.casefold() in _TRUE else "fail"
    if kind == "CATEGORICAL":
        return label or as_name(value) or None
    number = as_number(value)
    return number if number is not None else as_name(value) or label or None
