"""The worker that keeps a rater's page at hand while the line is down."""

import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.http import require_GET

__all__ = ["worker"]

_FOLDER = Path(__file__).parent.parent / "static" / "accord"
_WORKER = "offline.js"


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """At the root, so that it may answer for every page; it holds nothing of any rater."""
    return HttpResponse(_script(), content_type="text/javascript; charset=utf-8")


@cache
def _script() -> str:
    assets = [static(f"accord/{path.name}") for path in sorted(_FOLDER.iterdir()) if path.name != _WORKER]
    assets.append(static("look/tokens.css"))
    names = {"STATIC": settings.STATIC_URL, "ASSETS": assets}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in names.items())
    return head + (_FOLDER / _WORKER).read_text(encoding="utf-8")
