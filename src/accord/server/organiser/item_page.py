"""One item: what raters make of it in a sentence, the text with everybody's marks, and every judgement ever made."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.records import dataclass
from accord.sentences import Sentence, said_of
from accord.server.guidelines import latest_number
from accord.server.models import Rater, Task
from accord.server.models_organiser import Again, Decision
from accord.server.organiser.arbitration import KINDS
from accord.server.organiser.decisions import ask_again
from accord.server.organiser.judgements import Said, ShownText, item_of, main_turn, said_about, texts_of
from accord.server.organiser.next_items import SPREADS, Opinions, still_disputed
from accord.server.organiser.overlay import lanes_of, marks_in_words
from accord.server.organiser.pages import organiser_view, show, text_of, who
from accord.server.organiser.ranked import with_system_names
from accord.server.organiser.ruled import ruled_answers
from accord.server.organiser.snapshot import latest_snapshot
from accord.server.organiser.titles import scenario_title, titles_of_parts
from accord.server.organiser.toast import say_done
from accord.server.study import LoadedStudy, current

__all__ = ["FINDINGS", "Seen", "again", "ask_item_again", "disputed_queue", "item"]

_AROUND = 1
"""Segments shown before and after the one in question; the rest is one click away."""

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the heading of an item is chosen from."""

    raters: Sequence[str]
    """Of the version and round with most of them: only their answers are compared."""
    marked: str = ""
    """The words that most raters marked."""
    markers: Sequence[str] = ()
    others: Sequence[str] = ()
    """Raters who were asked to mark and left these words alone."""
    spread: str = ""
    """The widest difference of an answer, in words."""
    marking: Sequence[str] = ()
    """Raters who marked anything at all."""
    unmarking: Sequence[str] = ()
    is_graded_alike: bool = True
    """Whether nobody marked the same words more gravely than somebody else."""
    others_apart: Sequence[str] = ()
    """Raters who judged it under another version or in another round only."""


# A table should look like one.
# fmt: off
FINDINGS: tuple[Sentence[Seen], ...] = (
    Sentence("nobody", lambda seen: not seen.raters, lambda seen: _("Nobody has judged this text yet.")),
    Sentence("no_two_alike", lambda seen: len(seen.raters) == 1 and bool(seen.others_apart),
             lambda seen: _("No two raters judged this text under the same version of the guideline.")),
    Sentence("one", lambda seen: len(seen.raters) == 1 and not seen.others_apart,
             lambda seen: _("Only {name} has judged this text.").format(name=seen.raters[0])),
    Sentence("all_mark_unlike", lambda seen: bool(seen.markers) and not seen.others and not seen.is_graded_alike,
             lambda seen: _("All {n} mark “{words}”, but differ on how severe it is.").format(
                 n=len(seen.markers), words=seen.marked)),
    Sentence("all_mark", lambda seen: bool(seen.markers) and not seen.others and seen.is_graded_alike,
             lambda seen: _("All {n} mark “{words}”.").format(n=len(seen.markers), words=seen.marked)),
    Sentence("some_mark", lambda seen: bool(seen.markers) and bool(seen.others),
             lambda seen: _("{n} of {all} mark “{words}”. Not marked by: {others}.").format(
                 n=len(seen.markers), all=len(seen.markers) + len(seen.others), words=seen.marked,
                 others=_few(seen.others))),
    Sentence("spread", lambda seen: bool(seen.spread), lambda seen: seen.spread),
    Sentence("apart", lambda seen: _is_scattered(seen) and not seen.unmarking,
             lambda seen: _("All {n} mark something, but no two the same words.").format(n=len(seen.marking))),
    Sentence("few_mark", lambda seen: _is_scattered(seen) and bool(seen.unmarking),
             lambda seen: _("Marks on this text by: {names}. None by: {others}.").format(
                 names=_few(seen.marking), others=_few(seen.unmarking))),
    Sentence("agreed", lambda seen: len(seen.raters) > 1 and not seen.spread and not seen.marking,
             lambda seen: _("Raters who agree on this text: {n}.").format(n=len(seen.raters))),
)
# fmt: on


def _is_scattered(seen: Seen) -> bool:
    """Whether there are marks, and no two raters marked the same words."""
    return bool(seen.marking) and not seen.markers and not seen.spread


