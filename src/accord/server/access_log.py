"""Keep who saw or took what raters gave: a page of one person, a file, a change. Addresses are not kept."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from accord.server.models_organiser import Access

__all__ = ["AccessLog", "note_access"]

_LONGEST = 500
_LOOKED_AT = {
    "organiser-comments", "organiser-export", "organiser-file", "organiser-item", "organiser-judgements",
    "organiser-pair", "organiser-rater", "organiser-report-file",
}  # fmt: skip
"""Pages and files that hold what a person said; the dashboard holds counts."""


class AccessLog:
    """Middleware: notes what an organiser opens or changes once it was answered."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._answer(request)
        name = request.resolver_match.url_name if request.resolver_match is not None else ""
        changed = request.method == "POST" and (name or "").startswith("organiser")
        if response.status_code < 400 and (changed or name in _LOOKED_AT) and request.user.is_authenticated:
            note_access(request.user.get_username(), f"{request.method} {request.path}")
        return response


def note_access(by: str, what: str) -> None:
    """One line of the log."""
    Access.objects.create(by=by, what=what[:_LONGEST])
