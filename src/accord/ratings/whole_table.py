"""A whole table of whole numbers, one column a rater, of which nothing was said: the short road to its ratings.

Whatever needs a second look takes the long road, :func:`accord.ratings.read.ratings_of_table`; a test holds the two to
the same ratings.
"""

from functools import partial

import numpy as np

from accord.ratings.codebook import Codebook
from accord.ratings.coding import code_stacked
from accord.ratings.column_names import are_raters
from accord.ratings.mapping import TELLING_NAMES
from accord.ratings.names import NumberNames
from accord.ratings.raw import RawTable
from accord.ratings.remark import Places
from accord.ratings.resolve import resolve_values
from accord.ratings.shapes import NO_ITEM, READ_AS_WIDE
from accord.ratings.table import Ratings, RegularFactor
from accord.words import shown_names

__all__ = ["ratings_of_whole_table"]

_RUNNING = 6
"""So many numbers that run by one may be numbers of the rows."""


def ratings_of_whole_table(table: RawTable) -> Ratings | None:
    """The ratings of such a table; None where a name, a cell or a value needs a second look."""
    names, columns = tuple(table.columns), list(table.columns.values())
    whole = all(type(column) is np.ndarray and column.dtype.kind in "iu" for column in columns)
    if not whole or len(columns) < 2 or not are_raters(names, TELLING_NAMES):
        return None
    rows, first = len(columns[0]), columns[0][:1000]
    if rows < 2 or (rows >= _RUNNING and (np.diff(first) == 1).all()):
        return None
    coded = code_stacked(columns)
    found = resolve_values(coded.distinct, counts=partial(np.bincount, coded.codes, None, len(coded.distinct)))
    if found.places is None or found.notes or found.codes:
        return None
    return Ratings(
        item=RegularFactor(NumberNames(range(1, rows + 1)), times=len(names)),
        rater=RegularFactor(names, each=rows), value=coded.codes, scale=found.scale,
        codebook=Codebook(guesses=found.scale.guesses),
        source=table.source, notes=(*table.notes, f"{READ_AS_WIDE}{shown_names(names)}", NO_ITEM, *found.scale.guesses),
        places=Places(table.row_numbers, table.files), left_out=table.left_out,
    )  # fmt: skip
