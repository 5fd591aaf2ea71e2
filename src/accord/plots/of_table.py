"""Any table of numbers as a chart: a point a row, with its interval where the table has one."""

from collections.abc import Sequence

from accord.errors import OptionError
from accord.plots.chart import Chart
from accord.plots.reliability import intervals
from accord.tables.table import Cell, Table

__all__ = ["chart_of_tables"]

_VALUES = ("difference", "change", "value", "score", "z", "ability", "mean")
_LOWS, _HIGHS = ("low", "from"), ("high", "to")


def chart_of_tables(tables: Sequence[Table]) -> Chart:
    """The first of these tables that has numbers, drawn."""
    for table in tables:
        if points := _points(table):
            names, values, lows, highs = zip(*points, strict=True)
            ends = (min(lows), 1.02 * max(highs)) if min(lows) >= 0 else None
            return intervals(names, values, lows, highs, title=table.title, axis="", domain=ends)
    raise OptionError("There is nothing to draw: no table has numbers that stand side by side.")


def _points(table: Table) -> list[tuple[str, float, float, float]]:
    """Name, value and interval of each row; an interval of no width where the row has none."""
    numeric = [column.key for column in table.columns if table.is_number(column)]
    value = next((key for key in (*_VALUES, *numeric) if key in numeric), None)
    if value is None:
        return []
    low = next((key for key in _LOWS if key in numeric), value)
    high = next((key for key in _HIGHS if key in numeric), value)
    names = [column.key for column in table.columns if column.key not in numeric]
    points = []
    for number, row in enumerate(table.rows, start=1):
        at = _number(row.get(value))
        ends = [end if end == end else at for end in (_number(row.get(key)) for key in (low, high))]
        name = ", ".join(str(row[key]) for key in names[:2] if row.get(key)) or f"row {number}"
        if at == at:
            points.append((name, at, *ends))
    return points  # type: ignore[return-value]


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else float("nan")
