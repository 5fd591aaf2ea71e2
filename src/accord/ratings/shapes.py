"""The shape of a table of ratings: one row per rating, or columns that are raters, criteria, both, or questions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.errors import ColumnError
from accord.ratings.coding import MISSING_TOKENS, code_column, spelled_cell
from accord.ratings.column_names import (
    is_count,
    is_criterion,
    is_metadata,
    is_rater,
    rater_and_criterion,
    stem_and_part,
)
from accord.ratings.guessing import signs_of_no_answer, strays
from accord.ratings.mapping import ColumnMap, text_columns
from accord.ratings.number_spellings import numbers_in
from accord.ratings.raw import RawTable
from accord.ratings.worded_values import ordered_words, worded_numbers
from accord.words import shown_names

__all__ = ["LONG", "Shape", "ValueColumn", "shape_of"]

_SAMPLE = 1000
_FORM_SIGNS = frozenset({"timestamp", "zeitstempel", "marca temporal", "carimbo de data/hora", "时间戳记", "طابع زمني",
                         "startdate", "recordeddate", "responseid", "submission id", "started at", "completed at",
                         "enddate"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """A column of values, and what its name says of them; '' where a column of the table says it."""

    column: str
    rater: str = ""
    criterion: str = ""
    item: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns that hold values where there are several, and what was guessed about them."""

    cells: tuple[ValueColumn, ...] = ()
    note: str = ""
    respondents: bool = False

    @property
    def columns(self) -> list[str]:
        return [cell.column for cell in self.cells]


LONG = Shape()
"""One row a rating."""


def shape_of(table: RawTable, mapped: ColumnMap, wide: bool | Sequence[str] | None, named: Sequence[str]) -> Shape:
    """The shape as the user says it, else as the columns show it; ``named`` are the options the user gave."""
    names = list(table.columns)
    values = mapped.columns.get("value", ())
    if len(values) > 1:
        return _named_criteria(mapped, values)
    if wide is not None and not isinstance(wide, bool):
        if unknown := [name for name in wide if name not in names]:
            raise ColumnError(f"There is no column {unknown[0]!r}. The columns are: {shown_names(names)}.")
        return Shape(tuple(ValueColumn(name, rater=name) for name in wide))
    rest = mapped.rest(names)
    if wide is True:
        return _apart(rest) or Shape(tuple(ValueColumn(name, rater=name) for name in rest))
    if wide is False or ("value" in named):
        return LONG
    open_ones = [name for name in rest if name not in text_columns(rest)]
    guessers: list[Callable[[], Shape | None]] = [
        lambda: _criteria_beside_a_value(table, mapped, open_ones, values),
        lambda: _criteria(table, mapped, open_ones),
        lambda: _raters_with_criteria(table, mapped, open_ones),
        lambda: _questions(table, mapped, open_ones),
        lambda: _raters(table, mapped, open_ones),
    ]
    return next((found for guess in guessers if (found := guess()) is not None), LONG)


def _named_criteria(mapped: ColumnMap, values: Sequence[str]) -> Shape:
    if "criterion" in mapped.columns:
        raise ColumnError(
            f"Several columns of values ({shown_names(list(values))}) are several criteria, but the column "
            f"{mapped.columns['criterion'][0]!r} names the criterion already. Name one column of values."
        )
    return Shape(tuple(ValueColumn(name, criterion=name) for name in values))


def _criteria_beside_a_value(
    table: RawTable, mapped: ColumnMap, rest: Sequence[str], values: Sequence[str]
) -> Shape | None:
    """A column named like a rating and others named like criteria: all of them are criteria."""
    if not values or "criterion" in mapped.columns or not {"item", "rater"} <= set(mapped.columns):
        return None
    others = [name for name in rest if is_criterion(name) and is_rated(table.columns[name])]
    if not others:
        return None
    found = [name for name in table.columns if name in (*values, *others)]
    return Shape(tuple(ValueColumn(name, criterion=name) for name in found), _said(found, "criterion"))


