"""Wide tables, one column a rater, made long."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.errors import ColumnError
from accord.ratings.coding import MISSING_TOKENS, code_column, code_names, code_stacked, spelled_cell
from accord.ratings.grid import is_run
from accord.ratings.mapping import ColumnMap
from accord.ratings.names import NumberNames
from accord.ratings.raw import RawTable
from accord.ratings.table import Factor, RegularFactor
from accord.words import shown_names

__all__ = ["long_columns", "rater_columns"]

_RATER_NAME = re.compile(
    r"(?:rater|annotator|annot|judge|coder|worker|user|expert|rev|reviewer|r|a|j|c)[\W_]*\d+\Z", re.I
)
_SAMPLE = 1000


def rater_columns(table: RawTable, mapped: ColumnMap, wide: bool | Sequence[str] | None) -> list[str]:
    """The columns that are raters; empty if the table is long."""
    names = list(table.columns)
    if wide is not None and not isinstance(wide, bool):
        unknown = [name for name in wide if name not in names]
        if unknown:
            raise ColumnError(f"There is no column {unknown[0]!r}. The columns are: {shown_names(names)}.")
        return list(wide)
    rest = mapped.rest(names)
    if wide is True:
        return rest
    if wide is False or "rater" in mapped.columns or "value" in mapped.columns:
        return []
    named = [name for name in rest if _RATER_NAME.match(name.strip())]
    if len(named) >= 2:
        return named
    numeric = [name for name in rest if _is_numeric(table.columns[name])]
    return numeric if len(numeric) >= 2 and _may_be_wide(table, mapped, len(rest) - len(numeric)) else []


def _may_be_wide(table: RawTable, mapped: ColumnMap, others: int) -> bool:
    """Whether columns of numbers may be raters: no other column could be the item or the rater, and no item repeats."""
    if "item" not in mapped.columns:
        return others == 0
    named = [table.columns[name] for parts in mapped.columns.values() for name in parts]
    rows = np.stack([code_column(column[:_SAMPLE]).codes for column in named], axis=1)
    return len(np.unique(rows, axis=0)) == len(rows)


def long_columns(table: RawTable, raters: Sequence[str], others: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Columns of the long table, and the line numbers of its rows, once for all raters."""
    if len(raters) < 1:
        raise ColumnError("There is no column left that could be a rater. Name them: wide=['rater 1', 'rater 2'].")
    rows, number = len(table.row_numbers), len(raters)
    item = others.pop("item", None)
    columns: dict[str, Any] = {
        # Without a column of their own, items are named by their place in the table: 1, 2, 3, ...
        "item": RegularFactor(NumberNames(np.arange(1, rows + 1)), times=number)
        if item is None
        else _once_a_rater(item, number),
        "rater": RegularFactor(tuple(raters), each=rows),
        "value": code_stacked([table.columns[name] for name in raters]),
    }
    columns |= {name: _once_a_rater(column, number) for name, column in others.items()}
    return columns, table.row_numbers


def _once_a_rater(column: Any, raters: int) -> Factor:
    """A column of the wide table, over again for each rater."""
    coded = code_names(column)
    if len(coded) == len(coded.names) and is_run(coded.codes, 0):
        return RegularFactor(coded.names, times=raters)
    return Factor(np.tile(coded.codes, raters), coded.names)


def _is_numeric(column: Any) -> bool:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return True
    texts = [spelled_cell(cell).replace(",", ".") for cell in code_column(column[:_SAMPLE]).distinct]
    given = [text for text in texts if text.lower() not in MISSING_TOKENS]
    try:
        return bool([float(text) for text in given])
    except ValueError:
        return False
