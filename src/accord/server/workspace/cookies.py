"""Cookies of a workspace: its own session beside those of the studies, each of which reaches one study only."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accord.server.serving import is_workspace, served

__all__ = ["WORKSPACE_COOKIE", "WorkspaceCookies"]

WORKSPACE_COOKIE = "accord_workspace"
RETURN_COOKIE = "accord_return"
_URLS = "accord.server.workspace.urls"


class WorkspaceCookies:
    """Django middleware: at home the session has another name; in a study it is sent to that study's addresses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_workspace():
            return self.get_response(request)
        place = served()
        return self._at_home(request) if place is None else self._in_study(request, place.prefix)

    def _at_home(self, request: HttpRequest) -> HttpResponse:
        name = settings.SESSION_COOKIE_NAME
        request.urlconf = _URLS  # type: ignore[attr-defined]
        request.COOKIES.pop(name, None)
        if WORKSPACE_COOKIE in request.COOKIES:
            request.COOKIES[name] = request.COOKIES[WORKSPACE_COOKIE]
        response = self.get_response(request)
        if name in response.cookies:
            morsel = response.cookies.pop(name)
            response.cookies[WORKSPACE_COOKIE] = morsel.value
            response.cookies[WORKSPACE_COOKIE].update(morsel)
        return response

    def _in_study(self, request: HttpRequest, prefix: str) -> HttpResponse:
        response = self.get_response(request)
        for name in (settings.SESSION_COOKIE_NAME, RETURN_COOKIE):
            if name in response.cookies:
                response.cookies[name]["path"] = f"{prefix}/"
        return response
