"""Errors and penalty points in a sample: intervals over documents and reviewers, and a verdict that may be UNDECIDED.

Errors do not fall like rain: they gather in documents, and reviewers differ by a factor. So a count is an overdispersed
Poisson count times the severity of its reviewer. Where the sample itself cannot say how much, what was measured on
professional reviewers stands in (WMT23 English-German, ten reviewers): variance over mean of documents 3.3 for errors
and 9.6 for penalty points, standard deviation of a reviewer's log rate .59.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from math import ceil, exp, floor, inf, isfinite, log, sqrt

from accord.errors import InputError, OptionError
from accord.inference.interval import Interval
from accord.quantiles import ndtri
from accord.records import dataclass
from accord.words import counted, listed, steady

__all__ = [
    "ERRORS", "POINTS", "ErrorRate", "OperatingPoint", "SamplingPlan", "SmallSampleVerdict", "Variation",
    "error_rate", "operating_curve", "sampling_plan", "verdict_of",
]  # fmt: skip

_MOST_ERRORS = 1 << 40
_MOST_REVIEWERS, _MOST_WORDS = 12, 200_000
_NODES = 200
_FEW_ERRORS = 5
"""From so many on, more errors always reach further than none, however reviewers differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """How counts vary: ``dispersion`` over documents (1 is Poisson), ``severity`` of reviewers (log rate)."""

    dispersion: float
    severity: float = 0.59

    def __post_init__(self) -> None:
        if not (self.dispersion >= 1 and self.severity >= 0):
            raise OptionError("The dispersion must be at least 1 (Poisson), and the spread of reviewers at least 0.")

    def ends(self, count: float, reviewers: int, level: float) -> tuple[float, float]:
        """Interval of the mean count that usual reviewers would find in such documents.

        The exact interval of an overdispersed count, and the severity of so many reviewers, are put together on the
        log scale (the squares of their distances add up). Without either variation it is Garwood's. For a count of 0 it
        is what this comes to as the count goes to 0, or the mean that leaves 0 so improbable, if that is more.
        """
        from scipy.special import gammaincinv

        tail = (1 - level) / 2
        scaled = count / self.dispersion
        low = self.dispersion * float(gammaincinv(scaled, tail)) if scaled else 0.0
        high = self.dispersion * float(gammaincinv(scaled + 1, 1 - tail))
        severe = float(ndtri(1 - tail)) * self.severity / sqrt(reviewers)
        least = self._most_without_errors(reviewers, tail) if count < _FEW_ERRORS else 0.0
        if not count:
            return 0.0, max(high, least)
        down = sqrt(log(count / low) ** 2 + severe**2) if low > 0 else inf
        return count * exp(-down), max(least, count * exp(sqrt(log(high / count) ** 2 + severe**2)))

    def _most_without_errors(self, reviewers: int, tail: float) -> float:
        """The mean at which a count of 0 has the probability ``tail``."""
        low, high = 0.0, 1.0
        while self.at_most(0, high, reviewers) > tail:
            low, high = high, 2 * high
        while high - low > 1e-6 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if self.at_most(0, middle, reviewers) > tail else (low, middle)
        return low

    def at_most(self, count: float, mean: float, reviewers: int) -> float:
        """The probability of a count of at most so much where usual reviewers find ``mean``."""
        import numpy as np
        from scipy.special import betainc, pdtr

        if count < 0:
            return 0.0
        places = ndtri((np.arange(_NODES) + 0.5) / _NODES)
        means = mean * np.exp(places * self.severity / sqrt(reviewers))
        if self.dispersion == 1:
            return float(pdtr(np.floor(count), means).mean())
        return float(betainc(means / (self.dispersion - 1), np.floor(count) + 1, 1 / self.dispersion).mean())


ERRORS, POINTS = Variation(dispersion=3.3), Variation(dispersion=9.6)


