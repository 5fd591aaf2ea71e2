"""MQM 2.0: raw and calibrated quality scores of a sample, with an interval, and whether it passes."""

from collections.abc import Iterable, Sequence

from accord.errors import InputError, OptionError
from accord.formats.mqm_weights import severity_name
from accord.records import dataclass
from accord.scoring.error_rates import POINTS, ErrorRate, SmallSampleVerdict, Variation, error_rate
from accord.words import counted, steady

__all__ = ["SEVERITY_POINTS", "CalibratedScore", "calibrated_score", "penalty_points"]

SEVERITY_POINTS = {"neutral": 0.0, "no-error": 0.0, "minor": 1.0, "major": 5.0, "critical": 25.0}


def penalty_points(severities: Iterable[str]) -> float:
    """Points of a list of severities: 0, 1, 5, 25. A severity without points is an error, never 0."""
    total = 0.0
    for severity in severities:
        if severity_name(severity) not in SEVERITY_POINTS:
            raise InputError(f"The severity {severity!r} has no points. Known: Neutral, Minor, Major, Critical.")
        total += SEVERITY_POINTS[severity_name(severity)]
    return total


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedScore:
    """Scores of a sample of ``words`` words with ``points`` penalty points."""

    points: float
    words: int
    passing: float
    acceptable: float
    criticals: int
    rate: ErrorRate
    """Points per 1,000 words with the interval over documents and reviewers."""

    @property
    def ends(self) -> tuple[float, float]:
        """The calibrated score at the ends of the interval of points, lowest first."""
        return tuple(100 - end * self.scaling for end in (self.rate.interval.high, self.rate.interval.low))  # type: ignore[return-value]

    @property
    def verdict(self) -> SmallSampleVerdict:
        """FAIL with a critical error; else what the interval of points says, which may be UNDECIDED."""
        if self.criticals:
            return SmallSampleVerdict.FAIL
        return self.rate.verdict or SmallSampleVerdict.UNDECIDED

    @property
    def per_word(self) -> float:
        return self.points / self.words

    @property
    def per_1000(self) -> float:
        return 1000 * self.per_word

    @property
    def raw(self) -> float:
        """100 (1 - points per word)."""
        return 100 * (1 - self.per_word)

    @property
    def scaling(self) -> float:
        """(100 - passing) / acceptable points per 1,000 words."""
        return (100 - self.passing) / self.acceptable

    @property
    def calibrated(self) -> float:
        """100 - points per 1,000 words times the scaling: exactly the passing score at the acceptable points."""
        return 100 - self.per_1000 * self.scaling

    @property
    def passes(self) -> bool:
        """The rule of MQM 2.0, which takes the points as they are."""
        return self.calibrated >= self.passing and self.criticals == 0

    def __str__(self) -> str:
        rule = "PASS" if self.passes else "FAIL"
        low, high = self.ends
        points = ", ".join(f"{count:g}" for count in self.rate.counts)
        noun = "point" if points == "1" else "points"
        critical = f": {counted(self.criticals, 'critical error')}, and one is enough to fail" if self.criticals else ""
        told = (
            f"{self.verdict} against {self.passing:g}{critical}. "
            f"By the rule of MQM 2.0, which takes the score as it is: {rule}. "
            f"The calibrated score is {steady(self.calibrated):.2f} ({self.rate.level_words} {steady(low):.2f} to "
            f"{steady(high):.2f}). "
            f"The raw score is {steady(self.raw):.2f}: {points} {noun} in {self.words:,} words by {self.rate.by}"
        )
        if self.verdict is not SmallSampleVerdict.UNDECIDED:
            return told
        decides = self.rate.what_would_decide()
        return f"{told}. {decides[:1].upper()}{decides[1:]}"

    def to_dict(self) -> dict[str, object]:
        return {
            "points": self.points, "words": self.words, "per_1000": self.per_1000, "raw": self.raw,
            "calibrated": self.calibrated, "passing": self.passing, "acceptable": self.acceptable,
            "criticals": self.criticals, "passes": self.passes, "verdict": str(self.verdict),
            "calibrated_low": self.ends[0], "calibrated_high": self.ends[1], "rate": self.rate.to_dict(),
        }  # fmt: skip


def calibrated_score(
    points: float | Sequence[float], words: int, *, passing: float, acceptable: float, criticals: int = 0,
    level: float = 0.95, reviewers: Sequence[str] = (), variation: Variation = POINTS,
) -> CalibratedScore:  # fmt: skip
    """The calibrated score; ``acceptable`` are the penalty points per 1,000 words that just pass.

    Several points are those of several reviewers of the same words.

    Examples
    --------
    >>> made = calibrated_score(20, 2000, passing=90, acceptable=10)
    >>> made.calibrated, made.passes, str(made.verdict)
    (90.0, True, 'UNDECIDED')
    """
    given = (float(points),) if isinstance(points, int | float) else tuple(float(one) for one in points)
    if words <= 0:
        raise InputError(f"A sample of {words} words cannot be scored. Give the number of words evaluated.")
    if min(given) < 0 or criticals < 0:
        raise InputError("Penalty points and critical errors cannot be negative.")
    if not 0 < passing < 100 or not acceptable > 0:
        raise OptionError("The passing score must lie between 0 and 100, and the acceptable points above 0.")
    rate = error_rate(
        given, words, level=level, acceptable=acceptable, reviewers=reviewers, variation=variation, noun="points"
    )
    return CalibratedScore(
        points=rate.errors, words=words, passing=passing, acceptable=acceptable, criticals=criticals, rate=rate
    )
