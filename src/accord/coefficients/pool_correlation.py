r"""Correlations in a large pool of raters: from how often two values meet within an item, whoever gave them.

Two raters of a large pool seldom share items, so that a mean over pairs of raters is one over pairs that have hardly
any value, and a table of each rater with each would not fit. What remains well defined is the table of
coincidences, in which every two ratings of an item meet in both orders,

.. math:: o_{ck} = \sum_i \frac{r_{ic}(r_{ik} - [c = k])}{r_i - 1}

each item weighing by its ratings. Any coefficient of a table of two raters can be read from it; it is then the one
between a rating and another rating of the same item, by anybody.
"""

import numpy as np

from accord import sizes
from accord.arrays import Floats
from accord.coefficients.coefficient import DEFAULTS
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.pairs import PairCoefficient
from accord.coefficients.registry import CoefficientSpec
from accord.errors import NotEnoughDataError
from accord.inference.statistic import SumStatistic

__all__ = ["COINCIDENCES", "coincidence_statistic", "is_of_coincidences"]

COINCIDENCES = "between any two ratings of an item, in both orders, whoever gave them: not a mean over pairs of raters"


def is_of_coincidences(spec: CoefficientSpec) -> bool:
    """Whether it is a correlation or a coefficient of order between two raters."""
    return isinstance(spec.coefficient, PairCoefficient) and spec.family in ("order", "correlation")


def coincidence_statistic(spec: CoefficientSpec, view: View, options: Options = DEFAULTS) -> SumStatistic:
    """The coefficient as a function of the coincidences that an item of each pattern adds."""
    coefficient, values = spec.coefficient, view.values
    if not isinstance(coefficient, PairCoefficient) or len(view.codes) * values**2 > sizes.BLOCK_CELLS:
        raise NotEnoughDataError(
            f"{values:,} values on {len(view.codes):,} different items are too many for a table of values that meet."
        )

    def evaluate(sums: Floats) -> Floats:
        found = coefficient.values_of_tables(sums.reshape(-1, values, values), view.scale, options)
        return np.asarray(found, dtype=np.float64).reshape(-1, 1)

    return SumStatistic((spec.key,), _coincidences(view), view.multiplicity, evaluate)


def _coincidences(view: View) -> Floats:
    """(patterns, values x values); nothing from an item with one rating."""
    counts = view.counts
    met = counts[:, :, None] * counts[:, None, :]
    place = np.arange(view.values)
    met[:, place, place] -= counts
    met *= (view.pairable / np.maximum(view.per_item - 1, 1))[:, None, None]
    return met.reshape(len(counts), -1)
