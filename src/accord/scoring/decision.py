"""PASS or FAIL against a threshold, and how sure that is."""

from enum import StrEnum
from math import isnan, nan

from accord.design.scale import Direction
from accord.inference.interval import Interval
from accord.records import dataclass
from accord.words import steady

__all__ = ["Decision", "Verdict", "decide"]


class Verdict(StrEnum):
    """What the scores say about the threshold."""

    PASS = "PASS"  # noqa: S105
    BORDERLINE_PASS = "borderline PASS"  # noqa: S105
    BORDERLINE_FAIL = "borderline FAIL"
    FAIL = "FAIL"

    @property
    def is_borderline(self) -> bool:
        return self in (Verdict.BORDERLINE_PASS, Verdict.BORDERLINE_FAIL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A verdict against a threshold.

    ``probability_below`` is that of a true value below the threshold; nan where no history says how true values
    and scores vary, because the scores alone cannot.
    """

    verdict: Verdict
    threshold: float
    level: float
    probability_below: float = nan
    reason: str = ""

    def __str__(self) -> str:
        why = f"; {self.reason}" if self.reason else ""
        told = f"{self.verdict} against {self.threshold:g} ({100 * self.level:.4g}% interval{why})"
        return f"{told}; {self.probability}" if self.probability else told

    @property
    def probability(self) -> str:
        """How probable a true value below the threshold is, in words; empty where nothing says so."""
        if isnan(self.probability_below):
            return ""
        probability = _probability_in_words(self.probability_below)
        return f"with the earlier evaluations, the true value lies below the threshold with probability {probability}"

    def to_dict(self) -> dict[str, object]:
        return {
            "verdict": str(self.verdict), "threshold": self.threshold, "level": self.level,
            "probability_below": None if isnan(self.probability_below) else self.probability_below,
            "reason": self.reason,
        }  # fmt: skip


def decide(
    value: float,
    interval: Interval,
    threshold: float,
    scores: int,
    below: float,
    good: Direction = Direction.HIGH,
    *,
    equal: bool = False,
) -> Decision:
    """The verdict: the interval decides, and where it holds the threshold, the side of the value does.

    One score is never more than borderline. Equal scores have no spread, which is said; ``interval`` is then where
    their mean lies by what may be unseen (:func:`accord.scoring.ceiling.of_equal_scores`). Where low is good, what is
    at most the threshold passes.
    """
    sign = good.sign
    worse, better = sorted((sign * interval.low, sign * interval.high))
    passes, reason = sign * value >= sign * threshold, ""
    clear = worse >= sign * threshold if passes else better < sign * threshold
    if scores == 1:
        clear, reason = False, "one score is never more than borderline"
    elif equal:
        same = "both" if scores == 2 else f"all {scores}"
        reason = f"{same} scores are equal, without spread; judged as if {interval.method}"
    elif value == threshold:
        reason = "the mean is the threshold itself"
    if passes:
        verdict = Verdict.PASS if clear else Verdict.BORDERLINE_PASS
    else:
        verdict = Verdict.FAIL if clear else Verdict.BORDERLINE_FAIL
    return Decision(
        verdict=verdict, threshold=threshold, level=interval.level, probability_below=below, reason=reason
    )  # fmt: skip


def _probability_in_words(probability: float) -> str:
    """Two decimals, but never a certainty that no sample gives."""
    if probability < 0.005:
        return "below 0.01"
    return f"{steady(probability):.2f}" if probability < 0.995 else "above 0.99"
