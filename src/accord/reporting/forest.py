"""Forest plots of estimates: bars on one axis, each with the thresholds of its own scale and of no other."""

from collections.abc import Sequence
from math import isnan

from accord.look.bar import Bar, shared_ends
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import scales_for
from accord.reporting.wording import ends_text, number_text
from accord.tables.table import Cell, Column, Table

__all__ = ["bars_of", "forest_table", "thresholds"]

_COLUMNS = (Column("name", ""), Column("value", "value", 2), Column("ends", "interval"))


def thresholds(coefficient: str) -> tuple[float, ...]:
    """Where the bands of the coefficient's usual scale begin; none where it has no scale."""
    scales = scales_for(coefficient)
    return scales[0].bounds if scales else ()


def bars_of(estimates: Sequence[Estimate]) -> list[Bar | None]:
    """One bar for each estimate that has a value, on an axis from 0 to 1 or further where they need it."""
    reach = [end for one in estimates for end in _ends(one) if not isnan(end)]
    ends = shared_ends(reach, (0.0, 1.0))
    return [None if isnan(one.value) else _bar(one, ends) for one in estimates]


def _ends(estimate: Estimate) -> tuple[float, float]:
    interval = estimate.interval
    return (interval.low, interval.high) if interval else (estimate.value, estimate.value)


def _bar(estimate: Estimate, ends: tuple[float, float]) -> Bar:
    low, high = _ends(estimate)
    level = f"{estimate.interval.level:.0%} interval " if estimate.interval else ""
    words = f"{number_text(estimate.value)}, {level}{ends_text(estimate.interval)}"
    return Bar(estimate.value, low, high, words, ends, thresholds(estimate.coefficient))


def forest_table(title: str, named: Sequence[tuple[str, Estimate]]) -> Table:
    """Name, value and interval of each estimate."""
    rows: list[dict[str, Cell]] = [
        {"name": name, "value": one.value, "ends": ends_text(one.interval)} for name, one in named
    ]
    return Table(title, _COLUMNS, rows)
