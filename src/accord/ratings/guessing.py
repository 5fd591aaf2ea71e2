"""The one place where a level or the values of a scale are guessed; a direction never is. Each guess says why."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.design.scale import LEVEL_GUESSED, Level
from accord.ratings.names import spelled_number

__all__ = [
    "FEW_VALUES", "Guess", "in_short", "level_between", "level_of_labels", "level_of_listed", "level_of_many",
    "level_of_numbers", "values_of_labels", "values_of_numbers", "values_of_sets", "with_means",
]  # fmt: skip

FEW_VALUES = 11
"""Up to this many whole numbers are taken for the points of an ordered scale; 0 to 10 has eleven."""
_VALUES = "values guessed"

Guess = tuple[Level, str]
"""A level, and the words that name it as a guess."""


def level_of_numbers(values: NDArray[np.float64]) -> Guess:
    """Few whole numbers are the points of an ordered scale; anything else has distances."""
    whole = bool((values == np.rint(values)).all())
    level = Level.ORDINAL if whole and len(values) <= FEW_VALUES else Level.INTERVAL
    kind = "whole numbers" if whole else "numbers with decimals"
    there = f"there are {len(values):,} different {kind}" if len(values) != 1 else f"there is 1 value, of {kind}"
    return level, _said(level, there)


def level_of_many(most: int) -> Guess:
    """Numbers that are too many to list."""
    return Level.INTERVAL, _said(Level.INTERVAL, f"more than {most:,} values occur")


def level_of_labels(others: Sequence[str] = ()) -> Guess:
    """Labels have no order that anybody declared; ``others`` are the labels among values that are numbers."""
    why = f"not all values are numbers ({_some(others)})" if others else "the values are labels"
    return Level.NOMINAL, _said(Level.NOMINAL, why)


def level_between(low: float, high: float) -> Guess:
    """A scale declared by its two ends only."""
    points = high - low + 1
    few = low.is_integer() and high.is_integer() and points <= FEW_VALUES
    ends = f"{spelled_number(low)} to {spelled_number(high)}"
    if few:
        return Level.ORDINAL, _said(Level.ORDINAL, f"{ends} has {points:.0f} whole numbers")
    return Level.INTERVAL, _said(Level.INTERVAL, f"{ends} has more than {FEW_VALUES} points")


def level_of_listed(is_numeric: bool) -> Guess:
    """A scale declared by its values, without a word about their order."""
    level = Level.ORDINAL if is_numeric else Level.NOMINAL
    return level, _said(level, f"the declared values are {'numbers' if is_numeric else 'labels'}")


def values_of_numbers(values: Sequence[float]) -> str:
    """That the scale has the numbers that occur and no others."""
    shown = values if len(values) <= 6 else (*values[:5], values[-1])
    return _occurring([spelled_number(value) for value in shown], len(values))


def values_of_labels(labels: Sequence[str]) -> str:
    return _occurring(labels, len(labels))


def values_of_sets(number: int) -> str:
    return f"{_VALUES}: the {number:,} sets of labels that occur"


def with_means(guess: str, number: int) -> str:
    """A guess about the values that occur, once means of repeated ratings are among them."""
    words = f"{_VALUES}: the {number:,} that occur, means of repeated ratings among them"
    return words if guess.startswith(_VALUES) else guess


def in_short(guess: str) -> str:
    """A guess without its reason: ``ordinal``, or ``values 1, 2, 3``."""
    if guess.startswith(LEVEL_GUESSED):
        return guess.removeprefix(f"{LEVEL_GUESSED}: ").partition(", as ")[0]
    named = re.search(r"that occurs? \((.*)\)$", guess)
    return f"values {named[1]}" if named else f"values {guess.removeprefix(f'{_VALUES}: ')}"


def _said(level: Level, why: str) -> str:
    return f"{LEVEL_GUESSED}: {level}, as {why}"


def _occurring(shown: Sequence[str], number: int) -> str:
    named = ", ".join(shown) if number <= 6 else f"{', '.join(shown[:5])}, ..., {shown[-1]}"
    return f"{_VALUES}: the {number:,} that occur{'s' if number == 1 else ''} ({named})"


def _some(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
