"""The rows of a table of texts as items of a study, and what is doubtful about them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from django.utils.translation import gettext

from accord.errors import InputError
from accord.formats.text_tables import TextTable
from accord.records import dataclass
from accord.server.workspace.mapping import ROLES

__all__ = ["Doubt", "Made", "items_of"]

Item = dict[str, Any]
_SHOWN = 4
_SLIPS = 0.25
"""The share of rows with another source than their segment's that somebody may have mistyped."""
_ONCE_IN_A_ROW = ("source", "document", "segment", "system", "id")
"""Roles of which a row has one."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in the texts that somebody should look at; the default is what is done if nobody does."""

    words: str
    where: str
    done: str


@dataclass(slots=True)
class Made:
    """The items of a table, the row in which each begins, and what is doubtful; rows are those of the file."""

    items: list[Item] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)


@dataclass(slots=True)
class _Odd:
    """The numbers of rows in which something is odd."""

    empty: list[int] = field(default_factory=list)
    same: list[int] = field(default_factory=list)
    holes: list[int] = field(default_factory=list)
    sourceless: list[int] = field(default_factory=list)
    second: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)


class _Columns:
    """Where each role stands in a row."""

    def __init__(self, table: TextTable, roles: Sequence[str]) -> None:
        self.names = table.columns
        self.at: Mapping[str, int] = {role: roles.index(role) for role in _ONCE_IN_A_ROW if role in roles}
        self.references = [place for place, role in enumerate(roles) if role == "reference"]
        self.own = [place for place, role in enumerate(roles) if role == "own"]
        self.targets = _system_names(table, roles)

    def cell(self, row: Sequence[str], role: str) -> str:
        return row[self.at[role]].strip() if role in self.at else ""

    def outputs(self, row: Sequence[str]) -> dict[str, str]:
        """The texts to judge of a row, by system."""
        system = _plain(self.cell(row, "system"))
        found = {name: row[place] for place, name in self.targets.items() if row[place]}
        if "system" not in self.at:
            return found
        if not system:
            return {}
        return {(system if len(self.targets) == 1 else f"{system}-{name}"): text for name, text in found.items()}

    def beside(self, row: Sequence[str]) -> dict[str, str]:
        """References and the user's own columns."""
        found = {_reference(self.names[place], place, len(self.references)): row[place] for place in self.references}
        found |= {self.names[place]: row[place] for place in self.own}
        return {name: text for name, text in found.items() if text}

    def segment_key(self, row: Sequence[str]) -> tuple[str, ...]:
        """What rows of one segment have in common, where each is the text of another system."""
        if "segment" in self.at:
            return (self.cell(row, "document"), self.cell(row, "segment"))
        if "id" in self.at:
            return (self.cell(row, "id"),)
        if "source" in self.at:
            return (self.cell(row, "document"), self.cell(row, "source"))
        raise InputError(gettext("Say which column tells the segments apart: their order, their key, or their source."))


def items_of(table: TextTable, roles: Sequence[str], *, one_text: bool = False, needs_source: bool = False) -> Made:
    """The rows as items, and what is doubtful about them; a row without a text to judge is left out and said.

    Without a column of documents every row stands alone, or all are ``one_text``. Where a column names the system, the
    rows of a segment become one item. With ``needs_source``, rows without a source are left out if others have one.
    """
    columns, odd, made = _Columns(table, roles), _Odd(), Made()
    needs_source = needs_source and any(columns.cell(row, "source") for row in table.rows)
    kept: list[tuple[int, tuple[str, ...], dict[str, str]]] = []
    seen: set[tuple[str, ...]] = set()
    for number, row in enumerate(table.rows, start=1):
        outputs = columns.outputs(row)
        if not outputs:
            odd.empty.append(number)
        elif row in seen:
            odd.same.append(number)
        elif needs_source and not columns.cell(row, "source"):
            odd.sourceless.append(number)
        else:
            kept.append((number, row, outputs))
        seen.add(row)
    if "system" in columns.at:
        _one_item_a_segment(kept, columns, odd, made, one_text=one_text)
        _refuse_other_sources(odd.others, len(kept))
    else:
        odd.holes = [number for number, _, outputs in kept if len(outputs) < len(columns.targets)]
        for number, row, outputs in kept:
            made.items.append(_item(columns, row, outputs, number, one_text=one_text) | columns.beside(row))
            made.rows.append(number)
        _refuse_repeated(made, table)
    made.doubts = [
        *_unused(table, roles),
        *_doubts(odd, table),
        *_lacking(made.items if "system" in columns.at else []),
    ]
    _with_keys(columns, table, made)
    made.rows = [table.number_of(row) for row in made.rows]
    return made


