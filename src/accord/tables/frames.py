"""Rows as a data frame of the library the user has."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from accord.errors import OptionError

__all__ = ["FRAME_LIBRARIES", "frame_of", "frame_of_columns"]

FRAME_LIBRARIES = ("pandas", "polars", "pyarrow")


def frame_of(rows: Sequence[Mapping[str, Any]], kind: str | None = None) -> Any:
    """A frame of the library asked for; else of the one already imported; else of one that is installed."""
    names = dict.fromkeys(name for row in rows for name in row)
    return frame_of_columns({name: [row.get(name) for row in rows] for name in names}, kind)


def frame_of_columns(columns: Mapping[str, Sequence[Any]], kind: str | None = None) -> Any:
    """The same from whole columns."""
    if kind is not None and kind not in FRAME_LIBRARIES:
        raise OptionError(f"A frame can be of {', '.join(FRAME_LIBRARIES)}; {kind!r} is none of them.")
    library = kind or _in_use()
    try:
        module = import_module(library)
    except ImportError:
        raise OptionError(f"{library} is not installed. Install it, or use to_dict() instead.") from None
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


def _in_use() -> str:
    """The frame library this program works with."""
    for found in (
        [name for name in FRAME_LIBRARIES if name in sys.modules],
        [name for name in FRAME_LIBRARIES if find_spec(name) is not None],
    ):
        if found:
            return found[0]
    raise OptionError(
        f"A data frame needs one of {', '.join(FRAME_LIBRARIES)}; none is installed. Use to_dict() instead."
    )