def _criteria(table: RawTable, mapped: ColumnMap, rest: Sequence[str]) -> Shape | None:
    """An item and a rater are named, no value is: the columns that look like ratings are criteria."""
    of_files = bool(table.files) and any(map(is_criterion, rest))
    if "value" in mapped.columns or "item" not in mapped.columns or not ("rater" in mapped.columns or of_files):
        return None
    named = [name for name in rest if is_criterion(name) and is_rated(table.columns[name])]
    found = [
        name for name in rest
        if name in named or (not is_metadata(name) and is_rated(table.columns[name]) and not _counts_up(table, name))
    ]  # fmt: skip
    if not found:  # errors and counts are measured beside ratings as a rule, but alone they are the ratings
        left = [name for name in rest if is_rated(table.columns[name])]
        found = left if len(left) == 1 and is_count(left[0]) else []
    if "criterion" in mapped.columns and len(found) != 1:
        return None
    if len(found) == 1:
        return Shape((ValueColumn(found[0]),), f"column {found[0]!r} is taken as value")
    return (
        Shape(tuple(ValueColumn(name, criterion=name) for name in found), _said(found, "criterion")) if found else None
    )


def _raters_with_criteria(table: RawTable, mapped: ColumnMap, rest: Sequence[str]) -> Shape | None:
    if "rater" in mapped.columns or "value" in mapped.columns or "criterion" in mapped.columns:
        return None
    return _apart([name for name in rest if is_rated(table.columns[name])])


def _apart(names: Sequence[str]) -> Shape | None:
    """«Judge 1 Fluency» and its like, if all raters have the same criteria, two of each at least."""
    parts = [(name, found) for name in names if (found := rater_and_criterion(name)) is not None]
    raters = {rater.casefold() for _, (rater, _) in parts}
    criteria = {criterion.casefold() for _, (_, criterion) in parts}
    if len(raters) < 2 or len(parts) != len(raters) * len(criteria):
        return None
    spelled = {criterion.casefold(): criterion for _, (_, criterion) in reversed(parts)}
    people = {rater.casefold(): rater for _, (rater, _) in reversed(parts)}
    cells = tuple(
        ValueColumn(name, rater=people[rater.casefold()], criterion=spelled[criterion.casefold()])
        for name, (rater, criterion) in parts
    )
    first = cells[0]
    note = f"columns name rater and criterion together: {first.column!r} is {first.criterion} by {first.rater}"
    return Shape(cells, note)


def _questions(table: RawTable, mapped: ColumnMap, rest: Sequence[str]) -> Shape | None:
    """One row a respondent, one column a question, as forms and surveys export it."""
    if {"item", "value"} & set(mapped.columns):
        return None
    form = any(name.strip().casefold() in _FORM_SIGNS for name in table.columns)
    if not (form or "rater" in mapped.columns):
        return None
    told = [name for name in rest if name.strip().casefold() not in _FORM_SIGNS]
    found = [name for name in told if not is_metadata(name.split("[")[0][:40]) or is_criterion(name)]
    found = [name for name in found if is_rated(table.columns[name], fewest_words=2) and not _counts_up(table, name)]
    if len(found) < 2:
        return None
    stems = stem_and_part(found)
    kinds = {name: stem or _kind(table.columns[name]) for name, (stem, _) in zip(found, stems, strict=True)}
    several = len(set(kinds.values())) > 1
    cells = tuple(
        ValueColumn(name, criterion=kinds[name] if several else "", item=part)
        for name, (_, part) in zip(found, stems, strict=True)
    )
    twice = len({(cell.criterion, cell.item) for cell in cells}) < len(cells)
    cells = (
        tuple(ValueColumn(cell.column, criterion=cell.criterion, item=cell.column) for cell in cells)
        if twice
        else cells
    )
    note = f"read as one row per respondent: {len(cells):,} columns are questions, which are the items"
    return Shape(cells, note, respondents=True)


