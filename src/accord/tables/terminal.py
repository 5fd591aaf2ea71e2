"""Tables as a terminal shows them: no word broken, as wide as the window; plain columns where it is a pipe."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from accord.tables.table import Table

__all__ = ["print_tables"]

_NEVER_CUT = 30
"""A first column no wider than this stands whole: it holds the names that a reader looks for."""

_BROKEN_HEAD = 5
"""A heading may be broken after so many letters where the table would not fit otherwise."""


def print_tables(tables: Sequence[Table], lines: Sequence[str] = ()) -> None:
    """Print tables and the lines under them."""
    if not sys.stdout.isatty():
        sys.stdout.write("\n".join([*(table.to_plain() for table in tables), *lines, ""]))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for place, table in enumerate(tables):
        if place:
            console.print()
        console.print(Text(table.title, style="bold"))
        widths = _widths(table, console.width)
        for part in [_drawn(table, widths)] if widths else _row_by_row(table):
            console.print(part)
        for note in table.notes:
            console.print(Text(note, style="dim"))
    for line in lines:
        console.print(Text(line))


def _drawn(table: Table, widths: Sequence[int]) -> Any:
    """The table for a terminal, no word of a cell broken."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(header_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for column, width in zip(table.columns, widths, strict=True):
        drawn.add_column(
            Text(column.title), justify="right" if table.is_number(column) else "left", width=width, overflow="fold"
        )
    for row in table.texts():
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn


def _row_by_row(table: Table) -> Iterator[Any]:
    """Where the words do not fit side by side: a line a name, and the numbers together on another."""
    from rich.text import Text

    heads = [column.title for column in table.columns]
    numbers = [table.is_number(column) for column in table.columns]
    for row in table.texts():
        yield Text(f"{heads[0]} {row[0]}" if numbers[0] else row[0], style="bold")
        told = list(zip(heads, row, numbers, strict=True))[1:]
        yield from (Text(f"  {head}: {cell}") for head, cell, number in told if not number and cell)
        if counted := [f"{head} {cell}" for head, cell, number in told if number]:
            yield Text("  " + ", ".join(counted))


def _widths(table: Table, width: int) -> list[int]:
    """The width of each column: numbers stand whole, words share the room left, a heading breaks before a cell does.

    None where the words of the cells do not fit side by side.
    """
    heads = [column.title.split() or [""] for column in table.columns]
    room, texts = width - 2 * len(heads), table.texts()
    cells = [[row[place] for row in texts] for place in range(len(heads))]
    most = [max(map(len, (column.title, *own))) for column, own in zip(table.columns, cells, strict=True)]
    for longest_head in (width, _BROKEN_HEAD):
        least = [
            max(_least(table, place, cells[place]), min(max(map(len, heads[place])), longest_head))
            for place in range(len(heads))
        ]
        if sum(least) <= room:
            return _shared(least, most, room)
    return []


def _least(table: Table, place: int, cells: Sequence[str]) -> int:
    """How narrow the cells of a column may become: numbers and a first column of short names not at all."""
    full = max(map(len, cells), default=0)
    if table.is_number(table.columns[place]) or (place == 0 and full <= _NEVER_CUT):
        return full
    return max((len(word) for cell in cells for word in cell.split()), default=0)


def _shared(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Widths between the two that fill the room, columns that need little more being served first."""
    widths, waiting = list(least), sorted(range(len(least)), key=lambda place: most[place] - least[place])
    while waiting:
        place = waiting.pop(0)
        widths[place] += min(most[place] - least[place], (room - sum(widths)) // (len(waiting) + 1))
    return widths
