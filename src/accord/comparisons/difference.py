"""A difference between two conditions: its size, interval, p-value, and the unit that was resampled."""

from dataclasses import dataclass
from math import isnan

from accord.inference.interval import Interval

__all__ = ["Difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """``first`` minus ``second``, judged by resampling or permuting one named unit.

    Two intervals that overlap are no test of a difference; this is the test. ``unit`` is what was
    resampled or permuted: answers differ by it, so it is part of every sentence.
    """

    what: str
    first: str
    second: str
    value: float
    unit: str
    method: str
    interval: Interval | None = None
    p: float | None = None
    replicates: int = 0
    adjusted: float | None = None
    """p after Holm's correction, where several differences are read together."""

    @property
    def is_clear(self) -> bool:
        """Whether chance alone, in this unit, hardly explains the difference."""
        if self.adjusted is not None:
            return self.adjusted < 0.05
        if self.interval is not None:
            return 0 not in self.interval
        return self.p is not None and self.p < 0.05

    def __str__(self) -> str:
        if isnan(self.value):
            return f"{self.what}: {self.first} and {self.second} cannot be compared ({self.method})"
        parts = [f"{self.what}: {self.first} - {self.second} = {self.value:+.3f}"]
        if self.interval is not None:
            parts.append(str(self.interval))
        if self.p is not None:
            parts.append("p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}")
        return f"{' '.join(parts)} ({self.method})"

    def to_dict(self) -> dict[str, object]:
        return {
            "what": self.what, "first": self.first, "second": self.second, "value": self.value, "unit": self.unit,
            "method": self.method, "interval": self.interval.to_dict() if self.interval else None, "p": self.p,
            "replicates": self.replicates, "adjusted": self.adjusted,
        }  # fmt: skip
