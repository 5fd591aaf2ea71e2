"""The ratings of one criterion as the checks need them: a number, an item and a rater a row, and what others gave."""

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.arrays import rows_of_each
from accord.ratings.evident import Body, body_of
from accord.ratings.names import spelled_number
from accord.ratings.remark import rows_in_words
from accord.ratings.table import Ratings
from accord.records import dataclass

__all__ = ["Part", "Rows"]

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Part:
    """Rows of one criterion; ``values`` are scores on its scale, ``items`` tell apart what is kept apart."""

    ratings: Ratings
    criterion: str
    rows: Rows
    items: NDArray[np.int32]
    values: NDArray[np.float64]
    ordered: bool
    numeric: bool
    declared: bool

    @classmethod
    def of(cls, ratings: Ratings, criterion: str, rows: Rows, items: NDArray[np.int32]) -> "Part":
        scale = ratings.scales.get(criterion, ratings.scale) if criterion else ratings.criterion.scale
        place = dict(zip(scale.values, scale.numbers, strict=True))
        number = np.array([place.get(value, np.nan) for value in ratings.scale.values])
        return cls(
            ratings, criterion, rows, items, number[ratings.value[rows]], scale.level.has_order, scale.is_numeric,
            scale.declared,
        )  # fmt: skip

    def without(self, raters: Collection[int]) -> "Part":
        """The same without these raters."""
        kept = ~np.isin(self.raters, list(raters))
        return replace(self, rows=self.rows[kept], items=self.items[kept], values=self.values[kept])

    @cached_property
    def raters(self) -> NDArray[np.int32]:
        return self.ratings.rater.codes[self.rows]

    @cached_property
    def by_rater(self) -> dict[int, Rows]:
        """The rows of each rater, by code."""
        return rows_of_each(self.raters)

    @cached_property
    def body(self) -> Body | None:
        """Where the numbers lie, and which lie off it; None where a scale was declared or there are too few."""
        if self.declared or not self.numeric:
            return None
        values, counts = np.unique(self.values, return_counts=True)
        return body_of(values, counts) if len(values) > 2 else None

    @cached_property
    def plain(self) -> NDArray[np.bool_]:
        """Rows whose value lies on the evident scale."""
        if self.body is None:
            return np.ones(len(self.rows), dtype=bool)
        return (self.values >= self.body.low) & (self.values <= self.body.high)

    @cached_property
    def others(self) -> NDArray[np.float64]:
        """The mean of what the others gave the same item; nan where nobody else rated it, or the value is off.

        A rater's own other ratings of the item (runs, repeats) are no others.
        """
        values = np.where(self.plain, self.values, 0.0)
        total, number = self._summed(self.items, values)
        own_total, own_number = self._summed(self.cells, values)
        left = np.rint(number - own_number)
        known = (left > 0) & self.plain
        return np.where(known, (total - own_total) / np.where(known, left, 1), np.nan)

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """A number for each item with each of its raters."""
        raters = int(self.raters.max(initial=0)) + 1
        found: NDArray[np.intp] = self.items.astype(np.intp) * raters + self.raters
        if found.max(initial=0) > 4 * len(found):  # few of many raters on each item: number the cells that there are
            found = np.unique(found, return_inverse=True)[1].reshape(-1)
        return found

    @cached_property
    def repeated(self) -> NDArray[np.bool_]:
        """Rows whose item the rater rated more than once."""
        return np.bincount(self.cells)[self.cells] > 1

    def _summed(
        self, group: NDArray[np.int32] | NDArray[np.intp], values: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum and number of the plain values in the group of each row."""
        total, number = (np.bincount(group, weights=weights) for weights in (values, self.plain.astype(float)))
        return total[group].astype(np.float64), number[group].astype(np.float64)

    def rater_name(self, code: int) -> str:
        return str(self.ratings.rater.names[code])

    def item_name(self, place: int) -> str:
        return str(self.ratings.item.names[self.ratings.item.codes[self.rows[place]]])

    def lines(self, places: Rows) -> tuple[str, ...]:
        """The rows of the file that these are."""
        if self.ratings.places is None:
            return tuple(str(int(row) + 1) for row in self.rows[places])
        return self.ratings.places.words(self.rows[places])

    def where(self, places: Rows) -> str:
        return rows_in_words(self.lines(places))

    @property
    def prefix(self) -> str:
        return f"{self.criterion}: " if self.criterion else ""

    def spelled(self, value: float) -> str:
        return spelled_number(round(float(value), 6))
