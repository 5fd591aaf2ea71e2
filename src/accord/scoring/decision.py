"""PASS or FAIL against a threshold, and how sure that is."""

from dataclasses import dataclass
from enum import StrEnum
from math import isnan, nan

from accord.inference.interval import Interval
from accord.scoring.arf import Law, alpha_of_k
from accord.scoring.student import probability_below

__all__ = ["Decision", "Verdict", "decide"]


class Verdict(StrEnum):
    """What the scores say about the threshold."""

    PASS = "PASS"  # noqa: S105
    BORDERLINE_PASS = "borderline PASS"  # noqa: S105
    BORDERLINE_FAIL = "borderline FAIL"
    FAIL = "FAIL"

    @property
    def is_pass(self) -> bool:
        return self in (Verdict.PASS, Verdict.BORDERLINE_PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A verdict against a threshold.

    ``below_low`` and ``below_high`` bound the probability that the true value lies below the
    threshold. They are one number for two or more scores; one score allows only a bound.
    """

    verdict: Verdict
    threshold: float
    level: float
    below_low: float
    below_high: float

    @property
    def probability_below(self) -> float:
        """The probability where it is one number; nan where only bounds are known."""
        return self.below_low if self.below_low == self.below_high else nan

    def __str__(self) -> str:
        start = f"{self.verdict} against {self.threshold:g} at {self.level:.4g} confidence"
        if isnan(self.below_low):
            return f"{start}; how probable a true value below the threshold is cannot be said"
        if self.below_low == self.below_high:
            return f"{start}; the true value lies below it with probability {_told(self.below_low)}"
        if self.below_low == 0 and self.below_high == 1:
            return f"{start}; one score says nothing about which side the true value lies on"
        if self.below_low == 0:
            return f"{start}; the true value lies below it with probability {self.below_high:.3f} at most"
        return f"{start}; the true value lies below it with probability {self.below_low:.3f} at least"

    def to_dict(self) -> dict[str, object]:
        return {
            "verdict": str(self.verdict), "threshold": self.threshold, "level": self.level,
            "probability_below": self.probability_below, "probability_below_low": self.below_low,
            "probability_below_high": self.below_high,
        }  # fmt: skip


def decide(value: float, interval: Interval, threshold: float, below: tuple[float, float]) -> Decision:
    """The verdict: the interval decides, and where it holds the threshold, the side of the value does."""
    if interval.low >= threshold:
        verdict = Verdict.PASS
    elif interval.high < threshold:
        verdict = Verdict.FAIL
    else:
        verdict = Verdict.BORDERLINE_PASS if value >= threshold else Verdict.BORDERLINE_FAIL
    return Decision(verdict=verdict, threshold=threshold, level=interval.level, below_low=below[0], below_high=below[1])


def below_of_mean(threshold: float, mean: float, deviation: float, scores: int) -> tuple[float, float]:
    """For two or more scores the t law gives one number."""
    probability = probability_below(threshold, mean, deviation, scores)
    return probability, probability


def below_of_one(threshold: float, score: float, prior: float, law: Law) -> tuple[float, float]:
    """For one score: the widest interval that stops at the threshold bounds the probability beyond it."""
    k = abs(threshold - (score + prior) / 2) / abs(score - prior)
    if k <= 0.5:
        return 0.0, 1.0
    alpha = alpha_of_k(k, law)
    return (0.0, alpha) if threshold < min(score, prior) else (1 - alpha, 1.0)


def _told(probability: float) -> str:
    """Three decimals, but never a certainty that no sample gives."""
    if probability < 0.0005:
        return "below 0.001"
    return f"{probability:.3f}" if probability < 0.9995 else "above 0.999"
