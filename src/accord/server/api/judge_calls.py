"""What a program may do about language models that judge: let one join, and see how far they are."""

from typing import Annotated

from django.db.models import Count, Max
from django.http import HttpRequest
from pydantic import Field

from accord.server.api.scopes import Answer, organiser
from accord.server.api.shapes import WHOLE, Line, Note, Shape, Stored
from accord.server.judges import facts_of_judge, join_judge
from accord.server.models import Judgement, Rater, RaterKind
from accord.server.organiser.snapshot import latest_snapshot

__all__: list[str] = []

_Prompt = Annotated[Stored, Field(max_length=100_000)]


class _Judge(Shape):
    name: Annotated[Stored, Field(min_length=1, max_length=100)]
    model: Annotated[Line, Field(min_length=1)]
    prompt: _Prompt = ""
    rubric: _Prompt = ""
    parameters: Note = ""
    runs: Annotated[int, Field(ge=1, le=20), WHOLE] = 1


@organiser.get("judges")
def list_judges(request: HttpRequest) -> Answer:
    """Language models that judge, apart from people: what they judge with, and how far they are."""
    said = Judgement.objects.filter(task__rater__kind=RaterKind.MODEL).values_list("task__rater")
    counts = {row[0]: row[1:] for row in said.annotate(Count("task", distinct=True), Max("received_at")).order_by()}
    snapshot = latest_snapshot()
    # Agreement with people is as of the newest results.
    found = snapshot.results.get("judges", []) if snapshot else []
    told = []
    for judge in Rater.objects.filter(kind=RaterKind.MODEL):
        answered, last = counts.get(judge.pk, (0, None))
        told.append({
            **_judge(judge), "answered": answered, "last_saved": last.isoformat() if last else None,
            "beside_people": [one for one in found if one["judge"] == judge.pseudonym],
        })  # fmt: skip
    return {"judges": told}


@organiser.post("judges")
def join(request: HttpRequest, body: _Judge) -> Answer:
    """Let a language model join as a rater of its own kind; the token is in this answer and nowhere else."""
    judge, token = join_judge(body.name, body.model_dump(), body.runs)
    return {**_judge(judge), "token": token}


def _judge(judge: Rater) -> Answer:
    facts = facts_of_judge(judge)
    return {
        "judge": judge.pseudonym, "fingerprint": facts.fingerprint, "screens": judge.tasks.count(),
        "model": facts.model, "prompt": facts.prompt, "rubric": facts.rubric, "parameters": facts.parameters,
    }  # fmt: skip
