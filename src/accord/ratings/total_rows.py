"""Rows that sum up others, wherever they stand in a table: Total, Subtotal doc 1, Mean, Std.-Abw."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.ratings.column_names import TOTAL_STEMS, is_clear_total, is_total, total_beside_words
from accord.ratings.names import LaterNames
from accord.ratings.number_spellings import plain_number

__all__ = ["may_hold_totals", "total_rows"]

_LESS_CLEAR = frozenset({"overall", "insgesamt"})
"""A criterion or an item may be called so."""
_CODE = re.compile(r"\S*\d\S*\Z")
_ROUNDING = 1e-6
_STEMS = [(stem, frozenset(stem.encode())) for stem in TOTAL_STEMS]
_LETTERS = frozenset().union(*(needed for _, needed in _STEMS))
_ENDS = bytes.maketrans(b"\0", b"\n")
_LONGEST = 60
"""Letters of the longest name of a summary; a longer one is a text."""


def total_rows(rows: Sequence[Sequence[Any]]) -> dict[int, str]:
    """Place and name of each row that sums up others and is no item itself; none where nothing else is left.

    A word for a summary alone is enough, and so is one that means nothing else (Subtotal doc 1). Beside other words
    (Total eclipse) the row must stand among bare numbers of items, or hold the sums or means of the rows around it.
    """
    names = [_name(row) for row in rows]
    like = {name for name in set(names) if _may_be(name)}
    named = {place: name for place, name in enumerate(names) if name in like}
    others = Counter(name for name in names if name not in like)
    if not named or not others:
        return {}
    if _is_long(others):
        # One row a rating: Mean may be a word that was rated, unless nobody is named who did.
        return {place: name for place, name in named.items() if is_total(name) and _has_gap(place, rows, named)}
    numbers = _Numbers(rows, named)
    are_codes = all(map(_CODE.match, others))
    are_words = all(name.islower() and name.isalpha() for name in others)
    return {
        place: name
        for place, name in named.items()
        if _is_plain(name, are_words=are_words)
        or (are_codes and not _CODE.match(name))  # sum_1 beside src_1 is an item
        or numbers.sum_up(place)
    }


def may_hold_totals(columns: Iterable[Sequence[Any]]) -> bool:
    """Whether a name in the first of these columns, given by their different cells, may be that of a summary."""
    for cells in columns:
        later = isinstance(cells, LaterNames)
        names = cells if later or set(map(type, cells)) <= {str} else list(map(_text, cells))
        if _may_name_one(names) and any(_may_be(name.strip()) for name in names):
            return True
        if later or (all(names) and not any(map(str.isspace, names))):
            return False
    return False


def _may_name_one(names: Sequence[str]) -> bool:
    """Whether a stem of a summary stands in any name; names that differ in their digits only are looked at once."""
    together = names.letters.lower() if isinstance(names, LaterNames) else b""
    together = together or "\n".join(names).casefold().encode("utf-8", "surrogatepass")
    # Most stems need a letter that no name has: «item 1» to «item 333333» are looked at in 10 ms instead of 40.
    letters = {letter for letter in _LETTERS if letter in together}
    if not (stems := [stem for stem, needed in _STEMS if needed <= letters]):
        return False
    plain = together.translate(_ENDS, b"0123456789")
    different = b"\n".join(set(plain.split(b"\n"))).decode("utf-8", "surrogatepass")
    return any(stem in different for stem in stems)


def _may_be(name: str) -> bool:
    if not name or len(name) > _LONGEST or plain_number(name) is not None:
        return False
    return is_total(name) or name.casefold().rstrip(" :.") in _LESS_CLEAR or total_beside_words(name)


def _is_plain(name: str, *, are_words: bool) -> bool:
    """Whether a name says by itself that its row is a summary; in a list of words «mean» may be one of them."""
    return is_clear_total(name) or (is_total(name) and not (are_words and name.islower()))


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _name(row: Sequence[Any]) -> str:
    return next((text for cell in row if (text := _text(cell))), "")


def _is_long(others: Mapping[str, int]) -> bool:
    return sum(times > 1 for times in others.values()) > len(others) / 2


def _has_gap(place: int, rows: Sequence[Sequence[Any]], named: Collection[int]) -> bool:
    """Whether a cell is empty that holds a name, not a number, in every row of a rating."""
    ratings = [row for other, row in enumerate(rows) if other not in named]
    gaps = [column for column, cell in enumerate(rows[place]) if not _text(cell)]
    return any(all(len(row) > gap and _is_name(row[gap]) for row in ratings) for gap in gaps)


def _is_name(cell: Any) -> bool:
    text = _text(cell)
    return text != "" and plain_number(text) is None


class _Numbers:
    """The numbers of a table, to see whether a row holds the sums or means of others."""

    def __init__(self, rows: Sequence[Sequence[Any]], named: Collection[int]) -> None:
        width = max(map(len, rows))
        cells = [[*row, *[None] * (width - len(row))] for row in rows]
        self.cells = np.array([[_number(cell) for cell in row] for row in cells], dtype=np.float64)
        self.texts = cells
        self.named = frozenset(named)

    def sum_up(self, place: int) -> bool:
        """Whether all its numbers, two at least, are sums, or means with decimals, of a run of rows beside it."""
        given = self.cells[place]
        there = np.flatnonzero(~np.isnan(given))
        if len(there) < 2:
            return False
        slack = np.array([_slack(self.texts[place][column]) for column in there])
        for block in self._blocks(place):
            held = self.cells[block][:, there]
            if len(held) < 2 or np.isnan(held).all(axis=0).any():
                continue
            sums, means = np.nansum(held, axis=0), np.nanmean(held, axis=0)
            fraction = (given[there] != np.rint(given[there])).any()
            if (abs(sums - given[there]) <= slack).all() or (fraction and (abs(means - given[there]) <= slack).all()):
                return True
        return False

    def _blocks(self, place: int) -> list[NDArray[np.intp]]:
        """The rows from the last summary on, all rows above, all below and all others."""
        items = np.array([row for row in range(len(self.cells)) if row not in self.named])
        last = max((row for row in self.named if row < place and place - row > 1), default=-1)
        above = items[items < place]
        return [above[above > last], above, items[items > place], items]


def _number(cell: Any) -> float:
    if isinstance(cell, bool):
        return np.nan
    found = plain_number(_text(cell))
    return np.nan if found is None else found


def _slack(cell: Any) -> float:
    """By how much a number may be off, as it is spelled with so many decimals."""
    _, _, decimals = _text(cell).replace(",", ".").partition(".")
    return 0.5 * 10.0 ** -len(decimals) + _ROUNDING if decimals else _ROUNDING
