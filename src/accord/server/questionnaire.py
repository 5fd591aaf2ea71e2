"""The questions around the work: about the rater before, about the work after."""

import re
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from accord.design.study import Questionnaire, Statement, StudySettings
from accord.errors import InputError
from accord.ratings.questionnaire import ABOUT_RATER
from accord.server.models import QuestionnaireAnswer, Rater, Task
from accord.server.screens import spoken
from accord.server.study import PRACTICE

__all__ = ["ABOUT_YOU", "answers_of", "check_answer", "open_questions", "parts_for"]

ABOUT_YOU = ABOUT_RATER
"""Stands for the scenario in answers about the rater."""
_LONGEST_ANSWER = 500
_WHOLE = re.compile(r"-?[0-9]{1,9}")


class RefusedAnswerError(InputError):
    """An answer that is not one of the choices."""


def check_answer(settings: StudySettings, scenario: str, question: str, value: Any) -> str | int:
    """The answer as it is kept, or an error in words."""
    if scenario == ABOUT_YOU:
        return _check_about(settings, question, value)
    sheet = settings.questionnaire
    statement = next((s for s in sheet.statements if s.key == question), None) if sheet else None
    if sheet is None or statement is None or scenario not in _scenarios(settings, statement):
        raise RefusedAnswerError(_("This question is not asked."))
    if statement.choices:
        if value not in statement.choices:
            raise RefusedAnswerError(_("This is not one of the answers."))
        return str(value)
    if not _WHOLE.fullmatch(str(value)) or not sheet.low <= int(value) <= sheet.high:
        raise RefusedAnswerError(
            _("Answer by a whole number from %(low)s to %(high)s.") % {"low": sheet.low, "high": sheet.high}
        )
    return int(value)


def _check_about(settings: StudySettings, question: str, value: Any) -> str:
    asked = next((q for q in settings.rater_questions if q.key == question), None)
    if asked is None or not isinstance(value, str) or len(value) > _LONGEST_ANSWER:
        raise RefusedAnswerError(_("This question is not asked."))
    if asked.choices and value not in asked.choices:
        raise RefusedAnswerError(_("This is not one of the answers."))
    return value


def _scenarios(settings: StudySettings, statement: Statement) -> tuple[str, ...]:
    """Where a statement is asked; '' is 'once at the end'."""
    if settings.questionnaire is not None and not settings.questionnaire.per_scenario:
        return ("",)
    return statement.scenarios or tuple(scenario.key for scenario in settings.scenarios)


def answers_of(rater: Rater) -> dict[tuple[str, str], Any]:
    """The last answer to each question, by scenario and question."""
    rows = QuestionnaireAnswer.objects.filter(rater=rater).order_by("revision", "id")
    return {(row.scenario, row.question): row.value for row in rows}


def parts_for(rater: Rater, settings: StudySettings) -> list[dict[str, Any]]:
    """The questionnaire of this rater: one part for each scenario they worked in."""
    sheet = settings.questionnaire
    if sheet is None:
        return []
    done = set(Task.objects.filter(rater=rater).exclude(role=PRACTICE).values_list("scenario", flat=True))
    known = answers_of(rater)
    scenarios = [s for s in settings.scenarios if s.key in done] if sheet.per_scenario else []
    places = [(s.key, s.title or s.key) for s in scenarios] or [("", "")]
    parts = [
        {
            "scenario": key,
            "title": title,
            "asked": [_asked(sheet, s, key, known) for s in sheet.statements if key in _scenarios(settings, s)],
        }
        for key, title in places
    ]
    return [part for part in parts if part["asked"]]


def _asked(sheet: Questionnaire, statement: Statement, scenario: str, known: dict[tuple[str, str], Any]) -> Any:
    choices: Iterable[str | int] = statement.choices or range(sheet.low, sheet.high + 1)
    chosen = known.get((scenario, statement.key))
    return {
        "key": statement.key,
        "name": f"{scenario}|{statement.key}",
        "text": spoken(statement.text),
        "in_words": bool(statement.choices),
        "ends": (spoken(statement.low_label or sheet.low_label), spoken(statement.high_label or sheet.high_label)),
        "options": [{"value": value, "label": value, "chosen": value == chosen} for value in choices],
        "answered": chosen is not None,
    }


def open_questions(rater: Rater, settings: StudySettings) -> bool:
    """Whether the questionnaire still waits for an answer."""
    return any(not asked["answered"] for part in parts_for(rater, settings) for asked in part["asked"])
