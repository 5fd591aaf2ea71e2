"""The items of a study: texts by document and segment, read from TSV or JSONL, never normalised."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

from accord.design.nearest import mistyped
from accord.errors import Problem
from accord.records import dataclass

__all__ = ["CONTROL", "MAX_ITEMS_BYTES", "Item", "ItemsFile", "own_columns", "read_items"]

MAX_ITEMS_BYTES = 50_000_000
_COLUMNS = (
    "id", "document", "segment", "source", "reference", "post_edit", "system", "target", "test_set", "ambiguity",
)  # fmt: skip
_PREFIXES = ("target", "reference", "gold")
_OF_THE_RATINGS = (
    "item", "rater", "value", "criterion", "scenario", "condition", "group", "phase", "round", "guideline", "occasion",
    "role", "kind", "batch", "time_s", "comment", "order",
)  # fmt: skip
"""Columns of the ratings that the study itself fills; an item cannot bring one."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Item:
    """One segment of a document with all that is known of it; ``outputs`` holds the text of each system.

    ``more`` holds the columns of the user's own (domain, task), ``more_of_system`` those that differ from system to
    system (the score of a metric); :meth:`columns` gives both, as they go to the ratings.
    """

    id: str
    document: str
    segment: str
    source: str
    outputs: Mapping[str, str]
    references: Mapping[str, str] = field(default_factory=dict)
    post_edit: str = ""
    test_set: str = ""
    ambiguity: str = ""
    gold: Mapping[str, str] = field(default_factory=dict)
    line: int = 0
    more: Mapping[str, str] = field(default_factory=dict)
    more_of_system: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def columns(self, system: str = "") -> Mapping[str, str]:
        """What is known of the item, and of this system's text of it, beside the texts: columns of its ratings."""
        known = {"ambiguity": self.ambiguity} if self.ambiguity else {}
        return {**known, **self.more, **self.more_of_system.get(system, {})}

    def reference(self, key: str | None = None) -> str:
        """The reference of this name, or the only or first one; '' if there is none."""
        if key is not None:
            return self.references.get(key, "")
        return next(iter(self.references.values()), "")


@dataclass(frozen=True, slots=True)
class ItemsFile:
    """What a file of items held, and what was wrong with it."""

    items: tuple[Item, ...]
    problems: tuple[Problem, ...]
    name: str = "items.tsv"

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in order of first appearance."""
        return tuple(dict.fromkeys(system for item in self.items for system in item.outputs))


def own_columns(items: Iterable[Item]) -> tuple[str, ...]:
    """The columns of the user's that these items carry to the ratings, in order of first appearance."""
    return tuple(
        dict.fromkeys(name for item in items for of in (item.more, *item.more_of_system.values()) for name in of)
    )


def read_items(path: Path) -> ItemsFile:
    """Read every row; problems are collected, not raised, so that all are told at once.

    A row holds ``document``, ``segment``, ``source`` and either one column a system (``target:NAME``)
    or one row a system (columns ``system`` and ``target``). References: ``reference`` or
    ``reference:NAME``. Known answers: ``gold:CRITERION``. Any other column is the user's own; ``NAME:SYSTEM``
    is the column NAME of one system's text.
    """
    rows, problems = _rows(path)
    collected = _Collected(path.name, problems)
    for line, row in rows:
        collected.add(line, row)
    if not rows and not problems:
        problems.append(Problem("names its columns but holds no items. Write one line per segment", file=path.name))
    return ItemsFile(tuple(collected.finished()), tuple(collected.problems), path.name)


Row = Mapping[str, str]


def _rows(path: Path) -> tuple[list[tuple[int, Row]], list[Problem]]:
    text, problems = _text(path)
    if text is None:
        return [], problems
    if path.suffix == ".jsonl":
        return _jsonl_rows(text, path.name)
    if path.suffix in (".tsv", ".tab"):
        return _tsv_rows(text, path.name)
    return [], [Problem(f"a file of items ends in .tsv or .jsonl, not in {path.suffix!r}", file=path.name)]


