"""Whether rows of item and rater codes form a whole table, in order; and whether a cell of it comes twice."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["has_repeats", "is_grid", "is_run", "keys_repeat"]

Codes = NDArray[np.int32]

_CACHED = 1 << 14
_TABLE_CELLS = 1 << 26


def is_grid(slow: Codes, fast: Codes, rows: int, columns: int) -> bool:
    """Whether row i of a table holds name i of the slow factor and, in order, all names of the fast one."""
    if slow[0] != 0 or slow[-1] != rows - 1 or fast[-1] != columns - 1:
        return False
    if slow[:columns].any() or not is_run(fast[:columns], 0):
        return False
    # Each row against the next, in parts that stay in the processor's cache.
    for start in range(columns, len(slow), _CACHED):
        end = min(start + _CACHED, len(slow))
        before = slice(start - columns, end - columns)
        if not np.array_equal(fast[start:end], fast[before]) or not (slow[start:end] - slow[before] == 1).all():
            return False
    return True


def is_run(codes: Codes, first: int) -> bool:
    """Whether codes go up by one from the first."""
    steps = np.arange(first, first + min(len(codes), _CACHED), dtype=np.int32)
    return all(
        np.array_equal(codes[start : start + _CACHED] - np.int32(start), steps[: len(codes) - start])
        for start in range(0, len(codes), _CACHED)
    )


def has_repeats(item: Codes, rater: Codes, items: int, raters: int) -> bool:
    """Whether a rater rated an item twice; -1 (no name) counts as a name of its own."""
    keys = item.astype(np.int64)
    keys += 1
    keys *= raters + 1
    keys += rater
    keys += 1
    return keys_repeat(keys, (items + 1) * (raters + 1))


def keys_repeat(keys: NDArray[np.int64], cells: int) -> bool:
    """Whether any key occurs twice; a table of cells where it fits, else sorting."""
    if cells <= min(_TABLE_CELLS, 4 * len(keys) + 1000):
        seen = np.zeros(cells, dtype=bool)
        seen[keys] = True
        return int(np.count_nonzero(seen)) < len(keys)
    ordered = np.sort(keys)
    return bool((ordered[1:] == ordered[:-1]).any())
