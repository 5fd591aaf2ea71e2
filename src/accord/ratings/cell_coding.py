"""Cells of one text coded column by column: equal cells get equal codes, without a Python object for each row."""

from collections.abc import Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from accord import sizes
from accord.arrays import distinct
from accord.ratings.factor import Codes
from accord.ratings.names import LaterNames

__all__ = ["WIDEST", "CellColumn", "Ends", "code_keys", "coded_cells", "words_of"]

Keys = NDArray[np.uint64]
Ends = NDArray[np.int64]

WIDEST = 48
"""Cells of at most this many bytes are compared as numbers of eight bytes each; longer ones as texts."""
_WORD = 8
_MIXED = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
_SMALL_TABLE, _TABLE = 12, 14
"""Bits of the first table of a column with few names, and the fewest of all others."""
_SAMPLE = 4096
_PART = 1 << 15
"""Rows that are coded together."""
_BLANK, _DELETE = 32, 127
"""Between these two are the letters and signs of ASCII."""


def coded_cells(data: bytes, starts: Ends, ends: Ends) -> tuple[Codes, Sequence[str]]:
    """One code a cell and the different cells as texts, in the order in which they first appear.

    ``data`` is UTF-8 and has at least eight bytes after the last cell.
    """
    column = CellColumn()
    column.add(data, starts, ends)
    return column.coded()


class CellColumn:
    """A column whose cells are gathered part by part: as numbers of eight bytes, or as texts where one is long."""

    def __init__(self) -> None:
        self._parts: list[list[Keys]] = []
        self._texts: list[bytes] | None = None

    def add(self, data: bytes, starts: Ends, ends: Ends) -> None:
        """The cells of the next rows; ``data`` is UTF-8 and has at least eight bytes after the last of them."""
        if not len(starts):
            return
        widths = ends - starts
        if self._texts is None and int(widths.max(initial=0)) > WIDEST:
            self._texts = _bytes(_letters(self._words())) if self._parts else []
        if self._texts is not None:
            places = zip(starts.tolist(), ends.tolist(), strict=True)
            self._texts.extend(data[start:end] for start, end in places)
            return
        self._parts.append(words_of(data, starts, widths))

    def _words(self) -> list[Keys]:
        """The numbers of all rows; where no cell of a part is so long they are 0."""
        if len(self._parts) == 1:
            return self._parts[0]
        number = max(map(len, self._parts))
        for part in self._parts:
            part += [np.zeros(len(part[0]), dtype=np.uint64) for _ in range(number - len(part))]
        return [np.concatenate(parts) for parts in zip(*self._parts, strict=True)]

    def coded(self) -> tuple[Codes, Sequence[str]]:
        """One code a cell and the different cells as texts, in the order in which they first appear."""
        if self._texts is not None:
            return _coded_texts(self._texts)
        if not self._parts:
            return np.zeros(0, dtype=np.int32), []
        words = self._words()
        codes, first = code_keys(words)
        letters = _letters([word[first] for word in words])
        if sizes.are_cut_out(len(first)):
            return codes, _texts(letters)
        last = np.count_nonzero(letters, axis=1) - 1  # of an empty cell -1, where its row has a zero, as it has first
        edges = letters[:, 0], letters[np.arange(len(first)), last]
        if any(int(edge.min()) <= _BLANK or int(edge.max()) >= _DELETE for edge in edges):
            return codes, _texts(letters)
        # No blank is around any of them, so that nobody need look at them now.
        ascii_only = letters.tobytes() if _is_ascii(letters) else b""
        return codes, LaterNames(len(first), lambda: _texts(letters), ascii_only)


def _coded_texts(cells: Sequence[bytes]) -> tuple[Codes, list[str]]:
    index = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
    codes = np.fromiter(map(index.__getitem__, cells), dtype=np.int32, count=len(cells))
    return codes, [cell.decode("utf-8") for cell in index]


def _letters(words: Sequence[Keys]) -> NDArray[np.uint8]:
    """The bytes of each cell in a row, and zeros behind them."""
    return np.stack(words, axis=1).astype("<u8", copy=False).view(np.uint8)


def _texts(letters: NDArray[np.uint8]) -> list[str]:
    """The texts whose bytes stand in these rows. Cut out one by one they took a quarter of reading a million rows."""
    if not _is_ascii(letters):
        return list(map(bytes.decode, _bytes(letters)))
    found: list[str] = letters.astype(np.uint32).view(f"U{letters.shape[1]}").ravel().tolist()
    return found


