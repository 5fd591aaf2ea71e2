"""What a program may do about language models that judge: let one join, and see how far they are."""

from typing import Any

from django.db.models import Count, Max

from accord.server.api.endpoint import Call
from accord.server.judges import facts_of_judge, join_judge
from accord.server.models import Judgement, Rater, RaterKind
from accord.server.organiser.snapshot import latest_snapshot

__all__: list[str] = []

Answer = dict[str, Any]


def join(call: Call) -> Answer:
    """The new judge with its token, which is in this answer and nowhere else."""
    judge, token = join_judge(call.body["name"], call.body, int(call.body.get("runs", 1)))
    return {**_judge(judge), "token": token}


def list_judges(call: Call) -> Answer:
    """All models with what they judge with and how far they are; agreement with people as of the newest results."""
    said = Judgement.objects.filter(task__rater__kind=RaterKind.MODEL).values_list("task__rater")
    counts = {row[0]: row[1:] for row in said.annotate(Count("task", distinct=True), Max("received_at")).order_by()}
    snapshot = latest_snapshot()
    found = snapshot.results.get("judges", []) if snapshot else []
    told = []
    for judge in Rater.objects.filter(kind=RaterKind.MODEL):
        answered, last = counts.get(judge.pk, (0, None))
        told.append({
            **_judge(judge), "answered": answered, "last_saved": last.isoformat() if last else None,
            "beside_people": [one for one in found if one["judge"] == judge.pseudonym],
        })  # fmt: skip
    return {"judges": told}


def _judge(judge: Rater) -> Answer:
    facts = facts_of_judge(judge)
    return {
        "judge": judge.pseudonym, "fingerprint": facts.fingerprint, "screens": judge.tasks.count(),
        "model": facts.model, "prompt": facts.prompt, "rubric": facts.rubric, "parameters": facts.parameters,
    }  # fmt: skip
