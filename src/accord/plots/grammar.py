"""The few words of Vega-Lite that our charts are made of, as plain dictionaries.

The names are Altair's, which would take half a second to load and 20 to 60 ms for each chart, most of it to check what
our tests check once against the schema.
"""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "Axis",
    "Chart",
    "Color",
    "Data",
    "Facet",
    "FieldEqualPredicate",
    "FieldGTPredicate",
    "FieldOneOfPredicate",
    "FieldValidPredicate",
    "Legend",
    "Scale",
    "Shape",
    "Size",
    "Step",
    "Text",
    "X",
    "XOffset",
    "Y",
    "YOffset",
    "condition",
    "layer",
    "value",
    "vconcat",
]

_TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal", "T": "temporal"}
_WITHOUT_TYPE = ("x2", "y2")


def _field(shorthand: str, **options: Any) -> dict[str, Any]:
    """``name:Q`` and what else is said of a channel."""
    name, _, kind = shorthand.rpartition(":")
    return {"field": name, **options, "type": _TYPES[kind]}


X = Y = XOffset = YOffset = Color = Shape = Size = Text = Facet = _field


def _options(**options: Any) -> dict[str, Any]:
    return options


Axis = Scale = Legend = FieldEqualPredicate = FieldGTPredicate = FieldValidPredicate = _options


def Data(*, values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:  # noqa: N802 (Altair's name)
    return {"values": values}


def Step(pixels: float) -> dict[str, Any]:  # noqa: N802 (Altair's name)
    return {"step": pixels}


def FieldOneOfPredicate(field: str, values: Sequence[Any]) -> dict[str, Any]:  # noqa: N802 (Altair's name)
    return {"field": field, "oneOf": list(values)}


def value(given: Any) -> dict[str, Any]:
    return {"value": given}


def condition(test: Mapping[str, Any], so: Mapping[str, Any], otherwise: Mapping[str, Any]) -> dict[str, Any]:
    return {"condition": {"test": test, **so}, **otherwise}


class Chart:
    """A drawing; every method gives a new one."""

    def __init__(self, data: Mapping[str, Any] | None = None, **parts: Any) -> None:
        self.parts: dict[str, Any] = ({"data": data} if data is not None else {}) | parts

    def _with(self, **parts: Any) -> "Chart":
        return Chart(**{**self.parts, **parts})

    def __getattr__(self, name: str) -> Any:
        """``mark_point(size=90)`` and its like."""
        if not name.startswith("mark_"):
            raise AttributeError(name)
        return lambda **options: self._with(mark={"type": name.removeprefix("mark_"), **options})

    def __add__(self, other: "Chart") -> "Chart":
        return layer(self, other)

    def encode(self, **channels: str | Mapping[str, Any]) -> "Chart":
        told = {name: _field(one) if isinstance(one, str) else dict(one) for name, one in channels.items()}
        for name in _WITHOUT_TYPE:
            told.get(name, {}).pop("type", None)
        return self._with(encoding={**self.parts.get("encoding", {}), **told})

    def transform_filter(self, test: Mapping[str, Any]) -> "Chart":
        return self._with(transform=[*self.parts.get("transform", ()), {"filter": test}])

    def properties(self, **options: Any) -> "Chart":
        return self._with(**options)

    def facet(self, by: Mapping[str, Any], *, columns: int) -> "Chart":
        """One panel a value; the rows belong to all of them."""
        panel = {name: part for name, part in self.parts.items() if name != "data"}
        return Chart(self.parts.get("data"), facet=by, columns=columns, spec=panel)

    def to_dict(self) -> dict[str, Any]:
        """The specification, in which rows that several layers share stand once."""
        named: dict[int, tuple[str, Any]] = {}

        def told(part: Any) -> Any:
            if isinstance(part, list):
                return [told(one) for one in part]
            if not isinstance(part, Mapping):
                return part
            return {name: source(one) if name == "data" else told(one) for name, one in part.items()}

        def source(data: Mapping[str, Any]) -> dict[str, str]:
            rows = data["values"]
            return {"name": named.setdefault(id(rows), (f"data-{len(named) + 1}", rows))[0]}

        spec: dict[str, Any] = told(self.parts)
        return {**spec, "datasets": {name: list(rows) for name, rows in named.values()}, "$schema": _SCHEMA}


_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


def _together(kind: str, charts: Sequence[Chart], data: Mapping[str, Any] | None) -> Chart:
    """Charts in one; rows that all of them share are said once, above them."""
    sources = [one.parts.get("data") for one in charts]
    if data is None and sources[0] is not None and all(one is not None and one is sources[0] for one in sources):
        data = sources[0]
    inner = [{name: part for name, part in one.parts.items() if name != "data" or part is not data} for one in charts]
    return Chart(data, **{kind: inner})


def layer(*charts: Chart, data: Mapping[str, Any] | None = None) -> Chart:
    return _together("layer", charts, data)


def vconcat(*charts: Chart) -> Chart:
    return _together("vconcat", charts, None)
