"""Slow guessing down: after some wrong links or passwords a network has to wait.

A right link is always let in: it holds 160 random bits, so nobody finds one by trying, and one clumsy person must not
lock out a whole office. Passwords are weaker, so an account waits in the network its wrong passwords came from.
"""

import unicodedata
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from accord.server.ages import younger
from accord.server.models import Attempt
from accord.server.tokens import address_hash

__all__ = ["must_wait", "network", "note_failure", "take_back"]

_WINDOW = timedelta(minutes=10)
_ALLOWED = 10
_ALLOWED_TOGETHER = 100
"""Wrong passwords of one network, whatever the accounts: an office has many, a guesser tries more."""


def must_wait(request: HttpRequest, account: str = "", *, noted: int = 0) -> bool:
    """Whether too many guesses of this network were wrong lately, for an account or for links and tokens.

    A password is ``noted`` before it is tried, so that many sent at once count one another.
    """
    if account and _recent(_key(request)) - noted >= _ALLOWED_TOGETHER:
        return True
    return _recent(_key(request, account or _LINKS)) - noted >= _ALLOWED


def note_failure(request: HttpRequest, account: str = "") -> list[Attempt]:
    """Remember a wrong guess, and forget the old ones."""
    Attempt.objects.exclude(younger("at", _WINDOW)).delete()
    keys = [_key(request, account), _key(request)] if account else [_key(request, _LINKS)]
    return Attempt.objects.bulk_create(Attempt(address_hash=key) for key in keys)


def take_back(noted: list[Attempt]) -> None:
    """It was none: the password was right, or not tried."""
    Attempt.objects.filter(pk__in=[attempt.pk for attempt in noted]).delete()


_LINKS = "\0links"
"""No account can be called so."""


def _recent(key: str) -> int:
    return Attempt.objects.filter(younger("at", _WINDOW), address_hash=key).count()


def _key(request: HttpRequest, account: str = "") -> str:
    # As Django looks an account up: blanks around and letters of other widths make no other name.
    name = unicodedata.normalize("NFKC", account).strip().casefold()
    return address_hash(f"{network(_address(request))} {name}".rstrip())


def _address(request: HttpRequest) -> str:
    if settings.TRUSTS_PROXY and (forwarded := request.headers.get("X-Forwarded-For")):
        # The last entry is the one our own proxy added; those before it are the client's word.
        return forwarded.split(",")[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def network(address: str) -> str:
    """What one person commands: an address of IPv4, a /64 of IPv6; a port that a proxy adds says nothing."""
    bare = address.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ip_address(bare.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, 64), strict=False))
    return str(found)
