"""Saving: the one address to which the rater's browser sends what was answered."""

import json
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from accord.errors import InputError
from accord.server.access import rater_only
from accord.server.models import Rater
from accord.server.recording import Delivery, Outcome, Sender, record_together

__all__ = ["acknowledgement", "entries_of", "save"]

_MOST_ENTRIES = 50


@require_POST
@rater_only
def save(request: HttpRequest, rater: Rater) -> HttpResponse:
    """Record the entries in one transaction and acknowledge each by its uuid."""
    try:
        entries = entries_of(request.body)
    except InputError as error:
        return JsonResponse({"error": str(error)}, status=400)
    return JsonResponse(acknowledgement(record_together([Delivery(rater, entries, is_page=True)])[0], rater))


def entries_of(body: bytes) -> list[Any]:
    """What a request wants saved; each entry is looked at later."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise InputError("The request is not JSON.") from None
    entries = sent.get("entries") if isinstance(sent, dict) else None
    if not isinstance(entries, list) or not 1 <= len(entries) <= _MOST_ENTRIES:
        raise InputError(f"Send a list of 1 to {_MOST_ENTRIES} entries.")
    return entries


def acknowledgement(outcomes: Iterable[Outcome], rater: Sender) -> dict[str, Any]:
    """What the browser is told of each entry, and whether a new version of the guidelines waits to be read."""
    told = {"results": [outcome.to_dict() for outcome in outcomes]}
    return told if rater.guidelines_read else {**told, "read": True}
