"""The later steps of the wizard: questions, guidelines, plan, rehearsal, launch, and the file behind them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.design.load import STUDY_FILE
from accord.design.preset import preset_settings
from accord.design.toml_text import parse_toml
from accord.errors import AccordError, InputError
from accord.server.organiser.names import CONTROLS
from accord.server.organiser.pages import text_of, who
from accord.server.prose import markdown_to_html
from accord.server.workspace.around import changed_around, shown_around
from accord.server.workspace.cards import renew
from accord.server.workspace.colleagues import note
from accord.server.workspace.controls import COUNTS, planned_controls
from accord.server.workspace.drafts import Draft, change_settings, checked, launch, launching, replace_file
from accord.server.workspace.guideline_words import added_changes, changed_words, followed, still_said
from accord.server.workspace.known_answers import let_known_answers_follow
from accord.server.workspace.language_names import languages_still_said
from accord.server.workspace.plain_words import plain_problem
from accord.server.workspace.plan_drawn import GUESS, DrawnPlan, drawn_plan, phases_of
from accord.server.workspace.plan_shows import Curve, curve_of
from accord.server.workspace.plans import Offer, changed_assignment, offered_plans
from accord.server.workspace.questions import (
    changed_criteria,
    changed_practice,
    new_keys,
    practised,
    shown_criteria,
    shown_practice,
)
from accord.server.workspace.rehearsing import rehearse
from accord.server.workspace.rows import (
    ENDS,
    GROUPS,
    PHASES,
    RATER_QUESTIONS,
    STATEMENTS,
    changed_asked,
    changed_rows,
    shown_rows,
)
from accord.server.workspace.rules import changed_rules, declared_rules, shown_rules
from accord.server.workspace.spoken import changed_spoken, pages_spoken, shown_spoken
from accord.server.workspace.still_template import what_is_still_template
from accord.server.workspace.systems_said import systems_said
from accord.server.workspace.task_words import shown_task_words
from accord.server.workspace.times import changed_times, shown_times, time_doubts
from accord.server.workspace.wizard import STEPS, draft_step, show_step

__all__ = ["file_page", "go_live", "guidelines", "markdown", "plan", "questions", "rehearsal"]

_LONGEST_GUIDELINES = 200_000
_MOST_HOURS = 10_000
_SHEET = ("low", "high", "low_label", "high_label")
_TRIED = ("source", "target", "criterion", "expected", "feedback")
_TYPED = ("raters", "design", "ratings_per_item", "per_hour", "currency")
_DESIGNS = {
    "crossed": gettext_lazy("Everybody judges everything"),
    "incomplete-blocks": gettext_lazy("Some raters for each text, evenly mixed"),
    "nested": gettext_lazy("Raters in fixed teams"),
    "minimum-overlap": gettext_lazy("One rater for each text, and some that all share"),
}


def _problem_of(draft: Draft) -> str:
    try:
        checked(draft)
    except AccordError as error:
        return str(error)
    return ""


def _refuse_unsound(draft: Draft) -> None:
    if problem := _problem_of(draft):
        raise InputError(plain_problem(problem))


def _after(request: HttpRequest, draft: Draft, here: str, following: str) -> HttpResponse:
    """Stay, go on, or go to the step that was clicked while something was typed."""
    wanted = request.POST.get("then", "")
    step = wanted if wanted in dict(STEPS) else here if request.POST.get("stay") else following
    return redirect(f"/new/{draft.place.key}/{step}")


@draft_step("GET", "POST")
def questions(request: HttpRequest, draft: Draft) -> HttpResponse:
    """What is asked, edited beside the rating page."""
    if request.method == "GET":
        return _questions(request, draft)
    raw, before, texts = draft.raw, draft.text, {}
    try:
        asked = changed_asked(changed_criteria(raw, request.POST), request.POST)
        change_settings(draft, changed_spoken(draft, asked, request.POST))
        texts = let_known_answers_follow(draft, new_keys(raw, request.POST))
        _refuse_unsound(draft)
    except AccordError as error:
        for name, text in {STUDY_FILE: before, **texts}.items():
            replace_file(draft, name, text)
        return _questions(request, draft, str(error))
    _let_guidelines_follow(draft, raw)
    return _after(request, draft, "questions", "guidelines")


def _let_guidelines_follow(draft: Draft, before: Mapping[str, Any]) -> None:
    """Raters read the same words at the question and in the guidelines; what changed is told at that step."""
    changes = changed_words(before.get("criteria", []), draft.raw.get("criteria", []))
    if not changes:
        return
    text = draft.guidelines
    if (changed := followed(text, changes)) != text:
        replace_file(draft, draft.guidelines_file.name, changed)
    draft.keep(words_changed=added_changes(draft.said.get("words_changed", []), changes))


def _changed_words(draft: Draft) -> list[tuple[str, str, bool]]:
    """Words of the questions that were changed since the guidelines were looked at; whether these still say the old."""
    changes = draft.said.get("words_changed", [])
    said = still_said(draft.guidelines, changes) if changes else []
    return [(old, now, (old, now) in said) for old, now in changes]


def _questions(request: HttpRequest, draft: Draft, problem: str = "") -> HttpResponse:
    raw, typed = draft.raw, request.POST
    asked = {**ENDS, **raw.get("questionnaire", {})}
    asked |= {name: typed[f"questionnaire-{name}"] for name in _SHEET if f"questionnaire-{name}" in typed}
    context = {
        "criteria": shown_criteria(raw, typed),
        "problem": problem or plain_problem(_problem_of(draft)),
        "tasks": shown_task_words(raw, typed),
        "about": shown_rows(RATER_QUESTIONS, raw.get("rater_questions", []), typed),
        "questionnaire": asked,
        "statements": shown_rows(STATEMENTS, raw.get("questionnaire", {}).get("statements", []), typed),
        "add": typed.get("add", ""),
        "spoken": shown_spoken(draft, typed),
    }
    return show_step(request, draft, "questions", context, 400 if problem else 200)


@draft_step("GET", "POST")
def guidelines(request: HttpRequest, draft: Draft) -> HttpResponse:
    """What raters read first, what they practise, and what checks them."""
    if request.method == "GET":
        return _guidelines(request, draft)
    before, text = draft.text, request.POST.get("text", "").replace("\r\n", "\n").replace("\x00", "")
    try:
        if not text.strip():
            raise InputError(_("Guidelines are empty. Write at least what raters should look at."))
        replace_file(draft, draft.guidelines_file.name, text[:_LONGEST_GUIDELINES])
        raw = changed_around(changed_practice(draft.raw, request.POST), request.POST)
        counts = {name: _number(request, name) for name in COUNTS if request.POST.get(name, "") != ""}
        controls = {**raw.get("controls", {}), **counts}
        raw["controls"] = {name: value for name, value in controls.items() if value or name not in COUNTS}
        change_settings(draft, changed_rules(raw, _protocol_of(draft), request.POST))
        _refuse_unsound(draft)
    except AccordError as error:
        replace_file(draft, STUDY_FILE, before)
        return _guidelines(request, draft, str(error), text)
    draft.keep(words_changed=[])
    return _after(request, draft, "guidelines", "plan")


def _protocol_of(draft: Draft) -> dict[str, Any]:
    """What the protocol says by itself; nothing where the draft has none."""
    return preset_settings(str(draft.said.get("protocol", "")))


def _guidelines(request: HttpRequest, draft: Draft, problem: str = "", text: str | None = None) -> HttpResponse:
    raw = draft.raw
    shown = text if text is not None else draft.guidelines
    controls = raw.get("controls", {})
    typed = request.POST
    context = {
        "text": shown,
        "tried": {name: typed.get(f"practice-{name}", "") for name in _TRIED},
        "html": markdown_to_html(shown),
        "problem": problem,
        "changed": _changed_words(draft),
        "practice": shown_practice(raw),
        "practised": (asked := practised(raw)),
        "has_comparing": len(asked) < len(raw.get("criteria", [])),
        "controls": [(name, CONTROLS[name], typed.get(name, controls.get(name, 0))) for name in COUNTS],
        "is_by_document": any(one.get("kind") == "sentence-in-context" for one in raw.get("scenarios", [])),
        "planned": _planned_controls(draft) if any(controls.get(name) for name in COUNTS) else [],
        "before_and_after": shown_around(raw, typed),
        "rules": (rules := shown_rules(raw, _protocol_of(draft), typed)),
        "rules_on": sum(one["is_on"] for one in rules),
        "languages_still_said": languages_still_said(draft),
        "systems_said": [one for one in systems_said(draft) if one[0] == "guidelines"],
    }
    return show_step(request, draft, "guidelines", context, 400 if problem else 200)


def _planned_controls(draft: Draft) -> list[tuple[str, str]]:
    try:
        return planned_controls(checked(draft)[1], draft.raw.get("controls", {}))
    except AccordError:
        return []  # what is wrong is said at the step it is about


@draft_step("POST")
def markdown(request: HttpRequest, draft: Draft) -> JsonResponse:
    """Guidelines as raters will read them, while they are being written."""
    return JsonResponse({"html": markdown_to_html(request.POST.get("text", "")[:_LONGEST_GUIDELINES])})


@draft_step("GET", "POST")
def plan(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Who judges what, what it costs, and how exactly reliability will be known."""
    if request.method == "GET":
        return _plan(request, draft)
    before = draft.text
    try:
        change_settings(draft, _planned(request, draft.raw))
        _refuse_unsound(draft)
    except AccordError as error:
        replace_file(draft, STUDY_FILE, before)
        return _plan(request, draft, str(error))
    return _after(request, draft, "plan", "rehearse")


