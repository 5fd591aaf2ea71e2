"""Effort: what raters answered about the work, scenario by scenario (paper 004)."""

from accord.comparisons.effort import answer_counts, answer_table, effort_rows, effort_table
from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Rows, Section

__all__ = ["effort"]


def effort(analysis: Analysis) -> Section | None:
    """Mean answers and counts of answers in words; None where no questionnaire was answered."""
    if analysis.answers is None:
        return None
    means, worded = effort_table(analysis.answers), answer_counts(analysis.answers)
    blocks: list[Block] = []
    blocks += [Rows(effort_rows(means))] if means else []
    blocks += [Rows(answer_table(worded))] if worded else []
    finding = "What raters said about the work; what is easy to agree on may be what is easy to do."
    return Section("effort", "Effort", finding, blocks) if blocks else None
