"""From a column as it comes (array, list, strings) to one code a row and the distinct values."""

import math
import numbers
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.ratings.factor import Coded, Codes, Factor, FullFactor
from accord.ratings.names import LaterNames, NumberNames, spelled_number
from accord.words import counted

__all__ = ["MISSING_TOKENS", "Coded", "code_column", "code_names", "code_numbers", "coded_values", "joined_by_blanks"]

MISSING_TOKENS = frozenset({"", "na", "n/a", "#n/a", "<na>", "null", "none", "nan", "nat"})
"""Spellings of «no answer», compared without case. Zero is not among them: zero is a score."""

_TABLE_SPARE = 4
"""Whole numbers are counted in a table while it stays within this many cells a row."""

_DECIMALS = range(5)
_SAMPLE = 1000
_CACHED = 1 << 14
_EXACT = 2.0**52
_UNSIGNED = 2**63 - 1


def code_column(column: Any) -> Coded:
    """Code any column: numpy array (also masked), list, tuple, or one already coded."""
    if isinstance(column, Coded):
        return column
    if isinstance(column, Factor):
        return Coded(column.codes, column.names)
    if is_masked(column):
        return _code_masked(column.data, ~np.ma.getmaskarray(column))
    array = column if isinstance(column, np.ndarray) else None
    if array is not None and array.dtype.kind in "iu":
        return Coded(*_code_integers([array]))
    if array is not None and array.dtype.kind == "f":
        return _code_floats([array])
    return _code_objects(array.tolist() if array is not None else list(column))


def is_masked(column: Any) -> bool:
    """Whether an array hides some of its cells; asked without loading the module of such arrays."""
    return isinstance(column, np.ndarray) and hasattr(column, "mask")


def code_stacked(columns: Sequence[Any]) -> Coded:
    """Code columns under each other as one; plain numbers are not copied before."""
    kinds = {column.dtype.kind if type(column) is np.ndarray else "" for column in columns}
    if kinds <= {"i", "u"}:
        return Coded(*_code_integers(columns))
    return _code_floats(columns) if kinds == {"f"} else code_column(stacked(columns))


def stacked(columns: Sequence[Any]) -> Any:
    """Columns under each other as one."""
    if all(isinstance(column, np.ndarray) and column.dtype.kind in "iuf" for column in columns):
        masked = any(map(is_masked, columns))
        return np.ma.concatenate(columns) if masked else np.concatenate(columns)  # type: ignore[no-untyped-call]
    cells: list[Any] = []
    for column in columns:
        coded = code_column(column)
        cells.extend(np.array([*coded.distinct, None], dtype=object)[coded.codes].tolist())
    return cells


def _code_masked(cells: NDArray[Any], known: NDArray[np.bool_]) -> Coded:
    """What lies under the mask is no value: only the known cells are looked at."""
    coded = code_column(cells[known])
    codes = np.full(len(cells), -1, dtype=np.int32)
    codes[known] = coded.codes
    return Coded(codes, coded.distinct)


def _code_integers(columns: Sequence[NDArray[Any]]) -> tuple[Codes, NDArray[Any]]:
    """Codes and distinct numbers of columns under each other."""
    rows = sum(map(len, columns))
    if not rows:
        return np.zeros(0, dtype=np.int32), columns[0]
    low, high = min(int(column.min()) for column in columns), max(int(column.max()) for column in columns)
    if high - low >= _TABLE_SPARE * rows + 1000 or high >= _UNSIGNED:
        distinct, inverse = np.unique(np.concatenate(columns), return_inverse=True)
        return inverse.astype(np.int32), distinct
    codes, start = np.empty(rows, dtype=np.int32), 0
    for column in columns:
        np.subtract(column, low, out=codes[start : start + len(column)], casting="unsafe")
        start += len(column)
    return _without_unused(codes, low, high)


