"""Numbers as far as every machine knows them: in which order a processor adds decides about the last digits of a sum.

Whoever orders by computed numbers or chooses the first of them asks here; who prints few of their digits asks
:func:`accord.words.steady`. Without that two raters of equal strictness changed places from one machine to the next.
"""

from collections.abc import Callable, Iterable, Sequence
from math import floor, isfinite, log10
from typing import Any, TypeVar

import numpy as np

from accord.arrays import Integers
from accord.patterns import pattern

__all__ = ["by_name", "first_of", "order_of", "ordered", "ranked", "settled"]

Thing = TypeVar("Thing")

_ALIKE = 1e-9
"""Numbers that differ by less, relative to their size, are equal. Noise was up to 1e-12, of 300 linked raters."""
_DIGITS = 12
_NUMBER = pattern(r"(\d+)")


def settled(numbers: Any, size: float) -> Any:
    """Numbers without what is noise beside the ``size`` of those they were made of: what should be nothing is 0."""
    if not (isfinite(size) and size > 0):
        return numbers
    return np.round(numbers, _DIGITS - 1 - floor(log10(size))) + 0.0


def ranked(numbers: Any, size: float | None = None) -> Integers:
    """The place of each number among the different ones, the lowest 0; equal ones share it, nan is last.

    ``size`` is that of what they were made of where it is more than their own: differences that are nothing are equal,
    however small they are. At 0 each is held against its neighbour alone, as probabilities must be.
    """
    values = np.asarray(numbers, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    lower, upper = values[order[:-1]], values[order[1:]]
    with np.errstate(invalid="ignore"):
        near = np.maximum(np.abs(lower), np.abs(upper))
        known = np.isfinite(values)
        whole = max(size or 0.0, float(np.abs(values[known]).max(initial=0.0))) if size != 0 else near
        steps = upper - lower > _ALIKE * np.where(np.isfinite(whole), whole, 1.0)
    steps |= np.isnan(upper) & ~np.isnan(lower)
    ranks = np.zeros(len(values), dtype=np.int64)
    ranks[order[1:]] = np.cumsum(steps)
    return ranks


def order_of(
    numbers: Any, names: Sequence[str] | None = None, *, highest: bool = False, size: float | None = None
) -> Integers:
    """The places of the numbers from the lowest, or the ``highest``; equal ones by name, without names as they stand.

    Those that are undefined are last.
    """
    values = np.asarray(numbers, dtype=np.float64)
    ranks = ranked(-values if highest else values, size)
    if names is None:
        return np.argsort(ranks, kind="stable")
    return np.array(sorted(range(len(values)), key=lambda place: (ranks[place], by_name(names[place]))), dtype=np.int64)


def ordered(
    things: Iterable[Thing],
    by: Callable[[Thing], float],
    name: Callable[[Thing], str] | None = None,
    *,
    highest: bool = False,
    size: float | None = None,
) -> list[Thing]:
    """Things by a number of each, as :func:`order_of` has it."""
    given = list(things)
    names = None if name is None else [name(one) for one in given]
    return [given[place] for place in order_of([by(one) for one in given], names, highest=highest, size=size)]


def first_of(
    things: Iterable[Thing],
    by: Callable[[Thing], float],
    name: Callable[[Thing], str] | None = None,
    *,
    highest: bool = False,
    size: float | None = None,
) -> Thing:
    """The first of them in that order."""
    return ordered(things, by, name, highest=highest, size=size)[0]


def by_name(name: str) -> tuple[tuple[int, int, str], ...]:
    """What orders names as people do: R2 before R10."""
    parts = _NUMBER.split(name)
    return tuple((0, int(part), part) if at % 2 else (1, 0, part) for at, part in enumerate(parts) if part)
