r"""How two raters order each item against all others, item by item, in O(n log n).

From these counts follow, without a table and without comparing every two items, gamma, tau-b and Spearman's
rho, their standard errors, and their exact values with any one item left out. With the sums of signs
:math:`s_i = \sum_j \mathrm{sgn}(x_i - x_j)` (twice the mid-rank, centred) leaving out item i changes

.. math:: \sum_j s_j t_j \to \sum_j s_j t_j - s_i t_i - \sum_j s_j\,\mathrm{sgn}(y_j - y_i)
          - \sum_j t_j\,\mathrm{sgn}(x_j - x_i) + \sum_j \mathrm{sgn}(x_j - x_i)\,\mathrm{sgn}(y_j - y_i).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.agreement.batch import divided
from accord.agreement.kendall import Concordance
from accord.ratings.counts import Floats, Integers

_COUNT = 32
_CACHED = 1 << 13
"""Items at a time, few enough for the numbers at hand to stay in the processor's cache."""

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
        below = by_value.cumsum()
        return np.asarray((below[-1] - 2 * below + by_value)[self.codes] if len(below) else amounts)

    @cached_property
    def untied(self) -> Floats:
        """How many other items have another value than the item."""
        return len(self.codes) - self.same

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
        without = self.other.toward(one)
        without += self.one.toward(other)
        np.subtract(float(one @ other), without, out=without)
        without -= one * other
        without += self.agree
        without -= self.differ
        return without

    @cached_property
    def without(self) -> Floats:
        """(3, items): gamma, tau-b and Spearman's rho with each item left out."""
        left_out = np.empty((3, len(self.agree)))
        wholes = [float(part.sum()) / 2 for part in self._parts]
        for start in range(0, len(self.agree), _CACHED):
            rows = slice(start, start + _CACHED)
            found = Concordance(*(whole - part[rows] for whole, part in zip(wholes, self._parts, strict=True)))
            left_out[0, rows], left_out[1, rows] = found.gamma, found.tau_b
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
    cell = one.codes * width + (width - 1 - other.codes)
    by_x = np.argsort(cell)
    cell, y = cell[by_x], other.codes[by_x]
    by_y = np.argsort(y * n + np.arange(n - 1, -1, -1))
    rank = np.empty(n, dtype=np.int64)
    rank[by_y] = np.arange(n)
    below = _smaller_before(rank)[rank]
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    times = np.diff(starts, append=n)
    first = np.repeat(starts, times)
    agree, same = np.empty(n), np.empty(n)
    agree[by_x] = 2 * below + (n - 1) - first - rank[first]
    same[by_x] = np.repeat(times, times)
    return ItemOrder(one, other, agree, n - one.same - other.same + same - agree)


def _smaller_before(ranks: Integers) -> Integers:
    """How many smaller ranks stand before each rank, in the order of the ranks 0, 1, 2, ...

    ``ranks`` is a permutation. It is sorted bit by bit from the highest: ranks with equal higher bits lie
    together, and a rank whose bit is set passes those before it there whose bit is not. The count of those
    passed travels in the upper half of the number.
    """
    n = len(ranks)
    size = 1 << max(n - 1, 0).bit_length()
    ordered = np.append(ranks, np.arange(n, size))
    place = np.arange(size // 2)
    half = size // 2
    while half:
        is_set = (ordered & half).astype(bool)
        upper = np.flatnonzero(is_set)
        lower, moved = ordered[np.flatnonzero(~is_set)], ordered[upper]
        # Half of each part has the bit: the k-th such rank stands in part k // half.
        upper -= place
        upper -= place & -half
        upper <<= _COUNT
        moved += upper
        ordered = np.stack((lower.reshape(-1, half), moved.reshape(-1, half)), axis=1).ravel()
        ordered = ordered[: -(-n // half) * half]  # whole parts beyond the last rank were only there to fill up
        place = place[: len(ordered) // 2]
        half //= 2
    return ordered[:n] >> _COUNT
