"""Names of items or raters that are whole numbers, spelled only when somebody looks at them."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import overload

import numpy as np
from numpy.typing import NDArray

__all__ = ["NumberNames", "bare_name", "selected", "spelled_number"]


class NumberNames(Sequence[str]):
    """A tuple of names in behaviour, an array of integers in memory: a million items cost nothing."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "NumberNames": ...
    def __getitem__(self, place: int | slice) -> "str | NumberNames":
        return NumberNames(self.numbers[place]) if isinstance(place, slice) else str(self.numbers[place])

    def __iter__(self) -> Iterator[str]:
        return map(str, self.numbers.tolist())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberNames):
            return np.array_equal(self.numbers, other.numbers)
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def selected(names: Sequence[str], keep: NDArray[np.bool_]) -> Sequence[str]:
    """The names that are kept, in their order."""
    if isinstance(names, NumberNames):
        return NumberNames(names.numbers[keep])
    return tuple(compress(names, keep.tolist()))


def bare_name(name: str) -> str:
    """A name without case, blanks and signs that cannot be seen: what a person reads as the same has the same one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if not letter.isspace() and letter != "_" and not _is_unseen(letter))


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cf", "Cc")


def spelled_number(number: float) -> str:
    """A number as a person writes it: 3, not 3.0."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))
