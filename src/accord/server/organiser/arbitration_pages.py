"""The pages of arbitration: what can be contested, and one contested score."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from accord.design.study import CriterionSettings
from accord.errors import InputError
from accord.ratings.study_codebook import system_names
from accord.scoring.mqm import Ruling as Verdict
from accord.server.models import Judgement, OrganiserLink
from accord.server.models_organiser import Contest
from accord.server.organiser import arbitration
from accord.server.organiser.judgements import shown_value
from accord.server.organiser.overlay import grounds_of, overlay
from accord.server.organiser.pages import organiser_view, show, text_of, who
from accord.server.screens import shown_texts
from accord.server.serving import served
from accord.server.study import LoadedStudy, current
from accord.server.tokens import new_token, token_hash

__all__ = ["arbiter_link", "case", "contest", "overview", "rule", "second_arbiter"]

_HERE = "organiser-arbitration"
_ON_A_PAGE = 30


@organiser_view("GET")
def overview(request: HttpRequest) -> HttpResponse:
    """Contested scores, and those that can be."""
    return _overview(request)


def _overview(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    study = current()
    rows = Paginator(arbitration.can_be_contested(study).filter(contest=None), _ON_A_PAGE)
    page = rows.get_page(request.GET.get("page"))
    context = {
        "cases": [
            (one, rated_name(study, one.judgement), *_results(study, one))
            for one in Contest.objects.select_related("judgement__task__rater").order_by("-id")
        ],
        "rows": [(row, rated_name(study, row), shown_value(study, row.criterion, row.value)) for row in page],
        "page": page,
        "problem": problem,
    }
    return show(request, "arbitration", context, here=_HERE, status=status)


def _results(study: LoadedStudy, found: Contest) -> tuple[arbitration.Arbitrated | None, arbitration.Reviewed | None]:
    """Errors before and after, or scores beside each other: one of the two."""
    if study.criteria[found.judgement.criterion].kind == "spans":
        return arbitration.arbitrate(study, found), None
    return None, arbitration.review(study, found)


def rated_name(study: LoadedStudy, judgement: Judgement) -> str:
    """The judged item as the other pages call it."""
    task = judgement.task
    base = task.item or task.document
    if judgement.place is None or not task.systems:
        return base
    system = task.systems[judgement.place]
    return f"{base}:{system_names(study.study).get(system, system)}"


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
    return _case(request, key, made=arbiter_link(request))


def arbiter_link(request: HttpRequest) -> str:
    """A link that makes one more account of this study; a workspace has accounts of its own."""
    if served() is not None:
        raise InputError("Invite an arbiter at the workspace, under People: its accounts are those of all studies.")
    token = new_token()
    OrganiserLink.objects.create(token_hash=token_hash(token))
    return request.build_absolute_uri(reverse("setup", args=[token]))


def _highlighted(
    criterion: CriterionSettings, case: Contest, result: arbitration.Arbitrated | None, side: str, text: str
) -> list[tuple[str, str, int]]:
    """The text as the rater marked it, each error as it stands now: text, look, number of the error (-1 for none)."""
    if result is None or not text:
        return [(text, "", -1)] if text else []
    grounds = grounds_of(criterion)
    looks = [
        "rejected" if one.ruling == Verdict.REJECT else grounds.get(one.lowered_to or one.severity, "minor")
        for one in result.errors
    ]
    pieces = overlay(text, side, [[mark] for mark in case.judgement.value], grounds)
    return [
        (piece.text, looks[piece.lanes[0][0]] if piece.lanes else "", piece.lanes[0][0] if piece.lanes else -1)
        for piece in pieces
    ]


def _case(request: HttpRequest, key: int, problem: str = "", status: int = 200, made: str = "") -> HttpResponse:
    study = current()
    found = get_object_or_404(Contest.objects.select_related("judgement__task__rater", "judgement__guideline"), pk=key)
    result, review = _results(study, found)
    criterion = study.criteria[found.judgement.criterion]
    texts = shown_texts(study, found.judgement.task, found.judgement.place or 0)
    context = {
        "case": found, "result": result, "review": review, "criterion": criterion,
        "name": rated_name(study, found.judgement), "problem": problem,
        "errors": [(one, arbitration.lower_severities(criterion, one)) for one in result.errors] if result else [],
        "texts": texts, "made": made,
        "marked": {
            side: _highlighted(criterion, found, result, side, texts.get(side, "")) for side in ("source", "target")
        },
        "is_mine": found.by == who(request),
    }  # fmt: skip
    return show(request, "case", context, here=_HERE, status=status)


@organiser_view("POST")
def rule(request: HttpRequest, key: int) -> HttpResponse:
    """Rule on one error of a contested score."""
    found = get_object_or_404(Contest.objects.select_related("judgement"), pk=key)
    mark = request.POST.get("mark", "")
    ruling, _, severity = request.POST.get("ruling", "").partition(":")
    try:
        if "score" in request.POST:
            arbitration.review_score(found, request.POST["score"], text_of(request, "note"), who(request))
            return redirect("organiser-case", key)
        number = int(mark) if mark.isdecimal() and len(mark) < 6 else -1
        arbitration.rule_on(found, number, ruling, severity, text_of(request, "note"), who(request))
    except InputError as error:
        return _case(request, key, str(error), 400)
    return redirect("organiser-case", key)
