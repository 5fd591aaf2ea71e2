"""Which rater judges which bundle: designs as plain index arithmetic, equal loads first, then equal overlap."""

from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from accord.errors import OptionError

__all__ = [
    "complementary_halves",
    "crossed",
    "incomplete_blocks",
    "minimum_overlap",
    "nested",
    "overlap_of",
    "overlap_range",
    "williams",
]

Members = NDArray[np.int32]
"""Pairs (bundle, rater), one row each."""
Indices = NDArray[np.int32]
_REPAIRS = 100
_STARTS = 8


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
    """Each bundle gets ``per_bundle`` raters, loads equal within one, pairs of raters meet about equally often.

    ``sources[b]`` says what bundle b is about: with ``source_once`` no rater gets two bundles of one source.
    """
    most = int(np.bincount(sources).max(initial=1)) if source_once and len(sources) else 1
    if per_bundle * most > raters:
        needed = f"{most} texts of one source x {per_bundle} raters = {per_bundle * most}"
        raise OptionError(
            f"no rater may see a source twice, which needs {needed} raters, but there are {raters}. "
            "Ask for fewer ratings of each item, or for more raters."
        )
    if source_once:
        return _rows(_Greedy(raters, per_bundle, rng).fill(sources, source_once))
    return _rows(_even_blocks(sources, raters, per_bundle, rng))


def overlap_of(members: Members, bundles: int, raters: int) -> NDArray[np.int64]:
    """How many bundles each pair of raters has in common; loads on the diagonal."""
    seen = np.zeros((bundles, raters), dtype=np.float32)
    seen[members[:, 0], members[:, 1]] = 1
    shared: NDArray[np.int64] = np.rint(seen.T @ seen).astype(np.int64)
    return shared


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


def overlap_range(bundles: int, raters: int, per_bundle: int) -> tuple[int, int]:
    """What the overlap of each pair is promised to lie in: the mean, rounded either way, give or take one."""
    mean = bundles * per_bundle * (per_bundle - 1) / (raters * (raters - 1)) if raters > 1 else 0.0
    return floor(mean) - 1, ceil(mean) + 1


def _even_blocks(sources: Indices, raters: int, width: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Blocks whose pairs meet within the promised range; a few fresh starts where exchanges get stuck."""
    for _ in range(_STARTS):
        chosen = _Greedy(raters, width, rng).fill(sources, False)
        if _even_overlap(chosen, raters, rng):
            break
    return chosen


def _even_overlap(chosen: NDArray[np.int32], raters: int, rng: np.random.Generator) -> bool:
    """Exchange raters between bundles, loads kept, until each pair's overlap is in the promised range."""
    bundles, width = chosen.shape
    if width < 2:
        return True
    met = overlap_of(_rows(chosen), bundles, raters).astype(np.float64)
    low, high = overlap_range(bundles, raters, width)
    pairs = np.triu_indices(raters, k=1)
    np.fill_diagonal(met, 0)
    for _ in range(_REPAIRS):
        if low <= met[pairs].min() and met[pairs].max() <= high:
            return True
        if not _exchange(chosen, met, (low + high) / 2, rng):
            return False
    return False


def _exchange(chosen: NDArray[np.int32], met: NDArray[np.float64], target: float, rng: np.random.Generator) -> bool:
    """One exchange that makes overlaps more equal: rater a leaves a bundle for b, b leaves another for a."""
    raters = len(met)
    deviation = np.where(np.eye(raters, dtype=bool), 0, np.abs(met - target))
    worst = np.argsort(-deviation, axis=None, kind="stable")[: 2 * raters]
    for pair in worst:
        a, c = divmod(int(pair), raters)
        if deviation[a, c] < 0.5:
            return False
        if _exchange_of(chosen, met, a, c, rng):
            return True
    return False


def _exchange_of(chosen: NDArray[np.int32], met: NDArray[np.float64], a: int, c: int, rng: np.random.Generator) -> bool:
    """The best exchange that changes how often ``a`` and ``c`` meet, if one helps."""
    inside = np.zeros((len(chosen), len(met)), dtype=bool)
    inside[np.arange(len(chosen))[:, None], chosen] = True
    sums = inside.astype(np.float64) @ met
    best, move = -0.5, None
    with_a = rng.permutation(np.flatnonzero(inside[:, a]))
    for bundle in with_a[:24]:
        for b in np.flatnonzero(~inside[bundle]):
            others = np.flatnonzero(inside[:, b] & ~inside[:, a])
            if not len(others):
                continue
            # Sum of squared overlaps: leaving frees the meetings of one team, joining adds those of the other.
            leave = sums[bundle, b] - met[a, b] - sums[bundle, a]
            join = sums[others, a] - met[a, b] - sums[others, b]
            shared = (inside[bundle] & inside[others]).sum(axis=1)
            change = 2 * (leave + join) + 4 * (inside.sum(axis=1)[bundle] - 1) - 4 * shared
            place = int(np.argmin(change))
            if change[place] < best:
                best, move = float(change[place]), (int(bundle), int(others[place]), int(b))
    if move is None:
        return False
    _swap(chosen, met, a, *move)
    return True


def _swap(chosen: NDArray[np.int32], met: NDArray[np.float64], a: int, bundle: int, other: int, b: int) -> None:
    for row, leaves, joins in ((bundle, a, b), (other, b, a)):
        rest = chosen[row][chosen[row] != leaves]
        met[leaves, rest] -= 1
        met[rest, leaves] -= 1
        met[joins, rest] += 1
        met[rest, joins] += 1
        chosen[row] = np.append(rest, joins)
