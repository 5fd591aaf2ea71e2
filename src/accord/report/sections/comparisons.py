"""Comparisons where the data have conditions, phases, groups or scenarios."""

from accord.plots.reliability import intervals
from accord.report.analysis import Analysis
from accord.report.document import Block, Evidence, Figure, Paragraph, Rows, Section
from accord.report.tables import Cell, Column, Table

__all__ = ["comparisons"]

_CHANGE = (
    Column("criterion", "criterion"), Column("before", "first"), Column("after", "second"),
    Column("value", "difference"), Column("low", "low"), Column("high", "high"), Column("p", "p"),
    Column("method", "judged by"),
)  # fmt: skip
_MOST_MISEVALUATED = 20


def comparisons(analysis: Analysis) -> Section | None:
    blocks: list[Block] = []
    for column in analysis.comparisons:
        blocks += _conditions(analysis, column)
    blocks += _scenarios(analysis)
    blocks += _misevaluations(analysis)
    return Section("comparisons", "Comparisons", blocks) if blocks else None


def _conditions(analysis: Analysis, column: str) -> list[Block]:
    found = analysis.comparisons[column]
    first, second = found[0].first.name, found[0].second.name
    rows: list[dict[str, Cell]] = []
    for one in found:
        for difference in one.differences:
            interval = difference.interval
            rows.append({
                "criterion": one.criterion or "all", "before": next(iter(one.first.values.values())),
                "after": next(iter(one.second.values.values())), "value": difference.value,
                "low": interval.low if interval else None, "high": interval.high if interval else None,
                "p": difference.p, "method": difference.method,
            })  # fmt: skip
    clear = [one for one in found if one.differences[0].is_clear]
    words = f"{len(clear)} of {len(found)} criteria differ clearly between {first} and {second} (α, resampling items)."
    table = Table(f"Krippendorff's α by {column}: {second} minus {first}", _CHANGE, rows)
    blocks: list[Block] = [Paragraph(words), Rows(table)]
    with_ends = [one for one in found if one.differences[0].interval]
    if with_ends:
        changes = [one.differences[0] for one in with_ends]
        chart = intervals(
            [one.criterion or "all ratings" for one in with_ends], [change.value for change in changes],
            [change.interval.low for change in changes if change.interval],
            [change.interval.high for change in changes if change.interval],
            title=words, subtitle="resampling items; 95% intervals", axis=f"change of α, {second} minus {first}",
        )  # fmt: skip
        blocks.append(Evidence(f"change-{column}", f"The change by {column}, drawn", [Figure(chart)]))
    return blocks


def _scenarios(analysis: Analysis) -> list[Block]:
    if not analysis.scenarios:
        return []
    blocks: list[Block] = [
        Paragraph(
            "More agreement in one scenario is not better evaluation: raters who lack context can agree on a wrong "
            "judgement. Read the misevaluated items beside the coefficients."
        )
    ]
    for criterion in dict.fromkeys(cell.criterion for cell in analysis.scenarios):
        cells = [cell for cell in analysis.scenarios if cell.criterion == criterion]
        keys = list(dict.fromkeys(key for cell in cells for key in cell.values))
        rows: list[dict[str, Cell]] = [
            {
                "scenario": cell.scenario, "test_set": cell.test_set or "all", "group": cell.group or "all",
                "items": cell.items, "raters": cell.raters, **cell.values,
            }
            for cell in cells
        ]  # fmt: skip
        columns = [
            Column("scenario", "scenario"), Column("test_set", "test set"), Column("group", "group"),
            Column("items", "items"), Column("raters", "raters"),
            *(Column(key, key.replace("_", " ")) for key in keys),
        ]  # fmt: skip
        blocks.append(Rows(Table(f"Agreement by scenario: {criterion or 'all ratings'}", columns, rows)))
    return blocks


def _misevaluations(analysis: Analysis) -> list[Block]:
    if not analysis.misevaluations:
        return []
    found = analysis.misevaluations[:_MOST_MISEVALUATED]
    rows: list[dict[str, Cell]] = [
        {"item": one.item, "criterion": one.criterion, "without": one.without, "with": one.with_context}
        for one in found
    ]
    columns = (
        Column("item", "item"), Column("criterion", "criterion"), Column("without", "mean alone", 2),
        Column("with", "mean in context", 2),
    )  # fmt: skip
    title = f"{len(analysis.misevaluations)} items are fine without context and faulty with it"
    blocks: list[Block] = [Rows(Table(title, columns, rows), [f"item-{place}" for place in range(len(found))])]
    heads = (
        Column("scenario", "scenario"), Column("rater", "rater"), Column("criterion", "criterion"),
        Column("value", "verdict"), Column("comment", "comment"),
    )  # fmt: skip
    for place, one in enumerate(found):
        verdicts: list[dict[str, Cell]] = [
            {"scenario": v.scenario, "rater": v.rater, "criterion": v.criterion, "value": v.value, "comment": v.comment}
            for v in one.verdicts
        ]
        blocks.append(
            Evidence(f"item-{place}", f"All verdicts on {one.item}", [Rows(Table(one.item, heads, verdicts))])
        )
    return blocks
