"""Columns of a table of texts: what each holds, guessed from names and contents."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from django.conf.locale import LANG_INFO
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from accord.formats.language_guess import guessed_language
from accord.formats.text_tables import TextTable
from accord.ratings.column_languages import NAMES_ELSEWHERE, plain_name
from accord.records import dataclass

__all__ = ["ROLES", "Guess", "guessed_roles"]

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
    "source": r"(source|src|source[ _]text|original|prompt|input)",
    "reference": r"(ref|reference)(:.*|[ _-]?\d+)?",
    "document": r"(doc|document|doc[ _]?id|document[ _]?id|file|text[ _]id)",
    "segment": r"(seg|segment|seg[ _]?id|segment[ _]?id|sentence[ _]?id|order|position|nr|no|number|line)",
    "id": r"(id|key|uuid|index)",
    "target": r"(target(:.*)?|tgt|translation.*|mt.*|output.*|hyp.*|system.*|summary|answer|response|text)",
}
_ELSEWHERE: Mapping[str, str] = {
    "source": "quelle|ausgangstext|quelltext|originaltext|origen|fuente|texto de origen|texto fuente|texto original"
    "|texto de partida|fonte|origem|texto fonte|texte source|texte de départ|testo di partenza|testo originale"
    "|sorgente|originale|原文|源文|النص المصدر|المصدر",
    "reference": "referenz|referencia|referência|référence|riferimento|参考译文|المرجع",
    "document": "dok|datei|dokument-id|archivo|fichero|arquivo|ficheiro|fichier|artikel|article|artículo|artigo"
    "|articolo",
    "segment": "sentence|satznummer|satz-nr|segment-nr|nummer|lfd nr|zeile|reihenfolge|n|n.º|núm|número|numéro|numero"
    "|ligne|línea|linha|riga|orden|ordem|ordre|ordine|编号|序号|رقم",
    "target": "zieltext|übersetzung|traducción|texto meta|tradução|texto de chegada|traduction|texte cible|traduzione"
    "|texto|texte|testo|译文|文本|الترجمة|النص",
}
"""Names in German, Spanish, Portuguese, French, Italian, Chinese and Arabic."""
_PLAIN = {
    plain_name(name): role
    for role, names in _ELSEWHERE.items()
    for name in (*names.split("|"), *NAMES_ELSEWHERE.get(role, ()))
}
_SYSTEM = r"(mt[ _]?)?(system|sys|engine|model|translator|sistema|système|modell[eo]?|modelo|modèle)([ _]?(id|name))?"
_SPOKEN = ("de", "es", "fr", "it", "pt", "nl", "pl", "zh-hans", "ar")
_WORDS_IN_A_TEXT = 2.5
_MOST_SYSTEMS = 50
_LONGEST_SYSTEM = 60
_ONCE = 0.9
"""The share of rows that may not be a second text of the same system; some tables hold a row twice."""
_ROWS_OF_A_SEGMENT = 1.5
"""Rows of a segment, on average, from which a column of few values is taken for the systems."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A role for each column, and the columns of which neither their name nor their language tells the role."""

    roles: list[str]
    unsure: list[str]


def guessed_roles(table: TextTable) -> Guess:
    """By their names where the contents are of that kind; else by contents, and long texts are source and targets."""
    roles = [_by_name(table, place) for place in range(len(table.columns))]
    system = _column_of_systems(table, roles)
    unsure = []
    if system is not None:
        unsure += [system] if roles[system] is None and not _is_called_system(table, system) else []
        roles[system] = "system"
    for place in _documents(table, roles):
        unsure += [place] if roles[place] is None else []
        roles[place] = "document"
    texts = [place for place in range(len(roles)) if roles[place] is None and _is_text(table, place)]
    if texts and "source" not in roles and (len(texts) > 1 or "target" in roles):
        source, is_told = _source(table, texts, is_long=system is not None)
        unsure += [] if is_told else [source]
        texts.remove(source)
        roles[source] = "source"
    for place in texts:
        roles[place] = "target"
    if "target" not in roles and "source" in roles:
        roles[roles.index("source")] = "target"
    return Guess(
        [_settled(table, roles, place) for place in range(len(roles))],
        [table.columns[place] for place in sorted(unsure)],
    )


