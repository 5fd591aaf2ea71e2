"""More than two conditions: consecutive rounds, or every condition against the first, with Holm's correction."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np

from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ConditionComparison, adjusted_over, compare_conditions, condition_names
from accord.errors import NotEnoughDataError
from accord.ratings.apart import ROUNDS, kept_apart_within
from accord.ratings.table import Codes, Ratings
from accord.records import dataclass

__all__ = ["SeveralConditions", "compare_several", "compared_alike", "condition_pairs"]

_MOST_PAIRS = 20


@dataclass(frozen=True, slots=True)
class SeveralConditions:
    """Comparisons of two conditions each, their p-values adjusted for the whole family by Holm's method.

    ``left_out`` says which two could not be compared and why.
    """

    column: str
    comparisons: tuple[ConditionComparison, ...]
    left_out: tuple[str, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The two conditions of each comparison, each once."""
        return tuple(dict.fromkeys((one.first.name, one.second.name) for one in self.comparisons))


def condition_pairs(names: Sequence[str], *, consecutive: bool) -> list[tuple[str, str]]:
    """Rounds are compared each with the next, other conditions each with the first."""
    return list(pairwise(names)) if consecutive else [(names[0], other) for other in names[1:]]


def compare_several(
    ratings: Ratings,
    column: str,
    *,
    consecutive: bool = False,
    every_pair: bool = False,
    coefficients: Sequence[str] = (KRIPPENDORFF_ALPHA,),
    replicates: int = 10_000,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> SeveralConditions:
    """Compare all conditions of a column: each round with the next, each with each, or each with the first."""
    names = condition_names(ratings, column)
    wanted = list(combinations(names, 2)) if every_pair else condition_pairs(names, consecutive=consecutive)
    found: list[ConditionComparison] = []
    left_out = [f"{len(wanted) - _MOST_PAIRS} more pairs of conditions" for _ in wanted[_MOST_PAIRS:][:1]]
    for first, second in wanted[:_MOST_PAIRS]:
        try:
            found += compare_conditions(
                ratings, column, first, second, coefficients=coefficients, replicates=replicates, rng=rng,
                confidence=confidence,
            )  # fmt: skip
        except NotEnoughDataError as error:
            left_out.append(f"{first} and {second}: {error}")
    if not found:
        raise NotEnoughDataError(f"No two conditions of {column!r} can be compared. {' '.join(left_out)}")
    return SeveralConditions(column, adjusted_over(found), tuple(left_out))


def compared_alike(ratings: Ratings, column: str, found: SeveralConditions) -> SeveralConditions | None:
    """The comparison by another column that parts the ratings alike, in this column's names; None where it does not.

    Where each group of raters saw one test set, groups and test sets are two names of the same conditions.
    """
    names, others = (condition_names(ratings, one) for one in (column, found.column))
    same_pairs = len(names) == 2 or (column in ROUNDS) == (found.column in ROUNDS)
    if found.left_out or len(names) != len(others) or not same_pairs:
        return None
    if not np.array_equal(_places(ratings, column, names), _places(ratings, found.column, others)):
        return None
    if kept_apart_within(ratings, column) != kept_apart_within(ratings, found.column):
        return None
    own = dict(zip(others, names, strict=True))
    return SeveralConditions(column, tuple(_renamed(one, own) for one in found.comparisons))


def _places(ratings: Ratings, column: str, names: Sequence[str]) -> Codes:
    """Which of these conditions each row belongs to."""
    factor = ratings.columns[column]
    place = {name: at for at, name in enumerate(names)}
    return np.array([*(place.get(name, -1) for name in factor.names), -1], dtype=np.int32)[factor.codes]


def _renamed(one: ConditionComparison, names: dict[str, str]) -> ConditionComparison:
    first, second = (replace(side, name=names[side.name]) for side in (one.first, one.second))
    differences = tuple(replace(test, first=names[test.first], second=names[test.second]) for test in one.differences)
    return replace(one, first=first, second=second, differences=differences)
