"""Each item of a set of ratings as a scarce score: its few scores, their interval, and whether it passes."""

from collections.abc import Sequence
from functools import cache
from statistics import fmean

from accord.design.scale import Direction
from accord.errors import InputError, NotEnoughDataError
from accord.ratings.repeats import NAMING, row_keys
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.arf import Law
from accord.scoring.prior import Prior
from accord.scoring.ranking.segments import without_controls
from accord.scoring.scarce import SAME, Score, score

__all__ = ["METHOD_WORDS", "ItemScore", "ends_of_scale", "score_items"]

METHOD_WORDS = "Student's t, near an end of the scale with room for rare scores"
"""How the interval of two scores and more is made, wherever items are scored."""
_USUAL_ENDS = (1.0, 5.0, 7.0, 10.0, 100.0)
_SHORT = 10.0
"""Scales that end here at most are taken to begin with 1 where no score is lower."""


@dataclass(frozen=True, slots=True)
class ItemScore:
    """One item: its scores, what they say, or why they say nothing."""

    item: str
    values: tuple[float, ...]
    score: Score | None
    note: str = ""

    @property
    def told(self) -> str:
        """Its scores in the order of their size: rows come in any order."""
        return ", ".join(f"{value:g}" for value in sorted(self.values))


def score_items(
    ratings: Ratings, *, prior: Prior | float | None = None, threshold: float | None = None,
    confidence: float | Sequence[float] = 0.8, scale: tuple[float, float] = (0.0, 100.0), law: Law = Law.NORMAL,
) -> tuple[ItemScore, ...]:  # fmt: skip
    """Intervals and decision for every item, in the order of the ratings; control items and repeats are left out.

    A score passes on the good side of the threshold. Where nobody said which side that is, there is no decision.
    """
    if not ratings.level.has_order:
        raise InputError("Scores need numbers, and these ratings are names. Choose the criterion with --criterion.")
    kept, _ = without_controls(ratings)
    if not len(kept):
        raise NotEnoughDataError("Only control items were rated: there is nothing to score.")
    guess = Prior(value=float(prior)) if isinstance(prior, float | int) else prior
    good = ratings.criterion.direction
    against = threshold if good.is_known else None

    @cache
    def of_values(values: tuple[float, ...]) -> tuple[Score | None, str]:
        """Many items have the same scores: each set of them is worked out once."""
        note = _why_not(values, guess)
        if note and len(values) == 1:
            return None, note
        return score(
            values, prior=guess, threshold=against, confidence=confidence, scale=scale, law=law,
            direction=good if good.is_known else Direction.HIGH,
        ), note  # fmt: skip

    return tuple(ItemScore(item, values, *of_values(values)) for item, values in _grouped(kept).items())


def ends_of_scale(ratings: Ratings) -> tuple[tuple[float, float], str]:
    """The ends of the scale, and a line where nobody declared them: scores seen tell little of the ends.

    The ends taken are then those of the shortest usual scale that holds every score.
    """
    scale = ratings.scale
    if scale.declared and scale.is_numeric and len(scale.values) > 1:
        low, high = (min(scale.numbers) if scale.low is None else scale.low), scale.high
        return (low, max(scale.numbers) if high is None else high), ""
    # A slider declares its ends and no values: those are then what occurs, and any number between is an answer.
    by_ends = scale.declared or scale.any_between
    if by_ends and scale.low is not None and scale.high is not None and scale.low < scale.high:
        return (scale.low, scale.high), ""
    least, most = float(ratings.scores.min()), float(ratings.scores.max())
    begin = 1.0 if least >= 1 and most <= _SHORT else min(0.0, least)
    end = next((usual for usual in _USUAL_ENDS if usual >= most and usual > begin), most)
    said = f"Nobody declared the ends of the scale: {begin:g} and {end:g} are taken. Set them with --scale."
    return (begin, end), said


def _grouped(ratings: Ratings) -> dict[str, tuple[float, ...]]:
    """The scores of each item, in the order of the ratings: one of each rater, the mean where parts have one each.

    Two answers of one rater are no two scores: an interval that takes them for two is too narrow.
    """
    naming = [ratings.item, ratings.rater, *(ratings.columns[name] for name in NAMING if name in ratings.columns)]
    cells, _ = row_keys(naming)
    of_rater: dict[int, list[float]] = {}
    item_of: dict[int, str] = {}
    for cell, item, value in zip(cells.tolist(), ratings.item.labels(), ratings.scores.tolist(), strict=True):
        of_rater.setdefault(cell, []).append(value)
        item_of[cell] = str(item)
    found: dict[str, list[float]] = {}
    for cell, values in of_rater.items():
        found.setdefault(item_of[cell], []).append(fmean(values) if len(values) > 1 else values[0])
    return {item: tuple(values) for item, values in found.items()}


def _why_not(values: Sequence[float], prior: Prior | None) -> str:
    if len(values) > 1:
        return SAME if min(values) == max(values) else ""
    if prior is None:
        return "one score says nothing without what was expected: --prior"
    return "the score is the prior itself: no interval" if values[0] == prior.value else ""