def _by_name(table: TextTable, place: int) -> str | None:
    """The role that the name says, where the cells can have it: an order is no text, and a text is no number."""
    name = table.columns[place].strip()
    role = next((role for role, pattern in _NAMES.items() if re.fullmatch(pattern, name.casefold())), None)
    role = role or _PLAIN.get(plain_name(name))
    if role == "segment" and _is_text(table, place):
        return None
    if role in ("source", "target") and _are_numbers(_values(table, place)):
        return None
    return role


def _are_numbers(values: set[str]) -> bool:
    return bool(values - {""}) and all(value.strip().isdecimal() for value in values if value)


def _source(table: TextTable, texts: Sequence[int], *, is_long: bool) -> tuple[int, bool]:
    """The column of sources among several of texts, and whether a name or a language tells it."""
    if is_long:  # the source is the same for every system, the texts to judge are not
        return min(texts, key=lambda place: len(_values(table, place))), True
    named = [place for place in texts if plain_name(table.columns[place]) in _language_names()]
    languages = {place: guessed_language(row[place] for row in table.rows) for place in texts}
    often = Counter(languages.values())
    alone = [place for place in texts if often[languages[place]] == 1]
    if len(named) == 1:
        return named[0], True
    if len(texts) > 2 and len(alone) == 1 and len(often) == 2:
        return alone[0], True
    first, *others = texts
    is_other = bool(languages[first]) and languages[first] not in {languages[place] for place in others}
    return first, is_other or (len(texts) == 2 and len(named) == 2)


@lru_cache(maxsize=1)
def _language_names() -> frozenset[str]:
    """What languages are called in the languages that people are likely to name them in, and their codes."""
    infos = [info for info in LANG_INFO.values() if "name" in info]
    names = {word for info in infos for word in (info["name"], info["name_local"], info["code"])}
    for spoken in _SPOKEN:
        with override(spoken):
            names |= {gettext(info["name"]) for info in infos}
    return frozenset(map(plain_name, names))


def _documents(table: TextTable, roles: Sequence[str | None]) -> list[int]:
    """The column of documents where none is called so: short values in runs, within which the order begins anew."""
    orders = [place for place, role in enumerate(roles) if role == "segment"]
    if "document" in roles or not orders:
        return []
    open_ones = [place for place, role in enumerate(roles) if role in (None, "target")]
    return [place for place in open_ones if _is_in_runs(table, place, orders[0])][:1]


def _is_in_runs(table: TextTable, place: int, order: int) -> bool:
    cells = [row[place] for row in table.rows]
    values, pairs = set(cells), {(row[place], row[order]) for row in table.rows}
    runs = 1 + sum(one != other for one, other in pairwise(cells))
    is_short = "" not in values and max(map(len, values), default=0) <= _LONGEST_SYSTEM
    begins_anew = len(_values(table, order)) < len(cells) == len(pairs)
    return is_short and 1 < len(values) == runs <= len(cells) / 2 and begins_anew


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
    named = [place for place in few if _is_called_system(table, place)]
    keys = _keys_of_segments(table, roles)
    return next((place for place in (*named, *few) if place in named or _repeats(table, place, keys)), None)


def _is_called_system(table: TextTable, place: int) -> bool:
    return bool(re.fullmatch(_SYSTEM, table.columns[place].strip().casefold()))


def _are_few_and_short(values: set[str], rows: int) -> bool:
    return "" not in values and len(values) <= min(_MOST_SYSTEMS, rows / 2) and max(map(len, values)) <= _LONGEST_SYSTEM


def _keys_of_segments(table: TextTable, roles: Sequence[str | None]) -> list[list[int]]:
    """Columns that together may tell segments apart: document and order, or a source of whatever name."""
    ordered = [place for role in ("document", "segment") for place in range(len(roles)) if roles[place] == role]
    documents = [place for place in ordered if roles[place] == "document"]
    sources = [place for place, role in enumerate(roles) if role in (None, "source") and _is_text(table, place)]
    # Rows of one order in several documents are no rows of one segment: these have one source.
    one_source = not sources or any(_hold_one(table, ordered, place) for place in sources)
    return [*([ordered] if "segment" in roles and one_source else []), *([*documents, place] for place in sources)]


def _hold_one(table: TextTable, columns: Sequence[int], place: int) -> bool:
    """Whether rows that are alike in these columns are so in this one too, but for slips."""
    keys = [tuple(row[column] for column in columns) for row in table.rows]
    pairs = {(key, row[place]) for key, row in zip(keys, table.rows, strict=True)}
    return len(set(keys)) >= _ONCE * len(pairs)


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
