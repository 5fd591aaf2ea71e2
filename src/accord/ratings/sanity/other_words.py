"""Raters whose answers nobody else gives: 1 and 0 where the others write yes and no."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.ratings.names import bare_name
from accord.ratings.remark import Remark
from accord.ratings.sanity.part import Part, Rows
from accord.words import listed

__all__ = ["other_words"]

_FEWEST = 5
"""So many ratings at least on either side, of items that both rated, and twice as many as there are answers."""
_MOST_ANSWERS = 20
"""With more answers than this two people may well use none in common."""


def other_words(part: Part) -> Iterator[Remark]:
    """A remark on raters who share no answer with the others, though each side uses several."""
    scale = part.ratings.scale
    if part.declared or scale.has_sets:
        return
    given = part.ratings.value[part.rows]
    used = distinct(given).tolist()
    if len(used) > _MOST_ANSWERS:
        return
    # Answers that differ by case or blanks are told apart by their own remark.
    known = {code: bare_name(str(scale.values[code])) for code in used}
    answers = sorted(set(known.values()))
    answer = np.array([answers.index(known[code]) for code in used])[np.searchsorted(used, given)]
    for mine in _circles(answer, part.raters, len(answers)):
        rows, others = (np.flatnonzero(side) for side in (mine, ~mine))
        if len(rows) <= len(others) and all(
            _is_used(answer[one], np.isin(part.items[one], part.items[other]))
            for one, other in ((rows, others), (others, rows))
        ):
            yield _remark(part, rows, others)
            return  # of two sides one is named: the smaller


def _circles(answer: Rows, rater: NDArray[np.int32], answers: int) -> Iterator[NDArray[np.bool_]]:
    """The rows of raters who share answers, directly or by way of others, fewest first; nothing where all do."""
    circle = list(range(answers))
    before, first = -1, 0
    for pair in distinct(rater.astype(np.int64) * answers + answer).tolist():
        who, one = divmod(pair, answers)
        if who != before:
            before, first = who, one
        elif (gone := circle[one]) != (kept := circle[first]):
            circle = [kept if name == gone else name for name in circle]
    names = sorted(set(circle))
    if len(names) > 1:
        of_row = np.array(circle)[answer]
        yield from sorted((of_row == name for name in names), key=np.count_nonzero)


def _is_used(answer: Rows, is_shared: np.ndarray) -> bool:
    """Whether one side gave several answers, several times, to items that the other side rated too."""
    shared = answer[is_shared]
    different = len(distinct(shared))
    return different > 1 and len(shared) >= max(_FEWEST, 2 * different)


def _remark(part: Part, rows: Rows, others: Rows) -> Remark:
    who = tuple(part.rater_name(code) for code in distinct(part.raters[rows]).tolist())
    mine, theirs = (_named(part, side) for side in (rows, others))
    none = f"{listed(who)} {'shares' if len(who) == 1 else 'share'} no answer with the others"
    return Remark(
        code="other_words",
        message=f"{part.prefix}{none}: {mine} in all {len(rows):,} ratings ({part.where(rows)}), where the "
        f"others give {theirs}. So they agree on nothing.",
        do="If they mean the same, spell the answers alike in the file; else leave one side out with --leave-out.",
        rows=part.lines(rows),
        who=who,
    )


def _named(part: Part, rows: Rows) -> str:
    values = distinct(part.ratings.value[part.rows[rows]]).tolist()
    return listed([repr(str(part.ratings.scale.values[code])) for code in values])
