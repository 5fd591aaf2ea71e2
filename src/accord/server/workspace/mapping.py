"""Columns of a table of texts: what each holds, guessed from names and contents, and the items they make."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accord.formats.text_tables import TextTable
from accord.records import dataclass

__all__ = ["ROLES", "Doubt", "guessed_roles", "items_of"]

ROLES = {
    "target": _("Text to judge"),
    "source": _("Source"),
    "reference": _("Reference"),
    "document": _("Document"),
    "segment": _("Order"),
    "own": _("Keep as a column"),
    "": _("Leave out"),
}
_NAMES = {
    "source": r"(source|src|source[ _]text|original|prompt|input|en)",
    "reference": r"(ref|reference)(:.*|[ _-]?\d+)?",
    "document": r"(doc|document|doc[ _]?id|document[ _]?id|file|text[ _]id)",
    "segment": r"(seg|segment|seg[ _]?id|segment[ _]?id|sentence[ _]?id|order|position|nr|no|number|line)",
    "": r"(id|key|uuid|index)",
    "target": r"(target(:.*)?|tgt|translation.*|mt.*|output.*|hyp.*|system.*|summary|answer|response|text)",
}
_WORDS_IN_A_TEXT = 2.5
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something in the texts that somebody should look at; the default is what is done if nobody does."""

    words: str
    where: str
    done: str


def guessed_roles(table: TextTable) -> list[str]:
    """A role for each column; where nothing is called so, long texts are source and texts to judge, in this order."""
    roles = [_by_name(name) for name in table.columns]
    texts = [place for place in range(len(roles)) if roles[place] is None and _is_text(table, place)]
    if texts and "source" not in roles and (len(texts) > 1 or "target" in roles):
        roles[texts.pop(0)] = "source"
    for place in texts:
        roles[place] = "target"
    if "target" not in roles and "source" in roles:
        roles[roles.index("source")] = "target"
    return [role if role is not None else "own" for role in roles]


def _by_name(name: str) -> str | None:
    plain = name.strip().casefold()
    return next((role for role, pattern in _NAMES.items() if re.fullmatch(pattern, plain)), None)


def _is_text(table: TextTable, place: int) -> bool:
    cells = [row[place] for row in table.rows[:200] if row[place]]
    return bool(cells) and sum(len(cell.split()) for cell in cells) / len(cells) >= _WORDS_IN_A_TEXT


def system_names(table: TextTable, roles: Sequence[str]) -> dict[int, str]:
    """A short name for each column of texts to judge; raters never see it."""
    found: dict[int, str] = {}
    for place, role in enumerate(roles):
        if role == "target":
            plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", table.columns[place].removeprefix("target:")).strip("-.")
            name = plain or f"system-{place + 1}"
            found[place] = name if name not in found.values() else f"{name}-{place + 1}"
    return found


def items_of(
    table: TextTable, roles: Sequence[str], *, one_text: bool = False
) -> tuple[list[dict[str, Any]], list[Doubt]]:
    """The rows as items, and what is doubtful about them; a row without a text to judge is left out and said.

    Without a column of documents every row stands alone, or all are ``one_text``.
    """
    systems = system_names(table, roles)
    at: Mapping[str, int] = {role: roles.index(role) for role in ("source", "document", "segment") if role in roles}
    references = [place for place, role in enumerate(roles) if role == "reference"]
    own = [place for place, role in enumerate(roles) if role == "own"]
    items: list[dict[str, Any]] = []
    seen: dict[tuple[str, ...], int] = {}
    empty, same, holes = [], [], []
    for number, row in enumerate(table.rows, start=1):
        targets = {name: row[place] for place, name in systems.items() if row[place]}
        if not targets:
            empty.append(number)
            continue
        if len(targets) < len(systems):
            holes.append(number)
        if row in seen:
            same.append(number)
            continue
        seen[row] = number
        document = row[at["document"]] if "document" in at else ("text" if one_text else f"t{number:04d}")
        segment = row[at["segment"]] if "segment" in at else str(number)
        item: dict[str, Any] = {"document": document or f"t{number:04d}", "segment": segment or str(number)}
        if "source" in at:
            item["source"] = row[at["source"]]
        item["target"] = targets
        item |= {_reference(table, place, references): row[place] for place in references if row[place]}
        item |= {table.columns[place]: row[place] for place in own if row[place]}
        items.append(item)
    return items, _doubts(empty, same, holes)


def _reference(table: TextTable, place: int, all_of_them: Sequence[int]) -> str:
    if len(all_of_them) == 1:
        return "reference"
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", table.columns[place].removeprefix("reference:")).strip("-.")
    return f"reference:{plain or place + 1}"


def _doubts(empty: list[int], same: list[int], holes: list[int]) -> list[Doubt]:
    told = (
        (empty, gettext("Rows without a text to judge: {n}"), gettext("left out")),
        (same, gettext("Rows the same as one before: {n}"), gettext("kept once")),
        (holes, gettext("Rows without the text of a system: {n}"), gettext("that system is not judged there")),
    )
    return [Doubt(words.format(n=len(rows)), _numbers(rows), done) for rows, words, done in told if rows]


def _numbers(rows: list[int]) -> str:
    shown = ", ".join(map(str, rows[:_SHOWN]))
    return gettext("rows {numbers}").format(numbers=f"{shown}{' …' if len(rows) > _SHOWN else ''}")
