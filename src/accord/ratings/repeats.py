"""The same rater twice on one item: found, told apart by other columns, or settled as the user says."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord.ratings.coding import code_names
from accord.ratings.grid import keys_repeat
from accord.ratings.table import Codes, Factor

__all__ = [
    "DUPLICATES",
    "NAMING",
    "TELL_APART",
    "Duplicates",
    "next_occasions",
    "row_keys",
    "rows_to_keep",
]

Duplicates = Literal["first", "last", "mean"]
DUPLICATES: tuple[Duplicates, ...] = ("first", "last", "mean")
TELL_APART = (
    "criterion", "occasion", "condition", "phase", "scenario", "role", "prompt", "rubric", "shown", "swapped",
    "shown_first",
)  # fmt: skip
"""Columns that make two ratings of one item by one rater two different ratings."""

NAMING = ("language_pair", "system")
"""Columns that are part of what names an item: sentence 1 of two language pairs is two items."""

_FEW = 0.5
"""A column with more names than so many of the rows numbers or dates them, and tells nothing apart."""


def row_keys(parts: Sequence[Factor]) -> tuple[NDArray[np.int64], int]:
    """One whole number a row, equal where all parts are equal; and how many there could be."""
    keys = np.zeros(len(parts[0]), dtype=np.int64)
    cells = 1
    for factor in parts:
        width = len(factor.names) + 1
        if cells * width >= 1 << 62:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            cells = len(keys)
        keys *= width
        keys += factor.codes
        keys += 1
        cells *= width
    return keys, cells


def is_repeated(parts: Sequence[Factor]) -> bool:
    """Whether two rows are equal in all parts."""
    return keys_repeat(*row_keys(parts))


def next_occasions(columns: Mapping[str, Any]) -> Factor:
    """The occasion of each rating; where the plan lets a rater meet an item again under one name, the next one."""
    occasion: Factor = columns["occasion"]
    others = [columns[name] for name in ("item", "rater", *TELL_APART) if name != "occasion" and name in columns]
    if not is_repeated([*others, occasion]):
        return occasion
    numbers = np.array([int(name) for name in occasion.names])[occasion.codes]
    keys, _ = row_keys(others)
    order = np.lexsort((numbers, keys))
    for before, row in zip(order[:-1].tolist(), order[1:].tolist(), strict=True):
        if keys[before] == keys[row]:
            numbers[row] = max(numbers[row], numbers[before] + 1)
    return code_names(numbers)


def repeated_rows(keys: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Each row that repeats an earlier one, with the earlier one."""
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    starts = np.concatenate(([True], ~same))
    first_of = order[np.maximum.accumulate(np.where(starts, np.arange(len(keys)), 0))]
    repeats = np.flatnonzero(~starts)
    return sorted((int(order[place]), int(first_of[place])) for place in repeats)


def told_apart_by(parts: Sequence[Factor], columns: Mapping[str, Factor], names: Sequence[str]) -> str | None:
    """The first of these columns that makes every row different, if one does."""
    for name in names:
        if name in columns and not is_repeated([*parts, columns[name]]):
            return name
    return None


def naming_too(parts: Sequence[Factor], columns: Mapping[str, Factor]) -> tuple[str, ...]:
    """The columns of items, one or both, that make rows different which ``parts`` do not; none if that is not so."""
    for names in (*((name,) for name in NAMING), NAMING):
        if all(name in columns for name in names) and not is_repeated([*parts, *(columns[name] for name in names)]):
            return names
    return ()


def telling(keys: NDArray[np.int64], columns: Mapping[str, Factor]) -> str | None:
    """The column that would make every row different though it does not number the rows, if there is one."""
    distinct, codes = np.unique(keys, return_inverse=True)
    same = Factor(codes.astype(np.int32), tuple(map(str, range(len(distinct)))))
    few = [name for name, factor in columns.items() if len(factor.names) <= _FEW * len(keys)]
    return told_apart_by([same], columns, few)


def rows_to_keep(keys: NDArray[np.int64], duplicates: Duplicates) -> NDArray[np.intp]:
    """The rows left when only the first (or last) of equal keys counts, in the order of the file."""
    if duplicates == "last":
        backwards = np.unique(keys[::-1], return_index=True)[1]
        return np.sort(len(keys) - 1 - backwards)
    return np.sort(np.unique(keys, return_index=True)[1])


def means(keys: NDArray[np.int64], scores: NDArray[np.float64], kept: NDArray[np.intp]) -> NDArray[np.float64]:
    """The mean score of each key, at the rows kept."""
    _, group = np.unique(keys, return_inverse=True)
    average = np.bincount(group, weights=scores) / np.bincount(group)
    result: NDArray[np.float64] = average[group[kept]]
    return result


def sign_between(role: str) -> str:
    """What stands between the parts of a name that several columns make: en-de is a pair of languages."""
    return "-" if role == "language_pair" else "|"


def joined(first: Factor, second: Factor, sign: str = "|") -> Factor:
    """One column made of two: names put together with a sign between."""
    keys, _ = row_keys([first, second])
    distinct, places, codes = np.unique(keys, return_index=True, return_inverse=True)
    del distinct
    left, right = first.labels()[places], second.labels()[places]
    parts = zip(left, right, strict=True)
    names = tuple(f"{one}{sign}{other}" if one and other else one or other for one, other in parts)
    coded: Codes = codes.astype(np.int32)
    return Factor(coded, names)
