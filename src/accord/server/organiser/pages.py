"""What every page of the organiser shares: who may see it, and the menu."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accord.server.access import organiser_only

__all__ = ["organiser_view", "show", "text_of", "who"]

View = Callable[..., HttpResponseBase]


def organiser_view(*methods: str) -> Callable[[View], View]:
    """A page for organisers only, by these methods only."""

    def decorate(view: View) -> View:
        return organiser_only(require_http_methods(list(methods))(view))

    return decorate


def show(request: HttpRequest, template: str, context: dict[str, Any], *, here: str, status: int = 200) -> HttpResponse:
    """Render a page; ``here`` is the entry of the menu that is marked."""
    return render(request, f"organiser/{template}.html", {"here": here, **context}, status=status)


def who(request: HttpRequest) -> str:
    """The name under which a decision is recorded."""
    return str(request.user.get_username())


def text_of(request: HttpRequest, name: str, longest: int = 5_000) -> str:
    """A text field of a form, trimmed."""
    return request.POST.get(name, "").replace("\x00", "").strip()[:longest]
