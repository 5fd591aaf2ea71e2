"""Which rater judges which bundle: designs as plain index arithmetic, equal loads first, then equal overlap."""

import numpy as np
from numpy.typing import NDArray

from accord.design.assignment.even_overlap import Inside, Overlap, even_out, overlap_targets, pairs_met
from accord.errors import OptionError

__all__ = [
    "complementary_halves",
    "crossed",
    "incomplete_blocks",
    "minimum_overlap",
    "nested",
    "overlap_of",
    "williams",
]

Members = NDArray[np.int32]
"""Pairs (bundle, rater), one row each."""
Indices = NDArray[np.int32]
_STARTS, _MANY = 8, 120
"""Fresh starts where exchanges get stuck; fewer where raters are many, as each takes long."""


def crossed(bundles: int, raters: int) -> Members:
    """Every rater judges every bundle."""
    rows = np.indices((bundles, raters), dtype=np.int32).reshape(2, -1)
    return np.ascontiguousarray(rows.T)


def nested(bundles: int, raters: int, per_bundle: int, rng: np.random.Generator) -> Members:
    """Raters form teams; each bundle belongs to one team, and all of the team judge it."""
    teams = raters // per_bundle
    if teams < 1 or raters % per_bundle:
        raise OptionError(f"{raters} raters cannot form teams of {per_bundle}. Choose a divisor.")
    team_of = rng.permutation(np.arange(bundles, dtype=np.int32) % teams)
    raters_of = team_of[:, None] * per_bundle + np.arange(per_bundle, dtype=np.int32)
    return _rows(raters_of)


def minimum_overlap(bundles: int, raters: int, shared: int, rng: np.random.Generator) -> Members:
    """All raters share ``shared`` bundles; every other bundle is judged by one rater.

    No design gives every pair of raters that much in common with fewer ratings.
    """
    order = rng.permutation(bundles).astype(np.int32)
    common, alone = order[: min(shared, bundles)], order[min(shared, bundles) :]
    together = np.stack([np.repeat(common, raters), np.tile(np.arange(raters, dtype=np.int32), len(common))], axis=1)
    dealt = rng.permutation(raters).astype(np.int32)[np.arange(len(alone)) % raters]
    return np.concatenate([together, np.stack([alone, dealt], axis=1)]).astype(np.int32)


