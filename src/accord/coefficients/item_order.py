r"""How two raters order each item against all others, item by item, in O(n log n).

From these counts follow, without a table and without comparing every two items, gamma, tau-b and Spearman's
rho, their standard errors, and their exact values with any one item left out. With the sums of signs
:math:`s_i = \sum_j \mathrm{sgn}(x_i - x_j)` (twice the mid-rank, centred) leaving out item i changes

.. math:: \sum_j s_j t_j \to \sum_j s_j t_j - s_i t_i - \sum_j s_j\,\mathrm{sgn}(y_j - y_i)
          - \sum_j t_j\,\mathrm{sgn}(x_j - x_i) + \sum_j \mathrm{sgn}(x_j - x_i)\,\mathrm{sgn}(y_j - y_i).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers
from accord.coefficients.batch import divided
from accord.coefficients.kendall import Concordance

_COUNT = 32
_WORD = 63
_FEW_BITS = 5
_CACHED = 1 << 13
"""Items at a time, few enough for the numbers at hand to stay in the processor's cache."""

_Packed = NDArray[Any]
"""Ranks with counts above them, in 64 bits or in 32."""

__all__ = ["ItemOrder", "SignSums", "item_order", "sign_sums"]


@dataclass(frozen=True)
class SignSums:
    """One column of codes: the sum of signs of each item, how many share its value, and the ratings a value."""

    codes: Integers
    sums: Floats
    same: Floats
    counts: Floats

    def toward(self, amounts: Floats) -> Floats:
        """For each item i the sum over j of amounts_j sgn(x_j - x_i)."""
        by_value = np.bincount(self.codes, weights=amounts, minlength=len(self.counts))
        if not len(by_value):
            return amounts
        toward = by_value.cumsum()
        whole = toward[-1]
        toward *= -2
        toward += by_value
        toward += whole
        return np.asarray(toward[self.codes])

    @cached_property
    def untied(self) -> Floats:
        """How many other items have another value than the item."""
        return len(self.codes) - self.same

    @cached_property
    def untied_root_without(self) -> Floats:
        """The root of the pairs of items with different values, each item left out."""
        return np.sqrt(float(self.untied.sum()) / 2 - self.untied)

    @cached_property
    def squares_without(self) -> Floats:
        """The sum of squared sums of signs once each item is left out."""
        whole = float(self.sums @ self.sums)
        return whole - np.square(self.sums) - 2 * self.toward(self.sums) + self.untied

    @cached_property
    def root_without(self) -> Floats:
        return np.sqrt(self.squares_without)

    @cached_property
    def ties_without(self) -> Floats:
        """The sum of t^3 - t over groups of t tied items, each item left out."""
        whole = float(((self.counts * self.counts - 1) * self.counts).sum())
        without = self.same - 1
        without *= self.same
        without *= -3
        without += whole
        return without


def sign_sums(codes: Integers) -> SignSums:
    counts = np.bincount(codes).astype(np.float64)
    below = counts.cumsum()
    total = float(len(codes))
    return SignSums(codes, (2 * below - counts - total)[codes], counts[codes], counts)


@dataclass(frozen=True)
class ItemOrder:
    """Two columns: for each item the others that both raters order alike (``agree``) or oppositely (``differ``)."""

    one: SignSums
    other: SignSums
    agree: Floats
    differ: Floats

    @cached_property
    def concordance(self) -> Concordance:
        return Concordance(*(np.asarray(part.sum() / 2) for part in self._parts))

    @cached_property
    def _parts(self) -> tuple[Floats, Floats, Floats, Floats]:
        return self.agree, self.differ, self.one.untied, self.other.untied

    @cached_property
    def spearman(self) -> float:
        one, other = self.one.sums, self.other.sums
        return float(divided(np.asarray(one @ other), np.sqrt(one @ one) * np.sqrt(other @ other)))

    @cached_property
    def products_without(self) -> Floats:
        """The sum of products of the two sums of signs, each item left out."""
        one, other = self.one.sums, self.other.sums
        without = self.agree - self.differ
        without -= self.other.toward(one)
        without -= self.one.toward(other)
        without -= one * other
        without += float(one @ other)
        return without

    @cached_property
    def without(self) -> Floats:
        """(3, items): gamma, tau-b and Spearman's rho with each item left out."""
        left_out = np.empty((3, len(self.agree)))
        agree, differ = float(self.agree.sum()) / 2, float(self.differ.sum()) / 2
        for start in range(0, len(self.agree), _CACHED):
            rows = slice(start, start + _CACHED)
            one, other = agree - self.agree[rows], differ - self.differ[rows]
            balance = one - other
            one += other
            left_out[0, rows] = divided(balance, one)
            left_out[1, rows] = divided(
                balance, self.one.untied_root_without[rows] * self.other.untied_root_without[rows]
            )
            spread = self.one.root_without[rows] * self.other.root_without[rows]
            left_out[2, rows] = divided(self.products_without[rows], spread)
        return left_out

    @cached_property
    def gamma_error(self) -> float:
        """The asymptotic standard error of gamma, summed over items instead of cells of a table."""
        twice_c, twice_d = float(self.agree.sum()), float(self.differ.sum())
        pull = twice_d * self.agree
        pull -= twice_c * self.differ
        spread = pull @ pull
        return float(divided(4 * np.sqrt(spread), np.asarray((twice_c + twice_d) ** 2)))

    @cached_property
    def tau_b_error(self) -> float:
        """The asymptotic standard error of tau-b, summed over items instead of cells of a table."""
        n, same_one, same_other = len(self.agree), self.one.same, self.other.same
        w_r, w_c = float(n * n - same_one.sum()), float(n * n - same_other.sum())
        w = np.sqrt(w_r * w_c)
        tau = divided(self.agree.sum() - self.differ.sum(), w)
        inner = self.agree - self.differ
        inner *= 2 * w
        inner += same_one * (tau * w_c)
        inner += same_other * (tau * w_r)
        spread = inner @ inner - float(n) ** 3 * tau**2 * (w_r + w_c) ** 2
        return float(divided(np.sqrt(np.maximum(spread, 0.0)), w**2))


def item_order(one: SignSums, other: SignSums) -> ItemOrder:
    """Count for each item those that lie below it on both columns; from these follow all the others.

    In the order by x (equal x from the highest y down) let an item's cell of equal items begin at place f, and
    r be the rank by y (equal y from the last place up) of that first one: then n - 1 - f - r items less the
    ones below lie above on both columns.
    """
    n, width = len(one.codes), len(other.counts)
    by_x, cell = _sorted_places(one.codes * width + (width - 1 - other.codes))
    by_y, _ = _sorted_places(other.codes[by_x[::-1]])
    rank = np.empty(n, dtype=np.int64)
    rank[n - 1 - by_y] = np.arange(n)
    agree_by_x = _smaller_before(rank)[rank]
    agree_by_x <<= 1
    agree_by_x += np.arange(n - 1, -1, -1)
    agree_by_x -= rank
    agree, differ = np.empty(n), n + 1 - one.same - other.same
    if len(tied := np.flatnonzero(cell[1:] == cell[:-1])):
        places, first, times = _runs(tied)
        agree_by_x[places] += places - first + rank[places] - rank[first]
        differ[by_x[places]] += times - 1
    agree[by_x] = agree_by_x
    differ -= agree
    return ItemOrder(one, other, agree, differ)


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
