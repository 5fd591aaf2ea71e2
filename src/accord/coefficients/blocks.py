"""The blocks of features themselves, one function each: (patterns, width) from a view."""

import numpy as np

from accord import sizes
from accord.arrays import Floats, every_pair
from accord.coefficients.features import Block, View

__all__ = [
    "AVERAGES", "COINCIDENCES", "COMPLETE_AGREEMENT", "COMPLETE_MARGINALS", "COMPLETE_TABLES",
    "MARGINALS", "MOMENTS", "PAIRABLE", "PAIR_MARGINALS", "PAIR_MOMENTS",
    "PAIR_TABLES", "POOLED", "RATED", "RATER_MOMENTS", "SHARES", "WEIGHTS", "agreement", "columns_of", "disagreement",
    "over_ratings", "pair_agreement",
]  # fmt: skip


def named(name: str, matrix: Floats) -> str:
    """A name that tells two matrices apart, in this process: asked for each coefficient, so it must cost nothing."""
    return f"{name}:{matrix.shape}:{hash(matrix.tobytes())}"


def columns_of(width: int, patterns: int) -> Floats:
    """Room for features that are written, and later read, column by column."""
    return np.empty((width, patterns)).T


def _divisor(view: View) -> Floats:
    """r (r - 1), and 1 where an item has no pair."""
    return np.maximum(view.per_item * (view.per_item - 1), 1)


def _pooled(view: View) -> Floats:
    return view.counts * view.pairable[:, None]


def _shares(view: View) -> Floats:
    """The share of each value in the ratings of an item."""
    return np.asarray(view.counts / np.maximum(view.per_item, 1)[:, None])


def _coincidences(view: View) -> Floats:
    """Value pairs within an item, each over (ratings - 1)."""
    counts = _pooled(view)
    each = counts / np.maximum(view.per_item - 1, 1)[:, None]
    pairs = counts[:, :, None] * each[:, None, :]
    place = np.arange(view.values)
    pairs[:, place, place] -= each
    return pairs.reshape(len(counts), -1)


def _marginals(view: View) -> Floats:
    return view.chosen.reshape(len(view.codes), -1)


def _complete_marginals(view: View) -> Floats:
    return _marginals(view) * view.complete[:, None]


def _complete_agreement(view: View) -> Floats:
    """1 where two raters gave the same value, over items that all rated: (pairs,)."""
    first, second = every_pair(view.raters)
    same: Floats = (view.codes[:, first] == view.codes[:, second]) * view.complete[:, None]
    return same


def _pair_tables(view: View) -> Floats:
    first, second = view.pairs
    tables = view.chosen[:, first, :, None] * view.chosen[:, second, None, :]
    return tables.reshape(len(view.codes), -1)


def _complete_tables(view: View) -> Floats:
    """Tables of all ordered pairs of raters, a rater with himself too, over items that all rated."""
    chosen = view.chosen * view.complete[:, None, None]
    tables = chosen[:, :, None, :, None] * view.chosen[:, None, :, None, :]
    return tables.reshape(len(view.codes), -1)


def _pair_marginals(view: View) -> Floats:
    """What each rater of a pair gave on the items both rated: (pairs, 2, values)."""
    first, second = view.pairs
    both = np.stack((view.chosen[:, first], view.chosen[:, second]), axis=2) * view.both[:, :, None, None]
    return both.reshape(len(view.codes), -1)


def _pair_moments(view: View) -> Floats:
    """n, sums, squares and product of the scores of each pair: (6, pairs)."""
    first, second = view.pairs
    one, other = view.scores[:, first] * view.both, view.scores[:, second] * view.both
    return np.hstack((view.both, one, other, one * one, other * other, one * other))


def _rater_moments(view: View) -> Floats:
    """Where all rated all: the item itself, the score and its square of each rater, and the product of each pair."""
    scores, raters = view.scores, view.raters
    moments = columns_of(1 + 2 * raters + len(view.pairs[0]), len(scores))
    moments[:, 0], moments[:, 1 : 1 + raters] = 1.0, scores
    np.square(scores, out=moments[:, 1 + raters : 1 + 2 * raters])
    for place, (first, second) in enumerate(zip(*view.pairs, strict=True), start=1 + 2 * raters):
        np.multiply(scores[:, first], scores[:, second], out=moments[:, place])
    return moments


def _moments(view: View) -> Floats:
    """Over pairable items: (r squares - total^2) / (r - 1), ratings, total, squares."""
    return np.stack(_moment_columns(view), axis=1) * view.pairable[:, None]


def _summed_moments(view: View) -> Floats:
    weights = view.multiplicity * view.pairable
    return np.array([weights @ column for column in _moment_columns(view)])


