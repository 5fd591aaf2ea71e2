"""The language of buttons and messages: what the reader chose, else what the study or the browser says."""

from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from accord.server.serving import is_workspace, served
from accord.server.study import current

__all__ = ["StudyLanguage", "chosen_language", "declared_language", "language_of", "language_of_rater"]

_ORGANISING = ("/organiser", "/setup/")


class StudyLanguage:
    """Django middleware; the choice lives in a cookie of the reader."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.setdefault("Content-Language", language)
        return response


def language_of(request: HttpRequest) -> str:
    """The language in which this request is answered."""
    if chosen := chosen_language(request):
        return _nearest_language(chosen)
    # Raters read what the study says; whoever organises need not speak it, so there the browser says.
    if request.path_info.startswith(_ORGANISING) or (is_workspace() and served() is None):
        return _of_browser(request.headers.get("Accept-Language", ""))
    return _nearest_language(declared_language())


def chosen_language(request: HttpRequest) -> str:
    """What the reader chose; empty where nothing was chosen."""
    return request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")


def language_of_rater(chosen: str, declared: str) -> str:
    """What a rater reads: what was chosen, else what the study says."""
    return _nearest_language(chosen or declared)


def declared_language() -> str:
    """What the study says; the home of a workspace belongs to no study."""
    if is_workspace() and served() is None:
        return str(settings.LANGUAGE_CODE)
    return current().settings.ui_language


def _of_browser(header: str) -> str:
    """The first language of the browser that the pages speak."""
    for code, _weight in parse_accept_lang_header(header.lower()):
        found = _nearest_language(code)
        if found.split("-")[0] == code.split("-")[0]:
            return found
    return str(settings.LANGUAGE_CODE)


@lru_cache
def _nearest_language(code: str) -> str:
    """The nearest language there is: pt-BR is served as pt, zh as zh-hans."""
    names: list[str] = [name for name, _ in settings.LANGUAGES]
    exact, base = code.lower(), code.lower().split("-")[0]
    return next((name for name in names if name == exact), None) or next(
        (name for name in names if name.split("-")[0] == base), str(settings.LANGUAGE_CODE)
    )
