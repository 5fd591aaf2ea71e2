"""Which format a file is in, found out from its content, with the reason in words."""

import csv
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

__all__ = ["delimiter_of", "first_object", "header_of", "objects"]


def delimiter_of(text: str) -> str:
    """The sign that parts the cells of the first line: a tab where it has one, else a comma."""
    return "\t" if "\t" in text[: 1 << 16].split("\n", 1)[0] else ","


def header_of(text: str) -> list[str]:
    """The cells of the first line of a table, without space around them; none where it is no table."""
    line = text[: 1 << 16].split("\n", 1)[0].rstrip("\r")
    try:
        return [name.strip() for name in next(csv.reader([line], delimiter=delimiter_of(line)), [])]
    except csv.Error:
        return []


def first_object(sample: str) -> Mapping[str, Any] | None:
    """The first JSON object of a sample of JSON lines or of a JSON list; None if there is none."""
    return next(iter(objects(sample, 1)), None)


@lru_cache(maxsize=2)
def objects(sample: str, most: int = 20) -> tuple[Mapping[str, Any], ...]:
    """The first whole JSON objects of a sample that may be cut off at its end; every format asks for the same ones."""
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
    return tuple(found)
