"""What ratings must fulfil before raters can be compared: overlap, and one rating of each rater an item."""

from typing import Any

import numpy as np

from accord.errors import NotEnoughDataError, RatingsError
from accord.ratings import repeats
from accord.ratings.counting import counted_rows
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings

__all__ = ["require_overlap", "require_single", "told_apart_by"]

_CANDIDATES = (*repeats.TELL_APART, "system", "group", "batch")


def require_overlap(ratings: Any) -> None:
    """Refuse ratings in which no two raters can be compared; reading alone does not need this.

    Takes ratings in memory or any source of counts.
    """
    if isinstance(ratings, Ratings):
        raters, shared = ratings.raters, _shared_items(ratings)
    else:
        facts = ratings.facts()
        raters, shared = facts.raters, facts.pairable
    if raters < 2:
        raise NotEnoughDataError(
            f"Agreement needs at least two raters, but there is {raters}. "
            "If the rater column is another one, name it: rater='...'."
        )
    if not shared:
        raise NotEnoughDataError(
            f"No item was rated by two of the {raters:,} raters, so their agreement cannot be known. "
            "Check that the same item has the same name for every rater."
        )


def _shared_items(ratings: Ratings) -> int:
    """Items with ratings of at least two different raters."""
    keys, _ = repeats.row_keys([ratings.item, ratings.rater])
    distinct = np.unique(keys)
    per_item = np.bincount(distinct // (len(ratings.rater.names) + 1))
    return int(np.count_nonzero(per_item >= 2))


def require_single(ratings: Any) -> None:
    """Refuse ratings in which a rater rated an item more than once, and say what tells the ratings apart.

    Later occasions and practice do not count here: counting leaves them out by itself. Stored ratings are
    looked at in a part of their items; a source of bare counts cannot be.
    """
    if isinstance(ratings, StoredRatings):
        ratings.look_for_repeats()
    if not isinstance(ratings, Ratings):
        return
    rows = counted_rows(ratings)
    counted = ratings if rows is None else ratings.where(rows)
    if not counted.repeats_cells:
        return
    column = told_apart_by(ratings)
    advice = (
        f"The column {column} tells them apart: look at each {column} by itself with --by {column} (by={column!r} in "
        f"Python), or compare them with accord compare --condition {column}."
        if column
        else "No single column tells them apart: take a part of the ratings, or split by several columns (--by)."
    )
    row, first = repeats.repeated_rows(repeats.row_keys([counted.item, counted.rater])[0])[0]
    rater = counted.rater.names[counted.rater.codes[row]]
    item = counted.item.names[counted.item.codes[first]]
    raise RatingsError(f"A rater has several ratings of one item here (for example {rater} of {item}). {advice}")


def told_apart_by(ratings: Ratings) -> str | None:
    """The column that tells several ratings of one item by one rater apart; None if nothing repeats or none does."""
    rows = counted_rows(ratings)
    counted = ratings if rows is None else ratings.where(rows)
    if not counted.repeats_cells:
        return None
    parts = [counted.item, counted.rater]
    return repeats.told_apart_by(parts, counted.columns, [name for name in _CANDIDATES if name in counted.columns])
