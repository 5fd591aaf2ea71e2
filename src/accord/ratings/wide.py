"""Tables with several columns of values, made long: a row for each rating."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.errors import ColumnError
from accord.ratings.coding import code_names, code_stacked
from accord.ratings.grid import is_run
from accord.ratings.names import NumberNames
from accord.ratings.raw import RawTable
from accord.ratings.shapes import ValueColumn
from accord.ratings.table import Factor, RegularFactor

__all__ = ["long_columns"]


def long_columns(table: RawTable, cells: Sequence[ValueColumn], others: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Columns of the long table, and the line numbers of its rows, once for all columns of values."""
    if not cells:
        raise ColumnError("There is no column left that could be a rater. Name them: wide=['rater 1', 'rater 2'].")
    rows, number = len(table), len(cells)
    item, rater = others.pop("item", None), others.pop("rater", None)
    columns: dict[str, Any] = {}
    if cells[0].item:
        columns["item"] = _once_a_column([cell.item for cell in cells], rows)
    else:
        columns["item"] = _numbered(rows, number) if item is None else _over_again(item, number)
    if cells[0].rater:
        columns["rater"] = _once_a_column([cell.rater for cell in cells], rows)
    else:
        columns["rater"] = _numbered(rows, number, "respondent ") if rater is None else _over_again(rater, number)
    columns["value"] = code_stacked([table.columns[cell.column] for cell in cells])
    columns |= {name: _over_again(column, number) for name, column in others.items()}
    if any(cell.criterion for cell in cells):
        columns["criterion"] = _once_a_column([cell.criterion for cell in cells], rows)
    if any(cell.system for cell in cells):
        columns["system"] = _once_a_column([cell.system for cell in cells], rows)
    return columns, table.row_numbers


def _once_a_column(names: Sequence[str], rows: int) -> Factor:
    """A name for each column of values, on all of its rows."""
    if len(set(names)) == len(names):
        return RegularFactor(tuple(names), each=rows)
    index = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return Factor(np.repeat(np.array([index[name] for name in names], dtype=np.int32), rows), tuple(index))


def _numbered(rows: int, columns: int, called: str = "") -> Factor:
    """Items or respondents named by their place in the table: 1, 2, 3, ..."""
    if called:
        return RegularFactor(tuple(f"{called}{place}" for place in range(1, rows + 1)), times=columns)
    return RegularFactor(NumberNames(range(1, rows + 1)), times=columns)


def _over_again(column: Any, columns: int) -> Factor:
    """A column of the wide table, over again for each column of values."""
    coded = code_names(column)
    if len(coded) == len(coded.names) and is_run(coded.codes, 0):
        return RegularFactor(coded.names, times=columns)
    return Factor(np.tile(coded.codes, columns), coded.names)
