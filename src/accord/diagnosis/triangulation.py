"""Triangulation: which rater of a criterion is out of step, from the pattern of pairwise correlations."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb, isnan

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, renumbered
from accord.coefficients.alpha import KrippendorffAlpha
from accord.diagnosis.pairs import Pair
from accord.diagnosis.part import Indices, Part
from accord.errors import NotEnoughDataError
from accord.noise import ordered
from accord.ratings.counts import ItemMoments
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["Influence", "Triangulated", "influence", "subset_gammas", "triangulate"]

_LEAST_ITEMS = 10
_DEFICIT = 0.15
_MOST_SUBSETS = 5_000
_FINE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Triangulated(PlainData):
    """One rater seen through his partners.

    ``deficit`` is by how much gamma with this rater falls below gamma with the partners' other partners, on average.
    ``lowest_for`` are the partners for whom this rater is the worst match; ``inconsistent`` says
    that this is so for all of them (two or more), raters already named left out, by at least 0.15.
    """

    rater: str
    pairs: int
    gamma: float
    deficit: float
    lowest_for: tuple[str, ...]
    inconsistent: bool


def triangulate(pairs: Sequence[Pair]) -> list[Triangulated]:
    """Every rater of a criterion, those out of step first."""
    gammas = {
        (one, other): pair.gamma
        for pair in pairs
        if pair.items >= _LEAST_ITEMS and not isnan(pair.gamma)
        for one, other in ((pair.first, pair.second), (pair.second, pair.first))
    }
    named: list[str] = []
    while (found := _out_of_step(gammas, named)) is not None:
        named.append(found)
    raters = dict.fromkeys(name for pair in gammas for name in pair)
    rows = [_triangulated(gammas, rater, named) for rater in raters]
    furthest = ordered(rows, lambda row: row.deficit, lambda row: row.rater, highest=True, size=1.0)
    return sorted(furthest, key=lambda row: not row.inconsistent)


def _partners(gammas: dict[tuple[str, str], float], rater: str, without: Sequence[str]) -> dict[str, float]:
    return {b: gamma for (a, b), gamma in gammas.items() if a == rater and b not in without}


def _out_of_step(gammas: dict[tuple[str, str], float], named: Sequence[str]) -> str | None:
    """The rater with the largest deficit among those who are every partner's worst match."""
    best, largest = None, _DEFICIT
    for rater in dict.fromkeys(a for a, _ in gammas if a not in named):
        row = _triangulated(gammas, rater, named)
        partners = _partners(gammas, rater, named)
        if len(partners) >= 2 and set(row.lowest_for) >= set(partners) and row.deficit >= largest:
            best, largest = rater, row.deficit
    return best


def _triangulated(gammas: dict[tuple[str, str], float], rater: str, named: Sequence[str]) -> Triangulated:
    without = list(named[: named.index(rater)]) if rater in named else list(named)
    partners = _partners(gammas, rater, without)
    deficits, lowest = [], []
    for partner, gamma in partners.items():
        rest = [value for name, value in _partners(gammas, partner, without).items() if name != rater]
        if rest:
            deficits.append(float(np.mean(rest)) - gamma)
            if gamma < min(rest):
                lowest.append(partner)
    return Triangulated(
        rater=rater,
        pairs=len(partners),
        gamma=float(np.mean(list(partners.values()))) if partners else float("nan"),
        deficit=float(np.mean(deficits)) if deficits else float("nan"),
        lowest_for=tuple(lowest),
        inconsistent=rater in named,
    )


def subset_gammas(pairs: Sequence[Pair], size: int) -> dict[tuple[str, ...], float]:
    """Mean pairwise gamma of every set of so many raters, the highest first."""
    raters = sorted({name for pair in pairs for name in (pair.first, pair.second)})
    if comb(len(raters), size) > _MOST_SUBSETS:
        raise NotEnoughDataError(
            f"{len(raters)} raters have {comb(len(raters), size):,} subsets of {size}: too many to list. "
            "Choose a group of raters first."
        )
    gamma = {frozenset((pair.first, pair.second)): pair.gamma for pair in pairs}
    found = {}
    for subset in combinations(raters, size):
        values = [gamma.get(frozenset(link), float("nan")) for link in combinations(subset, 2)]
        known = [value for value in values if not isnan(value)]
        found[subset] = float(np.mean(known)) if known else float("nan")
    return dict(ordered(found.items(), lambda row: row[1], lambda row: " ".join(row[0]), highest=True, size=1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence(PlainData):
    """Krippendorff's alpha without one rater, and by how much it then differs from alpha of all."""

    rater: str
    items: int
    alpha_without: float
    change: float


def influence(part: Part) -> list[Influence]:
    """Leave each rater out once: those whose leaving raises alpha most come first."""
    alpha = _without_rater(part)
    everyone = alpha(-1)
    rows = [
        Influence(
            rater=part.name(int(rater)),
            items=int((part.rater == rater).sum()),
            alpha_without=(without := alpha(int(rater))),
            change=without - everyone,
        )
        for rater in part.raters
    ]
    return ordered(rows, lambda row: row.change, lambda row: row.rater, highest=True, size=1.0)


def _without_rater(part: Part) -> Callable[[int], float]:
    """Alpha without the rater of a code, at the level of the scale; very fine scales are taken as numbers."""
    items, item = renumbered(part.item)
    values = len(part.ratings.scale.values)
    if values > _FINE and part.ordered:
        return lambda rater: _of_numbers(item, part.score, part.rater != rater)
    cell, shape = item * values + part.code, (len(items), values)
    everyone = np.bincount(cell, minlength=len(items) * values)

    def alpha(rater: int) -> float:
        counts = everyone - np.bincount(cell[part.rater == rater], minlength=len(everyone))
        return KrippendorffAlpha().of_counts(counts.reshape(shape).astype(np.float64), part.ratings.scale)

    return alpha


def _of_numbers(item: Indices, score: Floats, keep: NDArray[np.bool_]) -> float:
    items, item = renumbered(item[keep])
    score, ones = score[keep], np.ones(len(items), dtype=np.int64)
    total, squares = (np.bincount(item, numbers).astype(np.float64) for numbers in (score, np.square(score)))
    return KrippendorffAlpha.of_moments(ItemMoments(np.bincount(item), total, squares, ones))
