"""Write settings as TOML that a person would write: plain values first, then tables, in the order they have."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

__all__ = ["to_toml"]

_BARE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def to_toml(settings: Mapping[str, Any]) -> str:
    """The text of a file that ``tomllib`` reads back as these settings; what is None is left out."""
    return "\n".join(_table(settings, ())).lstrip("\n") + "\n"


def _table(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    plain = {key: value for key, value in table.items() if value is not None and not _is_table(value)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if isinstance(value, Mapping):
            here = (*path, key)
            inside = _table(value, here)
            # A table that only holds tables needs no line of its own.
            bare = bool(value) and all(_is_table(part) for part in value.values())
            lines += inside if bare else ["", f"[{_dotted(here)}]", *inside]
        elif _is_table(value):
            for part in value:
                lines += ["", f"[[{_dotted((*path, key))}]]", *_table(part, (*path, key))]
    return lines


def _is_table(value: Any) -> bool:
    """A table of its own, or a list of tables that is not short enough to stand on one line."""
    if isinstance(value, Mapping):
        return True
    return _is_list(value) and bool(value) and all(isinstance(part, Mapping) for part in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(map(_key, path))


def _key(key: str) -> str:
    return key if key and set(key) <= _BARE else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items()) + " }"
    if _is_list(value):
        return "[" + ", ".join(map(_value, value)) + "]"
    return _text(str(value))


def _text(text: str) -> str:
    # Strings of JSON are strings of TOML, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
