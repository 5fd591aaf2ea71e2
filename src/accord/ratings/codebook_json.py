"""The codebook as JSON: what a Data Package holds under the key ``accord``, and every mistake in it with its place.

The form follows the fields of the codebook, so that a new field travels without a word here. Only a criterion is
written flat, with the fields of its scale, as a person would write it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from difflib import get_close_matches
from enum import StrEnum
from math import isfinite
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from accord.design.criterion import Criterion
from accord.design.scale import Level, Scale, Value
from accord.ratings.codebook import Codebook

__all__ = ["Place", "codebook_of_json", "json_of_codebook"]

Place = tuple[str | int, ...]
"""The path that leads to a value: ``("criteria", 0, "level")``."""
Report = Callable[[Place, str], None]

_FIRST = ("key", "question", "definition", "unit", "kind", "level", "direction")


def json_of_codebook(codebook: Codebook) -> dict[str, Any]:
    """The codebook as plain JSON values."""
    parts = {one.name: getattr(codebook, one.name) for one in fields(codebook)}
    criteria = parts.pop("criteria")
    return {
        "criteria": [_flat(key, one) for key, one in criteria.items()],
        **{name: _plain(part) for name, part in parts.items()},
    }


def codebook_of_json(data: object, report: Report) -> Codebook:
    """The codebook that JSON describes; what is wrong goes to ``report`` with its place, and is left at its default."""
    reader = _Reader(report)
    given = reader.members(data, (), {one.name for one in fields(Codebook)})
    criteria: dict[str, Criterion] = {}
    listed = reader.listed(given.get("criteria", []), ("criteria",))
    for number, one in enumerate(listed):
        criterion = _criterion(reader, one, ("criteria", number))
        if criterion.key in criteria:
            report(("criteria", number, "key"), f"the criterion {criterion.key!r} is described twice")
        criteria[criterion.key] = criterion
    rest = {name: part for name, part in given.items() if name != "criteria"}
    return Codebook(criteria=criteria, **reader.fields(Codebook, rest, ()))


def _flat(key: str, criterion: Criterion) -> dict[str, Any]:
    """A criterion and its scale side by side; values that merely occur are found again in the table."""
    scale = criterion.scale
    flat = {one.name: getattr(criterion, one.name) for one in fields(criterion) if one.name != "scale"}
    flat |= {one.name: getattr(scale, one.name) for one in fields(scale)} | {"key": key}
    flat["values"] = list(scale.values) if scale.declared and not scale.any_between else []
    if scale.guesses and not (scale.declared or scale.any_between):
        flat |= {"low": None, "high": None}
    flat["labels"] = [{"value": value, "label": label} for value, label in scale.labels.items()]
    return {name: _plain(flat[name]) for name in (*_FIRST, *(name for name in flat if name not in _FIRST))}


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(value)
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def _criterion(reader: "_Reader", data: object, place: Place) -> Criterion:
    own = {one.name for one in fields(Criterion)} - {"scale"}
    of_scale = {one.name for one in fields(Scale)}
    given = reader.members(data, place, own | of_scale)
    if data is not None and "level" not in given:
        reader.report((*place, "level"), f"a criterion needs a level: {', '.join(Level)}")
    special = {
        "values": tuple(reader.values(given.pop("values", []), (*place, "values"))),
        "labels": reader.labels(given.pop("labels", []), (*place, "labels")),
    }
    parts = reader.fields(Scale, {name: part for name, part in given.items() if name in of_scale}, place)
    scale = Scale(**{"level": Level.NOMINAL, **special, **parts})
    _check(reader, scale, place)
    return Criterion(**reader.fields(Criterion, {n: p for n, p in given.items() if n in own}, place), scale=scale)


def _check(reader: "_Reader", scale: Scale, place: Place) -> None:
    """What fits no scale although every field by itself is well."""
    if len(set(scale.values)) < len(scale.values):
        reader.report((*place, "values"), "a value is listed twice")
    if scale.declared and not scale.values and not scale.any_between and scale.low is None:
        reader.report((*place, "declared"), "the values are said to be declared, but none are listed")
    if scale.low is not None and scale.high is not None and scale.low > scale.high:
        reader.report((*place, "low"), f"the low end {scale.low:g} lies above the high end {scale.high:g}")
    elif scale.declared and scale.is_numeric and scale.values and not scale.any_between:
        ends = min(scale.values), max(scale.values)
        if None not in (scale.low, scale.high) and (scale.low, scale.high) != ends:
            said = f"the ends {scale.low:g} and {scale.high:g} are not those of the values, {ends[0]:g} and {ends[1]:g}"
            reader.report((*place, "low"), said)
    if scale.level.has_distance and scale.values and not scale.is_numeric:
        reader.report((*place, "values"), f"the level {scale.level} needs numbers, but there are labels")


class _Reader:
    """Reads JSON values as the types of fields, and reports what does not fit."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def members(self, data: object, place: Place, known: set[str]) -> dict[str, Any]:
        """A JSON object with known names only."""
        if not isinstance(data, dict):
            self.report(place, f"{_json_in_words(data)} stands where an object {{...}} should be")
            return {}
        for name in sorted(set(data) - known):
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(known))}"
            self.report((*place, name), f"{name!r} is not known; {hint}")
        return {name: part for name, part in data.items() if name in known}

    def listed(self, data: object, place: Place) -> list[Any]:
        if isinstance(data, list):
            return data
        self.report(place, f"{_json_in_words(data)} stands where a list [...] should be")
        return []

    def fields(self, kind: type, given: Mapping[str, Any], place: Place) -> dict[str, Any]:
        """The fields of a dataclass that are given; those that cannot be read keep their default."""
        hints = get_type_hints(kind)
        read = {name: self.value(hints[name], part, (*place, name)) for name, part in given.items()}
        return {name: part for name, part in read.items() if part is not MISSING}

    def value(self, kind: Any, data: Any, place: Place) -> Any:
        """A value of this type, or MISSING with a report."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            if data is None and type(None) in inner:
                return None
            return self.value(next(one for one in inner if one is not type(None)), data, place)
        if is_dataclass(kind):
            return self.dataclass(kind, data, place)
        if origin is tuple:
            read = [self.value(inner[0], one, (*place, n)) for n, one in enumerate(self.listed(data, place))]
            return tuple(one for one in read if one is not MISSING)
        if origin is not None and issubclass(origin, Mapping):
            return self.mapping(inner[1], data, place)
        return self.plain(kind, data, place)

    def dataclass(self, kind: Any, data: object, place: Place) -> Any:
        own: tuple[Field[Any], ...] = fields(kind)
        given = self.fields(kind, self.members(data, place, {one.name for one in own}), place)
        absent = [
            one.name
            for one in own
            if one.default is MISSING and one.default_factory is MISSING and one.name not in given
        ]
        if absent:
            self.report(place, f"{' and '.join(absent)} must be given")
            return MISSING
        return kind(**given)

    def mapping(self, kind: Any, data: object, place: Place) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.report(place, f"{_json_in_words(data)} stands where an object {{...}} should be")
            return {}
        read = {name: self.value(kind, part, (*place, name)) for name, part in data.items()}
        return {name: part for name, part in read.items() if part is not MISSING}

    def plain(self, kind: type, data: Any, place: Place) -> Any:
        if issubclass(kind, StrEnum):
            if data in list(kind):
                return kind(data)
            self.report(place, f"{_called(place)} is {_json_in_words(data)}; it can be {', '.join(kind)}")
            return MISSING
        number = isinstance(data, int | float) and not isinstance(data, bool) and isfinite(data)
        if kind is float and number:
            return float(data)
        if kind is int and number and float(data).is_integer():
            return int(data)
        if kind in (str, bool) and isinstance(data, kind):
            return data
        words = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}
        wanted = words.get(kind, kind.__name__)
        self.report(place, f"{_called(place)} is {_json_in_words(data)}; it should be {wanted}")
        return MISSING

    def values(self, data: object, place: Place) -> list[Value]:
        found = [self.answer(one, (*place, number)) for number, one in enumerate(self.listed(data, place))]
        return [one for one in found if one is not None]

    def answer(self, data: Any, place: Place) -> Value | None:
        """One answer of a scale: a number, a label, or a list of labels that are given together."""
        if isinstance(data, str):
            return data
        if isinstance(data, int | float) and not isinstance(data, bool) and isfinite(data):
            return float(data)
        if isinstance(data, list) and all(isinstance(part, str) for part in data):
            return frozenset(data)
        self.report(place, f"{_json_in_words(data)} is no answer; write a number, a label, or a list of labels")
        return None

    def labels(self, data: object, place: Place) -> dict[Value, str]:
        labels: dict[Value, str] = {}
        for number, one in enumerate(self.listed(data, place)):
            given = self.members(one, (*place, number), {"value", "label"})
            if set(given) != {"value", "label"} or not isinstance(given["label"], str):
                self.report((*place, number), 'a label is written as {"value": 1, "label": "poor"}')
                continue
            value = self.answer(given["value"], (*place, number, "value"))
            if value is not None:
                labels[value] = given["label"]
        return labels


def _called(place: Place) -> str:
    """The name of a member; an entry of a list by its number, counted from 1 as people do."""
    return f"entry {place[-1] + 1} of {_called(place[:-1])}" if isinstance(place[-1], int) else place[-1]


def _json_in_words(data: object) -> str:
    """A JSON value in a sentence."""
    if data is None:
        return "null"
    if isinstance(data, Sequence) and not isinstance(data, str):
        return "a list"
    return (
        "an object" if isinstance(data, dict) else "true" if data is True else "false" if data is False else repr(data)
    )
