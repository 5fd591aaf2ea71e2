"""Programs that act for an account of the workspace: a token does what the account's roles include, and no more."""

from typing import Any

from django.http import JsonResponse
from django.utils import timezone

from accord.errors import InputError
from accord.records import dataclass
from accord.server.models_organiser import ApiToken
from accord.server.serving import in_workspace, served
from accord.server.tokens import new_token, token_hash
from accord.server.workspace.colleagues import is_at_least, note, role_in, role_of_maker
from accord.server.workspace.models import AccountToken, Role

__all__ = [
    "Program",
    "acting_in_study",
    "as_its_maker_may",
    "make_account_token",
    "not_open",
    "program_of",
    "revoke_account_token",
]

_PREFIX = "accord_"


@dataclass(frozen=True, slots=True)
class Program:
    """An account as a program uses it; the log says that it was the program."""

    pk: int
    name: str
    is_authenticated: bool = True

    def get_username(self) -> str:
        return self.name


def make_account_token(account: Any, label: str) -> tuple[AccountToken, str]:
    """A token of 160 random bits that acts for this account until it is revoked; shown once."""
    if not label.strip():
        raise InputError("Say what the token is for, so that you know later which one to revoke.")
    token = _PREFIX + new_token()
    row = AccountToken.objects.create(token_hash=token_hash(token), account_id=account.pk, label=label.strip()[:200])
    note(account.get_username(), f"made the token {row.label}")
    return row, token


def revoke_account_token(account: Any, key: int) -> bool:
    """From now on it opens nothing; False where this account has no such token."""
    own = AccountToken.objects.filter(pk=key, account_id=account.pk)
    if own.filter(revoked_at=None).update(revoked_at=timezone.now()):
        note(account.get_username(), f"revoked the token {own.get().label}")
    return own.exists()


def program_of(token: str) -> Program | None:
    """Whom a token acts for; None where it is unknown, revoked, or its account is closed."""
    known = AccountToken.objects.select_related("account").filter(token_hash=token_hash(token), revoked_at=None).first()
    if known is None or not known.account.is_active:
        return None
    return Program(known.account_id, f"{known.account.get_username()} (API: {known.label})")


def acting_in_study(token: str) -> ApiToken | None:
    """In a study of a workspace: what the token of an account may do there; it is kept nowhere in the study."""
    place = served()
    if place is None:
        return None
    with in_workspace():
        program = program_of(token)
        role = role_in(place.key, program) if program is not None else ""
    if program is None or not role:
        return None
    return ApiToken(scope=_scope_of(role), label=program.name, by=program.name)


def as_its_maker_may(token: ApiToken) -> ApiToken | None:
    """A token that was made in the study itself: it may no more than whoever made it may now, nothing if they left.

    Tokens of raters and those that were made at the machine belong to no account of the workspace.
    """
    place = served()
    if place is None or not token.by or token.scope != ApiToken.Scope.ORGANISER:
        return token
    with in_workspace():
        role = role_of_maker(token.by, place.key)
    token.scope = _scope_of(role)
    return token if role else None


def _scope_of(role: str) -> str:
    return ApiToken.Scope.ORGANISER if is_at_least(role, Role.ORGANISER) else role


def not_open(*, is_a_draft: bool) -> JsonResponse:
    """What a program is told of a study that cannot be entered."""
    draft, other = "This study is a draft: launch it first.", "There is no such study, or it cannot be opened."
    return JsonResponse({"error": draft if is_a_draft else other}, status=404)