def _few(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else str(len(names))


@organiser_view("GET")
def item(request: HttpRequest, name: str) -> HttpResponse:
    """One item with everything that was said about it."""
    return _page(request, name)


@organiser_view("POST")
def again(request: HttpRequest, name: str) -> HttpResponse:
    """Ask one rater to judge this item once more; the first answer is kept beside the new one."""
    person = get_object_or_404(Rater, pseudonym=request.POST.get("rater", ""))
    try:
        ask_item_again(person, name, text_of(request, "reason"), who(request))
    except InputError as error:
        return _page(request, name, str(error), 400)
    say_done(request, _("{name} was asked to judge this text again.").format(name=person.pseudonym))
    return redirect("organiser-item", name)


def _asked_again(said: Sequence[Said]) -> list[str]:
    """Raters who were asked to judge the text again and have not done so yet."""
    asked = Again.objects.filter(original__in={one.task for one in said}, task__judgements=None)
    return sorted(set(asked.values_list("task__rater__pseudonym", flat=True)))


def ask_item_again(person: Rater, name: str, reason: str, by: str) -> Decision:
    """Hand out the screens of an item that a rater judged once more."""
    found = item_of(current(), name)
    if found is None:
        raise Http404(f"There is no item {name[:80]!r}.")
    keys = {one.task for one in said_about(current(), found) if one.rater == person.pseudonym and one.occasion == 1}
    return ask_again(person, Task.objects.filter(pk__in=keys), reason, by, name)


def _page(request: HttpRequest, name: str, problem: str = "", status: int = 200) -> HttpResponse:
    study = current()
    found = item_of(study, name)
    if found is None:
        raise Http404
    said = said_about(study, found)
    rows = _rows(study, said)
    asked = [key for key in study.criteria if any(one.criterion == key for one in said)]
    texts = texts_of(study, found)
    known = study.study.item_by_id.get(found.item)
    lanes = lanes_of(study, said, texts)
    opinions = _all_opinions(study, asked, said)
    spreads = _spreads(opinions)
    told = list(map(with_system_names, spreads))
    seen = _what_raters_did(said, lanes, spreads)
    sentence = with_system_names(said_of(FINDINGS, seen))
    context = {
        "item": found, "document": known.document if known else found.item, "segment": known.segment if known else "",
        "sentence": sentence, "is_spread": sentence in told, "spreads": [words for words in told if words != sentence],
        "texts": texts, "near": _near(texts), "overlay": lanes, "rows": rows, "columns": _columns(study, asked),
        "plots": [plot for one in opinions if (plot := _plot(one))],
        "source_language": study.settings.languages.source or "", "target_language": study.settings.languages.target,
        "criteria": [(study.criteria[key], [one for one in said if one.criterion == key]) for key in asked],
        "comments": [row for row in rows if row["comments"]], "problem": problem,
        "contestable": [
            one for one in said if one.counts and study.criteria[one.criterion].kind in KINDS and one.raw is not None
        ],
        "asked_again": _asked_again(said), "judged_apart": seen.others_apart, **_versions(said),
        "odd": next((one.seen.odd for one in opinions if one.seen.odd), ""), **_way(name),
    }  # fmt: skip
    return show(request, "item", context, here="organiser-judgements", status=status)


def _versions(said: Sequence[Said]) -> Plain:
    """Whether a new answer will be given under another version than those that are compared now."""
    judged = max((one.guideline for one in main_turn(said)), default=0)
    return {"judged_under": judged, "version_now": latest_number(), "is_older": 0 < judged < latest_number()}


def _rows(study: LoadedStudy, said: Sequence[Said]) -> list[Plain]:
    """One row for each rater and screen, with the answers that count."""
    rows: dict[tuple[str, int], Plain] = {}
    ruled = ruled_answers(study, said)
    again = set(Again.objects.filter(task__in={one.task for one in said}).values_list("task_id", flat=True))
    for one in said:
        if not one.counts:
            continue
        row = rows.setdefault((one.rater, one.task), {
            "rater": one.rater, "excluded": one.excluded, "scenario": scenario_title(one.scenario), "phase": one.phase,
            "is_second": one.occasion > 1 or one.task in again, "seconds": 0.0,
            "guideline": one.guideline, "made_at": one.made_at, "comments": one.comments,
            "values": {}, "marks": [], "ruled": [],
        })  # fmt: skip
        row["seconds"] += one.seconds
        row["ruled"] += [ruled[one.key]] if one.key in ruled else []
        criterion = study.criteria[one.criterion]
        if criterion.kind == "spans" and not one.cannot:
            row["marks"] += marks_in_words(criterion, one.raw or (), one.texts)
        row["values"][one.criterion] = "cannot judge" if one.cannot else with_system_names(one.value)
    return sorted(rows.values(), key=lambda row: (row["rater"], row["scenario"], row["is_second"]))


def _columns(study: LoadedStudy, asked: Sequence[str]) -> list[str]:
    return [key for key in asked if study.criteria[key].kind != "spans"]


@dataclass(frozen=True, slots=True)
class Part:
    """What was said of the item on one criterion in one scenario, round and under one version: they are never mixed."""

    criterion: CriterionSettings
    name: str
    seen: Opinions


def _all_opinions(study: LoadedStudy, asked: Sequence[str], said: Sequence[Said]) -> list[Part]:
    """The first occasion of everybody who counts; marks are compared by their places, not here."""
    known = [
        one for one in said if one.counts and not one.cannot and not one.excluded and one.occasion == 1
        and one.raw is not None and study.criteria[one.criterion].kind != "spans"
    ]  # fmt: skip
    parts: dict[tuple[str, ...], list[Said]] = {}
    for one in known:
        parts.setdefault((one.criterion, one.scenario, *one.turn), []).append(one)
    by = [dict(zip(("scenario", "phase", "guideline"), key[1:], strict=True)) for key in parts]
    told = dict(zip(parts, titles_of_parts(by), strict=True))
    return [
        Part(study.criteria[name], ", ".join(filter(None, (name, told[key]))), _opinions(study.criteria[name], own))
        for name in asked
        for key, own in sorted(parts.items(), key=lambda one: (one[0][:3], int(one[0][3])))
        if key[0] == name
    ]


def _opinions(criterion: CriterionSettings, said: Sequence[Said]) -> Opinions:
    ends = _ends(criterion)
    places = [_share(float(one.raw), ends) for one in said] if ends and said else None
    return Opinions([one.rater for one in said], [one.value.partition(" – ")[0] for one in said], places)


def _ends(criterion: CriterionSettings) -> tuple[float, float] | None:
    """The ends of a scale of numbers; None for anything else."""
    if criterion.kind == "scale":
        numbers = [float(value) for value in criterion.values if isinstance(value, int | float)]
        return (min(numbers), max(numbers)) if len(numbers) == len(criterion.values) > 1 else None
    if criterion.kind == "slider":
        return criterion.low or 0.0, 100.0 if criterion.high is None else criterion.high
    return None


def _share(value: float, ends: tuple[float, float]) -> float:
    return (value - ends[0]) / (ends[1] - ends[0])


def _spreads(opinions: Sequence[Part]) -> list[str]:
    """Of each criterion on which raters differ what they said, the widest difference first."""
    told = [
        (max(one.seen.places) - min(one.seen.places) if one.seen.places else 0.0, one)
        for one in opinions
        if len(set(one.seen.values)) > 1
    ]
    widest = [one for _, one in sorted(told, key=lambda pair: -pair[0])]
    return [f"{one.name[:1].upper()}{one.name[1:]}: {said_of(SPREADS, one.seen)}" for one in widest]


def _what_raters_did(said: Sequence[Said], lanes: Plain | None, spreads: Sequence[str]) -> Seen:
    raters = sorted({one.rater for one in main_turn(said)} or {one.rater for one in said if one.counts})
    apart = _judged_apart(said, raters)
    spread = spreads[0] if spreads else ""
    if lanes is None:
        return Seen(raters, spread=spread, others_apart=apart)
    marking = lanes["marking"]
    return Seen(
        raters,
        lanes["words"],
        lanes["markers"],
        lanes["others"] if lanes["markers"] else (),
        spread,
        marking,
        [name for name in lanes["names"] if name not in marking],
        lanes["is_graded_alike"],
        apart,
    )


def _judged_apart(said: Sequence[Said], raters: Sequence[str]) -> list[str]:
    """Raters whose answers count and are compared with nobody's of these."""
    return sorted({one.rater for one in said if one.counts and not one.excluded and one.occasion == 1} - set(raters))


def _plot(part: Part) -> Plain | None:
    """Everybody's answer on the scale, raters of one answer beside each other."""
    ends, seen = _ends(part.criterion), part.seen
    if ends is None or seen.places is None:
        return None
    at: dict[float, list[str]] = {}
    for rater, place in zip(seen.raters, seen.places, strict=True):
        at.setdefault(round(100 * place, 1), []).append(rater)
    values = dict(zip((round(100 * place, 1) for place in seen.places), seen.values, strict=True))
    return {
        "criterion": part.name, "low": f"{ends[0]:g}", "high": f"{ends[1]:g}",
        "dots": [
            {"x": x, "raters": names, "value": values[x], "odd": seen.odd in names and bool(seen.odd)}
            for x, names in sorted(at.items())
        ],
    }  # fmt: skip


def _near(texts: Sequence[ShownText]) -> list[ShownText]:
    """The segments around the one in question; all of them where the whole document was judged."""
    here = [place for place, text in enumerate(texts) if text.is_here]
    if len(here) != 1:
        return list(texts)
    return list(texts[max(0, here[0] - _AROUND) : here[0] + _AROUND + 1])


def disputed_queue(results: Mapping[str, Any]) -> list[str]:
    """Every disputed item once: first those of the overview, then the others, criterion by criterion."""
    names = [one["item"] for one in results.get("next", [])]
    names += [one["item"] for group in results.get("groups", []) for one in still_disputed(group)]
    return list(dict.fromkeys(names))


def _way(name: str) -> Plain:
    """Where this item stands among the disputed ones, and which comes next."""
    snapshot = latest_snapshot()
    queue = disputed_queue(snapshot.results) if snapshot else []
    if name not in queue:
        return {"place": 0, "disputed": len(queue), "next": queue[0] if queue else ""}
    place = queue.index(name) + 1
    return {"place": place, "disputed": len(queue), "next": queue[place] if place < len(queue) else ""}
