"""Answers that a rater took back: the last word on a question that must be answered is none, so nothing counts."""

from collections.abc import Sequence

from django.db import connection

from accord.server.study import LoadedStudy

__all__ = ["Question", "optional_questions", "taken_back", "taken_back_rows"]

_ROWS = """
SELECT j.task_id, j.criterion, j.place FROM server_judgement j
WHERE j.value IS NULL AND NOT j.cannot_judge {asked} AND NOT EXISTS (
  SELECT 1 FROM server_judgement k WHERE k.task_id = j.task_id AND k.criterion = j.criterion
  AND COALESCE(k.place, -1) = COALESCE(j.place, -1)
  AND (k.revision > j.revision OR (k.revision = j.revision AND k.id > j.id))
)
"""
Question = tuple[int, str, int | None]
"""Of a screen, the criterion and which of its texts."""


def optional_questions(study: LoadedStudy) -> list[str]:
    """The criteria that raters may leave empty: there an empty answer is one."""
    return [key for key, criterion in study.criteria.items() if not criterion.required]


def taken_back_rows(optional: Sequence[str]) -> str:
    """The questions as a statement of SQL, whose values are the optional criteria."""
    asked = f"AND j.criterion NOT IN ({', '.join(['%s'] * len(optional))})" if optional else ""
    return _ROWS.format(asked=asked)


def taken_back(study: LoadedStudy) -> set[Question]:
    """The questions themselves; few, as nearly everybody answers again."""
    optional = optional_questions(study)
    with connection.cursor() as cursor:
        cursor.execute(taken_back_rows(optional), optional or None)
        return set(cursor.fetchall())
