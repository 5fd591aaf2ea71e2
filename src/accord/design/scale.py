"""What a rater could answer: the level of measurement and the scale of one criterion."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.records import dataclass

__all__ = ["ASK_DIRECTION", "LEVEL_GUESSED", "NO_DIRECTION", "SAY_DIRECTION", "Direction", "Level", "Scale", "Value"]

LEVEL_GUESSED = "level guessed"
"""Every guess of a level begins with these words."""

Value = float | str | frozenset[str]
"""One answer: a number, a label, or a set of labels."""


class Level(StrEnum):
    """Level of measurement: what may be done with the values."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"

    @property
    def has_order(self) -> bool:
        return self is not Level.NOMINAL

    @property
    def has_distance(self) -> bool:
        return self in (Level.INTERVAL, Level.RATIO)


class Direction(StrEnum):
    """Which end of a scale is the good one. Nothing has a default: what nobody said is unknown."""

    HIGH = "high"
    LOW = "low"
    NONE = "none"
    UNKNOWN = "unknown"

    @property
    def is_known(self) -> bool:
        """Whether a better and a worse can be told: only then may anything be called a winner."""
        return self in (Direction.HIGH, Direction.LOW)

    @property
    def sign(self) -> int:
        """1 where high is good, -1 where low is good, 0 where nobody can say which is better."""
        return {Direction.HIGH: 1, Direction.LOW: -1}.get(self, 0)

    def strictness(self, difference: float) -> str:
        """What giving scores that differ so from the others' is called: strict is to give worse ones."""
        towards_good = self.sign * difference
        return "" if towards_good == 0 else "strict" if towards_good < 0 else "lenient"


SAY_DIRECTION = 'Say which end is good: --direction high (or low), or best = "high" in study.toml.'
NO_DIRECTION = "Nobody said which end of the scale is good, so nothing is called better."
"""What a reader is told, who cannot say it."""
ASK_DIRECTION = f"{NO_DIRECTION} {SAY_DIRECTION}"
"""What is asked wherever a winner, a rank or a strictness would be named and the direction is not known."""


@dataclass(frozen=True)
class Scale:
    """The answers of one criterion, in order where they have one.

    ``values`` is the category set every coefficient uses. It is what the user declared, or
    else what occurs in the ratings (``declared`` says which): coefficients whose chance term
    depends on the number of categories (Brennan-Prediger, AC1) change with it.
    ``any_between`` says that any number between the ends is an answer; ``values`` are then those that occur.
    ``direction`` says which end is good; labels without an order have none.
    ``guesses`` holds in words what was inferred, so that every result can state it.
    """

    level: Level
    values: tuple[Value, ...]
    labels: Mapping[Value, str] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    declared: bool = False
    guesses: tuple[str, ...] = ()
    direction: Direction = Direction.UNKNOWN
    any_between: bool = False

    def __post_init__(self) -> None:
        # A ranking needs an order: what has none has no better end, whatever was said of another level.
        if not self.level.has_order and self.direction is not Direction.NONE:
            object.__setattr__(self, "direction", Direction.NONE)

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of_numbers(cls, level: Level, numbers: NDArray[np.float64], guesses: tuple[str, ...]) -> "Scale":
        """A scale of numbers that occur, different and in order; nothing need look at each of them again."""
        values = tuple(numbers.tolist())
        low, high = (values[0], values[-1]) if values else (None, None)
        scale = cls(level, values, low=low, high=high, guesses=guesses)
        kept = np.array(numbers, dtype=np.float64)
        kept.flags.writeable = False
        scale.__dict__.update(array=kept, _kinds=frozenset({float} if values else ()))
        return scale

    @cached_property
    def _kinds(self) -> frozenset[type]:
        # The few types, not the values, are asked about: a continuous scale has as many values as ratings.
        return frozenset(map(type, self.values))

    @cached_property
    def is_numeric(self) -> bool:
        return all(issubclass(kind, float | int) for kind in self._kinds)

    @property
    def has_guessed_level(self) -> bool:
        """Whether nobody declared the level; values may be found in the ratings and the level declared all the same."""
        return any(words.startswith(LEVEL_GUESSED) for words in self.guesses)

    @property
    def has_sets(self) -> bool:
        return frozenset in self._kinds

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """The values as numbers: themselves, or their positions on an ordered scale of labels."""
        if self.is_numeric:
            return tuple(map(float, self.values))  # type: ignore[arg-type]
        return tuple(map(float, range(len(self.values))))

    @cached_property
    def array(self) -> NDArray[np.float64]:
        """The same numbers as an array, made once: a continuous scale has as many values as ratings."""
        numbers = np.array(self.values if self.is_numeric else range(len(self.values)), dtype=np.float64)
        numbers.flags.writeable = False
        return numbers

    def restricted_to(self, values: Sequence[Value]) -> "Scale":
        """The same scale with fewer values, in the same order; a declared scale keeps its own."""
        if self.declared:
            return self
        wanted = set(values)
        return replace(self, values=tuple(value for value in self.values if value in wanted))