def _without_unused(codes: Codes, low: int, high: int) -> tuple[Codes, NDArray[Any]]:
    """Codes of the numbers from low to high that occur, and these; -1 stays -1."""
    used = np.zeros(high - low + 2, dtype=bool)  # -1 marks the spare last place
    for part in (codes[:_SAMPLE], codes):
        used[part] = True
        if used[:-1].all():  # mostly after a glance
            return codes, np.arange(low, high + 1)
    position = np.cumsum(used, dtype=np.int32) - np.int32(1)
    position[-1] = -1
    return position[codes], np.flatnonzero(used[:-1]) + low


def _code_floats(columns: Sequence[NDArray[Any]]) -> Coded:
    """Numbers with few decimals are coded as whole numbers of their last decimal, which needs no sorting.

    What is no number gets -1. It yields to the least one by fmax, and an or with all bits makes -1 of its code: choices
    cell by cell (numpy.where, copyto) took 6 ms for half a million cells with gaps here and there.
    """
    columns = [column.astype(np.float64, copy=False) for column in columns]
    rows = sum(map(len, columns))
    low, high = (
        float(least.reduce([least.reduce(column) for column in columns if len(column)], initial=np.nan))
        for least in (np.fmin, np.fmax)
    )
    if math.isnan(low):
        return Coded(np.full(rows, -1, dtype=np.int32), np.zeros(0))
    largest = max(high, -low)
    for digits in _DECIMALS:
        steps = 10.0**digits
        if largest * steps > _EXACT or (high - low) * steps >= _TABLE_SPARE * rows + 1000:
            break
        first, last = round(low * steps), round(high * steps)
        if (codes := _steps_from(columns, steps, low, np.empty(rows, dtype=np.int32))) is not None:
            codes, distinct = _without_unused(codes, first, last)
            return Coded(codes, distinct / steps if digits else distinct)
    numbers = np.concatenate(columns)
    distinct, inner = np.unique(np.fmax(numbers, low), return_inverse=True)
    if largest <= _EXACT and np.array_equal(distinct, np.rint(distinct)):
        distinct = distinct.astype(np.int64)
    return Coded(inner.astype(np.int32) | _all_bits_where(numbers != numbers), distinct)


def _steps_from(columns: Sequence[NDArray[Any]], steps: float, low: float, codes: Codes) -> Codes | None:
    """How many steps each number is above the least; None if one cannot be had back from its steps.

    In parts that stay in the processor's cache: a copy of half a million numbers is new memory, which the system fills
    with zeros first; two of them took as long as all else that coding does.
    """
    first, start = round(low * steps), 0
    for column in columns:
        for begin in range(0, len(column), _CACHED):
            part = column[begin : begin + _CACHED]
            number = np.fmax(part, low)
            whole = np.rint(number * steps)
            if (whole / steps != number).any():
                return None
            above = codes[start : start + len(part)]
            np.subtract(whole, first, out=above, casting="unsafe")
            empty = part != part
            if empty.any():
                above |= _all_bits_where(empty)
            start += len(part)
    return codes


def _all_bits_where(these: NDArray[np.bool_]) -> NDArray[np.int32]:
    return -these.astype(np.int32)


def _code_objects(cells: list[Any]) -> Coded:
    try:
        index = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
        codes = np.fromiter(map(index.__getitem__, cells), dtype=np.int32, count=len(cells))
    except TypeError:  # lists and arrays cannot be looked up; as sets of labels they can
        return _code_objects([_hashable(cell) for cell in cells])
    return coded_values(codes, list(index))


def coded_values(codes: Codes, distinct: list[Any]) -> Coded:
    """Codes into distinct raw values, of which those that are nothing get -1."""
    if set(map(type, distinct)) == {str}:
        return Coded(codes, distinct)
    empty = np.array([_is_nothing(cell) for cell in distinct], dtype=bool)
    if empty.any():
        codes = np.append(np.where(empty, -1, np.arange(len(distinct))), -1).astype(np.int32)[codes]
    return Coded(codes, distinct)


