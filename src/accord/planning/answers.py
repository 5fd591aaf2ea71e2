"""How a simulated rater turns what is perceived into an answer, one function for each kind of criterion."""

from collections.abc import Mapping, Sequence
from math import erf, sqrt

import numpy as np

from accord.design.scale import Direction
from accord.design.study import CriterionSettings
from accord.planning.simulated_raters import Mark, Traits
from accord.ratings.answer_values import TIE, MarkedError

__all__ = ["errors_of", "known", "on_scale", "preferred", "ranks"]

_OMISSION = "omission"
_NOTICEABLE = 0.3
"""Differences of quality under this look equal."""


def _share(perceived: float) -> float:
    """Perceived quality as a share of the scale: half of it at the average."""
    return 0.5 * (1 + erf(perceived / sqrt(2) / 1.2))


def on_scale(criterion: CriterionSettings, perceived: float) -> float | int | str:
    """The answer on a scale or slider, or an open number."""
    share = _share(-perceived if criterion.direction is Direction.LOW else perceived)
    if criterion.kind == "number":
        low = criterion.low or 0.0
        return round(low + share * ((low + 10 if criterion.high is None else criterion.high) - low))
    if criterion.kind == "slider":
        low, high = criterion.low or 0.0, criterion.high if criterion.high is not None else 100.0
        return round(low + (high - low) * share)
    values = criterion.values
    numbers = [value for value in values if not isinstance(value, str)]
    is_reversed = bool(numbers) and numbers[0] > numbers[-1]
    place = min(int(share * len(values)), len(values) - 1)
    return values[-1 - place] if is_reversed else values[place]


def known(criterion: CriterionSettings, gold: str, rater: Traits, rng: np.random.Generator) -> float | int | str | None:
    """The known answer of a gold item as a careful rater gives it; None where the rater errs or it is no answer."""
    if rng.random() < rater.inattention + rater.noise / 10:
        return None
    if criterion.kind == "slider":
        low, high = criterion.low or 0.0, criterion.high if criterion.high is not None else 100.0
        spread = (high - low) * 0.05 * rater.noise
        return round(float(np.clip(float(gold) + rng.normal(scale=spread), low, high)))
    if criterion.kind == "number":
        return float(gold)
    return next((value for value in criterion.values if str(value) == gold), None)


def preferred(systems: Sequence[str], perceived: Sequence[float], ties: bool) -> str:
    """The better of two, or a tie where no difference is noticed."""
    if ties and abs(perceived[0] - perceived[1]) < _NOTICEABLE:
        return TIE
    return systems[int(np.argmax(perceived))]


def ranks(perceived: Sequence[float], ties: bool) -> list[int]:
    """1 for the best; those no better by a noticeable difference share a rank."""
    grid = np.round(np.array(perceived) / _NOTICEABLE) if ties else np.array(perceived)
    return [1 + int((grid > own).sum()) for own in grid]


def errors_of(
    criterion: CriterionSettings, marks: Sequence[Mark], lengths: Mapping[str, int], rater: Traits, strictness: float,
    rng: np.random.Generator,
) -> list[MarkedError]:  # fmt: skip
    """The true errors a rater notices, the limits of some a little off, and now and then one that is not there.

    ``lengths`` holds the length of the target and of the source; only sides that the study asks for are marked.
    """
    sides = {"target"} if criterion.kind == "categories" else set(criterion.sides)
    sides |= {"source"} if criterion.omissions else set()
    seen = [
        mark
        for mark in marks
        if mark.side in sides and mark.visible < _share(1.0 + strictness + rng.normal(scale=rater.noise))
    ]
    if lengths["target"] and rng.random() < 0.05 + 0.1 * rater.inattention:
        start = int(rng.integers(lengths["target"]))
        seen.append(Mark(start, min(start + 4, lengths["target"]), *rng.random(3).tolist()))
    limit = criterion.max_spans if criterion.max_spans is not None else len(seen)
    return [_as_marked(criterion, mark, lengths[mark.side], rater, rng) for mark in seen[:limit]]


def _as_marked(
    criterion: CriterionSettings, mark: Mark, length: int, rater: Traits, rng: np.random.Generator
) -> MarkedError:
    shift = int(rng.integers(-2, 3)) if rng.random() < rater.noise / 3 else 0
    end = int(np.clip(mark.end + shift, mark.start + 1, max(length, mark.start + 1)))
    names = [str(value) for value in criterion.values]
    is_omission = mark.side == "source" and _OMISSION in names
    category = _OMISSION if is_omission else _one_of(names, mark.category, rater, rng)
    severity = _one_of([part.key for part in criterion.severities], mark.severity, rater, rng)
    return MarkedError(mark.side, mark.start, end, category, severity)


def _one_of(names: Sequence[str], place: float, rater: Traits, rng: np.random.Generator) -> str:
    """The true name, or another one where the rater errs."""
    if not names:
        return ""
    if rng.random() < rater.noise / 4:
        place = float(rng.random())
    return names[int(place * len(names))]
