"""What every result can do: print itself, show itself in a notebook, become plain data or a data frame."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from accord.errors import OptionError
from accord.tables.table import Table
from accord.words import counted

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

    def _table(self, place: int = 0) -> Table:
        """One of the tables, the first one if not said; an OptionError where there is none."""
        tables = self.tables()
        if not 0 <= place < len(tables):
            there = f"It has {counted(len(tables), 'table')}, counted from 0" if tables else "It has sentences only"
            raise OptionError(f"This answer has no table {place}. {there}; to_dict() has all of it as plain data.")
        return tables[place]

    def to_frame(self, kind: str | None = None) -> Any:
        """The first table as a frame of pandas, polars or pyarrow: the one asked for, or in use."""
        return self._table().to_frame(kind)

    def head(self, rows: int = 5) -> Table:
        """The first rows of the first table."""
        return self._table().head(rows)

    def __str__(self) -> str:
        return "\n".join([*(table.to_plain() for table in self.tables()), *self.lines()]).rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        lines = "".join(f"<p>{escape(line)}</p>" for line in self.lines())
        return "\n".join([*(table.to_html() for table in self.tables()), lines])
