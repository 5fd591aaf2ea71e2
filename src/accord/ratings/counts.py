"""Small counts that every coefficient is computed from, whoever did the counting."""

from dataclasses import dataclass
from typing import Protocol

from accord.arrays import Codes, Floats, Integers
from accord.design.scale import Scale

__all__ = [
    "CountSource", "DocumentCounts", "Facts", "ItemMoments", "ItemValueCounts", "PairTables",
    "Patterns", "RaterMarginals", "RaterParts",
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


class CountSource(Protocol):
    """Ratings wherever they lie (memory, files, a cluster): ask for counts, never for rows."""

    def facts(self) -> Facts: ...
    def rater_names(self) -> tuple[str, ...]: ...
    def patterns(self) -> Patterns: ...
    def item_values(self) -> ItemValueCounts: ...
    def moments(self) -> ItemMoments: ...
    def marginals(self) -> RaterMarginals: ...
    def pairs(self) -> PairTables: ...
    @property
    def fingerprint(self) -> str: ...
