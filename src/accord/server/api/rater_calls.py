"""What a program may do for one rater: read the tasks, post judgements, ask a question."""

from typing import Annotated, Any
from uuid import uuid4

from django.http import Http404, HttpRequest
from pydantic import Field

from accord.errors import InputError
from accord.server.api.scopes import Answer, rater, token_in
from accord.server.api.shapes import WHOLE, Key, Line, OneOf, Shape, Stored, Text
from accord.server.guidelines import latest
from accord.server.held import held
from accord.server.models import Rater, Remark
from accord.server.phases import closed_phases
from accord.server.progress import current_judgements
from accord.server.recording import Delivery, record_together, require_consent
from accord.server.screens import WorkPage, describe_criterion
from accord.server.study import current

__all__: list[str] = []


class Entry(Shape):
    """An answer, as the pages send it. The uuid makes a repeated request harmless."""

    uuid: Annotated[Stored, Field(min_length=32, max_length=36)]
    kind: Annotated[str, OneOf("judgement", "remark", "answer")] = "judgement"
    task: Key | None = None
    criterion: Line = ""
    place: Annotated[int, Field(ge=0, le=100), WHOLE] | None = None
    value: Any = None
    cannot: bool = False
    revision: Annotated[int, Field(ge=1, le=2**31 - 1), WHOLE] = 1
    seconds: Annotated[float, Field(ge=0, le=86_400)] = 0.0
    guideline: Key | None = None
    made: Annotated[Stored, Field(max_length=40)] = ""
    about: Annotated[str, OneOf("item", "text", "flag")] = "item"
    text: Text = ""
    question: Line = ""
    scenario: Line = ""


class _Entries(Shape):
    entries: Annotated[list[Entry], Field(min_length=1, max_length=50)]


class _Question(Shape):
    text: Annotated[Text, Field(min_length=1)]


def _rater(request: HttpRequest) -> Rater:
    person = token_in(request).rater
    if person is None:
        raise Http404
    return person


@rater.get("tasks")
def list_tasks(request: HttpRequest) -> Answer:
    """The rater's screens, texts and answers so far."""
    study, rater = current(), _rater(request)
    page = WorkPage(study, rater.group)
    tasks = list(rater.tasks.exclude(phase__in=closed_phases()).order_by("order"))
    screens = page.screens(tasks)
    version = latest()
    return {
        "rater": rater.pseudonym, "guideline": {"number": version.number, "text": version.text},
        "criteria": {key: describe_criterion(criterion) for key, criterion in study.criteria.items()},
        "contexts": page.contexts, "screens": screens,
        "answers": [
            {"task": one.task_id, "criterion": one.criterion, "place": one.place, "value": one.value,
             "cannot": one.cannot_judge, "revision": one.revision}
            for one in current_judgements([task.pk for task in tasks]).values()
        ],
    }  # fmt: skip


@rater.post("judgements", response=Answer)
def post_judgements(request: HttpRequest, body: _Entries) -> Answer:
    """Save judgements; each is acknowledged by its uuid."""
    entries = [{"kind": "judgement", **entry.model_dump(exclude_unset=True)} for entry in body.entries]
    outcomes = record_together([Delivery(_rater(request), entries)])[0]
    return {"results": [outcome.to_dict() for outcome in outcomes]}


@rater.post("questions")
def ask(request: HttpRequest, body: _Question) -> Answer:
    """Ask the organiser."""
    text = body.text.strip()
    if not text:
        raise InputError("The question is empty.")
    with held(_rater(request)) as person:
        require_consent(person, current())
        row = Remark.objects.create(uuid=uuid4(), rater=person, about=Remark.About.QUESTION, text=text)
    return {"id": row.pk}


@rater.get("questions")
def list_answers(request: HttpRequest) -> Answer:
    """The rater's questions and their answers."""
    rows = Remark.objects.filter(rater=_rater(request), about=Remark.About.QUESTION)
    return {"questions": [{"id": row.pk, "text": row.text, "answer": row.answer} for row in rows]}
