"""The shape of a table of ratings: one row per rating, or columns that are raters, criteria, both, or questions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.errors import ColumnError
from accord.ratings.answer_columns import AnswerColumns, may_be_answers
from accord.ratings.coding import code_column
from accord.ratings.column_names import (
    counts_errors,
    criteria_within,
    grid_parts,
    is_about_respondent,
    is_count,
    is_criterion,
    is_form_sign,
    is_metadata,
    is_rater,
    is_system,
    is_total,
    rater_and_criterion,
)
from accord.ratings.column_values import SAMPLE, counts_up, has_few_labels, is_nearly_numeric, is_rated, texts_of
from accord.ratings.mapping import ColumnMap, text_columns
from accord.ratings.number_spellings import numbers_in
from accord.ratings.raw import RawTable
from accord.ratings.worded_values import ordered_words, worded_numbers
from accord.records import dataclass
from accord.words import listed, shown_names

__all__ = ["LONG", "NO_ITEM", "READ_AS_WIDE", "Shape", "ValueColumn", "shape_of"]


READ_AS_WIDE = "read as a wide table, one column per rater: "
NO_ITEM = "there is no item column; an item is a row of the table"
_ENDS = (5, 7, 10, 100)
"""Where scales end."""
_FEW_STEPS = 11
"""Answers up to here are steps of a scale; beyond, points of a slider or something else."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """A column of values, and what its name says of them; '' where a column of the table says it."""

    column: str
    rater: str = ""
    criterion: str = ""
    item: str = ""
    system: str = ""


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
    names, roles = list(table.columns), mapped.columns.keys()
    values = mapped.columns.get("value", ())
    if wide is None and len(names) == 3 and {"item", "rater", "value"} <= roles:
        return LONG  # the three columns of ratings are all there is
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
    texts = set(text_columns(rest))
    open_ones = [name for name in rest if name not in texts]
    summaries = [name for name in open_ones if is_total(name)]
    open_ones = [name for name in open_ones if name not in summaries] if len(open_ones) > len(summaries) else open_ones
    found = _criteria_beside_a_value(table, mapped, open_ones, values) if values else None
    if found is None and not values and "item" in roles and ("rater" in roles or table.files):
        found = _criteria(table, mapped, open_ones)
    is_form = any(map(is_form_sign, names))  # a row is there a respondent, and no column is a rater
    if found is None and not is_form and not roles & {"rater", "value", "criterion"}:
        answers = [name for name in open_ones if is_rated(table.columns[name]) or has_few_labels(table.columns[name])]
        found = _apart(answers) or _apart([name for name in answers if is_rated(table.columns[name])])
        found = replace(found, note=found.note + _others(open_ones, found.columns)) if found else None
    if found is None and not roles & {"item", "value"} and ("rater" in roles or is_form):
        found = _questions(table, open_ones)
    if found is None and not roles & {"rater", "value"}:
        found = _raters(table, mapped, open_ones)
    if found is None and values and {"item", "rater"} <= roles:
        further = AnswerColumns(table, mapped, open_ones).further(values)
        found = Shape(note=may_be_answers(further, values)) if further else None
    found = found or LONG
    left = [name for name in summaries if name not in found.columns]
    if not left or not found.cells:
        return found
    words = f"{shown_names(left)} {'is' if len(left) == 1 else 'are'} no rating, but named like a summary of the others"
    return replace(found, note=f"{found.note}; {words}" if found.note else words)


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
    if "criterion" in mapped.columns or not {"item", "rater"} <= mapped.columns.keys():
        return None
    others = [name for name in rest if is_criterion(name) and is_rated(table.columns[name])]
    if not others:
        return None
    found = [name for name in table.columns if name in (*values, *others)]
    return Shape(tuple(ValueColumn(name, criterion=name) for name in found), _note_of_columns(found, "criterion"))


def _criteria(table: RawTable, mapped: ColumnMap, rest: Sequence[str]) -> Shape | None:
    """An item and a rater are named, no value is: the columns that look like ratings are criteria."""
    if "rater" not in mapped.columns and not any(map(is_criterion, rest)):
        return None
    columns = AnswerColumns(table, mapped, rest)
    found = _with_alike(table, [name for name in rest if columns.may_be_answer(name)], columns.criteria())
    if not found:  # errors and counts are measured beside ratings as a rule, but alone they are the ratings
        left = [name for name in rest if is_rated(table.columns[name])]
        found = left if len(left) == 1 and is_count(left[0]) else []
    if not found or ("criterion" in mapped.columns and len(found) != 1):
        return None
    if len(found) == 1:
        return Shape((ValueColumn(found[0]),), f"column {found[0]!r} is taken as value{columns.left(found)}")
    if "system" not in mapped.columns and all(map(is_system, found)):
        return Shape(tuple(ValueColumn(name, system=name) for name in found), _note_of_columns(found, "system"))
    note = _note_of_columns(found, "criterion") + columns.left(found)
    return Shape(tuple(ValueColumn(name, criterion=name) for name in found), note)


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


def _questions(table: RawTable, rest: Sequence[str]) -> Shape | None:
    """One row a respondent, one column a question, as forms and surveys export it."""
    held, asked = table.columns, {name: table.questions.get(name, name) for name in rest}
    told = [name for name in rest if not is_form_sign(name)]
    found = [name for name in told if is_criterion(name) or not is_metadata(name.split("[")[0][:40])]
    rated = [name for name in found if is_rated(held[name], fewest_words=2) and not counts_up(held[name])]
    found = _with_alike(table, found, rated)
    about = [name for name in found if "[" not in name and is_about_respondent(asked[name])]
    found = [name for name in found if name not in about]
    if len(found) < 2:
        return None
    stems = criteria_within([asked[name] for name in found]) or grid_parts(found)
    kinds = dict(zip(found, (stem for stem, _ in stems), strict=True))
    kinds |= _kinds({name: held[name] for name in found if not kinds[name]})
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
    if several:
        note += f", about {listed(list(dict.fromkeys(kinds.values())))}"
    note += _others([name for name in told if name not in about], found)
    if about:
        asks, are = ("asks", "is") if len(about) == 1 else ("ask", "are")
        note += f"; {shown_names(about)} {asks} who answers and {are} no rating"
    return Shape(cells, note, respondents=True)


def _with_alike(table: RawTable, names: Sequence[str], found: Sequence[str]) -> list[str]:
    """Those that were found, and those whose few answers are answers of these: all may have given the same word."""
    known = {text for name in found for text in texts_of(table.columns[name])[0]}
    others = {name: texts_of(table.columns[name])[0] for name in names if name not in found and not is_metadata(name)}
    alike = {name for name, texts in others.items() if texts and known.issuperset(texts)}
    return [name for name in names if name in found or name in alike]


def _others(names: Sequence[str], found: Sequence[str]) -> str:
    """Which columns are no ratings, in words, so that none falls away without one."""
    left = [name for name in names if name not in found and (counts_errors(name) or not is_metadata(name))]
    return f"; not read as ratings: {shown_names(left)}" if left else ""


def _raters(table: RawTable, mapped: ColumnMap, rest: Sequence[str]) -> Shape | None:
    """One column a rater."""
    found = [name for name in rest if is_rater(name)]
    beside: list[str] = []
    if len(found) < 2:
        numbers = [name for name in rest if is_nearly_numeric(table.columns[name])]
        found = [name for name in numbers if not is_metadata(name)]
        found = found if len(found) > 1 else numbers
        beside = [name for name in numbers if name not in found]
        if len(found) < 2 or not _may_be_wide(table, mapped, len(mapped.rest(list(table.columns))) - len(numbers)):
            return None
        if all(map(is_criterion, found)):
            raise ColumnError(
                f"{table.source + ': t' if table.source else 'T'}he columns {shown_names(found)} look like criteria, "
                "and no column names who rated. Say which it is with --rater COLUMN; give one file per rater; or say "
                "--wide if these columns are raters."
            )
    return Shape(
        tuple(ValueColumn(name, rater=name) for name in found),
        f"{READ_AS_WIDE}{shown_names(found)}"
        + (f"; not {shown_names(beside)}, which {_measures(len(beside))}" if beside else "")
        + _others(rest, (*found, *beside)),
    )


def _measures(columns: int) -> str:
    return "counts or measures" if columns == 1 else "count or measure"


def _may_be_wide(table: RawTable, mapped: ColumnMap, others: int) -> bool:
    """Whether columns of numbers may be raters: no other column could be the item or the rater, and no item repeats."""
    if "item" not in mapped.columns:
        return others == 0 and len(table) > 1  # one row of numbers under unknown names may be anything
    named = [table.columns[name] for parts in mapped.columns.values() for name in parts]
    rows = np.stack([code_column(column[:SAMPLE]).codes for column in named], axis=1)
    return len(np.unique(rows, axis=0)) == len(rows)


def _kinds(columns: Mapping[str, Any]) -> dict[str, str]:
    """What the answers of each question are, to keep questions with other answers apart.

    Nobody need have used the end of a scale: questions whose answers end at 3, 5, 6 and 7 are on one scale. Only where
    all of them end where scales end, two at least at each end, there are several scales.
    """
    words, most = {}, {}
    for name, column in columns.items():
        texts, _ = texts_of(column)
        if (known := ordered_words(texts, 2)) is not None:
            words[name] = f"answers in words of {known.kind}"
            continue
        worded = worded_numbers(texts)
        most[name] = max(worded.numbers if worded else (n for n in numbers_in(texts)[0] if n is not None), default=0.0)
    ends = Counter(most.values())
    if all(end in _ENDS and often > 1 for end, often in ends.items()):
        return words | {name: f"answers up to {end:g}" for name, end in most.items()}
    low = max((end for end in ends if end <= _FEW_STEPS), default=0.0)
    high = max(ends, default=0.0)
    return words | {name: f"answers up to {low if end <= low else high:g}" for name, end in most.items()}


def _note_of_columns(names: Sequence[str], role: str) -> str:
    return f"read as one column per {role}: {shown_names(list(names))}"
