"""Simulated raters: what they are like, and the truth they look at."""

from collections.abc import Mapping
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from accord.design.load import Study
from accord.errors import OptionError
from accord.records import dataclass

__all__ = ["Mark", "RaterTraits", "Trait", "Traits", "Truth", "draw_raters", "draw_truth", "true_marks"]

Trait = float | Mapping[str, float]
"""One number for all raters, or a number for some of them by name, under '' the one of all others (0 if missing)."""


@dataclass(frozen=True, slots=True)
class RaterTraits:
    """What simulated raters are like, in units of the spread of true quality.

    ``severity``: spread of the raters' strictness (or the strictness of a named rater);
    ``noise``: spread of a rater's error from answer to answer;
    ``drift``: how much stricter a rater has become at the end;
    ``inattention``: share of answers given at random;
    ``copying``: share of answers taken over from another rater of the same item.
    ``context``: how much better an ambiguous sentence looks to those who do not see its context;
    ``reference``: spread of the error that raters with the same reference share.
    """

    severity: Trait = 0.3
    noise: Trait = 0.6
    drift: Trait = 0.0
    inattention: Trait = 0.02
    copying: Trait = 0.0
    context: float = 0.8
    reference: float = 0.4

    def __post_init__(self) -> None:
        for name in ("inattention", "copying"):
            if not all(0 <= share <= 1 for share in _numbers(getattr(self, name))):
                raise OptionError(f"{name} is a share of the answers: give a number from 0 to 1.")
        if not all(spread >= 0 for spread in _numbers(self.noise)):
            raise OptionError("noise is a spread: give a number that is not below 0.")


def _numbers(trait: Trait) -> list[float]:
    return list(trait.values()) if isinstance(trait, Mapping) else [trait]


@dataclass(frozen=True, slots=True)
class Traits:
    """One simulated rater."""

    severity: float
    noise: float
    drift: float
    inattention: float
    copying: float


def draw_raters(traits: RaterTraits, raters: tuple[str, ...], rng: np.random.Generator) -> dict[str, Traits]:
    """A rater of flesh and numbers for each name."""
    for name in ("severity", "noise", "drift", "inattention", "copying"):
        trait = getattr(traits, name)
        if isinstance(trait, Mapping) and (unknown := sorted(set(trait) - {*raters, ""})):
            known = f"{raters[0]} to {raters[-1]}"
            raise OptionError(f"{name} names the rater {unknown[0]!r}, but the plan has {known}.")
    drawn = rng.normal(size=len(raters))
    found = {}
    for place, rater in enumerate(raters):
        strict = traits.severity
        named = isinstance(strict, Mapping) and rater in strict
        severity = _trait_of(strict, rater) if named else _trait_of(strict, "") * float(drawn[place])
        rest = (_trait_of(getattr(traits, name), rater) for name in ("noise", "drift", "inattention", "copying"))
        found[rater] = Traits(severity, *rest)
    return found


def _trait_of(trait: Trait, rater: str) -> float:
    return trait.get(rater, trait.get("", 0.0)) if isinstance(trait, Mapping) else trait


@dataclass(frozen=True, slots=True)
class Mark:
    """A true error of a text: where it stands, what it is and how grave."""

    start: int
    end: int
    severity: float
    category: float
    visible: float
    side: str = "target"


@dataclass(frozen=True, slots=True)
class Truth:
    """What the simulated raters look at: quality of each item and system, and its errors."""

    quality: Mapping[tuple[str, str], float]
    systems: Mapping[str, float]
    marks: Mapping[tuple[str, str], tuple[Mark, ...]] = field(default_factory=dict)

    def of(self, item: str, system: str) -> float:
        return self.quality[item, system]


def draw_truth(study: Study, rng: np.random.Generator) -> Truth:
    """Quality = system + document + item, spread one; documents have the mean quality of their items."""
    names = (*study.systems, "reference")
    steps = np.linspace(0.5, -0.5, len(study.systems)) if len(study.systems) > 1 else np.zeros(1)
    systems = {**dict(zip(study.systems, steps.tolist(), strict=True)), "reference": 1.0}
    document = {name: float(rng.normal(scale=0.3)) for name in study.documents}
    quality: dict[tuple[str, str], float] = {}
    marks: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for item in study.items:
        shared = float(rng.normal(scale=0.4))
        for system in names:
            value = systems[system] + document[item.document] + shared + float(rng.normal(scale=0.75))
            text = item.outputs.get(system) or item.reference()
            quality[item.id, system] = value
            marks[item.id, system] = (*true_marks(text, value, rng), *_omissions(item.source, value, rng))
    for name, items in study.documents.items():
        for system in names:
            quality[name, system] = float(np.mean([quality[item.id, system] for item in items]))
            marks[name, system] = ()
    return Truth(quality, systems, marks)


def true_marks(text: str, quality: float, rng: np.random.Generator) -> tuple[Mark, ...]:
    """Errors on words of the text, the more the worse it is; offsets count code points."""
    words = _word_spans(text)
    count = min(int(rng.poisson(np.exp(-0.7 * quality) * 0.9)), len(words))
    chosen: NDArray[np.int64] = (
        np.sort(rng.choice(len(words), size=count, replace=False)) if count else np.empty(0, int)
    )
    return tuple(Mark(*words[place], *rng.random(3).tolist()) for place in chosen)


def _omissions(source: str, quality: float, rng: np.random.Generator) -> tuple[Mark, ...]:
    """Words of the source that have no counterpart: a quarter as many as there are errors in the text."""
    found = true_marks(source, quality + 2.0, rng)
    return tuple(replace(mark, side="source") for mark in found)


def _word_spans(text: str) -> list[tuple[int, int]]:
    if " " not in text.strip():
        return [(place, min(place + 2, len(text))) for place in range(0, len(text), 2)]
    spans, start = [], 0
    for word in text.split(" "):
        if word:
            spans.append((start, start + len(word)))
        start += len(word) + 1
    return spans
