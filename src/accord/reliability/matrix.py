"""A coefficient for every pair of raters, with the number of items each pair shares."""

from collections.abc import Mapping
from dataclasses import field, replace

import numpy as np

from accord.arrays import Floats, Integers, every_pair
from accord.coefficients.pairs import PairValues
from accord.records import dataclass

__all__ = ["PairMatrix"]


@dataclass(frozen=True, slots=True, eq=False)
class PairMatrix:
    """One coefficient between raters: symmetric, nan on the diagonal and where it is undefined.

    ``items[r, s]`` is the number of items that both raters rated; ``low`` and ``high`` are the ends of each
    pair's interval, nan where none is known; ``parts`` are matrices of what a value is made of, such as
    ``observed`` and ``expected``, or ``concordant``, ``discordant`` and ``untied``.
    """

    coefficient: str
    title: str
    raters: tuple[str, ...]
    values: Floats
    items: Integers
    low: Floats
    high: Floats
    confidence: float
    parts: Mapping[str, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls, found: PairValues, *, coefficient: str, title: str, raters: tuple[str, ...], confidence: float
    ) -> "PairMatrix":
        """The values of pairs, laid out as squares."""

        def squared(numbers: Floats) -> Floats:
            return found.squared(numbers, len(raters))

        low, high = (squared(ends) for ends in found.limits(confidence))
        parts = {name: squared(part) for name, part in found.parts.items()}
        return cls(
            coefficient, title, raters, squared(found.value), found.shared(len(raters)), low, high, confidence, parts
        )

    def in_order_of(self, raters: tuple[str, ...]) -> "PairMatrix":
        """The same with the raters in this order."""
        if raters == self.raters:
            return self
        where = {rater: place for place, rater in enumerate(self.raters)}
        places = np.array([where[rater] for rater in raters])
        square = np.ix_(places, places)
        parts = {name: part[square] for name, part in self.parts.items()}
        low, high = self.low[square], self.high[square]
        return replace(
            self, raters=raters, values=self.values[square], items=self.items[square], low=low, high=high, parts=parts
        )

    @property
    def mean(self) -> float:
        """Mean over the pairs for which the coefficient is defined."""
        upper = self.values[every_pair(len(self.raters))]
        defined = upper[~np.isnan(upper)]
        return float(defined.mean()) if len(defined) else float("nan")

    def rows(self) -> list[dict[str, str | float | int]]:
        """One row a pair."""
        return [
            {
                "coefficient": self.coefficient, "rater": self.raters[one], "other": self.raters[other],
                "value": float(self.values[one, other]), "low": float(self.low[one, other]),
                "high": float(self.high[one, other]), "items": int(self.items[one, other]),
                **{name: float(part[one, other]) for name, part in self.parts.items()},
            }
            for one, other in zip(*(place.tolist() for place in every_pair(len(self.raters))), strict=True)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON: what is undefined is None."""
        squares = {"values": self.values, "low": self.low, "high": self.high}
        return {
            "coefficient": self.coefficient,
            "raters": list(self.raters),
            **{name: _plain(square) for name, square in squares.items()},
            "level": self.confidence,
            "items": self.items.tolist(),
            "parts": {name: _plain(part) for name, part in self.parts.items()},
        }


def _plain(square: Floats) -> list[list[float | None]]:
    return [[None if value != value else value for value in row] for row in square.tolist()]
