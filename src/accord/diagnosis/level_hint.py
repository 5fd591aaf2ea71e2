"""A hint at the level of measurement from the values themselves, and whether rank statistics are the safer choice."""

import numpy as np

from accord.arrays import distinct
from accord.diagnosis.part import Part
from accord.ratings.guessing import FEW_VALUES
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["LevelHint", "level_hint"]

_SKEWED = 1.0
_ALARM = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelHint(PlainData):
    """What the distribution says: its shape, a test of normality, and which statistics it leaves open.

    ``p`` is that of Shapiro and Wilk's test (up to 5,000 ratings) or of D'Agostino and Pearson's.
    """

    level: str
    declared: bool
    values: int
    skewness: float
    kurtosis: float
    p: float
    nonparametric: bool
    hint: str


def level_hint(part: Part) -> LevelHint:
    """Few values or a shape far from normal: use ranks (γ, τ, ρ, ordinal α), not means and Pearson's r."""
    ratings = part.ratings
    used = len(distinct(part.code))
    level, declared = str(ratings.level), ratings.scale.declared
    if not part.ordered:
        words = "the values have no order: use coefficients for categories"
        return LevelHint(
            level=level, declared=declared, values=used, skewness=float("nan"), kurtosis=float("nan"), p=float("nan"),
            nonparametric=True, hint=words,
        )  # fmt: skip
    score = part.score
    skewness, kurtosis = _shape(score)
    p = _normality(score)
    far = used <= FEW_VALUES or abs(skewness) > _SKEWED or p < _ALARM
    if used <= FEW_VALUES:
        why = f"{used} values are ordered categories, not distances"
    elif abs(skewness) > _SKEWED:
        why = f"the distribution is skewed ({steady(skewness):+.1f})"
    elif p < _ALARM:
        why = f"the distribution is not normal (p = {p:.2g})"
    else:
        why = "nothing speaks against an interval scale"
    words = f"{why}: prefer γ, τ, ρ and ordinal α" if far else f"{why}: means, r and ICC are open to you"
    return LevelHint(
        level=level, declared=declared, values=used, skewness=skewness, kurtosis=kurtosis, p=p, nonparametric=far,
        hint=words,
    )  # fmt: skip


def _shape(score: np.ndarray) -> tuple[float, float]:
    spread = score.std() if len(score) else 0.0
    if not spread > 0:
        return float("nan"), float("nan")
    z = (score - score.mean()) / spread
    return float((z**3).mean()), float((z**4).mean() - 3)


def _normality(score: np.ndarray) -> float:
    from scipy.stats import normaltest, shapiro

    if len(score) < 20 or not score.std() > 0:
        return float("nan")
    return float(shapiro(score).pvalue if len(score) <= 5_000 else normaltest(score).pvalue)
