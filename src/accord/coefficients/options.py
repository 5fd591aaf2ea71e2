"""What a user may choose about a coefficient: weights, metric, what to do with incomplete items."""

from accord.arrays import Floats
from accord.errors import OptionError
from accord.records import dataclass

__all__ = ["ICC_MISSING", "Options"]

ICC_MISSING = {
    "listwise": "only items that every rater rated are used (listwise)",
    "anova": "all ratings are used: two-way random analysis of variance of incomplete ratings, as irrNA in R",
    "mixed": "all ratings are used: mixed model with random items and raters, fitted by REML",
}
"""What is done about missing ratings in intraclass correlations, in words."""


SETS = ("jaccard", "dice", "masi")
"""How alike two sets of labels are: weights of agreement, and metrics of alpha."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Options:
    """Choices that change a value; empty means the default that the registry names.

    ``weights`` is a name or a matrix of agreement weights; ``metric`` the distance of Krippendorff's alpha (nominal,
    ordinal, interval, ratio, circular, bipolar, jaccard, dice, masi, or a matrix of squared distances);
    ``sampled_share`` the share of a finite population of items that was rated (Gwet's f, 0 for a very large one);
    ``icc_missing`` is ``listwise``, ``anova`` (two-way random analysis of variance of the incomplete ratings, as
    irrNA in R) or ``mixed`` (a mixed model fitted by REML).
    """

    weights: str | Floats = ""
    metric: str | Floats = ""
    sampled_share: float = 0.0
    icc_missing: str = "listwise"

    def __post_init__(self) -> None:
        if self.icc_missing not in ICC_MISSING:
            known = ", ".join(ICC_MISSING)
            raise OptionError(f"There is no rule {self.icc_missing!r} for intraclass correlations. Known: {known}.")
        if not 0 <= self.sampled_share <= 1:
            given = f"{self.sampled_share:g} was given"
            raise OptionError(f"The share of items that was rated lies between 0 and 1; {given}.")

    def weights_or(self, default: str) -> str | Floats:
        return default if isinstance(self.weights, str) and not self.weights else self.weights

    def own_weights_or(self, default: str) -> str | Floats:
        """For coefficients that have a key for each named weight: only a matrix or weights for sets take over."""
        return self.weights if self.has_own_weights else default

    @property
    def has_own_weights(self) -> bool:
        """Whether the weights need no order: a matrix, or weights for sets of labels."""
        return not isinstance(self.weights, str) or self.weights_are_for_sets

    @property
    def weights_are_for_sets(self) -> bool:
        return isinstance(self.weights, str) and self.weights in SETS

    def metric_or(self, level: str) -> str | Floats:
        """Weights for sets of labels are a metric of alpha too: one choice is enough for both."""
        if not isinstance(self.metric, str) or self.metric:
            return self.metric
        return self.weights if isinstance(self.weights, str) and self.weights in SETS else level
