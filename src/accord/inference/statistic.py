"""A statistic as a function of sums over items: what makes every resampling one matrix product."""

from collections.abc import Callable

import numpy as np

from accord.arrays import Floats, Integers
from accord.records import dataclass

__all__ = ["SumStatistic"]


@dataclass(frozen=True, slots=True)
class SumStatistic:
    """Statistics that depend on the items only through sums of per-item features.

    ``features[p]`` is what one item of pattern p adds to the sums, ``multiplicity[p]`` how many
    items look like that. ``evaluate`` takes sums of shape (replicates, features) and gives values
    of shape (replicates, len(names)), nan where a statistic is undefined. Any weighting of items
    (a bootstrap draw, one item left out, a cluster dropped) is ``weights @ features``.
    """

    names: tuple[str, ...]
    features: Floats
    multiplicity: Integers
    evaluate: Callable[[Floats], Floats]

    def of_weights(self, weights: Floats, beside: Floats, scale: Floats) -> Floats:
        """The statistics where units count as each row of weights says, times its scale: (replicates, statistics).

        ``beside`` are sums (features, replicates) of what stands beside the units, with weights of its own. The sums
        stand by column, replicates side by side: formulas add up few numbers of many replicates.
        """
        sums = self.features.T @ weights.T
        sums += beside
        sums *= scale
        return self.evaluate(sums.T)

    def values(self) -> Floats:
        """The statistics of the ratings as they are, one for each name."""
        sums = self.multiplicity.astype(np.float64) @ self.features
        return np.asarray(self.evaluate(sums[None, :])[0])