def complementary_halves(bundles: int, raters: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """(raters, bundles): true where a rater judges a bundle in the first phase, false in the second.

    Each rater has half of the bundles in each phase, and each bundle is in its first phase for
    half of the raters, both within one.
    """
    first = np.zeros((raters, bundles), dtype=bool)
    count = np.zeros(bundles, dtype=np.int64)
    for place, rater in enumerate(rng.permutation(raters)):
        size = bundles // 2 + (bundles % 2) * (place % 2)
        chosen = np.lexsort((rng.random(bundles), count))[:size]
        first[rater, chosen] = True
        count[chosen] += 1
    return first


def incomplete_blocks(
    sources: Indices, raters: int, per_bundle: int, rng: np.random.Generator, *, source_once: bool = False
) -> Members:
    """Each bundle gets ``per_bundle`` raters, loads equal within one, pairs meet within one of a whole number.

    Where no such plan is found the best one is given; ``Overlap.of`` tells how many pairs are farther off.

    ``sources[b]`` says what bundle b is about: with ``source_once`` no rater gets two bundles of one source.
    """
    most = int(np.bincount(sources).max(initial=1)) if source_once and len(sources) else 1
    if per_bundle * most > raters:
        texts = f"{most} texts of one source x {per_bundle} raters = {per_bundle * most}"
        why = (
            f"no rater may see a source twice, which needs {texts} raters"
            if source_once
            else (f"{per_bundle} ratings of each item in a group need {per_bundle} raters")
        )
        raise OptionError(f"{why}, but there are {raters}. Ask for fewer ratings of each item, or for more raters.")
    return np.argwhere(_even_blocks(sources, raters, per_bundle, rng, source_once)).astype(np.int32)


def overlap_of(members: Members, bundles: int, raters: int) -> NDArray[np.int64]:
    """How many bundles each pair of raters has in common; loads on the diagonal."""
    inside = np.zeros((bundles, raters), dtype=bool)
    inside[members[:, 0], members[:, 1]] = True
    return pairs_met(inside)


def williams(conditions: int) -> NDArray[np.int32]:
    """Orders of conditions in which each one stands at each place, and after each other one, equally often."""
    first, low, high = [0], 1, conditions - 1
    while low <= high:
        first.append(low)
        if low != high:
            first.append(high)
        low, high = low + 1, high - 1
    square = (np.array(first)[None, :] + np.arange(conditions)[:, None]) % conditions
    if conditions % 2 and conditions > 1:
        square = np.concatenate([square, square[:, ::-1]])
    return square.astype(np.int32)


def _rows(raters_of: NDArray[np.int32]) -> Members:
    bundles, width = raters_of.shape
    return np.stack([np.repeat(np.arange(bundles, dtype=np.int32), width), raters_of.ravel()], axis=1).astype(np.int32)


def _even_blocks(sources: Indices, raters: int, width: int, rng: np.random.Generator, source_once: bool) -> Inside:
    """A few fresh starts, aiming at the whole number below and above the mean in turn; the best of them."""
    targets = overlap_targets(len(sources), raters, width)
    best, fewest = np.zeros((len(sources), raters), dtype=bool), np.inf
    for start in range(max(1, min(_STARTS, _MANY // raters))):
        inside = _filled(sources, raters, width, rng, source_once)
        kept = sources if source_once else None
        if width < 2 or even_out(inside, targets[start % len(targets)], kept, rng):
            return inside
        off = Overlap.of(pairs_met(inside), width, len(sources)).off
        if off < fewest:
            best, fewest = inside, off
    return best


def _filled(sources: Indices, raters: int, width: int, rng: np.random.Generator, source_once: bool) -> Inside:
    # Where most raters judge a bundle, who does not is the shorter list, and the easier one to balance.
    chosen_ones = width <= raters - width
    listed = _Greedy(raters, width if chosen_ones else raters - width, rng).fill(sources, source_once)
    inside = np.full((len(sources), raters), not chosen_ones)
    inside[np.arange(len(sources))[:, None], listed] = chosen_ones
    return inside


class _Greedy:
    """Fill bundle by bundle: the least loaded raters, and among them those who have met least."""

    def __init__(self, raters: int, width: int, rng: np.random.Generator) -> None:
        self.width = width
        self.rng = rng
        self.load = np.zeros(raters, dtype=np.int64)
        self.met = np.zeros((raters, raters), dtype=np.int32)

    def fill(self, sources: Indices, source_once: bool) -> NDArray[np.int32]:
        chosen = np.zeros((len(sources), self.width), dtype=np.int32)
        order = np.lexsort((self.rng.random(len(sources)), self.rng.permutation(sources.max(initial=-1) + 1)[sources]))
        blocked = np.zeros(len(self.load), dtype=bool)
        before = -1
        for bundle in order:
            if not source_once or sources[bundle] != before:
                blocked[:] = False
            before = int(sources[bundle])
            chosen[bundle] = self._team(blocked)
        return chosen

    def _team(self, blocked: NDArray[np.bool_]) -> NDArray[np.int32]:
        team = np.empty(self.width, dtype=np.int32)
        meetings = np.zeros(len(self.load), dtype=np.float64)
        # One draw breaks all ties of this team; it never outweighs a meeting.
        cost = self.load * 1e6 + self.rng.random(len(self.load)) * 0.5
        cost[blocked] = np.inf
        for place in range(self.width):
            rater = int(np.argmin(cost + meetings))
            team[place] = rater
            cost[rater] = np.inf
            meetings += np.square(self.met[rater] + 1.0) - np.square(self.met[rater])
        blocked[team] = True
        self.load[team] += 1
        self.met[np.ix_(team, team)] += 1
        return team
