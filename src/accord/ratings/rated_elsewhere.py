"""Ratings compared with nobody's, because the other raters gave theirs under another version or in another round."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.ratings.apart import ROUNDS, words_of
from accord.ratings.repeats import row_keys
from accord.ratings.roles import other_rows
from accord.ratings.table import Factor, Ratings
from accord.words import counted

__all__ = ["items_elsewhere", "note_of_elsewhere", "part_named", "rows_of_one_turn", "where_else"]

PartName = tuple[str, frozenset[tuple[str, str]]]
_TURN = {
    "guideline": "under another version of the guideline",
    "phase": "in another phase",
    "round": "in another round",
}

_ASKED = ("criterion", "scenario", "condition")
"""What was asked of an item beside it: the same text in another scenario is another thing to judge."""


def items_elsewhere(ratings: Ratings, apart: Sequence[str]) -> dict[PartName, int]:
    """How many items of each part one rater rated there, and others elsewhere; parts without such items are not named.

    Elsewhere is a part that differs in version, phase or round alone: scenarios are different by design.
    """
    rows = np.flatnonzero(_alone(ratings, apart))
    if not len(rows):
        return {}
    return {part_named(ratings, group.by): group.ratings.items for group in ratings.where(rows).split(apart)}


def part_named(ratings: Ratings, by: Mapping[str, str]) -> PartName:
    """By what a part of these ratings is known, whether its criterion is named or is the only one."""
    criteria = ratings.columns.get("criterion")
    only = criteria.names[0] if criteria is not None and len(criteria.names) == 1 else ""
    return by.get("criterion", only), frozenset((name, value) for name, value in by.items() if name != "criterion")


def note_of_elsewhere(ratings: Ratings, apart: Sequence[str]) -> tuple[str, ...]:
    """The line that says so; nothing where every rating that can be compared is."""
    found = sum(items_elsewhere(ratings, apart).values())
    if not found:
        return ()
    told = counted(found, "rating is compared with nobody's", "ratings are compared with nobody's")
    return (f"{told}: other raters gave theirs {where_else(apart)}",)


def where_else(apart: Sequence[str]) -> str:
    """Where the other raters gave theirs, in words."""
    turns = [name for name in ROUNDS if name in apart]
    return _TURN[turns[0]] if len(turns) == 1 else f"in another {words_of(turns)}"


def _alone(ratings: Ratings, apart: Sequence[str]) -> NDArray[np.bool_]:
    """Ordinary ratings without another one of their item in their part, while another rater has one elsewhere."""
    turns = [ratings.factor(name) for name in apart if name in ROUNDS]
    others = other_rows(ratings)
    usable = (ratings.value >= 0) & (ratings.item.codes >= 0) & (ratings.rater.codes >= 0)
    usable &= True if others is None else ~others
    if not turns or not usable.any():
        return np.zeros(len(ratings), dtype=bool)
    asked = [name for name in ("criterion", *apart) if name in ratings.columns and name not in ROUNDS]
    unit = [ratings.item, *(ratings.factor(name) for name in asked)]
    here, in_all = _raters(ratings, [*unit, *turns], usable), _raters(ratings, unit, usable)
    return np.asarray(usable & (here == 1) & (in_all > 1))


def _raters(ratings: Ratings, parts: Sequence[Factor], usable: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many raters there are of the same parts as each row."""
    _, key = np.unique(row_keys(parts)[0], return_inverse=True)
    raters = max(ratings.raters, 1)
    pairs = distinct(key[usable].astype(np.int64) * raters + ratings.rater.codes[usable])
    return np.asarray(np.bincount(pairs // raters, minlength=int(key.max()) + 1)[key])


def rows_of_one_turn(ratings: Ratings, columns: Sequence[str]) -> NDArray[np.bool_]:
    """Of each item the ratings of one version, phase or round: where most were given, the latest of several such.

    Where rounds are compared, what was rated before them may have been rated under several versions, and no two
    ratings of different versions are paired.
    """
    turns = [factor for name in columns if name in ratings.columns and len((factor := ratings.factor(name)).names) > 1]
    if not turns or not len(ratings):
        return np.ones(len(ratings), dtype=bool)
    unit = [ratings.item, *(ratings.factor(name) for name in _ASKED if name in ratings.columns)]
    _, key = np.unique(row_keys(unit)[0], return_inverse=True)
    turn = np.zeros(len(ratings), dtype=np.int64)
    for factor in turns:
        names = [str(name) for name in factor.names]
        place = np.empty(len(names), dtype=np.int64)
        place[sorted(range(len(names)), key=lambda code: (len(names[code]), names[code]))] = np.arange(len(names))
        turn = turn * (len(names) + 1) + np.append(place, -1)[factor.codes] + 1
    # Raters come first, then how late it is; who judged an item twice in one turn is one rater.
    rank = _raters(ratings, [*unit, *turns], np.ones(len(ratings), dtype=bool)) * (int(turn.max()) + 1) + turn
    best = np.zeros(int(key.max()) + 1, dtype=np.int64)
    np.maximum.at(best, key.ravel(), rank)
    return np.asarray(rank == best[key.ravel()])
