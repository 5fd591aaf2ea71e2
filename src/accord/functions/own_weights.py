"""Weights by their name, or a matrix of the user's own in a file: what --weights takes."""

from pathlib import Path

import numpy as np

from accord.arrays import Floats
from accord.errors import OptionError

__all__ = ["named_or_own"]


def named_or_own(weights: str | Floats | None) -> str | Floats | None:
    """The name of weights, or the matrix in a file: numbers only, a row and a column for each value of the scale."""
    if not isinstance(weights, str) or not Path(weights).suffix:
        return weights
    try:
        return np.loadtxt(weights, delimiter=",", ndmin=2, dtype=np.float64)
    except (OSError, ValueError) as error:
        raise OptionError(f"The matrix of weights {weights} cannot be read as rows of numbers: {error}") from None
