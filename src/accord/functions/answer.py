"""The answer of a function: the tables, sentences and data that the command of the same name prints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.errors import OptionError
from accord.plots.chart import Chart
from accord.plots.reliability import intervals
from accord.tables.result import Result
from accord.tables.table import Cell, Table

__all__ = ["Answer"]

_VALUES = ("difference", "change", "value", "score", "z", "ability", "mean")
_LOWS, _HIGHS = ("low", "from"), ("high", "to")


@dataclass(frozen=True, repr=False)
class Answer(Result):
    """Tables, the sentences under them, and the same as plain data. ``result`` is the object that they were made of.

    ``print(answer)`` shows it, ``answer.to_frame()`` is its first table as a data frame (``answer.to_frame(table=1)``
    the second), ``answer.plot()`` draws it, ``answer.to_dict()`` is what ``--json`` prints.
    """

    parts: tuple[Table, ...]
    words: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    result: Any = None

    def tables(self) -> Sequence[Table]:
        return self.parts

    def lines(self) -> Sequence[str]:
        return self.words

    def to_dict(self) -> dict[str, object]:
        return dict(self.data)

    def to_frame(self, kind: str | None = None, *, table: int = 0) -> Any:
        """One of the tables as a frame of pandas, polars or pyarrow: the one asked for, or in use."""
        return self.parts[table].to_frame(kind)

    def plot(self, *, table: int | None = None) -> Chart:
        """The numbers of a table as a chart, with their intervals where they have some; the first one that has any."""
        asked = self.parts if table is None else (self.parts[table],)
        for part in asked:
            points = _points(part)
            if points:
                names, values, lows, highs = zip(*points, strict=True)
                ends = (min(lows), 1.02 * max(highs)) if min(lows) >= 0 else None
                return intervals(names, values, lows, highs, title=part.title, axis="", domain=ends)
        raise OptionError("There is nothing to draw: no table has numbers that stand side by side.")


def _points(table: Table) -> list[tuple[str, float, float, float]]:
    """Name, value and interval of each row; an interval of no width where the table has none."""
    numeric = [column.key for column in table.columns if table.is_number(column)]
    value = next((key for key in (*_VALUES, *numeric) if key in numeric), None)
    if value is None:
        return []
    low = next((key for key in _LOWS if key in numeric), value)
    high = next((key for key in _HIGHS if key in numeric), value)
    names = [column.key for column in table.columns if column.key not in numeric]
    points = []
    for number, row in enumerate(table.rows, start=1):
        ends = [_number(row.get(key)) for key in (value, low, high)]
        name = ", ".join(str(row[key]) for key in names[:2] if row.get(key)) or f"row {number}"
        if all(end == end for end in ends):
            points.append((name, *ends))
    return points  # type: ignore[return-value]


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else float("nan")
