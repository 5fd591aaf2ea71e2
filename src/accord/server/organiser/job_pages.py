"""The page of reports and files: what can be made, what is being made, and what was made."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string

from accord.errors import InputError
from accord.server.blinding import are_named
from accord.server.models import Judgement
from accord.server.models_organiser import Job
from accord.server.organiser import jobs
from accord.server.organiser.pages import organiser_view, show, who
from accord.server.workspace.colleagues import may_open

__all__ = ["begin", "cancel", "file_of", "live", "overview", "result"]

_FILES = (
    "ratings",
    "judgements",
    "analysed",
    "questionnaire",
    "background",
    "timings",
    "suggestions",
    "exclusions",
    "decisions",
    "revisions",
    "designers",
    "arbitration",
    "access",
)
_TYPES = {".html": "text/html; charset=utf-8", ".zip": "application/zip"}


@organiser_view("GET")
def overview(request: HttpRequest) -> HttpResponse:
    """What can be made, and what was."""
    return _page(request)


def _page(request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
    files = [(name, jobs.KINDS[name].title) for name in _FILES if name in jobs.KINDS]
    context = {
        "jobs": jobs.shown_jobs(),
        "forms": jobs.FORMS,
        "files": files,
        "has_any": Judgement.objects.exists(),
        "named": are_named(),
        "may_know": _may_know(request),
        "problem": problem,
    }
    return show(request, "reports", context, here="organiser-reports", status=status)


def _may_know(request: HttpRequest) -> bool:
    """Whether files with the systems' names are for this person: before unblinding, for who may unblind."""
    return are_named() or may_open(request.user, "organiser-ask-unblind")


@organiser_view("GET")
def live(request: HttpRequest) -> HttpResponse:
    """The list of jobs, for the page that is open."""
    shown = jobs.shown_jobs()
    context = {"jobs": shown, "may_know": _may_know(request)}
    html = render_to_string("organiser/parts/jobs.html", context, request)
    return JsonResponse({"parts": {"jobs": html}, "computing": False})


@organiser_view("POST")
def begin(request: HttpRequest) -> HttpResponse:
    """Begin to make something."""
    kind = request.POST.get("kind", "")
    try:
        jobs.begin(jobs.with_names(kind) if request.POST.get("named") == "yes" else kind, who(request))
    except InputError as error:
        return _page(request, str(error), 400)
    return redirect("organiser-reports")


@organiser_view("POST")
def cancel(request: HttpRequest, key: int) -> HttpResponse:
    """Stop a job."""
    jobs.cancel(get_object_or_404(Job, pk=key))
    return redirect("organiser-reports")


@organiser_view("GET")
def result(request: HttpRequest, key: int) -> HttpResponseBase:
    """The file as it was made; to keep, as its own scripts would not run under the rules of these pages."""
    job = get_object_or_404(Job, pk=key)
    made = file_of(job) if _may_know(request) or not jobs.says_names(job) else None
    if made is None:
        raise Http404
    return made


def file_of(job: Job) -> FileResponse | None:
    """What a job made, to be kept; None where there is nothing, or no longer."""
    path = jobs.path_of(job)
    if path is None:
        return None
    # Whoever has both files on a disk sees which of them may be sent to whom.
    name = f"{job.kind.partition('-')[0]}{'-with-names' if jobs.says_names(job) else ''}{path.suffix}"
    kind = _TYPES.get(path.suffix, "text/plain; charset=utf-8")
    return FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type=kind)
