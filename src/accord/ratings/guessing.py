"""The one place where a level or the values of a scale are guessed; a direction never is. Each guess says why."""

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.design.scale import LEVEL_GUESSED, Level
from accord.ratings.evident import body_of
from accord.ratings.known_words import no_answer_words
from accord.ratings.names import spelled_number
from accord.words import counted

__all__ = [
    "CODES", "FEW_VALUES", "LOWEST_CODE", "NO_ANSWER_GUESSED", "Guess", "codes_of_no_answer", "in_short", "is_slip",
    "level_between",
    "level_of_labels", "level_of_listed", "level_of_many", "level_of_numbers", "level_of_shares", "level_of_words",
    "no_answer", "signs_of_no_answer", "some_names", "strays", "values_of_labels", "values_of_numbers",
    "values_of_sets", "with_means", "with_occurring",
]  # fmt: skip

FEW_VALUES = 11
"""Up to this many whole numbers are taken for the points of an ordered scale; 0 to 10 has eleven."""
_VALUES = "values guessed"
NO_ANSWER_GUESSED = "no answer guessed"
"""Every guess that a value stands for no answer begins with these words."""

Guess = tuple[Level, str]
"""A level, and the words that name it as a guess."""


def level_of_numbers(values: NDArray[np.float64], counts: Callable[[], NDArray[np.int64]] | None = None) -> Guess:
    """Whole numbers that lie close together are the points of an ordered scale; anything else has distances.

    A typing error far off the rest does not count: 1 to 5 with one 55 among them is still a scale of five points.
    """
    inside = values
    whole, short = _is_whole_and_short(inside)
    if len(values) > 2 and not (whole and short):
        body = body_of(values, None if counts is None else counts())
        inside = values[(values >= body.low) & (values <= body.high)]
        whole, short = _is_whole_and_short(inside)
    level = Level.ORDINAL if whole and (short or not len(inside)) else Level.INTERVAL
    kind = "whole numbers" if whole else "numbers with decimals"
    there = f"there are {len(values):,} different {kind}" if len(values) != 1 else f"there is 1 value, of {kind}"
    ends = (
        ""
        if short or not whole or not len(inside)
        else f" from {spelled_number(inside[0])} to {spelled_number(inside[-1])}"
    )
    return level, _guess_of_level(level, there + ends)


def _is_whole_and_short(values: NDArray[np.float64]) -> tuple[bool, bool]:
    return bool((values == np.rint(values)).all()), len(values) > 0 and bool(values[-1] - values[0] < FEW_VALUES)


def level_of_shares() -> Guess:
    """Percentages have distances."""
    return Level.INTERVAL, _guess_of_level(Level.INTERVAL, "the values are percentages")


def level_of_words(kind: str) -> Guess:
    """Words whose order everybody knows, such as those of agreement."""
    return Level.ORDINAL, _guess_of_level(Level.ORDINAL, f"the values are words of {kind} in their known order")


def level_of_many(most: int) -> Guess:
    """Numbers that are too many to list."""
    return Level.INTERVAL, _guess_of_level(Level.INTERVAL, f"more than {most:,} values occur")


def level_of_labels(others: Sequence[str] = ()) -> Guess:
    """Labels have no order that anybody declared; ``others`` are the labels among values that are numbers."""
    why = f"not all values are numbers ({some_names(others)})" if others else "the values are labels"
    return Level.NOMINAL, _guess_of_level(Level.NOMINAL, why)


def level_between(low: float, high: float, *, fractions: bool = False) -> Guess:
    """A scale declared by its two ends only; ``fractions`` occur between its whole numbers."""
    points, whole = high - low + 1, low.is_integer() and high.is_integer()
    few = whole and points <= FEW_VALUES
    ends = f"{spelled_number(low)} to {spelled_number(high)}"
    if not whole:
        return Level.INTERVAL, _guess_of_level(Level.INTERVAL, f"the ends of {ends} are not both whole numbers")
    if few and fractions:
        return Level.INTERVAL, _guess_of_level(Level.INTERVAL, f"values between the whole numbers of {ends} occur")
    if few:
        return Level.ORDINAL, _guess_of_level(Level.ORDINAL, f"{ends} has {points:.0f} whole numbers")
    return Level.INTERVAL, _guess_of_level(Level.INTERVAL, f"{ends} has more than {FEW_VALUES} points")


def level_of_listed(is_numeric: bool) -> Guess:
    """A scale declared by its values, without a word about their order."""
    level = Level.ORDINAL if is_numeric else Level.NOMINAL
    return level, _guess_of_level(level, f"the declared values are {'numbers' if is_numeric else 'labels'}")


def values_of_numbers(values: Sequence[float] | NDArray[np.float64]) -> str:
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


def with_occurring(guess: str, values: Sequence[float]) -> str:
    """A guess about the values that occur, once some of them were left out."""
    return values_of_numbers(values) if guess.startswith(_VALUES) else guess


def in_short(guess: str) -> str:
    """A guess without its reason: ``ordinal``, or ``values 1, 2, 3``."""
    if guess.startswith(LEVEL_GUESSED):
        return guess.removeprefix(f"{LEVEL_GUESSED}: ").partition(", as ")[0]
    named = re.search(r"that occurs? \((.*)\)$", guess)
    return f"values {_run(named[1])}" if named else f"values {guess.removeprefix(f'{_VALUES}: ')}"


