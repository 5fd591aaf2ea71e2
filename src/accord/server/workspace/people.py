"""The people of a workspace: accounts and their roles, invitations, view-only links, and the log."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from accord.errors import InputError
from accord.server.addresses import whole_address
from accord.server.organiser.names import named
from accord.server.organiser.pages import text_of, who
from accord.server.workspace.accounts import invite_colleague, share_view
from accord.server.workspace.cards import study_titles, told_apart
from accord.server.workspace.colleagues import note, roles_of
from accord.server.workspace.home import signed_in
from accord.server.workspace.models import EVERY_STUDY, Entry, Grant, Invitation, Role, ViewLink
from accord.server.workspace.studies import places

__all__ = [
    "NOBODY",
    "change_role",
    "end_view",
    "give_role",
    "invitation_link",
    "log",
    "log_of",
    "people",
    "people_of",
    "revoke_view",
    "view_link",
    "withdraw",
]

_MOST_LINES = 500
NOBODY = "none"


def _owned(request: HttpRequest) -> list[str]:
    """The studies whose people this account decides about; EVERY_STUDY first if it owns all."""
    roles = roles_of(request.user)
    found = [place.key for place in places()]
    if roles.get(EVERY_STUDY) == Role.OWNER:
        return [EVERY_STUDY, *found]
    return [key for key in found if roles.get(key) == Role.OWNER]


def _require_owner(request: HttpRequest, study: str) -> None:
    if study not in _owned(request):
        named = f"the study {study[:80]!r}" if study else "every study"
        raise InputError(f"You do not own {named}. Only an owner of a study decides who works on it.")


@signed_in("GET", "POST")
def people(request: HttpRequest) -> HttpResponse:
    """Who may do what, and the form that invites one more."""
    if request.method == "GET":
        return _page(request)
    study, label = request.POST.get("study", EVERY_STUDY), text_of(request, "label", 200)
    if request.POST.get("what") == "view":
        return _page(request, link=view_link(request, study, label), link_is="view")
    link = invitation_link(request, study, request.POST.get("role", ""), label)
    return _page(request, link=link, link_is="invitation")


def view_link(request: HttpRequest, study: str, label: str) -> str:
    """A link that shows one study to whoever has it."""
    _require_owner(request, study)
    if not study:
        raise InputError("A view-only link shows one study: choose which.")
    return whole_address(request, f"/view/{share_view(study, label or 'unnamed', who(request))}")


def invitation_link(request: HttpRequest, study: str, role: str, label: str) -> str:
    """A link that makes one account with a role."""
    _require_owner(request, study)
    if role not in Role.values:
        raise InputError(f"A role is one of: {', '.join(Role.values)}.")
    return whole_address(request, f"/join/{invite_colleague(study, role, label, who(request))}")


def people_of(request: HttpRequest) -> dict[str, Any]:
    """Whom this account decides about: roles, invitations that wait, view-only links."""
    owned = _owned(request)
    grants = Grant.objects.select_related("account").order_by("account__username", "study")
    return {
        "grants": grants if EVERY_STUDY in owned else grants.filter(study__in=owned),
        "studies": owned,
        "invitations": Invitation.objects.filter(study__in=owned, used_at=None),
        "views": ViewLink.objects.filter(study__in=owned, revoked_at=None),
    }


def _called() -> Callable[[str], str]:
    """What to call the study of a key: its name; the key of one that is gone, and nothing where all are meant."""
    titles = told_apart(study_titles(places()))
    return lambda key: titles.get(key, key)


def _presets(request: HttpRequest, owned: Sequence[str]) -> dict[str, str]:
    """What the forms begin with: as asked for by a link or sent just now, else one study and the role that sees."""
    given = request.POST if request.method == "POST" else request.GET
    only = [key for key in owned if key != EVERY_STUDY]
    study = given.get("study", only[0] if len(only) == 1 else EVERY_STUDY)
    role = given.get("role", Role.VIEWER)
    return {"wanted_study": study, "wanted_role": role if role in Role.values else Role.VIEWER}


def _page(request: HttpRequest, **more: str) -> HttpResponse:
    found, called = people_of(request), _called()
    context = {
        **found,
        "grants": [(one, called(one.study)) for one in found["grants"]],
        "studies": [(key, called(key)) for key in found["studies"]],
        "invitations": [(one, called(one.study)) for one in found["invitations"]],
        "views": [(one, called(one.study)) for one in found["views"]],
        "roles": [(role, named(role).capitalize()) for role in Role.values],
        "here": "people",
        **_presets(request, found["studies"]),
    }
    return render(request, "workspace/people.html", context | more)


@signed_in("POST")
def change_role(request: HttpRequest, key: int) -> HttpResponse:
    """Give another role, or none."""
    give_role(request, key, request.POST.get("role", ""))
    return redirect("people")


def give_role(request: HttpRequest, key: int, role: str) -> None:
    """Another role for an account, or none; the last owner of everything stays."""
    grant = Grant.objects.filter(pk=key).first()
    if grant is None:
        raise Http404("Nobody has this number.")
    _require_owner(request, grant.study)
    if role not in (*Role.values, NOBODY):
        raise InputError(f"A role is one of: {', '.join(Role.values)}.")
    owners = Grant.objects.filter(study=EVERY_STUDY, role=Role.OWNER)
    if owners.filter(pk=key).exists() and role != Role.OWNER and owners.count() == 1:
        raise InputError("This is the last owner of the workspace. Make somebody else an owner first.")
    name = get_user_model()._default_manager.get(pk=grant.account_id).get_username()
    if role == NOBODY:
        grant.delete()
    else:
        Grant.objects.filter(pk=key).update(role=role, by=who(request), at=timezone.now())
    note(who(request), f"made {name} {role if role != NOBODY else 'nobody'}", grant.study)


@signed_in("POST")
def revoke_view(request: HttpRequest, key: int) -> HttpResponse:
    """Revoke a view-only link."""
    end_view(request, key)
    return redirect("people")


def end_view(request: HttpRequest, key: int) -> None:
    """From now on the link shows nothing, in whatever browser it was opened."""
    link = ViewLink.objects.filter(pk=key).first()
    if link is None:
        raise Http404("There is no such link.")
    _require_owner(request, link.study)
    ViewLink.objects.filter(pk=key, revoked_at=None).update(revoked_at=timezone.now())
    note(who(request), f"revoked the view-only link {link.label}", link.study)


@signed_in("POST")
def withdraw(request: HttpRequest, key: int) -> HttpResponse:
    """The button beside an invitation that waits."""
    withdraw_invitation(request, key)
    return redirect("people")


def withdraw_invitation(request: HttpRequest, key: int) -> None:
    """Take back an invitation that nobody used yet: its link makes no account any more."""
    one = Invitation.objects.filter(pk=key, used_at=None).first()
    if one is None:
        raise Http404("There is no such invitation.")
    _require_owner(request, one.study)
    Invitation.objects.filter(pk=key, used_at=None).delete()
    note(who(request), f"withdrew the invitation of {one.label or 'a colleague'}", one.study)


@signed_in("GET")
def log(request: HttpRequest) -> HttpResponse:
    """Who came in, made, invited and changed what; for owners."""
    called = _called()
    lines = [(line, called(line.study)) for line in log_of(request)]
    return render(request, "workspace/log.html", {"lines": lines, "here": "log"})


def log_of(request: HttpRequest) -> list[Entry]:
    """The last lines about what this account owns, newest first."""
    owned = _owned(request)
    lines = Entry.objects.order_by("-id")
    return list((lines if EVERY_STUDY in owned else lines.filter(study__in=owned))[:_MOST_LINES])
