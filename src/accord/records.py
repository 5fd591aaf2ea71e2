"""Dataclasses that are written when first used, so that the program starts quickly.

``dataclasses`` writes and compiles six methods for every class as its module is loaded: 1 ms a class, 0.14 of the
0.5 s that the smallest file took. Here it only finds the fields, so that ``fields``, ``replace`` and ``asdict`` work;
``__init__`` is compiled when a first object is made, and the other methods are the same few functions for every class.
"""

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]


class _Factory:
    """Stands in a signature for a default that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


class _Init:
    """Compiles ``__init__`` of its class when it is first looked up, and gives way to it."""

    def __init__(self, owner: type) -> None:
        self.owner = owner

    def __get__(self, instance: object, asking: type | None = None) -> Callable[..., None]:
        written = _written_init(self.owner)
        type.__setattr__(self.owner, "__init__", written)
        bound: Callable[..., None] = written if instance is None else written.__get__(instance, asking)
        return bound


def _written_init(owner: Any) -> Any:
    own = fields(owner)
    frozen, slots = owner.__dataclass_params__.frozen, "__slots__" in vars(owner)
    known: dict[str, Any] = {"_FACTORY": _FACTORY, "_set": object.__setattr__}
    body: list[str] = []
    for one in own:
        value = one.name
        if one.default_factory is not MISSING:
            known[f"_make_{one.name}"] = one.default_factory
            value = f"_make_{one.name}()" + (f" if {one.name} is _FACTORY else {one.name}" if one.init else "")
        elif one.default is not MISSING:
            known[f"_given_{one.name}"] = one.default
            value = one.name if one.init else f"_given_{one.name}"
        if one.init or one.default_factory is not MISSING or (slots and one.default is not MISSING):
            body.append(f"_set(self, {one.name!r}, {value})" if frozen else f"self.{one.name} = {value}")
    if hasattr(owner, "__post_init__"):
        body.append("self.__post_init__()")
    named = [_parameter(one) for one in own if one.init and one.kw_only]
    placed = [_parameter(one) for one in own if one.init and not one.kw_only]
    parameters = ", ".join(["self", *placed, *(["*", *named] if named else [])])
    inside = "\n        ".join(body or ["pass"])
    text = f"def write({', '.join(known)}):\n    def __init__({parameters}):\n        {inside}\n    return __init__"
    space: dict[str, Any] = {}
    exec(text, vars(sys.modules[owner.__module__]), space)  # noqa: S102 (field names of our own classes)
    function = space["write"](**known)
    function.__qualname__ = f"{owner.__qualname__}.__init__"
    function.__annotations__ = {one.name: one.type for one in own if one.init} | {"return": None}
    return function


def _parameter(one: "dataclasses.Field[Any]") -> str:
    if one.default_factory is not MISSING:
        return f"{one.name}=_FACTORY"
    return one.name if one.default is MISSING else f"{one.name}=_given_{one.name}"


@recursive_repr("...")
def _repr(self: Any) -> str:
    told = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(told)})"


def _eq(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    names = [one.name for one in fields(self) if one.compare]
    return tuple(getattr(self, name) for name in names) == tuple(getattr(other, name) for name in names)


def _hash(self: Any) -> int:
    counted = (one for one in fields(self) if (one.compare if one.hash is None else one.hash))
    return hash(tuple(getattr(self, one.name) for one in counted))


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _freeze(owner: Any) -> None:
    names = {one.name for one in fields(owner)}

    def refuse_set(self: Any, name: str, value: object) -> None:
        if type(self) is owner or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(owner, self).__setattr__(name, value)

    def refuse_delete(self: Any, name: str) -> None:
        if type(self) is owner or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(owner, self).__delattr__(name)

    owner.__setattr__, owner.__delattr__ = refuse_set, refuse_delete


def _lightly(cls: type, init: bool, repr: bool, eq: bool, frozen: bool, slots: bool, kw_only: bool) -> Any:
    defined = set(vars(cls))
    # Whoever derives from a frozen dataclass must be frozen for dataclasses too; it then writes two methods.
    derives = any(dataclasses.is_dataclass(base) for base in cls.__bases__)
    make = dataclasses.dataclass(
        init=False, repr=False, eq=False, frozen=frozen and derives, slots=slots, kw_only=kw_only
    )
    made: Any = make(cls)
    kept = made.__dataclass_params__
    kept.init, kept.repr, kept.eq, kept.frozen = init, repr, eq, frozen
    own: dict[str, Any] = {}
    if init:
        own["__init__"] = _Init(made)
    if repr:
        own["__repr__"] = _repr
    if eq:
        own["__eq__"] = _eq
    if frozen and slots and not derives:
        own |= {"__getstate__": _getstate, "__setstate__": _setstate}
    for name, method in own.items():
        if name not in defined or name == "__init__":
            setattr(made, name, method)
    if eq and ("__hash__" not in defined or (vars(cls)["__hash__"] is None and "__eq__" in defined)):
        made.__hash__ = _hash if frozen else None
    if frozen and not derives:
        _freeze(made)
    return made


def _dataclass(
    cls: type | None = None,
    /,
    *,
    init: bool = True,
    repr: bool = True,
    eq: bool = True,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
) -> Any:
    """As ``dataclasses.dataclass``, for the options that are used here."""

    def decorate(cls: type) -> Any:
        return _lightly(cls, init, repr, eq, frozen, slots, kw_only)

    return decorate if cls is None else decorate(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass
