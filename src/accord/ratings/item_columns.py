"""What names an item where the names of the columns do not tell, or mislead; what is found is said as a guess."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.ratings.coding import code_column, code_names, spelled_cell
from accord.ratings.column_languages import plain_name
from accord.ratings.column_names import is_form_sign, is_question
from accord.ratings.column_values import SAMPLE, counts_up, is_plainly_numeric, is_rated
from accord.ratings.factor import Factor
from accord.ratings.mapping import ColumnMap, text_columns
from accord.ratings.names import LaterNames
from accord.ratings.raw import RawTable, taken

__all__ = ["filled_down", "with_item"]

_GRADES = frozenset({"note", "notes", "nota", "notas"})
"""A remark in English, a grade in German, French, Spanish and Portuguese: the cells tell."""
_BESIDE = frozenset(map(plain_name, ("reference", "ref", "reference_text", "context", "referenz", "kontext")))
_SHARED = 0.5
"""So many of the items at least have two raters where a text names them better than the number of the row."""
_GAPS = 1 / 3


def with_item(table: RawTable, mapped: ColumnMap, given: Mapping[str, Any]) -> ColumnMap:
    """The same map, with an item where one can be told from the cells; what the user named stays."""
    if "comment" in mapped.columns:
        mapped = _with_grade(table, mapped)
    if "item" in given:
        return mapped
    mapped = _with_named_item(table, mapped)
    return _in_its_languages(table, mapped) if "language_pair" in mapped.columns else mapped


def _with_named_item(table: RawTable, mapped: ColumnMap) -> ColumnMap:
    texts = [name for name in text_columns(mapped.rest(list(table.columns))) if plain_name(name) not in _BESIDE]
    system = mapped.columns.get("system", ())
    item = mapped.columns.get("item", ())
    if "rater" not in mapped.columns:
        return mapped if item else _first_column(table, mapped, texts)
    if texts and (not item or item == system):
        return _with_item_columns(mapped, (*texts, *system))
    if len(item) == 1 and item[0] != "item" and counts_up(table.columns[item[0]]):
        parts = [name for role in ("document", "segment") for name in mapped.columns.get(role, ())] or texts
        if parts and _are_shared(table, (*parts, *system), mapped.columns["rater"][0]):
            return _with_item_columns(mapped, (*parts, *system), f", as {item[0]!r} numbers the rows")
    return mapped


def _in_its_languages(table: RawTable, mapped: ColumnMap) -> ColumnMap:
    """The same where numbers of items begin anew in each language pair: the pair is part of what names the item."""
    item, pair = mapped.columns.get("item", ()), mapped.columns["language_pair"]
    if not item or set(pair) & set(item):
        return mapped
    coded = np.stack([code_names(table.columns[name]).codes for name in (*item, *pair)])
    if np.unique(coded, axis=1).shape[1] == np.unique(coded[: len(item)], axis=1).shape[1]:
        return mapped
    return _with_item_columns(mapped, (*pair, *item), ", as the same names come in several language pairs")


def filled_down(table: RawTable, mapped: ColumnMap) -> RawTable:
    """The table with names that stand only in the first of several rows (merged cells) on all of them."""
    keys = {role: mapped.columns[role] for role in ("item", "rater")}
    if all(_has_no_gaps(table.columns[parts[0]]) for parts in keys.values()):
        return table
    gaps = {role: _empty(table.columns[parts[0]]) for role, parts in keys.items()}
    for role, other in (("item", "rater"), ("rater", "item")):
        empty = gaps[role]
        if empty.mean() < _GAPS or empty[0] or gaps[other].any():
            continue
        block = np.cumsum(~empty)
        beside = code_names(table.columns[keys[other][0]]).codes
        if len(np.unique(np.stack((block, beside)), axis=1).T) < len(block):
            continue  # somebody would have rated the same item twice: these cells are really empty
        return _filled(table, keys[role], np.maximum.accumulate(np.where(empty, 0, np.arange(len(empty)))), empty, role)
    return table


def _has_no_gaps(column: Any) -> bool:
    """Whether hardly one of the first cells is blank; of names that are coded already each is looked at once."""
    if isinstance(getattr(column, "names", getattr(column, "distinct", None)), LaterNames):  # none of them is blank
        first = column.codes[:SAMPLE]
        return bool(np.count_nonzero(first < 0) / len(first) < _GAPS)
    cells = column[:SAMPLE]
    if isinstance(cells, Factor) and int(cells.codes.min(initial=0)) >= 0:
        names = [cells.names[code] for code in set(cells.codes.tolist())]
        if set(map(type, names)) <= {str} and all(map(str.strip, names)):
            return True
    return bool(_empty(cells).mean() < _GAPS)


def _filled(
    table: RawTable, parts: Sequence[str], above: NDArray[np.intp], empty: NDArray[np.bool_], role: str
) -> RawTable:
    """The same with the cells above in the gaps of these columns, and of all others that have the same gaps."""
    same = [name for name, cells in table.columns.items() if name in parts or (_empty(cells) == empty).all()]
    columns = {name: taken(cells, above) if name in same else cells for name, cells in table.columns.items()}
    said = f"the {role} of {int(empty.sum()):,} rows is empty and was taken from the row above, as in merged cells"
    return replace(table, columns=columns, notes=(*table.notes, said))


def _empty(cells: Any) -> NDArray[np.bool_]:
    """Where cells are blank, as merged ones are; a word for a missing value may be somebody's name (Nan, Na)."""
    coded = code_column(cells)
    # The first rows of a long column have few of its names.
    used = np.flatnonzero(np.bincount(coded.codes[coded.codes >= 0], minlength=1))
    blank = np.ones(len(coded.distinct) + 1, dtype=bool)
    names = [coded.distinct[code] for code in used]
    blank[used] = [not (name.strip() if type(name) is str else spelled_cell(name)) for name in names]
    return np.asarray(blank[coded.codes])


