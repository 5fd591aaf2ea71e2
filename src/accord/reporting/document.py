"""A report as plain parts, written once and told as a page, Markdown or LaTeX."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from accord.plots.chart import Chart
from accord.tables.table import Table

__all__ = ["Block", "Document", "Evidence", "Figure", "Listing", "Paragraph", "Quoted", "Rows", "Section"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words; ``tone`` is plain, lead (the answer), or the severity of a finding."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class Listing:
    """Short sentences, one a line."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text to copy as it is: a command, a signature, or ``prose`` for a paper."""

    text: str
    label: str
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """A table; ``links`` gives each row the key of the evidence behind it, '' for none."""

    table: Table
    links: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart."""

    chart: Chart


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands behind a number or a finding, folded away until it is asked for."""

    key: str
    title: str
    blocks: Sequence["Block"]


Block = Paragraph | Listing | Quoted | Rows | Figure | Evidence


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it."""

    key: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report; ``data`` holds the same numbers for machines."""

    title: str
    subtitle: str
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
