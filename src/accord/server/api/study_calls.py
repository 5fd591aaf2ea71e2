"""What a program may ask about the study as a whole: create it, show it, close it, its report and files."""

from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from ninja.errors import AuthorizationError
from pydantic import Field

from accord.design.preset import PRESETS
from accord.server.api import answers
from accord.server.api.scopes import LOOK, Answer, by, file_answer, organiser, token_in
from accord.server.api.shapes import File, OneOf, Shape
from accord.server.blinding import are_named, unblind
from accord.server.closing import change_study, study_state
from accord.server.creating import create_study
from accord.server.invitations import free_places
from accord.server.models_organiser import ApiToken, Job, StudyEvent
from accord.server.organiser import jobs
from accord.server.organiser.job_pages import file_of
from accord.server.organiser.jobs import is_report
from accord.server.reporting import report_html
from accord.server.study import current

__all__: list[str] = []


class _NewStudy(Shape):
    preset: Annotated[str, OneOf(*PRESETS)] = ""
    files: Annotated[list[File], Field(max_length=20, default_factory=list)]


class _StudyChange(Shape):
    action: Annotated[str, OneOf(*StudyEvent.Action.values)]


class _Named(Shape):
    named: bool


class _NewJob(Shape):
    kind: Annotated[str, OneOf(*jobs.KINDS)]


@organiser.get("study", auth=LOOK, response=answers.Study)
def show_study(request: HttpRequest) -> Answer:
    """The study: criteria, scenarios, declared rules, free places."""
    study = current()
    return {
        "title": study.title, "state": study_state(), "unblinded": are_named(),
        "fingerprint": study.study.fingerprint, "free_places": free_places(),
        "criteria": [{"key": c.key, "question": c.question, "kind": c.kind} for c in study.settings.criteria],
        "scenarios": [{"key": s.key, "kind": s.kind} for s in study.settings.scenarios],
        "documents": len(study.study.documents), "items": len(study.study.items),
        "exclusions": [rule.model_dump() for rule in study.settings.exclusions],
    }  # fmt: skip


@organiser.put("study")
def create(request: HttpRequest, body: _NewStudy) -> Answer:
    """Create the study of this server, from a preset, from files, or both, until somebody is invited."""
    create_study(body.preset, {one.name: one.text for one in body.files}, by(request))
    return show_study(request)


@organiser.get("report", auth=LOOK, openapi_extra=file_answer("text/html"))
def report(request: HttpRequest) -> HttpResponse:
    """The report on what was collected so far, as HTML."""
    return HttpResponse(report_html(), content_type="text/html; charset=utf-8")


@organiser.post("study/state")
def change_state(request: HttpRequest, body: _StudyChange) -> Answer:
    """Close the study, open it again, archive it or take it back; what was collected stays."""
    return {"state": change_study(body.action, by(request))}


@organiser.post("study/unblinding")
def unblind_systems(request: HttpRequest, body: _Named) -> Answer:
    """Show organisers the names of the systems, or hide them again; who did it is kept. Raters never see them."""
    unblind(by(request), named=body.named)
    return {"unblinded": are_named()}


@organiser.get("jobs", auth=LOOK, response=answers.Jobs)
def list_jobs(request: HttpRequest) -> Answer:
    """Reports and files that were made or are being made, newest first, and what can be made."""
    return {"jobs": [_job(one["job"]) for one in jobs.shown_jobs()], "kinds": list(jobs.KINDS)}


@organiser.post("jobs", response={201: answers.Job})
def begin_job(request: HttpRequest, body: _NewJob) -> Answer:
    """Begin to make a report or a file, beside the server; one that is being made already is not made twice."""
    return _job(jobs.begin(body.kind, by(request)))


@organiser.get("jobs/{int:job}", auth=LOOK, response=answers.Job)
def show_job(request: HttpRequest, job: int) -> Answer:
    """How far a job is: running, done, failed or cancelled."""
    jobs.bury_the_dead()
    return _job(_known_job(job))


@organiser.delete("jobs/{int:job}")
def cancel_job(request: HttpRequest, job: int) -> Answer:
    """Cancel a job; one that has ended stays as it is."""
    jobs.cancel(_known_job(job))
    return _job(_known_job(job))


@organiser.get("jobs/{int:job}/file", auth=LOOK, openapi_extra=file_answer("application/octet-stream"))
def fetch_job(request: HttpRequest, job: int) -> HttpResponseBase:
    """What a job made, as a file; those who only look get reports."""
    known, may_all = _known_job(job), token_in(request).scope == ApiToken.Scope.ORGANISER
    if not is_report(known) and not may_all:
        raise AuthorizationError(message="Files hold what single people gave: this needs an organiser.")
    if jobs.says_names(known) and not are_named() and not may_all:
        raise AuthorizationError(message="The study is blinded and this file names systems: this needs an organiser.")
    made = file_of(known)
    if made is None:
        raise Http404("There is no file of this job: it is not done, or its file was removed to make room.")
    return made


def _known_job(key: int) -> Job:
    found = Job.objects.filter(pk=key).first()
    if found is None:
        raise Http404("There is no such job.")
    return found


def _job(job: Job) -> Answer:
    return {
        "id": job.pk, "kind": job.kind, "state": job.state, "done": round(job.done, 2), "problem": job.problem,
        "by": job.by, "begun_at": job.begun_at.isoformat(),
        "finished_at": job.finished_at.isoformat() if job.finished_at else None, "bytes": job.size,
        "has_file": jobs.path_of(job) is not None,
    }  # fmt: skip
