"""The answer of a function: the tables, sentences and data that the command of the same name prints."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from accord.plots.chart import Chart
from accord.plots.of_table import chart_of_tables
from accord.ratings.remark import Remark
from accord.records import dataclass
from accord.tables.plain import without_nan
from accord.tables.result import Result
from accord.tables.table import Table

__all__ = ["Answer", "notes_in_words"]


def notes_in_words(notes: Iterable[str]) -> tuple[str, ...]:
    """The notes of reading as lines under an answer, which also says how it was read."""
    return tuple(f"Note: {note.rstrip('.')}." for note in dict.fromkeys(notes))


@dataclass(frozen=True, repr=False)
class Answer(Result):
    """The verdict in a sentence or two (``opening``), tables, the sentences under them, and the same as plain data.

    ``result`` is the object that they were made of.

    ``print(answer)`` shows it, ``answer.to_frame()`` is its first table as a data frame (``answer.to_frame(table=1)``
    the second), ``answer.plot()`` draws it, ``answer.to_dict()`` is what ``--json`` prints.
    """

    parts: tuple[Table, ...]
    words: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None
    opening: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    """What looks wrong in the ratings that the function read itself: to be checked before any number."""

    def __str__(self) -> str:
        first = (f"Check first: {remark}" for remark in self.remarks)
        return "\n".join([*first, *self.opening, super().__str__()])

    def tables(self) -> Sequence[Table]:
        return self.parts

    def lines(self) -> Sequence[str]:
        return self.words

    def to_dict(self) -> dict[str, object]:
        return {key: without_nan(value) for key, value in self.data.items()}

    def to_frame(self, kind: str | None = None, *, table: int = 0) -> Any:
        """One of the tables as a frame of pandas, polars or pyarrow: the one asked for, or in use."""
        return self._table(table).to_frame(kind)

    def plot(self, *, table: int | None = None) -> Chart:
        """The numbers of a table as a chart, with their intervals where they have some; the first one that has any."""
        return chart_of_tables(self.parts if table is None else (self._table(table),))
