"""All that coefficients of order need on a fine scale, in one pass over the pairs of raters.

Each coefficient comes with its exact values when any one item is left out, for the jackknife.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers
from accord.coefficients.batch import divided
from accord.coefficients.item_order import ItemOrder, SignSums, item_order, sign_sums
from accord.coefficients.kendall import Concordance
from accord.ratings.counts import Patterns

__all__ = ["LEFT_OUT_KEYS", "OrderSummary", "left_out_of", "order_summary", "shared_pairs"]

_MEANS = ("gamma", "kendall_tau_b", "spearman")
LEFT_OUT_KEYS = frozenset({*_MEANS, "kendall_w"})


@dataclass(frozen=True, slots=True)
class OrderSummary:
    """One entry for each pair of raters that share an item; ``left_out`` has one for each pattern, by key."""

    pairs: Integers
    items: Integers
    concordance: Concordance
    spearman: Floats
    gamma_error: Floats
    tau_b_error: Floats
    left_out: dict[str, Floats]


def shared_pairs(patterns: Patterns) -> Integers:
    """Places of the two raters of each pair that share an item."""
    given = (patterns.codes >= 0).astype(np.float64)
    first, second = np.triu_indices(patterns.codes.shape[1], 1)
    shared: NDArray[np.bool_] = (given.T @ given)[first, second] > 0
    return np.stack((first[shared], second[shared]), axis=1).astype(np.int64)


def order_summary(patterns: Patterns) -> OrderSummary:
    """Go through the pairs of raters once: O(items log items) a pair, memory for one pair at a time."""
    signs, means = _Signs(patterns), _Means(len(patterns.codes))
    ranking = _Ranking(int(patterns.multiplicity.sum())) if signs.complete else None
    pairs = shared_pairs(patterns)
    items, numbers = np.zeros(len(pairs), dtype=np.int64), np.zeros((7, len(pairs)))
    for place, (one, other) in enumerate(pairs.tolist()):
        rows = signs.shared(one, other)
        order = item_order(signs.of(one, rows), signs.of(other, rows))
        found = order.concordance
        counted = found.concordant, found.discordant, found.one_untied, found.other_untied
        items[place] = len(order.agree)
        numbers[:, place] = *counted, order.spearman, order.gamma_error, order.tau_b_error
        means.add(order, rows, None if signs.single else signs.first_of(rows))
        if ranking:
            ranking.add(order)
    left_out = means.left_out()
    if ranking:
        everything = np.arange(len(patterns.codes))
        raters = [signs.of(rater, everything) for rater in range(len(signs.codes))]
        left_out["kendall_w"] = ranking.left_out(raters)[signs.first_of(everything)]
    return OrderSummary(pairs, items, Concordance(*numbers[:4]), numbers[4], numbers[5], numbers[6], left_out)


def left_out_of(patterns: Patterns, summary: OrderSummary, key: str, value: float) -> Floats:
    """The coefficient without an item of each pattern; Kendall's W is told by complete items only."""
    if key in summary.left_out:
        return summary.left_out[key]
    complete = (patterns.codes >= 0).all(axis=1)
    without = np.full(len(patterns.codes), value)
    if complete.any():
        part = Patterns(patterns.codes[complete], patterns.multiplicity[complete])
        without[complete] = order_summary(part).left_out[key]
    return without


class _Signs:
    """The sums of signs of each rater over the items that a pair shares; made once where all rated all."""

    def __init__(self, patterns: Patterns) -> None:
        self.codes: NDArray[np.int32] = patterns.codes.T
        self.times = patterns.multiplicity
        self.given: NDArray[np.bool_] = self.codes >= 0
        self.complete = bool(self.given.all())
        self.single = bool((self.times == 1).all())
        self.made: dict[int, SignSums] = {}

    def shared(self, one: int, other: int) -> Integers:
        return np.arange(self.given.shape[1]) if self.complete else np.flatnonzero(self.given[one] & self.given[other])

    def first_of(self, rows: Integers) -> Integers:
        """The place of the first item of each pattern."""
        times = self.times[rows]
        return np.asarray(np.cumsum(times) - times)

    def of(self, rater: int, rows: Integers) -> SignSums:
        if len(rows) < self.codes.shape[1]:
            return self._made(rater, rows)
        if rater not in self.made:
            self.made[rater] = self._made(rater, rows)
        return self.made[rater]

    def _made(self, rater: int, rows: Integers) -> SignSums:
        codes = self.codes[rater][rows].astype(np.int64)
        return sign_sums(codes if self.single else np.repeat(codes, self.times[rows]))


class _Means:
    """Means over pairs of raters, each item left out; a pair that did not share the item keeps its value."""

    def __init__(self, patterns: int) -> None:
        self.pairs, self.totals, self.undefined = (
            0,
            np.zeros((len(_MEANS), patterns)),
            np.zeros((len(_MEANS), patterns)),
        )

    def add(self, order: ItemOrder, rows: Integers, first: Integers | None) -> None:
        """``first`` are the places of the first item of each pattern, None if every item is a pattern."""
        without = order.without if first is None else order.without[:, first]
        if len(rows) < self.totals.shape[1]:
            whole = float(order.concordance.gamma), float(order.concordance.tau_b), order.spearman
            shared, without = without, np.repeat(np.array(whole)[:, None], self.totals.shape[1], axis=1)
            without[:, rows] = shared
        self.pairs += 1
        if np.isnan(without.sum()):
            undefined = np.isnan(without)
            self.undefined += undefined
            without = np.where(undefined, 0.0, without)
        self.totals += without

    def left_out(self) -> dict[str, Floats]:
        return dict(zip(_MEANS, divided(self.totals, self.pairs - self.undefined), strict=True))


class _Ranking:
    """Kendall's W with each item left out, where every rater rated every item: its sums run over the same pairs."""

    def __init__(self, items: int) -> None:
        self.products = np.zeros(items)

    def add(self, order: ItemOrder) -> None:
        self.products += 2 * order.products_without

    def left_out(self, raters: Sequence[SignSums]) -> Floats:
        squares, ties = sum(one.squares_without for one in raters), sum(one.ties_without for one in raters)
        n, m = float(len(self.products) - 1), len(raters)
        return divided(3 * (self.products + squares), m**2 * (n**3 - n) - m * np.asarray(ties))
