"""Slow guessing down: after some wrong links or passwords an address has to wait."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accord.server.models import Attempt
from accord.server.tokens import address_hash

__all__ = ["must_wait", "note_failure"]

_WINDOW = timedelta(minutes=10)
_ALLOWED = 10


def must_wait(request: HttpRequest) -> bool:
    """Whether this address has guessed wrong too often lately."""
    since = timezone.now() - _WINDOW
    return Attempt.objects.filter(address_hash=_address(request), at__gte=since).count() >= _ALLOWED


def note_failure(request: HttpRequest) -> None:
    """Remember a wrong guess, and forget the old ones."""
    Attempt.objects.filter(at__lt=timezone.now() - _WINDOW).delete()
    Attempt.objects.create(address_hash=_address(request))


def _address(request: HttpRequest) -> str:
    if settings.TRUSTS_PROXY and (forwarded := request.headers.get("X-Forwarded-For")):
        # The last entry is the one our own proxy added; those before it are the client's word.
        return address_hash(forwarded.split(",")[-1].strip())
    return address_hash(request.META.get("REMOTE_ADDR", ""))
