"""Even out how often raters meet: exchanges that keep every load and the number of raters of every bundle."""

from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from accord.records import dataclass

__all__ = ["Overlap", "even_out", "overlap_targets", "pairs_met"]

Inside = NDArray[np.bool_]
"""(bundles, raters): true where a rater judges a bundle."""
Meetings = NDArray[np.int64]
"""(raters, raters): how often each pair meets."""
Prices = NDArray[np.float64]
_PATIENCE = 500
"""Exchanges without progress after which a search is given up."""
_LEAVING, _JOINING = 12, 40
_LEAVING_FEW, _JOINING_FEW, _MANY_RATERS = 6, 12, 100
"""Bundles looked at for one exchange: those a rater may leave, those the rater may join instead."""
_TEMPERATURE = 1.0
_TOO_FAR = 10.0


@dataclass(frozen=True, slots=True)
class Overlap:
    """What pairs of raters have in common: the whole number aimed at, the range found, and how many pairs miss it."""

    target: int
    lowest: int
    highest: int
    pairs: int
    off: int

    @classmethod
    def of(cls, shared: NDArray[np.int64], per_bundle: int, bundles: int) -> "Overlap":
        """The overlap of each pair, measured against the target next to the mean that fits it better."""
        pairs = shared[np.triu_indices(len(shared), k=1)]
        found = [
            cls(target, int(pairs.min(initial=target)), int(pairs.max(initial=target)), len(pairs),
                int((np.abs(pairs - target) > 1).sum()))
            for target in overlap_targets(bundles, len(shared), per_bundle)
        ]  # fmt: skip
        return min(found, key=lambda one: one.off)

    @property
    def caution(self) -> str:
        """What to tell of pairs that miss the target; '' where none does."""
        if not self.off:
            return ""
        return (
            f"{self.off} of {self.pairs} pairs of raters share more or less than the target of {self.target}, give or "
            f"take one: pairs share {self.lowest} to {self.highest}. No plan with equal loads that does better was "
            "found, and for some numbers none exists. If it matters, change `raters` or `ratings_per_item`."
        )


def overlap_targets(bundles: int, raters: int, per_bundle: int) -> tuple[int, ...]:
    """The whole numbers next to the mean overlap of a pair, the nearer one first."""
    mean = _mean(bundles, raters, per_bundle)
    return tuple(sorted({floor(mean), ceil(mean)}, key=lambda whole: abs(whole - mean)))


def _mean(bundles: int, raters: int, per_bundle: int) -> float:
    return bundles * per_bundle * (per_bundle - 1) / (raters * (raters - 1)) if raters > 1 else 0.0


def pairs_met(inside: Inside) -> NDArray[np.int64]:
    """How many bundles each pair of raters has in common; loads on the diagonal."""
    seen = inside.astype(np.float32)
    shared: NDArray[np.int64] = np.rint(seen.T @ seen).astype(np.int64)
    return shared


def even_out(inside: Inside, target: int, sources: NDArray[np.int32] | None, rng: np.random.Generator) -> bool:
    """Exchange raters between bundles, in place, until each pair meets within one of the target; whether it succeeds.

    Each exchange brings a pair that is farthest off nearer: rater a leaves a bundle to b, and b another to a.
    With ``sources`` no rater comes to have two bundles of one source.
    """
    bundles, raters = inside.shape
    mean = _mean(bundles, raters, int(inside[0].sum()))
    met = pairs_met(inside)
    np.fill_diagonal(met, 0)
    pairs = np.triu_indices(raters, k=1)

    prices = _Prices.of(bundles, target, mean)
    fewest, waited = np.iinfo(np.int64).max, 0
    while waited < _PATIENCE:
        off = _too_far(met[pairs], target)
        if not off.any():
            return True
        fewest, waited = (int(off.sum()), 0) if off.sum() < fewest else (fewest, waited + 1)
        worst = int(rng.choice(np.flatnonzero(off == off.max())))
        a, c = int(pairs[0][worst]), int(pairs[1][worst])
        if rng.random() < 0.5:
            a, c = c, a
        if not _exchange(inside, met, a, c, met[a, c] > target, prices, sources, rng):
            return False
    return False


