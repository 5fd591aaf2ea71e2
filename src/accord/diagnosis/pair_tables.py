"""All pairs of raters at once, from one table of values a pair: what makes hundreds of raters affordable."""

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.diagnosis.pairs import Pair, SharedRows
from accord.diagnosis.part import Part

__all__ = ["pairs_by_table"]

Tables = NDArray[np.float64]
_TINY = 1e-12


def pairs_by_table(part: Part, rows: SharedRows) -> list[Pair]:
    """The same pairs as one by one; the names within a pair are in alphabetical order."""
    names = [(part.name(int(one)), part.name(int(other))) for one, other in zip(rows.first, rows.second, strict=True)]
    turned = np.array([one > other for one, other in names], dtype=bool)
    tables, numbers = _tables(part, rows)
    tables[turned] = tables[turned].transpose(0, 2, 1)
    items = tables.sum(axis=(1, 2))
    concordant, discordant, lower, higher = _order(tables, numbers) if part.ordered else np.zeros((4, len(tables)))
    agreement = np.trace(tables, axis1=1, axis2=2) / items
    first, second = tables.sum(axis=2) / items[:, None], tables.sum(axis=1) / items[:, None]
    chance = (first * second).sum(axis=1)
    pooled = np.square((first + second) / 2).sum(axis=1)
    covariance, spread_first, spread_second = _moments(tables, first, second, numbers, items)
    gamma = _ratio(concordant - discordant, concordant + discordant)
    kappa, pi = _corrected(agreement, chance), _corrected(agreement, pooled)
    slope, pearson = _ratio(covariance, spread_first**2), _ratio(covariance, spread_first * spread_second)
    columns = zip(
        agreement.tolist(), chance.tolist(), kappa.tolist(), pi.tolist(), gamma.tolist(), slope.tolist(),
        pearson.tolist(), strict=True,
    )  # fmt: skip
    fewest = np.minimum((first > 0).sum(axis=1), (second > 0).sum(axis=1))
    counts = np.stack([items, concordant, discordant, higher, lower, fewest], axis=1).astype(np.int64).tolist()
    return [
        Pair(
            first=other if turn else one, second=one if turn else other, items=n, agreement=row[0], chance=row[1],
            kappa=row[2], pi=row[3], gamma=row[4], concordant=c, discordant=d, higher=up, lower=down,
            slope=row[5], pearson=row[6], fewest=few,
        )
        for (one, other), turn, row, (n, c, d, up, down, few) in zip(names, turned, columns, counts, strict=True)
    ]  # fmt: skip


def _tables(part: Part, rows: SharedRows) -> tuple[Tables, Floats]:
    """(pairs, values, values), values in ascending order, and the values as numbers."""
    numbers = part.ratings.scale.array
    order = np.argsort(numbers, kind="stable")
    rank = np.empty(len(numbers), dtype=np.int64)
    rank[order] = np.arange(len(numbers))
    size = len(numbers)
    pair = np.repeat(np.arange(len(rows.first)), np.diff(np.append(rows.starts, len(rows.left))))
    cell = (pair * size + rank[part.code[rows.left]]) * size + rank[part.code[rows.right]]
    found = np.bincount(cell, minlength=len(rows.first) * size * size)
    return found.reshape(-1, size, size).astype(np.float64), numbers[order]


def _order(tables: Tables, numbers: Floats) -> Floats:
    """Concordant and discordant item pairs, and items on which the first rater is lower and higher."""
    below = np.zeros_like(tables)
    below[:, :-1] = np.cumsum(tables[:, ::-1], axis=1)[:, ::-1][:, 1:]
    right, left = np.zeros_like(tables), np.zeros_like(tables)
    right[:, :, :-1] = np.cumsum(below[:, :, ::-1], axis=2)[:, :, ::-1][:, :, 1:]
    left[:, :, 1:] = np.cumsum(below, axis=2)[:, :, :-1]
    above = np.less.outer(numbers, numbers)
    return np.stack([
        (tables * right).sum(axis=(1, 2)), (tables * left).sum(axis=(1, 2)),
        (tables * above).sum(axis=(1, 2)), (tables * above.T).sum(axis=(1, 2)),
    ])  # fmt: skip


def _moments(
    tables: Tables, first: Floats, second: Floats, numbers: Floats, items: Floats
) -> tuple[Floats, Floats, Floats]:
    """Covariance and the two standard deviations."""
    x = numbers - first @ numbers[:, None]
    y = numbers - second @ numbers[:, None]
    covariance = np.einsum("pij,pi,pj->p", tables, x, y) / items
    return covariance, np.sqrt((first * x**2).sum(axis=1)), np.sqrt((second * y**2).sum(axis=1))


def _ratio(top: Floats, bottom: Floats) -> Floats:
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom > _TINY))


def _corrected(observed: Floats, chance: Floats) -> Floats:
    return _ratio(observed - chance, np.where(chance < 1 - _TINY, 1 - chance, 0.0))
