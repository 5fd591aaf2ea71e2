"""Saving: the one address to which the rater's browser sends what was answered."""

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from accord.server.access import rater_only
from accord.server.models import Rater
from accord.server.recording import record

__all__ = ["save"]

_MOST_ENTRIES = 50


@require_POST
@rater_only
def save(request: HttpRequest, rater: Rater) -> HttpResponse:
    """Record each entry in a transaction of its own and acknowledge it by its uuid."""
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        return _refused("The request is not JSON.")
    entries = body.get("entries") if isinstance(body, dict) else None
    if not isinstance(entries, list) or not 1 <= len(entries) <= _MOST_ENTRIES:
        return _refused(f"Send a list of 1 to {_MOST_ENTRIES} entries.")
    return JsonResponse({"results": [record(rater, entry, is_page=True).to_dict() for entry in entries]})


def _refused(why: str) -> HttpResponse:
    return JsonResponse({"error": why}, status=400)
