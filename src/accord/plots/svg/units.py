"""A specification taken apart: each mark with the rows that it shows, a box plot as what it is made of."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.records import dataclass

__all__ = ["Row", "Unit", "holds", "number", "units_of"]

Row = Mapping[str, Any]
Spec = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unit:
    """One kind of mark: its options, what its channels show, and the rows."""

    mark: Mapping[str, Any]
    encoding: Mapping[str, Mapping[str, Any]]
    rows: Sequence[Row]

    @property
    def kind(self) -> str:
        return str(self.mark["type"])

    def field(self, channel: str) -> str | None:
        """The column that a channel shows."""
        return self.encoding.get(channel, {}).get("field")

    def only(self, column: str, value: Any) -> "Unit":
        """The same mark of the rows that have this value."""
        return Unit(self.mark, self.encoding, [row for row in self.rows if row.get(column) == value])


def number(value: Any) -> float | None:
    """A number that can be drawn."""
    if isinstance(value, int | float) and abs(value) < float("inf"):
        return float(value)
    return None


def holds(test: Mapping[str, Any], row: Row) -> bool:
    """Whether a row passes a test of Vega-Lite."""
    value = row.get(test["field"])
    if "equal" in test:
        return bool(value == test["equal"])
    if "oneOf" in test:
        return bool(value in test["oneOf"])
    if "valid" in test:
        return (number(value) is not None) is bool(test["valid"])
    found = number(value)
    return found is not None and found > test["gt"]


def units_of(spec: Spec, datasets: Mapping[str, Sequence[Row]], rows: Sequence[Row] = ()) -> list[Unit]:
    """The marks of a view in the order in which they lie over each other."""
    if "data" in spec:
        rows = datasets[spec["data"]["name"]]
    if "layer" in spec:
        return [unit for inner in spec["layer"] for unit in units_of(inner, datasets, rows)]
    for step in spec.get("transform", ()):
        rows = [row for row in rows if holds(step["filter"], row)]
    unit = Unit(spec["mark"], spec.get("encoding", {}), rows)
    if unit.kind == "boxplot":
        return _box(unit)
    if unit.kind == "line" and unit.mark.get("point"):
        kept = {name: channel for name, channel in unit.encoding.items() if name not in ("strokeWidth", "order")}
        return [unit, Unit({"type": "point", "opacity": 1}, kept, rows)]
    return [unit]


def _box(unit: Unit) -> list[Unit]:
    """Whiskers, box, median and what lies beyond the whiskers."""
    along, across = ("y", "x") if unit.encoding["y"]["type"] == "quantitative" else ("x", "y")
    group, field = unit.encoding[across]["field"], unit.encoding[along]["field"]
    names = list(dict.fromkeys(row[group] for row in unit.rows))
    by_name = {name: [row[field] for row in unit.rows if row[group] == name] for name in names}
    extent = unit.mark.get("extent", 1.5)
    boxes = [{group: name, **_quartiles(found, extent)} for name, found in by_name.items() if _known(found)]
    ends = {str(row[group]): (row["lower"], row["upper"]) for row in boxes}
    beyond = [row for row in unit.rows if str(row[group]) in ends and _is_beyond(row[field], ends[str(row[group])])]
    place = {**unit.encoding[along], "title": unit.encoding[along].get("title", field)}
    plain = {name: channel for name, channel in unit.encoding.items() if name != "color"}

    def part(kind: str, look: Mapping[str, Any], *fields: str, coloured: bool = False) -> Unit:
        ends = dict(zip((along, f"{along}2"), ({**place, "field": one} for one in fields), strict=False))
        return Unit({"type": kind, **look}, {**(unit.encoding if coloured else plain), **ends}, boxes)

    own = {name: unit.mark[name] for name in ("color", "opacity") if name in unit.mark}
    rule, size = {**own, **unit.mark.get("rule", {})}, unit.mark.get("size", 14)
    tick = {"opacity": 1, "thickness": 1}
    parts = [
        part("rule", rule, "lower", "quarter"),
        part("rule", rule, "three_quarters", "upper"),
        part("bar", {**own, "size": size}, "quarter", "three_quarters", coloured=True),
        part("tick", {**tick, "size": size, **unit.mark.get("median", {})}, "median"),
    ]
    if ends_of_whiskers := unit.mark.get("ticks"):
        look = {**tick, "color": "black", **ends_of_whiskers}
        parts += [part("tick", look, end) for end in ("lower", "upper")]
    if extent != "min-max":
        parts.append(Unit({"type": "point"}, unit.encoding, beyond))
    return parts


def _known(values: Sequence[Any]) -> list[float]:
    return [float(value) for value in values if number(value) is not None and value == value]


def _quartiles(values: Sequence[Any], extent: float | str) -> dict[str, float]:
    """Quartiles, median, and the furthest values that whiskers of this extent reach."""
    known = np.array(_known(values))
    quarter, median, three_quarters = (float(q) for q in np.quantile(known, [0.25, 0.5, 0.75]))
    reach = float("inf") if isinstance(extent, str) else extent * (three_quarters - quarter)
    inside = known[(known >= quarter - reach) & (known <= three_quarters + reach)]
    return {
        "quarter": quarter,
        "median": median,
        "three_quarters": three_quarters,
        "lower": float(inside.min()),
        "upper": float(inside.max()),
    }


def _is_beyond(value: Any, ends: tuple[float, float]) -> bool:
    known = number(value)
    return known is not None and not ends[0] <= known <= ends[1]