def _bytes(letters: NDArray[np.uint8]) -> list[bytes]:
    found: list[bytes] = letters.view(f"S{letters.shape[1]}").ravel().tolist()
    return found


def _is_ascii(letters: NDArray[np.uint8]) -> bool:
    return int(letters.max(initial=0)) < 1 << 7


def words_of(data: bytes, starts: Ends, widths: NDArray[np.int64]) -> list[Keys]:
    """Each cell as numbers of eight bytes; bytes beyond its end are zero, which no text holds."""
    anywhere = np.ndarray(shape=(len(data) - _WORD + 1,), dtype="<u8", buffer=data, strides=(1,))
    kept = np.array([(1 << 8 * count) - 1 for count in range(_WORD + 1)], dtype=np.uint64)
    words = []
    for place in range(0, max(int(widths.max(initial=0)), 1), _WORD):
        left = widths - place
        # A cell that ended before is read at its start, and nothing of it is kept.
        word = anywhere[starts + place if left.min() > 0 else np.where(left > 0, starts + place, starts)]
        if left.min() < _WORD:
            word &= kept[np.clip(left, 0, _WORD)]
        words.append(word)
    return words


def code_keys(words: Sequence[Keys]) -> tuple[Codes, NDArray[np.intp]]:
    """Codes of rows by their keys (one or several numbers a row), and the first row of each code.

    Keys that follow each other without a change are looked at once; the others are found in a table by their mixed
    bits, where each is compared as a whole: codes are exact, whatever the bits do. All goes in parts that stay in the
    processor's cache.
    """
    rows, number = len(words[0]), 0
    codes, place = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)
    found: list[NDArray[np.intp]] = [np.zeros(0, dtype=np.intp)]
    seen = _Seen(words)
    for start in range(0, rows, _PART):
        part = slice(start, min(start + _PART, rows))
        changed = _changed([word[part] for word in words])
        heads = np.flatnonzero(changed) + start
        owner = seen.first_equal(heads)
        first = heads[owner == heads]
        place[first] = np.arange(number, number + len(first))
        number += len(first)
        found.append(first)
        own = place[owner]
        codes[part] = own if len(own) == len(changed) else own[np.cumsum(changed) - 1]
    return codes, np.concatenate(found)


def _changed(words: Sequence[Keys]) -> NDArray[np.bool_]:
    """Which rows have another key than the row before; the first has."""
    changed = np.ones(len(words[0]), dtype=bool)
    np.not_equal(words[0][1:], words[0][:-1], out=changed[1:])
    for word in words[1:]:
        changed[1:] |= word[1:] != word[:-1]
    return changed


class _Seen:
    """The first row of each key, in tables by mixed bits: where another key has the place, the next table is asked."""

    def __init__(self, words: Sequence[Keys]) -> None:
        self._words = words
        rows = len(words[0])
        self._bits = max(_TABLE, rows.bit_length())
        few = rows > _SAMPLE and len(distinct(_mix([word[:_SAMPLE] for word in words]))) < _SAMPLE // 4
        self._tables = [self._empty(_SMALL_TABLE if few else self._bits)]

    def first_equal(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The first row that has the same key as each of these, which follow those that were asked about before."""
        words = [word[rows] for word in self._words]
        mixed, owner = _mix(words), np.empty(len(rows), dtype=np.intp)
        left: NDArray[np.intp] | slice = slice(None)
        for level in count():
            if level == len(self._tables):
                self._tables.append(self._empty(self._bits))
            table = self._tables[level]
            own, place = rows[left], (mixed >> np.uint64(65 - len(table).bit_length())).view(np.intp)
            first = table[place]
            if first.min() < 0:
                free = slice(None, None, -1) if first.max() < 0 else np.flatnonzero(first < 0)[::-1]
                table[place[free]] = own[free]  # the last that is written stays: the first row
                first = table[place]
            same = self._words[0][first] == words[0][left]
            for known, word in zip(self._words[1:], words[1:], strict=True):
                same &= known[first] == word[left]
            owner[left] = first
            if same.all():
                return owner
            left = np.arange(len(rows))[left][~same]
            mixed = mixed[~same]
            mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIXED[1]
        raise AssertionError("tables do not end")

    def _empty(self, bits: int) -> NDArray[np.int32]:
        return np.full(1 << bits, -1, dtype=np.int32)


def _mix(words: Sequence[Keys]) -> Keys:
    mixed = words[0] * _MIXED[0]
    for word in words[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(32)) ^ word) * _MIXED[0]
    mixed ^= mixed >> np.uint64(31)
    mixed *= _MIXED[1]
    return mixed
