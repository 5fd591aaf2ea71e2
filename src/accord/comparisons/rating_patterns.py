"""Ratings behind the agreement: means with ranges inside and between groups, and which ratings meet which."""

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.comparisons.pair_settings import PairSettings
from accord.ratings.table import Ratings
from accord.records import dataclass

__all__ = ["CoOccurrence", "MeanRanges", "co_occurrence", "mean_ranges"]


@dataclass(frozen=True, slots=True)
class MeanRanges:
    """Mean rating of each rater and group; the range inside a group says what group differences can mean.

    A difference between groups that is smaller than the differences between raters of one group
    cannot be put down to what the groups were shown.
    """

    rater_means: dict[str, dict[str, float]]
    group_means: dict[str, float]

    @property
    def within(self) -> dict[str, float]:
        """Range of the raters' means inside each group."""
        return {group: max(means.values()) - min(means.values()) for group, means in self.rater_means.items()}

    def between(self, groups: tuple[str, ...] = ()) -> float:
        """Range of the group means, of these groups or of all."""
        chosen = [mean for group, mean in self.group_means.items() if not groups or group in groups]
        return max(chosen) - min(chosen)

    @property
    def is_attributable(self) -> bool:
        """Whether groups differ more than raters who saw the same thing."""
        return self.between() > max(self.within.values())


def mean_ranges(ratings: Ratings, groups: dict[str, str]) -> MeanRanges:
    """Means of raters and of groups."""
    raters = ratings.rater
    count = np.bincount(raters.codes, minlength=len(raters.names))
    total = np.bincount(raters.codes, weights=ratings.scores, minlength=len(raters.names))
    by_group: dict[str, dict[str, float]] = {}
    sums: dict[str, list[float]] = {}
    for code, rater in enumerate(raters.names):
        group = groups[rater]
        by_group.setdefault(group, {})[rater] = float(total[code] / count[code])
        sums.setdefault(group, [0.0, 0.0])
        sums[group][0] += float(total[code])
        sums[group][1] += float(count[code])
    ordered = dict(sorted(by_group.items()))
    return MeanRanges(ordered, {group: sums[group][0] / sums[group][1] for group in ordered})


@dataclass(frozen=True, slots=True)
class CoOccurrence:
    """How often values meet in the pairs of one setting; both raters of a pair count as 'one rater' in turn."""

    setting: str
    counts: NDArray[np.int64]

    @property
    def row_shares(self) -> Floats:
        """Each row sums to 1; a row of a value nobody gave is nan."""
        totals = self.counts.sum(axis=1, keepdims=True)
        shares = np.full(self.counts.shape, np.nan)
        np.divide(self.counts, totals, out=shares, where=totals > 0)
        return shares

    @property
    def exact(self) -> float:
        """Share of meetings in which both raters gave the same value."""
        return float(np.trace(self.counts) / self.counts.sum())

    @property
    def within_one(self) -> float:
        """Share of meetings in which the raters were at most one step apart."""
        near = np.abs(np.subtract.outer(*(np.arange(len(self.counts)),) * 2)) <= 1
        return float(self.counts[near].sum() / self.counts.sum())


def co_occurrence(tables: NDArray[np.int64], settings: PairSettings, name: str) -> CoOccurrence:
    """Add up the tables of a setting's pairs, each taken both ways round."""
    total = tables[settings.of(name)].sum(axis=0)
    return CoOccurrence(name, total + total.T)
