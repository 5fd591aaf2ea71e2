"""The sheet of a workbook with the questions about the rater and after the work, out and back."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

from accord.design.study import StudySettings
from accord.errors import InputError, Problem
from accord.server.models import QuestionnaireAnswer, Rater
from accord.server.questionnaire import ABOUT_YOU, answers_of, check_answer, parts_for

__all__ = ["QUESTIONS", "SHEET", "asked_of", "brought_answers"]

SHEET = "questions "
"""Begins the name of the sheet; the rater's pseudonym ends it."""
QUESTIONS = ("scenario", "question", "part", "asked", "answer")


def asked_of(rater: Rater, settings: StudySettings) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    """The cells of each question, the answer so far last, and the answers one may choose from."""
    known = answers_of(rater)
    for about in settings.rater_questions:
        cells = (ABOUT_YOU, about.key, "about you", about.question, known.get((ABOUT_YOU, about.key)))
        yield cells, list(about.choices)
    for part in parts_for(rater, settings):
        for asked in part["asked"]:
            ends = " – ".join(end for end in asked["ends"] if end)
            words = f"{asked['text']} ({ends})" if ends and not asked["in_words"] else asked["text"]
            cells = (part["scenario"], asked["key"], part["title"], words, known.get((part["scenario"], asked["key"])))
            yield cells, [option["value"] for option in asked["options"]]


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
        if given is None or not str(given).strip():
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
