"""The sheet of a workbook with the questions about the rater and after the work, out and back."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

from django.utils import timezone

from accord.design.study import StudySettings
from accord.errors import InputError, Problem
from accord.server.models import QuestionnaireAnswer, Rater
from accord.server.questionnaire import ABOUT_YOU, answers_of, check_answer, parts_for

__all__ = ["QUESTIONS", "SHEET", "agrees", "asked_of", "brought_answers"]

_CONSENT = "@consent"
_AGREED = "I agree"

SHEET = "questions "
"""Begins the name of the sheet; the rater's pseudonym ends it."""
QUESTIONS = ("scenario", "question", "part", "asked", "answer")


def asked_of(rater: Rater, settings: StudySettings) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    """The cells of each question, the answer so far last, and the answers one may choose from."""
    known = answers_of(rater)
    if settings.consent is not None:
        agreed = _AGREED if rater.consent_at else None
        yield (_CONSENT, _CONSENT, "your consent", settings.consent.text, agreed), [_AGREED]
    for about in settings.rater_questions:
        cells = (ABOUT_YOU, about.key, "about you", about.question, known.get((ABOUT_YOU, about.key)))
        yield cells, list(about.choices)
    for part in parts_for(rater, settings):
        for asked in part["asked"]:
            ends = " – ".join(end for end in asked["ends"] if end)
            words = f"{asked['text']} ({ends})" if ends and not asked["in_words"] else asked["text"]
            cells = (part["scenario"], asked["key"], part["title"], words, known.get((part["scenario"], asked["key"])))
            yield cells, [option["value"] for option in asked["options"]]


def agrees(rater: Rater, settings: StudySettings, rows: Sequence[Sequence[Any]]) -> bool:
    """Whether what this rater wrote may be kept; who agrees in the workbook has agreed from now on."""
    said = any(tuple(row[:2]) == (_CONSENT, _CONSENT) and str(row[4] or "").strip() == _AGREED for row in rows)
    if said and rater.consent_at is None:
        rater.consent_at = timezone.now()
    return rater.consent_at is not None or settings.consent is None or not settings.consent.required


def brought_answers(
    rater: Rater, settings: StudySettings, title: str, rows: Sequence[Sequence[Any]], problems: list[Problem]
) -> tuple[list[QuestionnaireAnswer], int]:
    """What is new in the sheet, and how many answers were known already."""
    known = answers_of(rater)
    revision = max(rater.answers.values_list("revision", flat=True), default=0) + 1
    new: list[QuestionnaireAnswer] = []
    same = 0
    for number, row in enumerate(rows, start=2):
        cells = dict(zip(QUESTIONS, row, strict=False))
        given = cells.get("answer")
        if given is None or not str(given).strip() or cells["scenario"] == _CONSENT:
            continue
        scenario, question = str(cells["scenario"] or ""), str(cells["question"] or "")
        try:
            value = check_answer(settings, scenario, question, str(given).strip().removesuffix(".0"))
        except InputError as error:
            problems.append(Problem(str(error), number, title))
            continue
        if known.get((scenario, question)) == value:
            same += 1
        else:
            new.append(
                QuestionnaireAnswer(
                    uuid=uuid4(),
                    rater=rater,
                    question=question,
                    scenario=scenario,
                    value=value,
                    revision=revision,
                )
            )
    return new, same
