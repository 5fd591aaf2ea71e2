"""Which format a file is in, found out from its content, with the reason in words."""

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["first_object", "objects"]


def first_object(sample: str) -> Mapping[str, Any] | None:
    """The first JSON object of a sample of JSON lines or of a JSON list; None if there is none."""
    return next(iter(objects(sample, 1)), None)


def objects(sample: str, most: int = 20) -> list[Mapping[str, Any]]:
    """The first whole JSON objects of a sample that may be cut off at its end."""
    decoder = json.JSONDecoder()
    text = sample.lstrip()
    place = 1 if text.startswith("[") else 0
    found: list[Mapping[str, Any]] = []
    while len(found) < most:
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            break
        if not isinstance(value, Mapping):
            break
        found.append(value)
    return found
