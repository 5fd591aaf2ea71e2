"""Columns of texts in Arrow's memory, coded there: a text of Python's is made of a name when somebody looks at it."""

from typing import Any

import numpy as np

from accord.ratings.factor import Factor, FullFactor
from accord.ratings.names import LaterNames

__all__ = ["coded_texts"]

_BLANK, _DELETE = 32, 127
"""Between these two are the letters and signs of ASCII."""


def coded_texts(column: Any) -> Factor:
    """One code a row and the different texts, in the order in which they first appear."""
    coded = (column.combine_chunks() if hasattr(column, "combine_chunks") else column).dictionary_encode()
    codes, names = coded.indices, coded.dictionary
    codes = (codes.fill_null(-1) if codes.null_count else codes).to_numpy()
    kept = LaterNames(len(names), names.to_pylist) if _are_bare(names) else names.to_pylist()
    return FullFactor(codes.astype(np.int32, copy=False), kept)


def _are_bare(names: Any) -> bool:
    """Whether each text begins and ends with a letter or sign of ASCII, so that no blank is around it."""
    whole = {"string": np.int32, "large_string": np.int64}.get(str(names.type))
    if whole is None or not len(names):
        return False
    _, places, letters = names.buffers()
    ends = np.frombuffer(places, dtype=whole)[names.offset : names.offset + len(names) + 1]
    # An empty text has no edges, and a column of nothing else no letters at all.
    if not (ends[1:] > ends[:-1]).all():
        return False
    edges = np.frombuffer(letters, dtype=np.uint8)[np.concatenate((ends[:-1], ends[1:] - 1))]
    return bool(edges.min() > _BLANK and edges.max() < _DELETE)
