"""A fingerprint of ratings: the same for the same rows in any order, fast for millions of them."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.ratings.grid import is_run
from accord.ratings.names import NumberNames

__all__ = ["hashed_cells", "hashed_counts", "hashed_grid", "hashed_names", "hashed_numbers", "hashed_rows"]

Hashes = NDArray[np.uint64]

_LONG = 48
_BLOCK = 200_000
_CACHED = 1 << 14
_DIGITS = 18
_NUMBER_STARTS = np.array([ord(sign) for sign in "-0123456789"], dtype=np.uint32)
_MINUS, _ZERO = np.uint32(ord("-")), np.uint32(ord("0"))
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def hashed_rows(columns: Sequence[tuple[NDArray[np.int32], Hashes]]) -> str:
    """Hash rows given column by column as codes and the hash of each name; the order of rows does not matter.

    Each row gets 64 bits, the product of what its names give in their columns; rows are put together by the sum
    of the products, so that no sorting is needed. Every factor is odd: a single name that changes, changes the sum,
    and several leave it as it is by chance only.
    """
    rows, total = len(columns[0][0]), 0
    tables = [(codes, _factors(hashes, place)) for place, (codes, hashes) in enumerate(columns)]
    rooms = np.empty((2, min(_CACHED, rows)), dtype=np.uint64)
    for start in range(0, rows, _CACHED):
        product, room = rooms[:, : rows - start]
        product[:] = 1
        for codes, by_name in tables:
            product *= _looked_up(by_name, codes[start : start + _CACHED], room)
        total += int(product.sum())
    return _digest(len(columns), rows, total)


def hashed_cells(rows: Sequence[Sequence[str]]) -> str:
    """The same of rows that are lists of cells, all of one length, such as a sheet of errors."""
    columns: list[tuple[NDArray[np.int32], Hashes]] = []
    for cells in zip(*rows, strict=True):
        places = {name: place for place, name in enumerate(dict.fromkeys(cells))}
        codes = np.fromiter((places[cell] for cell in cells), dtype=np.int32, count=len(cells))
        columns.append((codes, hashed_names(list(places))))
    return hashed_rows(columns) if columns else _digest(0, 0, 0)


def hashed_grid(items: Sequence[str], raters: Hashes, values: Hashes, codes: NDArray[np.int32]) -> str:
    """The same of a whole table without other columns: the value codes of each item (row) and rater (column).

    Names of items are hashed some at a time, too: those of a million at once are new pages of memory, which took as
    long as all the rest.
    """
    by_rater, by_value = _factors(raters, 1), _factors(values, 2)
    total = 0
    rooms = np.empty((2, min(_CACHED, len(codes))), dtype=np.uint64)
    for start in range(0, len(codes), _CACHED):
        by_item = _factors(hashed_names(items[start : start + _CACHED]), 0)[:-1]
        product, room = rooms[:, : len(by_item)]
        for factor, column in zip(by_rater.tolist(), codes.T, strict=False):
            by_value.take(column[start : start + _CACHED], out=room, mode="wrap")
            np.multiply(by_item, room, out=product)
            total += factor * int(product.sum())
    return _digest(3, codes.size, total)


def hashed_counts(names: object, *arrays: NDArray[np.generic]) -> str:
    """The same of ratings of which only counts are known: the names they are about, and the counts in a fixed order."""
    digest = hashlib.sha256(repr(names).encode())
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return "counts-" + digest.hexdigest()[:16]


def _digest(columns: int, rows: int, total: int) -> str:
    return hashlib.sha256(f"{columns} {rows} {total % 2**64}".encode()).hexdigest()[:16]


def _factors(hashes: Hashes, column: int) -> Hashes:
    """What the names of a column give, other than in any other column; in a last place that of an empty cell."""
    factors = np.empty(len(hashes) + 1, dtype=np.uint64)
    shift = np.uint64(int(_FACTOR) * (2 * column + 1) % 2**64)
    np.add(hashes, shift, out=factors[:-1])
    factors[-1] = shift
    factors |= np.uint64(1)
    return factors


def _looked_up(by_name: Hashes, codes: NDArray[np.int32], room: Hashes) -> Hashes | np.uint64:
    """The hash of each row; rows in order of the names, or all with one name, need no look at each."""
    low, high = int(codes[0]), int(codes[-1])
    if low == high and codes.min() == low == codes.max():
        return np.uint64(by_name[low])
    if 0 <= low == high - len(codes) + 1 and is_run(codes, low):
        return by_name[low : high + 1]
    return by_name.take(codes, out=room, mode="wrap")  # -1 is the last; the fastest of numpy's ways


def hashed_names(names: Sequence[str]) -> Hashes:
    """64 bits a name, equal for equal spellings however they are held."""
    if isinstance(names, NumberNames):
        numbers, most = names.numbers, 10**_DIGITS
        hashes = _hashed_whole(numbers)
        if len(numbers) and (numbers.max() >= most or numbers.min() <= -most):
            huge = (numbers >= most) | (numbers <= -most)
            hashes[huge] = hashed_names([str(number) for number in numbers[huge].tolist()])
        return hashes
    parts = [_hashed_block(names[start : start + _BLOCK]) for start in range(0, len(names), _BLOCK)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)


def hashed_numbers(numbers: NDArray[np.float64]) -> Hashes:
    """64 bits a number: a whole one as its name would have, any other from the bits it is made of."""
    whole = (numbers == np.rint(numbers)) & (np.abs(numbers) < 2**53)
    if whole.all():
        return _hashed_whole(numbers.astype(np.int64))
    hashes = numbers.view(np.uint64) ^ _FACTOR
    _mix_in_place(hashes)
    hashes[whole] = _hashed_whole(numbers[whole].astype(np.int64))
    return hashes


def _hashed_whole(numbers: NDArray[np.int64]) -> Hashes:
    bits = numbers.astype(np.int64, copy=False).view(np.uint64) + _MIX_2
    _mix_in_place(bits)
    return bits


def _hashed_block(names: Sequence[str]) -> Hashes:
    short = names
    if max(map(len, names)) > _LONG:
        short = [name if len(name) <= _LONG else hashlib.sha256(_bytes(name)).hexdigest()[:_LONG] for name in names]
    letters = np.array(short, dtype="U").view(np.uint32).reshape(len(short), -1)
    hashes = _hashed_letters(letters)
    if letters.shape[1] and np.isin(letters[:, 0], _NUMBER_STARTS).any():
        whole, numbers = _whole_numbers(letters[:, : _DIGITS + 2])
        hashes[whole] = _hashed_whole(numbers[whole])
    return hashes


def _whole_numbers(letters: NDArray[np.uint32]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which names are spelled as whole numbers are (7, -7; not 07, +7), and these numbers."""
    negative = letters[:, 0] == _MINUS if letters.shape[1] else np.zeros(len(letters), dtype=bool)
    numbers, digits = np.zeros(len(letters), dtype=np.int64), np.zeros(len(letters), dtype=np.int64)
    whole = np.ones(len(letters), dtype=bool)
    for place, column in enumerate(letters.T):
        sign = negative & (place == 0)
        given = (column > 0) & ~sign
        whole &= ~given | ((column >= _ZERO) & (column <= _ZERO + 9))
        whole &= ~(given & (digits == 1) & (numbers == 0))  # a zero in front of other digits
        numbers = np.where(given & (digits < _DIGITS), numbers * 10 + column.astype(np.int64) - int(_ZERO), numbers)
        digits += given
    whole &= (digits > 0) & (digits <= _DIGITS) & ~(negative & (numbers == 0))
    return whole, np.where(negative, -numbers, numbers)


def _hashed_letters(letters: NDArray[np.uint32]) -> Hashes:
    total = np.zeros(len(letters), dtype=np.uint64)
    for column in letters.T:
        letter = column.astype(np.uint64)
        longer = total * _FACTOR + letter
        # Empty places change nothing, so that a name hashes the same among longer and shorter ones.
        total = np.where(letter > 0, longer ^ (longer >> np.uint64(29)), total)
    _mix_in_place(total)
    return total


def _mix_in_place(bits: Hashes) -> None:
    """The finaliser of SplitMix64, in parts that stay in the processor's cache."""
    room = np.empty(min(_CACHED, len(bits)), dtype=np.uint64)
    for start in range(0, len(bits), _CACHED):
        part = bits[start : start + _CACHED]
        moved = room[: len(part)]
        part ^= np.right_shift(part, _SHIFTS[0], out=moved)
        part *= _MIX_1
        part ^= np.right_shift(part, _SHIFTS[1], out=moved)
        part *= _MIX_2
        part ^= np.right_shift(part, _SHIFTS[2], out=moved)


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
