"""MQM 2.0: raw and calibrated quality scores of a sample, and whether it passes."""

from collections.abc import Iterable
from dataclasses import dataclass

from accord.errors import InputError, OptionError
from accord.formats.mqm_weights import severity_name

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
        return self.calibrated >= self.passing and self.criticals == 0

    def __str__(self) -> str:
        verdict = "PASS" if self.passes else "FAIL"
        critical = f", {self.criticals} critical" if self.criticals else ""
        return (
            f"{verdict}: calibrated {self.calibrated:.2f} against {self.passing:g} (raw {self.raw:.2f}, "
            f"{self.per_1000:.2f} points per 1,000 of {self.words:,} words{critical})"
        )

    def to_dict(self) -> dict[str, object]:
        return {
            "points": self.points, "words": self.words, "per_1000": self.per_1000, "raw": self.raw,
            "calibrated": self.calibrated, "passing": self.passing, "acceptable": self.acceptable,
            "criticals": self.criticals, "passes": self.passes,
        }  # fmt: skip


def calibrated_score(
    points: float, words: int, *, passing: float, acceptable: float, criticals: int = 0
) -> CalibratedScore:
    """The calibrated score; ``acceptable`` are the penalty points per 1,000 words that just pass.

    Examples
    --------
    >>> print(calibrated_score(20, 2000, passing=90, acceptable=10))
    PASS: calibrated 90.00 against 90 (raw 99.00, 10.00 points per 1,000 of 2,000 words)
    """
    if words <= 0:
        raise InputError(f"A sample of {words} words cannot be scored. Give the number of words evaluated.")
    if points < 0 or criticals < 0:
        raise InputError("Penalty points and critical errors cannot be negative.")
    if not 0 < passing < 100 or not acceptable > 0:
        raise OptionError("The passing score must lie between 0 and 100, and the acceptable points above 0.")
    return CalibratedScore(points=points, words=words, passing=passing, acceptable=acceptable, criticals=criticals)
