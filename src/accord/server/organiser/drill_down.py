"""From a coefficient to pairs, from a pair to items, from an item to every judgement on it."""

from collections.abc import Container, Sequence
from typing import Any

import numpy as np
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse

from accord.ratings.codebook import ROLES
from accord.ratings.table import Ratings
from accord.server.models import Judgement
from accord.server.models_organiser import Snapshot
from accord.server.organiser.arbitration import rated_name
from accord.server.organiser.judgements import item_of, shortened, texts_of
from accord.server.organiser.overlay import ShownMark, marks_in_words
from accord.server.organiser.pages import organiser_view, show
from accord.server.organiser.ranked import with_system_names
from accord.server.organiser.ratings import collect_pair, left_out_lately, state_of_judgements
from accord.server.organiser.results_page import shown_results
from accord.server.organiser.snapshot import latest_snapshot, refresh
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, current
from accord.words import spelled

__all__ = ["agreement", "both_rated", "pair", "pair_items"]

_SHOWN = 60
_SIDE_BY_SIDE = 30
_TEXT = 400

Marks = list[ShownMark]


@organiser_view("GET")
def agreement(request: HttpRequest, criterion: str) -> HttpResponse:
    """All coefficients of a criterion, the pairs that agree least, and the items that are disputed most."""
    study = current()
    if criterion not in study.criteria:
        raise Http404
    groups = [group for group in shown_results()["groups"] if group["criterion"] == criterion]
    context: dict[str, Any] = {
        "criterion": study.criteria[criterion],
        "groups": [_shortened(group) for group in groups],
    }
    context["is_current"] = _is_current(latest_snapshot())
    return show(request, "agreement", context, here="organiser")


def _is_current(snapshot: Snapshot | None) -> bool:
    """Whether the newest results have every judgement; if not, they are computed again."""
    refresh()
    return snapshot is not None and snapshot.state == state_of_judgements()


def _shortened(group: dict[str, Any]) -> dict[str, Any]:
    """The coefficient that the criterion is known by leads; the others are folded, all pairs and items cut."""
    main = group["main"]["coefficient"] if group["main"] else ""
    leading = [one for one in group["estimates"] if one["coefficient"] == main] or group["estimates"]
    others = [one for one in group["estimates"] if one not in leading]
    cut = {"pairs": group["pairs"][:_SHOWN], "disputed": group["disputed"][:_SHOWN]}
    return {**group, **cut, "leading": leading, "others": others}


@organiser_view("GET")
def pair(request: HttpRequest, criterion: str, first: str, second: str) -> HttpResponse:
    """The items both raters judged, those they are furthest apart on first."""
    rows = both_rated(criterion, first, second)
    page = Paginator(rows, _SIDE_BY_SIDE).get_page(request.GET.get("page"))
    marks = _marks_beside(criterion, (first, second), {row["item"] for row in page})
    snapshot = latest_snapshot()
    is_current = _is_current(snapshot)
    # What both judged is counted now: numbers of an earlier state beside it would contradict it.
    groups = snapshot.results["groups"] if snapshot and is_current else []
    numbers = [
        one | {"title": group["title"]}
        for group in groups
        if group["criterion"] == criterion
        for one in group["pairs"]
        if {one["first"], one["second"]} == {first, second}
    ]
    context = {
        "criterion": criterion, "first": first, "second": second, "page": page, "count": len(rows),
        "rows": [
            {**row, **_told(row["item"]), **_named(row), "marks": marks.get((row["item"], row["phase"]))}
            for row in page
        ],
        "criteria": list(current().criteria),
        "equal": sum(row["equal"] for row in rows), "numbers": numbers, "is_current": is_current,
    }  # fmt: skip
    return show(request, "pair", context, here="organiser")


def _marks_beside(criterion: str, raters: Sequence[str], items: Container[str]) -> dict[tuple[str, str], list[Marks]]:
    """What each of the raters marked in these items, by item and phase; nothing where no errors are marked."""
    study, asked = current(), current().criteria[criterion]
    found: dict[tuple[str, str], list[Marks]] = {}
    if asked.kind != "spans":
        return found
    rows = Judgement.objects.filter(criterion=criterion, task__rater__pseudonym__in=raters)
    for row in rows.exclude(task__role__in=[PRACTICE, *ROLES]).select_related("task__rater").order_by("revision", "id"):
        name = rated_name(study, row)
        if name not in items:
            continue
        texts = shown_texts(study, row.task, row.place or 0)
        # Ratings of a study with one phase have no column of phases.
        for key in ((name, row.task.phase), (name, "")):
            told = found.setdefault(key, [[] for _ in raters])
            told[raters.index(row.task.rater.pseudonym)] = marks_in_words(asked, row.value or (), texts)
    return found


def _named(row: dict[str, Any]) -> dict[str, str]:
    """What the two said; a system that was chosen as the other pages call it."""
    return {place: with_system_names(row[place]) for place in ("first", "second")}


def _told(name: str) -> dict[str, str]:
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


def both_rated(criterion: str, first: str, second: str) -> list[dict[str, Any]]:
    """The items of two raters who count, from their own judgements only."""
    ratings = None
    if criterion in current().criteria and not {first, second} & set(left_out_lately()):
        ratings = collect_pair(criterion, first, second)
    if ratings is None or not {first, second} <= set(ratings.rater.names):
        raise Http404("These raters have no ratings of this criterion.")
    return pair_items(ratings, first, second)


def pair_items(ratings: Ratings, first: str, second: str) -> list[dict[str, Any]]:
    """What two raters said of each item both rated; in ordered scales the widest gap comes first."""
    values, numbers = ratings.scale.values, ratings.scale.array
    said: dict[tuple[str, str], dict[str, int]] = {}
    phase = ratings.columns["phase"].labels() if "phase" in ratings.columns else [""] * len(ratings)
    names = list(ratings.rater.names)
    wanted = np.isin(ratings.rater.codes, [names.index(first), names.index(second)])
    for row in np.flatnonzero(wanted).tolist():
        key = (ratings.item.names[int(ratings.item.codes[row])], str(phase[row]))
        said.setdefault(key, {})[names[int(ratings.rater.codes[row])]] = int(ratings.value[row])
    rows = []
    for (name, part), codes in said.items():
        if len(codes) == 2:
            one, other = codes[first], codes[second]
            gap = abs(float(numbers[one] - numbers[other])) if ratings.level.has_order else float(one != other)
            shown = [spelled(values[one]), spelled(values[other])]
            rows.append(
                {"item": name, "phase": part, "first": shown[0], "second": shown[1], "gap": gap, "equal": one == other}
            )
    return sorted(rows, key=lambda row: (-row["gap"], row["item"]))
