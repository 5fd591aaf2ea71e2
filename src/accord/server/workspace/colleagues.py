"""Who is asking in a workspace, and what their role in this study lets them do."""

from types import SimpleNamespace
from typing import Any

from django.contrib.auth import get_user, get_user_model
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accord.records import dataclass
from accord.server.serving import in_workspace, served
from accord.server.workspace.cookies import WORKSPACE_COOKIE
from accord.server.workspace.models import EVERY_STUDY, Entry, Grant, Role, ViewLink

__all__ = [
    "Authentication",
    "Colleague",
    "end_workspace_session",
    "held",
    "is_at_least",
    "may_act",
    "may_do",
    "may_open",
    "note",
    "role_in",
    "role_of_maker",
    "roles_of",
]

VIEWS = "views"
"""In the session of somebody without an account: the view-only links that were opened, by study."""

_RANK: dict[str, int] = {role: place for place, role in enumerate(Role.values)}
_ARBITERS = {"organiser-rule", "organiser-contest", "organiser-contest-one"}
_ORGANISERS = {
    "organiser-tokens",
    "organiser-people",
    "organiser-file",
    "organiser-ask",
    "organiser-ask-rules",
    "organiser-ask-unblind",
    "organiser-replace",
}
"""Pages that a viewer does not open: they hand out keys, links, what single people gave, or ask before a decision."""
_REPORT = "report.html"


@dataclass(frozen=True, slots=True)
class Colleague:
    """An account with its role in the study of this request; whoever has none there counts as not logged in."""

    name: str
    role: str
    is_authenticated: bool = True

    def get_username(self) -> str:
        return self.name


class Authentication(AuthenticationMiddleware):
    """As Django's own; in a study of a workspace the account is that of the workspace, with its role there."""

    def process_request(self, request: HttpRequest) -> None:
        place = served()
        if place is None:
            super().process_request(request)
            return
        request.user = SimpleLazyObject(lambda: _colleague(request, place.key))  # type: ignore[assignment]


def _colleague(request: HttpRequest, study: str) -> Colleague | AnonymousUser:
    session_key = request.COOKIES.get(WORKSPACE_COOKIE)
    if not session_key:
        return AnonymousUser()
    with in_workspace():
        session = SessionStore(session_key)
        account: Any = get_user(SimpleNamespace(session=session))  # type: ignore[arg-type]
        if account.is_authenticated:
            role = role_in(study, account)
            return Colleague(account.get_username(), role, is_authenticated=bool(role))
        link = ViewLink.objects.filter(pk=session.get(VIEWS, {}).get(study), study=study, revoked_at=None).first()
        return Colleague(f"view link: {link.label}", Role.VIEWER) if link else AnonymousUser()


def end_workspace_session(request: HttpRequest) -> None:
    """Log out of the workspace from a page of a study."""
    with in_workspace():
        SessionStore(request.COOKIES.get(WORKSPACE_COOKIE)).flush()


def roles_of(account: Any) -> dict[str, str]:
    """The role of an account by study; EVERY_STUDY stands for those that are not named."""
    return dict(Grant.objects.filter(account_id=account.pk).values_list("study", "role"))


def role_in(study: str, account: Any) -> str:
    """The highest role of an account in a study; empty if it has none."""
    return held(roles_of(account), study)


def role_of_maker(by: str, study: str) -> str:
    """The role that an account has now in a study where it made something, itself or by a program of its own."""
    # Names of accounts have no blanks, so nobody is called like somebody's program.
    maker = get_user_model()._default_manager.filter(username=by.partition(" (API: ")[0], is_active=True).first()
    return role_in(study, maker) if maker is not None else ""


def held(roles: dict[str, str], study: str) -> str:
    """The highest of these roles that counts in a study; empty if none does."""
    return max((roles[name] for name in (study, EVERY_STUDY) if name in roles), key=_RANK.__getitem__, default="")


def is_at_least(role: str, wanted: str) -> bool:
    """Whether a role includes another."""
    return _RANK.get(role, -1) >= _RANK[wanted]


def may_do(user: Any, request: HttpRequest) -> bool:
    """Whether this user may ask for this page of a study; an account of a single study may do everything in it."""
    role = getattr(user, "role", Role.OWNER)
    if is_at_least(role, Role.ORGANISER):
        return True
    match = request.resolver_match
    name = (match.url_name if match is not None else None) or ""
    if request.method not in ("GET", "HEAD"):
        return may_act(user, name)
    given = match.kwargs if match is not None else {}
    if name == "organiser-export":
        return given.get("what") == _REPORT
    if name == "organiser-report-file":
        return _is_report(given.get("key"))
    return may_open(user, name)


def may_open(user: Any, name: str) -> bool:
    """Whether the menu of a study shows this user an entry: nobody is led to a closed door."""
    return is_at_least(getattr(user, "role", Role.OWNER), Role.ORGANISER) or name not in _ORGANISERS


def may_act(user: Any, name: str) -> bool:
    """Whether this user may send the forms of this address: pages show no form that would be refused."""
    role = getattr(user, "role", Role.OWNER)
    return is_at_least(role, Role.ORGANISER) or (is_at_least(role, Role.ARBITER) and name in _ARBITERS)


def _is_report(key: Any) -> bool:
    """A report says what was found; the other files that are made hold what single people gave."""
    from accord.server.models_organiser import Job

    return Job.objects.filter(pk=key, kind__startswith="report-").exists()


def note(by: str, what: str, study: str = "") -> None:
    """One line of the workspace's log."""
    Entry.objects.create(by=by, what=what[:500], study=study)
