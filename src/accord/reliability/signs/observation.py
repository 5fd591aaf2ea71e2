"""An observation: what a check saw, whom it is about, the numbers behind it and how sure it is."""

from collections.abc import Mapping
from dataclasses import field

from accord.records import dataclass
from accord.words import steady

__all__ = ["ALARM", "CERTAIN", "Observation", "in_words"]

ALARM = 0.01
"""A test speaks up when honest raters would look like this in one set of ratings of a hundred."""
CERTAIN = "certain: counted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a check saw: a sentence, whom it is about, the numbers behind it, and how sure it is.

    ``advice`` is what to do where that depends on what was seen; else the table of findings says it.
    """

    message: str
    who: tuple[str, ...] = ()
    evidence: Mapping[str, float | str] = field(default_factory=dict)
    sure: str = ""
    advice: str = ""


def in_words(probability: float, who: str = "honest raters") -> str:
    """How likely such raters would look like this, after allowing for every rater and pair looked at."""
    if probability < 1e-12:
        return f"{who} would look like this with a probability below 1e-12"
    return f"{who} would look like this with a probability of at most {steady(probability):.2g}"
