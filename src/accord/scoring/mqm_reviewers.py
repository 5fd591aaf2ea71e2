"""What a list of errors shows besides its score: critical errors, and reviewers who find far more than others."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import exp, hypot, inf, log

from accord.formats.mqm_weights import severity_name
from accord.inference.interval import Interval
from accord.noise import by_name, first_of
from accord.records import dataclass
from accord.scoring.error_rates import ERRORS, Variation
from accord.scoring.mqm import MqmError, Part, SegmentMqm, ruled
from accord.words import counted, steady

__all__ = ["ReviewersApart", "critical_errors", "critical_words", "reviewers_apart"]

_NAMED = 3
"""So many critical errors are named."""
_THESE = Variation(dispersion=ERRORS.dispersion, severity=0)
"""Counts of two reviewers are about these two: how usual reviewers differ is not part of it."""


def critical_errors(errors: Iterable[MqmError]) -> tuple[MqmError, ...]:
    """The critical errors that stand after their rulings, in the order of their items, however the rows lie."""
    stands = (ruled(error) for error in errors if error.counts)
    found = [error for error in stands if error is not None and severity_name(error.severity) == "critical"]
    return tuple(sorted(found, key=lambda one: [by_name(name) for name in (one.item, one.system, one.rater)]))


def critical_words(found: Sequence[MqmError]) -> str:
    """How many there are, by whom and where the first ones stand."""
    if not found:
        return ""
    named = "; ".join(f"{one.rater} in {one.item}{f' ({one.system})' if one.system else ''}" for one in found[:_NAMED])
    more = f"; {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
    rule = "By the rule of MQM 2.0 one is enough to fail a sample."
    return f"{counted(len(found), 'critical error')}: {named}{more}. {rule}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewersApart:
    """The two reviewers furthest apart, by what they found in the segments that both judged."""

    more: str
    less: str
    counts: tuple[int, int]
    segments: int
    interval: Interval
    """Of the ratio; it holds for all ``pairs`` at once."""
    pairs: int

    @property
    def ratio(self) -> float:
        return self.counts[0] / self.counts[1] if self.counts[1] else inf

    def __str__(self) -> str:
        more, less = self.counts
        level = self.interval.level_words
        pairs = f", for all {self.pairs} pairs of reviewers at once" if self.pairs > 1 else ""
        shared = "one segment" if self.segments == 1 else f"the same {self.segments:,} segments"
        if not less:
            told = f"{self.more} found {more} errors and {self.less} none in {shared}"
            return f"{told} ({level} at least {steady(self.interval.low):.1f} times as many{pairs})."
        ends = f"{level} {steady(self.interval.low):.1f} to {steady(self.interval.high):.1f} times{pairs}"
        return (
            f"{self.more} found {steady(self.ratio):.1f} times as many errors as {self.less}: {more} and {less} in "
            f"{shared} ({ends})."
        )

    def to_dict(self) -> dict[str, object]:
        return {
            "more": self.more, "less": self.less, "counts": list(self.counts), "segments": self.segments,
            "ratio": self.ratio, "interval": self.interval.to_dict(), "pairs": self.pairs,
        }  # fmt: skip


def reviewers_apart(segments: Sequence[SegmentMqm], level: float = 0.95) -> ReviewersApart | None:
    """The pair of reviewers whose counts differ most surely; None where no pair is shown to differ.

    The intervals of both overdispersed counts are put together on the log scale (the squares of their distances add
    up), each at the level that Bonferroni's rule leaves it, as the pair is the furthest apart of several.
    """
    by_rater: dict[str, dict[tuple[str, str, Part], int]] = {}
    for one in segments:
        if one.errors is not None:
            by_rater.setdefault(one.rater, {})[one.item, one.system, one.part] = one.errors
    shared = [
        (first, second, both)
        for first, second in combinations(sorted(by_rater), 2)
        if (both := by_rater[first].keys() & by_rater[second].keys())
    ]
    found = []
    for first, second, both in shared:
        totals = sorted(((sum(by_rater[name][key] for key in both), name) for name in (first, second)), reverse=True)
        (more, most), (less, least) = totals
        ends = _ratio_ends(more, less, 1 - (1 - level) / len(shared))
        if ends[0] > 1:
            method = f"overdispersed counts ({ERRORS.dispersion:g} over documents), Bonferroni over pairs"
            interval = Interval(low=ends[0], high=ends[1], level=level, method=method)
            found.append(ReviewersApart(
                more=most, less=least, counts=(more, less), segments=len(both), interval=interval, pairs=len(shared),
            ))  # fmt: skip
    return first_of(found, lambda one: one.interval.low, highest=True) if found else None


def _ratio_ends(more: int, less: int, level: float) -> tuple[float, float]:
    if not more:
        return 0.0, inf
    (low, high), (least, most) = (_THESE.ends(count, 1, level) for count in (more, less))
    if not less:
        return low / most, inf
    if not (low > 0 and least > 0):
        return 0.0, inf
    down, up = hypot(log(more / low), log(most / less)), hypot(log(high / more), log(less / least))
    return more / less * exp(-down), more / less * exp(up)
