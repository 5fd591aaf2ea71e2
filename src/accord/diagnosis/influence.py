"""Influential items: what each coefficient would be without one item, exactly, and the items that move it most."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.sums import sum_statistic
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError
from accord.inference.jackknife import jackknife
from accord.noise import order_of
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["ItemInfluence", "influential_items"]

_FEW_RATERS = 40
_CELLS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemInfluence(PlainData):
    """A coefficient without one item: ``change`` is by how much it then differs from the value with all items."""

    item: str
    coefficient: str
    without: float
    change: float


def influential_items(part: Part, coefficients: Sequence[str], *, most: int = 10) -> dict[str, list[ItemInfluence]]:
    """For each coefficient the items whose leaving moves it most, either way.

    Every item is left out once (the jackknife); equal items are computed once. Coefficients that compare
    every item with every other are left out where that is too much, and so are those that tell a large
    pool of raters apart.
    """
    ratings = part.ratings.where(part.rows)
    named = len(part.raters) <= _FEW_RATERS and len(part.raters) * ratings.items <= _CELLS
    keys = [key for key in coefficients if _possible(key, named)]
    shared = int((np.bincount(ratings.item.codes, minlength=ratings.items) >= 2).sum())
    if not keys or shared < 3:
        return {}
    source = count_source(ratings)
    matrix = source.matrix if named else _unnamed(ratings.item.codes, ratings.value, ratings.items)
    codes, pattern, times = np.unique(matrix, axis=0, return_inverse=True, return_counts=True)
    if len(codes) > 50_000:
        return {}
    try:
        statistic = sum_statistic(Patterns(codes, times.astype(np.int64)), ratings.scale, keys)
    except NotEnoughDataError:
        return {}
    found = jackknife(statistic)
    names = ratings.item.names
    return {
        key: [
            ItemInfluence(
                item=names[int(item)],
                coefficient=key,
                without=float(found.left_out[pattern.ravel()[item], place]),
                change=float(found.left_out[pattern.ravel()[item], place] - found.values[place]),
            )
            for item in _largest(found.left_out[pattern.ravel(), place] - found.values[place], most)
        ]
        for place, key in enumerate(keys)
    }


def _possible(key: str, named: bool) -> bool:
    spec = COEFFICIENTS[key]
    if spec.family == "order" or spec.coefficient.costs_tables:
        return False
    return named or not spec.identity


def _unnamed(item: NDArray[np.int32], value: NDArray[np.int32], items: int) -> NDArray[np.int32]:
    """The ratings of each item in order of their values, by nobody in particular."""
    sizes = np.bincount(item, minlength=items)
    order = np.lexsort((value, item))
    place = np.arange(len(item)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    slots = np.full((items, int(sizes.max(initial=0))), -1, dtype=np.int32)
    slots[item[order], place] = value[order]
    return slots


def _largest(change: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    size = np.where(np.isnan(change), -1.0, np.abs(change))
    order = order_of(size, highest=True, size=1.0)[:most]
    return order[size[order] > 1e-12]
