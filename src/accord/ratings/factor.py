"""Columns coded once: one number a row, and what it stands for kept once however many rows hold it."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.ratings.grid import is_run
from accord.ratings.names import order_of_names, selected
from accord.records import dataclass

__all__ = ["Coded", "Codes", "Factor", "FullFactor", "PickedFactor", "RegularFactor", "by_rater", "picked_of"]

Codes = NDArray[np.int32]
_SHORT = 10_000
"""Rows up to which marking the names that occur is quicker than a look whether all of them stand in order."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A column of names: one code a row into ``names``; -1 where the cell is empty."""

    codes: Codes
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: slice | NDArray[np.bool_] | NDArray[np.intp]) -> "Factor":
        return Factor(self.codes[rows], self.names)

    @property
    def has_empty(self) -> bool:
        """Whether any cell is empty."""
        return bool(self.codes.min(initial=0) < 0)

    def compact(self) -> "Factor":
        """The same column without the names that no row uses; the order of names is kept."""
        if len(self) > _SHORT and self._is_plainly_full():
            return self
        used = np.zeros(len(self.names) + 1, dtype=bool)
        used[self.codes] = True  # -1 marks the spare last place
        used[-1] = False
        if used[:-1].all():
            return self
        position = np.cumsum(used, dtype=np.int32) - 1
        position[-1] = -1
        return Factor(position[self.codes].astype(np.int32, copy=False), selected(self.names, used[:-1]))

    def _is_plainly_full(self) -> bool:
        """Whether the first rows, or rows at equal steps, hold all names in order, as in tables sorted by item."""
        names = len(self.names)
        step = len(self) // max(names, 1)
        return step > 0 and (is_run(self.codes[:names], 0) or is_run(self.codes[: names * step : step], 0))

    def in_order_of_names(self) -> "Factor":
        """The same column with its names in the order that draws follow; itself where they stand in it already."""
        order = order_of_names(self.names)
        if order is None:
            return self
        position = np.full(len(order) + 1, -1, dtype=np.int32)
        position[order] = np.arange(len(order), dtype=np.int32)
        return Factor(position[self.codes], tuple(self.names[place] for place in order.tolist()))

    def labels(self) -> NDArray[np.object_]:
        """The names row by row; an empty cell is ''."""
        return np.array((*self.names, ""), dtype=object)[self.codes]

    @classmethod
    def of(cls, labels: Sequence[str]) -> "Factor":
        """Names in order of first appearance; '' is an empty cell."""
        names = dict.fromkeys(labels)
        names.pop("", None)
        index = {name: code for code, name in enumerate(names)}
        index[""] = -1
        return cls(np.fromiter(map(index.__getitem__, labels), dtype=np.int32, count=len(labels)), tuple(names))


@dataclass(frozen=True, slots=True)
class FullFactor(Factor):
    """A column as it was coded: each name is on some row, which only a part of the rows must look at again."""

    def compact(self) -> "Factor":
        return self


@dataclass(frozen=True, init=False)
class RegularFactor(Factor):
    """A column of a whole table made long: each name on ``each`` rows, and all of them ``times`` over.

    Its codes are made when somebody looks at them; counting a whole table does not.
    """

    each: int
    times: int

    def __init__(self, names: Sequence[str], *, each: int = 1, times: int = 1) -> None:
        for name, part in (("names", names), ("each", each), ("times", times)):
            object.__setattr__(self, name, part)

    @cached_property  # type: ignore[misc]
    def codes(self) -> Codes:
        codes = np.empty((self.times, len(self.names), self.each), dtype=np.int32)
        codes[:] = np.arange(len(self.names), dtype=np.int32)[:, None]
        return codes.reshape(-1)

    def __len__(self) -> int:
        return self.times * len(self.names) * self.each

    @property
    def has_empty(self) -> bool:
        return False

    def compact(self) -> "Factor":
        return self


@dataclass(frozen=True, init=False)
class PickedFactor(Factor):
    """Some rows of a regular column, none of them twice, in which every name is left: a wide table without its gaps.

    Its codes are made when somebody looks at them; reading and counting such a table does not.
    """

    whole: RegularFactor
    rows: NDArray[np.intp]

    def __init__(self, whole: RegularFactor, rows: NDArray[np.intp]) -> None:
        for name, part in (("names", whole.names), ("whole", whole), ("rows", rows)):
            object.__setattr__(self, name, part)

    @cached_property  # type: ignore[misc]
    def codes(self) -> Codes:
        return self.whole.codes[self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def has_empty(self) -> bool:
        return False

    def compact(self) -> "Factor":
        return self


def by_rater(item: Factor, rater: Factor) -> tuple[RegularFactor, RegularFactor] | None:
    """Both columns where the rows are a whole table with a line a rater, each with all items in order; else None."""
    if not (isinstance(item, RegularFactor) and isinstance(rater, RegularFactor)):
        return None
    whole = item.each == rater.times == 1 and len(item) == len(rater) == len(item.names) * len(rater.names)
    return (item, rater) if whole else None


def picked_of(
    item: RegularFactor, rater: RegularFactor, known: NDArray[np.bool_], rows: NDArray[np.intp]
) -> tuple[PickedFactor, PickedFactor]:
    """Both columns of a whole table, :func:`by_rater`, at its known ``rows`` alone with the names that these have."""
    cells = known.reshape(len(rater.names), len(item.names))
    raters, items = np.asarray(cells.any(axis=1)), np.asarray(cells.any(axis=0))
    if not (raters.all() and items.all()):
        rows = _among(raters, items, rows)
        item = RegularFactor(selected(item.names, items), times=int(raters.sum()))
        rater = RegularFactor(selected(rater.names, raters), each=len(item.names))
    return PickedFactor(item, rows), PickedFactor(rater, rows)


def _among(raters: NDArray[np.bool_], items: NDArray[np.bool_], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Cells of a whole table, in order, as cells of the table of these raters and items alone."""
    place, kept = np.cumsum(items) - 1, int(items.sum())
    found = np.empty_like(rows)
    ends = np.searchsorted(rows, np.arange(len(raters) + 1) * len(items)).tolist()
    for before, rater in enumerate(np.flatnonzero(raters).tolist()):
        part = slice(ends[rater], ends[rater + 1])
        np.take(place, rows[part] - rater * len(items), out=found[part], mode="wrap")  # a mode, else it takes a copy
        found[part] += before * kept
    return found


@dataclass(frozen=True, slots=True)
class Coded:
    """One code a row into the distinct raw values; -1 where a cell holds nothing at all."""

    codes: Codes
    distinct: Any

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[Any]:
        """The raw values row by row, None where a cell holds nothing."""
        return iter(np.array([*self.distinct, None], dtype=object)[self.codes].tolist())

    def __getitem__(self, rows: slice | NDArray[np.intp]) -> "Coded":
        """These rows, with the raw values that they hold and no others."""
        codes = self.codes[rows]
        used = np.zeros(len(self.distinct) + 1, dtype=bool)
        used[codes] = True  # -1 marks the spare last place
        position = np.cumsum(used, dtype=np.int32) - np.int32(1)
        position[-1] = -1
        return Coded(position[codes], [self.distinct[code] for code in np.flatnonzero(used[:-1]).tolist()])

    def recoded(self, position: NDArray[np.int32]) -> Codes:
        """Codes looked up in another order; what is empty stays empty."""
        if (position == np.arange(len(position))).all():
            return self.codes
        return np.append(position, np.int32(-1)).astype(np.int32)[self.codes]