def _planned(request: HttpRequest, raw: dict[str, Any]) -> dict[str, Any]:
    assignment = dict(raw.get("assignment", {}))
    design = request.POST.get("design", assignment.get("design", "crossed"))
    assignment |= {"design": design, "raters": max(1, _number(request, "raters", 1000))}
    if (chosen := _number(request, "each", 1000)) and request.POST.get("choose"):
        assignment = changed_assignment(assignment, chosen)
    each = _number(request, "ratings_per_item", 1000)
    if design == "crossed":
        assignment.pop("ratings_per_item", None)
    elif each and not request.POST.get("choose"):
        assignment["ratings_per_item"] = each
    assignment = _handed_on(assignment, request.POST.get("hand_on_after"))
    raw = {**raw, **_parted(raw, request.POST, assignment["raters"])}
    cost = {**raw.get("cost", {}), "per_hour": float(_number(request, "per_hour", 10_000))}
    if currency := text_of(request, "currency", 8):
        cost["currency"] = currency
    return changed_times({**raw, "assignment": assignment, "cost": cost}, request.POST)


def _handed_on(assignment: dict[str, Any], given: str | None) -> dict[str, Any]:
    """The assignment with the hours until work is handed on; without them where the field is empty."""
    if given is None or given.strip() == _hours(assignment):
        return assignment
    rest = {name: value for name, value in assignment.items() if name != "hand_on_after"}
    if not given.strip():
        return rest
    try:
        hours = float(given)
    except ValueError:
        hours = 0.0
    if not 0 < hours <= _MOST_HOURS:
        raise InputError(_("Hours of silence: give a number above 0, or nothing."))
    return {**rest, "hand_on_after": hours}


