"""What two conditions are made of: raters of their own, and documents that both may have."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.ratings.names import in_order
from accord.ratings.table import Ratings

__all__ = ["documents_of", "own_raters"]


def own_raters(parts: Sequence[Ratings]) -> tuple[list[str], list[str]] | None:
    """The raters of each condition, where no rater works under both and each has two or more."""
    one, other = ([part.rater.names[code] for code in distinct(part.rater.codes)] for part in parts)
    return (one, other) if not set(one) & set(other) and min(len(one), len(other)) >= 2 else None


def documents_of(parts: Sequence[Ratings], items: Sequence[str]) -> NDArray[np.int64] | None:
    """The document of each item, None where documents are not named or are items themselves."""
    if any("document" not in part.columns for part in parts):
        return None
    place = {name: at for at, name in enumerate(items)}
    documents = in_order(list({name for part in parts for name in part.columns["document"].names}))
    names = {name: number for number, name in enumerate(documents)}
    found = np.full(len(items), -1, dtype=np.int64)
    for part in parts:
        factor = part.columns["document"]
        codes = np.array([names[name] for name in factor.names] + [-1])
        found[[place[name] for name in part.item.labels().tolist()]] = codes[factor.codes]
    return None if (found < 0).any() or len(names) >= len(items) else found