def _item(columns: _Columns, row: Sequence[str], outputs: Mapping[str, str], number: int, *, one_text: bool) -> Item:
    document = columns.cell(row, "document") or ("text" if one_text and "document" not in columns.at else "")
    item: Item = {"document": document or f"t{number:04d}", "segment": columns.cell(row, "segment") or str(number)}
    if "source" in columns.at:
        item["source"] = row[columns.at["source"]]
    return item | {"target": dict(outputs)}


def _one_item_a_segment(
    kept: Sequence[tuple[int, tuple[str, ...], dict[str, str]]],
    columns: _Columns,
    odd: _Odd,
    made: Made,
    *,
    one_text: bool,
) -> None:
    """Rows of one segment become one item; what they say alike is the item's, what differs is its systems'."""
    found: dict[tuple[str, ...], tuple[Item, dict[str, dict[str, str]]]] = {}
    for number, row, outputs in kept:
        key = columns.segment_key(row)
        if key not in found:
            found[key] = (_item(columns, row, {}, len(found) + 1, one_text=one_text), {})
            made.rows.append(number)
        item, beside = found[key]
        if set(outputs) & set(item["target"]):
            odd.second.append(number)
            continue
        if "source" in columns.at and row[columns.at["source"]] != item["source"]:
            odd.others.append(number)
        item["target"] |= outputs
        beside |= dict.fromkeys(outputs, columns.beside(row))
    made.items = [item | _joined(beside) for item, beside in found.values()]


def _joined(beside: Mapping[str, Mapping[str, str]]) -> Item:
    """What stands beside the texts of a segment's systems; a reference is of the segment, whatever a row says."""
    joined: Item = {}
    for name in dict.fromkeys(name for said in beside.values() for name in said):
        told = {system: said[name] for system, said in beside.items() if name in said}
        alike = len(set(told.values())) == 1 and len(told) == len(beside)
        joined[name] = next(iter(told.values())) if alike or name.startswith("reference") else told
    return joined


def _refuse_other_sources(others: Sequence[int], rows: int) -> None:
    """A few are slips; where many rows of a segment have a source of their own, they are not of one segment."""
    if len(others) > _SLIPS * rows:
        words = gettext(
            "In {n} of {rows} rows the source is not that of the other rows of the segment, so their texts would stand "
            "beside a wrong source. Say which column tells the documents apart, or choose another role than “{role}”."
        )
        raise InputError(words.format(n=len(others), rows=rows, role=gettext("System")))


def _refuse_repeated(made: Made, table: TextTable) -> None:
    first: dict[tuple[str, str], int] = {}
    for item, number in zip(made.items, made.rows, strict=True):
        before = first.setdefault((item["document"], item["segment"]), number)
        if before != number:
            words = gettext(
                "Rows {first} and {again} are both segment {segment} of {document}. If each row holds the text of "
                "another system, choose “{role}” for the column that names it; else change order or document."
            )
            raise InputError(
                words.format(
                    first=table.number_of(before),
                    again=table.number_of(number),
                    segment=item["segment"],
                    document=item["document"],
                    role=gettext("System"),
                )
            )


