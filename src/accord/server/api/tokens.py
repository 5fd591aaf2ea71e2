"""Tokens of programs: made once, shown once, kept as a hash, revoked at any time."""

from django.http import HttpRequest
from django.utils import timezone

from accord.errors import InputError
from accord.server.models import Rater
from accord.server.models_organiser import ApiToken
from accord.server.tokens import new_token, token_hash
from accord.server.workspace.programs import acting_in_study, as_its_maker_may

__all__ = ["bearer", "make_token", "revoke", "token_of"]

_PREFIX = "accord_"


def make_token(scope: str, label: str, rater: Rater | None = None, by: str = "") -> tuple[ApiToken, str]:
    """A token of 160 random bits; a rater's token belongs to one rater and nobody else.

    ``by``: the account that makes it, whose role in a workspace it follows.
    """
    if scope not in ApiToken.Scope.values:
        raise InputError(f"A token is for: {', '.join(ApiToken.Scope.values)}.")
    if (scope == ApiToken.Scope.RATER) != (rater is not None):
        raise InputError("A token of a rater needs the rater; one of the organiser has none.")
    if not label.strip():
        raise InputError("Say what the token is for, so that you know later which one to revoke.")
    token = _PREFIX + new_token()
    named = label.strip()[:200]
    row = ApiToken.objects.create(token_hash=token_hash(token), scope=scope, rater=rater, label=named, by=by)
    return row, token


def revoke(token: ApiToken) -> None:
    """From now on it opens nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def bearer(request: HttpRequest) -> str:
    """The token of the request; only a header carries it, never the address."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def token_of(request: HttpRequest) -> ApiToken | None:
    """The token this request comes with, if it is known and not revoked."""
    token = bearer(request)
    if not token:
        return None
    own = ApiToken.objects.select_related("rater").filter(token_hash=token_hash(token), revoked_at=None)
    known = own.first()
    return as_its_maker_may(known) if known is not None else acting_in_study(token)