class SmallSampleVerdict(StrEnum):
    """What a count of errors says about the rate that is acceptable."""

    PASS = "PASS"  # noqa: S105
    UNDECIDED = "UNDECIDED"
    FAIL = "FAIL"


def verdict_of(interval: Interval, acceptable: float) -> SmallSampleVerdict:
    """PASS if the whole interval lies at or below what is acceptable, FAIL if above it."""
    if interval.high <= acceptable:
        return SmallSampleVerdict.PASS
    return SmallSampleVerdict.FAIL if interval.low > acceptable else SmallSampleVerdict.UNDECIDED


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRate:
    """Errors (or points) per 1,000 words of the same sample by one reviewer or several, with the interval."""

    counts: tuple[float, ...]
    words: int
    reviewers: tuple[str, ...]
    interval: Interval
    variation: Variation
    acceptable: float | None = None
    criticals: int = 0
    noun: str = "errors"

    @property
    def errors(self) -> float:
        """The mean count of the reviewers."""
        return sum(self.counts) / len(self.counts)

    @property
    def per_1000(self) -> float:
        return self.errors * 1000 / self.words

    @property
    def verdict(self) -> SmallSampleVerdict | None:
        if self.acceptable is None:
            return None
        return SmallSampleVerdict.FAIL if self.criticals else verdict_of(self.interval, self.acceptable)

    @property
    def by(self) -> str:
        """Who found them, in words."""
        if self.reviewers:
            return listed(self.reviewers)
        return "one reviewer" if len(self.counts) == 1 else f"{len(self.counts)} reviewers"

    @property
    def level_words(self) -> str:
        """What its interval is: of what usual reviewers would find."""
        return f"{self.interval.level_words} for usual reviewers"

    def __str__(self) -> str:
        counts = ", ".join(f"{count:g}" for count in self.counts)
        told = (
            f"{counts} {self.noun} in {self.words:,} words by {self.by}: {steady(self.per_1000):.1f} per 1,000 words "
        )
        told += f"({self.level_words} {steady(self.interval.low):.1f} to {steady(self.interval.high):.1f})"
        critical = f"{counted(self.criticals, 'critical error')}, and one is enough to fail"
        if self.verdict is None:
            return f"{told}. {critical}" if self.criticals else told
        told += f". {self.verdict} against {self.acceptable:g}"
        if self.criticals:
            return f"{told}: {critical}"
        return f"{told}: {self.what_would_decide()}" if self.verdict is SmallSampleVerdict.UNDECIDED else told

    def what_would_decide(self) -> str:
        """So many reviewers and words, if the rate stays as it is."""
        if self.acceptable is None:
            return ""
        found = _deciding(self.per_1000, self.acceptable, self.variation, self.interval.level)
        who = "one reviewer" if len(self.counts) == 1 else f"{len(self.counts)} reviewers"
        if found is None:
            return f"{who} cannot decide, and at a rate this close to it no sample of usual size would"
        reviewers, words = found
        more = f"{reviewers} reviewer{'s' * (reviewers > 1)} and about {words:,} words would, if the rate stays"
        return f"{who} cannot decide with {self.words:,} words; {more}"

    def to_dict(self) -> dict[str, object]:
        return {
            "errors": self.errors, "counts": list(self.counts), "words": self.words, "reviewers": list(self.reviewers),
            "per_1000": self.per_1000, "interval": self.interval.to_dict(), "acceptable": self.acceptable,
            "criticals": self.criticals,
            "verdict": None if self.verdict is None else str(self.verdict),
            "what_would_decide": self.what_would_decide() if self.verdict is SmallSampleVerdict.UNDECIDED else None,
            "dispersion": self.variation.dispersion, "spread_of_reviewers": self.variation.severity,
        }  # fmt: skip


