"""What checks look at, wherever the ratings lie: who gave which value how often, and how each pair of raters met."""

from functools import cached_property
from typing import Protocol

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers, every_pair
from accord.coefficients.kappa import chance_corrected
from accord.design.scale import Scale
from accord.ratings.counts import Facts, Patterns
from accord.ratings.pair_counting import pair_tables_in_parts
from accord.records import dataclass

__all__ = ["Evidence", "PairCounts", "PatternEvidence", "usual_value", "value_ranks"]


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Of each pair of raters: the items both rated, those that tell something, and how the two met on them.

    An item tells something where at least one of the two leaves the most frequent value: to agree on that one is
    easy. ``equal`` counts telling items on which both gave the same value, ``lower`` and ``higher`` items on which
    the first gave the smaller or the greater one; ``chance`` is the agreement of independent raters with
    the same shares of the values.
    """

    first: Integers
    second: Integers
    shared: Integers
    telling: Integers
    equal: Integers
    lower: Integers
    higher: Integers
    chance: Floats

    @property
    def different(self) -> Integers:
        return self.telling - self.equal

    @property
    def agreement(self) -> Floats:
        return np.asarray(1 - self.different / np.maximum(self.shared, 1))

    @property
    def kappa(self) -> Floats:
        """Cohen's kappa of each pair; nan where both use one and the same value throughout."""
        return chance_corrected(self.agreement, self.chance).value

    @classmethod
    def none(cls) -> "PairCounts":
        no = np.empty(0, dtype=np.int64)
        return cls(no, no, no, no, no, no, no, np.empty(0))


class Evidence(Protocol):
    """What a check may ask for."""

    @property
    def scale(self) -> Scale: ...
    @property
    def names(self) -> tuple[str, ...]:
        """All raters; those without a rating have empty rows in ``marginals``."""
        ...

    @property
    def items(self) -> int: ...
    @property
    def pairable(self) -> int:
        """Items with two ratings or more."""
        ...

    @property
    def marginals(self) -> Integers:
        """How often each rater gave each value."""
        ...

    @property
    def pair_counts(self) -> PairCounts:
        """Pairs of raters that share an item; none where raters are too many to be told apart."""
        ...

    def rows_of(self, raters: Integers) -> Patterns:
        """The items that all of these raters rated, columns in the order given, equal items counted once."""
        ...


def usual_value(evidence: Evidence) -> int:
    """Code of the most frequent value."""
    return int(evidence.marginals.sum(axis=0).argmax())


def value_ranks(scale: Scale) -> Integers:
    """The place of each value code on the scale, from 0 for the lowest."""
    if not scale.is_numeric:
        return np.arange(len(scale), dtype=np.int64)
    return np.argsort(np.argsort(scale.array, kind="stable"), kind="stable").astype(np.int64)


class PatternEvidence:
    """Evidence from patterns of codes, as coefficients are computed from them."""

    def __init__(self, facts: Facts, patterns: Patterns, names: tuple[str, ...], marginals: Integers) -> None:
        self.scale, self.items, self.pairable = facts.scale, facts.items, facts.pairable
        self.patterns, self.names, self.marginals = patterns, names, marginals

    @cached_property
    def pair_counts(self) -> PairCounts:
        codes, raters = self.patterns.codes, len(self.names)
        if codes.shape[1] != raters or not sizes.pairs_are_looked_at(raters, len(self.scale), len(codes)):
            return PairCounts.none()
        counted = _by_columns if sizes.tables_are_mostly_empty(len(self.scale), len(codes)) else _counted
        return counted(self.patterns, value_ranks(self.scale), usual_value(self))

    def rows_of(self, raters: Integers) -> Patterns:
        chosen = self.patterns.codes[:, raters]
        complete = (chosen >= 0).all(axis=1)
        rows, place = np.unique(chosen[complete], axis=0, return_inverse=True)
        times = np.bincount(place.ravel(), self.patterns.multiplicity[complete], len(rows))
        return Patterns(rows, times.astype(np.int64))


def _by_columns(patterns: Patterns, ranks: Integers, usual: int) -> PairCounts:
    """The same as :func:`_counted` on a fine scale, where a table of values is far larger than the two columns."""
    rows = []
    for one, other in zip(*every_pair(patterns.codes.shape[1]), strict=True):
        both = (patterns.codes[:, [one, other]] >= 0).all(axis=1) & (patterns.multiplicity > 0)
        if not both.any():
            continue
        (left, right), times = patterns.codes[both][:, [one, other]].T, patterns.multiplicity[both]
        given = [np.bincount(side, times, len(ranks)) for side in (left, right)]
        shared, alike = int(times.sum()), int(times[left == right].sum())
        both_usual = int(times[(left == usual) & (right == usual)].sum())
        lower, higher = (int(times[side].sum()) for side in (ranks[left] < ranks[right], ranks[left] > ranks[right]))
        chance = float(given[0] @ given[1]) / shared**2
        rows.append((one, other, shared, shared - both_usual, alike - both_usual, lower, higher, chance))
    return PairCounts(*map(np.array, zip(*rows, strict=True))) if rows else PairCounts.none()


def _counted(patterns: Patterns, ranks: Integers, usual: int) -> PairCounts:
    """From the table of each pair: what both gave alike, what one gave where the other gave a greater value."""
    order = np.argsort(ranks)
    parts = []
    for found in pair_tables_in_parts(patterns, len(ranks)):
        tables = found.tables[:, order][:, :, order]
        below = np.cumsum(tables, axis=2)[:, np.arange(len(order)), np.arange(len(order))].sum(axis=1)
        shared, alike = tables.sum(axis=(1, 2)), np.einsum("pvv->p", tables)
        usual_both = found.tables[:, usual, usual]
        chance = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / np.maximum(shared, 1) ** 2
        lower, higher = shared - below, below - alike
        one, other = found.pairs.T
        parts.append((one, other, shared, shared - usual_both, alike - usual_both, lower, higher, chance))
    return PairCounts(*map(np.concatenate, zip(*parts, strict=True))) if parts else PairCounts.none()