def _text(path: Path) -> tuple[str | None, list[Problem]]:
    name = path.name
    if not path.is_file():
        return None, [Problem("is not there. Put the items into this file, or name another in `items`", file=name)]
    if (size := path.stat().st_size) > MAX_ITEMS_BYTES:
        megabytes = f"{size / 1e6:,.0f} MB; the limit is {MAX_ITEMS_BYTES / 1e6:,.0f} MB"
        return None, [Problem(f"holds {megabytes}. Split the study, or leave out items nobody will see", file=name)]
    try:
        return path.read_bytes().decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return None, [Problem("is not UTF-8 text from here on. Save it as UTF-8", line, name)]


def _tsv_rows(text: str, name: str) -> tuple[list[tuple[int, Row]], list[Problem]]:
    # No csv module: it would take a quotation mark or a lone carriage return in a text for markup.
    cut = ((number, line.removesuffix("\r")) for number, line in enumerate(text.split("\n"), start=1))
    lines = [(number, line.split("\t")) for number, line in cut if line.strip("\t")]
    if not lines:
        return [], [Problem("is empty", file=name)]
    head = lines[0][1]
    problems = _header_problems(dict.fromkeys(head, lines[0][0]), name)
    twice = (column for column in dict.fromkeys(head) if head.count(column) > 1)
    problems += [Problem(f"column {column!r} is there twice", lines[0][0], name) for column in twice]
    rows: list[tuple[int, Row]] = []
    for number, cells in lines[1:]:
        if len(cells) != len(head):
            words = f"has {len(cells)} cells, but the first line names {len(head)} columns. Look for a missing tab"
            problems.append(Problem(words, number, name))
            continue
        rows.append((number, dict(zip(head, cells, strict=True))))
    return rows, problems


def _jsonl_rows(text: str, name: str) -> tuple[list[tuple[int, Row]], list[Problem]]:
    rows: list[tuple[int, Row]] = []
    problems: list[Problem] = []
    keys: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(f"is not JSON ({error}). One object on each line", number, name))
            continue
        if not isinstance(raw, dict):
            problems.append(Problem("is not a JSON object. Write {...} on each line", number, name))
            continue
        row = dict(_flattened(raw, number, name, problems))
        keys |= {key: number for key in row if key not in keys}
        rows.append((number, row))
    problems += _header_problems(keys, name)
    if not rows and not problems:
        problems.append(Problem("is empty", file=name))
    return rows, problems


