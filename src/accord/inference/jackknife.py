"""The jackknife: every item left out once, exactly, at the cost of one evaluation a pattern."""

from functools import cached_property

import numpy as np

from accord.arrays import Floats, Integers
from accord.inference.interval import Interval
from accord.inference.statistic import SumStatistic
from accord.quantiles import stdtrit
from accord.records import dataclass

__all__ = ["Jackknife", "jackknife", "jackknife_of"]

_CHUNK_CELLS = 1 << 17
"""Few enough to stay in the processor's cache."""
_ROUNDING = 1e-14


@dataclass(frozen=True)
class Jackknife:
    """The statistics with one unit left out: ``left_out[p, s]`` where a unit of pattern p is missing."""

    values: Floats
    left_out: Floats
    multiplicity: Integers
    unit: str = "items"

    @cached_property
    def units(self) -> int:
        return int(self.multiplicity.sum())

    @cached_property
    def mean_left_out(self) -> Floats:
        return np.asarray(self.multiplicity @ self.left_out / self.units)

    @property
    def estimates(self) -> Floats:
        """Mean of the pseudo-values n x value - (n - 1) x value without the unit: corrected for bias."""
        return self.units * self.values - (self.units - 1) * self.mean_left_out

    @cached_property
    def standard_errors(self) -> Floats:
        apart = self.left_out - self.mean_left_out
        np.square(apart, out=apart)  # in place: another array of all units is new memory
        squares = self.multiplicity @ apart
        # What is left where values differ by rounding alone.
        nothing = self.units * np.square(_ROUNDING * np.maximum(1.0, np.abs(self.mean_left_out)))
        return np.asarray(np.sqrt((self.units - 1) / self.units * np.where(squares <= nothing, 0.0, squares)))

    @property
    def accelerations(self) -> Floats:
        """How fast the standard error changes with the value: what BCa corrects for."""
        influence = self.mean_left_out - self.left_out
        squares = self.multiplicity @ np.square(influence)
        cubes = self.multiplicity @ influence**3
        moved = self.standard_errors > 0
        return np.asarray(np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(squares), where=moved))

    def intervals(self, level: float = 0.95, highest: float = np.inf) -> tuple[Interval | None, ...]:
        """Mean of the pseudo-values ± t(n - 1) x standard error, cut at the highest value there can be.

        None where a value without some unit is undefined.
        """
        reach = stdtrit(self.units - 1, (1 + level) / 2) * self.standard_errors
        method = f"jackknife over {self.unit}, t({self.units - 1:,})"
        return tuple(
            None
            if np.isnan(low + high)
            else Interval(low=float(low), high=min(float(high), highest), level=level, method=method)
            for low, high in zip(self.estimates - reach, self.estimates + reach, strict=True)
        )


def jackknife(statistic: SumStatistic, unit: str = "items") -> Jackknife:
    """Leave out each unit once; equal units give equal values and are computed once."""
    sums = statistic.multiplicity.astype(np.float64) @ statistic.features
    # Each statistic's values side by side: along rows of a few numbers, differences and sums take three times as long.
    left_out = np.empty((len(statistic.names), len(statistic.features))).T
    rows = max(1, _CHUNK_CELLS // max(statistic.features.shape[1], 1))
    for start in range(0, len(left_out), rows):
        left_out[start : start + rows] = statistic.evaluate(sums - statistic.features[start : start + rows])
    return Jackknife(statistic.evaluate(sums[None, :])[0], left_out, statistic.multiplicity, unit)


def jackknife_of(values: Floats, left_out: Floats, unit: str) -> Jackknife:
    """A jackknife from values computed elsewhere, one row a unit that was left out."""
    return Jackknife(values, left_out, np.ones(len(left_out), dtype=np.int64), unit)
