"""What one item adds to the sums: the blocks of features that coefficients share."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from accord import sizes
from accord.arrays import Codes, Floats, Integers, every_pair
from accord.coefficients.batch import mid_ranks, total
from accord.design.scale import Scale
from accord.errors import NotEnoughDataError
from accord.ratings.counts import CountSource, PairTables, Patterns
from accord.ratings.pair_counting import pair_tables
from accord.records import dataclass

__all__ = ["Block", "View"]

_Made = TypeVar("_Made")
_NOTHING = np.zeros(1)


class Slots(NamedTuple):
    """(patterns, most ratings of a pattern): the raters in order and the values they gave, -1 beyond the last."""

    raters: Codes
    codes: Codes


class View:
    """Patterns of ratings seen from all the sides that features are made of."""

    def __init__(self, patterns: Patterns, scale: Scale) -> None:
        self._count_patterns: Callable[[], Patterns] = lambda: patterns
        self._count_pairs: Callable[[], PairTables] = lambda: pair_tables(patterns, len(scale))
        self.scale, self.values = scale, len(scale)
        self._sums: dict[str, Floats] = {}
        self._kept: dict[str, Any] = {}

    @classmethod
    def of(cls, source: CountSource) -> "View":
        """The ratings of a source, counted when first looked at."""
        view = cls.__new__(cls)
        view._count_patterns, view._count_pairs = source.patterns, source.pairs
        view.scale, view._sums, view._kept = source.facts().scale, {}, {}
        view.values = len(view.scale)
        return view

    @cached_property
    def patterns(self) -> Patterns:
        return self._count_patterns()

    @cached_property
    def pair_tables(self) -> PairTables:
        """The contingency table of each pair of raters that share an item."""
        return self._count_pairs()

    @property
    def codes(self) -> Codes:
        return self.patterns.codes

    @property
    def multiplicity(self) -> Integers:
        return self.patterns.multiplicity

    @cached_property
    def times(self) -> Floats:
        """How many items look like each pattern, as numbers to multiply with."""
        return self.multiplicity.astype(np.float64)

    def built(self, block: "Block") -> Floats:
        """The features of a block; small ones are kept for whoever asks next."""
        return self.kept(block.name, lambda: block.build(self), len(self.codes) * block.width(self))

    def kept(self, name: str, make: Callable[[], _Made], size: int) -> _Made:
        """What ``make`` gives, kept by its name if it is small."""
        if name in self._kept:
            return self._kept[name]  # type: ignore[no-any-return]
        made = make()
        if sizes.are_kept(size):
            self._kept[name] = made
        return made

    def summed(self, block: "Block") -> Floats:
        """The sums of a block over all items, (1, width): made once for all coefficients that need it."""
        if block.name not in self._sums:
            summed = block.summed(self) if block.summed else self.times @ self.built(block)
            self._sums[block.name] = summed[None, :]
        return self._sums[block.name]

    @property
    def raters(self) -> int:
        return int(self.codes.shape[1])

    @cached_property
    def given(self) -> Floats:
        """1 where rater r rated pattern p."""
        return (self.codes >= 0).astype(np.float64)

    @cached_property
    def columns(self) -> Integers:
        """(raters, patterns): the codes of each rater together, ready to point at places."""
        return np.ascontiguousarray(self.codes.T).astype(np.int64)

    @cached_property
    def placed(self) -> tuple[Integers, Integers]:
        """The pattern and the rater of each rating, pattern by pattern."""
        rows, raters = np.nonzero(self.codes >= 0)
        return rows, raters

    @cached_property
    def per_item(self) -> Floats:
        """Number of ratings."""
        if self.raters <= sizes.SHORT:
            return total(self.given)
        return np.asarray(np.count_nonzero(self.codes >= 0, axis=1), dtype=np.float64)

    @cached_property
    def is_sparse(self) -> bool:
        """Whether a pattern has ratings by few of the raters only, as where a pool of raters shares the items."""
        return sizes.is_sparse(self.raters, float(self.per_item.max(initial=0)))

    @cached_property
    def slots(self) -> Slots:
        """Who rated each pattern and what, without room for those who did not."""
        rows, raters = self.placed
        per_item = self.per_item.astype(np.int64)
        place = np.arange(len(rows)) - (np.cumsum(per_item) - per_item)[rows]
        who, what = (np.full((len(self.codes), int(per_item.max(initial=0))), -1, dtype=np.int32) for _ in range(2))
        who[rows, place], what[rows, place] = raters, self.codes[rows, raters]
        return Slots(who, what)

    @property
    def nameless(self) -> "View":
        """The same patterns without room for raters who did not rate, for coefficients that do not ask who rated."""
        # A view that kept itself would keep its ratings, a million rows of them, until Python looks for circles.
        return self._squeezed if self.is_sparse else self

    @cached_property
    def _squeezed(self) -> "View":
        return View(Patterns(self.slots.codes, self.multiplicity), self.scale)

    @cached_property
    def pairable(self) -> Floats:
        return (self.per_item >= 2).astype(np.float64)

    @cached_property
    def complete(self) -> Floats:
        """1 where every rater rated."""
        return np.asarray(self.per_item == self.raters, dtype=np.float64)

    @cached_property
    def is_complete(self) -> bool:
        return bool(self.complete.all())

    @cached_property
    def counts(self) -> Floats:
        """(patterns, values): how often each value was given."""
        if not sizes.values_are_counted(len(self.codes), self.values):
            raise NotEnoughDataError(
                f"{self.values:,} different values on {len(self.codes):,} items are too many to be categories. "
                "Treat them as an ordinal or interval scale."
            )
        rows, raters = self.placed
        cell = rows * self.values + self.codes[rows, raters]
        found = np.bincount(cell, minlength=len(self.codes) * self.values)
        return found.reshape(len(self.codes), self.values).astype(np.float64)

    def mean_of(self, numbers: Floats) -> Floats:
        """The mean of a number for each value over the ratings of each pattern, 0 where there is none."""
        found = np.concatenate((numbers, _NOTHING)).take(self.nameless.codes, mode="wrap")
        return total(found) / np.maximum(self.per_item, 1)

    @cached_property
    def numbers(self) -> Floats:
        """The values as numbers, 0 in a spare last place that codes of -1 point at."""
        return np.concatenate((self.scale.array, _NOTHING))

    @cached_property
    def scores(self) -> Floats:
        """(patterns, raters): numbers centred on the mean rating, so that their products stay exact; 0 if missing."""
        scores = self.numbers.take(self.codes, mode="wrap")  # -1 is the last; the fastest of numpy's ways
        weight = float(self.multiplicity @ self.per_item)
        if weight == 0:
            return scores
        scores -= float((self.multiplicity @ scores).sum()) / weight
        if not self.is_complete:
            scores *= self.given
        return scores

    @cached_property
    def score_sums(self) -> tuple[Floats, Floats]:
        """The sum of the scores of each pattern, and of their squares."""
        return total(self.scores), np.einsum("pr,pr->p", self.scores, self.scores)

    @cached_property
    def pooled(self) -> Floats:
        """How often each value was given, in items with two or more ratings."""
        return self.counted_by(self.multiplicity * self.pairable)

    def counted_by(self, weights: Floats) -> Floats:
        """How often each value was given, a rating of each pattern counted so many times."""
        codes = self.nameless.codes
        each = np.repeat(weights, codes.shape[1])
        return np.asarray(np.bincount(codes.ravel() + 1, weights=each, minlength=self.values + 1)[1:])

    @cached_property
    def rank_sums(self) -> tuple[Floats, Floats]:
        """The same of the mid-ranks of the ratings among all that can be paired, centred."""
        ranks = mid_ranks(self.pooled) - self.pooled.sum() / 2
        scores = np.concatenate((ranks, _NOTHING)).take(self.nameless.codes, mode="wrap")
        return total(scores), np.einsum("pr,pr->p", scores, scores)

    @cached_property
    def pairs(self) -> tuple[Integers, Integers]:
        """Raters of each pair that share an item."""
        if self.is_sparse:
            return self._met
        first, second = every_pair(self.raters)
        shared = (self.given.T @ self.given)[first, second] > 0
        return first[shared], second[shared]

    @property
    def _met(self) -> tuple[Integers, Integers]:
        """The same where most raters never meet."""
        who = self.slots.raters
        met = np.zeros(self.raters**2, dtype=bool)
        for one, other in zip(*every_pair(who.shape[1]), strict=True):
            both = who[:, other] >= 0
            met[who[both, one].astype(np.int64) * self.raters + who[both, other]] = True
        first, second = np.divmod(np.flatnonzero(met), self.raters)
        return first, second

    @cached_property
    def score_moments(self) -> Floats:
        """(pairs, 6): n, two sums, two sums of squares and the sum of products of each pair over its common items."""
        one, other = self.pairs
        times = self.times[:, None]
        weighted = (self.scores * times).T
        if self.is_complete:
            sums, products = weighted.sum(axis=1), weighted @ self.scores
            squares, items = np.diag(products), np.full(len(one), times.sum())
            parts = items, sums[one], sums[other], squares[one], squares[other], products[one, other]
            return np.stack(parts, axis=1)
        sums, squares = weighted @ self.given, (weighted * self.scores.T) @ self.given
        return np.stack(
            (
                ((self.given * times).T @ self.given)[one, other],
                sums[one, other], sums[other, one], squares[one, other], squares[other, one],
                (weighted @ self.scores)[one, other],
            ), axis=1,
        )  # fmt: skip

    @cached_property
    def both(self) -> Floats:
        """(patterns, pairs): 1 where both raters of a pair rated."""
        first, second = self.pairs
        return self.given[:, first] * self.given[:, second]

    @property
    def whole(self) -> "View":
        """The patterns that every rater rated."""
        return self if self.is_complete else self._rated_by_all

    @cached_property
    def _rated_by_all(self) -> "View":
        rows = self.complete > 0
        return View(Patterns(self.codes[rows], self.multiplicity[rows]), self.scale)

    def without_rater(self, rater: int) -> "View":
        return View(Patterns(np.delete(self.codes, rater, axis=1), self.multiplicity), self.scale)

    @cached_property
    def marginals(self) -> Floats:
        """(raters, values): how often each rater gave each value."""
        times = self.times
        if self.is_sparse:
            row, rater = self.placed
            cell = rater * self.values + self.codes[row, rater]
            found = np.bincount(cell, weights=times[row], minlength=self.raters * self.values)
            return np.asarray(found.reshape(self.raters, self.values), dtype=np.float64)
        rows = [np.bincount(column + 1, weights=times, minlength=self.values + 1)[1:] for column in self.codes.T]
        return np.array(rows, dtype=np.float64).reshape(self.raters, self.values)

    @cached_property
    def chosen(self) -> Floats:
        """(patterns, raters, values): 1 for the value given."""
        return np.asarray(self.codes[:, :, None] == np.arange(self.values), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Block:
    """A named group of features; blocks with the same name are made once and shared.

    ``width`` tells how many features an item has before they are made. ``summed`` gives the sums over all items where
    they can be had without the features, which may be large.
    """

    name: str
    width: Callable[[View], int]
    build: Callable[[View], Floats]
    summed: Callable[[View], Floats] | None = None
