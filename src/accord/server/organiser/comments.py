"""Raters' comments and questions, newest first, answered where they are read."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from accord.ratings.study_codebook import system_names
from accord.server.models import Remark
from accord.server.organiser.pages import organiser_view, show, text_of
from accord.server.study import current
from accord.server.workspace.cards import note_waiting

__all__ = ["answer", "comments", "rated_name"]

_ON_A_PAGE = 50


@organiser_view("GET")
def comments(request: HttpRequest) -> HttpResponse:
    """Open questions first, then everything raters wrote."""
    rows = Remark.objects.exclude(text="").select_related("rater", "task").order_by("-id")
    open_ones = rows.filter(about=Remark.About.QUESTION, answered_at=None)
    page = Paginator(rows.exclude(pk__in=open_ones.values("pk")), _ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "open": [(remark, rated_name(remark)) for remark in open_ones],
        "rest": [(remark, rated_name(remark)) for remark in page],
        "page": page,
    }
    return show(request, "comments", context, here="organiser-comments")


def rated_name(remark: Remark) -> str:
    """The item a comment is on, as the other pages call it."""
    task = remark.task
    if task is None:
        return ""
    names = system_names(current().study)
    base = task.item or task.document
    return f"{base}:{names.get(task.systems[0], task.systems[0])}" if len(task.systems) == 1 else base


@organiser_view("POST")
def answer(request: HttpRequest, key: int) -> HttpResponse:
    """Answer a question or a comment; the rater sees it on the next page."""
    remark = get_object_or_404(Remark, pk=key)
    remark.answer, remark.answered_at = text_of(request, "answer"), timezone.now()
    remark.save(update_fields=["answer", "answered_at"])
    note_waiting()
    return redirect("organiser-comments")