def _hours(assignment: Mapping[str, Any]) -> str:
    return f"{assignment['hand_on_after']:g}" if assignment.get("hand_on_after") else ""


def _parted(raw: dict[str, Any], form: Mapping[str, str], raters: int) -> dict[str, Any]:
    """Groups and phases; groups whose sizes nobody changed get an equal share of a new number of raters."""
    before = raw.get("groups", [])
    groups = changed_rows(GROUPS, before, form)
    sizes = [group.get("raters") for group in groups]
    untouched = sizes == [group.get("raters") for group in before]
    if untouched and sum(size or 0 for size in sizes) != raters:
        for group in groups:
            group.pop("raters", None)
    found = {"groups": groups, "phases": changed_rows(PHASES, raw.get("phases", []), form)}
    return {name: rows for name, rows in found.items() if rows or name in raw}


def _plan(request: HttpRequest, draft: Draft, problem: str = "") -> HttpResponse:
    raw = draft.raw
    drawn, offers = None, []
    try:
        study, planned = checked(draft)
        drawn = drawn_plan(study, planned)
        offers = offered_plans(study, drawn.preview, guess=GUESS)
    except AccordError as error:
        problem = problem or plain_problem(str(error))
    # What was typed and could not be kept stays in the form, beside the plan as it is.
    typed = {name: request.POST[name] for name in _TYPED if name in request.POST}
    assignment = raw.get("assignment", {}) | typed
    known = (
        _DESIGNS
        if assignment.get("design") in _DESIGNS
        else {assignment.get("design", "crossed"): gettext_lazy("As the protocol has it"), **_DESIGNS}
    )
    context = {
        "drawn": drawn,
        "problem": problem,
        "assignment": assignment,
        "cost": raw.get("cost", {}) | typed,
        "designs": known,
        "offers": offers,
        "hand_on_after": request.POST.get("hand_on_after", _hours(raw.get("assignment", {}))),
        "curve": _curve(drawn, offers),
        "groups": shown_rows(GROUPS, raw.get("groups", []), request.POST),
        "phases": shown_rows(PHASES, raw.get("phases", []), request.POST),
        "times": shown_times(raw, request.POST),
        "time_doubts": time_doubts(raw, _protocol_of(draft)),
    }
    return show_step(request, draft, "plan", context, 400 if problem else 200)


