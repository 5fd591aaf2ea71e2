"""Poisson(1) weights of items, hashed from (seed, item, replicate): the same in numpy and in SQL, on any machine.

An item has two keys, the first two groups of seven hexadecimal digits of the MD5 of its name. A replicate has three
factors, scrambled from the seed and its number. (a x key + b x other key + c) modulo the prime 2^31 - 1 is then spread
evenly and independently between any two items, and between replicates; where it lies tells the weight. Only products
below 2^63 occur, so that every engine gives the same whole numbers, however the items are spread over machines.
"""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Integers

__all__ = ["KEY_DIGITS", "factors", "hashed_sql", "item_keys", "poisson_weights", "weight_sql"]

KEY_DIGITS = 7
_PRIME = 2**31 - 1
_SHARES = np.cumsum(np.exp(-1.0) / np.cumprod([1.0, *range(1, 13)]))
_LIMITS = np.rint(_SHARES * _PRIME).astype(np.int64)
"""Below the first limit the weight is 0, below the second 1, and so on; beyond 13 lies less than the prime can tell."""


def item_keys(names: Iterable[str]) -> Integers:
    """(items, 2): the keys of items by their names."""
    digests = [hashlib.md5(name.encode(), usedforsecurity=False).hexdigest() for name in names]
    keys = [[int(digest[:KEY_DIGITS], 16), int(digest[KEY_DIGITS : 2 * KEY_DIGITS], 16)] for digest in digests]
    return np.array(keys, dtype=np.int64).reshape(-1, 2)


def factors(seed: int, replicates: range) -> Integers:
    """(replicates, 3): the factors of each replicate, whatever others are drawn with it."""
    numbers = (np.array(replicates, dtype=np.int64)[:, None] * 3 + np.arange(3)).astype(np.uint64)
    mixed = _scrambled(numbers ^ _scrambled(np.array(seed % 2**64, dtype=np.uint64)))
    return (mixed % np.uint64(_PRIME)).astype(np.int64)


def poisson_weights(keys: Integers, drawn: Integers) -> NDArray[np.int8]:
    """(replicates, items): the weights for the factors of some replicates."""
    hashed = drawn[:, :2] @ keys.T
    hashed += drawn[:, 2:]
    hashed %= _PRIME
    return np.searchsorted(_LIMITS, hashed, side="right").astype(np.int8)


def hashed_sql(keys: Sequence[str], drawn: Sequence[int]) -> str:
    """Where an item falls in one replicate, as SQL over the two columns of its keys."""
    return f"({drawn[0]} * {keys[0]} + {drawn[1]} * {keys[1]} + {drawn[2]}) % {_PRIME}"


def weight_sql(hashed: str) -> str:
    """The weight that belongs to it."""
    cases = " ".join(f"WHEN {hashed} < {limit} THEN {weight}" for weight, limit in enumerate(_LIMITS.tolist()))
    return f"CASE {cases} ELSE {len(_LIMITS)} END"


def _scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64: every bit of the input moves every bit of the output."""
    with np.errstate(over="ignore"):
        z = numbers + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
