"""Triangulation: which rater of a criterion is out of step, from the pattern of pairwise correlations."""

from collections.abc import Sequence
from itertools import combinations
from math import comb, isnan

import numpy as np

from accord.arrays import renumbered
from accord.coefficients.alpha import KrippendorffAlpha
from accord.coefficients.features import View
from accord.diagnosis.pairs import Pair
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError
from accord.ratings.counts import ItemMoments, ItemValueCounts, laid_out
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
    return sorted(rows, key=lambda row: (not row.inconsistent, -row.deficit if not isnan(row.deficit) else np.inf))


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
    return dict(sorted(found.items(), key=lambda row: -np.inf if isnan(row[1]) else row[1], reverse=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence(PlainData):
    """Krippendorff's alpha without one rater, and by how much it then differs from alpha of all."""

    rater: str
    items: int
    alpha_without: float
    change: float


def influence(part: Part) -> list[Influence]:
    """Leave each rater out once: those whose leaving raises alpha most come first."""
    everyone = _alpha(part, -1)
    rows = [
        Influence(
            rater=part.name(int(rater)),
            items=int((part.rater == rater).sum()),
            alpha_without=(without := _alpha(part, int(rater))),
            change=without - everyone,
        )
        for rater in part.raters
    ]
    return sorted(rows, key=lambda row: -np.inf if isnan(row.change) else row.change, reverse=True)


def _alpha(part: Part, without: int) -> float:
    """Alpha at the level of the scale; very fine scales are taken as numbers."""
    keep = part.rater != without
    if not keep.any():
        return float("nan")
    items, item = renumbered(part.item[keep])
    ones = np.ones(len(items), dtype=np.int64)
    values = len(part.ratings.scale.values)
    if values > _FINE and part.ordered:
        score = part.score[keep]
        total, squares = np.zeros((2, len(items)))
        np.add.at(total, item, score)
        np.add.at(squares, item, np.square(score))
        return KrippendorffAlpha.of_moments(ItemMoments(np.bincount(item), total, squares, ones))
    counts = np.zeros((len(items), values), dtype=np.int64)
    np.add.at(counts, (item, part.code[keep]), 1)
    view = View(laid_out(ItemValueCounts(counts, ones)), part.ratings.scale)
    return KrippendorffAlpha().of_view(view)["value"]
