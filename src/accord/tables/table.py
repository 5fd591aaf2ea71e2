"""A table of results, written once and told as text, CSV, Markdown, LaTeX, HTML or a data frame."""

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from accord.records import dataclass
from accord.tables.csv_lines import csv_writer
from accord.tables.frames import frame_of
from accord.words import spelled, steady

if TYPE_CHECKING:
    from accord.look.bar import Bar

__all__ = ["Cell", "Column", "Table"]

Cell = str | float | int | bool | None
_SHORT = 14
_WIDE, _LEAST_ROOM = 120, 36
"""Plain text is folded at so many characters, but words at the end of a row keep some room."""
_P = ("p", "adjusted", "adjusted_p", "sign_p", "p_with_these_raters")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the key of its cells, its heading in words, and the decimals of its numbers."""

    key: str
    title: str
    digits: int = 3

    def text(self, value: Cell) -> str:
        if value is None or (isinstance(value, float) and isnan(value)):
            return "–"
        if isinstance(value, float):
            shown = f"{steady(value):z.{self.digits}f}"
            # A probability is never nought because it is small.
            return (
                f"<{10**-self.digits:.{self.digits}f}" if self.key in _P and value > 0 and not float(shown) else shown
            )
        return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else spelled(value)


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """Rows of raw values with a title; every rendering reads the same objects.

    ``is_detail`` says that the answer can be read without it: a terminal shows it where everything is asked for.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    is_detail: bool = False

    def texts(self) -> list[list[str]]:
        return [[column.text(row.get(column.key)) for column in self.columns] for row in self.rows]

    def is_number(self, column: Column) -> bool:
        """Whether a column holds numbers only, and so is set flush right."""
        cells = [row.get(column.key) for row in self.rows]
        numbers = [cell for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]
        return bool(numbers) and len(numbers) == sum(cell is not None for cell in cells)

    def is_wordy(self) -> bool:
        """Whether cells after the first hold words: on a narrow screen such a table is told row by row."""
        words = [column for column in self.columns[1:] if not self.is_number(column)]
        return len(self.columns) > 2 and any(
            isinstance(cell := row.get(column.key), str) and len(cell) > _SHORT for column in words for row in self.rows
        )

    def head(self, rows: int = 5) -> "Table":
        """The same with its first rows only."""
        return replace(self, rows=self.rows[:rows])

    def __str__(self) -> str:
        return self.to_plain().rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self, links: Sequence[str] = (), bars: Sequence["Bar | None"] = (), kept: int | None = None) -> str:
        """For a page, everything escaped; ``links`` are what the first cell of each row leads to."""
        from accord.tables.html import html_table

        return html_table(self, links, bars, kept)

    def to_frame(self, kind: str | None = None) -> Any:
        """The raw values as a frame of pandas, polars or pyarrow: the one asked for, or in use."""
        return frame_of([{column.key: row.get(column.key) for column in self.columns} for row in self.rows], kind)

    def to_plain(self) -> str:
        """Columns lined up with spaces, for a pipe or a log."""
        body = [[column.title for column in self.columns], *self.texts()]
        widths = [max(len(row[place]) for row in body) for place in range(len(self.columns))]
        right = [self.is_number(column) for column in self.columns]
        lines = [line for row in body for line in _folded(row, widths, right)]
        return "\n".join([self.title, *lines, *self.notes]) + "\n"

    def to_csv(self) -> str:
        """Full precision, one header line."""
        out = io.StringIO()
        writer = csv_writer(out)
        writer.writerow([column.key for column in self.columns])
        writer.writerows([_raw(row.get(column.key)) for column in self.columns] for row in self.rows)
        return out.getvalue()

    def to_markdown(self) -> str:
        heads = [column.title for column in self.columns]
        rule = ["---:" if self.is_number(column) else "---" for column in self.columns]
        lines = [_bars(heads), _bars(rule), *(_bars(row) for row in self.texts())]
        return "\n".join([f"**{_no_bar(self.title)}**", "", *lines, "", *(f"{note}  " for note in self.notes)]) + "\n"

    def to_latex(self) -> str:
        """A booktabs table, ready to paste."""
        from accord.tables.latex import latex_table

        heads = [column.title for column in self.columns]
        return latex_table(self.title, heads, self.texts(), [*map(self.is_number, self.columns)], self.notes)


def _raw(value: Cell) -> Cell:
    return "" if value is None or (isinstance(value, float) and isnan(value)) else value


def _aligned(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    done = (
        cell.rjust(width) if flush else cell.ljust(width)
        for cell, width, flush in zip(cells, widths, right, strict=True)
    )
    return "  ".join(done).rstrip()


def _folded(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    """The lines of a row: words in its last cell that would make it too wide go on below, under their column."""
    start = sum(widths[:-1]) + 2 * len(widths[:-1])
    room = max(_WIDE - start, _LEAST_ROOM)
    if right[-1] or len(cells[-1]) <= room:
        return [_aligned(cells, widths, right)]
    first, *others = wrap(cells[-1], room, break_long_words=False, break_on_hyphens=False)
    return [_aligned([*cells[:-1], first], widths, right), *(" " * start + words for words in others)]


def _no_bar(text: str) -> str:
    """A cell stays one cell, and text from ratings stays text."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _bars(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_no_bar(cell) for cell in cells) + " |"
