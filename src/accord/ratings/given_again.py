"""Ratings that a rater gave of an item again: no further ratings of it, whoever makes scores out of ratings."""

import numpy as np
from numpy.typing import NDArray

from accord.ratings.apart import ROUNDS
from accord.ratings.pooled_units import occasion_ranks
from accord.ratings.repeats import NAMING, TELL_APART, row_keys
from accord.ratings.roles import repeat_rows
from accord.ratings.table import Codes, Ratings

__all__ = ["given_again", "in_another_round", "phase_of_first"]

_NOT_TELLING = ("occasion", "role")


def given_again(ratings: Ratings) -> NDArray[np.bool_] | None:
    """Rows marked as repeats, and those of a later occasion of the same rater, item and task; None without any."""
    marked = repeat_rows(ratings)
    found = np.zeros(len(ratings), dtype=bool) if marked is None else marked
    ranks = occasion_ranks(ratings)
    if ranks is not None:
        naming = [name for name in (*TELL_APART, *NAMING) if name not in _NOT_TELLING and name in ratings.columns]
        cell, _ = row_keys([ratings.item, ratings.rater, *(ratings.columns[name] for name in naming)])
        ranks = np.where(found, np.inf, ranks)
        order = np.lexsort((ranks, cell))
        starts = np.r_[True, cell[order][1:] != cell[order][:-1]] if len(order) else np.zeros(0, dtype=bool)
        first = ranks[order][np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
        later = np.zeros(len(ratings), dtype=bool)
        later[order] = ranks[order] > first
        found = found | later
    return found if found.any() and not found.all() else None


def phase_of_first(ratings: Ratings) -> Codes:
    """The phase of each row; of a repeat that of the rating it repeats, though it was given in a phase of its own.

    Where phases are kept apart, a repeat stays with what it repeats: the two are compared with each other only.
    """
    return _part_of_first(ratings, "phase")


def in_another_round(ratings: Ratings) -> NDArray[np.bool_]:
    """Rows marked as repeats of what the rater was asked in another phase, round or version of the guideline."""
    found = np.zeros(len(ratings), dtype=bool)
    for column in ROUNDS:
        if column in ratings.columns:
            found |= _part_of_first(ratings, column) != ratings.columns[column].codes
    return found


def _part_of_first(ratings: Ratings, column: str) -> Codes:
    """The part of this column that each row is in, of a repeat that of the rating it repeats."""
    phase = ratings.columns[column].codes
    marked = repeat_rows(ratings)
    if marked is None:
        return phase
    naming = [name for name in (*TELL_APART, *NAMING) if name not in (*_NOT_TELLING, *ROUNDS)]
    parts = [ratings.item, ratings.rater, *(ratings.columns[name] for name in naming if name in ratings.columns)]
    cell, _ = row_keys(parts)
    firsts, again = np.flatnonzero(~marked), np.flatnonzero(marked)
    known = {(one, of) for one, of in zip(cell[firsts].tolist(), phase[firsts].tolist(), strict=True)}
    first = dict(zip(cell[firsts[::-1]].tolist(), phase[firsts[::-1]].tolist(), strict=True))
    found = phase.copy()
    for row, one in zip(again.tolist(), cell[again].tolist(), strict=True):
        if (one, int(phase[row])) not in known:
            found[row] = first.get(one, int(phase[row]))
    return found