def _hashable(cell: Any) -> Any:
    if isinstance(cell, set | list | tuple | np.ndarray):
        return frozenset(str(part) for part in cell)
    return str(cell) if isinstance(cell, dict | bytearray) else cell


def _is_nothing(cell: Any) -> bool:
    """None, nan, pandas' NA and NaT: whatever is not equal to itself, or cannot say."""
    if cell is None:
        return True
    if isinstance(cell, str | frozenset):
        return False
    try:
        return bool(cell != cell)
    except (TypeError, ValueError, ArithmeticError):
        return True


def code_names(column: Any) -> Factor:
    """A column of names: spelled as text, without space around; an empty cell is -1."""
    if isinstance(column, Factor) and _is_clean(column.names):
        return column.compact()
    coded = code_column(column)
    if isinstance(coded.distinct, LaterNames):
        return FullFactor(coded.codes, coded.distinct)
    if isinstance(coded.distinct, np.ndarray) and coded.distinct.dtype.kind in "iu":
        return Factor(coded.codes, NumberNames(coded.distinct))
    texts = coded.distinct if isinstance(coded.distinct, list) and not isinstance(column, Factor) else ()
    if set(map(type, texts)) == {str} and _is_stripped(texts):  # distinct cells, so that no name is there twice
        return Factor(coded.codes, tuple(texts))
    index: dict[str, int] = {}
    spelled = [spelled_cell(cell) for cell in coded.distinct]
    position = [index.setdefault(name, len(index)) if name else -1 for name in spelled]
    return Factor(coded.recoded(np.array(position, dtype=np.int32)), tuple(index))


def joined_by_blanks(column: Coded | Factor, named: Factor) -> tuple[str, ...]:
    """A line on each name that stands there with blanks around it and without: its rows count as those of one."""
    names = column.names if isinstance(column, Factor) else column.distinct
    if len(names) == len(named.names) or isinstance(names, np.ndarray | NumberNames):
        return ()
    bare = Counter(name.strip() for name in names if isinstance(name, str))
    twice = {name for name, times in bare.items() if name and times > 1}
    odd = [code for code, name in enumerate(names) if isinstance(name, str) and name.strip() in twice - {name}]
    rows = np.bincount(column.codes[column.codes >= 0], minlength=len(names)) if odd else ()
    return tuple(
        f"{names[code]!r} ({counted(int(rows[code]), 'row')}) counts as {names[code].strip()!r}" for code in odd
    )


def _is_clean(names: Sequence[str]) -> bool:
    """Whether names are already spelled as they should be: no space around, none empty, none twice."""
    return isinstance(names, NumberNames | LaterNames) or (_is_stripped(names) and len(set(names)) == len(names))


def _is_stripped(names: Sequence[str]) -> bool:
    return "" not in names and list(map(str.strip, names)) == list(names)


def code_numbers(column: Any) -> NDArray[np.float64] | None:
    """A column of quantities, nan where empty; None if a cell is not a number."""
    coded = code_column(column)
    amounts = []
    for cell in coded.distinct:
        text = spelled_cell(cell)
        try:
            amounts.append(math.nan if text.lower() in MISSING_TOKENS else float(text))
        except ValueError:
            return None
    return np.array([*amounts, math.nan])[coded.codes]


def spelled_cell(cell: Any) -> str:
    """A cell as text: whole numbers without a decimal point, sets sorted."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool | np.bool_):
        return str(bool(cell))
    if isinstance(cell, frozenset):
        return "|".join(sorted(str(part) for part in cell))
    if isinstance(cell, numbers.Real | np.number) and math.isfinite(float(cell)):
        return spelled_number(float(cell)) if abs(float(cell)) < 2**53 else str(cell)
    return "" if _is_nothing(cell) else str(cell).strip()
