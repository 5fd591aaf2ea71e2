"""A part: the ratings of one criterion, one rating of each rater and item, ready to be looked into."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, distinct, renumbered
from accord.design.scale import Direction, Level
from accord.ratings.pooled_units import with_pooled_units
from accord.ratings.roles import control_rows, repeat_rows
from accord.ratings.table import Group, Ratings
from accord.records import dataclass

if TYPE_CHECKING:
    from accord.diagnosis.pairs import Pair, SharedRows
    from accord.diagnosis.severity import CrossedFit

__all__ = ["Part", "parts_of"]

Indices = NDArray[np.int64]

_FEW_VALUES = 10
GOLD = "gold"
"""A rater of this name, or the role of this name, holds the right answers and is no rater."""


@dataclass(frozen=True)
class Part:
    """Ratings of one criterion without gold and without repeats.

    ``rows`` are the first ratings of each rater and item, ``repeats`` the later ones of the same rater
    and item (a test-retest), ``gold`` the right answers where there are any.
    """

    title: str
    by: Mapping[str, str]
    ratings: Ratings
    rows: Indices
    repeats: Indices
    gold: Indices

    @cached_property
    def item(self) -> Indices:
        return self.ratings.item.codes[self.rows].astype(np.int64)

    @cached_property
    def rater(self) -> Indices:
        return self.ratings.rater.codes[self.rows].astype(np.int64)

    @cached_property
    def code(self) -> Indices:
        return self.ratings.value[self.rows].astype(np.int64)

    @cached_property
    def score(self) -> Floats:
        return self.ratings.scores[self.rows]

    @property
    def is_fine(self) -> bool:
        """Whether these are scores with so many values that two equal ones are luck: 0 to 100, not 1 to 5."""
        return self.ratings.level.has_distance and len(self.ratings.scale.values) > _FEW_VALUES

    @property
    def width(self) -> float:
        """How long the scale is: as declared, else as far as the values reach."""
        scale = self.ratings.scale
        low = scale.array.min() if scale.low is None else scale.low
        high = scale.array.max() if scale.high is None else scale.high
        return float(high - low)

    @cached_property
    def ordered(self) -> bool:
        """Whether greater and smaller mean something."""
        return self.ratings.level is not Level.NOMINAL and not self.ratings.scale.has_sets

    @property
    def direction(self) -> Direction:
        """Which end of the scale is good; strict and lenient mean nothing without it."""
        return self.ratings.criterion.direction

    @cached_property
    def rater_names(self) -> tuple[str, ...]:
        return tuple(self.ratings.rater.names)

    @cached_property
    def item_names(self) -> tuple[str, ...]:
        return tuple(self.ratings.item.names)

    @cached_property
    def raters(self) -> Indices:
        """Codes of the raters that have a rating here, gold left out."""
        return distinct(self.rater)

    @cached_property
    def items(self) -> int:
        return len(renumbered(self.item)[0])

    @cached_property
    def place(self) -> Floats:
        """Where each rating stood in its rater's work: the ``order`` column, or else the rows as they came."""
        order = self.ratings.numbers.get("order")
        if order is None or np.isnan(order[self.rows]).any():
            return self.rows.astype(np.float64)
        return order[self.rows]

    @property
    def has_order(self) -> bool:
        order = self.ratings.numbers.get("order")
        return order is not None and not bool(np.isnan(order[self.rows]).any())

    @cached_property
    def shared(self) -> "SharedRows":
        """Every two ratings of one item, made once for all that looks at pairs of raters."""
        from accord.diagnosis.pairs import shared_rows

        return shared_rows(self)

    @cached_property
    def pairs(self) -> "list[Pair]":
        """Every pair of raters that shares an item, compared once."""
        from accord.diagnosis.pairs import pairs_of

        return pairs_of(self)

    @cached_property
    def crossed(self) -> "CrossedFit | None":
        """Items and raters fitted together, once for all that ask; None without an order of values or shared items."""
        from accord.diagnosis.severity import crossed_fit

        return crossed_fit(self) if self.ordered else None

    @cached_property
    def value_counts(self) -> NDArray[np.int64]:
        """How often each rater gave each value: (raters of the table, values)."""
        raters, values = len(self.rater_names), len(self.ratings.scale.values)
        return np.bincount(self.rater * values + self.code, minlength=raters * values).reshape(raters, values)

    def matrix(self) -> Floats:
        """Scores as items x raters, nan where there is none; for parts of moderate size."""
        items, item = renumbered(self.item)
        position = np.searchsorted(self.raters, self.rater)
        table = np.full((len(items), len(self.raters)), np.nan)
        table[item, position] = self.score
        return table

    def name(self, rater: int) -> str:
        return self.rater_names[rater]

    def among(self, columns: Sequence[str]) -> "Part":
        """The same part, named by these columns only; what was found of it before is not looked for again."""
        by = {column: name for column, name in self.by.items() if column in columns}
        made = Part(Group(by, self.ratings).title, by, self.ratings, self.rows, self.repeats, self.gold)
        vars(made).update({name: found for name, found in vars(self).items() if name not in vars(made)})
        return made


