"""Coming in: invitations, recruiting platforms, and the organiser's first link."""

import re
from contextlib import suppress
from hmac import compare_digest
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model, login, password_validation
from django.contrib.auth.forms import BaseUserCreationForm
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accord.server.access import let_in, rater_of, wants_json
from accord.server.health import can_save
from accord.server.invitations import NoPlaceLeftError, join_crowd
from accord.server.models import CrowdEntrance, OrganiserLink, Rater
from accord.server.organiser.inviting import PLACEHOLDERS
from accord.server.serving import served
from accord.server.throttle import must_wait, note_failure
from accord.server.tokens import token_hash
from accord.server.workspace.cookies import RETURN_COOKIE

__all__ = [
    "AccountForm", "account_page", "broken", "crowd", "csrf_failure", "health", "home", "invitation", "not_found",
    "setup", "wrong_link",
]  # fmt: skip

_LONGEST_SESSION = 100
_PERSON = ("PROLIFIC_PID", "participant", "workerId")
_SESSION = ("SESSION_ID", "session", "assignmentId")
"""What recruiting platforms call a participant, and one visit of theirs."""
_CROWD_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Raters go on where they were, organisers to their page, others see a closed door."""
    if rater_of(request) is not None:
        return redirect("welcome")
    if request.user.is_authenticated:
        return redirect("organiser")
    return render(request, "accord/door.html")


@require_GET
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Exchange the link for a cookie; the token leaves the address at once."""
    rater = Rater.objects.filter(invitation_hash=token_hash(token)).first()
    if rater is None:
        return wrong_link(request)
    let_in(request, rater)
    return redirect("welcome")


@require_GET
def crowd(request: HttpRequest, token: str) -> HttpResponse:
    """A person sent by a recruiting platform, who comes back as the same rater."""
    entrance = CrowdEntrance.objects.filter(token_hash=token_hash(token)).first()
    person = _first_of(request, _PERSON)
    if entrance is None:
        return wrong_link(request)
    if not _CROWD_ID.fullmatch(person):
        message = _(
            "This link does not say who you are: the platform that sends you fills in its name for you, of up to 100 "
            "letters, digits, - and _. Open the study again from there."
        )
        return render(request, "accord/message.html", {"message": message}, status=404)
    if (here := _returning(request, entrance)) is not None:
        # One place for each participant: who began in this browser goes on there, whatever name the address has now.
        let_in(request, here)
        return redirect("welcome")
    if not entrance.open and not Rater.objects.filter(crowd_id=person, entrance=entrance).exists():
        message = _("This link takes nobody new any more. Thank you for your interest.")
        return _turned_away(request, entrance, message, 403)
    session = _first_of(request, _SESSION)[:_LONGEST_SESSION]
    try:
        rater = join_crowd(entrance, person, session)
    except NoPlaceLeftError as error:
        return _turned_away(request, entrance, str(error), 409)
    if not _is_the_same_person(request, rater, session):
        message = _(
            "Somebody began here under this name in another browser. Go on in that browser, or open the study "
            "again from the platform that sent you."
        )
        return render(request, "accord/message.html", {"message": message}, status=403)
    let_in(request, rater)
    response = redirect("welcome")
    response.set_signed_cookie(
        RETURN_COOKIE, str(rater.owner), max_age=settings.SESSION_COOKIE_AGE, secure=settings.SESSION_COOKIE_SECURE,
        httponly=True, samesite="Lax",
    )  # fmt: skip
    return response


def _turned_away(request: HttpRequest, entrance: CrowdEntrance, message: str, status: int) -> HttpResponse:
    """Nobody new is taken: why, and how the participant goes back to the platform without having worked.

    The code and the address at the end are for those who worked. Where the address has that code in it, it leads back
    with the other one as well.
    """
    end, code, address = entrance.completion_code, entrance.full_code, entrance.completion_address
    back = address.replace(end, code) if end and code and end in address else ""
    return render(request, "accord/full.html", {"message": message, "code": code, "address": back}, status=status)


def _first_of(request: HttpRequest, names: tuple[str, ...]) -> str:
    """What the platform filled in; a word that stands for it, as the link is made with, names nobody."""
    found = next((request.GET[name] for name in names if request.GET.get(name)), "")
    return "" if found in PLACEHOLDERS or "{{%" in found else found


