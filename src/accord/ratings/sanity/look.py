"""The sanity pass: every check on every criterion, each oddity said once, nothing changed."""

from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import numpy as np

from accord.ratings.apart import kept_apart
from accord.ratings.remark import Remark
from accord.ratings.sanity.label_twins import label_twins
from accord.ratings.sanity.off_values import kept_codes, off_values
from accord.ratings.sanity.other_scale import other_scales
from accord.ratings.sanity.other_way import beside_others, reversed_raters, shifted_raters
from accord.ratings.sanity.other_words import other_words
from accord.ratings.sanity.part import Part
from accord.ratings.sanity.same_twice import same_ratings_twice
from accord.ratings.sanity.twins import item_twins, twins
from accord.ratings.sanity.words_among_numbers import words_among_numbers
from accord.ratings.table import Ratings

__all__ = ["MOST_RATINGS", "sanity", "sanity_lines"]

MOST_RATINGS = 2_000_000
"""Beyond this many ratings nobody typed them, and the look would cost more than it gives."""


def sanity(ratings: Any) -> tuple[Remark, ...]:
    """What looks wrong in these ratings; () where nothing does, and for ratings that are counted where they lie."""
    global _LAST
    if not isinstance(ratings, Ratings) or not 0 < len(ratings) <= MOST_RATINGS:
        return ()
    looked_at, known = _LAST
    if looked_at() is not ratings:
        known = _looked(ratings)
        _LAST = ref(ratings), known
    return known


_LAST: tuple[Callable[[], Ratings | None], tuple[Remark, ...]] = (lambda: None), ()
"""The ratings looked at last, and what was seen: a command says it before a report tells it again."""


def _looked(ratings: Ratings) -> tuple[Remark, ...]:
    found = [*_breaking_rules(ratings), *ratings.remarks, *twins(ratings), *item_twins(ratings)]
    for part in _parts(ratings):
        found += _of_part(part)
    return tuple(found)


def sanity_lines(ratings: Any) -> list[str]:
    """The same in sentences, to stand before any number; [] where nothing looks wrong."""
    return [f"Check first: {remark}" for remark in sanity(ratings)]


def _breaking_rules(ratings: Ratings) -> Iterator[Remark]:
    """Raters who break a rule and count: they are still at work, or an organiser decided so."""
    gone = {one.rater for one in ratings.codebook.left_out}
    for one in ratings.codebook.breaks_rules:
        if one.rater in ratings.rater.names and one.rater not in gone:
            rule = f"the {'declared ' * one.declared}rule '{one.rule.replace('_', ' ')}'"
            yield Remark(
                code="rule_not_applied",
                message=f"rater {one.rater} breaks {rule} ({one.reason}) and counts in every number.",
                do=f"Compute without them to see what it changes: --leave-out {one.rater}.",
                who=(one.rater,),
            )


def _of_part(part: Part) -> list[Remark]:
    """The checks of one criterion: whoever uses another scale explains everything else that is odd about them."""
    if not part.ordered:
        return [*words_among_numbers(part), *label_twins(part), *other_words(part), *same_ratings_twice(part)]
    elsewhere, remarks = other_scales(part)
    left = part.without(elsewhere) if elsewhere else part
    copies = list(same_ratings_twice(left))
    beside = beside_others(left)
    values = [*kept_codes(left), *off_values(left)]
    return [*remarks, *values, *copies, *reversed_raters(left, beside), *shifted_raters(left, beside)]


def _parts(ratings: Ratings) -> Iterator[Part]:
    criterion = ratings.columns.get("criterion")
    names = ("",) if criterion is None or len(criterion.names) < 2 else tuple(criterion.names)
    apart = [ratings.columns[name].codes for name in kept_apart(ratings, ()) if name in ratings.columns]
    item = ratings.item.codes
    if apart:  # the same item under another condition is another item
        for codes in apart:
            key = item.astype(np.int64) * (int(codes.max(initial=0)) + 2) + codes + 1
            item = np.unique(key, return_inverse=True)[1].reshape(-1).astype(np.int32)
    for code, name in enumerate(names):
        rows = np.arange(len(ratings)) if not name or criterion is None else np.flatnonzero(criterion.codes == code)
        if len(rows):
            yield Part.of(ratings, name, rows, item[rows])
