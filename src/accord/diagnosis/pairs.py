"""Every pair of raters on the items both rated: agreement and correlation from the same rows."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.diagnosis.part import Indices, Part

__all__ = ["Pair", "pairs_of", "shared_rows"]

_MOST_ROWS = 8_000_000
_FEW_VALUES = 130
_MANY_PAIRS = 200
_FEW_CELLS = 2_500
_MOST_CELLS = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two raters, the items both rated, and how their ratings go together.

    ``concordant`` and ``discordant`` count pairs of items that both raters order, the same way or not:
    gamma rests on them alone. ``higher`` and ``lower`` count items to which the first rater gave the greater
    or the smaller value; ``fewest`` is the number of values that the rater with fewer of them used.
    A kappa or gamma without a value is nan.
    """

    first: str
    second: str
    items: int
    agreement: float
    chance: float
    kappa: float
    pi: float
    gamma: float
    concordant: int
    discordant: int
    higher: int
    lower: int
    slope: float
    pearson: float
    fewest: int

    @property
    def tau_a(self) -> float:
        """Kendall's τ-a: concordant minus discordant over all pairs of items, tied ones included."""
        return _ratio(self.concordant - self.discordant, self.items * (self.items - 1) / 2)

    @property
    def tau_c(self) -> float:
        """Stuart's τ-c: like τ-a, but able to reach 1 on a table that is not square."""
        return _ratio(2 * self.fewest * (self.concordant - self.discordant), self.items**2 * (self.fewest - 1))

    @property
    def untied(self) -> int:
        return self.concordant + self.discordant

    @property
    def disagreements(self) -> int:
        return self.higher + self.lower

    @property
    def title(self) -> str:
        return f"{self.first}–{self.second}"


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
    first, second = rater[left], rater[right]
    by_pair = np.lexsort((left, second, first))
    left, right, first, second = left[by_pair], right[by_pair], first[by_pair], second[by_pair]
    key = first * (len(part.rater_names) + 1) + second
    begins = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.empty(0, dtype=np.int64)
    return SharedRows(first[begins], second[begins], begins, order[left], order[right], step)


def _within_items(starts: Indices, sizes: Indices) -> tuple[Indices, Indices]:
    """Positions of all pairs of ratings inside each item, item sizes taken one at a time."""
    lefts, rights = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for size in np.unique(sizes):
        upper = np.triu_indices(int(size), 1)
        begin = starts[sizes == size]
        lefts.append((begin[:, None] + upper[0]).ravel())
        rights.append((begin[:, None] + upper[1]).ravel())
    return np.concatenate(lefts), np.concatenate(rights)


def pairs_of(part: Part, rows: SharedRows | None = None) -> list[Pair]:
    """Every pair of raters that shares an item; the names within a pair are in alphabetical order."""
    rows = rows or shared_rows(part)
    cells = len(part.ratings.scale.values) ** 2
    if len(rows.first) >= _MANY_PAIRS and (cells <= _FEW_CELLS or len(rows.first) * cells <= _MOST_CELLS):
        from accord.diagnosis.pair_tables import pairs_by_table

        return [pair for some in rows.in_parts(_MOST_CELLS // cells) for pair in pairs_by_table(part, some)]
    return [_pair(part, *(sides if _in_order(part, *sides) else sides[::-1])) for sides in _sides(rows)]


_Side = tuple[int, Indices]


def _sides(rows: SharedRows) -> Iterator[tuple[_Side, _Side]]:
    for first, second, here in rows:
        yield (first, rows.left[here]), (second, rows.right[here])


def _in_order(part: Part, left: _Side, right: _Side) -> bool:
    return part.name(left[0]) <= part.name(right[0])


def _pair(part: Part, left: _Side, right: _Side) -> Pair:
    (first, here), (second, there) = left, right
    a, b, x, y = part.code[here], part.code[there], part.score[here], part.score[there]
    agreement = float(np.mean(a == b))
    used, both = np.unique(np.concatenate([a, b]), return_inverse=True)
    in_first = np.bincount(both[: len(a)], minlength=len(used)) / len(a)
    in_second = np.bincount(both[len(a) :], minlength=len(used)) / len(b)
    chance = float(in_first @ in_second)
    pooled = float(np.square((in_first + in_second) / 2).sum())
    concordant, discordant = order_counts(x, y) if part.ordered else (0, 0)
    spread_x, spread_y = x.std(), y.std()
    covariance = float(np.mean((x - x.mean()) * (y - y.mean())))
    return Pair(
        first=part.name(first), second=part.name(second), items=len(a), agreement=agreement, chance=chance,
        kappa=_corrected(agreement, chance), pi=_corrected(agreement, pooled),
        gamma=_ratio(concordant - discordant, concordant + discordant), concordant=concordant, discordant=discordant,
        higher=int((x > y).sum()) if part.ordered else 0, lower=int((x < y).sum()) if part.ordered else 0,
        slope=_ratio(covariance, float(spread_x**2)), pearson=_ratio(covariance, float(spread_x * spread_y)),
        fewest=min(int((in_first > 0).sum()), int((in_second > 0).sum())),
    )  # fmt: skip


def _corrected(observed: float, chance: float) -> float:
    return _ratio(observed - chance, 1 - chance) if chance < 1 - 1e-12 else float("nan")


def _ratio(top: float, bottom: float) -> float:
    return float(top / bottom) if bottom > 1e-12 else float("nan")


def order_counts(x: Floats, y: Floats) -> tuple[int, int]:
    """Pairs of items that x and y order the same way, and the opposite way; ties belong to neither."""
    if len(x) < 2:
        return 0, 0
    rows, i = np.unique(x, return_inverse=True)
    columns, j = np.unique(y, return_inverse=True)
    if len(rows) <= _FEW_VALUES and len(columns) <= _FEW_VALUES:
        table = np.bincount(i * len(columns) + j, minlength=len(rows) * len(columns))
        return _table_order(table.reshape(len(rows), len(columns)))
    return _row_order(i, j)


def _table_order(table: NDArray[np.int64]) -> tuple[int, int]:
    """Each cell meets the cells below right (concordant) and below left (discordant) of it."""
    below = np.zeros_like(table)
    below[:-1] = np.cumsum(table[::-1], axis=0)[::-1][1:]
    right, left = np.zeros_like(table), np.zeros_like(table)
    right[:, :-1] = np.cumsum(below[:, ::-1], axis=1)[:, ::-1][:, 1:]
    left[:, 1:] = np.cumsum(below, axis=1)[:, :-1]
    return int((table * right).sum()), int((table * left).sum())


def _row_order(i: Indices, j: Indices, block: int = 2_000) -> tuple[int, int]:
    """The same for fine scales, a block of items against all at a time."""
    concordant = discordant = 0
    for start in range(0, len(i), block):
        sign = np.sign(i[start : start + block, None] - i) * np.sign(j[start : start + block, None] - j)
        concordant += int((sign > 0).sum())
        discordant += int((sign < 0).sum())
    return concordant // 2, discordant // 2
