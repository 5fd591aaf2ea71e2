"""Data frames of any library Narwhals knows, and two-dimensional arrays, as raw tables."""

from typing import Any

import numpy as np

from accord.errors import InputError, OptionError
from accord.ratings.raw import RawTable
from accord.ratings.table import Factor

__all__ = ["read_array", "read_frame"]


def read_frame(frame: Any) -> RawTable:
    """The columns of a frame; names are coded by the frame's own library, which is fast."""
    import narwhals as nw

    try:
        known = nw.from_native(frame)
    except TypeError:
        raise OptionError(
            f"Ratings cannot be read from a {type(frame).__name__}. "
            "Give a path, a data frame (pandas, Polars, PyArrow, ...) or an array of items x raters."
        ) from None
    if isinstance(known, nw.LazyFrame):
        known = known.collect()
    if not len(known):
        raise InputError("There are no ratings: the data frame has no rows.")
    columns = {str(name): _column(known[name]) for name in known.columns}
    return RawTable(columns, np.arange(1, len(known) + 1), "")


def _column(series: Any) -> Any:
    """A numpy array of numbers, or names coded by the frame's own library."""
    import narwhals as nw

    if series.dtype.is_numeric():
        array = series.to_numpy()
        return array if array.dtype.kind in "iuf" else series.to_list()
    if series.dtype in (nw.String, nw.Categorical, nw.Enum):
        return _coded(series.cast(nw.String))
    return series.to_list()


def _coded(series: Any) -> Factor | list[Any]:
    names = [name for name in series.unique(maintain_order=True).to_list() if isinstance(name, str)]
    if len(names) > len(series) // 2:
        cells: list[Any] = series.to_list()
        return cells
    import narwhals as nw

    codes = series.replace_strict(names, list(range(len(names))), default=-1, return_dtype=nw.Int32).to_numpy()
    return Factor(np.asarray(codes, dtype=np.int32), names)


def read_array(array: Any) -> RawTable:
    """An array of items x raters: one column a rater, named 1, 2, 3, ..."""
    cells = np.asarray(array)
    if cells.ndim != 2:
        raise OptionError(f"An array of ratings has two dimensions, items x raters, but this one has {cells.ndim}.")
    if not cells.size:
        raise InputError("There are no ratings: the array is empty.")
    columns = {f"rater {place}": cells[:, place - 1] for place in range(1, cells.shape[1] + 1)}
    return RawTable(columns, np.arange(1, len(cells) + 1), "")
