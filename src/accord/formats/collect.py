"""A collector: readers tell it ratings, spans and repairs row by row, and it makes the Imported of them."""

from math import isfinite
from pathlib import Path
from typing import Any

from accord.design.criterion import Criterion
from accord.design.scale import Value
from accord.errors import FormatError
from accord.formats.building import ratings_of
from accord.formats.imported import Action, Imported, Repair, RepairLog, Side, Span
from accord.formats.options import ReadOptions
from accord.formats.texts import Texts, text_factors
from accord.ratings.codebook import Codebook, ItemMeaning

__all__ = ["Collector", "as_int", "as_name", "as_number", "as_text", "as_value", "joined"]


class Collector:
    """What has been read so far of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[dict[str, Value | None]] = []
        self.lines: list[int] = []
        self.spans: list[Span] = []
        self.texts: dict[str, Texts] = {}
        self.repairs: list[Repair] = []
        self.notes: list[str] = []

    def rate(self, line: int, item: str, rater: str, value: Value | None, **more: Value | None) -> None:
        """One rating; None where the rater saw the item and gave no answer."""
        self.rows.append({"item": item, "rater": rater, "value": value, **more})
        self.lines.append(line)

    def mark(self, item: str, rater: str, place: tuple[int, int], **more: Any) -> None:
        """One span, half-open in code points."""
        self.spans.append(Span(item, rater, *place, **more))

    def omission(self, item: str, rater: str, category: str = "", severity: str = "") -> None:
        """Something that is missing from the target."""
        self.spans.append(Span(item, rater, 0, 0, Side.TARGET, category, severity, missing=True))

    def text(self, item: str, source: str = "", target: str = "") -> None:
        self.texts.setdefault(item, Texts(source, target))

    def dropped(self, line: int | None, reason: str, file: str = "") -> None:
        self.repairs.append(Repair(Action.DROPPED, reason, line, file))

    def repaired(self, line: int | None, reason: str, file: str = "") -> None:
        self.repairs.append(Repair(Action.REPAIRED, reason, line, file))

    def guessed(self, line: int | None, reason: str, file: str = "") -> None:
        self.repairs.append(Repair(Action.GUESSED, reason, line, file))

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def imported(self, format: str, options: ReadOptions, means: Criterion | None = None) -> Imported:
        """All of it; an error if the file held no rating. ``means`` is what the format itself says of its scores."""
        if not self.rows:
            why = "; ".join(dict.fromkeys(repair.reason for repair in self.repairs[:5]))
            raise FormatError(f"{self.path} holds no ratings in the format {format}" + (f": {why}." if why else "."))
        log = RepairLog(tuple(self.repairs))
        notes = (*self.notes, *filter(None, [log.summary()]))
        texts = text_factors([str(row["item"]) for row in self.rows], self.texts)
        codebook = options.codebook or self._meaning(format, means, tuple(texts))
        ratings = ratings_of(
            self.rows, str(self.path), options, lines=self.lines, notes=notes, texts=texts, codebook=codebook
        )
        return Imported(ratings, tuple(self.spans), log, tuple(self.notes), format)

    def _meaning(self, format: str, means: Criterion | None, texts: tuple[str, ...]) -> Codebook:
        """What the format says: its scores, and that an item is a segment of a document by a system."""
        there = {name for row in self.rows for name, cell in row.items() if cell not in (None, "")}
        parts = tuple(name for name in ("system", "document", "segment") if name in there)
        item = ItemMeaning(parts or ("item",), "document" if "document" in there else "", texts)
        return Codebook({} if means is None else {"": means}, item, source=f"the format {format}")


def as_name(value: object) -> str:
    """A name as text: ids come as numbers or texts; None and nested data are no name."""
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value).strip()


def as_text(value: object) -> str:
    """A text as it stands, never trimmed: offsets count every character of it."""
    return value if isinstance(value, str) else ""


def as_number(value: object) -> float | None:
    """A finite number, or None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def as_int(value: object) -> int | None:
    number = as_number(value)
    return int(number) if number is not None and number.is_integer() else None


def as_value(value: object) -> Value | None:
    """An answer as tools write it: a number, a label, a list of labels; None if there is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return as_number(value)
    if isinstance(value, list):
        labels = [as_name(label) for label in value]
        return frozenset(labels) if labels and all(labels) else None
    return as_name(value) or None


def joined(*parts: object) -> str:
    """The name of an item out of its parts: system, document, segment."""
    return ":".join(name for part in parts if (name := as_name(part)))
