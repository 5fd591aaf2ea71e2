"""A case: one part with what several checks need of it, made once; and an observation, what a check saw."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from accord.diagnosis.pairs import Pair, SharedRows, pairs_of, shared_rows
from accord.diagnosis.part import Part

__all__ = ["ALARM", "Case", "Observation", "in_words", "spelled"]

ALARM = 0.01
"""A test speaks up when honest raters would look like this in one set of ratings of a hundred."""


@dataclass(frozen=True)
class Case:
    """A part, its pairs of raters, and the generator for checks that draw at random."""

    part: Part
    rng: np.random.Generator

    @cached_property
    def rows(self) -> SharedRows:
        return shared_rows(self.part)

    @cached_property
    def pairs(self) -> list[Pair]:
        return pairs_of(self.part, self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a check saw: a sentence, whom it is about, the numbers behind it, and how sure it is."""

    message: str
    who: tuple[str, ...] = ()
    evidence: Mapping[str, float | str] = field(default_factory=dict)
    sure: str = ""


def in_words(probability: float, who: str = "honest raters") -> str:
    """How likely such raters would look like this, after allowing for every rater and pair looked at."""
    if probability < 1e-12:
        return f"{who} would look like this with a probability below 1e-12"
    return f"{who} would look like this with a probability of at most {probability:.2g}"


def spelled(value: object) -> str:
    """A value of the scale as a person writes it: 3, not 3.0."""
    return f"{value:g}" if isinstance(value, float) else str(value)
