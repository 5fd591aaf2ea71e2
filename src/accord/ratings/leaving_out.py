"""Raters whose ratings do not count: what was decided travels in the codebook, and every analysis follows it here."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from accord.design.nearest import did_you_mean
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.codebook import LeftOut
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings

__all__ = [
    "ASKED",
    "COUNTED_AGAIN",
    "KEPT",
    "KEPT_AT_GATE",
    "LEFT_OUT",
    "NO_GATE",
    "UNGATED",
    "absent_in_words",
    "answers_that_count",
    "asked_for",
    "check_are_raters",
    "exclusion_notes",
    "kept_notes",
    "left_out_in_words",
    "with_exclusions",
]

_Rated = TypeVar("_Rated", bound=Ratings | StoredRatings)
LEFT_OUT = "left out:"
KEPT = "kept, though left out before:"
KEPT_AT_GATE = "kept, though the gate would leave them out:"
UNGATED = "no rater passes the gate"
NO_GATE = "no rater went through the gate"
ASKED = "asked for in this analysis"
"""The reason of an exclusion that nobody declared or decided before."""
COUNTED_AGAIN = "counted again on"
"""Stands in the reason of a rater who breaks a rule and counts because an organiser decided so."""


def with_exclusions(ratings: _Rated, *, leave_out: Iterable[str] = (), keep_all: bool = False) -> _Rated:
    """The ratings that count: without the raters that the codebook leaves out, and without these others.

    ``keep_all`` keeps everybody whom the codebook leaves out. Who is not there, and why, stands in the notes.
    """
    decided = ratings.codebook.left_out
    asked = _asked(ratings, tuple(leave_out))
    declared = () if keep_all else decided
    left_out = (*declared, *(one for one in asked if one.rater not in {known.rater for known in declared}))
    kept = [one for one in decided if one not in left_out] if keep_all else []
    names = {one.rater for one in left_out}
    notes = [*left_out_in_words(left_out), *(f"{KEPT} rater {one.rater}" for one in kept)]
    if not {*notes} <= {*ratings.notes}:  # else they were left out before, and are not there any more
        notes += absent_in_words(left_out, _raters(ratings))
    if not notes:
        return ratings
    if set(_raters(ratings)) <= names:
        raise NotEnoughDataError(f"Every rater is left out ({', '.join(sorted(names))}), so no rating is left.")
    told = tuple(dict.fromkeys((*ratings.notes, *notes)))
    counted: _Rated = replace(_without(ratings, left_out), notes=told)
    return counted


def _without(ratings: Any, left_out: tuple[LeftOut, ...]) -> Any:
    names = {one.rater for one in left_out}
    if isinstance(ratings, StoredRatings):
        return ratings.without_raters(sorted(names))
    out = np.isin(ratings.rater.codes, [code for code, name in enumerate(ratings.rater.names) if name in names])
    kept = ratings.where(~out) if out.any() else ratings
    return replace(kept, codebook=replace(ratings.codebook, left_out=left_out))


def _raters(ratings: Ratings | StoredRatings) -> Sequence[str]:
    return ratings.rater_names() if isinstance(ratings, StoredRatings) else ratings.rater.names


def _asked(ratings: Ratings | StoredRatings, names: Sequence[str]) -> tuple[LeftOut, ...]:
    if not names:
        return ()
    check_are_raters(names, {*_raters(ratings), *(one.rater for one in ratings.codebook.left_out)})
    return asked_for(names)


def check_are_raters(names: Iterable[str], known: Collection[str]) -> None:
    """An error where a name that somebody asks to leave out is nowhere: neither rated nor left out before."""
    for name in names:
        if name not in known:
            raise OptionError(f"There is no rater {name!r} to leave out{did_you_mean(name, sorted(known))}")


def asked_for(names: Iterable[str]) -> tuple[LeftOut, ...]:
    """Raters whom somebody leaves out of this analysis."""
    return tuple(LeftOut(rater=name, reason=ASKED) for name in dict.fromkeys(names))


def answers_that_count(answers: Ratings | None, ratings: Ratings) -> Ratings | None:
    """What raters answered about the work, without those whose ratings do not count; None where nothing is left."""
    if answers is None:
        return None
    gone = {one.rater for one in ratings.codebook.left_out}
    out = np.isin(answers.rater.codes, [code for code, name in enumerate(answers.rater.names) if name in gone])
    return None if out.all() else answers.where(~out) if out.any() else answers


def left_out_in_words(left_out: Iterable[LeftOut]) -> list[str]:
    """One sentence for each rater: who, by which rule, why and when."""
    return [
        f"{LEFT_OUT} rater {one.rater}"
        + (f", by the rule '{one.rule.replace('_', ' ')}'" if one.rule else "")
        + (" declared before collection" if one.declared and one.rule else "")
        + (f": {one.reason}" if one.reason else "")
        + (f" ({one.date})" if one.date else "")
        for one in left_out
    ]


def absent_in_words(left_out: Iterable[LeftOut], there: Sequence[str]) -> list[str]:
    """A line for each rater who is left out and gave nothing: perhaps the name is another one."""
    return [
        f"rater {one.rater} is left out and gave none of these ratings" for one in left_out if one.rater not in there
    ]


def exclusion_notes(ratings: Ratings) -> list[str]:
    """Of all notes those that say who was left out, or kept all the same."""
    left_out = left_out_in_words(ratings.codebook.left_out)
    kept = kept_notes(ratings)
    return [note for note in ratings.notes if note in left_out or note in kept or note.startswith(NO_GATE)]


def kept_notes(ratings: Ratings) -> list[str]:
    """Of all notes those that say who counts, though a rule or a decision would leave them out."""
    return [note for note in ratings.notes if note.startswith((KEPT, KEPT_AT_GATE, UNGATED))]
