"""How far the interval of a corrected mean or difference reaches, and the test that is the same inference."""

import numpy as np

from accord.inference.proportion import wilson_interval
from accord.quantiles import stdtrit
from accord.records import dataclass

__all__ = ["Reach", "Side"]

_SKEWNESS_USED = 0.5
_SMALLEST_P = 1e-9
_STEPS = 25


@dataclass(frozen=True, slots=True)
class Side:
    """One mean with its variance, degrees of freedom, and how lopsided documents pull at it."""

    mean: float
    variance: float
    freedom: float
    skewness: float

    def at(self, ends: tuple[float, float] | None, level: float) -> tuple[float, float]:
        """How far the interval reaches down and up.

        Near an end of the scale errors are lopsided: Wilson's interval, with as many labels as the mean is worth,
        reaches further away from the end than towards it. Without ends (counts, times) it is Willink's, which reaches
        further to the side of the long tail.
        """
        quantile = float(stdtrit(self.freedom, (1 + level) / 2))
        error = self.variance**0.5
        plain = quantile * error
        if ends is None:
            down, up = _lopsided(quantile, self.skewness, self.freedom + 1)
            return max(plain, down * error), max(plain, up * error)
        if not ends[0] < self.mean < ends[1]:
            return plain, plain
        low, width = ends[0], ends[1] - ends[0]
        found = wilson_interval((self.mean - low) / width, error / width, self.freedom + 1, level=level)
        if found is None:
            return plain, plain
        return self.mean - (low + width * found.low), low + width * found.high - self.mean


@dataclass(frozen=True, slots=True)
class Reach:
    """The reach of one mean, or that of a difference out of both means' and how they go together (MOVER).

    ``variance`` is that of the whole, ``documents`` are those of the side with fewer labels.
    """

    sides: tuple[Side, ...]
    variance: float
    documents: float
    ends: tuple[float, float] | None

    def at(self, level: float) -> tuple[float, float]:
        """Downwards and upwards."""
        if len(self.sides) == 1:
            return self.sides[0].at(self.ends, level)
        (a, b), (c, d) = (side.at(self.ends, level) for side in self.sides)
        together = self._together()
        down, up = (max(x * x + y * y - 2 * together * x * y, 0.0) ** 0.5 for x, y in ((a, d), (b, c)))
        return down, up

    def _together(self) -> float:
        first, second = (side.variance for side in self.sides)
        together = float((first + second - self.variance) / (2 * np.sqrt(first * second)))
        together = min(max(together, -1.0), 0.99)
        # Few documents show badly how far two systems go together: what is seen is believed the less.
        return together * (1 - 2 / max(self.documents, 3.0)) if together > 0 else together

    def p(self, difference: float) -> float:
        """One less the level of the narrowest interval that reaches 0: p is below .05 where the 95% one does not.

        Not less than a thousandth of a millionth: no quantile is known well enough beyond.
        """
        if difference == 0:
            return 1.0
        low, high = float(np.log(_SMALLEST_P)), 0.0
        for _ in range(_STEPS):
            middle = (low + high) / 2
            down, up = self.at(1 - float(np.exp(middle)))
            if (difference - down > 0) if difference > 0 else (difference + up < 0):
                high = middle
            else:
                low = middle
        return float(np.exp(high))


def _lopsided(quantile: float, skewness: float, documents: float) -> tuple[float, float]:
    """Willink's (2005) quantiles of a mean for an asymmetric law, downwards and upwards.

    Half of the skewness is used: with few documents the whole, which is known badly, makes intervals twice as wide as
    they must be, and half of it held what it says in simulated counts.
    """
    a = _SKEWNESS_USED * skewness / (6 * documents**0.5)
    if abs(a) < 1e-6:
        return quantile, quantile
    down, up = ((np.cbrt(1 + 6 * a * (side - a)) - 1) / (2 * a) for side in (quantile, -quantile))
    return float(down), float(-up)
