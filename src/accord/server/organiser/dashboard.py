"""The dashboard: one sentence, three numbers, one thing to do, then charts; updated without a reload."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone

from accord.design.working_time import paid_minutes, pay_of
from accord.noise import ordered
from accord.server.blinding import are_named, unblind
from accord.server.closing import ending
from accord.server.collected_rows import decided_raters
from accord.server.handing_out import places, planned_screens
from accord.server.models import Rater, Remark
from accord.server.models_organiser import Snapshot
from accord.server.organiser.apart import MOST_RATERS, map_of, said_of_map
from accord.server.organiser.charts import course_of, pace_chart
from accord.server.organiser.chosen import shown_choices
from accord.server.organiser.judgements import item_of, shortened, texts_of
from accord.server.organiser.next_items import spread_of
from accord.server.organiser.opening import FEWEST, Need, State, next_step, opening
from accord.server.organiser.pace import forecast_of
from accord.server.organiser.pages import organiser_view, show, who
from accord.server.organiser.progress import Progress
from accord.server.organiser.ranked import first_sentence, shown_ranking, with_system_names
from accord.server.organiser.ratings import state_of_judgements
from accord.server.organiser.snapshot import is_computing, latest_snapshot, problem, refresh
from accord.server.organiser.spoken import spoken
from accord.server.organiser.titles import scenario_title, shown_title
from accord.server.organiser.watched import Watched, watched
from accord.server.organiser.which_part import charted
from accord.server.phases import closed_phases
from accord.server.study import current
from accord.server.workspace.colleagues import may_open

__all__ = ["dashboard", "live", "unblinding"]

_PARTS = ("sanity", "standing", "growth", "coverage", "apart", "ranking", "look", "pace")
_MOST_COURSES = 8
_MOST_ODD = 3

Plain = dict[str, Any]


@organiser_view("GET")
def dashboard(request: HttpRequest) -> HttpResponse:
    """Everything at a glance."""
    return show(request, "dashboard", _context(request), here="organiser")


@organiser_view("GET")
def live(request: HttpRequest) -> HttpResponse:
    """The parts of the dashboard that change, for the page that is open."""
    refresh()
    context = _context(request)
    parts = {name: render_to_string(f"organiser/parts/{name}.html", context, request) for name in _PARTS}
    return JsonResponse({"parts": parts, "computing": context["computing"]})


@organiser_view("POST")
def unblinding(request: HttpRequest) -> HttpResponse:
    """Show the names of the systems on these pages, or hide them again."""
    unblind(who(request), named=request.POST.get("named") == "yes")
    return redirect("organiser")


def _context(request: HttpRequest) -> Plain:
    snapshot = latest_snapshot()
    results: Plain = snapshot.results if snapshot else {}
    seen = watched(snapshot)
    trouble, computing = problem(), is_computing()
    # Results that are on their way, or begin with the first look at this page, are not called missing.
    awaited = snapshot is None and (computing or (not trouble and seen.progress.judgements >= FEWEST))
    answer = results.get("answer", {})
    invited = seen.progress.invited if seen.known else Rater.people.filter(replaced_by=None).count()
    state = State(invited, seen.progress.judgements, first_sentence(results), computing or awaited, trouble)
    rankings = [shown_ranking(one) for one in results.get("rankings", {}).get("made", [])]
    questions = Remark.objects.filter(about=Remark.About.QUESTION, answered_at=None).count()
    return {
        "standing": opening(state, answer, results.get("findings", [])),
        "step": next_step(_need(seen, results, questions, invited), request.user),
        "progress": seen.progress, "known": seen.known, "counted_at": seen.made_at,
        "screens": seen.progress.tasks if invited else planned_screens(closed_phases()) or 0,
        "invited": invited, "places": places(),
        "chosen": shown_choices(results),
        "ranking": rankings[0] if rankings else None, "rankings": len(rankings), "named": are_named(),
        "may_change": may_open(request.user, "organiser-ask-unblind"),
        "unranked": [spoken(one) for one in results.get("rankings", {}).get("unranked", [])],
        "systems": len(current().study.systems),
        "sanity": results.get("sanity", [])[:_MOST_ODD],
        "snapshot": snapshot, **age_of(snapshot, seen.progress.judgements), "computing": computing, "awaited": awaited,
        "problem": trouble, "ended": ending(),
        "courses": _courses(results), "growth": results.get("growth"),
        "coverage": seen.short, "left_out": _left_out(seen, results),
        "look": [_item(one) for one in results.get("next", [])], "differ": _differ(results),
        **_apart(results, request.GET.get("criterion", "")), **_pace(seen, results),
    }  # fmt: skip


def age_of(snapshot: Snapshot | None, answers: int) -> Plain:
    """Whether the shown state has the newest judgements, and how many answers came after it."""
    is_current = snapshot is not None and snapshot.state == state_of_judgements()
    return {"is_current": is_current, "newer": max(0, answers - snapshot.judgements) if snapshot else 0}


def _need(seen: Watched, results: Plain, questions: int, invited: int) -> Need:
    grave = [one for one in results.get("findings", []) if one["severity"] in ("error", "warning")]
    known = {one.name for one in seen.progress.raters} - set(decided_raters())
    named = [one["who"][0] for one in grave if len(one["who"]) == 1 and one["who"][0] in known]
    first = results.get("next", [])
    counted = seen.progress
    return Need(
        invited, counted.judgements, questions, named[0] if named else "", first[0]["item"] if first else "",
        bool(counted.tasks) and counted.done == counted.tasks,
    )  # fmt: skip


def _courses(results: Plain) -> list[Plain]:
    """The small charts of how agreement has grown, with the numbers as they are now."""
    growth = results.get("growth") or {"courses": [], "versions": [], "answers": 0}
    points = {one["title"]: one["points"] for one in growth["courses"]}
    shown = []
    for group in charted(results.get("groups", []))[:_MOST_COURSES]:
        main = group["main"]
        own = points.get(group["title"], [])
        drawn = course_of(own, growth["answers"], growth["versions"], main["coefficient"]) if main else None
        # What combines parts has the answers of all of them, and a part its own.
        parts = results["groups"] if group.get("combined") else [group]
        alone = sum(one.get("alone", 0) for one in parts if one["criterion"] == group["criterion"])
        told = {"title": shown_title(group), "criterion": group["criterion"], "alone": alone}
        shown.append({**told, "main": main, "drawn": drawn})
    return shown


def _apart(results: Plain, wanted: str) -> Plain:
    """The map of one criterion: the one asked for, else the one whose raters are known to agree least."""
    found: Sequence[Plain] = results.get("apart", [])
    by_name = {one["criterion"]: one for one in found}
    values = {
        group["criterion"]: group["main"]["value"] for group in charted(results.get("groups", [])) if group["main"]
    }
    lowest = next(iter(ordered((name for name in by_name if name in values), values.__getitem__)), "")
    chosen = by_name.get(wanted) or by_name.get(lowest) or next(iter(found), None)
    if chosen is None:
        return {"apart": None, "apart_map": None, "apart_words": "", "apart_names": []}
    furthest = ordered(chosen["pairs"], lambda pair: float(pair[2]), highest=True)[:MOST_RATERS]
    return {
        "apart": chosen, "apart_map": map_of(chosen), "apart_words": said_of_map(chosen),
        "apart_names": list(by_name), "apart_furthest": furthest[:10],
    }  # fmt: skip


def _left_out(seen: Watched, results: Plain) -> list[Plain]:
    """Whom the shown numbers are without, and who of these counts again while the next ones are computed."""
    counting = {one.name for one in seen.progress.raters if not one.excluded}
    return [{**one, "counts_again": one["rater"] in counting} for one in results.get("excluded", [])]


def _differ(results: Plain) -> Plain:
    """How many texts somebody disputes, on each criterion too, and by how much scores must differ for that."""
    found = results.get("differ", {"texts": 0, "far": [], "by": {}})
    by = [(criterion, texts) for criterion, texts in found["by"].items() if texts]
    far = " / ".join(f"{far:g}" for far in found["far"])
    return {"texts": found["texts"], "far": far, "by": by, "again": found.get("again", False)}


def _item(one: Mapping[str, Any]) -> Plain:
    """An item to look at, with its texts and each rater's place on the scale in per cent."""
    study = current()
    found = item_of(study, one["item"])
    here = [text for text in texts_of(study, found) if text.is_here] if found else []
    item = study.study.item_by_id.get(found.item) if found else None
    places = one["places"] or []
    dots = [(round(100 * place, 1), rater == one["odd"]) for place, rater in zip(places, one["raters"], strict=False)]
    told = ", ".join(f"{rater} {value}" for rater, value in zip(one["raters"], one["values"], strict=True))
    return {
        **one, "document": item.document if item else (found.item if found else one["item"]),
        "segment": item.segment if item else "", "scenario": scenario_title(one["scenario"]) if one["scenario"] else "",
        "source": shortened(" ".join(text.source for text in here)),
        "target": shortened(" ".join(text.target for text in here)),
        "dots": dots, "told": with_system_names(told), "words": with_system_names(spread_of(one)),
    }  # fmt: skip


