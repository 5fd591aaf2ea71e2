"""Ratings of a large pool of raters, seen without telling raters apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.arrays import Integers
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

__all__ = ["Anonymous", "is_pool", "laid_out"]

_CELLS = 5e7
_POOL = 20
_SPREAD = 8
"""Cells of a table of items and values for each rating from which on the table is nearly empty."""


def is_pool(facts: Facts) -> bool:
    """Whether a table of items x raters x values would be too large and nearly empty."""
    return facts.raters > _POOL and facts.items * facts.raters * max(len(facts.scale), 1) > _CELLS


def laid_out(table: ItemValueCounts) -> Patterns:
    """Value counts as patterns: the ratings of an item in order of their values, by nobody in particular."""
    counts = table.counts
    rows, values = np.nonzero(counts)
    times = counts[rows, values]
    row, value = np.repeat(rows, times), np.repeat(values, times)
    per_item = counts.sum(axis=1)
    starts = np.cumsum(per_item) - per_item
    codes = np.full((len(counts), int(per_item.max(initial=0))), -1, dtype=np.int32)
    codes[row, np.arange(len(row)) - starts[row]] = value
    return Patterns(codes, table.multiplicity)


def _as_laid_out(patterns: Patterns, values: int) -> Patterns:
    """Patterns of nobody in particular in the order of their value counts, which a table of counts has."""
    turned = np.where(patterns.codes >= 0, values - patterns.codes, 0)
    order = np.lexsort(turned.T[::-1])
    return Patterns(patterns.codes[order], patterns.multiplicity[order])


@dataclass(frozen=True, slots=True)
class Anonymous:
    """A source of counts whose patterns do not say who rated: for coefficients that do not ask."""

    source: CountSource

    def facts(self) -> Facts:
        return self.source.facts()

    def rater_names(self) -> tuple[str, ...]:
        return self.source.rater_names()

    def patterns(self) -> Patterns:
        source: Any = self.source
        facts = self.source.facts()
        if hasattr(source, "unnamed_patterns") and facts.items * len(facts.scale) > _SPREAD * facts.ratings:
            return _as_laid_out(source.unnamed_patterns(), len(facts.scale))
        return laid_out(self.source.item_values())

    def item_values(self) -> ItemValueCounts:
        return self.source.item_values()

    def by_document(self) -> DocumentCounts | None:
        source: Any = self.source
        found: DocumentCounts | None = source.by_document(named=False) if hasattr(source, "by_document") else None
        return found

    def draws(self, *, seed: int, replicates: int) -> Iterator[Integers]:
        source: Any = self.source
        found: Iterator[Integers] = source.draws(named=False, seed=seed, replicates=replicates)
        return found

    def by_rater(self) -> RaterParts:
        source: Any = self.source
        found: RaterParts = source.by_rater()
        return found

    def moments(self) -> ItemMoments:
        return self.source.moments()

    def marginals(self) -> RaterMarginals:
        return self.source.marginals()

    def pairs(self) -> PairTables:
        facts = self.source.facts()
        raise NotEnoughDataError(
            f"takes each of {facts.raters:,} raters with each other on {facts.items:,} items, which is too large a "
            "table; choose fewer raters or items"
        )

    @property
    def fingerprint(self) -> str:
        return self.source.fingerprint
