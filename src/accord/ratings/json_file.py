"""JSON lines (one object a line) and JSON arrays of objects, with the line of each object."""

import json
from typing import Any

from accord.errors import FormatError, Problem
from accord.ratings.plain_json import plain_json_columns
from accord.ratings.plain_text import WORTH_CODING
from accord.ratings.raw import RawTable, table_of_objects, table_of_records
from accord.ratings.text_file import FileText

__all__ = ["read_json_text"]


def read_json_text(found: FileText, source: str) -> RawTable:
    """Read objects; cells that are lists are sets of labels."""
    if len(found.text) >= WORTH_CODING and (columns := plain_json_columns(found.text)) is not None:
        return table_of_objects(columns, source, found.notes)
    stripped = found.text.lstrip()
    records, lines = _array(found.text, source) if stripped.startswith("[") else _lines(found.text, source)
    if not records:
        raise FormatError(f"{source} holds no objects, so no ratings.")
    return table_of_records(records, lines, source, found.notes)


def _lines(text: str, source: str) -> tuple[list[dict[str, Any]], list[int]]:
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        record = _parsed(line)
        if isinstance(record, dict):
            records.append(record)
            lines.append(number)
        else:
            words = "is not JSON" if record is _NOT_JSON else "is JSON, but not an object with named cells"
            problems.append(Problem(f"this line {words}: {line.strip()[:60]!r}", row=number, file=source))
    if problems:
        if len(records) <= 1 and isinstance(whole := _parsed(text), dict):
            raise FormatError(f"{source} is one JSON object ({', '.join(list(whole)[:8])}), not a list of ratings.")
        raise FormatError(f"{source} is not JSON lines, one object per line:", problems)
    return records, lines


def _array(text: str, source: str) -> tuple[list[dict[str, Any]], list[int]]:
    whole = _parsed(text)
    if not isinstance(whole, list):
        raise FormatError(f"{source} starts like a JSON array, but is not well-formed JSON. It may be truncated.")
    odd = [place for place, record in enumerate(whole, start=1) if not isinstance(record, dict)]
    if odd:
        problems = [Problem("this element is not an object with named cells", row=place, file=source) for place in odd]
        raise FormatError(f"{source} is a JSON array, but not of objects:", problems)
    return whole, list(range(1, len(whole) + 1))


_NOT_JSON = object()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOT_JSON
