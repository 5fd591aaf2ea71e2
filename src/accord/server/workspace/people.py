"""The people of a workspace: accounts and their roles, invitations, view-only links, and the log."""

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from accord.errors import InputError
from accord.server.organiser.names import named
from accord.server.organiser.pages import text_of, who
from accord.server.workspace.accounts import invite_colleague, share_view
from accord.server.workspace.colleagues import note, roles_of
from accord.server.workspace.home import signed_in
from accord.server.workspace.models import EVERY_STUDY, Entry, Grant, Invitation, Role, ViewLink
from accord.server.workspace.studies import places

__all__ = ["change_role", "log", "people", "revoke_view"]

_MOST_LINES = 500
_NOBODY = "none"


def _owned(request: HttpRequest) -> list[str]:
    """The studies whose people this account decides about; EVERY_STUDY first if it owns all."""
    roles = roles_of(request.user)
    found = [place.key for place in places()]
    if roles.get(EVERY_STUDY) == Role.OWNER:
        return [EVERY_STUDY, *found]
    return [key for key in found if roles.get(key) == Role.OWNER]


def _require_owner(request: HttpRequest, study: str) -> None:
    if study not in _owned(request):
        raise InputError("Only an owner of a study decides who works on it.")


@signed_in("GET", "POST")
def people(request: HttpRequest) -> HttpResponse:
    """Who may do what, and the form that invites one more."""
    if request.method == "GET":
        return _page(request)
    study, label = request.POST.get("study", EVERY_STUDY), text_of(request, "label", 200)
    _require_owner(request, study)
    if request.POST.get("what") == "view":
        if not study:
            raise InputError("A view-only link shows one study: choose which.")
        link = request.build_absolute_uri(f"/view/{share_view(study, label or 'unnamed', who(request))}")
        return _page(request, link=link, link_is="view")
    role = request.POST.get("role", "")
    if role not in Role.values:
        raise InputError(f"A role is one of: {', '.join(Role.values)}.")
    token = invite_colleague(study, role, label, who(request))
    return _page(request, link=request.build_absolute_uri(f"/join/{token}"), link_is="invitation")


def _page(request: HttpRequest, **more: str) -> HttpResponse:
    owned = _owned(request)
    grants = Grant.objects.select_related("account").order_by("account__username", "study")
    seen = grants if EVERY_STUDY in owned else grants.filter(study__in=owned)
    context = {
        "grants": seen,
        "roles": [(role, named(role).capitalize()) for role in Role.values],
        "studies": owned,
        "invitations": Invitation.objects.filter(study__in=owned, used_at=None),
        "views": ViewLink.objects.filter(study__in=owned, revoked_at=None),
        "here": "people",
    }
    return render(request, "workspace/people.html", context | more)


@signed_in("POST")
def change_role(request: HttpRequest, key: int) -> HttpResponse:
    """Give another role, or none; the last owner of everything stays."""
    grant = get_object_or_404(Grant, pk=key)
    _require_owner(request, grant.study)
    role = request.POST.get("role", "")
    if role not in (*Role.values, _NOBODY):
        raise InputError(f"A role is one of: {', '.join(Role.values)}.")
    owners = Grant.objects.filter(study=EVERY_STUDY, role=Role.OWNER)
    if owners.filter(pk=key).exists() and role != Role.OWNER and owners.count() == 1:
        raise InputError("This is the last owner of the workspace. Make somebody else an owner first.")
    name = get_user_model()._default_manager.get(pk=grant.account_id).get_username()
    if role == _NOBODY:
        grant.delete()
    else:
        Grant.objects.filter(pk=key).update(role=role, by=who(request), at=timezone.now())
    note(who(request), f"made {name} {role if role != _NOBODY else 'nobody'}", grant.study)
    return redirect("people")


@signed_in("POST")
def revoke_view(request: HttpRequest, key: int) -> HttpResponse:
    """From now on the link shows nothing, in whatever browser it was opened."""
    link = get_object_or_404(ViewLink, pk=key)
    _require_owner(request, link.study)
    ViewLink.objects.filter(pk=key, revoked_at=None).update(revoked_at=timezone.now())
    note(who(request), f"revoked the view-only link {link.label}", link.study)
    return redirect("people")


@signed_in("GET")
def log(request: HttpRequest) -> HttpResponse:
    """Who came in, made, invited and changed what; for owners."""
    owned = _owned(request)
    lines = Entry.objects.order_by("-id")
    seen = lines if EVERY_STUDY in owned else lines.filter(study__in=owned)
    return render(request, "workspace/log.html", {"lines": seen[:_MOST_LINES], "here": "log"})