def _in_all(counted: Progress) -> Plain:
    """Time and money as declared, and as they will be at the pace so far; minutes around the work once a rater."""
    settings = current().settings
    hours = counted.planned_hours
    plain: Plain = {"planned_hours": hours, "planned_cost": pay_of(settings, 60 * hours)}
    plain["around"] = settings.cost.minutes_fixed
    if counted.done:
        per_screen = 60 * sum(one.minutes for one in counted.raters) / counted.done
        left = (one.minutes * 60 + per_screen * (one.tasks - one.done) for one in counted.raters)
        minutes = sum(paid_minutes(settings, seconds) for seconds in left)
        plain |= {"hours_in_all": minutes / 60, "cost_in_all": pay_of(settings, minutes)}
    return plain


def _pace(seen: Watched, results: Plain) -> Plain:
    counted = seen.progress
    now = seen.made_at or timezone.now()
    forecast, words = forecast_of(seen.pace, counted.done, counted.tasks, timezone.localtime(now).date())
    begun = {one.name for one in counted.raters if one.done}
    checks = [found for name, found in results.get("checks", {}).items() if found and name in begun]
    return {
        "forecast": forecast, "forecast_words": words,
        "pace": pace_chart(seen.pace, forecast, counted.done, counted.tasks, now),
        "median": seen.pace.seconds,
        **_in_all(counted),
        "checked": len(checks), "passed": sum(not any(one["failed"] for one in found) for found in checks),
    }  # fmt: skip
