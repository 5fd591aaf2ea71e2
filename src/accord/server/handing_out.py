"""From the plan of the study to the tasks of one rater, written down when the rater is invited."""

from collections.abc import Collection
from functools import cache

import numpy as np

from accord.design.assignment import plan as planned
from accord.design.assignment.make import plan_assignment
from accord.server.models import Rater, Task
from accord.server.study import PRACTICE, current

__all__ = ["current_plan", "group_of", "name_of", "places", "planned_screens", "practice_of", "task_of", "tasks_of"]

_PLANNED_AT_ONCE = 5_000
"""A plan of so many texts is made while a page waits."""


@cache
def _plan(fingerprint: str) -> planned.AssignmentPlan:
    return plan_assignment(current().study)


def current_plan() -> planned.AssignmentPlan:
    """Who judges what in this study."""
    return _plan(current().study.fingerprint)


def places() -> int:
    """How many raters the plan has room for: as many as the study says, so that no page waits for a plan to be made."""
    return current().settings.assignment.raters


def planned_screens(closed: Collection[str] = ()) -> int | None:
    """Screens of all places, but for those of closed phases; None of so many texts that a page would wait for it."""
    if len(current().study.items) > _PLANNED_AT_ONCE:
        return None
    plan = current_plan()
    shut = [code for code, phase in enumerate(plan.phases) if phase in closed]
    return int((~np.isin(plan.phase, shut)).sum())


def name_of(slot: int) -> str:
    """The pseudonym of a place."""
    return current_plan().raters[slot]


def group_of(slot: int) -> str:
    """The group of a place."""
    return current_plan().groups[slot]


def tasks_of(slot: int, rater: Rater) -> list[Task]:
    """Practice first, then what the plan gives this place; not yet saved."""
    return practice_of(rater) + [task_of(task, rater) for task in current_plan().tasks_of(name_of(slot))]


def practice_of(rater: Rater) -> list[Task]:
    """What every rater tries first, in the languages of the study; not yet saved."""
    tries = current().settings.tutorial()
    return [
        Task(rater=rater, order=order - len(tries), scenario=PRACTICE, role=PRACTICE, document=PRACTICE,
             item=f"{PRACTICE}-{number + 1}")
        for order, number in enumerate(tries)
    ]  # fmt: skip


def task_of(task: planned.Task, rater: Rater) -> Task:
    """One screen of the plan for this rater; not yet saved."""
    return Task(
        rater=rater, order=task.order, scenario=task.scenario, document=task.document, item=task.item,
        systems=list(task.systems), texts=_texts(task), phase=task.phase, condition=task.condition, batch=task.batch,
        role=task.role, occasion=task.occasion, altered=task.altered,
    )  # fmt: skip


def _texts(task: planned.Task) -> list[str]:
    """Every text of the screen, if at least one of them is not the system's own."""
    if not task.texts:
        return []
    outputs = current().study.item_by_id[task.item].outputs
    return [text or outputs[system] for text, system in zip(task.texts, task.systems, strict=True)]