def _moment_columns(view: View) -> tuple[Floats, Floats, Floats, Floats]:
    sums, squares = view.score_sums
    within = (view.per_item * squares - np.square(sums)) / np.maximum(view.per_item - 1, 1)
    return within, view.per_item, sums, squares


def _averages(view: View) -> Floats:
    """Over complete items: their number, total^2, squares, and the score of each rater."""
    sums, squares = view.score_sums
    averages = columns_of(3 + view.raters, len(sums))
    averages[:, 0], averages[:, 2], averages[:, 3:] = 1.0, squares, view.scores
    np.square(sums, out=averages[:, 1])
    if not view.is_complete:
        averages *= view.complete[:, None]
    return averages


def _pairs(view: View) -> int:
    return len(view.pairs[0])


def _every_pair(view: View) -> int:
    return view.raters * (view.raters - 1) // 2


def _values(view: View) -> int:
    return view.values


def _single_number(_: View) -> int:
    return 1


def _rater_values(view: View) -> int:
    return view.raters * view.values


RATED = Block("rated", _single_number, lambda view: (view.per_item >= 1).astype(np.float64)[:, None])
PAIRABLE = Block("pairable", _single_number, lambda view: view.pairable[:, None])
SHARES = Block("shares", _values, _shares, lambda view: view.counted_by(view.times / np.maximum(view.per_item, 1)))
POOLED = Block("pooled", _values, _pooled)
COINCIDENCES = Block("coincidences", lambda view: view.values**2, _coincidences)
MARGINALS = Block("marginals", _rater_values, _marginals, lambda view: view.marginals.ravel())
COMPLETE_MARGINALS = Block("complete marginals", _rater_values, _complete_marginals)
COMPLETE_AGREEMENT = Block("complete agreement", _every_pair, _complete_agreement)
PAIR_TABLES = Block("pair tables", lambda view: _pairs(view) * view.values**2, _pair_tables)
COMPLETE_TABLES = Block("complete tables", lambda view: _rater_values(view) ** 2, _complete_tables)
PAIR_MARGINALS = Block("pair marginals", lambda view: 2 * _pairs(view) * view.values, _pair_marginals)
PAIR_MOMENTS = Block("pair moments", lambda view: 6 * _pairs(view), _pair_moments)
RATER_MOMENTS = Block("rater moments", lambda view: 1 + 2 * view.raters + _pairs(view), _rater_moments)
MOMENTS = Block("moments", lambda _: 4, _moments, _summed_moments)
AVERAGES = Block("averages", lambda view: 3 + view.raters, _averages)
WEIGHTS = Block("weights", lambda view: len(view.codes), lambda view: np.eye(len(view.codes)))
"""How often each pattern occurs: for what compares every item with every other."""


def over_ratings(view: View, matrix: Floats) -> Floats:
    """The sum of a matrix over all ordered pairs of ratings of an item, a rating with itself too."""
    ratings = view.nameless.raters
    if not sizes.few_ratings(ratings, view.values):
        return np.asarray(((view.counts @ matrix) * view.counts).sum(axis=1))
    both = np.zeros((view.values + 1, view.values + 1))  # -1, no rating, points at the spare last place
    both[:-1, :-1] = matrix + matrix.T
    columns, width = view.nameless.columns % (view.values + 1), view.values + 1
    found: Floats = np.append(np.diag(matrix), 0.0)[columns].sum(axis=0)
    for one, other in zip(*every_pair(ratings), strict=True):
        found += both.ravel().take(columns[one] * width + columns[other])
    return found


def agreement(weights: Floats) -> Block:
    """Weighted share of agreeing pairs of ratings in an item."""

    def build(view: View) -> Floats:
        agreeing = over_ratings(view, weights) - view.per_item
        share: Floats = (agreeing / _divisor(view) * view.pairable)[:, None]
        return share

    return Block(named("agreement", weights), _single_number, build)


def disagreement(distances: Floats) -> Block:
    """Squared distances of all ordered pairs of ratings in an item, over (ratings - 1)."""

    def build(view: View) -> Floats:
        apart = over_ratings(view, distances)
        each: Floats = (apart / np.maximum(view.per_item - 1, 1) * view.pairable)[:, None]
        return each

    return Block(named("disagreement", distances), _single_number, build)


def pair_agreement(weights: Floats) -> Block:
    """Weight of the two values of each pair of raters, 0 where one did not rate: (pairs,)."""

    def build(view: View) -> Floats:
        first, second = view.pairs
        credit: Floats = weights[view.codes[:, first], view.codes[:, second]] * view.both
        return credit

    return Block(named("pair agreement", weights), _pairs, build)
