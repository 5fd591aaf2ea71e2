"""Coming into a workspace: the first account, colleagues by invitation, log-in, view-only links."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import login
from django.contrib.auth import logout as end_session
from django.contrib.auth.views import LoginView
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accord.server.tokens import new_token, token_hash
from accord.server.views.entry import AccountForm, account_page, wrong_link
from accord.server.views.organiser import Login
from accord.server.workspace.colleagues import VIEWS, is_at_least, note, role_in, role_of_maker
from accord.server.workspace.models import EVERY_STUDY, Grant, Invitation, Role, ViewLink

__all__ = ["SignIn", "invite_colleague", "invited", "make_owner", "owner_link", "share_view", "sign_out", "view_only"]

_GOOD_FOR = timedelta(days=30)
"""How long an invitation of a colleague can be used."""

_AT_THE_MACHINE = "accord serve"
"""By whom an invitation is that the machine itself printed."""


class SignIn(Login):
    """Name and password of the workspace, with the same limit on guessing."""

    template_name = "workspace/login.html"

    def get_default_redirect_url(self) -> str:
        return reverse("home")

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        from django.contrib.auth import get_user_model

        found: dict[str, Any] = super().get_context_data(**more)
        return found | {"has_accounts": get_user_model()._default_manager.exists()}

    def form_valid(self, form: Any) -> HttpResponse:
        answer = LoginView.form_valid(self, form)
        note(form.get_user().get_username(), "logged in")
        return answer


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session of this browser."""
    end_session(request)
    return redirect("sign-in")


def owner_link(address: str, *, always: bool = False) -> str | None:
    """A link that makes the owner's account, if there is no account yet; older links of this kind stop working."""
    from django.contrib.auth import get_user_model

    if get_user_model()._default_manager.exists() and not always:
        return None
    with transaction.atomic():
        Invitation.objects.filter(used_at=None, study=EVERY_STUDY, role=Role.OWNER).delete()
        token = _new_invitation(EVERY_STUDY, Role.OWNER, "", _AT_THE_MACHINE)
    return f"{address}/join/{token}"


def make_owner(name: str, password: str, by: str) -> None:
    """An account that owns every study, for a workspace that nobody else reaches."""
    from django.contrib.auth import get_user_model

    account = get_user_model()._default_manager.create_user(username=name, password=password)  # type: ignore[attr-defined]
    Grant.objects.create(account_id=account.pk, study=EVERY_STUDY, role=Role.OWNER, by=by)


def invite_colleague(study: str, role: str, label: str, by: str) -> str:
    """A token that makes one account with this role; shown once."""
    token = _new_invitation(study, role, label, by)
    note(by, f"invited {label or 'a colleague'} as {role}", study)
    return token


def _new_invitation(study: str, role: str, label: str, by: str) -> str:
    token = new_token()
    Invitation.objects.create(token_hash=token_hash(token), study=study, role=role, label=label, by=by)
    return token


@require_http_methods(["GET", "POST"])
def invited(request: HttpRequest, token: str) -> HttpResponseBase:
    """Make an account from an invitation; whoever has one already keeps it and gets the role."""
    known = Invitation.objects.filter(token_hash=token_hash(token), used_at=None)
    invitation = known.filter(made_at__gte=timezone.now() - _GOOD_FOR).first()
    if invitation is None or not _is_backed(invitation):
        return wrong_link(request)
    account: Any = request.user if request.user.is_authenticated else None
    form = AccountForm(request.POST or None)
    if request.method != "POST" or (account is None and not form.is_valid()):
        return account_page(request, form, known_as=account.get_username() if account else "")
    with transaction.atomic():
        # Whoever comes second with the same link finds it used.
        if not known.filter(pk=invitation.pk).update(used_at=timezone.now()):
            return wrong_link(request)
        person = account or form.save()
        _grant(person, invitation)
    note(person.get_username(), f"came in as {invitation.role}, invited by {invitation.by}", invitation.study)
    if account is None:
        request.session.flush()
        login(request, person)
    return redirect("home")


def _is_backed(invitation: Invitation) -> bool:
    """Whether who invited may still invite: nobody comes back by an invitation of their own."""
    if invitation.by == _AT_THE_MACHINE:
        return True
    return is_at_least(role_of_maker(invitation.by, invitation.study), Role.OWNER)


def _grant(person: Any, invitation: Invitation) -> None:
    """A role is only ever raised by an invitation; lowering it is the owner's decision on the page."""
    if is_at_least(role_in(invitation.study, person), invitation.role):
        return
    Grant.objects.update_or_create(
        account_id=person.pk, study=invitation.study, defaults={"role": invitation.role, "by": invitation.by}
    )


def share_view(study: str, label: str, by: str) -> str:
    """A token that shows this study to whoever has it, until it is revoked."""
    token = new_token()
    ViewLink.objects.create(token_hash=token_hash(token), study=study, label=label, by=by)
    note(by, f"made the view-only link {label}", study)
    return token


@require_GET
def view_only(request: HttpRequest, token: str) -> HttpResponse:
    """Exchange a view-only link for the session; the token leaves the address at once."""
    link = ViewLink.objects.filter(token_hash=token_hash(token), revoked_at=None).first()
    if link is None:
        return wrong_link(request)
    if request.user.is_authenticated and not role_in(link.study, request.user):
        message = _("You are logged in, and your account has no role in this study. Log out and open the link again.")
        return render(request, "accord/message.html", {"message": message}, status=403)
    request.session[VIEWS] = {**request.session.get(VIEWS, {}), link.study: link.pk}
    note(f"view link: {link.label}", "opened", link.study)
    return redirect(f"/s/{link.study}/organiser")
