"""Effort: mean questionnaire answers by statement and scenario, and counts of answers in words (004 Tables 11-13)."""

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.comparisons.conditions import condition_names
from accord.comparisons.misevaluation import context_roles
from accord.ratings.table import Factor, Ratings
from accord.records import dataclass
from accord.tables.table import Cell, Column, Table
from accord.words import spelled

__all__ = ["AnswerCounts", "StatementEffort", "answer_counts", "answer_table", "effort_rows", "effort_table"]


@dataclass(frozen=True, slots=True)
class StatementEffort:
    """One statement: the mean answer and its number in each scenario."""

    statement: str
    means: dict[str, float]
    answers: dict[str, int]

    def difference(self, first: str, second: str) -> float:
        """Mean in the second scenario minus mean in the first."""
        return self.means.get(second, float("nan")) - self.means.get(first, float("nan"))


def effort_table(answers: Ratings, scenario: str = "scenario") -> tuple[StatementEffort, ...]:
    """Mean answers; the item is the statement, the rater the respondent. Answers in words are left to counts."""
    if scenario not in answers.columns:
        condition_names(answers, scenario)  # says which columns there are
    # One scenario has means too, only nothing to compare them with; what was asked once for all belongs to none.
    factor = answers.columns[scenario].compact()
    if factor.has_empty:
        factor = Factor.of(["all" if name == "" else str(name) for name in factor.labels()])
    scenarios = factor.names
    numbers, in_numbers = _numbers(answers)
    shape = (len(answers.item.names), len(factor.names))
    cell = answers.item.codes.astype(np.int64) * shape[1] + factor.codes
    count = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(cell, weights=numbers[answers.value], minlength=shape[0] * shape[1]).reshape(shape)
    place = {name: factor.names.index(name) for name in scenarios}
    return tuple(
        StatementEffort(
            statement,
            {name: float(total[row, at] / count[row, at]) for name, at in place.items() if count[row, at]},
            {name: int(count[row, at]) for name, at in place.items() if count[row, at]},
        )
        for row, statement in enumerate(answers.item.names)
        if in_numbers[row]
    )


def _numbers(answers: Ratings) -> tuple[Floats, NDArray[np.bool_]]:
    """Each value as a number, 0 where it is a word; and which statements were answered in numbers only."""
    texts = [spelled(value) for value in answers.scale.values]
    wordy = np.array([not _is_number(text) for text in texts])
    values = np.array([0.0 if word else float(text) for text, word in zip(texts, wordy, strict=True)])
    words = np.bincount(answers.item.codes, weights=wordy[answers.value], minlength=len(answers.item.names))
    return values, words == 0


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How often each answer in words was given to a question."""

    question: str
    counts: dict[str, int]


def answer_counts(answers: Ratings) -> tuple[AnswerCounts, ...]:
    """Counts of every answer, for questions that are not answered on a scale."""
    values = [spelled(value) for value in answers.scale.values]
    table = np.zeros((answers.items, len(values)), dtype=np.int64)
    np.add.at(table, (answers.item.codes, answers.value), 1)
    _, in_numbers = _numbers(answers)
    return tuple(
        AnswerCounts(question, {value: int(count) for value, count in zip(values, row, strict=True) if count})
        for question, row, numeric in zip(answers.item.names, table, in_numbers, strict=True)
        if not numeric
    )


def effort_rows(effort: Sequence[StatementEffort], kinds: Mapping[str, str] | None = None) -> Table:
    """Mean answers by scenario (004 Table 11); ``kinds`` are those of the scenarios, where a study declares them."""
    scenarios = list(dict.fromkeys(name for one in effort for name in one.means))
    rows: list[dict[str, Cell]] = [{"statement": one.statement, **one.means} for one in effort]
    columns = [Column("statement", "statement"), *(Column(name, name, 2) for name in scenarios)]
    pair = context_roles(scenarios, kinds) or ((scenarios[0], scenarios[1]) if len(scenarios) == 2 else None)
    if pair is not None:
        for row, one in zip(rows, effort, strict=True):
            row["difference"] = one.difference(*pair)
        columns.append(Column("difference", f"{pair[1]} - {pair[0]}", 2))
    answers = ", ".join(f"{name}: {max(one.answers.get(name, 0) for one in effort)} answers" for name in scenarios)
    return Table("Effort: mean answers by statement and scenario", columns, rows, (answers,))


def answer_table(found: Sequence[AnswerCounts]) -> Table:
    """Questions answered in words, with how often each answer was given (004 Table 13)."""
    rows: list[dict[str, Cell]] = [
        {"question": one.question, "answer": answer, "times": times}
        for one in found
        for answer, times in one.counts.items()
    ]
    columns = (Column("question", "question"), Column("answer", "answer"), Column("times", "times given"))
    return Table("Answers in words", columns, rows)
