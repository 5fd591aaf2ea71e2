"""Context spans: how far away the sentence stands that resolves an ambiguous one (paper 004, Figure 1)."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from accord.arrays import distinct
from accord.comparisons.misevaluation import ISSUES
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.ratings.roles import ordinary
from accord.ratings.table import Factor, Ratings
from accord.records import dataclass

__all__ = ["ContextSpan", "Passage", "Sentence", "context_spans", "passages", "span_table"]

_TEXTS = ("text", "source", "target", "translation", "sentence", "mt", "output")


@dataclass(frozen=True, slots=True)
class ContextSpan:
    """An item, the item that resolves it, and how many sentences lie between (negative: it comes before)."""

    item: str
    document: str
    resolved_by: str
    distance: int
    issue: str = ""
    domain: str = ""

    @property
    def reach(self) -> int:
        return abs(self.distance)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a passage; ``role`` is plain, ambiguous or resolving, ``note`` what it has to do with others."""

    item: str
    text: str
    role: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentences of one document in order, those that need each other marked."""

    document: str
    sentences: tuple[Sentence, ...]


def context_spans(ratings: Ratings, column: str = "resolved_by") -> tuple[ContextSpan, ...]:
    """One span for each sentence with a cell in this column: the item, or the number of the sentence, that resolves it.

    Sentences of a document stand in the order of the column ``segment`` where it holds numbers, else in the order
    in which their items come; a document judged as a whole has no number and is no sentence. Several resolving
    sentences are separated by | and the farthest counts. A sentence that several systems translated counts once, and
    copies that check the rater do not count.
    """
    if column not in ratings.columns:
        known = ", ".join(sorted(ratings.columns)) or "none besides item, rater and value"
        raise ColumnError(f"There is no column {column!r} that names the resolving sentence. Columns: {known}.")
    ratings = ordinary(ratings) or ratings
    places = _places(ratings)
    found: dict[tuple[str, int, str], ContextSpan] = {}
    factor = ratings.columns[column]
    for row in np.flatnonzero(factor.codes >= 0):
        item = ratings.item.names[ratings.item.codes[row]]
        cell = factor.names[factor.codes[row]]
        if item not in places:
            continue
        if (*places[item], cell) not in found:
            found[*places[item], cell] = _span(ratings, places, int(row), item, cell, column)
    if not found:
        raise NotEnoughDataError(f"The column {column!r} is empty: no item says which sentence resolves it.")
    return tuple(found.values())


def _cell(ratings: Ratings, names: Sequence[str], row: int) -> str:
    for name in names:
        factor = ratings.columns.get(name)
        if factor is not None and factor.codes[row] >= 0:
            return str(factor.names[factor.codes[row]])
    return ""


def _span(
    ratings: Ratings, places: Mapping[str, tuple[str, int]], row: int, item: str, cell: str, column: str
) -> ContextSpan:
    document, here = places[item]
    by_number = _one_each(places, document)
    distances = []
    for name in (part.strip() for part in cell.split("|")):
        if name in places and places[name][0] == document:
            distances.append((places[name][1] - here, name))
        elif name.isdigit() and int(name) in by_number:
            distances.append((int(name) - here, by_number[int(name)]))
        else:
            raise OptionError(
                f"{item!r} is resolved by {name!r} (column {column!r}), but its document {document or '(none)'!r} has "
                "no such item or sentence number."
            )
    distance, resolving = max(distances, key=lambda found: abs(found[0]))
    issue, domain = _cell(ratings, ISSUES, row), _cell(ratings, ("domain", "genre"), row)
    return ContextSpan(item, document, resolving, distance, issue, domain)


def _places(ratings: Ratings) -> dict[str, tuple[str, int]]:
    """Document and place of each item that is a sentence."""
    document = ratings.columns.get("document")
    segments = _numbers(ratings.columns.get("segment"))
    places: dict[str, tuple[str, int]] = {}
    seen: dict[str, int] = {}
    _, firsts = np.unique(ratings.item.codes, return_index=True)
    for row in np.sort(firsts):
        item = ratings.item.names[ratings.item.codes[row]]
        where = document.names[document.codes[row]] if document is not None and document.codes[row] >= 0 else ""
        if segments is not None and segments[row] < 0:
            continue
        seen[where] = seen.get(where, 0) + 1
        places[item] = (where, int(segments[row]) if segments is not None else seen[where])
    return places


def _one_each(places: Mapping[str, tuple[str, int]], document: str, preferred: Collection[str] = ()) -> dict[int, str]:
    """The sentences of a document by their place: one item of each, of several systems the first or a preferred one."""
    found: dict[int, str] = {}
    for name, (where, place) in places.items():
        if where == document and (place not in found or (name in preferred and found[place] not in preferred)):
            found[place] = name
    return found


def _numbers(factor: Factor | None) -> np.ndarray | None:
    """The number of each row's sentence, -1 where it has none; None where sentences are not numbered."""
    used = () if factor is None else [factor.names[code] for code in distinct(factor.codes) if code >= 0]
    if factor is None or not used or not all(name.isdigit() for name in used):
        return None
    return np.array([*(int(name) if name.isdigit() else -1 for name in factor.names), -1])[factor.codes]


def span_table(spans: Sequence[ContextSpan], by: str = "") -> list[dict[str, object]]:
    """For all spans, and for each issue or domain: how many, their mean and largest reach, and how many are near."""
    groups: dict[str, list[ContextSpan]] = {"all": list(spans)}
    if by:
        for span in spans:
            groups.setdefault(str(getattr(span, by)) or "(none)", []).append(span)
    rows = []
    for name, chosen in groups.items():
        reach = np.array([span.reach for span in chosen])
        rows.append({
            "group": name, "spans": len(chosen), "before": sum(span.distance < 0 for span in chosen),
            "median": float(np.median(reach)), "mean": float(reach.mean()), "largest": int(reach.max()),
            **{f"within_{near}": float(np.mean(reach <= near)) for near in (1, 2, 5)},
        })  # fmt: skip
    return rows


def passages(ratings: Ratings, spans: Sequence[ContextSpan]) -> tuple[Passage, ...]:
    """The documents that hold spans, sentence by sentence, with what resolves what."""
    ratings = ordinary(ratings) or ratings
    places = _places(ratings)
    notes: dict[str, list[str]] = {}
    roles: dict[str, str] = {}
    for span in spans:
        away = f"{span.reach} sentence{'s' * (span.reach != 1)} {'before' if span.distance < 0 else 'after'}"
        roles[span.resolved_by] = roles.get(span.resolved_by, "resolving")
        notes.setdefault(span.resolved_by, []).append(f"resolves {span.item}")
        roles[span.item] = "ambiguous"
        notes.setdefault(span.item, []).append(
            f"{span.issue + ', ' if span.issue else ''}resolved by {span.resolved_by}, {away}"
        )
    texts = _texts(ratings)
    made = []
    for document in dict.fromkeys(span.document for span in spans):
        members = sorted(_one_each(places, document, roles).items())
        sentences = tuple(
            Sentence(item, texts.get(item, item), roles.get(item, "plain"), "; ".join(notes.get(item, ())))
            for _, item in members
        )
        made.append(Passage(document, sentences))
    return tuple(made)


def _texts(ratings: Ratings) -> dict[str, str]:
    factor = next((ratings.columns[name] for name in _TEXTS if name in ratings.columns), None)
    if factor is None:
        return {}
    items, firsts = np.unique(ratings.item.codes, return_index=True)
    return {
        ratings.item.names[item]: factor.names[factor.codes[row]]
        for item, row in zip(items, firsts, strict=True)
        if factor.codes[row] >= 0
    }
