"""The rater's path: welcome, about you, guidelines, work, come back for the next part, questionnaire, thanks."""

from collections.abc import Iterable
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from accord.design.study import Scenario
from accord.design.working_time import expected_seconds, paid_minutes
from accord.server.access import rater_only
from accord.server.guidelines import latest
from accord.server.headings import heading
from accord.server.held import held
from accord.server.models import Judgement, QuestionnaireAnswer, Rater, RaterState, Remark, Task
from accord.server.phases import closed_phases, gates
from accord.server.phrases import phrases
from accord.server.progress import current_judgements
from accord.server.prose import markdown_to_html
from accord.server.questionnaire import ABOUT_YOU, answers_of, check_answer, open_questions, parts_for
from accord.server.screens import WorkPage, describe_criterion, spoken
from accord.server.standing import standing
from accord.server.study import PRACTICE, LoadedStudy, current

__all__ = [
    "about_you",
    "come_back",
    "guidelines",
    "leave",
    "questionnaire",
    "thanks",
    "welcome",
    "work",
    "work_content",
]

_LATEST_REVISION = 1_000_000
_ALL = ["source", "reference"]
"""What a practice item shows beside the text."""


def _next_step(rater: Rater, study: LoadedStudy) -> str:
    """The first part of the path that is not done yet."""
    if rater.started_at is None:
        return "welcome"
    known = answers_of(rater)
    if any(question.required and (ABOUT_YOU, question.key) not in known for question in study.settings.rater_questions):
        return "about-you"
    if not rater.guidelines_read:
        return "guidelines"
    stands = standing(study, rater)
    if not stands.is_finished:
        return "work" if stands.has_work else "come-back"
    return "questionnaire" if open_questions(rater, study.settings) else "thanks"


@require_http_methods(["GET", "POST"])
@rater_only
def welcome(request: HttpRequest, rater: Rater) -> HttpResponse:
    """Say what it is about and ask for consent; who has been here goes on where they were."""
    study = current()
    if rater.started_at is not None:
        return redirect(_next_step(rater, study))
    consent = study.settings.consent
    missing = request.method == "POST" and consent is not None and consent.required and not request.POST.get("consent")
    if request.method == "POST" and not missing:
        now = timezone.now()
        with held(rater):
            rater.started_at, rater.state = now, RaterState.ACTIVE
            rater.consent_at = now if request.POST.get("consent") else None
            rater.save(update_fields=["started_at", "state", "consent_at"])
        return redirect("about-you" if study.settings.rater_questions else _next_step(rater, study))
    reserve = [gate.phase.key for gate in gates() if gate.phase.reserve and not gate.is_open]
    tasks = list(rater.tasks.exclude(role=PRACTICE).exclude(phase__in=reserve).order_by("order"))
    pages = {screen["context"] for screen in WorkPage(study, rater.group).screens(tasks)}
    context = {
        "consent": consent,
        "consent_text": spoken(consent.text) if consent else "",
        "missing": missing,
        "tasks": len(tasks),
        "pages": len(pages),
        "minutes": _minutes(study, tasks),
        "around": round(study.settings.cost.minutes_fixed),
        "has_practice": rater.tasks.filter(role=PRACTICE).exists(),
        "has_questions": bool(study.settings.rater_questions or study.settings.questionnaire),
    }
    return render(request, "accord/welcome.html", context)


def _minutes(study: LoadedStudy, tasks: list[Task]) -> int:
    seconds = [expected_seconds(study.settings, task.scenario) for task in tasks]
    return max(1, round(paid_minutes(study.settings, seconds)))


@require_http_methods(["GET", "POST"])
@rater_only
def about_you(request: HttpRequest, rater: Rater) -> HttpResponse:
    """What the study asks about the rater; they see and correct it until they finish."""
    study = current()
    if rater.started_at is None:
        return redirect("welcome")
    questions = study.settings.rater_questions
    step = _next_step(rater, study)
    if not questions or (rater.finished_at is not None and step != "about-you"):
        return redirect(step)
    known = answers_of(rater)
    given = {question.key: known.get((ABOUT_YOU, question.key)) or "" for question in questions}
    missing = False
    if request.method == "POST":
        given = {question.key: request.POST.get(question.key, "").strip() for question in questions}
        missing = any(question.required and not given[question.key] for question in questions)
        if not missing:
            with held(rater):
                _keep_answers(rater, study, known, {(ABOUT_YOU, key): text for key, text in given.items()})
            return redirect(_next_step(rater, study))
    asked = [{"question": question, "given": given[question.key]} for question in questions]
    return render(request, "accord/about_you.html", {"asked": asked, "missing": missing, "owner": rater.owner})


