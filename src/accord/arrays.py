"""Names for the kinds of arrays that travel between rooms."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Codes", "Floats", "Integers"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
"""The place of a value on its scale, -1 where there is no rating."""
