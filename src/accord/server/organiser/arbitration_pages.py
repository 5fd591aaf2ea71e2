"""The pages of arbitration: what can be contested, and one contested score."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from accord.errors import InputError
from accord.ratings.study_codebook import system_names
from accord.server.models import Judgement
from accord.server.models_organiser import Contest
from accord.server.organiser import arbitration
from accord.server.organiser.judgements import shown_value
from accord.server.organiser.pages import organiser_view, show, text_of, who
from accord.server.screens import shown_texts
from accord.server.study import LoadedStudy, current

__all__ = ["case", "contest", "overview", "rule"]

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
def contest(request: HttpRequest, key: int) -> HttpResponse:
    """Contest a judgement."""
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


def _case(request: HttpRequest, key: int, problem: str = "", status: int = 200) -> HttpResponse:
    study = current()
    found = get_object_or_404(Contest.objects.select_related("judgement__task__rater", "judgement__guideline"), pk=key)
    result, review = _results(study, found)
    criterion = study.criteria[found.judgement.criterion]
    context = {
        "case": found, "result": result, "review": review, "criterion": criterion,
        "name": rated_name(study, found.judgement), "problem": problem,
        "errors": [(one, arbitration.lower_severities(criterion, one)) for one in result.errors] if result else [],
        "texts": shown_texts(study, found.judgement.task, found.judgement.place or 0),
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
