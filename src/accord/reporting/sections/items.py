"""Items: the most disputed first, with texts and comments; then those everyone agrees on."""

from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Paragraph, Rows, Section
from accord.reporting.wording import on
from accord.tables.table import Cell, Column, Table
from accord.words import counted

__all__ = ["items"]

_COLUMNS = (
    Column("item", "item"), Column("entropy", "entropy (bits)", 2), Column("ratings", "ratings"),
    Column("values", "given"), Column("text", "text"), Column("comments", "comments"),
)  # fmt: skip


_LOOK = " The most disputed are below; read them to see whether the text or the guideline is at fault."


def items(analysis: Analysis) -> Section | None:
    blocks: list[Block] = []
    for place, criterion in enumerate(analysis.criteria):
        found = criterion.items
        if not found.items:
            continue
        total, same = found.items, found.items - found.disputed
        blocks.append(
            Paragraph(
                f"Raters gave one and the same value to {same:,} of {counted(total, 'item')}{on(criterion.title)} "
                f"({same / total:.0%}).{_LOOK if found.most else ''}"
            )
        )
        if found.most:
            rows: list[dict[str, Cell]] = [item.to_dict() for item in found.most]  # type: ignore[misc]
            note = f"{_disputed(found.disputed)}; all of them: accord diagnose --show items --top 0 --csv."
            blocks.append(Rows(Table(f"Most disputed items{on(criterion.title)}", _shown(rows), rows, (note,))))
        if found.agreed:
            few: list[dict[str, Cell]] = [item.to_dict() for item in found.agreed]  # type: ignore[misc]
            note = f"{len(few)} of {same:,} are listed."
            about = f" ({criterion.title})" if criterion.title else ""
            table = Table(f"Items everyone agrees on{about}", _shown(few), few, (note,))
            blocks.append(
                Evidence(
                    f"agreed-{place}", f"Total agreement{on(criterion.title)}: {counted(same, 'item')}", [Rows(table)]
                )
            )
    return Section("items", "Items", blocks) if blocks else None


def _disputed(number: int) -> str:
    return f"{counted(number, 'item')} {'is' if number == 1 else 'are'} disputed"


def _shown(rows: list[dict[str, Cell]]) -> list[Column]:
    """Texts and comments have a column where there are any."""
    return [column for column in _COLUMNS if column.key not in ("text", "comments") or any(r[column.key] for r in rows)]
