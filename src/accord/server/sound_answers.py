"""Whether answers that are kept could have been given: saving checks each, but a database can be changed by hand."""

from collections.abc import Iterator
from typing import Any

from accord.server.models import Judgement, Task
from accord.server.models_organiser import KeptStudy
from accord.server.prepared import every
from accord.server.screens import shown_texts
from accord.server.study import LoadedStudy, current
from accord.server.validation import RefusedValueError, check_value
from accord.words import counted

__all__ = ["impossible_answers"]

_OF_A_TASK = ("id", "rater", "order", "scenario", "item", "systems", "texts")
_OF_A_JUDGEMENT = ("uuid", "task_id", "criterion", "place", "value")


def impossible_answers() -> Iterator[str]:
    """How many are no answer to what was asked, in words, with the first of them and why.

    Answers to a study that was changed since belong to it as it was, which nobody has kept whole: they are not judged.
    """
    study, wrong, first = current(), 0, ""
    tasks = {task.id: task for task in every(Task, _OF_A_TASK)}
    rows = Judgement.objects.exclude(value=None).order_by("id")
    if changed := [kept.at for kept in KeptStudy.objects.all() if kept.changes]:
        rows = rows.filter(received_at__gt=max(changed))
    for uuid, key, criterion, place, value in rows.values_list(*_OF_A_JUDGEMENT).iterator():
        if why := _why_impossible(study, tasks[key], criterion, place, value):
            wrong += 1
            first = first or f"{uuid} on screen {tasks[key].order}: {why}"
    if wrong:
        told = counted(wrong, "judgement is", "judgements are")
        yield f"{told} no answer to what was asked, such as {first}"


def _why_impossible(study: LoadedStudy, task: Any, key: str, place: int | None, value: Any) -> str:
    asked = {criterion.key: criterion for criterion in study.asked_in(task.scenario, task.item)}
    if (criterion := asked.get(key)) is None:
        return "" if key not in study.criteria else f"{key!r} is not asked there"
    systems = max(1, len(task.systems))
    if criterion.once_per_task != (place is None) or (place or 0) >= systems:
        return f"{key!r} has no text {place}"
    try:
        check_value(criterion, value, shown_texts(study, task, place or 0), systems)
    except RefusedValueError as error:
        return f"{key!r}: {error.why}"
    return ""
