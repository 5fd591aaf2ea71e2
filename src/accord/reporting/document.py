"""A report as plain parts, written once and told as a page, Markdown or LaTeX."""

from collections.abc import Iterator, Sequence
from dataclasses import field

from accord.look.bar import Bar
from accord.plots.chart import Chart
from accord.records import dataclass
from accord.tables.table import Table

__all__ = [
    "Block",
    "Document",
    "Evidence",
    "Figure",
    "FirstScreen",
    "Listing",
    "Number",
    "Paragraph",
    "Quoted",
    "Rows",
    "Section",
]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words; ``tone`` is plain, lead (the answer), or the severity of a finding."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class Listing:
    """Short sentences, one per line."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text to copy as it is: a command, a signature, or ``prose`` for a paper."""

    text: str
    label: str
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A table; ``links`` gives each row the key of the evidence behind it, '' for none.

    ``bars`` draw each row's value with its interval: with them the table is a forest plot. Where ``kept`` is given,
    Markdown and paper hold only so many rows, and say how many more the page has.
    """

    table: Table
    links: Sequence[str] = ()
    bars: Sequence[Bar | None] = ()
    kept: int | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart."""

    chart: Chart


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands behind a number or a finding, folded away until it is asked for.

    Markdown and paper cannot fold: Markdown holds it only where it is ``kept``, paper where it is for ``paper`` too.
    """

    key: str
    title: str
    blocks: Sequence["Block"]
    kept: bool = False
    paper: bool = True


Block = Paragraph | Listing | Quoted | Rows | Figure | Evidence


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, the sentence it was written for, and what stands behind it; without blocks it is one line.

    On paper it is open where ``paper``; otherwise its heading and finding stand there alone.
    """

    key: str
    title: str
    finding: str
    blocks: Sequence[Block] = ()
    paper: bool = True


@dataclass(frozen=True, slots=True)
class Number:
    """One of the numbers of the first screen, with its interval and what it means."""

    label: str
    value: str
    interval: str = ""
    note: str = ""
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """What can stand alone: question, answer, at most three numbers, what is wrong, what to do.

    ``notices`` are about the data as they were read; they stand before everything else. ``calm`` says that the checks
    found nothing.
    """

    question: str
    answer: str
    why: str = ""
    notices: Sequence[str] = ()
    numbers: Sequence[Number] = ()
    wrong: Sequence[str] = ()
    calm: str = ""
    todo: Sequence[str] = ()
    forests: Sequence[Rows] = ()
    footnote: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report; ``data`` holds the same numbers for machines."""

    title: str
    subtitle: str
    first: FirstScreen
    sections: Sequence[Section]
    data: dict[str, object] = field(default_factory=dict)
    signature: str = ""

    def blocks(self) -> Iterator[Block]:
        """Every block, those inside evidence too."""
        pending = [block for section in reversed(self.sections) for block in reversed(section.blocks)]
        while pending:
            block = pending.pop()
            yield block
            if isinstance(block, Evidence):
                pending.extend(reversed(block.blocks))

    def tables(self) -> list[Table]:
        return [block.table for block in self.blocks() if isinstance(block, Rows)]

    def charts(self) -> list[Chart]:
        return [block.chart for block in self.blocks() if isinstance(block, Figure)]
