"""From an address to a study: ``/s/KEY/`` is taken off, and everything behind it is about that study alone."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from accord.server.pages import OPENED
from accord.server.serving import in_study, in_workspace
from accord.server.workspace.studies import mark_of, opened

__all__ = ["Studies"]

_PREFIX = "/s/"


class Studies:
    """Between the gateway and Django: enters the study of the request, or the workspace itself."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        """The answer is taken whole inside of the study: a table that is written row by row needs its database."""
        path = environ["PATH_INFO"]
        key, slash, rest = path[len(_PREFIX) :].partition("/") if path.startswith(_PREFIX) else ("", "", "")
        place = opened(key) if slash else None
        if place is not None:
            environ["SCRIPT_NAME"], environ["PATH_INFO"] = place.prefix, f"/{rest}"
            environ[OPENED] = mark_of(place)
        with in_study(place) if place is not None else in_workspace():
            chunks = self._application(environ, start_response)
            try:
                yield from chunks
            finally:
                if (close := getattr(chunks, "close", None)) is not None:
                    close()
