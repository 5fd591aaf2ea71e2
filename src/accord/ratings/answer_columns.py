"""Which columns may hold answers: what differs between the raters of an item and between the items of a rater."""

from collections.abc import Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.ratings.coding import code_names
from accord.ratings.column_names import counts_errors, is_compared, is_criterion, is_metadata
from accord.ratings.column_values import counts_up, has_few_labels, is_nearly_numeric, is_rated, is_short
from accord.ratings.mapping import ColumnMap
from accord.ratings.raw import RawTable
from accord.words import listed, shown_names

__all__ = ["About", "AnswerColumns", "may_be_answers"]

_NAMING = ("item", "system", "document", "segment", "language_pair", "criterion", "condition", "scenario", "phase")
"""Roles that tell what was rated."""
_FEWEST_SHARED = 5
"""So many items with two ratings are needed to see that a column says the same of an item whoever rates it."""

_TABLE_SPARE = 8
Codes = NDArray[np.int64]


class About(Enum):
    """What a column speaks of, as its cells show."""

    ANSWER = "it differs between the raters of an item and between the items of a rater"
    ITEM = "the same for all raters of an item"
    RATER = "the same in all rows of a rater"
    OPEN = "nothing shows it"


class AnswerColumns:
    """The columns of a table that are nobody's names or texts, and which of them may be answers."""

    def __init__(self, table: RawTable, mapped: ColumnMap, names: Sequence[str]) -> None:
        self._table, self._names = table, names
        # Where two systems are compared, labels are names of systems, and who is preferred is no category.
        self._compares = sum(map(is_compared, table.columns)) > 1
        naming = [code_names(table.columns[name]).codes for role in _NAMING for name in mapped.columns.get(role, ())]
        self._items = _together(naming)
        rater = mapped.columns.get("rater", ())
        self._raters = code_names(table.columns[rater[0]]).codes.astype(np.int64) if rater else None
        self._seen: dict[str, About] = {}

    def about(self, name: str) -> About:
        """What this column speaks of; open where too few items have two ratings to tell."""
        if name not in self._seen:
            self._seen[name] = self._found(name)
        return self._seen[name]

    def _found(self, name: str) -> About:
        codes = code_names(self._table.columns[name]).codes
        known = codes >= 0
        values = codes[known].astype(np.int64)
        if self._items is None or self._raters is None or not len(values) or values.min() == values.max():
            return About.OPEN
        items, raters = self._items[known], self._raters[known]
        shared = np.count_nonzero(np.bincount(items) > 1)
        if shared < _FEWEST_SHARED or not _differ(raters, items):
            return About.OPEN
        if not _differ(values, items):
            return About.ITEM
        return About.ANSWER if _differ(values, raters) else About.RATER

    def may_be_answer(self, name: str) -> bool:
        """Whether nothing shows that a column speaks of the item or of the rater; a criterion by name stays one."""
        return is_criterion(name) or self.about(name) in (About.ANSWER, About.OPEN)

    def criteria(self) -> list[str]:
        """The columns that are read as criteria where no column is called the rating."""
        return [name for name in self._names if self._is_criterion(name)]

    def _is_criterion(self, name: str) -> bool:
        column = self._table.columns[name]
        if is_criterion(name) and (is_rated(column) or is_nearly_numeric(column)):
            return True
        if not is_metadata(name) and is_rated(column):
            return not counts_up(column) and self.may_be_answer(name)
        # Yes and no, kinds of errors and counts of errors are answers where raters differ; else they may be anything.
        few = not self._compares and has_few_labels(column)
        may = few if not is_metadata(name) else counts_errors(name) and is_rated(column)
        return may and self.about(name) is About.ANSWER

    def further(self, found: Sequence[str]) -> list[str]:
        """The columns beside those that look like answers too: nobody who gave them should think that they count."""
        return [name for name in self._names if name not in found and self._looks_like_one(name)]

    def _looks_like_one(self, name: str) -> bool:
        column = self._table.columns[name]
        few = not self._compares and has_few_labels(column)
        cells = few or (is_rated(column) and (is_short(column) or not is_metadata(name)))
        return cells and not counts_up(column) and self.about(name) is About.ANSWER

    def left(self, found: Sequence[str]) -> str:
        """Which columns are no ratings and why, in words, so that none falls away without one."""
        further = self.further(found)
        others = [
            name for name in self._names
            if name not in found and name not in further and (counts_errors(name) or not is_metadata(name))
        ]  # fmt: skip
        words = ""
        for about in (About.ITEM, About.RATER):
            same = [name for name in others if is_rated(self._table.columns[name]) and self.about(name) is about]
            others = [name for name in others if name not in same]
            words += f"; not read as ratings: {shown_names(same)} ({about.value})" if same else ""
        words += f"; not read as ratings: {shown_names(others)}" if others else ""
        return words + (f"; {may_be_answers(further, found)}" if further else "")


def may_be_answers(names: Sequence[str], read: Sequence[str]) -> str:
    """That these columns look like answers beside those that are read, and what to do."""
    options = " ".join(f"--value {name!r}" for name in (*read, *names))
    looks, are = ("looks like an answer", "is") if len(names) == 1 else ("look like answers", "are")
    return (
        f"{listed([repr(name) for name in names])} {looks} too and {are} not read: to read several columns, each as a "
        f"criterion, name all of them: {options}"
    )


def _together(columns: Sequence[NDArray[np.int32]]) -> Codes | None:
    """One code for what several columns name together."""
    whole: Codes | None = None
    for codes in columns:
        whole = codes.astype(np.int64) if whole is None else whole * (int(codes.max(initial=0)) + 2) + codes
        whole = np.unique(whole, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return whole


def _differ(values: Codes, groups: Codes) -> bool:
    """Whether some group holds two different values."""
    pairs = groups * (int(values.max(initial=0)) + 1) + values
    return _different(pairs) > _different(groups)


def _different(codes: Codes) -> int:
    """How many different codes there are; by a table where it is no longer than a few times the rows."""
    if codes.max(initial=0) <= _TABLE_SPARE * len(codes) and codes.min(initial=0) >= 0:
        return int(np.count_nonzero(np.bincount(codes)))
    return len(distinct(codes))
