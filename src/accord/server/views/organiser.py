"""The organiser's page: progress, invitations, questions and downloads."""

from typing import Any

from django.contrib.auth import logout as end_session
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accord.errors import InputError
from accord.server.access import end_sessions, organiser_only
from accord.server.closing import ending
from accord.server.export import TABLES, codebook_of_table, lines_of_one_moment, zip_of
from accord.server.guidelines import latest
from accord.server.handing_out import planned_screens
from accord.server.invitations import (
    NoPlaceLeftError,
    fewer_words,
    free_places,
    invite_raters,
    open_entrance,
    places,
    why_nobody_new,
)
from accord.server.models import Judgement, Rater, RaterState, Remark
from accord.server.one_moment import one_moment
from accord.server.organiser.inviting import (
    PLATFORMS,
    background_table,
    crowd_link,
    entrances,
    invited_rows,
    mail_merge,
    reissue,
    reminders,
    stop_entrance,
)
from accord.server.organiser.once import is_sent_again
from accord.server.organiser.progress import progress
from accord.server.organiser.toast import say_done
from accord.server.phases import closed_phases
from accord.server.replacing import done_before_replacing
from accord.server.reporting import report_html
from accord.server.serving import served
from accord.server.study import current
from accord.server.throttle import must_wait, note_failure, take_back
from accord.server.workspace.cards import note_waiting
from accord.server.workspace.colleagues import Colleague, end_workspace_session

__all__ = [
    "Login",
    "answer",
    "crowd",
    "download",
    "invite",
    "link_shown_before",
    "logout",
    "new_link",
    "overview",
    "people_page",
    "stop_crowd",
]

_NAME = 200
"""Characters of an account's name that are looked at."""


class Login(LoginView):
    """Name and password, with a limit on guessing."""

    template_name = "accord/login.html"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        place = served()
        if place is not None and isinstance(request.user, Colleague) and not request.user.role:
            message = _("Your role in this study does not include this. Ask one of its owners.")
            return render(request, "accord/message.html", {"message": message}, status=403)
        if place is not None and not request.user.is_authenticated:
            # Accounts are those of the workspace; come back here afterwards.
            return redirect(f"/sign-in?next={place.prefix}/organiser")
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        noted = note_failure(request, _account(request))
        if must_wait(request, _account(request), noted=1):
            take_back(noted)
            message = _("Too many links or passwords were wrong. Wait ten minutes and try again.")
            return render(request, "accord/message.html", {"message": message}, status=429)
        answer = super().post(request, *args, **kwargs)
        if request.user.is_authenticated:
            take_back(noted)
        return answer


def _account(request: HttpRequest) -> str:
    return request.POST.get("username", "")[:_NAME] or "no name"


@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    """End the organiser's session."""
    if served() is not None:
        end_workspace_session(request)
        return redirect("/sign-in")
    end_session(request)
    return redirect("home")


@require_GET
@organiser_only
def overview(request: HttpRequest) -> HttpResponse:
    """Progress of everybody at a glance."""
    return people_page(request)


