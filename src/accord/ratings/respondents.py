"""Rows of a survey that are no answers: previews and tests by its makers, and work that was rejected or given back."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord.arrays import in_an_array
from accord.ratings.coding import code_names
from accord.ratings.column_languages import plain_name
from accord.ratings.factor import Factor
from accord.ratings.raw import RawTable, taken
from accord.words import counted

__all__ = ["without_void_rows"]

_PREVIEW, _REFUSED = "a preview or test of the survey, or spam", "rejected, returned or out of time"
_VOID: Mapping[str, tuple[str, Mapping[str, str]]] = {
    # Qualtrics writes the kind of response in words, or by these numbers where answers are exported as numbers.
    "responseid": ("status", dict.fromkeys(
        ("surveypreview", "surveytest", "spam", "possiblespam", "1", "2", "8", "9", "12"), _PREVIEW)),
    "submissionid": ("status", dict.fromkeys(
        ("rejected", "returned", "timedout", "screenedout"), _REFUSED)),
}  # fmt: skip
"""A column that only this survey tool has -> the column that says what a row is, and its words for none that counts."""


def without_void_rows(table: RawTable) -> RawTable:
    """The table of a survey without rows that nobody should count; their lines and reasons are kept and said."""
    plain = {plain_name(name): name for name in reversed(list(table.columns))}
    for sign, (status, words) in _VOID.items():
        if sign not in plain or status not in plain:
            continue
        factor = code_names(table.columns[plain[status]])
        void = {code: name for code, name in enumerate(factor.names) if plain_name(name) in words}
        rows = np.isin(factor.codes, list(void))
        if rows.any() and not rows.all():
            return _without(table, rows, factor, plain[status], words)
    return table


def _without(table: RawTable, rows: Any, factor: Factor, status: str, words: Mapping[str, str]) -> RawTable:
    kept = np.flatnonzero(~rows)
    lines = in_an_array(table.row_numbers)
    dropped = np.flatnonzero(rows).tolist()
    names = [factor.names[factor.codes[row]] for row in dropped]
    left = [
        (int(lines[row]), f"{status} {name}: {words[plain_name(name)]}")
        for row, name in zip(dropped, names, strict=True)
    ]
    said = ", ".join(dict.fromkeys(names))
    note = f"left out {counted(len(dropped), 'row')} by the column {status!r} ({said}): {words[plain_name(names[0])]}"
    return replace(
        table,
        columns={name: taken(cells, kept) for name, cells in table.columns.items()},
        row_numbers=lines[kept],
        left_out=(*table.left_out, *left),
        notes=(*table.notes, note),
    )
