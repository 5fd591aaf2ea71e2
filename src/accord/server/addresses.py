"""Links that are sent to people: where they lead, and whether anybody elsewhere can open them."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from accord.server.environment import is_loopback

__all__ = ["is_only_here", "whole_address"]


def whole_address(request: HttpRequest, path: str) -> str:
    """The address of a path as it is sent to somebody: at the public address where the server was told one."""
    return f"{settings.PUBLIC_ORIGIN}{path}" if settings.PUBLIC_ORIGIN else request.build_absolute_uri(path)


def is_only_here(request: HttpRequest) -> bool:
    """Whether the links that are made now open on this computer only."""
    host = urlsplit(whole_address(request, "/")).hostname or ""
    return is_loopback(host) or host.endswith(".localhost")
