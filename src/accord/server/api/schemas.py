"""The shapes of requests: a small part of JSON Schema, said once, checked here and printed in the OpenAPI."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from accord.errors import InputError

__all__ = ["Schema", "array", "check", "integer", "number", "obj", "text"]

Schema = dict[str, Any]


def text(longest: int = 5_000, *, shortest: int = 0, choices: tuple[str, ...] = (), pattern: str = "") -> Schema:
    """A text; NUL is in none, as databases refuse it."""
    made: Schema = {"type": "string", "maxLength": longest, "pattern": pattern or r"^[^\u0000]*$"}
    if shortest:
        made["minLength"] = shortest
    if choices:
        made = {"type": "string", "enum": list(choices)}
    return made


def integer(low: int, high: int) -> Schema:
    """A whole number."""
    return {"type": "integer", "minimum": low, "maximum": high}


def number(low: float, high: float) -> Schema:
    """Any number between two ends."""
    return {"type": "number", "minimum": low, "maximum": high}


def array(items: Schema, longest: int) -> Schema:
    """A list."""
    return {"type": "array", "items": items, "maxItems": longest}


def obj(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    fields = {**required, **(optional or {})}
    made: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    if required:
        made["required"] = list(required)
    return made


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "array": (list,), "object": (dict,),
    "boolean": (bool,),
}  # fmt: skip


def check(schema: Schema, value: Any, where: str = "The request") -> None:
    """Raise in words what does not fit."""
    kind = schema.get("type")
    if kind is None:
        return
    # JSON Schema counts 3.0 as a whole number, and true as none.
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise InputError(f"{where} must be of the type {kind}.")
    _CHECKS[kind](schema, value, where)


def _string(schema: Schema, value: str, where: str) -> None:
    if "enum" in schema and value not in schema["enum"]:
        raise InputError(f"{where} is one of: {', '.join(schema['enum'])}.")
    if len(value) > schema.get("maxLength", len(value)) or len(value) < schema.get("minLength", 0) or "\x00" in value:
        raise InputError(f"{where} has {schema.get('minLength', 0)} to {schema.get('maxLength')} characters.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{where} holds an incomplete character.") from None


def _amount(schema: Schema, value: float, where: str) -> None:
    if not isfinite(value) or not schema["minimum"] <= value <= schema["maximum"]:
        raise InputError(f"{where} lies between {schema['minimum']:g} and {schema['maximum']:g}.")


def _list(schema: Schema, value: list[Any], where: str) -> None:
    if not schema.get("minItems", 0) <= len(value) <= schema["maxItems"]:
        raise InputError(f"{where} has {schema.get('minItems', 0)} to {schema['maxItems']} elements.")
    for place, one in enumerate(value):
        check(schema["items"], one, f"{where}[{place}]")


def _object(schema: Schema, value: dict[str, Any], where: str) -> None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise InputError(f"{where} lacks the field {name!r}.")
    for name, one in value.items():
        if name in known:
            check(known[name], one, f"The field {name!r}")
        elif schema.get("additionalProperties") is False:
            raise InputError(f"{where} has no field {name[:40]!r}. Known: {', '.join(known) or 'none'}.")


def _flag(schema: Schema, value: bool, where: str) -> None:
    """A boolean is always one."""


_CHECKS: Mapping[str, Any] = {
    "string": _string, "integer": _amount, "number": _amount, "array": _list, "object": _object, "boolean": _flag,
}  # fmt: skip