def _flattened(raw: Mapping[str, object], line: int, name: str, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    """``{"target": {"A": "text"}}`` is the column ``target:A``."""
    for key, value in raw.items():
        if isinstance(value, dict):
            yield from _flattened({f"{key}:{part}": inner for part, inner in value.items()}, line, name, problems)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            yield key, str(value)
        elif value is not None:
            problems.append(Problem(f"{key!r} must be text or a number, not {type(value).__name__}", line, name))


def _header_problems(columns: Mapping[str, int], name: str) -> list[Problem]:
    """What is wrong with the names of columns, each with the line where it first stands.

    A column that is not known is the user's own, unless it looks like a known one with a slip of the pen.
    """
    present = {column.partition(":")[0] for column in columns}
    told = ((line, _header_problem(column, present)) for column, line in columns.items())
    return [Problem(message, line, name) for line, message in told if message]


def _header_problem(column: str, present: set[str]) -> str:
    head, colon, tail = column.partition(":")
    if not head.strip():
        return "a column has no name. Give it one, or remove it"
    if column in _COLUMNS or (head in _PREFIXES and tail):
        return ""
    if head == "gold" or (head in _PREFIXES and colon):
        return f"the column {column!r} lacks a name. Write `{head}:NAME`"
    if head in _OF_THE_RATINGS:
        return f"the column {column!r} is one that the study fills in the ratings. Give yours another name"
    known = _PREFIXES if colon else _COLUMNS
    meant = mistyped(head, known, absent=[word for word in known if word not in present])
    return (
        f"unknown column {column!r}. Did you mean {meant!r}? If it is your own, give it another name" if meant else ""
    )


class _Collected:
    """Rows joined into items: one row a segment, or one row for each system of a segment."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        self.file = file
        self.problems = problems
        self._items: dict[str, Item] = {}
        self._document_of: dict[tuple[str, str], str] = {}

    def add(self, line: int, row: Row) -> None:
        self._control_characters(line, row)
        document, segment = row.get("document", "").strip(), row.get("segment", "").strip()
        if not document:
            what = f"segment {segment!r}" if segment else "the row"
            self._problem(line, f"{what} has no document. Write the same name for all segments of a text")
        if not segment:
            self._problem(line, "the row has no segment. Number the segments of a document 1, 2, 3, ...")
        identity = row.get("id", "").strip() or f"{document}-{segment}"
        outputs = self._outputs(line, row)
        if not (document and segment):
            return
        if (before := self._items.get(identity)) is None:
            self._first(line, identity, document, segment, outputs, row)
        else:
            self._another(line, before, outputs, row)

    def _first(self, line: int, identity: str, document: str, segment: str, outputs: Row, row: Row) -> None:
        other = self._document_of.setdefault((document, segment), identity)
        if other != identity:
            self._problem(line, f"segment {segment!r} of document {document!r} is also item {other!r}")
        more, of_system = _own(row, outputs)
        self._items[identity] = Item(
            identity, document, segment, row.get("source", ""), outputs, _named(row, "reference"),
            row.get("post_edit", ""), row.get("test_set", "").strip(), row.get("ambiguity", "").strip(),
            _named(row, "gold"), line, more, of_system,
        )  # fmt: skip

    def _another(self, line: int, before: Item, outputs: Row, row: Row) -> None:
        """A second row of the same id: another system of the same segment, or a mistake."""
        if "system" not in row or set(outputs) & set(before.outputs):
            self._problem(line, f"item {before.id!r} is already on line {before.line}. Give each row its own id")
            return
        if row.get("source", before.source) != before.source:
            self._problem(line, f"item {before.id!r} has another source on line {before.line}")
            return
        more, of_system = _joined(before, *_own(row, outputs), outputs)
        self._items[before.id] = replace(
            before, outputs={**before.outputs, **outputs}, more=more, more_of_system=of_system
        )

    def _outputs(self, line: int, row: Row) -> dict[str, str]:
        outputs = _named({key: text for key, text in row.items() if key != "target"}, "target")
        if system := row.get("system", "").strip():
            outputs[system] = row.get("target", "")
        elif row.get("target", ""):
            outputs["system"] = row["target"]
        for name, text in list(outputs.items()):
            if not text.strip():
                del outputs[name]
        if not outputs:
            self._problem(line, "the row has no text to judge. Fill `target`, or `target:NAME` for each system")
        return outputs

    def _control_characters(self, line: int, row: Row) -> None:
        for column, text in row.items():
            if found := CONTROL.search(text):
                where = f"{column!r} holds the control character U+{ord(found[0]):04X} at place {found.start() + 1}"
                self._problem(line, f"{where}. Remove it: browsers and tables do not show it")

    def _problem(self, line: int, message: str) -> None:
        self.problems.append(Problem(message, line, self.file))

    def finished(self) -> list[Item]:
        return list(self._items.values())


def _named(row: Row, prefix: str) -> dict[str, str]:
    """The cells of ``prefix`` and ``prefix:NAME`` that are not empty, by name."""
    found = {key.split(":", 1)[1]: text for key, text in row.items() if key.startswith(f"{prefix}:") and text}
    if row.get(prefix):
        found = {prefix: row[prefix], **found}
    return found


Own = dict[str, str]


def _own(row: Row, outputs: Row) -> tuple[Own, dict[str, Own]]:
    """The user's own columns of a row: those of the item, and those that name one of its systems."""
    more: Own = {}
    of_system: dict[str, Own] = {}
    for column, text in row.items():
        head, _, tail = column.partition(":")
        if column in _COLUMNS or head in _PREFIXES or not text.strip():
            continue
        if tail in outputs:
            of_system.setdefault(tail, {})[head] = text.strip()
        else:
            more[column] = text.strip()
    return more, of_system


def _joined(before: Item, more: Own, of_system: Mapping[str, Own], outputs: Row) -> tuple[Own, dict[str, Row]]:
    """A further row of an item: what it says alike is the item's, what differs belongs to the systems of each row."""
    alike = {column: text for column, text in more.items() if before.more.get(column) == text}
    apart = dict(before.more_of_system)
    for systems, said in ((before.outputs, before.more), (outputs, more)):
        own = {column: text for column, text in said.items() if column not in alike}
        apart |= {system: {**own, **apart.get(system, {})} for system in systems if own}
    return alike, apart | {system: {**apart.get(system, {}), **own} for system, own in of_system.items()}
