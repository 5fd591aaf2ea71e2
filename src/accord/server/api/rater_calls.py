"""What a program may do for one rater: read the tasks, post judgements, ask a question."""

from typing import Any
from uuid import uuid4

from django.http import Http404

from accord.errors import InputError
from accord.server.api.endpoint import Call
from accord.server.guidelines import latest
from accord.server.models import Rater, Remark
from accord.server.phases import closed_phases
from accord.server.progress import current_judgements
from accord.server.recording import Delivery, record_together, require_consent
from accord.server.screens import WorkPage, describe_criterion
from accord.server.study import current

__all__: list[str] = []

Answer = dict[str, Any]


def _rater(call: Call) -> Rater:
    if call.token.rater is None:
        raise Http404
    return call.token.rater


def list_tasks(call: Call) -> Answer:
    """All screens with their texts and the answers so far; systems are places, never names."""
    study, rater = current(), _rater(call)
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


def post_judgements(call: Call) -> Answer:
    """Save entries; each is acknowledged by its uuid, and the same one twice is saved once."""
    entries = [{"kind": "judgement", **entry} for entry in call.body["entries"]]
    outcomes = record_together([Delivery(_rater(call), entries)])[0]
    return {"results": [outcome.to_dict() for outcome in outcomes]}


def ask(call: Call) -> Answer:
    text = call.body["text"].strip()
    if not text:
        raise InputError("The question is empty.")
    require_consent(_rater(call), current())
    row = Remark.objects.create(uuid=uuid4(), rater=_rater(call), about=Remark.About.QUESTION, text=text)
    return {"id": row.pk}


def list_answers(call: Call) -> Answer:
    rows = Remark.objects.filter(rater=_rater(call), about=Remark.About.QUESTION)
    return {"questions": [{"id": row.pk, "text": row.text, "answer": row.answer} for row in rows]}
