"""The interval of a system's own score: on its scale, and never of no width."""

from collections.abc import Iterator
from math import inf, isclose

import numpy as np

from accord.inference.interval import Interval
from accord.records import dataclass
from accord.scoring.ceiling import of_equal_scores, with_rare_scores
from accord.scoring.ranking.document_tests import DocumentTest
from accord.scoring.ranking.segments import SegmentScores
from accord.words import listed

__all__ = ["ScoreIntervals"]

_OUTER = 0.1
"""A mean in the outer tenth of the scale is taken to be near its end, where scores are lopsided."""
_MANY_SEGMENTS = 60
"""From so many segments on rare bad scores have shown: docs/explanation/promises.md has what t holds there."""


@dataclass(frozen=True, slots=True)
class ScoreIntervals:
    """Intervals around the mean scores of systems; ``units`` says in words what chance is over.

    Student's t, except where it would promise what it cannot hold. Near an end of the scale few segments show nothing
    of the rare bad ones, so a tenth of the scores may lie anywhere (:func:`accord.scoring.ceiling.with_rare_scores`).
    Units that all have one score at an end are judged by how many may be unseen; elsewhere such units have no spread,
    and there is no interval. Nothing lies outside of the scale, where it was declared.
    """

    data: SegmentScores
    means: DocumentTest
    level: float
    units: str

    def of(self, system: int) -> Interval | None:
        """The interval of one system, None where nothing is known of chance."""
        units, centre = int(self.means.documents[system]), float(self.means.difference[system])
        if units < 2:
            return None
        if self.means.error[system] == 0:
            end = next((end for end in self.data.ends or () if isclose(centre, end)), None)
            return None if end is None else of_equal_scores(end, units, self.level, self.data.ends or (end, end))
        reach = float(self.means.reach(self.level)[system])
        method = f"Student's t over {self.units}"
        found = Interval(low=centre - reach, high=centre + reach, level=self.level, method=method)
        if self._may_miss_rare(system):
            return with_rare_scores(found, self._segments(system), self._given)
        low, high = self.data.ends or (-inf, inf)
        return Interval(low=max(found.low, low), high=min(found.high, high), level=self.level, method=method)

    def cautions(self) -> Iterator[str]:
        """What to know of these intervals: systems without any spread, and ends beyond the values that occur."""
        places = range(len(self.data.systems))
        alike = [self.data.systems[at] for at in places if self.means.error[at] == 0 and self.means.documents[at] > 1]
        if alike:
            same = "has one and the same score" if len(alike) == 1 else "have one and the same score each"
            yield (
                f"{listed(alike)} {same} throughout, which says nothing about the spread: an interval is given only "
                "at an end of a declared scale (--scale), for what may be unseen."
            )
        if rare := [self.data.systems[at] for at in places if self._may_miss_rare(at)]:
            yield (
                f"{listed(rare)} stand{'s' * (len(rare) == 1)} near an end of the scale, where fewer than "
                f"{_MANY_SEGMENTS} segments may not have shown the rare scores: the interval allows for one in ten "
                "anywhere on the scale."
            )
        low, high = self._given
        beyond = any(one and (one.low < low or one.high > high) for one in map(self.of, places))
        if beyond and self.data.ends is None and not self.data.is_standardised:
            yield (
                f"Some intervals reach beyond {low:g} to {high:g}, the scores that were given, as nobody said where "
                "the scale ends: declare it with --scale."
            )

    def _may_miss_rare(self, system: int) -> bool:
        """Whether few segments lie near an end of the scale on average, with some spread."""
        if self.data.is_standardised or self._segments(system) >= _MANY_SEGMENTS or self.means.error[system] == 0:
            return False
        low, high = self._given
        outer = _OUTER * (high - low)
        return not low + outer <= float(self.means.difference[system]) <= high - outer

    def _segments(self, system: int) -> int:
        return int(np.isfinite(self.data.scores[system]).sum())

    @property
    def _given(self) -> tuple[float, float]:
        """The ends of the scale, or of what was given where nobody declared it."""
        return self.data.ends or (float(self.data.row_score.min()), float(self.data.row_score.max()))
