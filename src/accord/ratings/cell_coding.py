"""Cells of one text coded column by column: equal cells get equal codes, without a Python object for each row."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.ratings.factor import Codes

__all__ = ["WIDEST", "Ends", "code_keys", "coded_cells", "words_of"]

Keys = NDArray[np.uint64]
Ends = NDArray[np.int64]

WIDEST = 48
"""Cells of at most this many bytes are compared as numbers of eight bytes each; longer ones as texts."""
_WORD = 8
_MIXED = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
_SMALL_TABLE = 12
"""Bits of the first table: few names need no more, and it stays in the processor's cache."""
_SAMPLE = 4096
_MANY = 5000


def coded_cells(data: bytes, starts: Ends, ends: Ends) -> tuple[Codes, list[str]]:
    """One code a cell and the different cells as texts, in the order in which they first appear.

    ``data`` is UTF-8 and has at least eight bytes after the last cell.
    """
    widths = ends - starts
    if int(widths.max(initial=0)) > WIDEST:
        return _coded_texts([data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)])
    words = words_of(data, starts, widths)
    codes, first = code_keys(words)
    if len(first) > _MANY and data.isascii():
        # The numbers are the texts: cutting 333,333 names out one by one took a quarter of reading a million rows.
        cells = np.stack([word[first] for word in words], axis=1).astype("<u8", copy=False)
        texts: list[str] = cells.view(f"S{_WORD * len(words)}").ravel().astype(np.str_).tolist()
        return codes, texts
    found = zip(starts[first].tolist(), ends[first].tolist(), strict=True)
    return codes, [data[start:end].decode("utf-8") for start, end in found]


def _coded_texts(cells: Sequence[bytes]) -> tuple[Codes, list[str]]:
    index = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
    codes = np.fromiter(map(index.__getitem__, cells), dtype=np.int32, count=len(cells))
    return codes, [cell.decode("utf-8") for cell in index]


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
    bits, where each is compared as a whole: codes are exact, whatever the bits do.
    """
    rows = len(words[0])
    if not rows:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.intp)
    changed = np.ones(rows, dtype=bool)
    changed[1:] = words[0][1:] != words[0][:-1]
    for word in words[1:]:
        changed[1:] |= word[1:] != word[:-1]
    heads = np.flatnonzero(changed)
    if len(heads) > rows // 2:
        owner = _first_equal(words)
        first = np.flatnonzero(owner == np.arange(rows))
    else:
        owner = heads[_first_equal([word[heads] for word in words])]
        first = heads[owner == heads]
    place = np.empty(rows, dtype=np.int32)
    place[first] = np.arange(len(first), dtype=np.int32)
    codes = place[owner]
    return (codes if len(codes) == rows else codes[np.cumsum(changed) - 1]), first


def _first_equal(words: Sequence[Keys]) -> NDArray[np.intp]:
    """The first row that has the same key as each row."""
    owner = np.empty(len(words[0]), dtype=np.intp)
    mixed = _mix(words)
    left: NDArray[np.intp] | None = None
    few = len(distinct(mixed[:_SAMPLE])) < min(len(mixed), _SAMPLE) // 4
    bits = _SMALL_TABLE if few else max(_SMALL_TABLE, len(mixed).bit_length() + 1)
    while True:
        rows = np.arange(len(mixed)) if left is None else left
        cells = (mixed if left is None else mixed[left]) >> np.uint64(64 - bits)
        table = np.empty(1 << bits, dtype=np.intp)
        table[cells[::-1]] = rows[::-1]  # the last that is written stays: the first row
        found = table[cells]
        same = words[0][found] == (words[0] if left is None else words[0][left])
        for word in words[1:]:
            same &= word[found] == (word if left is None else word[left])
        owner[rows[same]] = found[same]
        if same.all():
            return owner
        left = rows[~same]
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIXED[1]
        bits = max(_SMALL_TABLE, len(left).bit_length() + 1)


def _mix(words: Sequence[Keys]) -> Keys:
    mixed = words[0] * _MIXED[0]
    for word in words[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(32)) ^ word) * _MIXED[0]
    mixed ^= mixed >> np.uint64(31)
    mixed *= _MIXED[1]
    return mixed
