"""Plain data of results: numbers, words, lists and names, as JSON takes them."""

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from functools import cache
from math import isnan
from typing import Any, ClassVar

__all__ = ["PlainData", "plain", "without_nan"]


class PlainData:
    """A dataclass whose plain data are its fields, in their order."""

    __slots__ = ()
    _called: ClassVar[Mapping[str, str]] = {}
    """Fields that have another name in plain data; an empty one leaves the field out."""
    _beside: ClassVar[tuple[str, ...]] = ()
    """Properties that are told after the fields."""

    def to_dict(self) -> dict[str, Any]:
        """Its fields as plain data: what ``--json`` prints."""
        return {told: plain(getattr(self, name)) for name, told in _told_names(type(self))}  # type: ignore[arg-type]


@cache
def _told_names(of: type[PlainData]) -> tuple[tuple[str, str], ...]:
    """The fields and properties that are told, each with its name in plain data."""
    own = [one.name for one in fields(of)]  # type: ignore[arg-type]
    names = ((name, of._called.get(name, name)) for name in (*own, *of._beside))
    return tuple((name, told) for name, told in names if told)


def without_nan(value: object) -> object:
    """The same plain data with nothing where a number is undefined, as JSON has no word for it."""
    match value:
        case float():
            return None if isnan(value) else value
        case Mapping():
            return {key: without_nan(one) for key, one in value.items()}
        case list() | tuple():
            return [without_nan(one) for one in value]
    return value


_PLAIN = frozenset({str, float, int, bool, type(None)})


def plain(value: object) -> object:
    """A value as plain data, with all that it holds."""
    if type(value) in _PLAIN:  # nearly all are, and to ask for each of the kinds below takes longer
        return value
    match value:
        case PlainData():
            return value.to_dict()
        case StrEnum():
            return str(value)
        case tuple() | list():
            return [plain(one) for one in value]
        case Mapping():
            return {key: plain(one) for key, one in value.items()}
    return value
