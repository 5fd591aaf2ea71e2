"""How two raters order each item against all others, item by item, in O(n log n): for scales too fine for tables."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers

_COUNT = 32
_WORD = 63
_FEW_BITS = 5

_Packed = NDArray[Any]
"""Ranks with counts above them, in 64 bits or in 32."""

__all__ = ["ordered_alike"]


def ordered_alike(one: Integers, other: Integers) -> Floats:
    """(2, items): for each item of two columns of codes how many others both order alike, and how many oppositely.

    Those that lie below it on both columns are counted; from these follow all the others.

    In the order by x (equal x from the highest y down) let an item's cell of equal items begin at place f, and
    r be the rank by y (equal y from the last place up) of that first one: then n - 1 - f - r items less the
    ones below lie above on both columns.
    """
    same_one, same_other = (np.bincount(codes)[codes].astype(np.float64) for codes in (one, other))
    n, width = len(one), int(other.max(initial=-1)) + 1
    by_x, cell = _sorted_places(one * width + (width - 1 - other))
    by_y, _ = _sorted_places(other[by_x[::-1]])
    rank = np.empty(n, dtype=np.int64)
    rank[n - 1 - by_y] = np.arange(n)
    agree_by_x = _smaller_before(rank)[rank]
    agree_by_x <<= 1
    agree_by_x += np.arange(n - 1, -1, -1)
    agree_by_x -= rank
    agree, differ = np.empty(n), n + 1 - same_one - same_other
    if len(tied := np.flatnonzero(cell[1:] == cell[:-1])):
        places, first, times = _runs(tied)
        agree_by_x[places] += places - first + rank[places] - rank[first]
        differ[by_x[places]] += times - 1
    agree[by_x] = agree_by_x
    differ -= agree
    return np.stack((agree, differ))


def _runs(tied: Integers) -> tuple[Integers, Integers, Integers]:
    """Given the places whose next one is equal: each place of a run, the first of its run, and how long the run is."""
    starts = np.flatnonzero(np.diff(tied, prepend=-2) > 1)
    times = np.diff(starts, append=len(tied)) + 1
    first = np.repeat(tied[starts], times)
    within = np.arange(len(first)) - np.repeat(np.cumsum(times) - times, times)
    return first + within, first, np.repeat(times, times)


def _sorted_places(keys: Integers) -> tuple[Integers, Integers]:
    """The places of keys in their order, equal ones as they come, and the keys in order.

    A key and its place are sorted as one number where they fit: several times faster than sorting places.
    """
    n = len(keys)
    bits = n.bit_length()
    if n and int(keys.max()) >> (_WORD - bits):
        order = np.argsort(keys, kind="stable")
        return order, keys[order]
    both = keys << bits
    both |= np.arange(n)
    both.sort()
    return both & ((1 << bits) - 1), both >> bits


def _smaller_before(ranks: Integers) -> Integers:
    """How many smaller ranks stand before each rank, in the order of the ranks 0, 1, 2, ...

    ``ranks`` is a permutation. It is sorted bit by bit from the highest: ranks with equal higher bits lie
    together, and a rank whose bit is set passes those before it there whose bit is not. The count of those
    passed travels in the upper half of the number; as soon as both fit, the number has 32 bits only.
    """
    n = len(ranks)
    bits = max(n - 1, 0).bit_length()
    ordered: _Packed = np.append(ranks, np.arange(n, 1 << bits))
    place: _Packed = np.arange(len(ordered) // 2)
    upper_half = _COUNT
    for bit in range(bits - 1, _FEW_BITS - 1, -1):
        if ordered.dtype == np.int64 and bits + bit + 1 <= _COUNT:
            ordered = ((ordered >> _COUNT << (_COUNT - bits)) | (ordered & ((2 << bit) - 1))).astype(np.uint32)
            place, upper_half = place.astype(np.uint32), _COUNT - bits
        ordered = _passed(ordered, place, bit, upper_half)
        ordered = ordered[: -(-n // (1 << bit)) << bit]  # whole parts beyond the last rank only filled up
        place = place[: len(ordered) // 2]
    return _smaller_in_parts(ordered, min(bits, _FEW_BITS), upper_half)[:n]


def _passed(ordered: _Packed, place: _Packed, bit: int, shift: int) -> _Packed:
    """One step: within each part the numbers without the bit first, the others with a count of those they passed."""
    half = 1 << bit
    is_set = (ordered & half).astype(bool)
    upper = np.flatnonzero(is_set)
    lower, moved = ordered[np.flatnonzero(~is_set)], ordered[upper]
    # Half of each part has the bit: the k-th such rank stands in part k // half.
    before = upper.astype(ordered.dtype)
    before -= place
    before -= place >> bit << bit
    before <<= shift
    moved += before
    return np.stack((lower.reshape(-1, half), moved.reshape(-1, half)), axis=1).ravel()


def _smaller_in_parts(ordered: _Packed, bits: int, shift: int) -> Integers:
    """The last steps at once: in parts so short, every two ranks are compared."""
    size = 1 << bits
    local = ordered & (size - 1)
    ranks = np.ascontiguousarray(local.astype(np.uint8).reshape(-1, size).T)
    passed, smaller = np.zeros_like(ranks), np.empty(ranks.shape, dtype=bool)
    for place in range(1, size):
        np.less(ranks[:place], ranks[place], out=smaller[:place])
        np.add.reduce(smaller[:place].view(np.uint8), axis=0, out=passed[place])
    counts = np.empty(len(ordered), dtype=np.int64)
    parts = np.arange(0, len(ordered), size)
    counts[(local.reshape(-1, size) + parts[:, None]).ravel()] = (ordered >> shift) + passed.T.ravel()
    return counts
