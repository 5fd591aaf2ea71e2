"""Agreement beside correlation, never one alone (paper 002)."""

from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Paragraph, Rows, Section
from accord.tables.table import Cell, Column, Table

__all__ = ["correlation"]

_COLUMNS = (
    Column("criterion", "criterion"), Column("scope", "raters"), Column("items", "items"), Column("pairs", "pairs"),
    Column("agreement", "same rating"), Column("kappa", "mean κ"), Column("gamma", "mean γ"),
    Column("untied", "untied pairs"), Column("words", "in words"),
)  # fmt: skip


def correlation(analysis: Analysis) -> Section | None:
    """Raters who disagree may still put items in the same order; the gap says which it is."""
    if not any(side.pairs for side in analysis.sides):
        return None
    many = [side for side in analysis.sides if side.pairs != 1 or side.scope == "all raters"]
    single = [side for side in analysis.sides if side not in many]
    blocks: list[Block] = [
        Paragraph(
            "κ asks whether raters give the same rating, γ whether they put items in the same order. "
            "Low κ with high γ means strict and lenient raters who are consistent."
        ),
        Rows(_table("Agreement and correlation", [side.to_dict() for side in many])),
    ]
    if single:
        table = _table("Every pair of raters", [side.to_dict() for side in single])
        blocks.append(Evidence("pair-sides", f"Every pair of raters ({len(single):,})", [Rows(table)]))
    return Section("correlation", "Agreement beside correlation", blocks)


def _table(title: str, rows: list[dict[str, object]]) -> Table:
    keys = {column.key for column in _COLUMNS}
    chosen: list[dict[str, Cell]] = [{key: row[key] for key in keys} for row in rows]  # type: ignore[misc]
    return Table(title, _COLUMNS, chosen, ("γ on few untied pairs says little: look at their number.",))
