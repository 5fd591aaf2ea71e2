"""Carry out the comparison that a plan of analysis declares: its criterion, its coefficient and its unit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan

import numpy as np

from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ROUNDS, ConditionComparison
from accord.comparisons.difference import Difference
from accord.comparisons.several import compare_several
from accord.errors import AccordError
from accord.ratings.table import Group, Ratings
from accord.scoring.ranking.rank import rank, rank_criteria
from accord.scoring.ranking.resampling import ResamplingUnit
from accord.scoring.ranking.result import Ranking
from accord.words import steady

__all__ = ["declared_comparison"]

_UNITS = {"item": "items", "document": "documents", "rater": "raters", "rater-and-item": "raters and items"}
_OF_SYSTEMS: Mapping[str, ResamplingUnit] = {
    "rater": ResamplingUnit.RATER,
    "rater-and-item": ResamplingUnit.BOTH,
}


def declared_comparison(ratings: Ratings, *, confidence: float, seed: int, replicates: int) -> tuple[str, ...]:
    """What the declared comparison says, a sentence a criterion, or why it cannot be made; nothing if none is declared.

    Systems are compared by their scores, anything else by its reliability.
    """
    plan = ratings.codebook.study.plan
    column, criterion, unit = (plan.get(name, "") for name in ("comparison", "criterion", "unit"))
    if not column:
        return ()
    names = ratings.columns[column].compact().names if column in ratings.columns else ()
    if len(names) < 2:
        return (f"The declared comparison by {column} cannot be made: the ratings have {len(names)} of its names.",)
    told = []
    groups = [group for group in ratings.split() if group.by.get("criterion", "") in ("", criterion) or not criterion]
    if column == "system" and len(groups) > 1:
        return _of_several(groups, unit, confidence)
    for group in groups:
        name = group.by.get("criterion", "")
        part = _without_documents(group.ratings) if unit == "item" else group.ratings
        try:
            lines = (
                _systems(part, unit, confidence)
                if column == "system"
                else _conditions(part, column, unit, confidence, seed, replicates)
            )
        except AccordError as error:
            lines = [f"cannot be made: {error}"]
        told += [f"{name or criterion or 'all ratings'}, by {column}: {line}" for line in lines]
    return tuple(told)


def _without_documents(ratings: Ratings) -> Ratings:
    """The same ratings as if no documents were named: every item is a unit of its own, as was declared."""
    return replace(ratings, columns={name: one for name, one in ratings.columns.items() if name != "document"})


def _of_several(groups: Sequence[Group], unit: str, confidence: float) -> tuple[str, ...]:
    """Systems where no criterion was declared to decide: all criteria that have an order are one family of tests."""
    ranked = [group for group in groups if group.ratings.level.has_order]
    parts = [_without_documents(group.ratings) if unit == "item" else group.ratings for group in ranked]
    try:
        made = rank_criteria(parts, level=confidence, resample=_resampled(unit))
    except AccordError as error:
        return (f"The declared comparison by system cannot be made: {error}",)
    names = [group.by.get("criterion", "") for group in ranked]
    return tuple(f"{name}, by system: {line}" for name, one in zip(names, made, strict=True) for line in _ranked(one))


def _resampled(unit: str) -> ResamplingUnit:
    return _OF_SYSTEMS.get(unit, ResamplingUnit.DOCUMENT)


def _systems(ratings: Ratings, unit: str, confidence: float) -> list[str]:
    """The declared criterion decides alone, so that its pairs are a family of their own."""
    return _ranked(rank(ratings, level=confidence, resample=_resampled(unit)))


def _ranked(made: Ranking) -> list[str]:
    pairs = [
        f"{pair.first} - {pair.second} = {steady(pair.difference):+.2f}, "
        + ("adjusted p < 0.001" if pair.adjusted < 0.001 else f"adjusted p = {steady(pair.adjusted):.3f}")
        for pair in made.pairs
    ]
    return [f"{made.headline()} ({made.method})", *pairs]


def _conditions(ratings: Ratings, column: str, unit: str, confidence: float, seed: int, replicates: int) -> list[str]:
    key = ratings.codebook.study.plan.get("coefficient", "") or KRIPPENDORFF_ALPHA
    found = compare_several(
        ratings, column, consecutive=column in ROUNDS, coefficients=(key,), replicates=replicates,
        rng=np.random.default_rng(seed), confidence=confidence,
    )  # fmt: skip
    return [
        *(_difference_by_declared_unit(one, unit) for one in found.comparisons),
        *(f"left out: {line}" for line in found.left_out),
    ]


def _difference_by_declared_unit(comparison: ConditionComparison, unit: str) -> str:
    """The difference by the declared unit; by the one that decides, and said, where the declared one does not fit."""
    word = _UNITS.get(unit, "")
    chosen = [one for one in comparison.differences if one.unit == word]
    usable: list[Difference] = [one for one in chosen if one.p is not None or one.interval is not None]
    # What cannot be compared says so itself, whatever would be resampled.
    if usable or not word or isnan(comparison.differences[0].value):
        return str((usable or comparison.differences)[0])
    why = chosen[0].method if chosen else f"{word} cannot be resampled here"
    other = comparison.differences[0]
    return f"{other}; the plan declares {word} as the unit, and {why}, so {other.unit or 'another unit'} decide"
