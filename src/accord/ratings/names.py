"""Names of items or raters that are whole numbers, spelled only when somebody looks at them."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from operator import lt
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from accord.arrays import in_an_array

__all__ = [
    "LaterNames",
    "NumberNames",
    "bare_name",
    "in_order",
    "made_in_order",
    "order_of_names",
    "selected",
    "spelled_number",
]


Made = TypeVar("Made")


class NumberNames(Sequence[str]):
    """A tuple of names in behaviour, a range or an array of integers in memory: a million items cost nothing."""

    __slots__ = ("_held",)

    def __init__(self, numbers: NDArray[np.int64] | range) -> None:
        self._held = numbers

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The names as numbers; those of a range are laid out anew each time, so ask for some at a time."""
        return in_an_array(self._held)

    def __len__(self) -> int:
        return len(self._held)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "NumberNames": ...
    def __getitem__(self, place: int | slice) -> "str | NumberNames":
        return NumberNames(self._held[place]) if isinstance(place, slice) else str(self._held[place])

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


class LaterNames(Sequence[str]):
    """Names that differ and have no blanks around them, and that become texts when somebody looks at them.

    They cost more than their codes: the ratings of 100,000 items are counted without a look at any.
    """

    __slots__ = ("_made", "_make", "_number", "letters")

    def __init__(self, number: int, make: Callable[[], Sequence[str]], letters: bytes = b"") -> None:
        self._number, self._make = number, make
        self._made: tuple[str, ...] | None = None
        self.letters = letters
        """All names one after the other, where they are ASCII and known so, with nothing or with zeros between."""

    @property
    def texts(self) -> tuple[str, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        return self.texts[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __eq__(self, other: object) -> bool:
        return self.texts == (other.texts if isinstance(other, LaterNames) else other)

    def __hash__(self) -> int:
        return hash(self.texts)

    def __repr__(self) -> str:
        return repr(self.texts)

    def __reduce__(self) -> tuple[type, tuple[tuple[str, ...]]]:
        return tuple, (self.texts,)


def selected(names: Sequence[str], keep: NDArray[np.bool_]) -> Sequence[str]:
    """The names that are kept, in their order."""
    if isinstance(names, NumberNames):
        return NumberNames(names.numbers[keep])
    return tuple(compress(names, keep.tolist()))


def order_of_names(names: Sequence[str]) -> NDArray[np.intp] | None:
    """The places of names in the order in which whatever is drawn goes through them; None if they stand in it.

    Whole numbers by size, other names letter by letter. It depends on the names alone, not on the order of rows or on
    whether a file or a frame held them: so a seed draws the same from the same ratings.
    """
    if isinstance(names, NumberNames):
        numbers = names.numbers
        return None if (numbers[1:] > numbers[:-1]).all() else np.argsort(numbers, kind="stable")
    spelled = list(names)
    keys: Sequence[int | str]
    try:
        keys = list(map(int, spelled))
    except ValueError:  # not all are whole numbers
        keys = spelled
    if all(map(lt, keys, keys[1:])):
        return None
    # Numbers that are spelled in two ways, 7 and 07, stand side by side, in the order of their spellings.
    places = sorted(range(len(spelled)), key=spelled.__getitem__)
    if keys is not spelled:
        places.sort(key=keys.__getitem__)
    return np.array(places, dtype=np.intp)


def in_order(names: Sequence[str]) -> list[str]:
    """These names in that order."""
    order = order_of_names(names)
    return list(names) if order is None else [names[place] for place in order.tolist()]


def made_in_order(names: Sequence[str], make: Callable[[int], Made]) -> list[Made]:
    """What is made of each part, in the order of the parts; they are made in the order of their names.

    One generator serves them all: which part came first in the rows must not decide what the others draw.
    """
    made = {place: make(place) for place in sorted(range(len(names)), key=names.__getitem__)}
    return [made[place] for place in range(len(names))]


def bare_name(name: str) -> str:
    """A name without case, blanks and signs that cannot be seen: what a person reads as the same has the same one."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if not letter.isspace() and letter != "_" and not _is_unseen(letter))


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cf", "Cc")


def spelled_number(number: float) -> str:
    """A number as a person writes it: 3, not 3.0."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))
