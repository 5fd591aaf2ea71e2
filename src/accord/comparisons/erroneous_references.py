"""How many references are wrong, and what that does to the scores given against them (paper 003)."""

import numpy as np

from accord.arrays import distinct
from accord.design.scale import Direction
from accord.inference.interval import Interval
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["COLUMN", "ErroneousReferences", "erroneous_references"]

COLUMN = "reference_error"
"""Column of the items: what is wrong with the reference, in words or as yes; empty, no or 0 where nothing is."""
_NONE = {"", "no", "none", "0", "false", "n"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ErroneousReferences(PlainData):
    """Items with a wrong reference among all, and the mean score of both kinds; the difference is wrong minus right."""

    items: int
    erroneous: int
    share: Interval
    mean_wrong: float
    mean_right: float
    difference: Interval | None
    direction: Direction

    def __str__(self) -> str:
        told = (
            f"{self.erroneous} of {self.items} references are wrong ({steady(self.erroneous / self.items):.0%}, "
            f"{self.share.level:.0%} interval {steady(self.share.low):.0%} to {steady(self.share.high):.0%})"
        )
        if self.difference is None:
            return f"{told}; too few items of one kind to compare their scores."
        change = self.mean_wrong - self.mean_right
        ends = f"{steady(change):+.2f} [{steady(self.difference.low):+.2f}, {steady(self.difference.high):+.2f}]"
        clear = not self.difference.low <= 0 <= self.difference.high
        kind = "worse" if self.direction.sign * change < 0 else "better"
        verdict = f", so translations judged against them look {kind}" if clear and self.direction.is_known else ""
        return f"{told}; their items score {ends} against the others ({self.difference.method}){verdict}."


def erroneous_references(ratings: Ratings, confidence: float = 0.95) -> ErroneousReferences | None:
    """Counted by item, scores averaged over raters; None where no column says which references are wrong."""
    from scipy.special import betaincinv
    from scipy.stats import ttest_ind

    if COLUMN not in ratings.columns:
        return None
    factor = ratings.columns[COLUMN]
    wrong_name = np.array([name.strip().casefold() not in _NONE for name in factor.names] + [False])
    first = np.unique(ratings.item.codes, return_index=True)[1]
    wrong = wrong_name[factor.codes[first]]
    count = np.bincount(ratings.item.codes)
    means = (np.bincount(ratings.item.codes, ratings.scores) / np.maximum(count, 1))[distinct(ratings.item.codes)]
    items, found, tail = len(wrong), int(wrong.sum()), (1 - confidence) / 2
    share = Interval(
        low=float(betaincinv(found, items - found + 1, tail)) if found else 0.0,
        high=float(betaincinv(found + 1, items - found, 1 - tail)) if found < items else 1.0,
        level=confidence,
        method="Clopper-Pearson over items",
    )
    difference = None
    if 2 <= found <= items - 2:
        ends = ttest_ind(means[wrong], means[~wrong], equal_var=False).confidence_interval(confidence)
        difference = Interval(
            low=float(ends.low), high=float(ends.high), level=confidence, method="Welch's t over items"
        )
    return ErroneousReferences(
        items=items, erroneous=found, share=share, mean_wrong=float(means[wrong].mean()) if found else float("nan"),
        mean_right=float(means[~wrong].mean()) if found < items else float("nan"), difference=difference,
        direction=ratings.scale.direction,
    )  # fmt: skip
