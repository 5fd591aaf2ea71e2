"""Error spans as Appraise, ESA, WMT25 and Pearmut write them: start_i and end_i, the last one included."""

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from accord.formats.collect import Collector, as_int, as_name
from accord.formats.imported import Span
from accord.formats.offsets import OffsetError, browser_boxes, from_browser_marks, to_utf16

__all__ = ["WITHOUT_TEXT", "label_of", "mark_errors", "parse_errors", "written_errors"]

WITHOUT_TEXT = (
    "Offsets count UTF-16 units and the file does not hold the texts: they are code points "
    "unless a text has characters beyond U+FFFF (most emoji) before the span."
)
_LONGEST = 1_000_000


def parse_errors(cell: str, line: int, collect: Collector) -> list[Mapping[str, Any]]:
    """The errors in a cell: JSON, or the Python literal that some exports write instead."""
    if not cell.strip() or cell.strip().lower() in ("none", "null", "nan"):
        return []
    try:
        errors = json.loads(cell)
    except (ValueError, RecursionError):
        errors = _literal(cell)
        if errors is None:
            collect.dropped(line, f"spans cannot be read: {cell[:60]!r}; the rating is kept")
            return []
        collect.repaired(line, "spans are a Python literal instead of JSON")
    if isinstance(errors, Mapping):
        errors = [errors]
    if not isinstance(errors, list) or not all(isinstance(error, Mapping) for error in errors):
        collect.dropped(line, f"spans are not a list of objects: {cell[:60]!r}; the rating is kept")
        return []
    return errors


def _literal(cell: str) -> Any:
    if len(cell) > _LONGEST:
        return None
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def mark_errors(
    collect: Collector,
    item: str,
    rater: str,
    errors: Sequence[Mapping[str, Any]],
    line: int,
    text: str | None = None,
    *,
    newlines: bool = True,
    boxed: bool = False,
) -> None:
    """Turn the errors of one rating into spans; what cannot be placed is dropped with a reason.

    ``newlines`` says whether the page counted newlines, ``boxed`` whether boxes behind the last character of the
    text stand for what is missing from it.
    """
    for error in errors:
        category, severity = label_of(error)
        if "missing" in (error.get("start_i"), error.get("end_i")) or (boxed and _beyond(error, text, newlines)):
            collect.omission(item, rater, category, severity)
            continue
        first, last = as_int(error.get("start_i")), as_int(error.get("end_i"))
        if first is None or last is None:
            collect.dropped(line, "a span has no whole numbers start_i and end_i; the rating is kept")
            continue
        try:
            place = _placed(text, first, last, newlines)
        except OffsetError as problem:
            collect.dropped(line, f"a span was left out: {problem}; the rating is kept")
            continue
        if text is None:
            collect.note(WITHOUT_TEXT)
        collect.mark(item, rater, place, category=category, severity=severity)


def label_of(error: Mapping[str, Any]) -> tuple[str, str]:
    """Category and severity of an error; a category and its subcategories come as a list."""
    category = error.get("category") or error.get("error_type")
    if isinstance(category, list):
        category = "/".join(name for part in category if (name := as_name(part)))
    return as_name(category), as_name(error.get("severity"))


def _placed(text: str | None, first: int, last: int, newlines: bool) -> tuple[int, int]:
    if text is not None:
        return from_browser_marks(text, first, last, newlines=newlines)
    if not 0 <= first <= last:
        raise OffsetError(f"marks {first} to {last} are no stretch of text")
    return first, last + 1


def _beyond(error: Mapping[str, Any], text: str | None, newlines: bool) -> bool:
    first = as_int(error.get("start_i"))
    if text is None or first is None or first != as_int(error.get("end_i")):
        return False
    return first >= len(browser_boxes(text, newlines=newlines))


def written_errors(spans: Sequence[Span], text: str | None, key: str, *, boxed: bool = False) -> list[dict[str, Any]]:
    """The spans of one rating in this shape again, newlines counted; ``key`` names the category."""
    errors: list[dict[str, Any]] = []
    for span in spans:
        first: int | str
        last: int | str
        if span.missing:
            first = last = len(browser_boxes(text, newlines=True)) if boxed and text is not None else "missing"
        elif text is None:
            first, last = span.start, span.end - 1
        else:
            start, end = to_utf16(text, span.start, span.end)
            first, last = start, end - 1
        errors.append({"start_i": first, "end_i": last, "severity": span.severity or None, key: span.category or None})
    return errors
