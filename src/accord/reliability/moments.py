"""Ratings of which only number, sum and sum of squares an item are known: scores too fine to be listed."""

from dataclasses import dataclass, replace

import numpy as np

from accord.coefficients.options import Options
from accord.design.scale import Scale
from accord.ratings.counts import CountSource, Facts, ItemMoments, Patterns

__all__ = ["MOMENT_KEYS", "NO_VALUES", "Summed", "keys_of_moments", "laid_out_moments", "only_moments"]

MOMENT_KEYS = ("krippendorff_alpha", "icc_1", "icc_1k")
"""Coefficients that see an item only through these three numbers, on an interval scale."""
NO_VALUES = "needs counts of each value, but the values are too many to be listed; only sums are counted"


def only_moments(facts: Facts) -> bool:
    """Whether the values were too many to be listed."""
    return not facts.scale.values


def keys_of_moments(facts: Facts, options: Options, pool: bool) -> tuple[str, ...]:
    """Those of them that these ratings and options allow: alpha by the interval metric, ICC on whole items."""
    metric = options.metric_or(str(facts.scale.level))
    by_interval = isinstance(metric, str) and metric == "interval"
    whole = pool or facts.complete
    return tuple(key for key in MOMENT_KEYS if (by_interval if key == "krippendorff_alpha" else whole))


def laid_out_moments(moments: ItemMoments, scale: Scale) -> tuple[Patterns, Scale]:
    """Items with ratings made up so that number, sum and sum of squares are right, and the scale of these ratings.

    Two ratings lie as far from the item's mean on either side as its spread asks for, the others on the mean.
    """
    number = np.maximum(moments.ratings, 1)
    mean = moments.total / number
    apart = np.sqrt(np.clip(moments.squares - moments.total * mean, 0, None) / 2)
    place = np.arange(int(moments.ratings.max(initial=0)))
    scores = mean[:, None] + apart[:, None] * ((place == 0).astype(float) - (place == 1))
    given = place < moments.ratings[:, None]
    values, codes = np.unique(scores[given], return_inverse=True)
    laid = np.full(scores.shape, -1, dtype=np.int32)
    laid[given] = codes
    return Patterns(laid, moments.multiplicity), replace(scale, values=tuple(values.tolist()))


@dataclass(frozen=True, slots=True)
class Summed:
    """A source of counts as the coefficients of sums see it."""

    source: CountSource
    laid: Patterns
    scale: Scale

    @classmethod
    def of(cls, source: CountSource) -> "Summed":
        return cls(source, *laid_out_moments(source.moments(), source.facts().scale))

    def facts(self) -> Facts:
        return self.source.facts()

    def patterns(self) -> Patterns:
        return self.laid

    def __getattr__(self, name: str) -> object:
        return getattr(self.source, name)
