"""A coefficient for every pair of raters, with the number of items each pair shares."""

from dataclasses import dataclass
from math import isnan

import numpy as np

from accord.ratings.counts import Floats, Integers

__all__ = ["PairMatrix"]


@dataclass(frozen=True, slots=True, eq=False)
class PairMatrix:
    """One coefficient between raters: symmetric, nan on the diagonal and where it is undefined.

    ``items[r, s]`` is the number of items that both raters rated.
    """

    coefficient: str
    title: str
    raters: tuple[str, ...]
    values: Floats
    items: Integers

    @property
    def mean(self) -> float:
        """Mean over the pairs for which the coefficient is defined."""
        upper = self.values[np.triu_indices(len(self.raters), 1)]
        defined = upper[~np.isnan(upper)]
        return float(defined.mean()) if len(defined) else float("nan")

    def rows(self) -> list[dict[str, str | float | int]]:
        """One row a pair."""
        first, second = np.triu_indices(len(self.raters), 1)
        return [
            {
                "coefficient": self.coefficient,
                "rater": self.raters[one],
                "other": self.raters[other],
                "value": float(self.values[one, other]),
                "items": int(self.items[one, other]),
            }
            for one, other in zip(first.tolist(), second.tolist(), strict=True)
        ]

    def to_dict(self) -> dict[str, object]:
        def plain(value: float) -> float | None:
            return None if isnan(value) else value

        return {
            "coefficient": self.coefficient,
            "raters": list(self.raters),
            "values": [[plain(float(value)) for value in row] for row in self.values],
            "items": self.items.tolist(),
        }
