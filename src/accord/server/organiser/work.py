"""How much of their work raters have done: counted in the database, whatever the number of judgements."""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple, Protocol

from django.db import connection

from accord.records import dataclass
from accord.server.models import Rater
from accord.server.phases import closed_phases
from accord.server.study import PRACTICE, LoadedStudy
from accord.server.taken_back import optional_questions, taken_back_rows

__all__ = ["ScreenCount", "Work", "Worker", "screen_counts", "screens_by_document", "work_of_people"]

_DONE = """
SELECT t.rater_id, t.scenario, t.phase, {document}, {places}, COALESCE(a.answered, 0), COUNT(*)
FROM server_task t JOIN server_rater r ON r.id = t.rater_id AND r.kind = 'human' LEFT JOIN (
  SELECT task_id, COUNT(*) AS answered FROM (
    SELECT task_id, criterion, place FROM server_judgement
    WHERE cannot_judge OR value IS NOT NULL {optional} EXCEPT {taken_back}
  ) AS settled GROUP BY task_id
) AS a ON a.task_id = t.id
WHERE t.role <> %s GROUP BY 1, 2, 3, 4, 5, 6
"""


class Worker(Protocol):
    """Whoever has screens to do."""

    @property
    def name(self) -> str: ...
    @property
    def done(self) -> int: ...
    @property
    def tasks(self) -> int: ...
    @property
    def left(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Work:
    """One rater, with the screens done and given; those of a closed phase are nobody's work yet."""

    name: str
    done: int
    tasks: int
    left: int = 0
    """Screens that were open when somebody else took the place."""


class ScreenCount(NamedTuple):
    """Screens of one rater, scenario and phase, and how many of them are answered; ``document`` if asked for."""

    rater: Any
    scenario: str
    phase: str
    done: int
    tasks: int
    document: str = ""
    left: int = 0
    """Open when somebody else took the rater's place: nobody's work any more."""


def screen_counts(study: LoadedStudy) -> Iterator[ScreenCount]:
    """Screens by rater, scenario and phase, practice aside."""
    return _counted(study, "''")


def screens_by_document(study: LoadedStudy) -> Iterator[ScreenCount]:
    """The same, each document apart."""
    return _counted(study, "t.document")


def _counted(study: LoadedStudy, document: str) -> Iterator[ScreenCount]:
    length = "json_array_length(t.systems)" if connection.vendor == "sqlite" else "jsonb_array_length(t.systems)"
    optional = optional_questions(study)
    clause = f"OR criterion IN ({', '.join(['%s'] * len(optional))})" if optional else ""
    with connection.cursor() as cursor:
        statement = _DONE.format(
            places=length, optional=clause, document=document, taken_back=taken_back_rows(optional)
        )
        cursor.execute(statement, [*optional, *optional, PRACTICE])
        rows = list(cursor.fetchall())
    questions = cache(partial(_questions, study))
    replaced = set(Rater.people.exclude(replaced_by=None).values_list("pk", flat=True))
    for rater, scenario, phase, name, places, answered, tasks in rows:
        is_done = answered >= questions(scenario, places)
        if rater in replaced and not is_done:
            yield ScreenCount(rater, scenario, phase, 0, 0, name, tasks)
        else:
            yield ScreenCount(rater, scenario, phase, tasks if is_done else 0, tasks, name)


def _questions(study: LoadedStudy, scenario: str, places: int) -> int:
    asked = study.settings.asked_in(scenario)
    return sum(1 if criterion.once_per_task else max(1, places) for criterion in asked)


def work_of_people(study: LoadedStudy, screens: Iterable[ScreenCount] | None = None) -> list[Work]:
    """Everybody who was invited, with the work that is open to them; ``screens`` if they were counted before."""
    closed, counts = closed_phases(), dict[Any, list[int]]()
    for one in screen_counts(study) if screens is None else screens:
        if one.phase not in closed:
            own = counts.setdefault(one.rater, [0, 0, 0])
            own[0] += one.done
            own[1] += one.tasks
            own[2] += one.left
    return [Work(rater.pseudonym, *counts.get(rater.pk, (0, 0, 0))) for rater in Rater.people.all()]
