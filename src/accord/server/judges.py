"""A language model joins a study: a rater of its own kind, beside the places that the plan keeps for people."""

from collections.abc import Mapping

from django.db import transaction

from accord.design.assignment import plan as planned
from accord.errors import InputError
from accord.ratings.codebook import JudgeFacts
from accord.server.api.tokens import make_token
from accord.server.handing_out import current_plan, places, task_of
from accord.server.kept_plan import keep_plan
from accord.server.kept_study import keep_study
from accord.server.models import Rater, RaterKind, RaterState, Task
from accord.server.models_organiser import ApiToken

__all__ = ["facts_of_judge", "join_judge"]

_ORDINARY = ("", "system")


def join_judge(name: str, told: Mapping[str, str], runs: int = 1) -> tuple[Rater, str]:
    """The judge with its screens, and the token by which its program reads them and answers; kept nowhere.

    It is given every screen that the plan has for anybody, once for each run; copies that check people are left out.
    """
    facts = {field: told[field] for field in ("model", "prompt", "rubric", "parameters") if told.get(field)}
    if not facts.get("model"):
        raise InputError("A judge needs the name and version of its model, so that a change can be noticed.")
    with transaction.atomic():
        if Rater.objects.filter(pseudonym=name).exists() or name in current_plan().raters:
            raise InputError(
                f"There is a rater {name!r} already. A judge with another model, prompt or rubric is another judge: "
                "give it a name of its own."
            )
        slot = max(places(), *(1 + taken for taken in Rater.objects.values_list("slot", flat=True)), 0)
        judge = Rater.objects.create(
            pseudonym=name, slot=slot, kind=RaterKind.MODEL, judged_with=facts, state=RaterState.ACTIVE
        )
        Task.objects.bulk_create(_tasks(judge, runs))
        keep_plan()
        keep_study()
    return judge, make_token(ApiToken.Scope.RATER, f"judge {name}", judge)[1]


def facts_of_judge(judge: Rater) -> JudgeFacts:
    """What it judges with, and the fingerprint of all that."""
    return JudgeFacts(name=judge.pseudonym, **judge.judged_with)


def _tasks(judge: Rater, runs: int) -> list[Task]:
    """Each different screen of the plan once in a run, in the order of the plan."""
    plan = current_plan()
    screens: dict[tuple[object, ...], planned.Task] = {}
    for task in (task for rater in plan.raters for task in plan.tasks_of(rater)):
        if task.role in _ORDINARY and task.occasion == 1 and not task.altered:
            key = (task.scenario, task.phase, task.condition, task.document, task.item, tuple(sorted(task.systems)))
            screens.setdefault(key, task)
    made: list[Task] = []
    for run in range(1, runs + 1):
        for task in screens.values():
            row = task_of(task, judge)
            row.order, row.occasion, row.batch = len(made) + 1, run, ""
            made.append(row)
    return made
