r"""How much of alpha's variance comes from which ratings each item got, and would go away with ever more raters.

Linearised, an item of m ratings adds :math:`\frac{m}{n D_e} \theta` to alpha, where :math:`\theta` is the mean over
its pairs of ratings of :math:`h(x, y) = -\delta^2_{xy} + \frac{D_o}{D_e}(\bar\delta^2_x + \bar\delta^2_y) - D_o` and
:math:`\bar\delta^2_x` is the mean squared distance of x to all ratings. With m ratings, :math:`\hat\theta` scatters
around what endless raters would give. :math:`\theta^2` has an unbiased estimate, the mean of h over two pairs that
share no rating; what :math:`\hat\theta^2` exceeds it by is the noise. Fewer than four ratings have no two such pairs
and say nothing of it.
"""

import numpy as np

from accord import sizes
from accord.arrays import Floats
from accord.coefficients.alpha import KrippendorffAlpha
from accord.coefficients.batch import mid_ranks
from accord.coefficients.coefficient import DEFAULTS
from accord.coefficients.features import View
from accord.coefficients.metrics import squared_distances
from accord.coefficients.options import Options
from accord.records import dataclass

__all__ = ["RaterNoise", "noise_of_raters"]

_FEWEST = 4
"""Ratings that every item must have."""


@dataclass(frozen=True, slots=True)
class RaterNoise:
    """The variance of alpha that ever more ratings of the same items would take away, and how many they have now."""

    variance: float
    ratings: float


def noise_of_raters(view: View, options: Options = DEFAULTS) -> RaterNoise | None:
    """The noise of these ratings; None where it cannot be known."""
    per_item = view.per_item[view.pairable > 0]
    if not len(per_item) or per_item.min() < _FEWEST or not sizes.fits(view.values**2, len(view.codes)):
        return None
    distances = _distances(view, options)
    counts, times = view.counts[view.pairable > 0], view.times[view.pairable > 0]
    number = float(view.pooled.sum())
    to_all = distances @ view.pooled / number
    expected = float(view.pooled @ to_all) / number
    if not expected > 0:
        return None
    within = np.einsum("pv,vw,pw->p", counts, distances, counts)
    observed = float(times @ (within / (per_item - 1))) / number
    kernel = -distances + observed / expected * np.add.outer(to_all, to_all) - observed
    each = _noise(counts, per_item, kernel)
    variance = float(times @ (np.square(per_item / (number * expected)) * each))
    return RaterNoise(max(0.0, variance), float(times @ per_item) / float(times.sum()))


def _noise(counts: Floats, ratings: Floats, kernel: Floats) -> Floats:
    """What the square of each item's mean over pairs exceeds the square without noise by."""
    own = np.diag(kernel)
    # For each value, the sum of the kernel over the other ratings of the item.
    others = counts @ kernel - own
    pairs = (counts * others).sum(axis=1)
    rows = (counts * np.square(others)).sum(axis=1)
    squares = (counts * (counts @ np.square(kernel) - np.square(own))).sum(axis=1)
    mean = pairs / (ratings * (ratings - 1))
    fourfold = ratings * (ratings - 1) * (ratings - 2) * (ratings - 3)
    # Of all products of two pairs, those that share a rating are taken out again.
    without_noise = (np.square(pairs) - 4 * rows + 2 * squares) / fourfold
    return np.asarray(np.square(mean) - without_noise)


def _distances(view: View, options: Options) -> Floats:
    """Squared distances of the values; those of ranks as the ratings give them."""
    metric = KrippendorffAlpha().metric(view.scale, options)
    if isinstance(metric, str) and metric == "ordinal":
        ranks = mid_ranks(view.pooled)
        return np.asarray(np.square(np.subtract.outer(ranks, ranks)))
    return squared_distances(metric, view.scale)
