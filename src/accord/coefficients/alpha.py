r"""Krippendorff's alpha for every level of measurement, missing ratings allowed.

.. math:: \alpha = 1 - \frac{D_o}{D_e}
          = 1 - (n - 1) \frac{\sum_{ck} o_{ck}\,\delta^2_{ck}}{\sum_{ck} n_c n_k\,\delta^2_{ck}}

where :math:`o_{ck}` counts how often values c and k meet within an item, each item weighing by
1 / (its ratings - 1), :math:`n_c = \sum_k o_{ck}` and :math:`n = \sum_c n_c`.
Items with fewer than two ratings are ignored: nothing can be compared in them.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers
from accord.coefficients.batch import divided, mid_ranks, quadratic, total
from accord.design.scale import Scale
from accord.errors import OptionError
from accord.ratings.counts import ItemMoments, ItemValueCounts

__all__ = [
    "METRICS", "alpha_from_sums", "interval_alpha", "interval_alpha_from_sums", "krippendorff_alpha", "mid_ranks",
    "ordinal_alpha_from_sums", "ordinal_alpha_of_codes", "squared_distances",
]  # fmt: skip

_CHUNK_CELLS = 4_000_000


def krippendorff_alpha(table: ItemValueCounts, scale: Scale, metric: str | Floats = "") -> float:
    """Krippendorff's alpha; ``metric`` is by default the level of the scale.

    1 is perfect agreement, 0 is chance, below 0 is systematic disagreement; nan if only one
    value occurs: agreement is then undefined, not perfect.
    """
    metric = metric if not isinstance(metric, str) else metric or str(scale.level)
    counts = table.counts * (table.counts.sum(axis=1) >= 2)[:, None]
    weights = table.multiplicity.astype(np.float64)
    marginals = weights @ counts
    if isinstance(metric, str) and metric == "ordinal":
        numbers = mid_ranks(marginals)
    elif isinstance(metric, str) and metric == "interval":
        numbers = scale.array - np.mean(scale.array)
    else:
        return _alpha_of_metric(counts, weights, marginals, scale, metric)
    per_item = counts.sum(axis=1)
    moments = ItemMoments(per_item, counts @ numbers, counts @ np.square(numbers), table.multiplicity)
    return interval_alpha(moments)


def _alpha_of_metric(counts: Floats, weights: Floats, marginals: Floats, scale: Scale, metric: str | Floats) -> float:
    distances = squared_distances(metric, scale)
    per_item = counts.sum(axis=1)
    each = weights / np.maximum(per_item - 1, 1)
    observed = 0.0
    step = max(1, _CHUNK_CELLS // max(counts.shape[1], 1))
    for start in range(0, len(counts), step):
        part = counts[start : start + step].astype(np.float64)
        observed += float(each[start : start + step] @ ((part @ distances) * part).sum(axis=1))
    return float(alpha_from_sums(np.array(observed), marginals, distances))


def interval_alpha(moments: ItemMoments) -> float:
    r"""Alpha at interval level in closed form, O(items): no table of values is ever made.

    Within an item :math:`\sum_{g \ne h} (x_g - x_h)^2 = 2 (r \sum x^2 - (\sum x)^2)`; the same over all ratings.
    """
    weights = moments.multiplicity.astype(np.float64)
    return interval_alpha_of_sums(moments.ratings, moments.total, moments.squares, weights)


def interval_alpha_of_sums(ratings: Integers | Floats, total: Floats, squares: Floats, weights: Floats) -> float:
    """The same from arrays: number of ratings, sum of scores and of squares of each item, and how often it occurs."""
    pairable = ratings >= 2
    if not pairable.all():
        ratings, total, squares, weights = ratings[pairable], total[pairable], squares[pairable], weights[pairable]
    count = float(weights @ ratings)
    if count == 0:
        return float("nan")
    mean = float(weights @ total) / count
    # Centred first: on scores far from zero the closed form would subtract two huge numbers.
    squares = squares - 2 * mean * total + ratings * mean * mean
    total = total - ratings * mean
    within = weights @ ((ratings * squares - np.square(total)) / (ratings - 1))
    return float(interval_alpha_from_sums(within, np.array(count), weights @ total, weights @ squares))


def interval_alpha_from_sums(within: Floats, count: Floats, first: Floats, squares: Floats) -> Floats:
    """``within`` sums (r * squares - total^2) / (r - 1) over items; the others sum over pairable ratings."""
    spread = count * squares - np.square(first)
    spread = np.where(spread > 1e-12 * np.maximum(count * squares, 1e-300), spread, 0.0)
    alpha: Floats = 1 - (count - 1) * divided(within, spread)
    return alpha


def alpha_from_sums(observed: Floats, marginals: Floats, distances: Floats) -> Floats:
    """``observed`` sums over items the squared distances of all ordered pairs, divided by (ratings - 1)."""
    expected = quadratic(marginals, distances, marginals)
    alpha: Floats = 1 - (total(marginals) - 1) * divided(observed, expected)
    return alpha


def ordinal_alpha_from_sums(coincidences: Floats, marginals: Floats) -> Floats:
    """Ordinal alpha is interval alpha on mid-ranks: ``coincidences`` (..., values, values) as they sum up."""
    ranks = mid_ranks(marginals)
    count = total(marginals)
    ranks = ranks - count[..., None] / 2
    first, squares = total(marginals * ranks), total(marginals * np.square(ranks))
    products = total(total(coincidences * ranks[..., None, :]) * ranks)
    return interval_alpha_from_sums(squares - products, count, first, squares)


def ordinal_alpha_of_codes(codes: NDArray[np.int32], weights: Floats, values: int) -> float:
    """Ordinal alpha of (patterns, raters) codes: memory and time grow with the ratings, not with the values."""
    given = codes >= 0
    per_item = given.sum(axis=1)
    given &= (per_item >= 2)[:, None]
    each = np.broadcast_to(weights[:, None], codes.shape)[given]
    ranks = mid_ranks(np.bincount(codes[given], weights=each, minlength=values).astype(np.float64))
    ranks = ranks - each.sum() / 2
    scores = np.append(ranks, 0.0)[codes] * given
    return interval_alpha_of_sums(per_item, scores.sum(axis=1), np.square(scores).sum(axis=1), weights)


def squared_distances(metric: str | Floats, scale: Scale) -> Floats:
    """Squared distance of every two values, for the metrics that do not depend on the ratings."""
    if not isinstance(metric, str):
        own = np.asarray(metric, dtype=np.float64)
        if own.shape != (len(scale), len(scale)) or not np.allclose(own, own.T) or np.diag(own).any() or own.min() < 0:
            raise OptionError(
                f"The matrix of distances must be {len(scale)} x {len(scale)}, symmetric, 0 on the diagonal and "
                "nowhere negative."
            )
        return np.square(own)
    if metric not in METRICS:
        raise OptionError(f"There is no metric named {metric!r} for alpha. Known: ordinal, {', '.join(METRICS)}.")
    return METRICS[metric](scale.array, scale)


def _nominal(numbers: Floats, _: Scale) -> Floats:
    return 1 - np.eye(len(numbers))


def _interval(numbers: Floats, _: Scale) -> Floats:
    return np.square(np.subtract.outer(numbers, numbers))


def _ratio(numbers: Floats, _: Scale) -> Floats:
    sums = np.add.outer(numbers, numbers)
    apart = np.subtract.outer(numbers, numbers)
    return np.square(np.divide(apart, sums, out=np.zeros(sums.shape), where=sums != 0))


def _circular(numbers: Floats, scale: Scale) -> Floats:
    r""":math:`[\sin(\pi (c-k)/U)]^2` with U the length of the circle: the ends of the scale plus one step."""
    low = scale.low if scale.low is not None else numbers.min(initial=np.inf)
    high = scale.high if scale.high is not None else numbers.max(initial=-np.inf)
    steps = np.diff(np.unique(numbers))
    around = high - low + (steps.min() if len(steps) else 1.0)
    return np.square(np.sin(np.pi * np.subtract.outer(numbers, numbers) / around))


METRICS: dict[str, Callable[[Floats, Scale], Floats]] = {
    "nominal": _nominal,
    "interval": _interval,
    "ratio": _ratio,
    "circular": _circular,
}
