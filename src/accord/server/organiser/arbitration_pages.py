"""The pages of arbitration: what can be contested, and one contested score."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.ratings.study_facts import is_in_context
from accord.scoring.mqm import Ruling as Verdict
from accord.server.addresses import whole_address
from accord.server.blinding import staying_blind
from accord.server.models import Judgement, OrganiserLink
from accord.server.models_organiser import Contest
from accord.server.organiser import arbitration
from accord.server.organiser.arbiter_marks import Mark, marked_criterion, marks_of_rater
from accord.server.organiser.judgements import (
    SUFFIXES,
    ShownText,
    item_of,
    said_about,
    shortened,
    shown_value,
    texts_of,
)
from accord.server.organiser.once import is_sent_again
from accord.server.organiser.overlay import ShownMark, grounds_of, lanes_of, marks_in_words, overlay
from accord.server.organiser.pages import organiser_view, show, text_of, who
from accord.server.organiser.paging import LongPaginator
from accord.server.organiser.ranked import with_system_names
from accord.server.phrases import phrases
from accord.server.screens import describe_criterion, shown_texts
from accord.server.serving import served
from accord.server.study import LoadedStudy, current
from accord.server.tokens import new_token, token_hash
from accord.server.workspace.colleagues import may_act

__all__ = ["arbiter_link", "case", "contest", "overview", "rule", "second_arbiter"]

_HERE = "organiser-arbitration"
_ON_A_PAGE = 30


@organiser_view("GET")
def overview(request: HttpRequest) -> HttpResponse:
    """Contested scores, and those that can be."""
    return _overview(request)


def _overview(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    study = current()
    rows = LongPaginator(arbitration.can_be_contested(study).filter(contest=None), _ON_A_PAGE)
    page = rows.get_page(request.GET.get("page"))
    context = {
        "cases": [
            (one, _item(study, one.judgement), *_results(study, one))
            for one in Contest.objects.select_related("judgement__task__rater").order_by("-id")
        ],
        "rows": [(row, _item(study, row), shown_value(study, row.criterion, row.value)) for row in page],
        **_languages(study),
        "page": page,
        "problem": problem,
    }
    return show(request, "arbitration", context, here=_HERE, status=status)


def _results(study: LoadedStudy, found: Contest) -> tuple[arbitration.Arbitrated | None, arbitration.Reviewed | None]:
    """Errors before and after, or scores beside each other: one of the two."""
    if study.criteria[found.judgement.criterion].kind == "spans":
        return arbitration.arbitrate(study, found), None
    return None, arbitration.review(study, found)


def _languages(study: LoadedStudy) -> dict[str, str]:
    languages = study.settings.languages
    return {"source_language": languages.source or "", "target_language": languages.target}


def _item(study: LoadedStudy, judgement: Judgement) -> dict[str, str]:
    """Where the judged text stands and what it says, as its rater saw it; the system has a code, whoever looks."""
    task, texts = judgement.task, shown_texts(study, judgement.task, judgement.place or 0)
    name = arbitration.rated_name(study, judgement)
    code = name.rpartition(":")[2] if name != (task.item or task.document) else ""
    known = study.study.item_by_id.get(task.item)
    with staying_blind():
        system = with_system_names(code)
    return {
        "name": name,
        "document": task.document,
        "segment": known.segment if known else "",
        "system": system,
        "source": shortened(texts.get("source", "")),
        "target": shortened(texts.get("target", "")),
    }


@organiser_view("POST")
def contest(request: HttpRequest, key: int | None = None) -> HttpResponse:
    """Contest a judgement, named in the address or in the form."""
    if key is None:
        given = request.POST.get("judgement", "")
        key = int(given) if given.isdecimal() and len(given) < 15 else 0
    judgement = get_object_or_404(Judgement.objects.select_related("task__rater"), pk=key)
    try:
        made = arbitration.contest(judgement, text_of(request, "reason"), who(request))
    except InputError as error:
        return _overview(request, str(error), 400)
    return redirect("organiser-case", made.pk)


@organiser_view("GET")
def case(request: HttpRequest, key: int) -> HttpResponse:
    """One contested score with its errors."""
    return _case(request, key)


@organiser_view("POST")
def second_arbiter(request: HttpRequest, key: int) -> HttpResponse:
    """A link that makes one more account, for somebody else to rule; it is in this answer and nowhere else."""
    if is_sent_again(request):
        return redirect("organiser-case", key)
    return _case(request, key, made=arbiter_link(request))


def arbiter_link(request: HttpRequest) -> str:
    """A link that makes one more account of this study; a workspace has accounts of its own."""
    if served() is not None:
        raise InputError("Invite an arbiter at the workspace, under People: its accounts are those of all studies.")
    token = new_token()
    OrganiserLink.objects.create(token_hash=token_hash(token))
    return whole_address(request, reverse("setup", args=[token]))


def _highlighted(
    criterion: CriterionSettings, result: arbitration.Arbitrated | None, side: str, text: str
) -> list[tuple[str, str, int]]:
    """The text with the errors of rater and arbiter as they stand now: text, look, place of the error (-1 for none)."""
    if result is None or not text:
        return [(text, "", -1)] if text else []
    grounds = grounds_of(criterion)
    looks = [
        "rejected" if one.ruling == Verdict.REJECT else grounds.get(one.lowered_to or one.severity, "minor")
        for one in result.errors
    ]
    marks = [{"side": one.side, "start": one.start, "end": one.end, "severity": one.severity} for one in result.errors]
    pieces = overlay(text, side, [[mark] for mark in marks], grounds)
    return [
        (piece.text, looks[piece.lanes[0][0]] if piece.lanes else "", piece.lanes[0][0] if piece.lanes else -1)
        for piece in pieces
    ]


def _everybody(study: LoadedStudy, case: Contest, texts: Mapping[str, str]) -> dict[str, Any] | None:
    """What all raters marked in the text in question; nothing where they saw another, as a spoilt one."""
    name, role = arbitration.rated_name(study, case.judgement), case.judgement.task.role
    found = item_of(study, f"{name}{SUFFIXES.get(role, '')}")
    if found is None:
        return None
    seen = texts_of(study, found)
    if not any(one.is_here and one.target == texts.get("target") for one in seen):
        return None
    return lanes_of(study, said_about(study, found), seen)


def _around(study: LoadedStudy, case: Contest) -> list[ShownText]:
    """The whole text in the rendering that was rated, where raters saw it: a ruling may depend on it."""
    task = case.judgement.task
    scenario = study.scenarios.get(task.scenario)
    if scenario is None or not is_in_context(scenario, study.study):
        return []
    name = arbitration.rated_name(study, case.judgement)
    found = item_of(study, f"{name}{SUFFIXES.get(task.role, '')}")
    around = texts_of(study, found) if found else []
    return around if len(around) > 1 else []


def _standing(
    case: Contest, result: arbitration.Arbitrated | None, own: Sequence[Mark] | None
) -> list[dict[str, Any]] | None:
    """The marks as they were left: by everybody who ruled, or beside a score by this arbiter; None before that."""
    if result is not None:
        return [one.numbered() for one in result.standing] if case.rulings.exists() else None
    return None if own is None else [dict(mark) for mark in own]


def _highlighter(
    study: LoadedStudy, case: Contest, standing: list[dict[str, Any]] | None, texts: Mapping[str, str]
) -> dict[str, Any] | None:
    """What the rater's own highlighter needs to work here: the rater's marks stand there as suggestions."""
    criterion = marked_criterion(study, case)
    if criterion is None:
        return None
    return {
        "criterion": describe_criterion(criterion),
        "texts": dict(texts),
        "languages": {"source": study.settings.languages.source, "target": study.settings.languages.target},
        "marks": [{**mark, "prefilled": number} for number, mark in enumerate(marks_of_rater(case, criterion))],
        "standing": standing,
    }


def _evidence(
    study: LoadedStudy, case: Contest, review: arbitration.Reviewed, texts: Mapping[str, str]
) -> list[tuple[str, float, str, list[ShownMark]]]:
    """Each reviewer with score, note and the marks it rests on."""
    criterion = marked_criterion(study, case)
    return [
        (by, value, note, marks_in_words(criterion, review.marks.get(by, ()), texts) if criterion else [])
        for by, value, note in review.others
    ]


def _case(request: HttpRequest, key: int, problem: str = "", status: int = 200, made: str = "") -> HttpResponse:
    study = current()
    found = get_object_or_404(Contest.objects.select_related("judgement__task__rater", "judgement__guideline"), pk=key)
    result, review = _results(study, found)
    criterion = study.criteria[found.judgement.criterion]
    texts = shown_texts(study, found.judgement.task, found.judgement.place or 0)
    # Who looks again at the own ruling finds it as it was left.
    own = next((one for one in review.others if one[0] == who(request)), None) if review else None
    own_marks = review.marks.get(who(request)) if review else None
    context = {
        "case": found,
        "result": result,
        "review": review,
        "criterion": criterion,
        "name": arbitration.rated_name(study, found.judgement),
        "problem": problem,
        "errors": [(one, arbitration.lower_severities(criterion, one)) for one in result.errors] if result else [],
        "steps": arbitration.steps_of(study, found),
        "evidence": _evidence(study, found, review, texts) if review else [],
        "texts": texts,
        "around": _around(study, found),
        "made": made,
        "marked": {side: _highlighted(criterion, result, side, texts.get(side, "")) for side in ("source", "target")},
        "is_mine": found.by == who(request),
        "study_key": place.key if (place := served()) is not None else "",
        "may_invite": may_act(request.user, "organiser-arbiter"),
        "may_rule": found.by != who(request) and may_act(request.user, "organiser-rule"),
        **_languages(study),
        "item": _item(study, found.judgement),
        "overlay": _everybody(study, found, texts),
        "arbiter": _highlighter(study, found, _standing(found, result, own_marks), texts),
        "own": own,
        "words": phrases(),
    }
    return show(request, "case", context, here=_HERE, status=status)


@organiser_view("POST")
def rule(request: HttpRequest, key: int) -> HttpResponse:
    """Rule on one error of a contested score."""
    found = get_object_or_404(Contest.objects.select_related("judgement"), pk=key)
    note, by = text_of(request, "note"), who(request)
    try:
        if "score" in request.POST:
            arbitration.review_score(found, request.POST["score"], note, by, _marks_sent(request))
        elif "marks" in request.POST:
            arbitration.mark_anew(found, _marks_sent(request), note, by)
        else:
            mark = request.POST.get("mark", "")
            ruling, _, severity = request.POST.get("ruling", "").partition(":")
            number = int(mark) if mark.isdecimal() and len(mark) < 6 else -1
            arbitration.rule_on(found, number, ruling, severity, note, by)
    except InputError as error:
        return _case(request, key, str(error), 400)
    return redirect("organiser-case", key)


def _marks_sent(request: HttpRequest) -> Any:
    """The marks of the highlighter; None where nothing was marked and nothing called right."""
    text = request.POST.get("marks", "")
    try:
        return json.loads(text) if text else None
    except ValueError:
        raise InputError("The marks did not arrive whole. Mark them again.") from None
