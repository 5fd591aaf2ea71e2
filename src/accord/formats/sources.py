"""``accord.read``: ratings from anything, whether a file of another tool, a plain table, a data frame or an array."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from accord.errors import FormatError
from accord.formats import reading
from accord.formats.registry import FORMATS
from accord.ratings.read import read as read_table
from accord.ratings.read import where_it_lies
from accord.ratings.several import is_several, listed_files
from accord.ratings.table import Ratings

__all__ = ["read"]


def read(source: Any, *, format: str | None = None, strict: bool = False, **options: Any) -> Ratings:
    """Read ratings from a file of any known format, a data frame or an array.

    Columns of a plain table are named by ``item``, ``rater``, ``value``, ``criterion`` and the other
    names of the contract (``document="docId"``); those not named are found by common names. ``level``
    and ``scale`` declare the scale, ``wide`` says that each rater has a column, ``duplicates`` which
    rating counts where a rater rated an item twice.

    Files of other tools are recognised by their content; ``format`` overrides. What was dropped,
    repaired or guessed is counted in ``notes``, and ``strict`` makes it an error.
    :func:`accord.formats.read` gives those rows one by one, and the spans.
    """
    engine = options.get("engine")
    if is_several(source) and format is None and where_it_lies(source, engine) is None:
        _require_plain(source, options)
    if not isinstance(source, str | os.PathLike) or is_several(source) or where_it_lies(source, engine) is not None:
        asked = options if format is None else {**options, "format": format}
        ratings: Ratings = read_table(source, **asked)
        return ratings
    imported = reading.read(source, format=format, strict=strict, **options)
    if FORMATS[imported.format].plain:
        return imported.ratings
    told = f"read as {imported.format}: {imported.reason}"
    return replace(imported.ratings, notes=(told, *imported.ratings.notes))


def _require_plain(source: Any, options: Mapping[str, Any]) -> None:
    """Several files become one table only where they are tables: other tools' files are read one by one."""
    spec, reason = reading.detect(listed_files(source)[0])
    if not spec.plain and not any(options.get(name) for name in ("item", "rater", "value", "wide")):
        raise FormatError(
            f"{listed_files(source)[0]} is read as {spec.name} ({reason}), and such files are read one by one. "
            "Turn each into a plain table with accord convert, or name the columns."
        )
