"""All numbers on one page: every coefficient's row, findings, progress by part, raters with time and cost, models."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from accord.reporting.first_screen import methods_named
from accord.server.blinding import are_named
from accord.server.judges import facts_of_judge
from accord.server.models import Judgement, Rater, RaterKind
from accord.server.organiser.chosen import shown_choices
from accord.server.organiser.coverage import shortened
from accord.server.organiser.drawing import interval_bars, sparkline
from accord.server.organiser.pages import organiser_view, show
from accord.server.organiser.progress import RaterProgress
from accord.server.organiser.ranked import shown_ranking
from accord.server.organiser.ratings import state_of_judgements
from accord.server.organiser.snapshot import history, is_computing, latest_snapshot, problem, refresh
from accord.server.organiser.titles import shown_title
from accord.server.organiser.together import put_together, what_can_be_put_together
from accord.server.organiser.watched import collecting_now, watched
from accord.server.organiser.which_part import match
from accord.server.serving import study_folder

__all__ = ["live_results", "results", "shown_results"]

_PARTS = ("reliability", "findings", "shares", "people", "judges")
_MOST_FINDINGS = 40
_MOST_RATERS = 100
"""The table is sent every five seconds; a thousand raters in it would keep the server from saving."""
_DOCUMENTS, _COLUMNS = 200, 40

Plain = dict[str, Any]


@organiser_view("GET")
def results(request: HttpRequest) -> HttpResponse:
    """Every number, finding and count there is."""
    context = shown_results()
    together = put_together(request.GET.get("together", ""), context["groups"])
    return show(request, "results", {**context, "together": together}, here="organiser")


@organiser_view("GET")
def live_results(request: HttpRequest) -> HttpResponse:
    """The parts of that page that change."""
    refresh()
    context = shown_results()
    parts = {name: render_to_string(f"organiser/parts/{name}.html", context, request) for name in _PARTS}
    return JsonResponse({"parts": parts, "computing": context["computing"]})


def shown_results() -> Plain:
    """All that the page says, from the newest results there are."""
    snapshot = latest_snapshot()
    found: Plain = snapshot.results if snapshot else {}
    groups, findings = found.get("groups", []), found.get("findings", [])
    seen = watched(snapshot)
    return {
        "progress": seen.progress, "known": seen.known,
        "shown_raters": _latest_raters(seen.progress.raters),
        "snapshot": snapshot,
        "is_current": snapshot is not None and snapshot.state == state_of_judgements(),
        "computing": is_computing(), "problem": problem(),
        "groups": _drawn(_with_history(groups, found.get("excluded", []))),
        "coefficient": _heading(groups), "intervals": _intervals(groups),
        "collecting": collecting_now(),
        "apart_in": what_can_be_put_together(groups),
        "findings": findings[:_MOST_FINDINGS], "more_findings": max(0, len(findings) - _MOST_FINDINGS),
        "excluded": found.get("excluded", []), "judges": _judges(found.get("judges", [])),
        "folder": study_folder().name,
        "coverage": shortened(seen.coverage, _DOCUMENTS, _COLUMNS),
        "rankings": [shown_ranking(one) for one in found.get("rankings", {}).get("made", [])],
        "chosen": shown_choices(found), "named": are_named(),
        "unranked": found.get("rankings", {}).get("unranked", []),
    }  # fmt: skip


def _judges(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every model with how far it is and what the newest results say of it."""
    models = Rater.objects.filter(kind=RaterKind.MODEL)
    if not models.exists():
        return []
    rows = Judgement.objects.filter(task__rater__in=models).order_by().values_list("task__rater")
    done = dict(rows.annotate(Count("task", distinct=True)))
    return [
        {
            "facts": facts_of_judge(one), "done": done.get(one.pk, 0), "screens": one.tasks.count(),
            "parts": [part for part in found if part["judge"] == one.pseudonym],
        }
        for one in models
    ]  # fmt: skip


def _heading(groups: Sequence[dict[str, Any]]) -> str:
    """The name of the coefficient that all criteria are known by; a plan may declare another one for one of them."""
    titles = {group["main"]["title"] for group in groups if group["main"]}
    return titles.pop() if len(titles) == 1 else "Coefficient"


def _intervals(groups: Sequence[dict[str, Any]]) -> str:
    """How intervals were made; groups without one say why themselves."""
    known = [(shown_title(group), group["main"]) for group in groups if group["main"] and group["main"]["method"]]
    made = methods_named([(title, main["method"]) for title, main in known])
    return f"{made}, {known[0][1]['level']:.0%}" if known else ""


def _latest_raters(raters: Sequence[RaterProgress]) -> Sequence[RaterProgress]:
    """All, or of very many those who saved last."""
    if len(raters) <= _MOST_RATERS:
        return raters
    return sorted(raters, key=lambda one: one.last.timestamp() if one.last else 0.0, reverse=True)[:_MOST_RATERS]


def _with_history(groups: list[dict[str, Any]], excluded: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each group with the numbers it had in earlier results, found by what they are of, whatever they were called.

    Those without somebody who counts today are of a decision since undone.
    """
    out, states = {one["rater"] for one in excluded}, list(history())
    return [
        {**group, "history": [point for state in states for point in _points(group, state, out)]} for group in groups
    ]


def _points(group: dict[str, Any], state: dict[str, Any], out: set[str]) -> Iterator[dict[str, Any]]:
    own: Sequence[dict[str, Any]] = [one for one in state["headline"] if out.issuperset(one.get("without", ()))]
    # States of an earlier Accord have titles only.
    if all("of" in one for one in own):
        found = match(group, own)
    else:
        found = next((one for one in own if one["title"] == group["title"]), None)
    if found:
        yield {**found, "judgements": state["judgements"], "made_at": state["made_at"]}


def _drawn(groups: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every group with its interval, on an axis that all share, and its course so far."""
    bars = interval_bars([group["main"] for group in groups])
    return [
        {**group, "shown": shown_title(group), "bar": bar, "line": sparkline(group["history"])}
        for group, bar in zip(groups, bars, strict=True)
    ]
