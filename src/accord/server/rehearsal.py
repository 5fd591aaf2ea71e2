"""Simulated raters fill in the tasks of a study, so that its pages and report can be seen with data."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
from django.db import transaction
from django.utils import timezone

from accord.design.study import CriterionSettings
from accord.errors import OptionError
from accord.planning.simulate import Simulation, simulate_study
from accord.planning.simulated_raters import RaterTraits
from accord.ratings.answer_values import NO_ERROR, TIE
from accord.server.guidelines import latest
from accord.server.handing_out import current_plan
from accord.server.invitations import invite_raters
from accord.server.models import Judgement, QuestionnaireAnswer, Rater, RaterState, Task
from accord.server.phases import open_all
from accord.server.study import PRACTICE, current

__all__ = ["fill_in"]

Row = Mapping[str, Any]

_DAYS = 5
"""Days over which simulated work is spread, so that pages that follow a study have days to show."""


def fill_in(raters: int, traits: RaterTraits, seed: int) -> list[Rater]:
    """Invite raters and let them answer everything; returns them."""
    simulation = simulate_study(current().study, current_plan(), traits, np.random.default_rng(seed))
    with transaction.atomic():
        invited = [rater for rater, _ in invite_raters(raters)]
        for rater in invited:
            _answer_tasks(rater, simulation)
            _answer_questionnaire(rater, simulation)
            now = timezone.now()
            rater.started_at = rater.consent_at = rater.finished_at = now
            rater.guidelines_read, rater.state = latest().number, RaterState.FINISHED
            rater.save()
        open_all("simulated raters")
    return invited


def _answer_tasks(rater: Rater, simulation: Simulation) -> None:
    study, guideline = current(), latest()
    tasks = {task.order: task for task in rater.tasks.exclude(role=PRACTICE)}
    marks = defaultdict(list)
    for row in simulation.errors:
        marks[row["rater"], row["item"], row["criterion"], row["scenario"]].append(row)
    worked = sum(float(row["time_s"]) for row in simulation.ratings if row["rater"] == rater.pseudonym)
    made = begun = timezone.now() - timedelta(days=_DAYS)
    judgements = []
    ranked: dict[tuple[int, str], dict[str, Any]] = defaultdict(dict)
    for row in simulation.ratings:
        if row["rater"] != rater.pseudonym:
            continue
        screen = ranked[int(row["order"]), str(row["criterion"])]
        screen[str(row["system"])] = row["value"]
        task, criterion = tasks[int(row["order"])], study.criteria[str(row["criterion"])]
        place = None if criterion.once_per_task else task.systems.index(row["system"])
        told: Any = row["value"]
        if criterion.kind == "ranking":
            if len(screen) < len(task.systems):
                continue  # one answer ranks all texts of a screen
            told = [int(screen[system]) for system in task.systems]
        made += timedelta(seconds=float(row["time_s"]))
        if made - begun > timedelta(seconds=worked / _DAYS):
            # As people do: a share of the work a day, then the next day.
            begun = made = begun + timedelta(days=1)
        errors = marks[row["rater"], row["item"], row["criterion"], row["scenario"]]
        judgements.append(Judgement(
            uuid=uuid4(), task=task, criterion=criterion.key, place=place, seconds=float(row["time_s"]),
            value=_value(criterion, told, task, errors), guideline=guideline, made_at=made,
        ))  # fmt: skip
    Judgement.objects.bulk_create(judgements)


def _value(criterion: CriterionSettings, told: Any, task: Task, errors: Sequence[Row]) -> Any:
    """The value as the page would have sent it."""
    if criterion.kind == "categories":
        return [] if told == NO_ERROR else [row["category"] for row in errors]
    if criterion.kind == "pairwise":
        return TIE if told == TIE else task.systems.index(told)
    if criterion.kind == "spans":
        return [_mark(row) for row in errors]
    if criterion.kind in ("scale", "slider", "number", "ranking") and not criterion.per:
        return told
    raise OptionError(f"{criterion.key!r}: simulated raters cannot answer a {criterion.kind} on a page.")


def _mark(row: Row) -> Row:
    kept = ("side", "start", "end", "severity", "category")
    return {name: row[name] for name in kept if row[name] != ""}


def _answer_questionnaire(rater: Rater, simulation: Simulation) -> None:
    done = set(rater.tasks.exclude(role=PRACTICE).values_list("scenario", flat=True))
    answers = [
        QuestionnaireAnswer(
            uuid=uuid4(), rater=rater, question=row["question"], scenario=row["scenario"], value=row["value"]
        )
        for row in simulation.questionnaire
        if row["rater"] == rater.pseudonym and row["scenario"] in done
    ]
    QuestionnaireAnswer.objects.bulk_create(answers)
