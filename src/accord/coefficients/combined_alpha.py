r"""One alpha of several parts that are never paired with each other: disagreement summed within the parts.

.. math:: \alpha = 1 - \frac{\sum_p n_p D_{o,p}}{\sum_p n_p D_{e,p}}

where :math:`n_p` counts the pairable ratings of part p, :math:`D_{o,p}` is its observed disagreement and
:math:`D_{e,p}` the disagreement that chance would give among its own ratings. It is no mean of the parts' alphas: a
part weighs by its ratings and by how far they are spread, so that the value lies between the least and the greatest
alpha of a part. Ranks (the ordinal metric) are taken as shares of a part's ratings, as ranks of a large part would
otherwise be farther apart than those of a small one.
"""

from collections.abc import Sequence

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients.batch import divided, mid_ranks, quadratic, total
from accord.coefficients.metrics import squared_distances
from accord.design.scale import Scale
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import ItemMoments, ItemValueCounts

__all__ = ["combined", "disagreement_of_moments", "disagreement_of_values"]

_NAMES = ("observed", "expected")
_FEW_VALUES = 20
"""On up to so many ordered values the ranks are taken anew in every resample; above, they stay as they are."""


def disagreement_of_moments(moments: ItemMoments) -> SumStatistic:
    """Observed and expected disagreement, each times the ratings, by the interval metric: four numbers an item."""
    pairable = moments.ratings >= 2
    count = np.where(pairable, moments.ratings, 0).astype(np.float64)
    n = float(moments.multiplicity @ count)
    mean = float(moments.multiplicity @ np.where(pairable, moments.total, 0.0)) / n if n else 0.0
    # Centred first: on scores far from zero the closed form would subtract two huge numbers.
    squares = np.where(pairable, moments.squares - 2 * mean * moments.total + moments.ratings * mean**2, 0.0)
    first = np.where(pairable, moments.total - moments.ratings * mean, 0.0)
    within = (count * squares - np.square(first)) / np.maximum(count - 1, 1)
    features = np.stack((within, count, first, squares), axis=1)
    return SumStatistic(_NAMES, features, moments.multiplicity, _of_moments)


def _of_moments(sums: Floats) -> Floats:
    within, count, first, squares = sums.T
    spread = np.maximum(count * squares - np.square(first), 0.0)
    spread = np.where(spread > 1e-12 * np.maximum(count * squares, 1e-300), spread, 0.0)
    return np.stack((2 * within, _per_other(2 * spread, count)), axis=1)


def disagreement_of_values(table: ItemValueCounts, scale: Scale, metric: str | Floats) -> SumStatistic:
    """The same from how often each item got each value, by any metric."""
    per_item = table.counts.sum(axis=1)
    counts = table.counts * (per_item >= 2)[:, None].astype(np.float64)
    others = np.maximum(per_item - 1, 1)[:, None]
    if isinstance(metric, str) and metric == "ordinal":
        if counts.shape[1] > _FEW_VALUES:
            return _at_fixed_ranks(counts, table.multiplicity)
        each = counts / others
        pairs = counts[:, :, None] * each[:, None, :]
        place = np.arange(counts.shape[1])
        pairs[:, place, place] -= each
        features = np.hstack((pairs.reshape(len(counts), -1), counts))
        return SumStatistic(_NAMES, features, table.multiplicity, _of_ranks)
    distances = squared_distances(metric, scale)
    apart = ((counts @ distances) * counts).sum(axis=1, keepdims=True) / others

    def evaluate(sums: Floats) -> Floats:
        marginals = sums[:, 1:]
        expected = quadratic(marginals, distances, marginals)
        return np.stack((sums[:, 0], _per_other(expected, total(marginals))), axis=1)

    return SumStatistic(_NAMES, np.hstack((apart, counts)), table.multiplicity, evaluate)


def _of_ranks(sums: Floats) -> Floats:
    values = int((np.sqrt(1 + 4 * sums.shape[1]) - 1) / 2 + 0.5)
    coincidences, marginals = sums[:, : values**2].reshape(-1, values, values), sums[:, values**2 :]
    count = total(marginals)
    ranks = (mid_ranks(marginals) - count[:, None] / 2) / np.maximum(count, 1)[:, None]
    squares = total(marginals * np.square(ranks))
    products = total(total(coincidences * ranks[:, None, :]) * ranks)
    return np.stack((2 * (squares - products), _per_other(2 * count * squares, count)), axis=1)


def _at_fixed_ranks(counts: Floats, multiplicity: Integers) -> SumStatistic:
    """A fine ordered scale: the interval metric on the ranks that the ratings have as they are."""
    marginals = multiplicity @ counts
    ranks = (mid_ranks(marginals) - marginals.sum() / 2) / max(float(marginals.sum()), 1.0)
    moments = ItemMoments(counts.sum(axis=1), counts @ ranks, counts @ np.square(ranks), multiplicity)
    return disagreement_of_moments(moments)


def _per_other(spread: Floats, count: Floats) -> Floats:
    return np.asarray(np.where(count > 1, spread / np.maximum(count - 1, 1), 0.0))


def combined(parts: Sequence[SumStatistic], places: Sequence[Integers], multiplicity: Integers) -> SumStatistic:
    """Alpha over all parts as one statistic of units: ``places[p]`` says which unit each row of part p belongs to.

    A unit that occurs in several parts, such as a sentence judged in two scenarios, is drawn or left out in all of
    them at once.
    """
    ends = np.cumsum([0, *(part.features.shape[1] for part in parts)])
    features = np.zeros((len(multiplicity), int(ends[-1])))
    for part, place, start, end in zip(parts, places, ends[:-1], ends[1:], strict=True):
        np.add.at(features[:, start:end], place, part.features)

    def evaluate(sums: Floats) -> Floats:
        found = [part.evaluate(sums[:, a:b]) for part, a, b in zip(parts, ends[:-1], ends[1:], strict=True)]
        observed, expected = np.sum(found, axis=0).T
        return np.asarray(1 - divided(observed, expected))[:, None]

    return SumStatistic(("alpha",), features, multiplicity, evaluate)