def _raters(table: RawTable, mapped: ColumnMap, rest: Sequence[str]) -> Shape | None:
    """One column a rater."""
    if "rater" in mapped.columns or "value" in mapped.columns:
        return None
    found = [name for name in rest if is_rater(name)]
    if len(found) < 2:
        found = [name for name in rest if is_plainly_numeric(table.columns[name])]
        if len(found) < 2 or not _may_be_wide(table, mapped, len(mapped.rest(list(table.columns))) - len(found)):
            return None
        if all(map(is_criterion, found)):
            raise ColumnError(
                f"{table.source + ': t' if table.source else 'T'}he columns {shown_names(found)} look like criteria, "
                "and no column names who rated. Say which it is with --rater COLUMN; give one file per rater; or say "
                "--wide if these columns are raters."
            )
    return Shape(
        tuple(ValueColumn(name, rater=name) for name in found),
        f"read as a wide table, one column per rater: {shown_names(found)}",
    )


def _may_be_wide(table: RawTable, mapped: ColumnMap, others: int) -> bool:
    """Whether columns of numbers may be raters: no other column could be the item or the rater, and no item repeats."""
    if "item" not in mapped.columns:
        return others == 0 and len(table) > 1  # one row of numbers under unknown names may be anything
    named = [table.columns[name] for parts in mapped.columns.values() for name in parts]
    rows = np.stack([code_column(column[:_SAMPLE]).codes for column in named], axis=1)
    return len(np.unique(rows, axis=0)) == len(rows)


def _texts(column: Any) -> tuple[list[str], list[int]]:
    """The different answers in the first rows and how often each was given, without those that are missing."""
    coded = code_column(column[:_SAMPLE])
    often = np.bincount(coded.codes[coded.codes >= 0], minlength=len(coded.distinct)).tolist()
    pairs = [(spelled_cell(cell), count) for cell, count in zip(coded.distinct, often, strict=True)]
    given = [(text, count) for text, count in pairs if count and text.lower() not in MISSING_TOKENS]
    signs = signs_of_no_answer([text for text, _ in given])
    given = [(text, count) for text, count in given if text not in signs]
    return [text for text, _ in given], [count for _, count in given]


def is_rated(column: Any, fewest_words: int = 3) -> bool:
    """Whether a column looks like ratings: numbers, numbers with words, or words of a known order."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return True
    texts, often = _texts(column)
    if not texts:
        return False
    numbers, _ = numbers_in(texts)
    known = [number is not None for number in numbers]
    if all(known) or worded_numbers(texts) or ordered_words(texts, fewest_words):
        return True
    return any(known) and bool(strays(texts, often, known))


def is_plainly_numeric(column: Any) -> bool:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return True
    texts, _ = _texts(column)
    return bool(texts) and all(number is not None for number in numbers_in(texts)[0])


def _counts_up(table: RawTable, name: str) -> bool:
    """Whether a column is a running number: all different, each one higher than the one before."""
    texts = [spelled_cell(cell) for cell in list(table.columns[name][:_SAMPLE])]
    numbers, _ = numbers_in(texts)
    known = np.array([np.nan if number is None else number for number in numbers])
    return len(known) > 5 and bool((np.diff(known) == 1).all())


def _kind(column: Any) -> str:
    """What the answers of a question are, to keep questions with other answers apart."""
    texts, _ = _texts(column)
    words = ordered_words(texts, 2)
    if words is not None:
        return f"answers in words of {words.kind}"
    worded = worded_numbers(texts)
    numbers = [number for number in numbers_in(texts)[0] if number is not None] if worded is None else worded.numbers
    most = max(numbers, default=0.0)
    return next((f"answers up to {end}" for end in (5, 7, 10, 100) if most <= end), "answers in numbers")


def _said(names: Sequence[str], role: str) -> str:
    return f"read as one column per {role}: {shown_names(list(names))}"