def _with_grade(table: RawTable, mapped: ColumnMap) -> ColumnMap:
    found = mapped.columns["comment"]
    if "value" in mapped.columns or plain_name(found[0]) not in _GRADES or not is_rated(table.columns[found[0]]):
        return mapped
    columns = {role: parts for role, parts in mapped.columns.items() if role != "comment"}
    guesses = [words for words in mapped.guesses if not words.endswith(" is taken as comment")]
    return ColumnMap(columns | {"value": found}, (*guesses, f"column {found[0]!r} is taken as value"))


def _first_column(table: RawTable, mapped: ColumnMap, texts: Sequence[str]) -> ColumnMap:
    """The first column of a table without raters, if it names its rows and several columns of numbers follow."""
    if not table.columns or "value" in mapped.columns or any(map(is_form_sign, table.columns)):
        return mapped
    first, *rest = list(table.columns)
    cells = table.columns[first][:SAMPLE]
    numbers = [name for name in rest if is_plainly_numeric(table.columns[name])]
    if len(numbers) < 2 or set(texts) & set(rest) or any(first in parts for parts in mapped.columns.values()):
        return mapped
    # Names that are all different are only then those of rows if none is empty and numbers run.
    is_numeric = is_plainly_numeric(cells)
    if (is_numeric and not counts_up(cells)) or len(code_names(cells).names) < len(cells) or _empty(cells).any():
        return mapped
    if all(map(is_question, numbers)) and not is_numeric:
        said = f"column {first!r} is taken as rater, as the columns beside it are numbered questions"
        return ColumnMap({**mapped.columns, "rater": (first,)}, (*mapped.guesses, said))
    return _with_item_columns(mapped, (first,))


def _are_shared(table: RawTable, parts: Sequence[str], rater: str) -> bool:
    """Whether these columns name items that several raters rated, each once."""
    coded = [code_names(table.columns[name]).codes for name in parts]
    item = np.unique(np.stack(coded), axis=1, return_inverse=True)[1].reshape(-1)
    pairs = np.unique(np.stack((item, code_names(table.columns[rater]).codes)), axis=1)
    often = np.bincount(pairs[0])
    return pairs.shape[1] == len(table) and float((often > 1).mean()) >= _SHARED


def _with_item_columns(mapped: ColumnMap, parts: Sequence[str], why: str = "") -> ColumnMap:
    guesses = [words for words in mapped.guesses if not words.startswith("an item is taken to be")]
    guesses = [words for words in guesses if not words.endswith(" is taken as item")]
    said = f"an item is taken to be {' + '.join(parts)}{why}"
    return ColumnMap({**mapped.columns, "item": tuple(parts)}, (*guesses, said))
