r"""One alpha of several parts that are never paired with each other: disagreement summed within the parts.

.. math:: \alpha = 1 - \frac{\sum_p n_p D_{o,p}}{\sum_p n_p D_{e,p}}

where :math:`n_p` counts the pairable ratings of part p, :math:`D_{o,p}` is its observed disagreement and
:math:`D_{e,p}` the disagreement that chance would give among its own ratings. It is no mean of the parts' alphas: a
part weighs by its ratings and by how far they are spread, so that the value lies between the least and the greatest
alpha of a part. Ranks (the ordinal metric) are taken as shares of a part's ratings, as ranks of a large part would
otherwise be farther apart than those of a small one.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients.alpha import KrippendorffAlpha
from accord.coefficients.batch import divided, mid_ranks
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.sums import statistic_of_blocks
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import Patterns

__all__ = ["combined", "disagreement"]

_FEW_VALUES = 20
"""On up to so many ordered values the ranks are taken anew in every resample; above, they stay as they are."""


def disagreement(view: View, options: Options) -> SumStatistic:
    """Observed and expected disagreement of a part, each times its ratings."""
    alpha, metric = KrippendorffAlpha(), options.metric_or(str(view.scale.level))
    if isinstance(metric, str) and metric == "ordinal" and view.values > _FEW_VALUES:
        # A fine ordered scale: the interval metric on the ranks that the ratings have as they are.
        ranks = mid_ranks(view.pooled) / max(float(view.pooled.sum()), 1.0)
        view = View(Patterns(view.codes, view.multiplicity), replace(view.scale, values=tuple(ranks.tolist())))
        options = replace(options, metric="interval")
    blocks = alpha.features(view, options)
    return statistic_of_blocks(
        view, blocks, ("observed", "expected"), lambda sums: alpha.disagreement(sums, view, options)
    )


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
