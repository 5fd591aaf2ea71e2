"""Every pair of raters on the items both rated: agreement and correlation from the same rows."""

from collections.abc import Iterator

import numpy as np

from accord.arrays import Floats, distinct, every_pair
from accord.coefficients.batch import divided
from accord.coefficients.correlation import Pearson, Spreads, moments_of_tables, spreads
from accord.coefficients.kappa import CohenKappa, Kappa, ScottPi, chance_corrected
from accord.coefficients.order import Order, order_of_columns, order_of_tables
from accord.coefficients.ranks import Gamma, KendallTauA, KendallTauC
from accord.diagnosis.part import Indices, Part
from accord.records import dataclass

__all__ = ["Pair", "linked", "pairs_of", "shared_rows"]

_MOST_ROWS = 8_000_000
_MANY_PAIRS = 200
_FEW_CELLS = 2_500
_MOST_CELLS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two raters, the items both rated, and how their ratings go together.

    ``concordant`` and ``discordant`` count pairs of items that both raters order, the same way or not:
    gamma rests on them alone. ``higher`` and ``lower`` count items to which the first rater gave the greater
    or the smaller value. What has no value is nan, and so is gamma of labels without an order. Of scores with many
    values (0 to 100) ``kappa`` and ``pi`` are weighted by the squared distance, as two equal scores are luck there.
    """

    first: str
    second: str
    items: int
    agreement: float
    chance: float
    kappa: float
    pi: float
    gamma: float
    tau_a: float
    tau_c: float
    concordant: int
    discordant: int
    higher: int
    lower: int
    slope: float
    pearson: float

    @property
    def untied(self) -> int:
        return self.concordant + self.discordant

    @property
    def disagreements(self) -> int:
        return self.higher + self.lower

    @property
    def title(self) -> str:
        return f"{self.first}–{self.second}"


_FEW_RATERS = 255
"""The pairs of so many have numbers of two bytes."""


@dataclass(frozen=True, slots=True)
class SharedRows:
    """One row for each pair of raters and item both rated, pair by pair.

    ``left`` and ``right`` are rows of the part; ``starts`` where each pair begins; only every ``step``-th
    item was used.
    """

    first: Indices
    second: Indices
    starts: Indices
    left: Indices
    right: Indices
    step: int = 1

    def __iter__(self) -> Iterator[tuple[int, int, slice]]:
        ends = np.append(self.starts, len(self.left))[1:]
        for first, second, start, end in zip(self.first, self.second, self.starts, ends, strict=True):
            yield int(first), int(second), slice(int(start), int(end))

    def in_parts(self, pairs: int) -> Iterator["SharedRows"]:
        """The same, some pairs at a time."""
        bounds = np.append(self.starts, len(self.left))
        for begin in range(0, len(self.first), pairs):
            here, (low, *_, high) = slice(begin, begin + pairs), bounds[begin : begin + pairs + 1]
            rows = slice(int(low), int(high))
            yield SharedRows(
                self.first[here],
                self.second[here],
                self.starts[here] - low,
                self.left[rows],
                self.right[rows],
                self.step,
            )


def shared_rows(part: Part, most: int = _MOST_ROWS) -> SharedRows:
    """All pairs of ratings of one item, sorted by pair of raters and then by item.

    More than ``most`` of them are not made: then every k-th item is used, and the pairs say their n.
    """
    order = np.lexsort((part.rater, part.item))
    item, rater = part.item[order], part.rater[order]
    starts = np.flatnonzero(np.r_[True, item[1:] != item[:-1]]) if len(item) else np.empty(0, dtype=np.int64)
    sizes = np.diff(np.r_[starts, len(item)])
    total = int((sizes * (sizes - 1) // 2).sum())
    step = -(-total // most) if total > most else 1
    left, right = _within_items(starts[::step], sizes[::step])
    raters = len(part.rater_names)
    key = rater[left] * raters + rater[right]
    by_pair = _by_pair_and_item(key, left, raters)
    left, right, key = left[by_pair], right[by_pair], key[by_pair]
    begins = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.empty(0, dtype=np.int64)
    first, second = np.divmod(key[begins], max(raters, 1))
    return SharedRows(first, second, begins, order[left], order[right], step)


def _by_pair_and_item(key: Indices, left: Indices, raters: int) -> Indices:
    """What sorts rows by pair and then by item. Numbers of two bytes are sorted in half of the time."""
    if raters > _FEW_RATERS or (left[1:] < left[:-1]).any():
        return np.lexsort((left, key))
    return np.argsort(key.astype(np.uint16), kind="stable")


def linked(raters: int, first: Indices, second: Indices) -> Indices:
    """For each rater the smallest code among those it is linked with by pairs, even through others."""
    label = np.arange(raters)
    while True:
        lowest = label.copy()
        np.minimum.at(lowest, first, label[second])
        np.minimum.at(lowest, second, label[first])
        lowest = lowest[lowest]
        if (lowest == label).all():
            return label
        label = lowest


def _within_items(starts: Indices, sizes: Indices) -> tuple[Indices, Indices]:
    """Positions of all pairs of ratings inside each item, item sizes taken one at a time."""
    lefts, rights = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for size in distinct(sizes):
        upper = every_pair(int(size))
        begin = starts[sizes == size]
        lefts.append((begin[:, None] + upper[0]).ravel())
        rights.append((begin[:, None] + upper[1]).ravel())
    return np.concatenate(lefts), np.concatenate(rights)


def pairs_of(part: Part) -> list[Pair]:
    """Every pair of raters that shares an item; the names within a pair are in alphabetical order."""
    rows = part.shared
    cells = len(part.ratings.scale.values) ** 2
    few = cells <= _FEW_CELLS or (len(rows.first) >= _MANY_PAIRS and len(rows.first) * cells <= _MOST_CELLS)
    some = rows.in_parts(_MOST_CELLS // max(cells, 1) if few else 1)
    return [pair for here in some for pair in (_by_table if few else _alone)(part, here)]


def _by_table(part: Part, rows: SharedRows) -> list[Pair]:
    """All pairs at once, from one table of values a pair: what makes hundreds of raters affordable."""
    numbers = part.ratings.scale.array
    order = np.argsort(numbers, kind="stable")
    rank = np.argsort(order, kind="stable")
    pair = np.repeat(np.arange(len(rows.first)), np.diff(np.append(rows.starts, len(rows.left))))
    first, second, left, right = _in_order(part, rows, pair)
    size = len(numbers)
    cell = (pair * size + rank[part.code[left]]) * size + rank[part.code[right]]
    tables = np.bincount(cell, minlength=len(first) * size**2).reshape(-1, size, size)
    return _pairs(part, first, second, tables.astype(np.float64), numbers[order])


def _alone(part: Part, rows: SharedRows) -> list[Pair]:
    """One pair on a fine scale: a table of the values that the two used, or two columns where that is too large."""
    first, second, left, right = _in_order(part, rows, np.zeros(len(rows.left), dtype=np.int64))
    numbers, both = np.unique(np.concatenate((part.score[left], part.score[right])), return_inverse=True)
    one, other, values = both[: len(left)], both[len(left) :], len(numbers)
    if values**2 <= _MOST_CELLS:
        tables = np.bincount(one * values + other, minlength=values**2).reshape(1, values, values)
        return _pairs(part, first, second, tables.astype(np.float64), numbers)
    counts = [np.bincount(side, minlength=values).astype(np.float64) for side in (one, other)]
    items, agreed = float(len(one)), np.array([np.mean(one == other)])
    centred = numbers - numbers.mean()
    x, y = centred[one], centred[other]
    chances = np.array([counts[0] @ counts[1], np.square(counts[0] + counts[1]).sum() / 4]) / items**2
    kappa, pi = (chance_corrected(agreed, chance) for chance in chances[:, None])
    if part.is_fine:
        kappa, pi = (one._replace(value=value) for one, value in zip((kappa, pi), _by_squares(x, y), strict=True))
    return _pairs_with_numbers(
        part, first, second, np.array([items]), kappa=kappa, pi=pi,
        order=order_of_columns(one, other), spread=spreads(np.array([[items, x.sum(), y.sum(), x @ x, y @ y, x @ y]])),
        sides=np.array([[np.sum(one > other), np.sum(one < other)]]),
    )  # fmt: skip


def _by_squares(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Cohen's kappa and Scott's pi with quadratic weights, from two columns: 1 - distance / distance by chance."""
    apart = np.array([np.mean(np.square(x - y))])
    both = np.concatenate((x, y))
    by_chance = np.array([x.var() + y.var() + (x.mean() - y.mean()) ** 2, 2 * both.var()])
    cohen, scott = 1 - divided(apart, by_chance)
    return np.array([cohen]), np.array([scott])