def people_page(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    """The page of raters, with new links where some were just ``invited``."""
    rows, twice = _progress(), done_before_replacing()
    if invited := more.get("invited"):
        more["merge"] = mail_merge(invited)
    context = {
        "raters": rows,
        "leaving": [row["pseudonym"] for row in rows if row["done"] < row["tasks"] and not row["replaced_by"]],
        "invited_now": progress(fresh=False).invited,
        "places": places(),
        "free": free_places(),
        "why_nobody_new": "" if current().settings.assignment.hand_on_after is not None else why_nobody_new(),
        "tasks": sum(row["tasks"] for row in rows) if rows else planned_screens(closed_phases()),
        "done_twice": sum(twice.values()),
        "replaced": list(twice),
        "done": sum(row["done"] for row in rows),
        "judgements": progress(fresh=False).judgements,
        "guideline": latest(),
        "questions": Remark.objects.filter(about=Remark.About.QUESTION).select_related("rater"),
        "report": Judgement.objects.exists(),
        "reminders": reminders(progress(fresh=False).raters),
        "background": background_table(),
        "ended": ending(),
        "entrances": entrances(),
    }
    return render(request, "accord/organiser.html", context | more, status=status)


def _progress() -> list[dict[str, Any]]:
    labels = {
        RaterState.INVITED: _("invited"), RaterState.ACTIVE: _("at work"),
        RaterState.FINISHED: _("finished"), RaterState.PAUSED: _("paused"),
    }  # fmt: skip
    labels_of = dict(Rater.people.exclude(label="").values_list("pseudonym", "label"))
    return [
        {
            "pseudonym": rater.name, "group": rater.group, "state": rater.state,
            "state_label": labels[RaterState(rater.state)], "tasks": rater.tasks, "done": rater.done,
            "minutes": rater.paid, "replaced_by": rater.replaced_by, "excluded": rater.excluded,
            "label": labels_of.get(rater.name, ""),
        }
        for rater in progress(fresh=False).raters
    ]  # fmt: skip


@require_POST
@organiser_only
def invite(request: HttpRequest) -> HttpResponse:
    """Make invitations; their links are in this answer and nowhere else."""
    if is_sent_again(request):
        return link_shown_before(request)
    given = request.POST.get("number", "")
    if not given.isdecimal() or not 1 <= int(given) <= 10_000:
        return people_page(request, 400, problem=_("Give a number of raters."))
    try:
        invited = invite_raters(int(given))
    except NoPlaceLeftError as error:
        return people_page(request, 400, problem=str(error))
    rows = invited_rows(request, invited)
    return people_page(request, invited=rows, problem=fewer_words(int(given), len(rows)))


def link_shown_before(request: HttpRequest) -> HttpResponse:
    """Who loads the page of a new link again is told why it is gone."""
    say_done(request, _("A link is shown once. Nothing new was made; make another one where it is lost."))
    return redirect("organiser-people")


@require_POST
@organiser_only
def new_link(request: HttpRequest) -> HttpResponse:
    """Another link for a rater who lost theirs; shown here and nowhere else."""
    if is_sent_again(request):
        return link_shown_before(request)
    rater, token = reissue(request.POST.get("rater", ""))
    ended = end_sessions(rater) if "end" in request.POST else None
    return people_page(request, invited=invited_rows(request, [(rater, token)]), renewed=True, put_out=ended)


@require_POST
@organiser_only
def crowd(request: HttpRequest) -> HttpResponse:
    """A link for a recruiting platform, with the code that participants see at the end."""
    if is_sent_again(request):
        return link_shown_before(request)
    address = request.POST.get("address", "").strip()[:500]
    if address and not address.startswith("https://"):
        raise InputError("The address to return to must begin with https://.")
    platform = request.POST.get("platform", "")
    if platform not in PLATFORMS:
        raise InputError("Choose a platform.")
    code, full_code = (request.POST.get(name, "").strip()[:200] for name in ("code", "full_code"))
    try:
        token = open_entrance(code, address, full_code)
    except NoPlaceLeftError as error:
        return people_page(request, 400, problem=str(error))
    return people_page(request, crowd=crowd_link(request, token, platform), is_filled_in=platform != "other")


@require_POST
@organiser_only
def stop_crowd(request: HttpRequest, key: int) -> HttpResponse:
    """A link for a platform takes nobody new; who came by it goes on."""
    stop_entrance(key)
    say_done(request, _("The link takes nobody new. Who came by it goes on."))
    return redirect("organiser-people")


@require_GET
@organiser_only
def download(request: HttpRequest, what: str) -> HttpResponseBase:
    """A table of the study as a file, row by row."""
    if what == "report.html":
        return _report()
    name, _, ending = what.rpartition(".")
    if name not in TABLES or ending not in ("csv", "zip"):
        raise Http404
    if ending == "zip":
        with one_moment():
            return zip_of(name, TABLES[name](), codebook_of_table(name))
    response = StreamingHttpResponse(lines_of_one_moment(TABLES[name]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _report() -> HttpResponse:
    """As a file to keep: its own scripts would not run under the rules of these pages."""
    response = HttpResponse(report_html(), content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="report.html"'
    return response


@require_POST
@organiser_only
def answer(request: HttpRequest, key: int) -> HttpResponse:
    """Answer a rater's question; they see it on their page."""
    remark = get_object_or_404(Remark, pk=key, about=Remark.About.QUESTION)
    remark.answer, remark.answered_at = request.POST.get("answer", "").strip()[:5000], timezone.now()
    remark.save(update_fields=["answer", "answered_at"])
    note_waiting()
    return redirect("organiser")
