"""Fields of a result that are worked out when somebody looks at them, and then kept."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar, overload

__all__ = ["Later", "Settles"]

_Value = TypeVar("_Value")


class Later(Generic[_Value]):
    """A field that takes its value, or a function that gives it: nobody pays for what nobody looks at.

    For frozen dataclasses without slots that are :class:`Settles`.
    """

    def __init__(self, *default: _Value) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, of: None, owner: type) -> _Value: ...
    @overload
    def __get__(self, of: object, owner: type) -> _Value: ...
    def __get__(self, of: object | None, owner: type) -> _Value:
        if of is None:  # a dataclass asks for the default
            if not self._default:
                raise AttributeError(self._name)
            return self._default[0]
        found = of.__dict__[self._name]
        if callable(found):
            found = of.__dict__[self._name] = found()
        return found  # type: ignore[no-any-return]

    def __set__(self, of: object, value: _Value | Callable[[], _Value]) -> None:
        of.__dict__[self._name] = value


class Settles:
    """A dataclass with such fields: it is whole before it is pickled, copied or its ratings are gone."""

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]

    def settled(self) -> None:
        """Work out every field now."""
        self.__getstate__()
