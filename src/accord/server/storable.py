"""What may enter the database: text, numbers and times that every database keeps and every export can write.

Whatever passes here can be read back. A lone half of a surrogate pair cannot be written as UTF-8, PostgreSQL keeps no
NUL, a number of 401 digits has no place in a float, and a date of the year 1 is before any clock a rater may have.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from math import isfinite
from typing import Any
from urllib.parse import unquote_to_bytes

from django.core.exceptions import BadRequest, SuspiciousMultipartForm
from django.core.files.uploadhandler import MemoryFileUploadHandler, StopFutureHandlers
from django.http import HttpRequest, HttpResponseBase
from django.utils.dateparse import parse_datetime

from accord.server.serving import is_workspace

__all__ = ["FilesWhereAsked", "StorableForms", "storable_time", "takes_files", "takes_much", "why_not_storable"]

_LARGEST_NUMBER = 2**53
"""Whole numbers up to here are the same in JSON, Python, JavaScript and every database."""
_DEEPEST = 8
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)


def why_not_storable(value: Any, depth: int = 0) -> str:
    """Why this part of a request cannot be kept, in words; empty if it can."""
    if isinstance(value, str):
        return _why_not_text(value)
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        fits = abs(value) <= _LARGEST_NUMBER if isinstance(value, int) else isfinite(value)
        return "" if fits else "a number is too large"
    if depth >= _DEEPEST:
        return "it is nested too deeply"
    parts = [*value.keys(), *value.values()] if isinstance(value, dict) else list(value)
    return next((why for part in parts if (why := why_not_storable(part, depth + 1))), "")


def _why_not_text(text: str) -> str:
    if "\x00" in text:
        return "a text holds the character NUL"
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: there is nothing else that UTF-8 cannot write
        return "a text holds an incomplete character"
    return ""


def storable_time(told: Any, now: datetime) -> datetime:
    """The rater's clock where it makes sense; one that runs ahead, or stands in another century, gives way to ours."""
    try:
        time = parse_datetime(told) if isinstance(told, str) else None
        sensible = time is not None and time.tzinfo is not None and _EARLIEST <= time <= now
    except (ValueError, OverflowError):
        return now
    return time.astimezone(UTC) if time is not None and sensible else now


class StorableForms:
    """Django middleware: the address and the fields of a form pass the same check, before any view looks at them.

    Bodies of JSON are looked at where they are read, entry by entry. Forms and addresses are decoded as UTF-8, which
    leaves no half of a character; NUL is what remains.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *args: Any) -> None:
        asked = request.path + request.META.get("QUERY_STRING", "")
        if b"\x00" in unquote_to_bytes(asked) or why_not_storable(dict(request.POST.lists())):
            raise BadRequest("The request holds the character NUL.")


_TAKES_FILES = re.compile(r"/(new/[^/]+/texts|import)")
"""Addresses of a workspace, outside of every study, to which texts and study folders are sent."""


_TAKES_MUCH = re.compile(r"(/s/[^/]+)?/api/v1/study|/api/v1/studies(/zip)?")
"""Addresses to which a program sends the files of a study."""


def takes_files(path: str) -> bool:
    """Whether a form at this address takes a file."""
    return _TAKES_FILES.fullmatch(path) is not None


def takes_much(path: str) -> bool:
    """Whether this address takes a request that is larger than others."""
    return takes_files(path) or _TAKES_MUCH.fullmatch(path) is not None


class FilesWhereAsked(MemoryFileUploadHandler):
    """Where no file is asked for, a part of a form that is one is refused before a byte of it is kept."""

    def handle_raw_input(self, *args: Any, **options: Any) -> None:
        # How much may arrive is decided before, by the gateway.
        self.activated = True

    def new_file(self, *args: Any, **options: Any) -> None:
        # The path of the request as the browser sent it: below /s/KEY/ nothing takes files.
        if self.request is None or not is_workspace() or not takes_files(self.request.path):
            raise SuspiciousMultipartForm("This address takes no files.")
        with suppress(StopFutureHandlers):  # there are none
            super().new_file(*args, **options)