def parts_of(ratings: Ratings, by: Sequence[str] = ()) -> list[Part]:
    """One part a criterion (and a name of each column in ``by``)."""
    for column in by:
        if column != "criterion":
            ratings.factor(column)  # or an error that names the columns there are
    return [_part(group.title, group.by, group.ratings) for group in ratings.split(by)]


def _part(title: str, by: Mapping[str, str], ratings: Ratings) -> Part:
    ratings = with_pooled_units(ratings)
    known = (ratings.value >= 0) & (ratings.item.codes >= 0) & (ratings.rater.codes >= 0) & ~_controls(ratings)
    gold = _gold_rows(ratings) & (ratings.value >= 0)
    usable = np.flatnonzero(known & ~gold)
    again = _repeats(ratings)[usable]
    occasion = np.where(again, np.inf, _occasion(ratings)[usable])
    key = ratings.item.codes[usable].astype(np.int64) * len(ratings.rater.names) + ratings.rater.codes[usable]
    by_time = np.lexsort((usable, occasion, key))
    first = np.ones(len(usable), dtype=bool)
    first[by_time[1:]] = key[by_time[1:]] != key[by_time[:-1]]
    # A row marked as a repeat is no first rating, even where the first one is missing.
    first &= ~again
    return Part(title, by, ratings, usable[first], usable[~first], np.flatnonzero(gold))


def _repeats(ratings: Ratings) -> NDArray[np.bool_]:
    found = repeat_rows(ratings)
    return np.zeros(len(ratings), dtype=bool) if found is None else found


def _occasion(ratings: Ratings) -> Floats:
    """The occasion of each row as a rank; an empty cell is the first."""
    if "occasion" in ratings.numbers:
        return np.nan_to_num(ratings.numbers["occasion"], nan=-np.inf)
    factor = ratings.columns.get("occasion")
    if factor is None:
        return np.zeros(len(ratings))
    names = sorted(factor.names, key=lambda name: (_number(name), name))
    rank = np.array([*(names.index(name) for name in factor.names), -1], dtype=np.float64)
    return rank[factor.codes]


def _number(name: str) -> float:
    try:
        return float(name)
    except ValueError:
        return float("inf")


def _gold_rows(ratings: Ratings) -> NDArray[np.bool_]:
    named = [code for code, name in enumerate(ratings.rater.names) if name.strip().casefold() == GOLD]
    return np.isin(ratings.rater.codes, named) | _of_role(ratings, GOLD)


def _controls(ratings: Ratings) -> NDArray[np.bool_]:
    """Rows given for practice or to check the rater; gold is looked at apart."""
    found = control_rows(ratings)
    return np.zeros(len(ratings), dtype=bool) if found is None else found


def _of_role(ratings: Ratings, wanted: str) -> NDArray[np.bool_]:
    role = ratings.columns.get("role")
    if role is None:
        return np.zeros(len(ratings), dtype=bool)
    return np.isin(role.codes, [code for code, name in enumerate(role.names) if name.strip().casefold() == wanted])
