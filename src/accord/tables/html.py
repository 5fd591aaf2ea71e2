"""A table as HTML, for reports, pages and notebooks: escaped, headed, with long texts folded away."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.tables.table import Table

__all__ = ["html_table"]

_LONG_TEXT = 220
_PAGE = 25
"""A table of more rows is turned page by page where the reader's page knows how."""


def html_table(table: "Table", links: Sequence[str] = ()) -> str:
    """The table with its notes; ``links`` gives the first cell of each row the key of what stands behind it."""
    numeric, wordy = [table.is_number(column) for column in table.columns], table.is_wordy()
    heads = "".join(
        f'<th scope="col"{_number(number)}>{escape(column.title)}</th>'
        for column, number in zip(table.columns, numeric, strict=True)
    )
    told = [
        f' data-head="{escape(column.title)}"' if wordy and place else "" for place, column in enumerate(table.columns)
    ]
    body = []
    for at, row in enumerate(table.texts()):
        cells = [_linked(row[0], links[at] if at < len(links) else ""), *map(_folded, row[1:])]
        marked = zip(numeric, told, cells, strict=True)
        body.append("".join(f'<td{_number(number)}{head} dir="auto">{cell}</td>' for number, head, cell in marked))
    kinds = " ".join([*(["paged"] if len(body) > _PAGE else []), *(["wordy"] if wordy else [])])
    named = f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}">'
    rows = "\n".join(f"<tr>{cells}</tr>" for cells in body)
    notes = "".join(f'<p class="small">{escape(note)}</p>' for note in table.notes)
    return (
        f'{named}<table class="{kinds}">\n<caption>{escape(table.title)}</caption>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>\n{notes}"
    )


def _number(yes: bool) -> str:
    return ' class="number"' if yes else ""


def _linked(cell: str, link: str) -> str:
    return f'<a href="#{escape(link)}">{escape(cell)}</a>' if link else _folded(cell)


def _folded(cell: str) -> str:
    """A long text opens when it is asked for."""
    if len(cell) <= _LONG_TEXT:
        return escape(cell)
    opening = cell[:_LONG_TEXT].rsplit(" ", 1)[0] + " …"
    return f'<details class="long"><summary>{escape(opening)}</summary>{escape(cell)}</details>'
