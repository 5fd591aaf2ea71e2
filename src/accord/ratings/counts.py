"""Small counts that every coefficient is computed from, whoever did the counting."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

from accord.arrays import Codes, Floats, Integers
from accord.design.scale import Scale
from accord.errors import OptionError
from accord.records import dataclass

__all__ = [
    "CountSource", "DocumentCounts", "Facts", "ItemMoments", "ItemValueCounts", "PairTables",
    "Patterns", "RaterMarginals", "RaterParts", "laid_out",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Facts:
    """What must be known of ratings before a coefficient may be chosen for them."""

    scale: Scale
    items: int
    raters: int
    ratings: int
    complete: bool
    pairable: int
    """Items with at least two ratings."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Who said what, item by item, equal items counted once.

    ``codes[p, r]`` is the value code of rater r in pattern p, -1 where there is no rating;
    ``multiplicity[p]`` says how many items look like this. Resampling items is a multinomial
    draw over patterns.
    """

    codes: Codes
    multiplicity: Integers


@dataclass(frozen=True, slots=True)
class ItemValueCounts:
    """How often each value was given to an item, equal items counted once: (patterns, values)."""

    counts: Integers
    multiplicity: Integers


@dataclass(frozen=True, slots=True)
class ItemMoments:
    """Number, sum and sum of squares of the scores of each item, equal items counted once."""

    ratings: Integers
    total: Floats
    squares: Floats
    multiplicity: Integers


@dataclass(frozen=True, slots=True)
class RaterMarginals:
    """How often each rater gave each value: (raters, values)."""

    counts: Integers


@dataclass(frozen=True, slots=True)
class PairTables:
    """Contingency table of each pair of raters over the items both rated: (pairs, values, values)."""

    pairs: Integers
    tables: Integers


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """Patterns, or value counts, of the items of each document: equal items of one document counted once.

    ``rows`` are codes by rater as in :class:`Patterns` if ``named``, else counts by value as in
    :class:`ItemValueCounts`; ``document`` numbers the document of each row, -1 where it has none.
    """

    rows: Integers
    multiplicity: Integers
    document: Integers
    named: bool


@dataclass(frozen=True, slots=True)
class RaterParts:
    """What each rater gave to items of each kind: leaving a rater out changes these items only.

    ``rows`` are counts by value as in :class:`ItemValueCounts`, the rater's own rating included; ``multiplicity``
    says how many items of this kind got the value ``own`` of the rater ``rater``.
    """

    rows: Integers
    rater: Integers
    own: Integers
    multiplicity: Integers


class CountSource(ABC):
    """Ratings wherever they lie (memory, files, a cluster): ask for counts, never for rows.

    Whoever counts gives what is abstract here; the rest has a sensible answer that may be bettered.
    """

    source: str = ""
    """Where the ratings come from, in words."""
    notes: tuple[str, ...] = ()

    @abstractmethod
    def facts(self) -> Facts: ...

    @abstractmethod
    def rater_names(self) -> tuple[str, ...]: ...

    def shown_raters(self) -> tuple[str, ...]:
        """The raters in the order in which tables show them."""
        return self.rater_names()

    @abstractmethod
    def patterns(self) -> Patterns: ...

    @abstractmethod
    def item_values(self) -> ItemValueCounts: ...

    @abstractmethod
    def moments(self) -> ItemMoments: ...

    @abstractmethod
    def marginals(self) -> RaterMarginals: ...

    @abstractmethod
    def pairs(self) -> PairTables: ...

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    @property
    def left_out(self) -> int:
        """Ratings that do not count between raters: practice, control items, later occasions."""
        return 0

    @property
    def has_patterns(self) -> bool:
        """Whether the pool of raters is small enough for patterns of who said what."""
        return True

    def unnamed_patterns(self) -> Patterns:
        """Patterns that forget who gave which rating: the values of an item in order, the rest empty.

        They serve every coefficient that does not tell raters apart, and stay small where raters are many.
        """
        return laid_out(self.item_values())

    def by_document(self, *, named: bool = True) -> DocumentCounts | None:
        """The items with their documents; None where ratings name no documents."""
        return None

    def by_rater(self) -> RaterParts | None:
        """What each rater gave to items of each kind; None where that was not counted."""
        return None

    def draws(self, *, named: bool = True, seed: int, replicates: int) -> Iterator[Integers]:
        """How often each pattern occurs in each replicate under Poisson weights: (patterns, some replicates)."""
        raise OptionError(
            "Poisson weights are hashed from the names of items, and these counts name none. Leave the way to draw out."
        )


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
