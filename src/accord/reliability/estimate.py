"""An estimate: a number that never travels without its interval, sample size and signature."""

from dataclasses import field
from math import isnan

from accord.coefficients.alpha_noise import RaterNoise
from accord.inference.interval import Interval
from accord.records import dataclass
from accord.reliability.interpretation import Interpretation, interpret
from accord.tables.later import Later, Settles
from accord.words import steady

__all__ = ["NARROW", "Estimate"]

NARROW = 0.1
"""An interval of this width, ±0.05, needs no narrower one."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Estimate(Settles):
    """A coefficient computed on a set of ratings.

    ``parts`` holds what the value is made of, by name: ``observed`` and ``expected`` agreement for
    the kappa family, ``observed_disagreement`` and ``expected_disagreement`` for alpha,
    ``concordant``, ``discordant`` and ``untied`` pairs for gamma.
    ``question`` says what the interval answers, as in "other items, these 2 raters".
    ``rater_noise`` is the part of its uncertainty that more raters would take away, where it can be known.
    ``conventions`` says in words which of the rival definitions was used.
    ``signature`` holds what is needed to compute it again: version, options, seed
    and fingerprint of the ratings. Print it wherever the value is printed.
    """

    coefficient: str
    title: str
    value: float
    interval: Interval | None
    standard_error: float | None = None
    items: int
    raters: int
    signature: Later[str] = Later()
    parts: dict[str, float] = field(default_factory=dict)
    conventions: tuple[str, ...] = ()
    cautions: Later[tuple[str, ...]] = Later(())
    question: Later[str] = Later("")
    rater_noise: Later[RaterNoise | None] = Later(None)

    @property
    def interpretations(self) -> tuple[Interpretation, ...]:
        """What the interval shows on the scales that belong to it, the usual one first; none under 30 items."""
        return interpret(self.coefficient, self.interval, self.items)

    def __str__(self) -> str:
        if isnan(self.value):
            reasons = "; ".join(self.cautions).removeprefix("undefined: ")
            return f"{self.coefficient} is undefined: {reasons}"
        interval = f" {self.interval}" if self.interval else ""
        sample = f"{self.items} items, {self.raters} raters"
        return f"{self.coefficient} = {steady(self.value):.3f}{interval} ({sample})"

    def __repr__(self) -> str:
        return f"<Estimate {self}>"

    def _repr_html_(self) -> str:
        from html import escape

        cautions = "".join(f"<li>{escape(caution)}</li>" for caution in self.cautions)
        return f"<p>{escape(str(self))}</p><ul>{cautions}</ul><code>{escape(self.signature)}</code>"

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON: an undefined value is None."""
        return {
            "coefficient": self.coefficient,
            "value": None if isnan(self.value) else self.value,
            "interval": self.interval.to_dict() if self.interval else None,
            "question": self.question,
            "standard_error": self.standard_error,
            "items": self.items,
            "raters": self.raters,
            "parts": {name: None if isnan(part) else part for name, part in self.parts.items()},
            "interpretations": [reading.to_dict() for reading in self.interpretations],
            "conventions": list(self.conventions),
            "cautions": list(self.cautions),
            "signature": self.signature,
        }
