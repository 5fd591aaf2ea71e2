"""What it would take: so many more items, or so many more raters, for an interval of the width that is wanted."""

from math import ceil, isnan

import numpy as np

from accord.design.scale import Scale
from accord.errors import NotEnoughDataError, OptionError
from accord.planning.precision import error_of_raters
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.estimate import Estimate
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["Needed", "what_is_needed"]

_MOST_RATERS = 8
_STEPS = 11


@dataclass(frozen=True, slots=True)
class Needed(PlainData):
    """Items or raters that would narrow the interval to ``half_width`` either side; None where neither can be said."""

    half_width: float
    now: float
    items: int | None
    raters: int | None
    words: str


def what_is_needed(ratings: Ratings, estimate: Estimate, *, half_width: float = 0.05, seed: int = 0) -> Needed | None:
    """From the interval of this estimate: widths shrink with the square root of items; raters are simulated."""
    if estimate.interval is None or isnan(estimate.value):
        return None
    now = estimate.interval.width / 2
    if now <= half_width:
        return Needed(half_width, now, 0, 0, f"The interval is already as narrow as ±{half_width:g}.")
    items = max(1, ceil(estimate.items * (now / half_width) ** 2) - estimate.items)
    raters = _raters(ratings, estimate, half_width / now, seed)
    more = f"{items:,} more item{'s' if items != 1 else ''}"
    if raters:
        more += f", or {raters} more rater{'s' if raters != 1 else ''} of every item"
    return Needed(half_width, now, items, raters, f"At this rate {more} for ±{half_width:g} (now ±{steady(now):.2f}).")


def _raters(ratings: Ratings, estimate: Estimate, wanted: float, seed: int) -> int | None:
    """The fewest raters more with whom the error of simulated ratings is the wanted share of what it is now."""
    present = max(2, round(len(ratings) / max(1, ratings.items)))
    guess = min(max(estimate.value, 0.0), 0.99)
    try:
        error = error_of_raters(present + _MOST_RATERS, _coarse(ratings.scale), guess, np.random.default_rng(seed))
    except (NotEnoughDataError, OptionError):
        return None
    enough = wanted * error(present)
    if not error(present + _MOST_RATERS) <= enough:
        return None
    return next(more for more in range(1, _MOST_RATERS + 1) if error(present + more) <= enough)


def _coarse(scale: Scale) -> Scale:
    """A fine scale in a few steps: its precision is the same and the simulation quick."""
    if len(scale) <= _STEPS:
        return scale
    return Scale(scale.level, tuple(float(step) for step in range(_STEPS)), declared=True)
