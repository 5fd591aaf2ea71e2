"""Names for the kinds of arrays that travel between rooms, and codes renumbered without sorting."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Codes", "Floats", "Integers", "renumbered"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
"""The place of a value on its scale, -1 where there is no rating."""


def renumbered(codes: NDArray[np.integer[Any]]) -> tuple[Integers, Integers]:
    """The codes that occur, in order, and the place of each row among them: of codes from 0 on that lie close."""
    used = np.zeros(int(codes.max(initial=-1)) + 1, dtype=bool)
    used[codes] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[codes]
