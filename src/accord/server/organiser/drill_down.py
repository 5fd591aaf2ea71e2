"""From a coefficient to pairs, from a pair to items, from an item to every judgement on it."""

from collections.abc import Container, Sequence
from itertools import product
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse

from accord.diagnosis.part import Part, parts_of
from accord.ratings.codebook import ROLES
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.server.models import Judgement
from accord.server.organiser.all_intervals import lack_intervals, with_all_intervals
from accord.server.organiser.arbitration import rated_name
from accord.server.organiser.changing import too_many
from accord.server.organiser.judgements import item_of, shortened, texts_of
from accord.server.organiser.overlay import ShownMark, marks_in_words
from accord.server.organiser.pages import organiser_view, show
from accord.server.organiser.ranked import with_system_names
from accord.server.organiser.ratings import collect_pair, left_out_lately
from accord.server.organiser.results_page import shown_results
from accord.server.organiser.snapshot import are_current, latest_snapshot
from accord.server.organiser.titles import titles_of_parts
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, current
from accord.words import spelled

__all__ = ["BothRated", "agreement", "both_rated", "pair", "pair_items"]

_SHOWN = 60
_SIDE_BY_SIDE = 30
_TEXT = 400

Plain = dict[str, Any]
Marks = list[ShownMark]
MarksBeside = dict[tuple[str, ...], list[Marks]]


@dataclass(frozen=True, slots=True)
class BothRated:
    """What two raters said of the items that both judged under one version of the guideline and in one round."""

    rows: list[dict[str, Any]]
    apart: int
    """Items that both judged, each under another version or in another round: their answers are not compared."""


@organiser_view("GET")
def agreement(request: HttpRequest, criterion: str) -> HttpResponse:
    """All coefficients of a criterion, the pairs that agree least, and the items that are disputed most.

    Those to report have intervals; the others get theirs where the address asks for them.
    """
    study, many = current(), too_many()
    if criterion not in study.criteria:
        raise Http404
    shown = shown_results()
    groups = [group for group in shown["groups"] if group["criterion"] == criterion]
    whole = request.GET.get("intervals") == "all" and not many
    context: dict[str, Any] = {
        "criterion": study.criteria[criterion], "whole": whole, "too_many": many,
        "groups": [_shortened(group) for group in (with_all_intervals(groups) if whole else groups)],
        "chosen": [one for one in shown["chosen"] if one["criterion"] == criterion],
        "named": shown["named"],
    }  # fmt: skip
    context["is_current"] = are_current(latest_snapshot())
    return show(request, "agreement", context, here="organiser")


def _shortened(group: dict[str, Any]) -> dict[str, Any]:
    """The coefficient that the criterion is known by leads; the others are folded, all pairs and items cut."""
    main = group["main"]["coefficient"] if group["main"] else ""
    leading = [one for one in group["estimates"] if one["coefficient"] == main] or group["estimates"]
    others = [one for one in group["estimates"] if one not in leading]
    cut = {"pairs": group["pairs"][:_SHOWN], "disputed": group["disputed"][:_SHOWN]}
    return {**group, **cut, "leading": leading, "others": others, "lacks": lack_intervals(group["estimates"])}


@organiser_view("GET")
def pair(request: HttpRequest, criterion: str, first: str, second: str) -> HttpResponse:
    """The items both raters judged, those they are furthest apart on first."""
    both = both_rated(criterion, first, second)
    page = Paginator(both.rows, _SIDE_BY_SIDE).get_page(request.GET.get("page"))
    marks = _marks_beside(criterion, (first, second), {row["item"] for row in page})
    snapshot = latest_snapshot()
    is_current = are_current(snapshot)
    # What both judged is counted now: numbers of an earlier state beside it would contradict it.
    groups = snapshot.results["groups"] if snapshot and is_current else []
    parts = _pair_parts(both.rows, [group for group in groups if group["criterion"] == criterion], {first, second})
    titles = {tuple(part["by"].items()): part["title"] for part in parts if len(parts) > 1}
    context = {
        "criterion": criterion, "first": first, "second": second, "page": page, "count": len(both.rows),
        "rows": [
            {**row, **_text_of_item(row["item"]), **_named(row), "part": titles.get(tuple(row["by"].items()), ""),
             "marks": marks.get((row["item"], row["phase"], row["guideline"]))}
            for row in page
        ],
        "criteria": list(current().criteria), "parts": parts, "not_compared": both.apart,
        "out": [one for name, one in left_out_lately().items() if name in (first, second)], "is_current": is_current,
    }  # fmt: skip
    return show(request, "pair", context, here="organiser")


