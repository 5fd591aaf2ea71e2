"""Few errors in few words: Poisson intervals, a decision that may be UNDECIDED, and its operating curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from accord.errors import InputError, OptionError
from accord.inference.interval import Interval

__all__ = ["ErrorRate", "OperatingPoint", "SamplingPlan", "SmallSampleVerdict", "error_rate", "operating_curve",
           "sampling_plan"]  # fmt: skip

_MOST_ERRORS = 100_000


class SmallSampleVerdict(StrEnum):
    """What a count of errors says about the rate that is acceptable."""

    PASS = "PASS"  # noqa: S105
    UNDECIDED = "UNDECIDED"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRate:
    """Errors per 1,000 words with the exact (Garwood) interval."""

    errors: int
    words: int
    per_1000: float
    interval: Interval
    acceptable: float | None = None

    @property
    def verdict(self) -> SmallSampleVerdict | None:
        """PASS if the whole interval lies at or below the acceptable rate, FAIL if above it."""
        if self.acceptable is None:
            return None
        if self.interval.high <= self.acceptable:
            return SmallSampleVerdict.PASS
        return SmallSampleVerdict.FAIL if self.interval.low > self.acceptable else SmallSampleVerdict.UNDECIDED

    def __str__(self) -> str:
        told = f"{self.errors} errors in {self.words:,} words: {self.per_1000:.1f} per 1,000 words "
        told += f"[{self.interval.low:.1f}, {self.interval.high:.1f}] at {self.interval.level:.4g}"
        return told if self.verdict is None else f"{told}; {self.verdict} against {self.acceptable:g}"

    def to_dict(self) -> dict[str, object]:
        return {
            "errors": self.errors, "words": self.words, "per_1000": self.per_1000,
            "interval": self.interval.to_dict(), "acceptable": self.acceptable,
            "verdict": None if self.verdict is None else str(self.verdict),
        }  # fmt: skip


def error_rate(errors: int, words: int, *, level: float = 0.95, acceptable: float | None = None) -> ErrorRate:
    """Garwood's interval: chi2(a/2; 2x)/2 to chi2(1-a/2; 2x+2)/2 errors.

    Examples
    --------
    >>> print(error_rate(5, 1000))
    5 errors in 1,000 words: 5.0 per 1,000 words [1.6, 11.7] at 0.95
    """
    _require_counts(errors, words)
    if not 0 < level < 1:
        raise OptionError(f"A confidence of {level:g} is not possible. Give a number above 0 and below 1.")
    from scipy.special import gammaincinv

    tail = (1 - level) / 2
    low = float(gammaincinv(errors, tail)) if errors else 0.0
    high = float(gammaincinv(errors + 1, 1 - tail))
    interval = Interval(
        low=low * 1000 / words, high=high * 1000 / words, level=level, method="Garwood (exact Poisson) over errors"
    )
    return ErrorRate(
        errors=errors, words=words, per_1000=errors * 1000 / words, interval=interval, acceptable=acceptable
    )


def _require_counts(errors: int, words: int) -> None:
    if words <= 0:
        raise InputError(f"A sample of {words} words cannot be scored. Give the number of words evaluated.")
    if errors < 0:
        raise InputError(f"There cannot be {errors} errors.")


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """At this true rate (errors per 1,000 words), how probable each verdict is."""

    rate: float
    passes: float
    undecided: float
    fails: float


def operating_curve(
    words: int, acceptable: float, *, level: float = 0.95, rates: Sequence[float] | None = None
) -> tuple[OperatingPoint, ...]:
    """The probability of each verdict by the true error rate, for a sample of so many words."""
    _require_counts(0, words)
    if not (isfinite(acceptable) and acceptable > 0):
        raise OptionError(
            f"An acceptable rate of {acceptable:g} errors per 1,000 words is not possible: it must be > 0."
        )
    most, least = _last_pass(words, acceptable, level), _first_fail(words, acceptable, level)
    chosen = rates if rates is not None else [acceptable * step / 4 for step in range(1, 13)]
    points = []
    for rate in chosen:
        mean = rate * words / 1000
        passes = _at_most(most, mean)
        fails = 1 - _at_most(least - 1, mean)
        points.append(OperatingPoint(rate, passes, 1 - passes - fails, fails))
    return tuple(points)


def _at_most(errors: int, mean: float) -> float:
    from scipy.special import pdtr

    return float(pdtr(errors, mean)) if errors >= 0 else 0.0


def _last_pass(words: int, acceptable: float, level: float) -> int:
    """The largest count that still passes; -1 if even no error at all does not."""
    errors = 0
    while errors < _MOST_ERRORS and error_rate(errors, words, level=level).interval.high <= acceptable:
        errors += 1
    return errors - 1


def _first_fail(words: int, acceptable: float, level: float) -> int:
    errors = 0
    while errors < _MOST_ERRORS and error_rate(errors, words, level=level).interval.low <= acceptable:
        errors += 1
    return errors


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingPlan:
    """So many words, and at most so many errors to accept: both risks are kept."""

    words: int
    accept: int
    producer_risk: float
    consumer_risk: float

    def __str__(self) -> str:
        return (
            f"Evaluate {self.words:,} words and accept up to {self.accept} errors: good work is refused with "
            f"probability {self.producer_risk:.3f}, bad work accepted with probability {self.consumer_risk:.3f}"
        )


def sampling_plan(good: float, bad: float, *, alpha: float = 0.05, beta: float = 0.1) -> SamplingPlan:
    """The fewest words that keep both risks: ``good`` (AQL) and ``bad`` (LTPD) in errors per 1,000 words.

    For each number of errors c to accept, the words must be few enough that work at the good rate is
    refused with probability alpha at most, and many enough that work at the bad rate is accepted with
    probability beta at most; the first c for which both can be met is the plan.
    """
    if not 0 < good < bad:
        raise OptionError(f"The bad rate ({bad:g}) must lie above the good rate ({good:g}), both above 0.")
    if not (0 < alpha < 1 and 0 < beta < 1):
        raise OptionError("Both risks must lie between 0 and 1, such as 0.05 and 0.1.")
    from math import ceil

    from scipy.special import gammaincinv

    for accept in range(10_000):
        most = 1000 * float(gammaincinv(accept + 1, alpha)) / good
        least = ceil(1000 * float(gammaincinv(accept + 1, 1 - beta)) / bad)
        if least <= most:
            return SamplingPlan(
                words=least, accept=accept, producer_risk=1 - _at_most(accept, good * least / 1000),
                consumer_risk=_at_most(accept, bad * least / 1000),
            )  # fmt: skip
    raise OptionError(f"The rates {good:g} and {bad:g} are too near to each other to tell apart with any usual sample.")
