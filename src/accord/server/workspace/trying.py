"""The rating page of a draft, as raters will have it; whatever is answered there is acknowledged and kept nowhere."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import get_script_prefix, set_script_prefix
from django.urls.base import get_urlconf, set_urlconf
from django.utils import translation

from accord.design.assignment.plan import Role
from accord.errors import AccordError
from accord.server.handing_out import current_plan, task_of
from accord.server.languages import declared_language, language_of_rater
from accord.server.models import GuidelineVersion, Rater
from accord.server.phrases import phrases
from accord.server.prose import markdown_to_html
from accord.server.security import policy
from accord.server.serving import in_study
from accord.server.study import current
from accord.server.views.rater import work_content
from accord.server.workspace.drafts import Draft
from accord.server.workspace.wizard import draft_step

__all__ = ["try_it"]

_MOST_SCREENS = 12
_NO_WORKER = "self.addEventListener('install', () => self.registration.unregister());\n"


@draft_step("GET", "POST")
def try_it(request: HttpRequest, draft: Draft, rest: str = "") -> HttpResponse:
    """Every address of the rating page below the draft: its page, its saving, and nothing else."""
    if rest == "save" and request.method == "POST":
        return _acknowledged(request)
    if rest == "offline.js":
        return HttpResponse(_NO_WORKER, content_type="text/javascript; charset=utf-8")
    if rest == "language" and request.method == "POST":
        # The page of the raters changes its language, not the wizard around it: so the choice is no cookie.
        return redirect(f"/new/{draft.place.key}/try/work?{urlencode({'language': request.POST.get('language', '')})}")
    try:
        with in_study(draft.place), _below(f"/new/{draft.place.key}/try/"), _spoken(request):
            response = render(request, "accord/work.html", _page())
    except AccordError as error:
        response = render(request, "accord/message.html", {"message": str(error)}, status=400)
    # Shown beside the questions, inside of a page of this very server and of no other.
    response["Content-Security-Policy"] = policy(frame_ancestors="'self'")
    response["X-Frame-Options"] = "SAMEORIGIN"
    return response


def _page() -> dict[str, Any]:
    study, plan = current(), current_plan()
    name = plan.raters[0]
    rater = Rater(pk=0, pseudonym=name, slot=0, group=plan.groups[0])
    # A spoilt copy that checks raters would look like a text that came in broken.
    own = [task for task in plan.tasks_of(name) if task.role == Role.SYSTEM.key]
    tasks = [task_of(task, rater) for task in own[:_MOST_SCREENS]]
    for number, task in enumerate(tasks, start=1):
        task.pk = number
    guideline = GuidelineVersion(number=1, text=study.study.guidelines)
    return {
        "guideline": guideline,
        "html": markdown_to_html(guideline.text),
        "changed": "",
        "words": phrases(),
        "asked": [],
        "work": work_content(study, rater, tasks, 1),
    }


@contextmanager
def _spoken(request: HttpRequest) -> Iterator[None]:
    """In the language that was chosen on the page; else in that of the study, as raters will have it."""
    chosen = request.GET.get("language", "")
    known = chosen if chosen in dict(settings.LANGUAGES) else ""
    with translation.override(language_of_rater(known, declared_language())):
        yield


@contextmanager
def _below(prefix: str) -> Iterator[None]:
    """Addresses of a study are made below this one."""
    before, urls = get_script_prefix(), get_urlconf()
    set_script_prefix(prefix)
    set_urlconf("accord.server.urls")
    try:
        yield
    finally:
        set_script_prefix(before)
        set_urlconf(urls)


def _acknowledged(request: HttpRequest) -> JsonResponse:
    try:
        entries = json.loads(request.body)["entries"]
        uuids = [str(entry["uuid"]) for entry in entries]
    except (ValueError, KeyError, TypeError):
        return JsonResponse({"error": "The request is not JSON."}, status=400)
    return JsonResponse({"results": [{"uuid": uuid, "status": "saved"} for uuid in uuids]})
