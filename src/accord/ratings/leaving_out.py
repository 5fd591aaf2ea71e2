"""Raters whose ratings do not count: what was decided travels in the codebook, and every analysis follows it here."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from accord.design.nearest import did_you_mean
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.codebook import LeftOut
from accord.ratings.table import Ratings

__all__ = ["ASKED", "left_out_in_words", "with_exclusions"]

ASKED = "asked for in this analysis"
"""The reason of an exclusion that nobody declared or decided before."""


def with_exclusions(ratings: Ratings, *, leave_out: Iterable[str] = (), keep_all: bool = False) -> Ratings:
    """The ratings that count: without the raters that the codebook leaves out, and without these others.

    ``keep_all`` keeps everybody whom the codebook leaves out. Who is not there, and why, stands in the notes.
    """
    asked = _asked(ratings, tuple(leave_out))
    declared = () if keep_all else ratings.codebook.left_out
    left_out = (*declared, *(one for one in asked if one.rater not in {known.rater for known in declared}))
    kept = [one for one in ratings.codebook.left_out if one not in left_out] if keep_all else []
    names = {one.rater for one in left_out}
    out = np.isin(ratings.rater.codes, [code for code, name in enumerate(ratings.rater.names) if name in names])
    notes = [*left_out_in_words(left_out), *(f"kept, though left out before: rater {one.rater}" for one in kept)]
    if not notes:
        return ratings
    if out.all():
        raise NotEnoughDataError(f"Every rater is left out ({', '.join(sorted(names))}), so no rating is left.")
    part = ratings.where(~out) if out.any() else ratings
    codebook = replace(ratings.codebook, left_out=left_out)
    return replace(part, codebook=codebook, notes=tuple(dict.fromkeys((*ratings.notes, *notes))))


def _asked(ratings: Ratings, names: Sequence[str]) -> tuple[LeftOut, ...]:
    known = {*ratings.rater.names, *(one.rater for one in ratings.codebook.left_out)}
    for name in names:
        if name not in known:
            raise OptionError(f"There is no rater {name!r} to leave out{did_you_mean(name, sorted(known))}")
    return tuple(LeftOut(rater=name, reason=ASKED) for name in dict.fromkeys(names))


def left_out_in_words(left_out: Iterable[LeftOut]) -> list[str]:
    """One sentence for each rater: who, by which rule, why and when."""
    return [
        f"left out: rater {one.rater}" + (f", by the rule {one.rule}" if one.rule else "")
        + (" declared before collection" if one.declared and one.rule else "")
        + (f": {one.reason}" if one.reason else "") + (f" ({one.date})" if one.date else "")
        for one in left_out
    ]  # fmt: skip
