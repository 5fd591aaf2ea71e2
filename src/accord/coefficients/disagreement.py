r"""What Krippendorff's alpha is made of: disagreement as it was seen, and as chance would give it.

.. math:: D_o = \frac{1}{n} \sum_{ck} o_{ck}\,\delta^2_{ck},\quad
          D_e = \frac{1}{n(n-1)} \sum_{ck} n_c n_k\,\delta^2_{ck},\quad \alpha = 1 - \frac{D_o}{D_e}

Both are mean squared distances of two ratings by the metric: of one item, and of any two.
"""

import numpy as np

from accord.arrays import Floats
from accord.coefficients import alpha, blocks
from accord.coefficients.batch import mid_ranks, quadratic
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.design.scale import Scale
from accord.errors import OptionError

__all__ = ["disagreements", "require_order"]


def require_order(metric: str | Floats, scale: Scale) -> None:
    """Refuse a metric of ranks or distances on labels that have neither: the alphabet is no order."""
    if isinstance(metric, str) and metric != "nominal" and not scale.level.has_order and not scale.is_numeric:
        raise OptionError(
            f"The metric {metric} needs values in an order, but these labels have none. Declare it, for example scale "
            "'bad<fair<good', or use the metric nominal."
        )


def disagreements(view: View, options: Options, value: float) -> dict[str, float]:
    """Observed and expected disagreement, given the value of alpha; nan where no item has two ratings."""
    expected = _expected(view, options.metric_or(str(view.scale.level)))
    # All ratings alike: alpha is undefined because both are 0.
    observed = (1 - value) * expected if expected else 0.0
    return {"observed_disagreement": observed, "expected_disagreement": expected}


def _expected(view: View, metric: str | Floats) -> float:
    if isinstance(metric, str) and metric == "interval":
        _, count, first, squares = (float(part) for part in view.summed(blocks.MOMENTS)[0])
        return _mean(2 * max(count * squares - first**2, 0.0), count)
    marginals = view.pooled
    count = float(marginals.sum())
    if isinstance(metric, str) and metric == "ordinal":
        ranks = mid_ranks(marginals) - count / 2
        return _mean(2 * (count * float(marginals @ np.square(ranks)) - float(marginals @ ranks) ** 2), count)
    return _mean(float(quadratic(marginals, alpha.squared_distances(metric, view.scale), marginals)), count)


def _mean(apart: float, count: float) -> float:
    return apart / (count * (count - 1)) if count > 1 else float("nan")
