"""After whatever was done in a study of a workspace its card at home is out of date."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from accord.server.serving import served
from accord.server.workspace.cards import touch

__all__ = ["Touching"]

_LOOKS = ("GET", "HEAD", "OPTIONS")
_SAVES = "/save"
"""Judgements come by the thousand: what they change is counted from time to time."""


class Touching:
    """Django middleware that notes what was done, by organisers, raters and programs alike."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method not in _LOOKS and not request.path_info.endswith(_SAVES) and (place := served()) is not None:
            touch(place)
        return response
