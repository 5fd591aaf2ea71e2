"""A difference between two conditions: its size, interval, p-value, and the unit that was resampled."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from types import MappingProxyType

import numpy as np

from accord.arrays import Floats
from accord.inference.interval import Interval
from accord.inference.multiple import adjusted
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["Difference", "bootstrap_p", "holm_over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference(PlainData):
    """``first`` minus ``second``, judged by resampling or permuting one named unit.

    Two intervals that overlap are no test of a difference; this is the test. ``unit`` is what was
    resampled or permuted: answers differ by it, so it is part of every sentence.
    """

    what: str
    first: str
    second: str
    value: float
    unit: str
    method: str
    interval: Interval | None = None
    p: float | None = None
    replicates: int = 0
    adjusted: float | None = None
    """p after Holm's correction, where several differences are read together."""
    sensitivity: bool = False
    """Whether another unit decides, and this one only shows how far the answer depends on it."""

    too_few: str = ""
    """Why no difference could show, however large, in words; empty where one could."""

    @property
    def is_clear(self) -> bool:
        """Whether chance alone, in this unit, hardly explains the difference."""
        p = self.p if self.adjusted is None else self.adjusted
        if p is not None:
            return p < 0.05
        return self.interval is not None and 0 not in self.interval

    @property
    def is_shown(self) -> bool:
        """Whether words may speak of a difference: interval and p both say so, p after correction."""
        return self.is_clear and self.interval is not None and 0 not in self.interval

    @property
    def doubt(self) -> str:
        """Why an interval without zero shows no difference yet; empty where it does, or where it holds zero."""
        if self.interval is None or 0 in self.interval or self.is_clear:
            return ""
        p, holm = (self.p, "") if self.adjusted is None else (self.adjusted, " after Holm's correction")
        return "" if p is None else f"; p = {steady(p):.2f}{holm}"

    def __str__(self) -> str:
        if isnan(self.value):
            return f"{self.what}: {self.first} and {self.second} cannot be compared ({self.method})"
        parts = [f"{self.what}: {self.first} - {self.second} = {steady(self.value):+.3f}"]
        if self.interval is not None:
            parts.append(str(self.interval))
        if self.p is not None:
            parts.append("p < 0.001" if self.p < 0.001 else f"p = {steady(self.p):.3f}")
        return f"{' '.join(parts)} ({self.method})"

    _called = MappingProxyType({"too_few": ""})


def holm_over(tables: Sequence[Sequence[Difference]]) -> list[tuple[Difference, ...]]:
    """Adjust p over criteria and pairs of conditions that are read together.

    Each kind of test (unit, coefficient) is a family of its own; a family of one is left as it is.
    """
    made = [list(differences) for differences in tables]
    families: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for row, differences in enumerate(made):
        for place, difference in enumerate(differences):
            families.setdefault((difference.what, difference.unit), []).append((row, place))
    for cells in families.values():
        p = np.array([np.nan if made[row][place].p is None else made[row][place].p for row, place in cells])
        if len(cells) > 1:
            for (row, place), value in zip(cells, adjusted(p), strict=True):
                made[row][place] = replace(made[row][place], adjusted=None if np.isnan(value) else float(value))
    return [tuple(differences) for differences in made]


def bootstrap_p(draws: Floats) -> float | None:
    """Twice the smaller share of replicates on one side of zero, the observed sample counted once.

    None where no replicate has a difference: nothing was compared.
    """
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return None
    nothing = 1e-12 * max(1.0, float(np.abs(defined).max()))
    smaller = min((defined <= nothing).sum(), (defined >= -nothing).sum())
    return float(min(1.0, 2 * (smaller + 1) / (len(defined) + 1)))
