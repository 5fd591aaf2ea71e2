"""Headers on every answer: scripts and styles only from here, no frames, nothing cached that is personal."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accord.errors import InputError, NotEnoughDataError

__all__ = ["Headers", "policy", "shown_study"]

_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def policy(**changed: str) -> str:
    """What a page may load and do; ``frame_src`` and the like say what one page does otherwise."""
    rules = _POLICY | {name.replace("_", "-"): words for name, words in changed.items()}
    return "; ".join(f"{name} {words}" for name, words in rules.items())


_CONTENT_SECURITY_POLICY = policy()
_PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class Headers:
    """Django middleware that adds what its own security middleware does not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", _CONTENT_SECURITY_POLICY)
        response.setdefault("Permissions-Policy", _PERMISSIONS)
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.setdefault("Cache-Control", "no-store")
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """What the user gave cannot be used, or is too little: the same sentence as on the command line."""
        if not isinstance(error, InputError | NotEnoughDataError):
            return None
        return render(request, "accord/message.html", {"message": str(error)}, status=400)


def shown_study(request: HttpRequest) -> dict[str, str]:
    """What every page may say of the study, and where the home of all studies is if there is one."""
    from accord.server.serving import is_workspace, served
    from accord.server.study import current

    if not is_workspace():
        return {"study_title": current().title, "workspace_home": ""}
    if (place := served()) is None:
        return {"study_title": "Accord", "workspace_home": "/"}
    return {"study_title": current().title, "workspace_home": "/", "study_key": place.key}
