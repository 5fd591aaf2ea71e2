"""What one more score would gain, before it is paid for."""

from collections.abc import Sequence
from math import isnan, nan, sqrt

from accord.records import dataclass
from accord.scoring.arf import Law, half_width_factor
from accord.scoring.prior import Prior
from accord.scoring.student import ScoreMethod, critical_value
from accord.words import steady

__all__ = ["Gain", "gain_of_one_more"]

_WORTH_SAYING = 1.005
"""Times narrower: what is less is 1.00 in print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """Half-width now and with one more score, if the scores spread as they do now."""

    level: float
    scores: int
    now: float
    then: float
    assumption: str
    is_lopsided: bool = False
    """Whether the mean is not in the middle: the width is then said, as no ± holds."""

    @property
    def factor(self) -> float:
        """How many times narrower the interval becomes."""
        return self.now / self.then if self.then else nan

    @property
    def _next(self) -> str:
        return "a second score" if self.scores == 1 else "one more score"

    @property
    def _sure(self) -> str:
        """The interval that it is about."""
        return f"{100 * self.level:.4g}% interval"

    def _reach(self, half: float) -> str:
        return f"{steady(2 * half):.2f} wide" if self.is_lopsided else f"± {steady(half):.2f}"

    def __str__(self) -> str:
        if isnan(self.then):
            return f"What {self._next} would gain cannot be said: {self.assumption}"
        if self.factor < _WORTH_SAYING:
            hardly = f"{self._next.capitalize()} would hardly narrow the {self._sure} ({self._reach(self.now)})"
            return f"{hardly}, {self.assumption}"
        return (
            f"{self._next.capitalize()} would bring the {self._sure} from {self._reach(self.now)} to about "
            f"{self._reach(self.then)} ({steady(self.factor):.2f} times narrower), {self.assumption}"
        )

    def to_dict(self) -> dict[str, object]:
        return {
            "level": self.level, "scores": self.scores, "half_width_now": self.now, "half_width_then": self.then,
            "times_narrower": self.factor, "assumption": self.assumption,
        }  # fmt: skip


def gain_of_one_more(
    level: float, numbers: Sequence[float], deviation: float, prior: Prior | None, law: Law, method: ScoreMethod
) -> Gain:
    """From one score: k |y - prior| against t |y1 - y2| / 2; from more: t / sqrt(n) times the same spread.

    Where the paper's normal law is asked for, it takes the place of t as it does in the interval.
    """
    n = len(numbers)
    if n == 1:
        distance = abs(numbers[0] - prior.value) if prior else nan
        return Gain(
            level=level, scores=1, now=half_width_factor(1 - level, law) * distance,
            then=critical_value(level, 2) * distance / 2,
            assumption="if the second score differs from the first as much as the first from the prior",
        )  # fmt: skip
    if deviation == 0:
        return Gain(level=level, scores=n, now=nan, then=nan, assumption="the scores are equal")
    return Gain(
        level=level, scores=n, now=critical_value(level, n, method=method) * deviation / sqrt(n),
        then=critical_value(level, n + 1, method=method) * deviation / sqrt(n + 1),
        assumption="if the scores go on to spread as they do now",
    )  # fmt: skip
