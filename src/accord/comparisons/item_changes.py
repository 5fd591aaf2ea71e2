"""Which items gained and which lost agreement between two rounds."""

from collections.abc import Container
from functools import cache

import numpy as np

from accord.arrays import Floats
from accord.coefficients.blocks import disagreement
from accord.coefficients.features import View
from accord.coefficients.metrics import squared_distances
from accord.design.scale import Level
from accord.noise import ordered, settled
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.ratings.table import Ratings
from accord.records import dataclass

__all__ = ["ItemChange", "item_changes", "item_disagreement"]


@dataclass(frozen=True, slots=True)
class ItemChange:
    """Mean disagreement between two raters of an item, before and after, and the ratings behind it."""

    item: str
    before: float
    after: float
    ratings_before: str
    ratings_after: str

    @property
    def change(self) -> float:
        return float(settled(self.after - self.before, 1.0))


def item_disagreement(ratings: Ratings, wanted: Container[str] | None = None) -> dict[str, tuple[float, str]]:
    """For each item with two or more ratings: mean squared distance of two ratings, and the ratings in words.

    The distance is that of the level of measurement; on an ordered scale it is counted in steps. Only of the items that
    are ``wanted``, if these are said.
    """
    source = count_source(ratings)
    scale = source.facts().scale
    distances = _step_distances(len(scale)) if scale.level is Level.ORDINAL else squared_distances(scale.level, scale)
    view = View(Patterns(source.matrix, np.ones(len(source.matrix), dtype=np.int64)), scale)
    apart = view.built(disagreement(distances))[:, 0] / np.maximum(view.per_item, 1)
    words = [str(f"{value:g}" if isinstance(value, float) else value) for value in scale.values]

    @cache
    def told(given: tuple[int, ...]) -> str:
        return " ".join([words[code] for code in given if code >= 0])

    return {
        name: (mean, told(tuple(given)))
        for name, mean, given, often in zip(
            source.item_names(),
            apart.tolist(),
            np.sort(source.matrix, axis=1).tolist(),
            view.per_item.tolist(),
            strict=True,
        )
        if often >= 2 and (wanted is None or name in wanted)
    }


def _step_distances(values: int) -> Floats:
    steps = np.arange(values, dtype=np.float64)
    return np.asarray(np.square(np.subtract.outer(steps, steps)), dtype=np.float64)


def item_changes(before: Ratings, after: Ratings) -> tuple[ItemChange, ...]:
    """Items rated by two or more raters in both rounds, the most improved first."""
    both = set(before.item.names).intersection(after.item.names)
    if not both:
        return ()
    one, other = item_disagreement(before, both), item_disagreement(after, both)
    changes = [
        ItemChange(item, one[item][0], other[item][0], one[item][1], other[item][1]) for item in one if item in other
    ]
    return tuple(ordered(changes, lambda change: change.change, lambda change: change.item, size=1.0))