def _keep_answers(
    rater: Rater, study: LoadedStudy, known: dict[tuple[str, str], object], given: dict[tuple[str, str], str]
) -> None:
    """What is new or differs, after all that was said before; an answer that was taken back is an empty one."""
    revision = 1 + max(rater.answers.values_list("revision", flat=True), default=0)
    for (scenario, question), text in given.items():
        is_taken_back = scenario == ABOUT_YOU and not text
        value = None if is_taken_back else check_answer(study.settings, scenario, question, text)
        if known.get((scenario, question)) != value:
            QuestionnaireAnswer.objects.create(
                uuid=uuid4(), rater=rater, question=question, scenario=scenario, value=value, revision=revision
            )


@require_http_methods(["GET", "POST"])
@rater_only
def guidelines(request: HttpRequest, rater: Rater) -> HttpResponse:
    """The guidelines, before the first task and whenever asked for."""
    version = latest()
    if request.method == "POST":
        rater.guidelines_read = version.number
        rater.save(update_fields=["guidelines_read"])
        return redirect(_next_step(rater, current()))
    return render(request, "accord/guidelines.html", {"guideline": version, "html": markdown_to_html(version.text)})


@require_http_methods(["GET", "POST"])
@rater_only
def work(request: HttpRequest, rater: Rater) -> HttpResponse:
    """All screens of the rater with the answers so far; questions to the organiser are posted here."""
    study = current()
    if rater.started_at is None or not rater.guidelines_read:
        return redirect(_next_step(rater, study))
    if request.method == "POST":
        if text := request.POST.get("question", "").strip()[:5000]:
            with held(rater):
                Remark.objects.create(uuid=uuid4(), rater=rater, about=Remark.About.QUESTION, text=text)
        return redirect("work")
    version = latest()
    tasks = list(rater.tasks.exclude(phase__in=closed_phases()).order_by("order"))
    if not tasks:
        return redirect("come-back")
    context = {
        "guideline": version,
        "html": markdown_to_html(version.text),
        "changed": version.change if version.number > 1 else "",
        "work": _work(study, rater, tasks, version.number),
        "words": phrases(),
        "asked": rater.remarks.filter(about=Remark.About.QUESTION),
        "about_you": bool(study.settings.rater_questions) and rater.finished_at is None,
    }
    return render(request, "accord/work.html", context)


def _work(study: LoadedStudy, rater: Rater, tasks: list[Task], guideline: int) -> dict[str, object]:
    judgements = current_judgements([task.pk for task in tasks])
    remarks = {(r.task_id, r.about): r for r in rater.remarks.exclude(task=None).order_by("revision", "id")}
    return work_content(study, rater, tasks, guideline, judgements.values(), remarks.values())


def work_content(
    study: LoadedStudy, rater: Rater, tasks: list[Task], guideline: int,
    judgements: Iterable[Judgement] = (), remarks: Iterable[Remark] = (),
) -> dict[str, object]:  # fmt: skip
    """All that the rating page is told: screens, texts, questions, and what was answered so far."""
    page = WorkPage(study, rater.group)
    screens = page.screens(tasks)
    scenarios = {
        s.key: {
            "title": heading(s.title) or s.key,
            "instruction": spoken(s.instruction),
            "seconds": expected_seconds(study.settings, s.key),
            "shown": _shown(study, rater, s),
        }
        for s in study.settings.scenarios
    }
    return {
        "owner": str(rater.owner),
        "save": reverse("save"),
        "after": reverse("questionnaire"),
        "guideline": guideline,
        "study": {
            "sourceLanguage": study.settings.languages.source or "",
            "targetLanguage": study.settings.languages.target,
        },
        "criteria": {key: describe_criterion(criterion) for key, criterion in study.criteria.items()},
        "scenarios": {**scenarios, PRACTICE: {
            "title": "", "instruction": "", "seconds": expected_seconds(study.settings, PRACTICE), "shown": _ALL,
        }},
        "contexts": page.contexts,
        "families": page.families,
        "screens": screens,
        "answers": [
            {"task": j.task_id, "criterion": j.criterion, "place": j.place, "value": j.value,
             "cannot": j.cannot_judge, "revision": j.revision}
            for j in judgements
        ],
        "remarks": [
            {"kind": "remark", "task": r.task_id, "about": r.about, "text": r.text, "revision": r.revision}
            for r in remarks
        ],
    }  # fmt: skip