def _in_order(part: Part, rows: SharedRows, pair: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """First and second rater, and their rows, the names of each pair in alphabetical order."""
    turned = np.array([part.name(int(a)) > part.name(int(b)) for a, b in zip(rows.first, rows.second, strict=True)])
    raters = np.where(turned, rows.second, rows.first), np.where(turned, rows.first, rows.second)
    swapped = turned[pair]
    return *raters, np.where(swapped, rows.right, rows.left), np.where(swapped, rows.left, rows.right)


def _pairs(part: Part, first: Indices, second: Indices, tables: Floats, numbers: Floats) -> list[Pair]:
    """From tables (pairs, values, values), the values in ascending order."""
    same = np.eye(len(numbers))
    kappa, pi = CohenKappa().kappa(tables, same), ScottPi().kappa(tables, same)
    if part.is_fine:
        near = 1 - np.square(np.subtract.outer(numbers, numbers) / max(np.ptp(numbers), 1e-300))
        kappa = kappa._replace(value=CohenKappa().kappa(tables, near).value)
        pi = pi._replace(value=ScottPi().kappa(tables, near).value)
    sides = np.stack((np.tril(tables, -1).sum(axis=(1, 2)), np.triu(tables, 1).sum(axis=(1, 2))), axis=1)
    return _pairs_with_numbers(
        part, first, second, tables.sum(axis=(1, 2)), kappa=kappa, pi=pi, order=order_of_tables(tables),
        spread=spreads(moments_of_tables(tables, numbers)), sides=sides,
    )  # fmt: skip


def _pairs_with_numbers(
    part: Part, first: Indices, second: Indices, items: Floats, *, kappa: Kappa, pi: Kappa, order: Order,
    spread: Spreads, sides: Floats,
) -> list[Pair]:  # fmt: skip
    counted, ordered = order.concordance, part.ordered
    numbers = np.broadcast_arrays(
        kappa.observed, kappa.expected, kappa.value, pi.value, Gamma().formula(counted), KendallTauA().formula(counted),
        KendallTauC().formula(counted), divided(spread.covariance, spread.one), Pearson().formula(spread),
    )  # fmt: skip
    counts = np.broadcast_arrays(items, counted.concordant, counted.discordant, *sides.T)
    nothing = float("nan")
    found = []
    for at, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        agreement, chance, cohen, scott, *by_order, slope, pearson = (float(number[at]) for number in numbers)
        n, *of_order = (int(count[at]) for count in counts)
        gamma, tau_a, tau_c = by_order if ordered else (nothing, nothing, nothing)
        concordant, discordant, higher, lower = of_order if ordered else (0, 0, 0, 0)
        found.append(Pair(
            first=part.name(one), second=part.name(other), items=n, agreement=agreement, chance=chance, kappa=cohen,
            pi=scott, gamma=gamma, tau_a=tau_a, tau_c=tau_c, concordant=concordant, discordant=discordant,
            higher=higher, lower=lower, slope=slope, pearson=pearson,
        ))  # fmt: skip
    return found