def _returning(request: HttpRequest, entrance: CrowdEntrance) -> Rater | None:
    """The participant of this entrance who came with this browser before."""
    owner = request.get_signed_cookie(RETURN_COOKIE, default="")
    return Rater.objects.filter(owner=owner, entrance=entrance).first() if owner else None


def _is_the_same_person(request: HttpRequest, rater: Rater, session: str) -> bool:
    """Names of participants are no secret, so a name alone opens nobody's work.

    Who comes for the first time has no work yet. Who comes back is known by the browser, or by the number that the
    platform gave to this visit and that nobody else has.
    """
    if rater.started_at is None:
        return True
    if request.get_signed_cookie(RETURN_COOKIE, default="") == str(rater.owner):
        return True
    return bool(session) and compare_digest(session.encode(), rater.crowd_session.encode())


class AccountForm(BaseUserCreationForm):  # type: ignore[type-arg]
    """Name and password of an organiser; the password is typed once, as it can be shown."""

    password2 = None  # type: ignore[assignment]

    class Meta:
        model = get_user_model()
        fields = ("username",)

    def validate_passwords(self, *fields: str) -> None:
        """There is nothing to compare."""

    def validate_password_for_user(self, user: Any, *fields: str) -> None:
        """By the rules that stand under the field."""
        super().validate_password_for_user(user, "password1")  # type: ignore[misc]


@require_http_methods(["GET", "POST"])
def setup(request: HttpRequest, token: str) -> HttpResponseBase:
    """Make an organiser's account from a link that works once."""
    link = OrganiserLink.objects.filter(token_hash=token_hash(token), used_at=None).first()
    # In a workspace accounts are those of the workspace: a link made when the study stood alone opens nothing.
    if link is None or served() is not None:
        return wrong_link(request)
    form = AccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            # Whoever comes second with the same link finds it used.
            taken = OrganiserLink.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now())
            if not taken:
                return wrong_link(request)
            user = form.save()
        request.session.flush()
        login(request, user)
        return redirect("organiser")
    return account_page(request, form)


def account_page(request: HttpRequest, form: AccountForm, known_as: str = "") -> HttpResponse:
    """Ask for a name and a password; whoever is ``known_as`` somebody already is asked to confirm only."""
    rules = password_validation.password_validators_help_texts()
    return render(request, "accord/setup.html", {"form": form, "rules": rules, "known_as": known_as})


@require_GET
def health(request: HttpRequest) -> HttpResponse:
    """Whether a judgement could be saved now: the database is written to, but not more than every other second."""
    if can_save():
        return JsonResponse({"status": "ok"})
    return JsonResponse({"status": "cannot save"}, status=503)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: told in words, and to the queue as 'log in again'."""
    if wants_json(request):
        return JsonResponse({"error": "log in again"}, status=403)
    message = _("This page was open for too long. Go back, reload it and try again; nothing saved is lost.")
    return render(request, "accord/message.html", {"message": message}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address that leads nowhere."""
    said: dict[str, str] = {"message": _("There is no such page. Open the link you were sent.")}
    if "/organiser" in request.path:
        said["message"] = _("There is no such page in this study. Its overview leads to all that there is.")
        with suppress(NoReverseMatch):  # an address of no study has no overview
            said |= {"back": reverse("organiser"), "back_words": _("Overview")}
    return render(request, "accord/message.html", said, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Our own fault: said in words, with no word of what went wrong."""
    message = _("Something went wrong here. Nothing saved is lost. Try again in a minute.")
    return render(request, "accord/message.html", {"message": message}, status=500)


def wrong_link(request: HttpRequest) -> HttpResponse:
    """A link that opens nothing; after ten of them a network waits."""
    if must_wait(request):
        return _wait(request)
    note_failure(request)
    message = _("This link is not valid. Open the one you were sent, whole, or ask for a new one.")
    return render(request, "accord/message.html", {"message": message}, status=404)


def _wait(request: HttpRequest) -> HttpResponse:
    message = _("Too many links or passwords were wrong. Wait ten minutes and try again.")
    return render(request, "accord/message.html", {"message": message}, status=429)
