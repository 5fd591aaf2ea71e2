"""What one criterion means: what was asked, in which unit, on which scale, and which end is good."""

from dataclasses import field, replace

from accord.design.scale import Direction, Level, Scale
from accord.records import dataclass

__all__ = ["COMPARING", "Criterion"]

COMPARING = ("pairwise", "ranking")
"""Kinds of criteria that set texts side by side, and so need more than one."""


@dataclass(frozen=True)
class Criterion:
    """One thing that was judged, as a study declares it or as a file lets one see.

    ``kind`` is a word of study.toml (scale, slider, number, categories, spans, pairwise, post_edit, ranking), or ""
    where nobody said. Level, values, ends and direction are those of ``scale``. ``threshold`` is the value from which a
    text passes.
    """

    key: str = ""
    question: str = ""
    definition: str = ""
    unit: str = ""
    kind: str = ""
    scale: Scale = field(default_factory=lambda: Scale(Level.NOMINAL, ()))
    threshold: float | None = None
    several: bool = False
    """Whether an answer is a set of labels; in tables they are parted by a bar."""

    @property
    def level(self) -> Level:
        return self.scale.level

    @property
    def direction(self) -> Direction:
        return self.scale.direction

    @property
    def title(self) -> str:
        """What a person reads: the key, or words where ratings have one criterion without a name."""
        return self.key or "all ratings"

    def on(self, scale: Scale) -> "Criterion":
        """The same criterion on another scale; what was known of the direction stays known."""
        known = self.scale.direction
        if known.is_known and not scale.direction.is_known and scale.level.has_order:
            scale = replace(scale, direction=known)
        return replace(self, scale=scale)
