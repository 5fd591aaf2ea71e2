"""Columns of a table of texts: what each holds, guessed from names and contents."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from accord.formats.text_tables import TextTable

__all__ = ["ROLES", "guessed_roles"]

ROLES = {
    "target": _("Text to judge"),
    "source": _("Source"),
    "reference": _("Reference"),
    "system": _("System"),
    "document": _("Document"),
    "segment": _("Order"),
    "id": _("Key of the segment"),
    "own": _("Keep as a column"),
    "": _("Leave out"),
}
_NAMES = {
    "source": r"(source|src|source[ _]text|original|prompt|input|en)",
    "reference": r"(ref|reference)(:.*|[ _-]?\d+)?",
    "document": r"(doc|document|doc[ _]?id|document[ _]?id|file|text[ _]id)",
    "segment": r"(seg|segment|seg[ _]?id|segment[ _]?id|sentence[ _]?id|order|position|nr|no|number|line)",
    "id": r"(id|key|uuid|index)",
    "target": r"(target(:.*)?|tgt|translation.*|mt.*|output.*|hyp.*|system.*|summary|answer|response|text)",
}
_SYSTEM = r"(mt[ _]?)?(system|sys|engine|model|translator)([ _]?(id|name))?"
_WORDS_IN_A_TEXT = 2.5
_MOST_SYSTEMS = 50
_LONGEST_SYSTEM = 60
_ONCE = 0.9
"""The share of rows that may not be a second text of the same system; some tables hold a row twice."""
_ROWS_OF_A_SEGMENT = 1.5
"""Rows of a segment, on average, from which a column of few values is taken for the systems."""


def guessed_roles(table: TextTable) -> list[str]:
    """A role for each column; where nothing is called so, long texts are source and texts to judge, in this order."""
    roles = [_by_name(name) for name in table.columns]
    system = _column_of_systems(table, roles)
    if system is not None:
        roles[system] = "system"
    texts = [place for place in range(len(roles)) if roles[place] is None and _is_text(table, place)]
    if texts and "source" not in roles and (len(texts) > 1 or "target" in roles):
        # The source is the same for every system, the texts to judge are not.
        source = texts[0] if system is None else min(texts, key=lambda place: len(_values(table, place)))
        texts.remove(source)
        roles[source] = "source"
    for place in texts:
        roles[place] = "target"
    if "target" not in roles and "source" in roles:
        roles[roles.index("source")] = "target"
    return [_settled(table, roles, place) for place in range(len(roles))]


def _by_name(name: str) -> str | None:
    plain = name.strip().casefold()
    return next((role for role, pattern in _NAMES.items() if re.fullmatch(pattern, plain)), None)


def _settled(table: TextTable, roles: Sequence[str | None], place: int) -> str:
    """The role; keys that stand twice name no segment, and those of single rows none that has a row a system."""
    role = roles[place]
    if role == "id" and ("system" in roles or len(_values(table, place)) < len(table.rows)):
        return ""
    return "own" if role is None else role


def _is_text(table: TextTable, place: int) -> bool:
    cells = [row[place] for row in table.rows[:200] if row[place]]
    return bool(cells) and sum(len(cell.split()) for cell in cells) / len(cells) >= _WORDS_IN_A_TEXT


def _values(table: TextTable, place: int) -> set[str]:
    return {row[place] for row in table.rows}


def _column_of_systems(table: TextTable, roles: Sequence[str | None]) -> int | None:
    """The column that names the system of each row, in a table with one row for each system of a segment."""
    open_ones = [place for place, role in enumerate(roles) if role in (None, "target")]
    if len(open_ones) < 2:
        return None
    few = [place for place in open_ones if _are_few_and_short(_values(table, place), len(table.rows))]
    named = [place for place in few if re.fullmatch(_SYSTEM, table.columns[place].strip().casefold())]
    keys = _keys_of_segments(table, roles)
    return next((place for place in (*named, *few) if place in named or _repeats(table, place, keys)), None)


def _are_few_and_short(values: set[str], rows: int) -> bool:
    return "" not in values and len(values) <= min(_MOST_SYSTEMS, rows / 2) and max(map(len, values)) <= _LONGEST_SYSTEM


def _keys_of_segments(table: TextTable, roles: Sequence[str | None]) -> list[list[int]]:
    """Columns that together may tell segments apart: document and order, or a source of whatever name."""
    ordered = [place for role in ("document", "segment") for place in range(len(roles)) if roles[place] == role]
    documents = [place for place in ordered if roles[place] == "document"]
    sources = [place for place, role in enumerate(roles) if role in (None, "source") and _is_text(table, place)]
    return [*([ordered] if "segment" in roles else []), *([*documents, place] for place in sources)]


def _repeats(table: TextTable, place: int, keys: Sequence[Sequence[int]]) -> bool:
    """Whether segments come again and again in this column's values, and hardly ever twice in the same."""
    if len(_values(table, place)) < 2:
        return False
    for columns in keys:
        segments = [tuple(row[column] for column in columns) for row in table.rows]
        pairs = {(segment, row[place]) for segment, row in zip(segments, table.rows, strict=True)}
        if len(pairs) >= _ONCE * len(segments) and len(segments) >= _ROWS_OF_A_SEGMENT * len(set(segments)):
            return True
    return False
