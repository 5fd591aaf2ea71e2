"""Pages about raters: everybody's quality at a glance, and one rater with what can be decided."""

from collections.abc import Mapping

from django.db.models import Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string

from accord.errors import InputError
from accord.server.guidelines import latest_number
from accord.server.models import Judgement, Rater
from accord.server.models_organiser import Decision, Snapshot
from accord.server.organiser import ratings
from accord.server.organiser.asking import say_decided
from accord.server.organiser.decisions import decide
from accord.server.organiser.kept_effect import shown_effect
from accord.server.organiser.pages import organiser_view, show, text_of, who
from accord.server.organiser.progress import Progress, progress
from accord.server.organiser.quality import RULES, Check, checks_of
from accord.server.organiser.ratings import collect, left_out_now
from accord.server.organiser.snapshot import latest_snapshot
from accord.server.organiser.watched import work_so_far
from accord.server.organiser.who_counts import BrokenRules, broken_rules, rated_by
from accord.server.study import current

__all__ = [
    "apply_rules",
    "broken_now",
    "decision",
    "effect",
    "label",
    "leave_out_by_rules",
    "name_rater",
    "quality",
    "rater",
    "rater_checks",
]

LONGEST_LABEL = 200
_BEHAVIOUR = ("straight_lining", "copied_runs", "impossible_speed", "duplicated_raters", "constant_raters")


@organiser_view("GET")
def quality(request: HttpRequest) -> HttpResponse:
    """The declared rules, who breaks them, and every rater's checks."""
    study, snapshot = current(), latest_snapshot()
    counted = work_so_far(snapshot)
    checks = rater_checks(counted)
    rows = [
        {
            "rater": one,
            "checks": checks.get(one.name, []),
            "failed": [check for check in checks.get(one.name, []) if check.failed],
            "behaviour": _behaviour(snapshot, one.name),
        }
        for one in counted.raters
    ]
    context = {
        "declared": [(rule, RULES[rule.rule].title) for rule in study.settings.exclusions],
        "broken": broken_now(counted, checks),
        "rows": rows,
        "hasty": counted.hasty,
        "excluded": left_out_now().values(),
    }
    return show(request, "quality", context, here="organiser-quality")


def rater_checks(counted: Progress) -> dict[str, list[Check]]:
    """Made now, or taken from the newest results where there are too many judgements to look at for one page."""
    if counted.judgements <= ratings.MANY:
        return checks_of(current(), collect().criteria, counted.raters)
    snapshot = latest_snapshot()
    known = snapshot.results.get("checks", {}) if snapshot else {}
    return {name: [Check(**one) for one in found] for name, found in known.items()}


def broken_now(counted: Progress, checks: Mapping[str, list[Check]]) -> BrokenRules:
    """Who breaks a rule, as every number has it."""
    rated = rated_by(collect().criteria) if counted.judgements <= ratings.MANY else None
    return broken_rules(checks, counted.raters, rated=rated)


def _behaviour(snapshot: Snapshot | None, name: str) -> list[dict[str, str]]:
    """What the findings say of this rater's way of working."""
    found = snapshot.results["findings"] if snapshot else []
    return [one for one in found if one["code"] in _BEHAVIOUR and name in one["who"]]


@organiser_view("GET")
def rater(request: HttpRequest, name: str) -> HttpResponse:
    """One rater: work, checks, what leaving them out would change, and every decision so far."""
    return _page(request, get_object_or_404(Rater, pseudonym=name))


def _oldest_version(person: Rater) -> int:
    """Of the guideline, that answers of this rater were given under; 0 where there are none."""
    own = Judgement.objects.filter(task__rater=person)
    return own.aggregate(oldest=Min("guideline__number"))["oldest"] or 0


def _page(request: HttpRequest, person: Rater, problem: str = "", status: int = 200) -> HttpResponse:
    snapshot = latest_snapshot()
    counted = work_so_far(snapshot)
    context = {
        "person": person,
        "work": next((one for one in counted.raters if one.name == person.pseudonym), None),
        "currency": counted.currency,
        "checks": rater_checks(counted).get(person.pseudonym, []),
        "behaviour": _behaviour(snapshot, person.pseudonym),
        "effect": shown_effect(person),
        "is_excluded": person.pseudonym in left_out_now(),
        "decisions": Decision.objects.filter(rater=person).order_by("-id"),
        "remarks": person.remarks.exclude(text="").order_by("-id")[:50],
        "problem": problem,
        "version_now": latest_number(),
        "redoes_older": 0 < _oldest_version(person) < latest_number(),
    }
    return show(request, "rater", context, here="organiser-people", status=status)


@organiser_view("GET")
def effect(request: HttpRequest, name: str) -> HttpResponse:
    """The part of a rater's page that is renewed while it is open."""
    person = get_object_or_404(Rater, pseudonym=name)
    shown = shown_effect(person)
    html = render_to_string("organiser/parts/effect.html", {"effect": shown, "person": person}, request)
    return JsonResponse({"parts": {"effect": html}, "computing": shown.computing})


@organiser_view("POST")
def decision(request: HttpRequest, name: str) -> HttpResponse:
    """Decide about a rater."""
    person = get_object_or_404(Rater, pseudonym=name)
    try:
        made = decide(person, request.POST.get("action", ""), text_of(request, "reason"), who(request))
    except InputError as error:
        return _page(request, person, str(error), 400)
    say_decided(request, [made])
    return redirect("organiser-rater", name)


@organiser_view("POST")
def label(request: HttpRequest, name: str) -> HttpResponse:
    """Who this is, in the organiser's own words."""
    name_rater(get_object_or_404(Rater.people, pseudonym=name), text_of(request, "label", LONGEST_LABEL))
    return redirect("organiser-rater", name)


def name_rater(person: Rater, words: str) -> None:
    """Keep who this is for the organiser's pages; exports and reports have the pseudonym alone."""
    Rater.objects.filter(pk=person.pk).update(label=words.strip())


@organiser_view("POST")
def apply_rules(request: HttpRequest) -> HttpResponse:
    """Leave out raters who break a rule that was declared before collection: who finished, or all if asked."""
    gone = leave_out_by_rules(who(request), everybody=request.POST.get("everybody") == "yes")
    last = Decision.objects.order_by("-id")[: len(gone)]
    say_decided(request, list(last))
    return redirect("organiser-quality")


def leave_out_by_rules(by: str, *, everybody: bool = False) -> list[str]:
    """Apply the declared rules to raters who have finished, or to ``everybody``; gives whom that leaves out now."""
    study, counted = current(), progress()
    reasons: dict[str, str] = {rule.rule: rule.reason for rule in study.settings.exclusions}
    found: list[str] = []
    criteria = collect().criteria
    broken = broken_rules(checks_of(study, criteria, counted.raters), counted.raters, rated=rated_by(criteria))
    for check in broken.finished + (broken.at_work if everybody else []):
        if check.rater not in found:
            reason = f"{reasons.get(check.rule) or check.title} ({check.words})"
            person = Rater.objects.get(pseudonym=check.rater)
            decide(person, Decision.Action.EXCLUDE, reason, by, rule=check.rule)
            found.append(check.rater)
    return found