def _run(listed: str) -> str:
    """Whole numbers in a row, or numbers too many to list, by their ends."""
    names = listed.split(", ")
    numbers = [int(name) for name in names if re.fullmatch(r"-?\d+", name)]
    if len(numbers) < 3 or len(numbers) < len(names) - ("..." in names):
        return listed
    is_row = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return f"{'' if is_row else 'from '}{names[0]} to {names[-1]}" if is_row or "..." in names else listed


_SIGNS = frozenset({
    "-", "--", "---", "\u2013", "\u2014", "?", "??", ".", "..", "n.a.", "n. a.", "k.a.", "k. a.",
    "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!", "#error!",
})  # fmt: skip
CODES = (99.0, 999.0, 9999.0, -1.0, -9.0, -99.0, -999.0, 77.0, 88.0, 98.0)
"""Numbers that questionnaires use for no answer; 9 is one too beside a scale that ends well below it."""
_NINE = LOWEST_CODE = 9.0
"""No number from 0 to here stands for no answer."""
_HIGHEST_BESIDE_NINE = 6.0
_ROOM = 5
"""A code of no answer lies at least this many times as high as the scale ends."""
_STRAY = 0.03
_MOST_NEAR, _MOST_FAR = 0.1, 0.2
"""A code is guessed up to this share of the ratings: 9 and -1, which a scale may well have, and the others."""


def signs_of_no_answer(texts: Sequence[str]) -> list[str]:
    """Signs such as - and ?, and words such as «don't know», among answers that are something else: no answers."""
    signs = [text for text in texts if text.lower() in _SIGNS]
    if words := no_answer_words([text for text in texts if text not in signs]):
        return [text for text in texts if text in signs or text in words]
    others = [text for text in texts if text.lower() not in _SIGNS and any(map(str.isalnum, text))]
    numeric = sum(any(map(str.isdigit, text)) for text in others)
    return signs if numeric or len(others) > 1 else []


def codes_of_no_answer(
    values: NDArray[np.float64], counts: NDArray[np.int64], *, too_often: bool = False
) -> list[float]:
    """99, -1 and their like where they are given again and again, and cannot be points of the scale of the others.

    What is a large share of all ratings is kept as a rating, for to drop it by a guess could turn a ranking round;
    ``too_often`` asks for these instead, to be said.
    """
    if not (values == np.rint(values)).all():
        return []
    codes = [code for code in CODES if code in values]
    codes += [_NINE] if _is_nine_apart(values) else []
    if not codes:
        return []
    others = values[~np.isin(values, codes)]
    if len(others) < 3 or others[0] < 0 or others[-1] < 2:
        return []
    often = dict(zip(values.tolist(), counts.tolist(), strict=True))
    high, total = float(others[-1]), int(counts.sum())
    return [
        code for code in codes
        if often[code] > 1
        and too_often == (often[code] > max(2, (_MOST_NEAR if code in (_NINE, -1) else _MOST_FAR) * total))
        and (code == _NINE or (code < 0 and high >= 3) or (code >= _ROOM * high and not (code == 99 and high > 19)))
    ]  # fmt: skip


def _is_nine_apart(values: NDArray[np.float64]) -> bool:
    """Whether 9 stands beside a scale such as 1 to 5 of which every point is used; counts of errors begin at 0."""
    others = values[~np.isin(values, (*CODES, _NINE))]
    if _NINE not in values or len(others) < 4 or others[-1] > _HIGHEST_BESIDE_NINE:
        return False
    return bool(others[0] == 1 and (np.diff(others) == 1).all())


def strays(texts: Sequence[str], counts: Sequence[int], known: Sequence[bool]) -> list[str]:
    """The few texts that do not go with the many that do; none where they are more than a slip."""
    total, odd = sum(counts), [place for place, fits in enumerate(known) if not fits]
    rows = sum(counts[place] for place in odd)
    few = is_slip(rows, total) and len(odd) <= max(1, len(texts) // 2) and total >= _FEWEST_FOR_STRAYS
    return [texts[place] for place in odd] if few else []


_FEWEST_FOR_STRAYS = 10


def is_slip(rows: int, total: int) -> bool:
    """Whether so few of all rows may be typing errors."""
    return rows <= max(1, _STRAY * total)


def no_answer(shown: Sequence[str], rows: int, why: str) -> str:
    """That these values were taken for no answer, how often, and how to keep them."""
    named = some_names([repr(one) for one in shown])
    return f"{NO_ANSWER_GUESSED}: {named} ({counted(rows, 'row')}), as {why}"


def _guess_of_level(level: Level, why: str) -> str:
    return f"{LEVEL_GUESSED}: {level}, as {why}"


def _occurring(shown: Sequence[str], number: int) -> str:
    named = ", ".join(shown) if number <= 6 else f"{', '.join(shown[:5])}, ..., {shown[-1]}"
    return f"{_VALUES}: the {number:,} that occur{'s' if number == 1 else ''} ({named})"


def some_names(names: Sequence[str], most: int = 5) -> str:
    """The first of these names, and that there are more."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