def error_rate(
    errors: float | Sequence[float], words: int, *, level: float = 0.95, acceptable: float | None = None,
    criticals: int = 0, reviewers: Sequence[str] = (), variation: Variation = ERRORS, noun: str = "errors",
) -> ErrorRate:  # fmt: skip
    """The rate with its interval; several counts are those of several reviewers of the same words.

    ``criticals`` are those among the errors: with one of them nothing passes.

    Examples
    --------
    >>> print(error_rate(5, 1000, variation=Variation(dispersion=1, severity=0)))
    5 errors in 1,000 words by one reviewer: 5.0 per 1,000 words (95% interval for usual reviewers 1.6 to 11.7)
    """
    counts = (float(errors),) if isinstance(errors, int | float) else tuple(float(count) for count in errors)
    _require_counts(counts, words)
    if not 0 < level < 1:
        raise OptionError(f"A confidence of {level:g} is not possible. Give a number above 0 and below 1.")
    if not 0 <= criticals <= sum(counts):
        found = f"{counted(criticals, 'critical error')} among {sum(counts):g}"
        raise InputError(f"There cannot be {found}. Count them as errors too.")
    if reviewers and len(reviewers) != len(counts):
        raise OptionError(f"{len(reviewers)} reviewers are named, but {len(counts)} counts are given: one for each.")
    low, high = variation.ends(sum(counts) / len(counts), len(counts), level)
    method = (
        f"overdispersed count ({variation.dispersion:g} over documents), {len(counts)} "
        f"reviewer{'s' * (len(counts) > 1)} (log rate ± {variation.severity:g})"
    )
    interval = Interval(low=low * 1000 / words, high=high * 1000 / words, level=level, method=method)
    return ErrorRate(
        counts=counts, words=words, reviewers=tuple(reviewers), interval=interval, variation=variation,
        acceptable=acceptable, criticals=criticals, noun=noun,
    )  # fmt: skip


def _require_counts(counts: Sequence[float], words: int) -> None:
    if words <= 0:
        raise InputError(f"A sample of {words} words cannot be scored. Give the number of words evaluated.")
    if not counts:
        raise InputError("There is no count of errors. Give at least one.")
    if bad := [count for count in counts if not (isfinite(count) and count >= 0)]:
        raise InputError(f"There cannot be {bad[0]:g} errors.")


def _deciding(rate: float, acceptable: float, variation: Variation, level: float) -> tuple[int, int] | None:
    """The reviewers and words (the least words read in all) whose interval would leave out the acceptable rate."""
    best: tuple[int, int] | None = None
    for reviewers in range(1, _MOST_REVIEWERS + 1):

        def decides(words: int, reviewers: int = reviewers) -> bool:
            # A count is whole: whichever way the rate is rounded, the verdict must stand.
            limit, count = acceptable * words / 1000, round(rate * words / 1000, 9)
            if rate <= acceptable:
                return variation.ends(ceil(count), reviewers, level)[1] <= limit
            return variation.ends(floor(count), reviewers, level)[0] > limit

        words = _least(decides, 100, _MOST_WORDS)
        while words is not None and not decides(words):
            words += 10 ** max(len(str(words)) - 2, 0)
        if words is not None and (best is None or reviewers * words < best[0] * best[1]):
            best = reviewers, words
    return best


