"""What every result can do: print itself, show itself in a notebook, become plain data or a data frame."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from typing import Any

from accord.tables.table import Table

__all__ = ["Result"]


class Result(ABC):
    """The common part of results: a class says its tables, the lines under them and its plain data, no more."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """The tables that show it, the most important one first."""

    def lines(self) -> Sequence[str]:
        """The sentences under the tables."""
        return ()

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """Plain data: what ``--json`` prints."""

    def to_frame(self, kind: str | None = None) -> Any:
        """The first table as a frame of pandas, polars or pyarrow: the one asked for, or in use."""
        return self.tables()[0].to_frame(kind)

    def head(self, rows: int = 5) -> Table:
        """The first rows of the first table."""
        return self.tables()[0].head(rows)

    def __str__(self) -> str:
        return "\n".join([*(table.to_plain() for table in self.tables()), *self.lines()]).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in self.lines())
        return "\n".join([*(table.to_html() for table in self.tables()), lines])
