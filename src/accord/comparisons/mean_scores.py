"""How high two groups of raters score: agreement within each says nothing of it, so it is tested by itself."""

from collections.abc import Sequence
from itertools import combinations
from math import comb, nan, sqrt

import numpy as np

from accord.arrays import Floats
from accord.inference.multiple import adjusted
from accord.quantiles import stdtr
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["MeanScores", "holm_over_means", "mean_scores"]

_MOST_ARRANGEMENTS = 20_000
"""Up to 8 against 8 raters every arrangement is tried: it takes milliseconds, and no random number."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class MeanScores(PlainData):
    """The mean of the raters' means under each condition, and whether raters of one population differ so far.

    ``smallest`` is the least p that so many raters can give; nan where Welch's t has none.
    """

    first: float
    second: float
    raters: tuple[int, int]
    p: float
    smallest: float
    method: str
    adjusted: float | None = None
    """p after Holm's correction, where several are read together."""

    @property
    def change(self) -> float:
        return self.second - self.first

    @property
    def is_clear(self) -> bool:
        """Whether other raters would hardly differ so far by chance."""
        return (self.p if self.adjusted is None else self.adjusted) < 0.05

    @property
    def chance(self) -> str:
        """``p = 0.002, the smallest that 6 against 6 raters can give``"""
        p, holm = (self.p, "") if self.adjusted is None else (self.adjusted, " after Holm's correction")
        told = "p < 0.001" if p < 0.001 else f"p = {steady(p):.3f}"
        least = f", the smallest that {self.raters[0]} against {self.raters[1]} raters can give"
        return f"{told}{holm}{least if self.p <= self.smallest + _SAME else ''}"


def mean_scores(parts: Sequence[Ratings]) -> MeanScores | None:
    """Compare two groups of raters who rated the same items; None where values have no order or nothing varies."""
    if not all(part.level.has_order for part in parts):
        return None
    means = [_rater_means(part) for part in parts]
    counts = (len(means[0]), len(means[1]))
    if comb(sum(counts), counts[0]) <= _MOST_ARRANGEMENTS:
        p, smallest, method = _by_exchange(means[0], means[1])
    else:
        p, smallest, method = _by_welch(means[0], means[1])
    if np.isnan(p):
        return None
    return MeanScores(float(means[0].mean()), float(means[1].mean()), counts, p, smallest, method)


def holm_over_means(found: Sequence[MeanScores | None]) -> list[float | None]:
    """p of each after Holm's correction over all that are there; None where there is none or only one."""
    known = [place for place, one in enumerate(found) if one is not None]
    made: list[float | None] = [None] * len(found)
    if len(known) > 1:
        values = adjusted(np.array([one.p for one in found if one is not None]))
        for place, value in zip(known, values, strict=True):
            made[place] = float(value)
    return made


def _rater_means(part: Ratings) -> Floats:
    count = np.bincount(part.rater.codes)
    total = np.bincount(part.rater.codes, weights=part.scores)
    return np.asarray(total[count > 0] / count[count > 0])


def _by_exchange(one: Floats, other: Floats) -> tuple[float, float, str]:
    """Every arrangement of the raters in two groups of these sizes."""
    everyone = np.concatenate((one, other))
    chosen = np.array(list(combinations(range(len(everyone)), len(one))))
    sums = everyone[chosen].sum(axis=1)
    moves = np.abs((everyone.sum() - sums) / len(other) - sums / len(one))
    p = float((moves >= abs(other.mean() - one.mean()) - _SAME).mean())
    smallest = (2 if len(one) == len(other) else 1) / len(chosen)
    tried = f"all {len(chosen):,} arrangements, smallest possible p {smallest:.2g}"
    return p, smallest, f"means of {len(one)} and {len(other)} raters exchanged, {tried}"


def _by_welch(one: Floats, other: Floats) -> tuple[float, float, str]:
    parts = [float(means.var(ddof=1)) / len(means) for means in (one, other)]
    if sum(parts) == 0:
        return nan, nan, ""
    freedom = sum(parts) ** 2 / sum(part**2 / (len(means) - 1) for part, means in zip(parts, (one, other), strict=True))
    p = float(2 * stdtr(freedom, -abs(float(other.mean() - one.mean())) / sqrt(sum(parts))))
    return p, nan, f"Welch's t over the means of {len(one)} and {len(other)} raters"
