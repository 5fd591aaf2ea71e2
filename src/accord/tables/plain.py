"""Plain data of results: numbers, words, lists and names, as JSON takes them."""

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, ClassVar

__all__ = ["PlainData", "plain"]


class PlainData:
    """A dataclass whose plain data are its fields, in their order."""

    __slots__ = ()
    _called: ClassVar[Mapping[str, str]] = {}
    """Fields that have another name in plain data; an empty one leaves the field out."""
    _beside: ClassVar[tuple[str, ...]] = ()
    """Properties that are told after the fields."""

    def to_dict(self) -> dict[str, Any]:
        """Its fields as plain data: what ``--json`` prints."""
        own = (one.name for one in fields(self))  # type: ignore[arg-type]
        names = {name: self._called.get(name, name) for name in (*own, *self._beside)}
        return {told: plain(getattr(self, name)) for name, told in names.items() if told}


def plain(value: object) -> object:
    """A value as plain data, with all that it holds."""
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