def _curve(drawn: DrawnPlan | None, offers: Sequence[Offer]) -> Curve | None:
    """Precision for hours around the plan; the other offers are points beside the curve."""
    if drawn is None:
        return None
    others = [(one.hours, one.half) for one in offers if one.half is not None and one.key != "this"]
    return curve_of(drawn.hours, drawn.half, others)


@draft_step("GET", "POST")
def rehearsal(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Simulated raters fill in a copy, so that dashboard and report can be seen before anybody is asked."""
    problem = ""
    if request.method == "POST":
        try:
            place = rehearse(draft, who(request))
            note(who(request), "rehearsed with simulated raters", draft.place.key)
            renew(place)
            return redirect(f"/new/{draft.place.key}/rehearse")
        except AccordError as error:
            problem = str(error)
    names = draft.said.get("rehearsals", [])
    context = {"rehearsed": names[-1] if names else "", "problem": problem}
    return show_step(request, draft, "rehearse", context, 400 if problem else 200)


def _keeps_from_launching(draft: Draft) -> str:
    problem = plain_problem(_problem_of(draft))
    if draft.said.get("table") and not draft.said.get("languages_told"):
        problem = problem or _("Say on the page of your texts which languages they are in.")
    return problem


@draft_step("GET", "POST")
def go_live(request: HttpRequest, draft: Draft) -> HttpResponse:
    """The last look, and the button."""
    if request.method == "POST":
        with launching(draft.place.key) as waiting:
            if waiting is None:
                return redirect(f"/s/{draft.place.key}/organiser")
            if not _keeps_from_launching(waiting):
                place = launch(waiting)
                note(who(request), "launched the study", place.key)
                return redirect(f"{place.prefix}/organiser/people")
    problem = _keeps_from_launching(draft)
    raw = draft.raw
    study, planned = (None, None) if problem else checked(draft)
    context = {
        "problem": problem,
        # One study is enough for hours and cost; how exact it will be stands on the page of the plan.
        "drawn": drawn_plan(study, planned, studies=1) if study and planned else None,
        "raw": raw,
        "has_texts": draft.said.get("has_texts", False),
        # What a zip held and the draft has not: whoever imports lands here and reads it nowhere else.
        "brought": draft.said.get("told", []) if draft.said.get("about") == "imported" else [],
        "unread": any(is_said for _old, _now, is_said in _changed_words(draft)),
        "controls": planned_controls(planned, raw.get("controls", {})) if planned else [],
        "practice": shown_practice(raw),
        "phases": phases_of(study.settings, planned) if study and planned else [],
        "rules": declared_rules(raw),
        "spoken": pages_spoken(raw)[1],
        "systems_said": systems_said(draft),
    } | what_is_still_template(draft)
    return show_step(request, draft, "launch", context, 400 if request.method == "POST" else 200)


@draft_step("GET", "POST")
def file_page(request: HttpRequest, draft: Draft) -> HttpResponse:
    """The study.toml behind the wizard: see it, change it, take it away."""
    from django.shortcuts import render

    if request.GET.get("download"):
        response = HttpResponse(draft.text, content_type="application/toml; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{STUDY_FILE}"'
        return response
    problem, text = "", draft.text
    if request.method == "POST":
        before, text = text, request.POST.get("text", "").replace("\r\n", "\n").replace("\x00", "")
        try:
            settings = parse_toml(text)
            replace_file(draft, STUDY_FILE, text)
            draft.keep(title=str(settings.get("title", draft.place.key)))
            if not (problem := _problem_of(draft)):
                return redirect("new-draft", draft.place.key)
        except ValueError as error:
            problem = _("This is not TOML: {error}.").format(error=error)
        replace_file(draft, STUDY_FILE, before)
    return render(request, "workspace/file.html", {"draft": draft, "text": text, "problem": problem, "here": "home"})


def _number(request: HttpRequest, name: str, most: int = 100) -> int:
    given = request.POST.get(name, "").strip()
    if not given:
        return 0
    if not given.isdecimal() or int(given) > most:
        raise InputError(
            _("{name}: give a whole number up to {most}.").format(name=name.replace("_", " "), most=f"{most:,}")
        )
    return int(given)
