"""Marks that stand in a text before its raters begin: of a model, or of an earlier round."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.design.items import MAX_ITEMS_BYTES, Item
from accord.design.nearest import did_you_mean
from accord.design.study import CriterionSettings
from accord.errors import Problem

__all__ = ["Prefilled", "read_prefilled"]

Mark = Mapping[str, Any]
Prefilled = Mapping[tuple[str, str, str], tuple[Mark, ...]]
"""By criterion, item and system."""

_Row = tuple[int, Mapping[str, Any]]


def read_prefilled(
    criteria: Iterable[CriterionSettings], files: Mapping[str, Path], items: Sequence[Item]
) -> tuple[Prefilled, list[Problem]]:
    """The marks of every criterion that names a file, and all that is wrong with them."""
    by_place = {(item.document, item.segment): item for item in items}
    found: dict[tuple[str, str, str], list[Mark]] = {}
    problems: list[Problem] = []
    for criterion in criteria:
        if not criterion.prefilled:
            continue
        path = files[criterion.key]
        for line, row in _rows(path, criterion.key, problems):
            item = by_place.get((str(row.get("document", "")), str(row.get("segment", ""))))
            if item is None or (why := _why_not_placed(row, item)):
                missing = f"document {row.get('document')!r} has no segment {row.get('segment')!r} among the items"
                problems.append(Problem(missing if item is None else why, line, path.name))
                continue
            own = found.setdefault((criterion.key, item.id, str(row["system"])), [])
            for mark in row["marks"]:
                whole = _placed(mark, item, str(row["system"]))
                if why := _why_no_mark(criterion, whole, item, str(row["system"])):
                    problems.append(Problem(why, line, path.name))
                elif whole not in own:
                    own.append(whole)
    return {place: tuple(marks) for place, marks in found.items()}, problems


def _rows(path: Path, criterion: str, problems: list[Problem]) -> Iterator[_Row]:
    """The lines of a .jsonl file, or of the judgements that an earlier study exported."""
    if not path.is_file():
        problems.append(Problem(f"is not there. Put the marks of {criterion!r} into this file", file=path.name))
        return
    if path.stat().st_size > MAX_ITEMS_BYTES:
        problems.append(Problem(f"holds more than {MAX_ITEMS_BYTES / 1e6:,.0f} MB", file=path.name))
        return
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        problems.append(Problem("is not UTF-8 text. Save it as UTF-8", file=path.name))
        return
    yield from (
        _of_lines(text, path, problems) if path.suffix == ".jsonl" else _of_table(text, path, criterion, problems)
    )


def _of_lines(text: str, path: Path, problems: list[Problem]) -> Iterator[_Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict) or not isinstance(row.get("marks"), list):
            problems.append(
                Problem("is no object with document, segment, system and a list of marks", number, path.name)
            )
        else:
            yield number, row


def _of_table(text: str, path: Path, criterion: str, problems: list[Problem]) -> Iterator[_Row]:
    reader = csv.DictReader(io.StringIO(text))
    needed = ("document", "segment", "system", "criterion", "value")
    if missing := [name for name in needed if name not in (reader.fieldnames or ())]:
        words = f"has no column {missing[0]!r}. Marks are read from `accord export DIR --judgements --systems`"
        problems.append(Problem(f"{words}, or from a .jsonl file", 1, path.name))
        return
    for row in reader:
        if row["criterion"] != criterion or row.get("superseded_by") or row.get("role") == "practice":
            continue
        try:
            marks = json.loads(row["value"] or "null") or []
        except (ValueError, RecursionError):
            marks = None
        if isinstance(marks, list):
            yield reader.line_num, {**row, "marks": marks}
        else:
            problems.append(Problem("the value is no list of marks", reader.line_num, path.name))


def _why_not_placed(row: Mapping[str, Any], item: Item) -> str:
    if row.get("system") not in item.outputs:
        return f"{row.get('system')!r} is no system of this segment{did_you_mean(str(row.get('system')), item.outputs)}"
    return ""


def _text_of(item: Item, system: str, side: Any) -> str:
    return item.source if side == "source" else item.outputs[system]


def _placed(mark: Any, item: Item, system: str) -> Mark:
    """A mark with its edges: those it says, or where its words stand first."""
    if not isinstance(mark, dict):
        return {}
    side = mark.get("side", "target")
    kept = {name: mark[name] for name in ("severity", "category") if mark.get(name) is not None}
    if mark.get("omission"):
        kept["omission"] = True
    start, end = mark.get("start"), mark.get("end")
    if isinstance(words := mark.get("text"), str) and start is None:
        start = _text_of(item, system, side).find(words)
        end = start + len(words)
    return {"side": side, "start": start, "end": end, **kept}


def _why_no_mark(criterion: CriterionSettings, mark: Mark, item: Item, system: str) -> str:
    if not mark or mark["side"] not in {*criterion.sides, *(("source",) if criterion.omissions else ())}:
        return f"a mark needs a start and an end, or its text, on a side that {criterion.key!r} marks"
    start, end = mark["start"], mark["end"]
    size = len(_text_of(item, system, mark["side"]))
    is_place = all(type(place) is int for place in (start, end))
    if not is_place or not 0 <= start <= end - (0 if mark.get("omission") else 1) or end > size:
        return f"a mark from {start!r} to {end!r} is not inside the text"
    severities = [severity.key for severity in criterion.severities]
    if severities and mark.get("severity") not in severities:
        return f"severity {mark.get('severity')!r} is not one of {', '.join(severities)}"
    if criterion.values and not mark.get("omission") and mark.get("category") not in criterion.values:
        return f"category {mark.get('category')!r} is not one of those of {criterion.key!r}"
    return ""
