"""Mechanical Turk batch results, CSV: one row an assignment; Input. columns tell the item, Answer. columns the answers.

An assignment that the requester rejected does not count.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.design.scale import Value
from accord.errors import FormatError
from accord.formats.collect import Collector, as_name, as_number, as_value
from accord.formats.content import delimited, read_text
from accord.formats.detection import delimiter_of, header_of
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions

__all__ = ["detect", "read"]

_NEEDED = {"HITId", "AssignmentId", "WorkerId", "AssignmentStatus"}
_ITEM = ("item", "item_id", "itemid", "id", "segment_id", "segid")
_NAMES = {
    "system": "system", "document": "document", "doc": "document", "doc_id": "document", "segment": "segment",
    "language_pair": "language_pair", "lp": "language_pair", "domain": "domain", "condition": "condition",
}  # fmt: skip
_SOURCES, _TARGETS = ("source", "src", "source_text"), ("target", "tgt", "translation", "text", "output", "hypothesis")
_COMMENTS = ("comment", "comments", "feedback", "remarks")
_TRUE, _FALSE = ("true", "on"), ("false", "off", "")
_REJECTED = "the requester rejected the assignment (AssignmentStatus Rejected): it does not count"

_Answers = dict[str, Value | None]


def detect(sample: str, path: Path) -> str | None:
    """A header with HITId, WorkerId and AssignmentStatus."""
    if set(header_of(sample)) >= _NEEDED:
        return "the header names HITId, AssignmentId, WorkerId and AssignmentStatus"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the assignments that were not rejected; every answer is a criterion."""
    collect = Collector(path)
    text = read_text(path, options, collect)
    rows = delimited(text, delimiter_of(text), str(path))
    _, names = next(rows, (0, []))
    names = [name.strip() for name in names]
    absent = sorted(_NEEDED - set(names))
    if absent:
        raise FormatError(f"{path}:1: results of Mechanical Turk need the columns {', '.join(absent)}.")
    records: list[tuple[int, dict[str, str]]] = []
    for line, cells in collect.counted(rows):
        if len(cells) != len(names):
            collect.dropped(line, f"{len(cells)} cells where the header has {len(names)}")
        else:
            records.append((line, dict(zip(names, cells, strict=True))))
    ticks = _tick_groups(names, records)
    item = _item_column([record for _, record in records])
    for line, record in records:
        _take(collect, line, record, item, ticks)
    return collect.imported("mturk", options)


def _take(collect: Collector, line: int, record: Mapping[str, str], item: str, ticks: Mapping[str, list[str]]) -> None:
    if record["AssignmentStatus"].strip().casefold() == "rejected":
        collect.dropped(line, _REJECTED)
        return
    if record.get("Reject", "").strip():
        collect.dropped(line, "the requester marked the assignment to be rejected: it does not count")
        return
    name, rater = record[item].strip(), record["WorkerId"].strip()
    if not name or not rater:
        collect.dropped(line, f"no {item if not name else 'WorkerId'}")
        return
    given = {column[len("Input.") :].casefold(): cell for column, cell in record.items() if column.startswith("Input.")}
    collect.text(
        name,
        next((given[key] for key in _SOURCES if given.get(key)), ""),
        next((given[key] for key in _TARGETS if given.get(key)), ""),
    )
    more: dict[str, Value | None] = {column: given[key] for key, column in _NAMES.items() if given.get(key)}
    more["time_s"] = as_number(record.get("WorkTimeInSeconds", ""))
    answers = _answers(collect, line, record, ticks)
    comment = "; ".join(as_name(answers.pop(key)) for key in list(answers) if key.casefold() in _COMMENTS)
    if not answers:
        collect.dropped(line, "the assignment holds no answer")
        return
    for criterion, value in answers.items():
        collect.rate(line, name, rater, value, criterion=criterion, comment=comment or None, **more)


def _item_column(records: Sequence[Mapping[str, str]]) -> str:
    """The input that names the item, if one does so for every HIT; else the HIT, one for each row of the input."""
    for column in records[0] if records else ():
        if column.startswith("Input.") and column[len("Input.") :].casefold() in _ITEM:
            named = {(record["HITId"], record[column]) for record in records}
            if all(name for _, name in named) and len(named) == len({hit for hit, _ in named}):
                return column
    return "HITId"


def _tick_groups(names: Sequence[str], records: Sequence[tuple[int, Mapping[str, str]]]) -> dict[str, list[str]]:
    """Answers with one column a label, each true or false: criterion -> columns."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if name.startswith("Answer.") and name.count(".") >= 2 and not name.endswith(".label"):
            groups.setdefault(name[len("Answer.") :].rpartition(".")[0], []).append(name)
    return {
        group: columns
        for group, columns in groups.items()
        if len(columns) > 1
        and all(record[column].strip().casefold() in (*_TRUE, *_FALSE) for _, record in records for column in columns)
    }


def _answers(collect: Collector, line: int, record: Mapping[str, str], ticks: Mapping[str, list[str]]) -> _Answers:
    answers: _Answers = {}
    taken = {column for columns in ticks.values() for column in columns}
    for group, columns in ticks.items():
        chosen = [column.rpartition(".")[2] for column in columns if record[column].strip().casefold() in _TRUE]
        answers[group] = None if not chosen else chosen[0] if len(chosen) == 1 else frozenset(chosen)
    for column, cell in record.items():
        if not column.startswith("Answer.") or column in taken:
            continue
        name = column[len("Answer.") :].removesuffix(".label")
        if name == "taskAnswers":
            answers |= dict(_task_answers(collect, line, cell))
        else:
            answers[name] = cell.strip() or None
    return answers


def _task_answers(collect: Collector, line: int, cell: str) -> Iterator[tuple[str, Value | None]]:
    """The answers of a form, a list with one object; a group of options is an object of true and false."""
    try:
        found: Any = json.loads(cell)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not found or not isinstance(found[0], Mapping):
        collect.dropped(line, f"Answer.taskAnswers cannot be read: {cell[:60]!r}")
        return
    for name, value in found[0].items():
        if isinstance(value, Mapping) and "label" in value:
            yield str(name), as_value(value["label"])
        elif isinstance(value, Mapping):
            chosen = [str(label) for label, ticked in value.items() if ticked is True]
            yield str(name), None if not chosen else chosen[0] if len(chosen) == 1 else frozenset(chosen)
        else:
            yield str(name), as_value(value)
