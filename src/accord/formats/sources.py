"""``accord.read``: ratings from anything, whether a file of another tool, a plain table, a data frame or an array."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from accord.formats import reading
from accord.formats.imported import Imported
from accord.formats.joining import read_several
from accord.formats.registry import FORMATS, format_named
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
    if is_several(source) and _is_of_tools(source, format, options):
        return _with_format_note(read_several(listed_files(source), format=format, strict=strict, **options))
    if (
        not isinstance(source, str | os.PathLike)
        or is_several(source)
        or where_it_lies(source, options.get("engine")) is not None
    ):
        asked = options if format is None else {**options, "format": format}
        ratings: Ratings = read_table(source, **asked)
        return ratings
    return _with_format_note(reading.read(source, format=format, strict=strict, **options))


def _with_format_note(imported: Imported) -> Ratings:
    if FORMATS[imported.format].plain:
        return imported.ratings
    told = f"read as {imported.format}: {imported.reason}"
    return replace(imported.ratings, notes=(told, *imported.ratings.notes))


def _is_of_tools(source: Any, format: str | None, options: Mapping[str, Any]) -> bool:
    """Whether several files are those of another tool; plain tables are stacked before they are read as ratings."""
    if where_it_lies(source, options.get("engine")) is not None:
        return False
    spec = format_named(format) if format is not None else reading.detect(listed_files(source)[0])[0]
    return not spec.plain and not any(options.get(name) for name in ("item", "rater", "value", "wide"))
