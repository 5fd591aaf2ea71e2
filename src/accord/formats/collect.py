"""A collector: readers tell it ratings, spans and repairs row by row, and it makes the Imported of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from accord.design.criterion import Criterion
from accord.design.scale import Value
from accord.errors import FormatError
from accord.formats.building import ratings_of
from accord.formats.imported import Action, Imported, MarkedError, Repair, RepairLog, RowAccount, Side, Span
from accord.formats.judge_facts import JudgeLog
from accord.formats.options import ReadOptions
from accord.formats.texts import Texts, text_factors
from accord.ratings.codebook import ROLES, Codebook, ItemMeaning

__all__ = ["Collector", "as_int", "as_name", "as_number", "as_text", "as_value", "joined"]


_Row = TypeVar("_Row")
_Place = tuple[str, int]
_PARTS = ("language_pair", "system", "document", "segment")


class Collector:
    """What has been read so far of one file, or of the files of a folder one after the other (``file``)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = ""
        self.rows: list[dict[str, Value | None]] = []
        self.lines: list[int] = []
        self.places: list[_Place] = []
        self.seen: dict[_Place, None] = {}
        self.parts: set[_Place] = set()
        self.roles: dict[str, str] = {}
        self.spans: list[Span] = []
        self.errors: list[MarkedError] = []
        self.texts: dict[str, Texts] = {}
        self.repairs: list[Repair] = []
        self.notes: list[str] = []
        self.judges = JudgeLog()

    def counted(self, rows: Iterable[tuple[int, _Row]]) -> Iterator[tuple[int, _Row]]:
        """The same rows, each entered into the account by its line: what becomes of it must be told."""
        for line, row in rows:
            self.row(line)
            yield line, row

    def row(self, line: int) -> None:
        """A row of the file (or of ``self.file``) by its line."""
        self.seen[self.file, line] = None

    def merged(self, line: int) -> None:
        """A row that goes into the rating of another row."""
        self.parts.add((self.file, line))

    def rate(self, line: int, item: str, rater: str, value: Value | None, **more: Value | None) -> None:
        """One rating; None where the rater saw the item and gave no answer."""
        self.rows.append({"item": item, "rater": rater, "value": value, **more})
        self.lines.append(line)
        self.places.append((self.file, line))

    def role(self, name: str, meaning: str) -> None:
        """A role that this format has and what it is for, in words for the codebook."""
        self.roles[name] = meaning

    def mark(self, item: str, rater: str, place: tuple[int, int], **more: Any) -> None:
        """One span, half-open in code points."""
        self.spans.append(Span(item, rater, *place, **more))

    def error(self, item: str, rater: str, category: str, severity: str) -> None:
        """One MQM error that the score of this rating is made of."""
        self.errors.append(MarkedError(item, rater, category.strip(), severity.strip()))

    def omission(self, item: str, rater: str, category: str = "", severity: str = "") -> None:
        """Something that is missing from the target."""
        self.spans.append(Span(item, rater, 0, 0, Side.TARGET, category, severity, missing=True))

    def text(self, item: str, source: str = "", target: str = "") -> None:
        self.texts.setdefault(item, Texts(source, target))

    def dropped(self, line: int | None, reason: str, file: str = "") -> None:
        self.repairs.append(Repair(Action.DROPPED, reason, line, file or self.file))

    def repaired(self, line: int | None, reason: str, file: str = "") -> None:
        self.repairs.append(Repair(Action.REPAIRED, reason, line, file or self.file))

    def guessed(self, line: int | None, reason: str, file: str = "") -> None:
        self.repairs.append(Repair(Action.GUESSED, reason, line, file or self.file))

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def imported(
        self, format: str, options: ReadOptions, means: Criterion | Mapping[str, Criterion] | None = None
    ) -> Imported:
        """All of it; an error if the file held no rating.

        ``means`` is what the format itself says of its scores: of all of them, or of each criterion by its name.
        """
        if not self.rows:
            why = "; ".join(dict.fromkeys(repair.reason for repair in self.repairs[:5]))
            raise FormatError(f"{self.path} holds no ratings in the format {format}" + (f": {why}." if why else "."))
        log = RepairLog(tuple(self.repairs))
        account = self.account() if self.seen else None
        told = str(account) if account is not None and account.rows != account.ratings else ""
        notes = [note.rstrip(".") for note in (*self.notes, told, log.summary()) if note]
        texts = text_factors([str(row["item"]) for row in self.rows], self.texts)
        codebook = options.codebook or self._meaning(format, means, tuple(texts))
        ratings = ratings_of(
            self.rows, str(self.path), options, lines=self.lines, notes=notes, texts=texts, codebook=codebook
        )
        return Imported(
            ratings, tuple(self.spans), log, tuple(self.notes), format, account=account, errors=tuple(self.errors)
        )

    def account(self) -> RowAccount:
        """What became of each row; a row with an ordinary rating is a rating, whatever else it holds."""
        fates: dict[_Place, str] = dict.fromkeys(self.seen, "")
        fates |= {
            (repair.file, repair.line): "dropped"
            for repair in self.repairs
            if repair.line is not None and repair.action is Action.DROPPED and (repair.file, repair.line) in fates
        }
        fates |= dict.fromkeys(self.parts, "merged")
        for place, row in sorted(zip(self.places, self.rows, strict=True), key=_ordinary_last):
            fates[place] = _fate(row)
        found = Counter(fates.values())
        known = {name: found.pop(name, 0) for name in ("ratings", "merged", "unanswered", "dropped")}
        found.pop("", None)
        return RowAccount(rows=len(fates), roles=dict(found), **known)

    def _meaning(
        self, format: str, means: Criterion | Mapping[str, Criterion] | None, texts: tuple[str, ...]
    ) -> Codebook:
        """What the format says: its scores, and that an item is a segment of a document by a system."""
        there = {name for row in self.rows for name, cell in row.items() if cell not in (None, "")}
        parts = tuple(name for name in _PARTS if name in there)
        item = ItemMeaning(parts or ("item",), "document" if "document" in there else "", texts)
        said = (
            {"": means}
            if isinstance(means, Criterion)
            else {key: replace(meaning, key=key) for key, meaning in (means or {}).items()}
        )
        return Codebook(
            said, item, roles={**ROLES, **self.roles}, source=f"the format {format}", judges=self.judges.facts()
        )


def _fate(row: Mapping[str, Value | None]) -> str:
    """What a row with a rating counts as: its role, unless that is the role of an ordinary rating."""
    if row["value"] is None:
        return "unanswered"
    role = as_name(row.get("role"))
    return "ratings" if role in ("", "system") else role


def _ordinary_last(placed: tuple[_Place, Mapping[str, Value | None]]) -> int:
    return ("unanswered", "ratings").index(fate) * 2 if (fate := _fate(placed[1])) in ("unanswered", "ratings") else 1


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