def _with_keys(columns: _Columns, table: TextTable, made: Made) -> None:
    """Give the items their keys; where one stands twice, none is taken."""
    if "id" not in columns.at:
        return
    keys = [columns.cell(table.rows[number - 1], "id") for number in made.rows]
    if len(set(keys)) < len(keys) or "" in keys:
        words = gettext("Keys that are empty or stand twice: {n}").format(n=len(keys) - len(set(keys) - {""}))
        done = gettext("segments are named by document and order instead")
        made.doubts.append(Doubt(words, columns.names[columns.at["id"]], done))
        return
    made.items = [{"id": key, **item} for key, item in zip(keys, made.items, strict=True)]


def _system_names(table: TextTable, roles: Sequence[str]) -> dict[int, str]:
    """A short name for each column of texts to judge; raters never see it."""
    found: dict[int, str] = {}
    for place, role in enumerate(roles):
        if role == "target":
            # A study made by hand calls the only system so too.
            column = "system" if table.columns[place] == "target" else table.columns[place].removeprefix("target:")
            name = _plain(column) or f"system-{place + 1}"
            found[place] = name if name not in found.values() else f"{name}-{place + 1}"
    return found


def _plain(name: str) -> str:
    """A name without blanks and signs; the letters of every script stay, as they are all that tells systems apart."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")


def _reference(column: str, place: int, of_all: int) -> str:
    if of_all == 1:
        return "reference"
    return f"reference:{_plain(column.removeprefix('reference:')) or place + 1}"


def _unused(table: TextTable, roles: Sequence[str]) -> list[Doubt]:
    """Columns that are called what only one can be."""
    found = []
    for role in _ONCE_IN_A_ROW:
        places = [place for place, one in enumerate(roles) if one == role]
        if len(places) > 1:
            words = gettext("Columns called “{role}”: {n}").format(role=ROLES[role], n=len(places))
            rest = ", ".join(table.columns[place] for place in places[1:])
            done = gettext("only the first one is used, {name}").format(name=table.columns[places[0]])
            found.append(Doubt(words, rest, done))
    return found


def _doubts(odd: _Odd, table: TextTable) -> list[Doubt]:
    told = (
        (odd.empty, gettext("Rows without a text to judge: {n}"), gettext("left out")),
        (odd.same, gettext("Rows the same as one before: {n}"), gettext("kept once")),
        (odd.holes, gettext("Rows without the text of a system: {n}"), gettext("that system is not judged there")),
        (
            odd.sourceless,
            gettext("Rows without a source: {n}"),
            gettext("left out, because raters are shown the source. Fill it in and bring in the file again"),
        ),
        (
            odd.second,
            gettext("Rows with a second text of the same system for a segment: {n}"),
            gettext("the first text is kept"),
        ),
        (
            odd.others,
            gettext("Rows whose source is not that of the other rows of the segment: {n}"),
            gettext("raters see the source that comes first"),
        ),
    )
    return [
        Doubt(words.format(n=len(rows)), _numbers([table.number_of(row) for row in rows]), done)
        for rows, words, done in told
        if rows
    ]


def _lacking(items: Sequence[Item]) -> list[Doubt]:
    """Each system that has no text for some segments, with the first of them by name."""
    found = []
    for system in dict.fromkeys(system for item in items for system in item["target"]):
        without = [f"{item['document']}-{item['segment']}" for item in items if system not in item["target"]]
        if without:
            words = gettext("Segments without a text of {system}: {n}").format(system=system, n=len(without))
            where = ", ".join(without[:_SHOWN]) + (" …" if len(without) > _SHOWN else "")
            found.append(Doubt(words, where, gettext("that system is not judged there")))
    return found


def _numbers(rows: list[int]) -> str:
    shown = ", ".join(map(str, rows[:_SHOWN]))
    return gettext("rows {numbers}").format(numbers=f"{shown}{' …' if len(rows) > _SHOWN else ''}")