def _shown(study: LoadedStudy, rater: Rater, scenario: Scenario) -> list[str]:
    """What stands beside the text that is judged; of a text in its document, also the other sentences."""
    group = next((group for group in study.settings.groups if group.key == rater.group), None)
    shown = group.show if group and group.show is not None else scenario.show
    around = ["context"] if scenario.kind == "sentence-in-context" else []
    return [*(part for part in shown if part != "context"), *around]


@require_safe
@rater_only
def come_back(request: HttpRequest, rater: Rater) -> HttpResponse:
    """Done for now: the next part is not open yet. The page looks again by itself."""
    study = current()
    step = _next_step(rater, study)
    if step != "come-back":
        return redirect(step)
    gate = standing(study, rater).waits_for
    context = {
        "gate": gate,
        "has_answers": rater.tasks.filter(judgements__isnull=False),
        "title": spoken(gate.phase.title) if gate else "",
        "message": spoken(gate.phase.message) if gate else "",
        "work": {"owner": str(rater.owner), "save": reverse("save")},
        "words": phrases(),
    }
    return render(request, "accord/come_back.html", context)


@require_http_methods(["GET", "POST"])
@rater_only
def questionnaire(request: HttpRequest, rater: Rater) -> HttpResponse:
    """What the study asks after the work; answers are saved one by one, and again as a form."""
    study = current()
    step = _next_step(rater, study)
    if step not in ("questionnaire", "thanks"):
        return redirect(step)
    parts = parts_for(rater, study.settings)
    if request.method == "POST":
        _keep_form(request, rater, study)
        parts = parts_for(rater, study.settings)
    missing = any(not asked["answered"] for part in parts for asked in part["asked"])
    if not missing and (request.method == "POST" or not parts):
        return redirect("thanks")
    revision = max(rater.answers.values_list("revision", flat=True), default=0)
    work = {"owner": str(rater.owner), "save": reverse("save"), "revision": min(revision, _LATEST_REVISION)}
    context = {"parts": parts, "missing": missing and request.method == "POST", "work": work, "words": phrases()}
    return render(request, "accord/questionnaire.html", context)


def _keep_form(request: HttpRequest, rater: Rater, study: LoadedStudy) -> None:
    """The form as a whole, for browsers whose script could not save; what is known already is left alone."""
    named = {tuple(str(name).split("|", 1)): str(text) for name, text in request.POST.items() if "|" in str(name)}
    with held(rater):
        _keep_answers(
            rater, study, answers_of(rater), {(key[0], key[1]): text for key, text in named.items() if key[1]}
        )


@require_GET
@rater_only
def thanks(request: HttpRequest, rater: Rater) -> HttpResponse:
    """The end, with the completion code where there is one."""
    study = current()
    step = _next_step(rater, study)
    if step != "thanks":
        return redirect(step)
    if rater.finished_at is None:
        with held(rater):
            rater.finished_at, rater.state = timezone.now(), RaterState.FINISHED
            rater.save(update_fields=["finished_at", "state"])
    completion = study.settings.completion
    entrance = rater.entrance
    context = {
        "message": spoken(completion.message),
        "code": (entrance.completion_code if entrance else "") or completion.code,
        "address": (entrance.completion_address if entrance else "") or completion.url,
    }
    return render(request, "accord/thanks.html", context)


@require_POST
@rater_only
def leave(request: HttpRequest, rater: Rater) -> HttpResponse:
    """Forget this rater on this device."""
    request.session.flush()
    return redirect("home")
