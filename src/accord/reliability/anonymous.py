"""Counts as some coefficients see them: without who rated, or without anything but sums."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from accord.arrays import Integers
from accord.design.scale import Scale
from accord.errors import NotEnoughDataError
from accord.ratings.counts import (
    CountSource,
    DocumentCounts,
    Facts,
    ItemMoments,
    ItemValueCounts,
    PairTables,
    Patterns,
    RaterMarginals,
    RaterParts,
)
from accord.records import dataclass

__all__ = ["Anonymous", "Summed", "laid_out_moments"]


@dataclass(frozen=True)
class _Seen(CountSource):
    """A source of counts behind another: all counts are those of the one it was made of."""

    of: CountSource

    def facts(self) -> Facts:
        return self.of.facts()

    def rater_names(self) -> tuple[str, ...]:
        return self.of.rater_names()

    def patterns(self) -> Patterns:
        return self.of.patterns()

    def item_values(self) -> ItemValueCounts:
        return self.of.item_values()

    def moments(self) -> ItemMoments:
        return self.of.moments()

    def marginals(self) -> RaterMarginals:
        return self.of.marginals()

    def pairs(self) -> PairTables:
        return self.of.pairs()

    @property
    def fingerprint(self) -> str:
        return self.of.fingerprint

    def by_document(self, *, named: bool = True) -> DocumentCounts | None:
        return self.of.by_document(named=named)

    def by_rater(self) -> RaterParts | None:
        return self.of.by_rater()

    def draws(self, *, named: bool = True, seed: int, replicates: int) -> Iterator[Integers]:
        return self.of.draws(named=named, seed=seed, replicates=replicates)


class Anonymous(_Seen):
    """A source of counts whose patterns do not say who rated: for coefficients that do not ask."""

    def patterns(self) -> Patterns:
        return self.of.unnamed_patterns()

    def by_document(self, *, named: bool = True) -> DocumentCounts | None:
        return self.of.by_document(named=False)

    def draws(self, *, named: bool = True, seed: int, replicates: int) -> Iterator[Integers]:
        return self.of.draws(named=False, seed=seed, replicates=replicates)

    def pairs(self) -> PairTables:
        facts = self.facts()
        raise NotEnoughDataError(
            f"takes each of {facts.raters:,} raters with each other on {facts.items:,} items, which is too large a "
            "table; choose fewer raters or items"
        )


@dataclass(frozen=True)
class Summed(_Seen):
    """A source of counts of which only number, sum and sum of squares an item are known: scores too fine to list."""

    laid: Patterns
    scale: Scale

    @classmethod
    def made_of(cls, source: CountSource) -> "Summed":
        return cls(source, *laid_out_moments(source.moments(), source.facts().scale))

    def facts(self) -> Facts:
        return replace(self.of.facts(), scale=self.scale)

    def patterns(self) -> Patterns:
        return self.laid


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
