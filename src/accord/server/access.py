"""Who is asking: a rater or the organiser, each with a scope of their own and never both."""

from collections.abc import Callable, Collection
from functools import lru_cache, wraps
from typing import Any

from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accord.server.blinding import in_the_eyes_of
from accord.server.closing import is_closed
from accord.server.held import StoppedError
from accord.server.models import Rater, RaterState
from accord.server.phrases import phrases
from accord.server.prepared import with_keys
from accord.server.workspace.colleagues import may_do

__all__ = ["end_sessions", "let_in", "organiser_only", "rater_of", "rater_only", "raters_of", "wants_json"]

_RATER = "rater"
_OF_A_RATER = ("id", "kind", "state", "consent_at", "started_at", "guidelines_read")
_AFTER_THE_END = {"thanks", "leave", "questionnaire"}
"""What a rater still opens when the study is closed; what was answered before is sent all the same."""
View = Callable[..., HttpResponseBase]


def let_in(request: HttpRequest, rater: Rater) -> None:
    """Open a fresh session for this rater; whatever the browser held before is gone."""
    request.session.flush()
    request.session[_RATER] = rater.pk


def end_sessions(rater: Rater) -> int:
    """Put out every browser in which this rater is in, and say how many there were; what they saved stays."""
    now = timezone.now()
    found = Session.objects.filter(expire_date__gt=now).values_list("session_key", "session_data")
    own = [key for key, content in found.iterator() if _rater_in(content) == rater.pk]
    Session.objects.filter(session_key__in=own).delete()
    return len(own)


def rater_of(request: HttpRequest) -> Rater | None:
    """The rater this browser was let in as."""
    key = request.session.get(_RATER)
    return Rater.objects.filter(pk=key).first() if key is not None else None


def raters_of(session_keys: Collection[str]) -> dict[str, Any]:
    """The rater of each session who may work now, asked of the database in two questions for all of them.

    A session that is not there, has ended or belongs to nobody, and a rater who is paused or gone, are left out.
    """
    now = timezone.now()
    sessions = with_keys(Session, session_keys, ("session_key", "session_data", "expire_date"))
    keys = {name: _rater_in(one.session_data) for name, one in sessions.items() if one.expire_date > now}
    raters = with_keys(Rater, {key for key in keys.values() if key is not None}, _OF_A_RATER)
    found = {key: rater for key, rater in raters.items() if rater.state != RaterState.PAUSED}
    return {name: found[key] for name, key in keys.items() if key in found}


@lru_cache(maxsize=10_000)
def _rater_in(session_data: str) -> int | None:
    """Whom the content of a session names; the same content always names the same, so it is decoded once."""
    named: int | None = SessionStore().decode(session_data).get(_RATER)
    return named


def wants_json(request: HttpRequest) -> bool:
    return (request.content_type or "").startswith("application/json")


def rater_only(view: View) -> View:
    """For raters who were let in; others are shown the closed door."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        rater = rater_of(request)
        if rater is None:
            return _closed(request)
        if rater.state == RaterState.PAUSED:
            return _paused(request, rater)
        if not wants_json(request) and is_closed() and _name_of(request) not in _AFTER_THE_END:
            work = {"owner": str(rater.owner), "save": reverse("save")}
            return render(request, "accord/closed.html", {"rater": rater, "work": work, "words": phrases()})
        try:
            return view(request, rater, *args, **kwargs)
        except StoppedError:
            rater.refresh_from_db()
            return _paused(request, rater)

    return checked


def organiser_only(view: View) -> View:
    """For organisers who have logged in; raters and strangers are sent to the log-in."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect("organiser-login")
        if not may_do(request.user, request):
            message = _("Your role in this study does not include this. Ask one of its owners.")
            return render(request, "accord/message.html", {"message": message}, status=403)
        with in_the_eyes_of(getattr(request.user, "role", "")):
            return view(request, *args, **kwargs)

    return checked


def _name_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match.url_name if match is not None else None) or ""


def _closed(request: HttpRequest) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": "log in again"}, status=401)
    return render(request, "accord/door.html", status=401)


def _paused(request: HttpRequest, rater: Rater) -> HttpResponse:
    replaced = rater.replaced_by_id is not None
    if wants_json(request):
        return JsonResponse({"error": "replaced" if replaced else "paused"}, status=401)
    return render(request, "accord/replaced.html" if replaced else "accord/paused.html", status=403)
