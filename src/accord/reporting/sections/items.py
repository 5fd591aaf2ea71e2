"""Disputed items, the most disputed first, with texts and comments; then those everyone agrees on."""

from collections.abc import Sequence

from accord.noise import ordered
from accord.reporting.analysis import Analysis, CriterionAnalysis, part_name
from accord.reporting.document import Block, Evidence, Rows, Section
from accord.reporting.scarce_scores import few_scores
from accord.reporting.wording import cases, on
from accord.tables.table import Cell, Column, Table
from accord.words import counted

__all__ = ["disagree", "items", "undisputed"]

_COLUMNS = (
    Column("item", "item"), Column("part", "part"), Column("text", "text"), Column("values", "given"),
    Column("comments", "comments"), Column("entropy", "entropy (bits)", 2), Column("apart", "furthest apart", 2),
    Column("ratings", "ratings"),
)  # fmt: skip
_KEPT = 5
"""Rows of a criterion that Markdown and paper hold."""


def items(analysis: Analysis) -> Section | None:
    """Of each criterion the items raters disagree on most, with their texts beside the ratings."""
    by_criterion: dict[str, list[CriterionAnalysis]] = {}
    for criterion in analysis.criteria:
        if criterion.items.items:
            by_criterion.setdefault(criterion.part.by.get("criterion", ""), []).append(criterion)
    if not by_criterion or few_scores(analysis):
        return None
    blocks = [block for name, parts in by_criterion.items() for block in _criterion(name, parts)]
    disputed = sum(criterion.items.disputed for criterion in analysis.criteria)
    total = sum(criterion.items.items for criterion in analysis.criteria)
    if not disputed:
        far = max(criterion.items.far for criterion in analysis.criteria)
        items = counted(total, "item")
        close = f"the ratings of each of {items} lie at most {far:g} apart"
        same = close if far else f"all raters gave the same value to each of {items}"
        return Section("items", "Disputed texts", f"None: {same}.")
    return Section("items", "Disputed texts", _finding(analysis, disputed, total), blocks)


def _finding(analysis: Analysis, disputed: int, total: int) -> str:
    first = max(
        (criterion for criterion in analysis.criteria if criterion.items.most),
        key=lambda criterion: criterion.items.most[0].entropy,
    )
    worst = first.items.most[0]
    most = f"most on {worst.item}{on(first.title)}: {worst.values}"
    return f"{disagree(analysis)} on {disputed:,} of {cases(total, len(analysis.criteria))}, {most}."


def disagree(analysis: Analysis) -> str:
    """What makes an item disputed: any difference, or scores far apart."""
    far, mixed = _far(analysis)
    if not far:
        return "Raters disagree"
    return f"Raters disagree (scores: more than {far} apart)" if mixed else f"Ratings lie more than {far} apart"


def undisputed(analysis: Analysis) -> str:
    """What makes an item one without dispute."""
    far, mixed = _far(analysis)
    if not far:
        return "all raters gave one value"
    return (
        f"scores lie at most {far} apart, other answers are the same" if mixed else f"ratings lie at most {far} apart"
    )


def _far(analysis: Analysis) -> tuple[str, bool]:
    """How far apart scores of many values must lie, and whether other criteria have a rule of their own."""
    far = {criterion.items.far for criterion in analysis.criteria}
    return " or ".join(f"{one:g}" for one in sorted(far - {0.0})), len(far) > 1


def _criterion(name: str, parts: Sequence[CriterionAnalysis]) -> list[Block]:
    blocks: list[Block] = []
    rows: list[dict[str, Cell]] = [
        {**item.to_dict(), "part": _part(criterion)} for criterion in parts for item in criterion.items.most
    ]
    by = "apart" if any(one.items.far for one in parts) else "entropy"
    rows = ordered(rows, lambda row: float(row[by] or 0), highest=True)
    total, disputed = (sum(getattr(one.items, what) for one in parts) for what in ("items", "disputed"))
    if rows:
        listed = f"; the {len(rows):,} most disputed are listed" if len(rows) < disputed else ""
        note = f"{_disputed(disputed)} of {total:,}{listed}."
        table = Table(f"Most disputed items{on(name)}", _columns_in_use(rows, by), rows, (note,))
        blocks.append(Rows(table, kept=_KEPT))
    few: list[dict[str, Cell]] = [
        {**item.to_dict(), "part": _part(criterion)} for criterion in parts for item in criterion.items.agreed
    ]
    if few:
        same = total - disputed
        title = f"{'Items with ratings close together' if by == 'apart' else 'Items everyone agrees on'}{on(name)}"
        table = Table(title, _columns_in_use(few, by), few, (f"{len(few)} of {same:,} are listed.",))
        blocks.append(
            Evidence(
                f"agreed-{name}",
                f"{'Close together' if by == 'apart' else 'Total agreement'}{on(name)}: {counted(same, 'item')}",
                [Rows(table)],
            )
        )
    return blocks


def _part(criterion: CriterionAnalysis) -> str:
    """What the ratings were split by beside the criterion."""
    return part_name({column: name for column, name in criterion.part.by.items() if column != "criterion"}, "")


def _disputed(number: int) -> str:
    return f"{counted(number, 'item')} {'is' if number == 1 else 'are'} disputed"


def _columns_in_use(rows: Sequence[dict[str, Cell]], by: str) -> list[Column]:
    """Texts, comments and parts have a column where there are any, and what items are ordered ``by``."""
    optional = ("text", "comments", "part")
    columns = [column for column in _COLUMNS if column.key == by or column.key not in ("entropy", "apart")]
    return [column for column in columns if column.key not in optional or any(row[column.key] for row in rows)]
