"""What an item is where parts are pooled: never two ratings of one rater, whatever the order of rows."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.ratings.factor import Codes, Factor
from accord.ratings.repeats import row_keys
from accord.ratings.roles import other_rows
from accord.ratings.table import Ratings

__all__ = ["items_in_several", "occasion_ranks", "with_pooled_units"]


def items_in_several(ratings: Ratings) -> NDArray[np.bool_]:
    """Which items one rater rated in several of the pooled parts, on the same occasion: no rating is the first."""
    found = np.zeros(ratings.items, dtype=bool)
    parts = [ratings.columns[name] for name in ratings.pooled if name in ratings.columns]
    if not parts:
        return found
    ranks = occasion_ranks(ratings)
    others = other_rows(ratings)
    rows = np.flatnonzero((ratings.item.codes >= 0) & (True if others is None else ~others))
    criterion = ratings.columns.get("criterion")
    naming = [ratings.item, ratings.rater, *([] if criterion is None else [criterion])]
    cell = row_keys([factor[rows] for factor in naming])[0]
    rank = np.zeros(len(rows)) if ranks is None else ranks[rows]
    part = row_keys([factor[rows] for factor in parts])[0]
    order = np.lexsort((part, rank, cell))
    same = (cell[order][1:] == cell[order][:-1]) & (rank[order][1:] == rank[order][:-1])
    # Only the earliest occasion counts: a tie on a later one decides nothing.
    starts = np.r_[True, cell[order][1:] != cell[order][:-1]] if len(order) else np.zeros(0, dtype=bool)
    lowest = rank[order][np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
    tied = same & (part[order][1:] != part[order][:-1]) & (rank[order][1:] == lowest[1:])
    found[ratings.item.codes[rows[order[1:][tied]]]] = True
    return found


def with_pooled_units(ratings: Ratings) -> Ratings:
    """The same ratings with such an item as a unit of its own in each part; the others stay one unit over all parts."""
    several = items_in_several(ratings)
    if not several.any():
        return ratings
    parts = [ratings.columns[name] for name in ratings.pooled if name in ratings.columns]
    own = np.append(several, False)[ratings.item.codes]
    # Codes of empty cells are -1; what is not told apart by parts has one code for all of them.
    apart = [Factor(np.where(own, factor.codes, np.int32(-1)).astype(np.int32), factor.names) for factor in parts]
    _, first, codes = np.unique(row_keys([ratings.item, *apart])[0], return_index=True, return_inverse=True)
    items = ratings.item.labels()[first]
    named = [factor.labels()[first] for factor in apart]
    names = [
        f"{item} ({', '.join(filter(None, words))})" if any(words) else item
        for item, *words in zip(items, *named, strict=True)
    ]
    coded: Codes = np.where(ratings.item.codes < 0, -1, codes.reshape(-1)).astype(np.int32)
    item = Factor(coded, tuple(names)).compact()
    return replace(ratings, item=item, known_as=ratings.fingerprint)


def occasion_ranks(ratings: Ratings) -> Floats | None:
    """Occasions as numbers: themselves where they are numbers, else in order of appearance; empty is first."""
    if "occasion" in ratings.numbers:
        return np.nan_to_num(ratings.numbers["occasion"], nan=-np.inf)
    factor = ratings.columns.get("occasion")
    if factor is None or len(factor.names) == 0:
        return None
    try:
        ranks = [float(name) for name in factor.names]
    except ValueError:
        ranks = [float(place) for place in range(len(factor.names))]
    return np.array([*ranks, -np.inf])[factor.codes]