def _pair_parts(rows: Sequence[Plain], groups: Sequence[Plain], raters: set[str]) -> list[Plain]:
    """Each version and round in which both judged: how often they were equal, and the numbers of that part alone."""
    found: dict[tuple[tuple[str, str], ...], Plain] = {}
    for row in rows:
        own = found.setdefault(tuple(row["by"].items()), {"by": row["by"], "count": 0, "equal": 0})
        own["count"] += 1
        own["equal"] += row["equal"]
    titles = titles_of_parts([part["by"] for part in found.values()])

    def is_pair(one: Plain) -> bool:
        return {one["first"], one["second"]} == raters

    for part, title in zip(found.values(), titles, strict=True):
        number = next((one for group in groups if _is_of(group, part) for one in group["pairs"] if is_pair(one)), None)
        part |= {"title": title, "number": number}
    return [found[key] for key in sorted(found)]


def _is_of(group: Plain, part: Plain) -> bool:
    """Whether a group of the results is this part; a column without a name in it is empty."""
    told = {column: name for column, name in group["by"].items() if column != "criterion"}
    return not group.get("combined") and all(part["by"].get(column, "") == name for column, name in told.items())


def _marks_beside(criterion: str, raters: Sequence[str], items: Container[str]) -> MarksBeside:
    """What each of the raters marked in these items, by item, phase and guideline; nothing of other kinds."""
    study, asked = current(), current().criteria[criterion]
    found: MarksBeside = {}
    if asked.kind != "spans":
        return found
    rows = Judgement.objects.filter(criterion=criterion, task__rater__pseudonym__in=raters)
    for row in (
        rows.exclude(task__role__in=[PRACTICE, *ROLES])
        .select_related("task__rater", "guideline")
        .order_by("revision", "id")
    ):
        name = rated_name(study, row)
        if name not in items:
            continue
        texts = shown_texts(study, row.task, row.place or 0)
        # Ratings of one phase, or under one version, have no column that says so.
        for key in product((name,), (row.task.phase, ""), (str(row.guideline.number), "")):
            told = found.setdefault(key, [[] for _ in raters])
            told[raters.index(row.task.rater.pseudonym)] = marks_in_words(asked, row.value or (), texts)
    return found


def _named(row: dict[str, Any]) -> dict[str, str]:
    """What the two said; a system that was chosen as the other pages call it."""
    return {place: with_system_names(row[place]) for place in ("first", "second")}


def _text_of_item(name: str) -> dict[str, str]:
    """Where the text stands, what it translates and what it says, shortened where it is a whole document."""
    study = current()
    found = item_of(study, name)
    if found is None:
        return {"document": name}
    known = study.study.item_by_id.get(found.item)
    here = [text for text in texts_of(study, found) if text.is_here]
    return {
        "document": known.document if known else found.item,
        "segment": known.segment if known else "",
        "system": with_system_names(found.code),
        "source": shortened(" ".join(one.source for one in here), _TEXT),
        "target": shortened(" ".join(one.target for one in here), _TEXT),
    }


def both_rated(criterion: str, first: str, second: str) -> BothRated:
    """The items of two raters, from their own judgements only; who is left out is compared too, to decide about it."""
    ratings = collect_pair(criterion, first, second) if criterion in current().criteria else None
    if ratings is None or not {first, second} <= set(ratings.rater.names):
        raise Http404("These raters have no ratings of this criterion.")
    return pair_items(ratings, first, second)


def pair_items(ratings: Ratings, first: str, second: str) -> BothRated:
    """What two raters said of each item, version by version; in ordered scales the widest gap comes first."""
    columns = [name for name in ratings.codebook.kept_apart if name in ratings.columns]
    rows = [row for part in parts_of(ratings, columns) for row in _rows_of(part, first, second)]
    names = list(ratings.rater.names)
    own = [set(ratings.item.codes[ratings.rater.codes == names.index(name)].tolist()) for name in (first, second)]
    compared = {row["item"] for row in rows}
    apart = len({ratings.item.names[code] for code in own[0] & own[1]} - compared)
    return BothRated(sorted(rows, key=lambda row: (-row["gap"], row["item"])), apart)


def _rows_of(part: Part, first: str, second: str) -> list[dict[str, Any]]:
    """The items that both rated in one part, which is of one version and round."""
    said: dict[int, dict[str, int]] = {}
    for item, rater, code in zip(part.item.tolist(), part.rater.tolist(), part.code.tolist(), strict=True):
        said.setdefault(item, {})[part.rater_names[rater]] = code
    values, numbers, by = part.ratings.scale.values, part.ratings.scale.array, dict(part.by)
    turn = {name: by.get(name, "") for name in ("phase", "guideline")}
    rows = []
    for item, codes in said.items():
        if {first, second} <= codes.keys():
            one, other = codes[first], codes[second]
            gap = abs(float(numbers[one] - numbers[other])) if part.ratings.level.has_order else float(one != other)
            told = {"first": spelled(values[one]), "second": spelled(values[other]), "gap": gap, "equal": one == other}
            rows.append({"item": part.item_names[item], "by": by, **turn, **told})
    return rows
