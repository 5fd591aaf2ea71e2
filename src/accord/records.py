"""Dataclasses that are written when first used, so that the program starts quickly.

``dataclasses`` writes and compiles six methods for every class as its module is loaded: 1 ms a class, 0.14 of the
0.5 s that the smallest file took. Here it is asked for the fields when ``fields``, ``replace`` or ``asdict`` want them;
``__init__`` is compiled when many objects are made, and the other methods are the same few functions for every class.
"""

import dataclasses
import sys
from collections.abc import Callable
from copy import copy
from dataclasses import KW_ONLY, MISSING, Field, FrozenInstanceError, InitVar, fields
from functools import partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar

__all__ = ["dataclass"]


class _Factory:
    """Stands in a signature for a default that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


_FEW = 8
"""So many objects are filled in field by field: 4 us more each for five fields, where compiling takes 290."""


class _Init:
    """Fills in the first objects of its class, then compiles an ``__init__`` for it and gives way to that."""

    def __init__(self, owner: Any, raw: dict[str, Any], kw_only: bool) -> None:
        self.owner, self.left = owner, _FEW
        self.frozen, slots = owner.__dataclass_params__.frozen, "__slots__" in vars(owner)
        self.placed: list[str] = []
        self.known: set[str] = set()
        self.filled: list[tuple[str, Any, Any]] = []
        for name, default in raw.items():
            told = default if isinstance(default, Field) else None
            value, make = (default, MISSING) if told is None else (told.default, told.default_factory)
            if told is None or told.init:
                self.known.add(name)
                if not (kw_only if told is None or told.kw_only is MISSING else told.kw_only):
                    self.placed.append(name)
            elif make is MISSING and (not slots or value is MISSING):
                continue  # it stays what the class says
            self.filled.append((name, value, make))

    def __get__(self, instance: object, asking: type | None = None) -> Callable[..., None]:
        if instance is not None and self.left:
            self.left -= 1
            return partial(self._fill, instance)
        written = self._written()
        bound: Callable[..., None] = written if instance is None else written.__get__(instance, asking)
        return bound

    def _written(self) -> Any:
        written = _written_init(self.owner)
        type.__setattr__(self.owner, "__init__", written)
        return written

    def _fill(self, made: object, /, *given: object, **named: object) -> None:
        values = dict(zip(self.placed, given, strict=False))
        is_known = len(values) == len(given) and named.keys() <= self.known and values.keys().isdisjoint(named)
        values |= named
        if not is_known or any(value is make is MISSING and name not in values for name, value, make in self.filled):
            self._written()(made, *given, **named)  # Python says what is wrong
            return
        put = object.__setattr__ if self.frozen else setattr
        for name, value, make in self.filled:
            put(made, name, values[name] if name in values else value if make is MISSING else make())
        if hasattr(made, "__post_init__"):
            made.__post_init__()


class _Fields:
    """The fields of a class, found by ``dataclasses`` when somebody asks for them."""

    def __init__(self, owner: type, raw: dict[str, Any], kinds: dict[str, Any], kw_only: bool) -> None:
        self.owner, self.raw, self.kinds, self.kw_only = owner, raw, kinds, kw_only

    def __get__(self, instance: object, asking: type | None = None) -> "dict[str, Field[Any]]":
        given = {name: default for name, default in self.raw.items() if default is not MISSING}
        # Without words about it ``dataclasses`` would look for its signature, which takes longer than all else.
        like = type(self.owner.__name__, (), {**given, "__annotations__": self.kinds, "__doc__": "as its owner"})
        make = dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False, kw_only=self.kw_only)
        found: dict[str, Field[Any]] = make(like).__dataclass_fields__  # type: ignore[attr-defined]
        type.__setattr__(self.owner, "__dataclass_fields__", found)
        return found


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Plain:
    """Its parameters are copied."""


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


def _freeze(owner: Any, names: set[str]) -> None:
    def refuse_set(self: Any, name: str, value: object) -> None:
        if type(self) is owner or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(owner, self).__setattr__(name, value)

    def refuse_delete(self: Any, name: str) -> None:
        if type(self) is owner or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(owner, self).__delattr__(name)

    owner.__setattr__, owner.__delattr__ = refuse_set, refuse_delete


def _raw(cls: type) -> dict[str, Any] | None:
    """The default of each field, MISSING without; None for what is left to ``dataclasses``: whatever is unusual."""
    unusual = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:]) or not cls.__doc__
    if unusual or hasattr(cls, "__abstractmethods__") or "__slots__" in vars(cls):
        return None
    found = {}
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if isinstance(kind, str | InitVar) or kind is KW_ONLY or kind is InitVar:
            return None
        if kind is ClassVar or getattr(kind, "__origin__", None) is ClassVar:
            continue
        default = getattr(cls, name, MISSING)
        if default.__class__.__hash__ is None:  # may be changed, and would be for all objects
            return None
        found[name] = default
    return found if all(name in found for name, one in vars(cls).items() if isinstance(one, Field)) else None


def _laid_out(cls: type, raw: dict[str, Any], slots: bool, kw_only: bool) -> Any:
    """What ``dataclasses`` makes of a usual class, with fields that are found later."""
    made: Any = cls
    if slots:
        inherited = {slot for base in cls.__mro__[1:-1] for slot in getattr(base, "__slots__", ())}
        kept = {name: own for name, own in vars(cls).items() if name not in {*raw, "__dict__", "__weakref__"}}
        kept["__slots__"] = tuple(name for name in raw if name not in inherited)
        made = type(cls)(cls.__name__, cls.__bases__, kept)
        made.__qualname__ = cls.__qualname__
    for name, default in raw.items():
        if isinstance(default, Field) and not slots:
            setattr(cls, name, default.default) if default.default is not MISSING else delattr(cls, name)
    made.__dataclass_params__ = copy(_Plain.__dataclass_params__)  # type: ignore[attr-defined]
    made.__dataclass_fields__ = _Fields(made, raw, vars(cls).get("__annotations__", {}), kw_only)
    return made


def _lightly(cls: type, init: bool, repr: bool, eq: bool, frozen: bool, slots: bool, kw_only: bool) -> Any:
    defined, raw = set(vars(cls)), _raw(cls)
    # Whoever derives from a frozen dataclass must be frozen for dataclasses too; it then writes two methods.
    derives = any(dataclasses.is_dataclass(base) for base in cls.__bases__)
    made: Any
    if raw is None:
        make = dataclasses.dataclass(
            init=False, repr=False, eq=False, frozen=frozen and derives, slots=slots, kw_only=kw_only
        )
        made = make(cls)
        raw = {one.name: one for one in fields(made)}
    else:
        made = _laid_out(cls, raw, slots, kw_only)
    kept = made.__dataclass_params__
    kept.init, kept.repr, kept.eq, kept.frozen = init, repr, eq, frozen
    filling = _Init(made, raw, kw_only)
    own: dict[str, Any] = {}
    if init:
        own["__init__"] = filling
    if repr:
        own["__repr__"] = _repr
    if eq:
        own["__eq__"] = _eq
    if frozen and slots and not derives:
        own |= {"__getstate__": _getstate, "__setstate__": _setstate}
    for name, method in own.items():
        if name not in defined or name == "__init__":
            setattr(made, name, method)
    if "__match_args__" not in vars(made):
        type.__setattr__(made, "__match_args__", tuple(filling.placed))
    if eq and ("__hash__" not in defined or (vars(cls)["__hash__"] is None and "__eq__" in defined)):
        made.__hash__ = _hash if frozen else None
    if frozen and not derives:
        _freeze(made, set(raw))
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
