"""What was just done, said once on the next page, with a button that takes it back."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

__all__ = ["say_done", "taken_toast"]

_KEY = "toast"


def say_done(request: HttpRequest, words: str, undo: str = "", fields: Mapping[str, str] | None = None) -> None:
    """Keep the words for the next page; ``undo`` is the address that a press on Undo is sent to, with these fields."""
    request.session[_KEY] = {"words": words, "undo": undo, "fields": dict(fields or {})}


def taken_toast(request: HttpRequest) -> dict[str, Any] | None:
    """The words, if there are any; they are said once."""
    told: dict[str, Any] | None = request.session.pop(_KEY, None) if hasattr(request, "session") else None
    return told
