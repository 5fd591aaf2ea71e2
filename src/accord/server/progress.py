"""How far raters are: which tasks have all their answers."""

from collections.abc import Iterable
from typing import Any

from accord.server.models import Judgement, Task
from accord.server.study import LoadedStudy

__all__ = ["current_judgements", "done_tasks", "settled_questions"]


def current_judgements(tasks: Any) -> dict[tuple[int, str, int | None], Judgement]:
    """The judgement that counts for each question: the highest revision, and the later of two equal ones."""
    rows = Judgement.objects.filter(task__in=tasks).order_by("revision", "id")
    return {(row.task_id, row.criterion, row.place): row for row in rows.iterator()}


def done_tasks(study: LoadedStudy, tasks: Iterable[Task], answered: Iterable[tuple[int, str, int | None]]) -> set[int]:
    """The tasks in which every question is settled."""
    known = set(answered)
    return {task.pk for task in tasks if all(question in known for question in _questions(study, task))}


def _questions(study: LoadedStudy, task: Task) -> list[tuple[int, str, int | None]]:
    places = range(max(1, len(task.systems)))
    return [
        (task.pk, criterion.key, place)
        for criterion in study.asked_in(task.scenario, task.item)
        for place in ([None] if criterion.once_per_task else places)
    ]


def settled_questions(
    study: LoadedStudy, judgements: dict[tuple[int, str, int | None], Judgement]
) -> list[tuple[int, str, int | None]]:
    """The questions that are done with: answered, 'cannot judge', or left empty where that is allowed."""
    return [
        key
        for key, row in judgements.items()
        if row.cannot_judge or row.value is not None or not study.criteria[row.criterion].required
    ]
