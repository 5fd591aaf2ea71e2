"""A confidence interval: two ends, its level, and in words how it was made."""

from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["Interval"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval(PlainData):
    """A confidence interval, with both ends: it need not be symmetric.

    ``method`` always names the resampling unit, as in "bootstrap over items, BCa".
    ``undefined`` counts the replicates in which the statistic had no value.
    """

    low: float
    high: float
    level: float = 0.95
    method: str
    replicates: int = 0
    undefined: int = 0

    def __str__(self) -> str:
        return f"[{steady(self.low):.3f}, {steady(self.high):.3f}]"

    @property
    def level_words(self) -> str:
        """As every answer writes it."""
        return f"{100 * self.level:.4g}% interval"

    @property
    def width(self) -> float:
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        # A value may be the very end of its interval, computed by another order of sums.
        rounding = 1e-12 * max(1.0, abs(value))
        return self.low - rounding <= value <= self.high + rounding
