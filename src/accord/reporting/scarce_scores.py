"""A handful of scores: what those of each item say, where κ and α can say little."""

from collections.abc import Sequence

from accord.diagnosis.part import Part
from accord.look.bar import Bar
from accord.reporting.analysis import Analysis
from accord.reporting.document import Number
from accord.scoring.item_scores import METHOD_WORDS, ItemScore, ends_of_scale, score_items
from accord.words import counted, listed, steady

__all__ = [
    "CONFIDENCE",
    "few_scores",
    "few_scores_answer",
    "few_scores_numbers",
    "few_scores_of",
    "is_scarce",
    "scored",
]

CONFIDENCE = 0.8
_SCARCE = 30
_FEW_ITEMS = 5
_NAMED = 3


def is_scarce(part: Part) -> bool:
    """Whether the scores of a criterion are so few that each item's own say more than a coefficient."""
    return len(part.score) <= _SCARCE and part.ordered


def scored(part: Part) -> tuple[ItemScore, ...]:
    """Each item with the interval of its scores, the same that ``accord score --ratings`` gives."""
    scale, _ = ends_of_scale(part.ratings)
    return score_items(part.ratings, confidence=CONFIDENCE, scale=scale)


def few_scores(analysis: Analysis) -> tuple[ItemScore, ...]:
    """The items, where there is one criterion with a handful of scores of a handful of items; else none."""
    return () if analysis.rankings else few_scores_of([criterion.part for criterion in analysis.criteria])


def few_scores_of(parts: Sequence[Part]) -> tuple[ItemScore, ...]:
    """The items of the only part, where its scores and items are few; else none."""
    if len(parts) != 1 or not is_scarce(parts[0]):
        return ()
    made = scored(parts[0])
    return made if len(made) <= _FEW_ITEMS else ()


def few_scores_answer(made: Sequence[ItemScore]) -> str:
    """What each item scores, with the interval where its scores allow one."""
    said = [_score_of_item(one, with_level=place == 0) for place, one in enumerate(made[:_NAMED])]
    more = len(made) - _NAMED
    rest = [f"{counted(more, 'more item')} below"] if more > 0 else []
    return f"{listed([*said, *rest])}."


def _score_of_item(one: ItemScore, *, with_level: bool) -> str:
    mean = sum(one.values) / len(one.values)
    number = counted(len(one.values), "score")
    if one.score is None or one.note:
        why = "too few for an interval" if len(one.values) == 1 else "all the same, so no interval"
        return f"{one.item} scores {mean:g} ({number}, {why})"
    ends = one.score.intervals[0].clipped
    level = f"{CONFIDENCE:.0%} interval " if with_level else ""
    return f"{one.item} scores {steady(mean):.4g} ({number}, {level}{steady(ends.low):.4g} to {steady(ends.high):.4g})"


def few_scores_numbers(made: Sequence[ItemScore]) -> list[Number]:
    """The first item's mean on its scale, how far its scores lie apart, and how many there are."""
    first = made[0]
    mean = sum(first.values) / len(first.values)
    numbers = [Number(f"{first.item}, mean of {counted(len(first.values), 'score')}", f"{steady(mean):.4g}")]
    if first.score is not None and not first.note:
        ends = first.score.intervals[0].clipped
        words = f"{steady(mean):.4g}, {CONFIDENCE:.0%} interval {steady(ends.low):.4g} to {steady(ends.high):.4g}"
        bar = Bar(mean, ends.low, ends.high, words, first.score.scale)
        low, high = first.score.scale
        numbers = [
            Number(numbers[0].label, numbers[0].value, f"{steady(ends.low):.4g}–{steady(ends.high):.4g}",
                   f"{CONFIDENCE:.0%} interval by {METHOD_WORDS}, on {low:g} to {high:g}", bar)
        ]  # fmt: skip
        apart = max(first.values) - min(first.values)
        numbers.append(
            Number(
                "Its scores differ by", f"{steady(apart):.4g}", note=" and ".join(f"{v:g}" for v in first.values[:6])
            )
        )
    total = sum(len(one.values) for one in made)
    numbers.append(Number("Scores in all", f"{total}", note=f"of {counted(len(made), 'item')}"))
    return numbers
