"""Effort: what raters answered about the work, scenario by scenario (paper 004)."""

from collections.abc import Sequence

from accord.comparisons.effort import StatementEffort, answer_counts, answer_table, effort_rows, effort_table
from accord.noise import first_of
from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Rows, Section
from accord.words import counted, steady

__all__ = ["effort"]


def effort(analysis: Analysis) -> Section | None:
    """Mean answers and counts of answers in words; None where no questionnaire was answered."""
    if analysis.answers is None:
        return None
    means, worded = effort_table(analysis.answers), answer_counts(analysis.answers)
    blocks: list[Block] = []
    blocks += [Rows(effort_rows(means, analysis.ratings.codebook.study.scenarios))] if means else []
    blocks += [Rows(answer_table(worded))] if worded else []
    return Section("effort", "Effort", _finding(means), blocks) if blocks else None


def _finding(means: Sequence[StatementEffort]) -> str:
    """The statement on which scenarios lie furthest apart, with how many answers the means rest on."""
    apart = [one for one in means if len(one.means) > 1]
    if not apart:
        return "What raters said about the work."
    most = first_of(apart, lambda one: max(one.means.values()) - min(one.means.values()), highest=True)
    ends = [first_of(most.means, most.means.__getitem__, highest=highest) for highest in (True, False)]
    high, low = (f"{steady(most.means[name]):.2f} in {name} ({counted(most.answers[name], 'answer')})" for name in ends)
    return f"Mean answers lie furthest apart on {most.statement}: {high}, {low}."
