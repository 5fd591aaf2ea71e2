"""MLflow: assessments, alone or of traces (JSON), and the table of ``mlflow.evaluate`` (eval_results_table.json)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.errors import FormatError
from accord.formats.collect import Collector, as_name, as_number
from accord.formats.content import json_documents
from accord.formats.detection import first_object
from accord.formats.imported import Imported
from accord.formats.judge_scores import mappings, meaning_of, shown, verdict
from accord.formats.options import ReadOptions

__all__ = ["detect", "read"]

_KINDS = {"LLM_JUDGE": "model", "AI_JUDGE": "model", "HUMAN": "human"}
_SCORE, _REASON = "/score", "/justification"


def detect(sample: str, path: Path) -> str | None:
    """Traces with assessments, or a table whose columns hold scores with their justification."""
    row = first_object(sample)
    if row is not None:
        table = isinstance(row.get("columns"), list) and isinstance(row.get("data"), list)
        if table and any(str(name).endswith(_SCORE) for name in row["columns"]):
            return "a table of MLflow with scores of judges"
        info = next(iter(_traces(row)), {}).get("info")
        return "traces of MLflow with assessments" if isinstance(info, Mapping) and "assessments" in info else None
    start = sample.lstrip()[:200]
    if '"columns"' in start and '/score"' in sample[:20_000]:
        return "a table of MLflow with scores of judges"
    found = '"assessment_name"' in sample and '"trace_id"' in sample
    return "traces of MLflow with assessments" if found and start[:1] in ("{", "[") else None


def _traces(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The traces of an object; assessments without a trace around them, or beside its name, are put into one."""
    if isinstance(row.get("traces"), list):
        return mappings(row["traces"])
    if "info" not in row and "assessment_name" in row and ("feedback" in row or "expectation" in row):
        return [{"info": {"trace_id": row.get("trace_id"), "assessments": [row]}}]
    if "info" not in row and any("assessment_name" in one for one in mappings(row.get("assessments"))):
        return [{"info": row}]
    return [row]


def read(path: Path, options: ReadOptions) -> Imported:
    """Read what judges and people said of each trace, or of each row of a table."""
    collect = Collector(path)
    rows = [row for _, row in json_documents(path, options)]
    table = rows[0] if len(rows) == 1 and isinstance(rows[0].get("columns"), list) else None
    if table is not None:
        _take_table(collect, path, table)
    else:
        number = 0
        for trace in (trace for row in rows for trace in _traces(row)):
            number = _take_trace(collect, number, trace)
    values: dict[str, list[Value | None]] = {}
    for row in collect.rows:
        values.setdefault(as_name(row["criterion"]), []).append(row["value"])
    means = {name: meaning for name, given in values.items() if (meaning := meaning_of(given)) is not None}
    return collect.imported("mlflow", options, means)


def _take_trace(collect: Collector, number: int, trace: Mapping[str, Any]) -> int:
    """The assessments of one trace; each is a row."""
    given = trace.get("info")
    info = given if isinstance(given, Mapping) else {}
    item = as_name(info.get("trace_id")) or as_name(info.get("request_id"))
    data = trace.get("data")
    collect.text(item, shown(info.get("request_preview")), shown(info.get("response_preview")))
    root = _root_span(data.get("spans") if isinstance(data, Mapping) else None)
    for assessment in mappings(info.get("assessments")):
        number += 1
        collect.row(number)
        _take_assessment(collect, number, item or as_name(assessment.get("trace_id")), assessment, root)
    return number


def _root_span(spans: object) -> str:
    """The span that has no parent: what is said of it is said of the whole answer."""
    alone = [span for span in mappings(spans) if not (span.get("parent_id") or span.get("parent_span_id"))]
    return as_name(alone[0].get("span_id")) if alone else ""


def _take_assessment(collect: Collector, number: int, item: str, said: Mapping[str, Any], root: str) -> None:
    source, feedback = said.get("source"), said.get("feedback")
    source = source if isinstance(source, Mapping) else {}
    kind = _KINDS.get(as_name(source.get("source_type")).upper())
    span = as_name(said.get("span_id"))
    if not isinstance(feedback, Mapping):
        collect.dropped(number, "an expectation says what is right; it is not a verdict")
    elif kind is None:
        collect.dropped(
            number, f"the source {as_name(source.get('source_type')) or 'unknown'} is neither a judge nor a person"
        )
    elif span and span != root:
        collect.dropped(number, "the assessment is about one step inside the trace, not about the answer")
    elif kind == "human" and said.get("valid") is False:
        collect.dropped(number, "a later assessment of the same person or another overrides it")
    elif not item:
        collect.dropped(number, "the trace has no trace_id")
    else:
        if kind == "model":
            _tell_judge(collect, said, source)
        value = None if feedback.get("error") else verdict(feedback.get("value"))
        collect.rate(
            number, item, as_name(source.get("source_id")) or kind, value,
            criterion=as_name(said.get("assessment_name")) or as_name(said.get("name")), kind=kind,
            comment=as_name(said.get("rationale")) or None,
        )  # fmt: skip


def _tell_judge(collect: Collector, said: Mapping[str, Any], source: Mapping[str, Any]) -> None:
    """The model is the source; prompt, rubric and settings are there where the judge wrote them into the metadata."""
    given = said.get("metadata")
    told = given if isinstance(given, Mapping) else {}
    judge = as_name(source.get("source_id"))
    collect.judges.told(
        judge or "model", as_name(said.get("assessment_name")) or as_name(said.get("name")), model=judge,
        prompt=told.get("prompt") or told.get("instructions"), rubric=told.get("rubric") or told.get("guidelines"),
        parameters=told.get("parameters") or {"temperature": told.get("temperature")},
    )  # fmt: skip


def _take_table(collect: Collector, path: Path, table: Mapping[str, Any]) -> None:
    """One row an output; the score and the justification of each judge have a column each."""
    columns = [str(name) for name in table["columns"]]
    data = table.get("data")
    judged = [name[: -len(_SCORE)] for name in columns if name.endswith(_SCORE)]
    graded = [name for name in judged if f"{name}{_REASON}" in columns]
    if not graded or not isinstance(data, list):
        raise FormatError(f"{path}: no column of scores has one of justifications beside it: no judge gave them.")
    if len(graded) < len(judged):
        collect.note("Scores without a justification come from a program, not from a judge, and were left out.")
    collect.note("The table does not say which model judged: each judge is called by the name of its metric.")
    for number, cells in collect.counted(enumerate(data, 1)):
        if not isinstance(cells, Sequence) or isinstance(cells, str) or len(cells) != len(columns):
            collect.dropped(number, f"not {len(columns)} cells, as the table has columns")
            continue
        record = dict(zip(columns, cells, strict=True))
        item = as_name(record.get("id")) or str(number)
        collect.text(item, shown(record.get("inputs")), shown(record.get("outputs") or record.get("predictions")))
        for name in graded:
            said = as_name(record[f"{name}{_REASON}"]) or None
            criterion = name.split("/")[0]
            score = as_number(record[f"{name}{_SCORE}"])
            collect.rate(number, item, f"{criterion} judge", score, criterion=criterion, kind="model", comment=said)
