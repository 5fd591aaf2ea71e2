"""Two raters with the very same values: the same file read twice under two names."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from accord.arrays import distinct, renumbered
from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part

__all__ = ["same_ratings_twice"]

_FEWEST = 20
_MOST_RATERS = 60
_CHANCE = 1e-5


def same_ratings_twice(part: Part) -> Iterator[Remark]:
    """Pairs of raters who gave every item that both rated the same value, where other pairs do not come near."""
    codes = distinct(part.raters).tolist()
    if not 2 <= len(codes) <= _MOST_RATERS:
        return
    grid = _grid(part, codes)
    pairs = dict(zip(combinations(range(len(codes)), 2), _agreements(grid), strict=True))
    equal = {pair: shared for pair, (same, shared) in pairs.items() if shared >= _FEWEST and same == shared}
    for (first, second), shared in equal.items():
        rest = [found for pair, found in pairs.items() if pair not in equal]
        same, compared = (sum(found[place] for found in rest) for place in (0, 1))
        usual = _of_two(grid[first]) if not compared else (same + 1) / (compared + 2)
        if usual**shared * len(pairs) > _CHANCE or len(distinct(grid[first, ~np.isnan(grid[first])])) < 3:
            continue
        one, other = part.rater_name(codes[first]), part.rater_name(codes[second])
        yield Remark(
            code="same_twice",
            message=f"{part.prefix}{one} and {other} gave all {shared:,} items that both rated the same value: the "
            "same ratings seem to be here twice.",
            do=f"Look whether one file was saved under two names; if so, leave one out: --leave-out {other!r}.",
            who=(one, other),
        )


def _grid(part: Part, codes: list[int]) -> np.ndarray:
    """Values of raters x items; nan where there is none."""
    items, place = renumbered(part.items)
    grid = np.full((len(codes), len(items)), np.nan)
    grid[np.searchsorted(codes, part.raters), place] = part.values
    return grid


def _agreements(grid: np.ndarray) -> Iterator[tuple[int, int]]:
    """Of each pair of raters in turn: items with the same value, and items that both rated."""
    given = ~np.isnan(grid)
    shared = given.astype(np.float64) @ given.T
    for first, values in enumerate(grid):
        for second in range(first + 1, len(grid)):
            yield int((values == grid[second]).sum()), int(shared[first, second])


def _of_two(column: np.ndarray) -> float:
    """How often two honest raters may agree exactly on a scale used like this one, where no other pair tells.

    On a few points they may always do. On many they do not: nobody hits the same of a hundred points each time.
    """
    given = column[~np.isnan(column)]
    return 1.0 if len(distinct(given)) < 15 else 0.7
