"""Two explanations of columns that rise from left to right, weighed: sorted values, or raters of unlike strictness.

In both, an item has a quality (normal, deviation 1); a rater sees it with normal noise and cuts what he sees into the
values of the scale. Sorted columns come from raters who are alike, put in order item by item. Honest columns
come from raters with a strictness and a noise of their own, both drawn from what is usual among raters.
"""

from collections.abc import Callable

import numpy as np

from accord.arrays import Floats, Integers
from accord.quantiles import ndtri
from accord.ratings.counts import Patterns

__all__ = ["log_odds_of_sorting"]

_STRICTNESS = 0.4
"""Deviation of strictness between honest raters, where that of the items is 1."""
_EXACTNESS = 0.3
"""Deviation of the logarithm of noise between honest raters."""
_LEFT_UNSORTED = 0.005
"""Share of rows that may not have been sorted, or were changed later."""
_MARGIN = 0.4
"""How far Laplace's approximation may err in favour of sorting, for very exact raters on three values."""
_MOST_VALUES = 7
_MOST_ROWS = 400
_STEP = 0.01
_QUALITY = np.linspace(-3.6, 3.6, 61)
_WEIGHT = np.exp(-np.square(_QUALITY) / 2) / np.exp(-np.square(_QUALITY) / 2).sum()

_Objective = Callable[[Floats], float]


def log_odds_of_sorting(rows: Patterns) -> float:
    """Logarithm of how much likelier these rows are if they were sorted than if raters differ in strictness.

    Both likelihoods are means over what is usual (Laplace's approximation), so honest raters reach odds of 100
    in at most one of 100 studies. Which order the columns were sorted into is taken as known.
    """
    codes, times = _few_rows(*_few_values(rows))
    values, raters = int(codes.max()) + 1, codes.shape[1]
    if values < 2:
        return -np.inf
    shares = np.bincount(codes.ravel(), np.repeat(times, raters), values) / (times.sum() * raters)
    cuts = 1.2 * ndtri(np.clip(np.cumsum(shares)[:-1], 0.001, 0.999))
    gaps = np.log(np.maximum(np.diff(cuts), 0.05))

    def sorted_columns(place: Floats) -> float:
        return _of_sorted(place, codes, times, values)

    def honest_columns(place: Floats) -> float:
        return _of_honest(place, codes, times, values)

    means = codes.mean(axis=0) - codes.mean()
    starts = [np.concatenate([cuts[:1], gaps, [noise]]) for noise in (-0.4, -1.6)]
    as_sorted = max(_evidence(sorted_columns, start) for start in starts)
    as_honest = max(
        _evidence(honest_columns, np.concatenate([start, 0.5 * means, np.zeros(raters)])) for start in starts
    )
    return as_sorted - as_honest - _MARGIN


def _few_values(rows: Patterns) -> tuple[Integers, Integers]:
    """Value codes without gaps; fine scales are cut into seven parts of equal size, which keeps their order."""
    used, place = np.unique(rows.codes, return_inverse=True)
    codes: Integers = place.reshape(rows.codes.shape).astype(np.int64)
    if len(used) > _MOST_VALUES:
        size = np.cumsum(np.bincount(codes.ravel(), np.repeat(rows.multiplicity, codes.shape[1])))
        part = np.minimum((size - 1) * _MOST_VALUES // size[-1], _MOST_VALUES - 1).astype(np.int64)
        _, renumbered = np.unique(part, return_inverse=True)
        codes = renumbered.astype(np.int64)[codes]
    kinds, place = np.unique(codes, axis=0, return_inverse=True)
    times = np.bincount(place.ravel(), rows.multiplicity, len(kinds)).astype(np.int64)
    return kinds.astype(np.int64), times


def _few_rows(codes: Integers, times: Integers) -> tuple[Integers, Integers]:
    """At most so many different rows, evenly taken: these decide already."""
    step = -(-len(codes) // _MOST_ROWS)
    return codes[::step], times[::step]


def _of_sorted(place: Floats, codes: Integers, times: Integers, values: int) -> float:
    """Minus the log of the probability of the rows, all raters alike and each row put in order."""
    raters = codes.shape[1]
    cuts, noise, usual = _common(place, values)
    shown = (cuts[None], np.array([np.exp(-noise)]))
    counts = [(codes == value).sum(axis=1) for value in range(values)]
    from scipy.special import gammaln

    ways = gammaln(raters + 1) - sum(gammaln(count + 1) for count in counts)
    rising = (np.diff(codes, axis=1) >= 0).all(axis=1)
    weight = np.where(rising, ways, np.log(_LEFT_UNSORTED))
    return usual - float(times @ (_log_rows(codes, *shown) + weight))


def _of_honest(place: Floats, codes: Integers, times: Integers, values: int) -> float:
    """The same, each rater with a strictness and a noise of his own."""
    raters = codes.shape[1]
    cuts, noise, usual = _common(place[:values], values)
    strictness, louder = place[values : values + raters], place[values + raters :]
    found = _log_rows(codes, cuts - strictness[:, None], np.exp(-noise - louder))
    usual += _normal(strictness, _STRICTNESS) + _normal(louder, _EXACTNESS)
    return usual - float(times @ found)


def _common(place: Floats, values: int) -> tuple[Floats, float, float]:
    """Cuts, log noise, and minus the log of how usual they are; these are the same in both explanations."""
    cuts = np.cumsum(np.concatenate([place[:1], np.exp(place[1 : values - 1])]))
    noise = float(place[values - 1])
    return cuts, noise, _normal(place[: values - 1], 2.0) + _normal(place[values - 1 :], 1.0)


def _normal(place: Floats, deviation: float) -> float:
    """Minus the log density of normal draws around 0."""
    return float(np.square(place / deviation).sum() / 2 + len(place) * np.log(deviation * np.sqrt(2 * np.pi)))


def _log_rows(codes: Integers, cuts: Floats, exactness: Floats) -> Floats:
    """Log probability of each row: the mean over qualities of the product over raters."""
    from scipy.special import ndtr  # scipy is loaded for the search, which calls this thousands of times

    raters = len(cuts)
    below = ndtr((cuts[:, :, None] - _QUALITY) * exactness[:, None, None])
    edges = np.zeros((raters, 1, len(_QUALITY)))
    each = np.maximum(np.diff(np.concatenate([edges, below, edges + 1], axis=1), axis=1), 1e-9)
    row = np.ones((len(codes), len(_QUALITY)))
    for rater in range(codes.shape[1]):
        row *= each[rater % raters][codes[:, rater]]
    return np.asarray(np.log(row @ _WEIGHT))


def _evidence(objective: _Objective, start: Floats) -> float:
    """Log of the integral of exp(-objective) around its minimum, by Laplace's approximation."""
    from scipy.optimize import minimize  # a second of loading, for a question that few ratings raise

    found = minimize(objective, start, method="L-BFGS-B", bounds=[(-8, 8)] * len(start))
    place, size = found.x, len(start)
    steps = _STEP * np.eye(size)
    forward = [objective(place + step) for step in steps]
    curvature = np.empty((size, size))
    for one in range(size):
        curvature[one, one] = forward[one] + objective(place - steps[one]) - 2 * found.fun
        for other in range(one):
            both = objective(place + steps[one] + steps[other])
            curvature[one, other] = curvature[other, one] = both - forward[one] - forward[other] + found.fun
    widths = np.maximum(np.linalg.eigvalsh(curvature / _STEP**2), 1e-3)
    return float(-found.fun + (size * np.log(2 * np.pi) - np.log(widths).sum()) / 2)
