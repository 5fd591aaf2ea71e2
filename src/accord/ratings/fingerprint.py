"""A fingerprint of ratings: the same for the same rows in any order, fast for millions of them."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.ratings.names import NumberNames

__all__ = ["hashed_names", "hashed_rows"]

Hashes = NDArray[np.uint64]

_LONG = 48
_BLOCK = 200_000
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def hashed_rows(columns: Sequence[tuple[NDArray[np.int32], Sequence[str]]]) -> str:
    """Hash rows given as (codes, names) column by column; the order of rows does not matter.

    Each row gets 64 bits mixed from the hashes of its names; rows are put together by two sums
    (of the hashes and of their remixed values), so that no sorting is needed.
    """
    rows = len(columns[0][0])
    mixed = np.zeros(rows, dtype=np.uint64)
    for place, (codes, names) in enumerate(columns):
        by_name = np.append(hashed_names(names), np.uint64(0))
        mixed = _mix(mixed * _FACTOR + np.uint64(place) + by_name[codes])
    first, second = int(mixed.sum(dtype=np.uint64)), int(_mix(mixed + _FACTOR).sum(dtype=np.uint64))
    return hashlib.sha256(f"{len(columns)} {rows} {first} {second}".encode()).hexdigest()[:16]


def hashed_names(names: Sequence[str]) -> Hashes:
    """64 bits a name, equal for equal spellings however they are held."""
    parts = [_hashed_block(names[start : start + _BLOCK]) for start in range(0, len(names), _BLOCK)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)


def _hashed_block(names: Sequence[str]) -> Hashes:
    if isinstance(names, NumberNames):
        letters = _digits(names.numbers)
    else:
        short = [name if len(name) <= _LONG else hashlib.sha256(_bytes(name)).hexdigest()[:_LONG] for name in names]
        letters = np.array(short, dtype="U").view(np.uint32).reshape(len(short), -1)
    return _hashed_letters(letters)


def _hashed_letters(letters: NDArray[np.uint32]) -> Hashes:
    total = np.zeros(len(letters), dtype=np.uint64)
    for column in letters.T:
        letter = column.astype(np.uint64)
        longer = total * _FACTOR + letter
        # Empty places change nothing, so that a name hashes the same among longer and shorter ones.
        total = np.where(letter > 0, longer ^ (longer >> np.uint64(29)), total)
    return _mix(total)


def _digits(numbers: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The spelling of whole numbers as letters, one row each, empty places zero."""
    if not len(numbers) or numbers.min() < 0:
        return numbers.astype("U").view(np.uint32).reshape(len(numbers), -1)
    width = len(str(int(numbers.max())))
    letters = np.zeros((width, len(numbers)), dtype=np.uint32)
    rest: NDArray[Any] = numbers.astype(np.uint32 if width < 10 else np.uint64)
    for place in range(width - 1, -1, -1):
        tens = rest // 10
        digit = (rest - tens * 10 + 48).astype(np.uint32)
        letters[place] = np.where(rest > 0, digit, 0) if place < width - 1 else digit
        rest = tens
    return letters.T


def _mix(bits: Hashes) -> Hashes:
    bits = (bits ^ (bits >> np.uint64(30))) * _MIX_1
    bits = (bits ^ (bits >> np.uint64(27))) * _MIX_2
    return bits ^ (bits >> np.uint64(31))


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
