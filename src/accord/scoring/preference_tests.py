"""Tests and intervals of abilities: of these raters by the choices won, of other raters on the log scale.

On the scale of log abilities the error grows faster than the estimate where a system hardly ever loses, so that forty
wins of forty would say less than 37 (Hauck and Donner 1977). Where raters are taken as given, a difference is therefore
tested by Rao's score: the model is fitted as if there were none, and it is asked how far the choices lie from what that
expects. Between two systems without ties that is wins less losses, over the larger of the errors of fair coins and of
clusters.

Of other raters that would be too sure. Shares end at 1, so raters of strong taste look more alike in wins than they
are: three who happened to like one system were taken for all raters in .19 of simulated studies, and in .04 on the log
scale.
"""

from functools import cached_property
from math import sqrt

import numpy as np

from accord.arrays import Floats, Integers
from accord.quantiles import ndtr, ndtri, stdtr, stdtrit
from accord.records import dataclass
from accord.scoring.preference_model import Model

__all__ = ["Contrasts", "Spread", "clustered"]

_SAME = 1e-10


def clustered(scores: Floats, code: Integers) -> Floats:
    """How the sums of one kind of cluster vary, corrected for their number."""
    clusters = int(code.max()) + 1
    sums = np.stack([np.bincount(code, column, clusters) for column in scores.T], axis=1)
    return np.asarray(clusters / max(clusters - 1, 1) * sums.T @ sums, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Spread:
    """How the sums of choices vary over kinds of clusters, and the degrees of freedom; 0: none is known."""

    sums: tuple[Floats, ...]
    freedom: int
    is_over_raters: bool = False

    def error(self, inverse: Floats, contrast: Floats) -> float:
        """Standard error of a sum of abilities: the largest, of the model's own and those over clusters."""
        along = inverse @ contrast
        return sqrt(max(0.0, float(contrast @ along), *(float(along @ each @ along) for each in self.sums)))

    def two_sided(self, ratio: float) -> float:
        """The probability of a ratio of value to error at least as large."""
        below = -np.float64(abs(ratio))
        return 2 * float(stdtr(self.freedom, below) if self.freedom > 0 else ndtr(below))

    def reach(self, level: float) -> float:
        share = 1 - (1 - level) / 2
        return float(stdtrit(self.freedom, share) if self.freedom > 0 else ndtri(share))


class Contrasts:
    """What is said of sums of abilities, from one fit and one spread."""

    def __init__(self, model: Model, estimate: Floats, spread: Spread) -> None:
        self.model, self.estimate, self.spread = model, estimate, spread

    def ratio(self, contrast: Floats, value: float = 0.0) -> float:
        """How many errors the choices lie beyond what is expected where the contrast has a value."""
        along = self._inverse @ contrast
        start = self.estimate + along * (value - contrast @ self.estimate) / (contrast @ along)
        step, inverse = self.model.climb(self.model.fit(start, contrast))
        return float(contrast @ step) / max(self.spread.error(inverse, contrast), 1e-150)

    def p(self, contrast: Floats) -> float:
        if not self.spread.is_over_raters:
            return self.spread.two_sided(self.ratio(contrast))
        return self.spread.two_sided(float(contrast @ self.estimate) / self._error(contrast))

    def interval(self, contrast: Floats, level: float) -> tuple[float, float]:
        """Around the estimate by its error there; on the side of 0 as far as the test, so both say the same of 0."""
        middle = float(contrast @ self.estimate)
        reach = self.spread.reach(level)
        width = reach * self._error(contrast)
        if self.spread.is_over_raters:
            return middle - width, middle + width
        side = -1.0 if middle > 0 else 1.0
        near, far = self._near(contrast, middle, middle + side * width, reach), middle - side * width
        return (near, far) if side < 0 else (far, near)

    def _near(self, contrast: Floats, middle: float, limit: float, reach: float) -> float:
        """Where the test begins to reject, between a limit and the estimate; the limit where it does not there."""
        from scipy.optimize import brentq

        def excess(value: float) -> float:
            return abs(self.ratio(contrast, value)) - reach

        inward, outward = (max, min) if middle > 0 else (min, max)
        limit = (inward if excess(0.0) > 0 else outward)(limit, 0.0)
        return float(brentq(excess, limit, middle, xtol=_SAME)) if excess(limit) > 0 else limit

    def _error(self, contrast: Floats) -> float:
        return max(self.spread.error(self._inverse, contrast), 1e-150)

    @cached_property
    def _inverse(self) -> Floats:
        return self.model.climb(self.estimate)[1]
