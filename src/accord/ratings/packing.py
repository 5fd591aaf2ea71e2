"""Counts of several values in one number: one sum an item instead of one a value, which halves the work."""

from collections.abc import Sequence

import numpy as np

from accord.arrays import Floats, Integers

__all__ = ["MOST_PACKED", "packed_sums", "unpacked", "word_names"]

_FIELDS = 5
_BITS = 10
MOST_PACKED = (1 << _BITS) - 1
"""Five counts of up to 1,023 lie side by side in 50 bits: a double holds them exactly, on any engine."""


def word_names(values: int) -> list[str]:
    """The columns that hold the counts of so many values."""
    return [f"w{word}" for word in range(-(-values // _FIELDS))]


def packed_sums(conditions: Sequence[str]) -> list[str]:
    """One SQL sum for every five values; ``conditions[code]`` says in SQL that a row has this value."""
    sums = []
    for word in range(len(word_names(len(conditions)))):
        fields = conditions[word * _FIELDS : (word + 1) * _FIELDS]
        cases = " ".join(
            f"WHEN {condition} THEN CAST({float(1 << _BITS * field)!r} AS DOUBLE)"
            for field, condition in enumerate(fields)
            if condition != "FALSE"
        )
        zero = "CAST(0 AS DOUBLE)"
        sums.append(f"SUM({f'CASE {cases} ELSE {zero} END' if cases else zero})")
    return sums


def unpacked(words: Sequence[Floats], values: int) -> Integers | None:
    """The counts, (items, values); None where one may have run over into the next.

    A count that runs over makes the sum of all counts smaller, so who knows how many ratings
    there are can tell; the last count of a word is looked at here.
    """
    counts = np.empty((len(words[0]) if words else 0, values), dtype=np.int64)
    for word, sums in enumerate(words):
        rest = sums.astype(np.int64)
        if len(rest) and int(rest.max()) >> _BITS * _FIELDS:
            return None
        for field in range(min(_FIELDS, values - word * _FIELDS)):
            counts[:, word * _FIELDS + field] = rest >> _BITS * field & MOST_PACKED
    return counts
