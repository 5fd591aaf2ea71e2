"""Start the web server on a study folder, safely by default."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

from accord.errors import OperationError, OptionError
from accord.server.environment import is_loopback

__all__ = ["check_port", "first_organiser_link", "refuse_unsafe", "run", "web_address"]

_HEADER_MILLISECONDS = 10_000


def refuse_unsafe(host: str) -> None:
    """A server that others can reach needs a public https address, a secret and no debugging."""
    if is_loopback(host) or os.environ.get("ACCORD_ORIGIN"):
        return
    raise OptionError(
        f"Other machines can reach {host}. To serve in public, set ACCORD_ORIGIN=https://your.address and put a proxy "
        "that speaks https in front (see the page on deployment), or leave --host out to serve this machine only."
    )


def web_address(host: str, port: int) -> str:
    """Where people find the server."""
    origin = os.environ.get("ACCORD_ORIGIN", "").rstrip("/")
    return origin or f"http://{f'[{host}]' if ':' in host else host}:{port}"


def first_organiser_link(address: str, *, always: bool = False) -> str | None:
    """A link that makes an organiser's account, if there is none yet; older links stop working."""
    from django.contrib.auth import get_user_model
    from django.db import transaction

    from accord.server.models import OrganiserLink
    from accord.server.tokens import new_token, token_hash

    if get_user_model()._default_manager.exists() and not always:
        return None
    token = new_token()
    with transaction.atomic():
        OrganiserLink.objects.filter(used_at=None).delete()
        OrganiserLink.objects.create(token_hash=token_hash(token))
    return f"{address}/setup/{token}"


def run(folder: Path, host: str, port: int, workers: int, started: Callable[[], None] = lambda: None) -> None:
    """Serve until stopped; the tables must be prepared."""
    from django.db import connections
    from granian import Granian
    from granian.constants import Interfaces
    from granian.http import HTTP1Settings

    from accord.server.serving import is_workspace

    check_port(host, port)
    # A workspace was named when it was prepared; which of its studies is meant is asked anew for each request.
    os.environ |= {"ACCORD_WORKER": "1"} | ({} if is_workspace() else {"ACCORD_STUDY": str(folder.resolve())})
    # Workers open connections of their own; an inherited one would be shared by accident.
    connections.close_all()
    server = Granian(
        "accord.server.wsgi:gateway", address=host, port=port, interface=Interfaces.RSGI, workers=workers,
        http1_settings=HTTP1Settings(header_read_timeout=_HEADER_MILLISECONDS), log_access=False, websockets=False,
        respawn_failed_workers=True, backlog=2048, log_level="warning",
    )  # fmt: skip
    started()
    server.serve()


def check_port(host: str, port: int) -> None:
    """Raise in words if somebody else listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise OperationError(f"Cannot listen on {host}:{port} ({error.strerror}). Try --port {port + 1}.") from None
