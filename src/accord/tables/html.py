"""A table as HTML, for reports, pages and notebooks: escaped, headed, with long texts folded away."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from accord.look.bar import Bar

if TYPE_CHECKING:
    from accord.tables.table import Table

__all__ = ["html_table"]

_LONG_TEXT = 220
_SHORT_NAME = 18
_TEXT = "text"
"""The column of texts under judgement, which pages set in their own typeface."""
_PAGE = 30
"""A table of more rows is turned page by page where the reader's page knows how."""


_SCREEN = '<tr class="screen">'
"""A row that paper leaves out."""


def html_table(
    table: "Table", links: Sequence[str] = (), bars: Sequence[Bar | None] = (), kept: int | None = None
) -> str:
    """The table with its notes; ``links`` gives the first cell of each row the key of what stands behind it.

    ``bars`` draw each row's interval beside its name. Rows after the first ``kept`` are not for paper.
    """
    numeric, wordy = [table.is_number(column) for column in table.columns], table.is_wordy()
    heads = [
        f'<th scope="col"{_number(number)}>{escape(column.title)}</th>'
        for column, number in zip(table.columns, numeric, strict=True)
    ]
    told = [
        f' data-head="{escape(column.title)}"' if wordy and place else "" for place, column in enumerate(table.columns)
    ]
    body = []
    for at, row in enumerate(table.texts()):
        texts = [_linked(row[0], links[at] if at < len(links) else ""), *map(_folded, row[1:])]
        marked = zip(numeric, told, texts, strict=True)
        cells = [f'<td{_number(number)}{head} dir="auto">{cell}</td>' for number, head, cell in marked]
        cells = [
            cell.replace("<td", '<td class="text"', 1) if column.key == _TEXT else cell
            for column, cell in zip(table.columns, cells, strict=True)
        ]
        body.append("".join(_with_bar(row[0], cells, bars[at]) if bars else cells))
    if bars:
        heads.insert(1, '<th scope="col" class="bar"><span class="unseen">drawn</span></th>')
    return _framed(table, "".join(heads), body, wordy, kept)


def _framed(table: "Table", heads: str, body: Sequence[str], wordy: bool, kept: int | None) -> str:
    kinds = " ".join([*(["paged"] if len(body) > _PAGE else []), *(["wordy"] if wordy else [])])
    named = f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}">'
    most = len(body) if kept is None else kept
    rows = "\n".join(f"{_SCREEN if at >= most else '<tr>'}{cells}</tr>" for at, cells in enumerate(body))
    more = len(body) - most
    rest = f'<p class="small paper">{more:,} more rows are in the page.</p>' if more > 0 else ""
    notes = "".join(f'<p class="small">{escape(note)}</p>' for note in table.notes)
    return (
        f'{named}<table class="{kinds}">\n<caption>{escape(table.title)}</caption>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>\n{rest}{notes}"
    )


def _with_bar(name: str, cells: Sequence[str], bar: Bar | None) -> list[str]:
    """The bar beside its name, which is not broken where it is short."""
    drawn = bar.to_svg() if bar is not None else ""
    first = cells[0].replace("<td", '<td class="short"', 1) if len(name) <= _SHORT_NAME else cells[0]
    return [first, f'<td class="bar">{drawn}</td>', *cells[1:]]


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
