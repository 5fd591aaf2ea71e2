"""What ratings must fulfil before raters can be compared: overlap, and one rating of each rater an item."""

from typing import Any

from accord.errors import OptionError, RatingsError
from accord.ratings import repeats
from accord.ratings.counting import counted_rows
from accord.ratings.pooled_units import with_pooled_units
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.words import set_by

__all__ = ["require_ratings", "require_single", "told_apart_by"]

_CANDIDATES = (*repeats.TELL_APART, "system", "group", "batch")


def require_ratings(ratings: object, function: str) -> Ratings:
    """Ratings in memory; what is none, such as the name of a file, is refused with how to read it."""
    if isinstance(ratings, Ratings):
        return ratings
    if isinstance(ratings, StoredRatings):
        raise OptionError(
            f"accord.{function} needs every row, and these ratings are counted where they lie: read them with "
            'accord.read(..., engine="memory").'
        )
    raise OptionError(
        f"accord.{function} takes ratings, not {type(ratings).__name__}: read them first, as in "
        f"accord.{function}(accord.read(...))."
    )


def require_single(ratings: Any) -> None:
    """Refuse ratings in which a rater rated an item more than once, and say what tells the ratings apart.

    Later occasions and practice do not count here: counting leaves them out by itself. Stored ratings are
    looked at in a part of their items; a source of bare counts cannot be.
    """
    if isinstance(ratings, StoredRatings):
        ratings.look_for_repeats()
    if not isinstance(ratings, Ratings):
        return
    ratings = with_pooled_units(ratings)
    rows = counted_rows(ratings)
    counted = ratings if rows is None else ratings.where(rows)
    if not counted.repeats_cells:
        return
    column = told_apart_by(ratings)
    advice = (
        f"The column {column} tells them apart: look at each {column} by itself with "
        f"{set_by('by', column, python=repr(column))}, or compare them with accord compare --condition {column}."
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
