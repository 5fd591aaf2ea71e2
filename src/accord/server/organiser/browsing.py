"""Browse all judgements: filtered by rater, criterion, document, system, guideline and words, newest first."""

from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse

from accord.ratings.study_codebook import system_names
from accord.server.models import GuidelineVersion, Judgement, Rater, Remark
from accord.server.organiser.arbitration import rated_name
from accord.server.organiser.judgements import SUFFIXES, told_answer
from accord.server.organiser.names import CONTROL_ROLES
from accord.server.organiser.pages import organiser_view, show
from accord.server.organiser.paging import LongPaginator
from accord.server.organiser.ranked import with_system_names
from accord.server.organiser.titles import scenario_title
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.taken_back import optional_questions

__all__ = ["judgements"]

_ON_A_PAGE = 50
_LONGEST = 200

Plain = dict[str, Any]


@organiser_view("GET")
def judgements(request: HttpRequest) -> HttpResponse:
    """What raters answered, those answers that count first; a filter narrows it."""
    study = current()
    asked = {
        name: request.GET.get(name, "").replace("\x00", "")[:_LONGEST]
        for name in ("rater", "criterion", "document", "guideline", "words", "all")
    }
    rows = _filtered(asked)
    page = LongPaginator(rows, _ON_A_PAGE).get_page(request.GET.get("page"))
    kept = request.GET.copy()
    kept.pop("page", None)
    context = {
        "page": page, "rows": [_row_in_words(study, row) for row in page], "asked": asked, "query": kept.urlencode(),
        "is_filtered": any(asked.values()),
        "raters": Rater.objects.values_list("pseudonym", flat=True), "criteria": list(study.criteria),
        "documents": list(study.study.documents)[:500],
        "versions": GuidelineVersion.objects.values_list("number", flat=True),
    }  # fmt: skip
    return show(request, "judgements", context, here="organiser-judgements")


def _filtered(asked: dict[str, str]) -> Any:
    rows = Judgement.objects.exclude(task__role=PRACTICE).select_related("task__rater", "guideline").order_by("-id")
    if asked["rater"]:
        rows = rows.filter(task__rater__pseudonym=asked["rater"])
    if asked["criterion"]:
        rows = rows.filter(criterion=asked["criterion"])
    if asked["document"]:
        rows = rows.filter(task__document=asked["document"])
    if asked["guideline"].isdecimal():
        rows = rows.filter(guideline__number=int(asked["guideline"][:6]))
    if asked["words"]:
        written = Remark.objects.filter(task=OuterRef("task"), text__icontains=asked["words"])
        rows = rows.filter(Q(task__item__icontains=asked["words"]) | Exists(written))
    return rows if asked["all"] else _counting(rows)


def _counting(rows: Any) -> Any:
    """Of each question the last answer, unless that takes back the one before: as the overview counts them."""
    where = Coalesce("place", -1)  # a comparison of texts has no place, and nothing equals what is not there
    rows = rows.annotate(at=where)
    later = Q(revision__gt=OuterRef("revision")) | Q(revision=OuterRef("revision"), id__gt=OuterRef("id"))
    same = Judgement.objects.annotate(at=where).filter(
        task=OuterRef("task"), criterion=OuterRef("criterion"), at=OuterRef("at")
    )
    must = ~Q(criterion__in=optional_questions(current()))
    return rows.filter(~Exists(same.filter(later))).exclude(must, value__isnull=True, cannot_judge=False)


def _row_in_words(study: LoadedStudy, row: Judgement) -> Plain:
    task = row.task
    names = system_names(study.study)
    known = study.study.item_by_id.get(task.item)
    # A spoilt copy is shown as it was judged: under the words of the original its score would look like a mistake.
    texts = shown_texts(study, task, row.place or 0)
    shown = task.systems[row.place] if row.place is not None and row.place < len(task.systems) else ""
    return {
        "key": row.pk, "name": f"{rated_name(study, row)}{SUFFIXES.get(task.role, '')}",
        "rater": task.rater.pseudonym, "criterion": row.criterion,
        "document": task.document, "segment": known.segment if known else "",
        "text": texts.get("target") or texts.get("source", ""), "control": CONTROL_ROLES.get(task.role, ""),
        "system": with_system_names(names.get(shown, "")), "scenario": scenario_title(task.scenario),
        "value": "" if row.cannot_judge else with_system_names(told_answer(study, row, task)),
        "cannot": row.cannot_judge, "revision": row.revision, "seconds": row.seconds,
        "guideline": row.guideline.number, "made_at": row.made_at,
    }  # fmt: skip
