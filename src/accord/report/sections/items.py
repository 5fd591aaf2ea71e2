"""Items: the most disputed first, with texts and comments; then those everyone agrees on."""

from accord.report.analysis import Analysis
from accord.report.document import Block, Evidence, Paragraph, Rows, Section
from accord.report.tables import Cell, Column, Table

__all__ = ["items"]

_MOST = 200
_COLUMNS = (
    Column("item", "item"), Column("entropy", "entropy (bits)", 2), Column("ratings", "ratings"),
    Column("values", "given"), Column("text", "text"), Column("comments", "comments"),
)  # fmt: skip


def items(analysis: Analysis) -> Section | None:
    blocks: list[Block] = []
    for place, criterion in enumerate(analysis.criteria):
        disputed = [item for item in criterion.items if item.entropy > 0]
        agreed = [item for item in criterion.items if item.entropy == 0]
        if not criterion.items:
            continue
        total = len(criterion.items)
        blocks.append(
            Paragraph(
                f"{criterion.title}: raters gave one and the same value to {len(agreed):,} of {total:,} items "
                f"({len(agreed) / total:.0%}). The most disputed are below; read them to see whether the text or "
                "the guideline is at fault."
            )
        )
        if disputed:
            rows: list[dict[str, Cell]] = [item.to_dict() for item in disputed[:_MOST]]  # type: ignore[misc]
            note = f"{len(disputed):,} items are disputed; all of them: accord diagnose --show items --top 0 --csv."
            blocks.append(Rows(Table(f"Most disputed items on {criterion.title}", _COLUMNS, rows, (note,))))
        if agreed:
            few: list[dict[str, Cell]] = [item.to_dict() for item in agreed[:20]]  # type: ignore[misc]
            table = Table(f"Items everyone agrees on ({criterion.title})", _COLUMNS, few)
            blocks.append(Evidence(f"agreed-{place}", f"Total agreement: {len(agreed):,} items", [Rows(table)]))
    return Section("items", "Items", blocks) if blocks else None
