"""Data frames of any library Narwhals knows, and two-dimensional arrays, as raw tables."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.design.scale import Value
from accord.errors import ColumnError, InputError, OptionError
from accord.ratings.arrow_texts import coded_texts
from accord.ratings.factor import Factor
from accord.ratings.mapping import map_columns
from accord.ratings.raw import RawTable

__all__ = ["read_frame"]


def read_frame(frame: Any) -> RawTable:
    """The columns of a frame; names are coded by the frame's own library, which is fast. Or those of an array."""
    if isinstance(frame, bytes):
        raise OptionError("Ratings are read from a path or a data frame, not from bytes.")
    notes: tuple[str, ...] = ()
    orders: dict[str, tuple[Value, ...]] = {}
    if type(frame).__module__.startswith("pandas") and hasattr(frame, "columns") and hasattr(frame, "index"):
        frame, notes = _plain_pandas(frame)
        columns, orders = _of_pandas(frame)
    elif hasattr(frame, "ndim") and hasattr(frame, "dtype") and not hasattr(frame, "columns"):
        return _of_array(frame)
    else:
        columns = _of_others(frame)
    rows = len(next(iter(columns.values()), ()))
    if not rows:
        raise InputError("There are no ratings: the data frame has no rows.")
    notes += tuple(
        f"{name}: its order runs down, from {values[0]:g} to {values[-1]:g}; numbers are counted by their size, so say "
        "direction='low' if small ones are good"
        for name, values in orders.items()
        if _runs_down(values)
    )
    return RawTable(columns, range(1, rows + 1), "", notes, orders=orders)


def _of_others(frame: Any) -> dict[str, Any]:
    """The columns of a frame of another library than pandas."""
    import narwhals as nw

    try:
        known = nw.from_native(frame)
    except TypeError:
        raise OptionError(
            f"Ratings cannot be read from something of the type {type(frame).__name__}. "
            "Give a path, a data frame (pandas, Polars, PyArrow, ...) or an array of items x raters."
        ) from None
    if isinstance(known, nw.LazyFrame):
        known = known.collect()
    return {str(name): _column(known[name]) for name in known.columns}


def _of_pandas(frame: Any) -> tuple[dict[str, Any], dict[str, tuple[Value, ...]]]:
    """The columns of a pandas frame, and the categories of those that have an order.

    Numbers and texts are asked of pandas itself: through Narwhals a small frame took twice as long.
    """
    columns: dict[str, Any] = {}
    orders: dict[str, tuple[Value, ...]] = {}
    for name, series in frame.items():
        kind = series.dtype
        if isinstance(kind, np.dtype) and kind.kind in "iuf":
            columns[str(name)] = series.to_numpy()
        elif type(kind).__name__ == "StringDtype":
            in_arrow = kind.storage == "pyarrow"
            columns[str(name)] = coded_texts(series.array.__arrow_array__()) if in_arrow else _coded_by_pandas(series)
        else:
            import narwhals as nw

            columns[str(name)] = _column(nw.from_native(series, series_only=True))
            if getattr(kind, "ordered", False):
                orders[str(name)] = _ordered(list(series.cat.categories))
    return columns, orders


def _plain_pandas(frame: Any) -> tuple[Any, tuple[str, ...]]:
    """A pandas frame whose columns have one name each and whose named index is made of columns, and what was done."""
    notes: list[str] = []
    if (level := _level_of_raters(frame)) is not None:
        frame = frame.stack(level, future_stack=True)
        notes.append(f"the level {level!r} of the columns names who rated")
    if frame.columns.nlevels > 1:
        levels = frame.columns.nlevels
        parts = [[str(part).strip() for part in name if str(part).strip()] for name in frame.columns]
        frame = frame.set_axis([" ".join(part) for part in parts], axis=1)
        longest = max(parts, key=len, default=[])
        notes.append(f"names of columns in {levels} levels were put together, as in {' '.join(longest)!r}")
    if any(name is not None for name in frame.index.names):
        named = [str(name) for name in frame.index.names if name is not None]
        if new := [name for name in named if name not in frame.columns]:
            keep = [name for name in frame.index.names if str(name) in new]
            frame = frame.reset_index(level=keep)
            notes.append(f"the index holds columns too: {', '.join(new)}")
    if not frame.columns.is_unique:
        twice = sorted({str(name) for name in frame.columns[frame.columns.duplicated()]})
        raise ColumnError(
            f"The data frame has more than one column named {', '.join(twice[:5])}. Give each its own name."
        )
    return frame, tuple(notes)


def _level_of_raters(frame: Any) -> str | None:
    """The one of two levels of columns, as a pivot makes them, that is named like raters."""
    if frame.columns.nlevels != 2 or all(name is None for name in frame.index.names) or not frame.columns.is_unique:
        return None
    named = [
        name for name in frame.columns.names if name is not None and "rater" in map_columns([str(name)], {}).columns
    ]
    return str(named[0]) if len(named) == 1 and all(map(str, frame.columns.get_level_values(named[0]))) else None


def _ordered(categories: Sequence[Any]) -> tuple[Value, ...]:
    """The categories in their order: numbers if they are in the order of their size, up or down, else labels."""
    if not all(map(_is_number, categories)):
        return tuple(map(str, categories))
    numbers = tuple(map(float, categories))
    return numbers if list(numbers) == sorted(numbers) or _runs_down(numbers) else tuple(map(str, categories))


def _runs_down(values: Sequence[Value]) -> bool:
    numbers = [value for value in values if isinstance(value, float)]
    return len(numbers) == len(values) > 1 and numbers == sorted(numbers, reverse=True)


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float | np.number) and not isinstance(cell, bool)


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
    """Names coded without a Python object a row: a million names take a fraction of a second."""
    native = series.to_native()
    if series.implementation.is_pandas_like():
        return _coded_by_pandas(native)
    if series.implementation.is_pyarrow():
        return coded_texts(native)
    if series.implementation.is_polars():
        names = native.unique().drop_nulls().sort().to_list()
        codes = native.rank("dense").fill_null(0).to_numpy()
        return Factor(codes.astype(np.int32) - np.int32(1), names)
    cells: list[Any] = series.to_list()
    return cells


def _coded_by_pandas(series: Any) -> Factor:
    codes, names = series.factorize()
    return Factor(np.asarray(codes, dtype=np.int32), np.asarray(names, dtype=object).tolist())


def _of_array(array: Any) -> RawTable:
    """An array of items x raters: one column per rater, named 1, 2, 3, ..."""
    cells = np.asarray(array)
    if cells.ndim != 2:
        raise OptionError(f"An array of ratings has two dimensions, items x raters, but this one has {cells.ndim}.")
    if not cells.size:
        raise InputError("There are no ratings: the array is empty.")
    columns = {f"rater {place}": cells[:, place - 1] for place in range(1, cells.shape[1] + 1)}
    return RawTable(columns, range(1, len(cells) + 1), "")