def _least(holds: Callable[[int], bool], low: int, high: int) -> int | None:
    """The least number, to two digits, from which on a condition holds."""
    if not holds(high):
        return None
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    step = int(10 ** max(len(str(high)) - 2, 0))
    return -(-high // step) * step


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """At this true rate (errors per 1,000 words), how probable each verdict is."""

    rate: float
    passes: float
    undecided: float
    fails: float


def operating_curve(
    words: int, acceptable: float, *, level: float = 0.95, rates: Sequence[float] | None = None, reviewers: int = 1,
    variation: Variation = ERRORS,
) -> tuple[OperatingPoint, ...]:  # fmt: skip
    """The probability of each verdict by the rate that usual reviewers would find, for a sample of so many words."""
    _require_counts((0.0,), words)
    if not (isfinite(acceptable) and acceptable > 0):
        raise OptionError(
            f"An acceptable rate of {acceptable:g} errors per 1,000 words is not possible: it must be > 0."
        )
    limit = acceptable * words / 1000
    # The mean count of several reviewers moves in steps of 1 / reviewers.
    most = _last(lambda count: variation.ends(count / reviewers, reviewers, level)[1] <= limit) / reviewers
    last = _last(lambda count: variation.ends(count / reviewers, reviewers, level)[0] <= limit) / reviewers
    chosen = rates if rates is not None else [acceptable * step / 4 for step in range(1, 13)]
    points = []
    for rate in chosen:
        mean = rate * words / 1000
        passes, fails = variation.at_most(most, mean, reviewers), 1 - variation.at_most(last, mean, reviewers)
        points.append(OperatingPoint(rate, passes, 1 - passes - fails, fails))
    return tuple(points)


def _last(holds: Callable[[int], bool]) -> int:
    """The largest count for which a condition holds that holds for small counts only; -1 if for none."""
    if not holds(0):
        return -1
    high = 1
    while holds(high) and high < _MOST_ERRORS:
        high *= 2
    low = high // 2 if high > 1 else 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingPlan:
    """So many words by so many reviewers, and at most so many errors on average to accept: both risks are kept."""

    words: int
    reviewers: int
    accept: int
    producer_risk: float
    consumer_risk: float

    def __str__(self) -> str:
        who = "one reviewer" if self.reviewers == 1 else f"{self.reviewers} reviewers"
        mean = "" if self.reviewers == 1 else " on average"
        return (
            f"Have {who} evaluate {self.words:,} words and accept up to {self.accept} errors{mean}: good work is "
            f"refused with probability {steady(self.producer_risk):.3f}, bad work accepted with probability "
            f"{steady(self.consumer_risk):.3f}"
        )


def sampling_plan(
    good: float, bad: float, *, alpha: float = 0.05, beta: float = 0.1, variation: Variation = ERRORS
) -> SamplingPlan:
    """The least words read in all that keep both risks: ``good`` (AQL) and ``bad`` (LTPD) in errors per 1,000 words.

    However long the sample, so few reviewers may be severe or lenient: the risks need at least
    ((z_alpha + z_beta) spread / ln(bad / good)) squared of them.
    """
    if not 0 < good < bad:
        raise OptionError(f"The bad rate ({bad:g}) must lie above the good rate ({good:g}), both above 0.")
    if not (0 < alpha < 1 and 0 < beta < 1):
        raise OptionError("Both risks must lie between 0 and 1, such as 0.05 and 0.1.")

    distance = float(ndtri(1 - alpha) + ndtri(1 - beta)) * variation.severity / log(bad / good)
    fewest = max(1, int(max(distance, 0.0) ** 2) + 1)
    best: SamplingPlan | None = None
    for reviewers in range(fewest, fewest + 8):
        plan = _plan_of(reviewers, good, bad, alpha, beta, variation)
        if plan and (best is None or plan.words * plan.reviewers < best.words * best.reviewers):
            best = plan
    if best is None:
        raise OptionError(
            f"The rates {good:g} and {bad:g} are too near to each other to tell apart with any usual sample."
        )
    return best


def _plan_of(
    reviewers: int, good: float, bad: float, alpha: float, beta: float, variation: Variation
) -> SamplingPlan | None:
    def accept(words: int) -> int:
        return 1 + _last(lambda count: variation.at_most(count, good * words / 1000, reviewers) < 1 - alpha)

    def holds(words: int) -> bool:
        return variation.at_most(accept(words), bad * words / 1000, reviewers) <= beta

    words = _least(holds, 10, 1_000_000)
    if words is None:
        return None
    most = accept(words)
    return SamplingPlan(
        words=words,
        reviewers=reviewers,
        accept=most,
        producer_risk=1 - variation.at_most(most, good * words / 1000, reviewers),
        consumer_risk=variation.at_most(most, bad * words / 1000, reviewers),
    )