def _too_far(meetings: NDArray[np.int64], target: int) -> NDArray[np.int64]:
    far: NDArray[np.int64] = np.maximum(np.abs(meetings - target) - 1, 0)
    return far


@dataclass(frozen=True, slots=True)
class _Prices:
    """What it costs that a pair meets once more, or once less, by how often it meets now."""

    more: Prices
    less: Prices

    @classmethod
    def of(cls, most: int, target: int, mean: float) -> "_Prices":
        meetings = np.arange(-1, most + 2)
        cost = _TOO_FAR * np.square(_too_far(meetings, target)) + np.square(meetings - mean)
        return cls(cost[2:] - cost[1:-1], cost[:-2] - cost[1:-1])


def _exchange(
    inside: Inside, met: Meetings, a: int, c: int, too_often: np.bool_, prices: _Prices,
    sources: NDArray[np.int32] | None, rng: np.random.Generator,
) -> bool:  # fmt: skip
    """The exchange that costs least among some that change how often a and c meet, a little at random."""
    leaving, joining = (_LEAVING, _JOINING) if len(met) < _MANY_RATERS else (_LEAVING_FEW, _JOINING_FEW)
    leave = _at_most(np.flatnonzero(inside[:, a] & (inside[:, c] == too_often)), leaving, rng)
    join = np.flatnonzero(~inside[:, a] & (inside[:, c] != too_often))
    if sources is not None:
        join = join[~np.isin(sources[join], sources[inside[:, a]])]
    join = _at_most(join, joining, rng)
    if not len(leave) or not len(join):
        return False
    allowed = inside[join][None] & ~inside[leave][:, None]
    allowed[..., c] = False
    if sources is not None:
        allowed &= ~_near(inside, sources, leave)[:, None]
    others = np.flatnonzero(inside[join].any(axis=0))
    change = _changes(inside, met, a, others, leave, join, prices)
    change[~allowed[..., others]] = np.inf
    best = int(np.argmin(change + rng.exponential(_TEMPERATURE, size=change.shape)))
    first, second, other = np.unravel_index(best, change.shape)
    if not np.isfinite(change[first, second, other]):
        return False
    b = int(others[other])
    _hand_over(inside, met, int(leave[first]), a, b)
    _hand_over(inside, met, int(join[second]), b, a)
    return True


def _at_most(places: NDArray[np.intp], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return places if len(places) <= most else rng.choice(places, most, replace=False)


def _near(inside: Inside, sources: NDArray[np.int32], bundles: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(bundles, raters): who already judges something of the same source."""
    return np.array([inside[sources == sources[bundle]].any(axis=0) for bundle in bundles])


def _changes(
    inside: Inside, met: Meetings, a: int, others: NDArray[np.intp], leave: NDArray[np.intp], join: NDArray[np.intp],
    prices: _Prices,
) -> Prices:  # fmt: skip
    """What each exchange (bundle left, bundle joined, other rater b) would add to the cost of all pairs."""
    more, less = prices.more[met[:, others]], prices.less[met[:, others]]
    shape = (len(leave), len(join), len(others))
    # Who is in both bundles meets a and b as often as before; so do a and b each other.
    left = (inside[leave][:, None] & ~inside[join][None]).reshape(-1, len(met)).astype(np.float64)
    left[:, a] = 0
    joined = (inside[join][None] & ~inside[leave][:, None]).reshape(-1, len(met)).astype(np.float64)
    of_a = (left @ prices.less[met[a]] + joined @ prices.more[met[a]])[:, None] - prices.more[met[a, others]]
    of_b = left @ more + joined @ less - prices.less[met[others, others]]
    return np.asarray((of_a + of_b).reshape(shape))


def _hand_over(inside: Inside, met: Meetings, bundle: int, leaves: int, joins: int) -> None:
    inside[bundle, leaves] = False
    rest = np.flatnonzero(inside[bundle])
    for rater, step in ((leaves, -1), (joins, 1)):
        met[rater, rest] += step
        met[rest, rater] += step
    inside[bundle, joins] = True
