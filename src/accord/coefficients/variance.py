r"""Gwet's variances of the kappa family and of alpha: every item's pull on the coefficient, linearised.

.. math:: v(\kappa) = \frac{1 - f}{n (n-1)} \sum_i (\kappa_i^* - \kappa)^2

with f the share of a finite population of items that was rated (0 for a very large one). Never the
standard error under the hypothesis of no agreement: that one belongs to no interval.
"""

from collections.abc import Callable

import numpy as np

from accord.arrays import Floats
from accord.coefficients import alpha as alphas
from accord.coefficients.batch import divided
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.weights import weight_matrix

__all__ = ["GWET_VARIANCE", "alpha_error", "gwet_error", "item_agreement"]

_ChanceParts = tuple[float, Floats]


def item_agreement(view: View, weights: Floats) -> Floats:
    """Weighted agreement of each item, 0 where it has no pair."""
    pairs = np.maximum(view.per_item * (view.per_item - 1), 1)
    agreed: Floats = (view.counts * (view.counts @ weights - 1)).sum(axis=1) / pairs * view.pairable
    return agreed


def _shares(view: View) -> tuple[Floats, Floats]:
    """Shares of values in each item, and their mean over rated items."""
    rated = float(view.multiplicity @ (view.per_item >= 1))
    return view.shares, view.multiplicity @ view.shares / (rated or 1.0)


def _fleiss_chance(view: View, weights: Floats) -> _ChanceParts:
    shares, pi = _shares(view)
    toward = weights @ pi
    return float(pi @ toward), shares @ toward


def _gwet_chance(view: View, weights: Floats) -> _ChanceParts:
    shares, pi = _shares(view)
    values = view.values
    factor = weights.sum() / (values * (values - 1)) if values > 1 else np.nan
    return float(factor * (pi @ (1 - pi))), factor * (shares @ (1 - pi))


def _conger_chance(view: View, weights: Floats) -> _ChanceParts:
    """The pull of an item on each rater's shares, weighed by how the other raters use the values."""
    marginals = view.marginals
    per_rater = marginals.sum(axis=1)
    shares = divided(marginals, per_rater[:, None])
    others = (shares.sum(axis=0) - shares) @ weights
    pairs = max(view.raters * (view.raters - 1), 1)
    expected = float((shares * others).sum() / pairs)
    items = float(view.multiplicity @ (view.per_item >= 1))
    row, rater = view.placed
    pulls = others[rater, view.codes[row, rater]] - (shares * others).sum(axis=1)[rater]
    of_item = np.bincount(row, weights=pulls * (items / per_rater[rater]), minlength=len(view.codes))
    return expected, expected + of_item / pairs


def _no_chance(view: View, _: Floats) -> _ChanceParts:
    return 0.0, np.zeros(len(view.codes))


def _even_chance(view: View, weights: Floats) -> _ChanceParts:
    expected = float(weights.mean())
    return expected, np.full(len(view.codes), expected)


GWET_VARIANCE: dict[str, tuple[str, Callable[[View, Floats], _ChanceParts]]] = {
    "percent_agreement": ("identity", _no_chance),
    "weighted_agreement": ("linear", _no_chance),
    "fleiss_kappa": ("identity", _fleiss_chance),
    "conger_kappa": ("identity", _conger_chance),
    "gwet_ac1": ("identity", _gwet_chance),
    "gwet_ac2": ("quadratic", _gwet_chance),
    "brennan_prediger": ("identity", _even_chance),
}


def gwet_error(key: str, view: View, options: Options) -> float:
    """Standard error of a coefficient of the kappa family; nan where the coefficient is undefined."""
    default, chance = GWET_VARIANCE[key]
    named = default if key in ("percent_agreement", "gwet_ac1") else options.weights_or(default)
    weights = weight_matrix(named, view.scale)
    expected, chance_of_item = chance(view, weights)
    rated, times = view.per_item >= 1, view.multiplicity
    n, pairable = float(times @ rated), float(times @ view.pairable)
    if n < 2 or pairable == 0 or not 1 - expected > 1e-12:
        return float("nan")
    observed = item_agreement(view, weights)
    value = (float(times @ observed) / pairable - expected) / (1 - expected)
    own = n / pairable * (observed - expected * view.pairable) / (1 - expected)
    pull = own - 2 * (1 - value) * (chance_of_item - expected) / (1 - expected)
    return _error(pull[rated] - value, times[rated].astype(np.float64), n, options.sampled_share)


def alpha_error(view: View, options: Options) -> float:
    """Standard error of Krippendorff's alpha; the ordinal metric is taken at the ratings' own ranks.

    As in Gwet's irrCAC it belongs to alpha before the small-sample factor 1 - 1/n, which makes it larger
    by that factor.
    """
    pairable = slice(None) if view.pairable.all() else view.pairable > 0
    times, per_item = view.multiplicity[pairable].astype(np.float64), view.per_item[pairable]
    n, ratings = float(times.sum()), float(times @ per_item)
    if n < 2:
        return float("nan")
    within, toward = _disagreements(view, options)
    apart, toward = within[pairable] / (per_item - 1) * n / ratings, toward[pairable]
    expected = float(times @ toward) / ratings
    if not expected > 0:
        return float("nan")
    observed = float(times @ apart) / n
    mean = ratings / n
    own = (expected - apart + observed * (per_item - mean) / mean) / expected
    chance = (expected * per_item - toward) / (mean * expected)
    pull = own - 2 * observed / expected * chance
    return _error(pull - (1 - observed / expected), times, n, options.sampled_share)


def _disagreements(view: View, options: Options) -> tuple[Floats, Floats]:
    """For each item the squared distances of its ordered pairs of ratings, and of its ratings to all ratings."""
    metric = options.metric_or(str(view.scale.level))
    times = view.multiplicity.astype(np.float64)
    if isinstance(metric, str) and metric in ("ordinal", "interval"):
        per_item, total, squares = _spread(view, metric)
        count = float(times @ per_item)
        mean, mean_square = float(times @ total) / count, float(times @ squares) / count
        within = 2 * (per_item * squares - np.square(total))
        return within, squares - 2 * mean * total + per_item * mean_square
    distances = alphas.squared_distances(metric, view.scale)
    counts = view.counts * view.pairable[:, None]
    pooled = times @ counts
    return ((counts @ distances) * counts).sum(axis=1), counts @ (distances @ pooled) / pooled.sum()


def _spread(view: View, metric: str) -> tuple[Floats, Floats, Floats]:
    """Number of ratings of each item, and the sums of their scores and squares; 0 where there is but one rating."""
    per_item, sums, squares = view.per_item, *(view.score_sums if metric == "interval" else view.rank_sums)
    if view.pairable.all():
        return per_item, sums, squares
    return per_item * view.pairable, sums * view.pairable, squares * view.pairable


def _error(pulls: Floats, times: Floats, n: float, sampled_share: float) -> float:
    return float(np.sqrt((1 - sampled_share) / (n * (n - 1)) * (times @ np.square(pulls))))
