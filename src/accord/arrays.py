"""Names for the kinds of arrays that travel between rooms, and codes renumbered without sorting."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Codes", "Floats", "Integers", "distinct", "renumbered"]

Kind = TypeVar("Kind", bound=np.generic)

_SMALL = 10_000

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
"""The place of a value on its scale, -1 where there is no rating."""


def distinct(values: NDArray[Kind]) -> NDArray[Kind]:
    """The values that occur, in order.

    Without counts ``numpy.unique`` loads masked arrays, which takes longer than sorting a small table.
    """
    return np.unique(values) if values.size > _SMALL else np.unique(values, return_counts=True)[0]


def renumbered(codes: NDArray[np.integer[Any]]) -> tuple[Integers, Integers]:
    """The codes that occur, in order, and the place of each row among them: of codes from 0 on that lie close."""
    used = np.zeros(int(codes.max(initial=-1)) + 1, dtype=bool)
    used[codes] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[codes]
