"""What the cells of a column give away: ratings, plain numbers, or numbers of the rows."""

from typing import Any

import numpy as np

from accord.ratings.coding import MISSING_TOKENS, code_column, is_masked, spelled_cell
from accord.ratings.guessing import FEW_VALUES, signs_of_no_answer, strays
from accord.ratings.number_spellings import numbers_in
from accord.ratings.worded_values import ordered_words, worded_numbers

__all__ = [
    "SAMPLE", "counts_up", "has_few_labels", "is_nearly_numeric", "is_plainly_numeric", "is_rated", "is_short",
    "texts_of",
]  # fmt: skip

SAMPLE = 1000
"""So many rows are looked at."""
_FEWEST_RUNNING = 6
_MOST_LABELS, _LONGEST_LABEL, _OFTEN = 12, 40, 3
"""Labels of answers are few and short, and each is given so often at least, on the whole."""


def texts_of(column: Any) -> tuple[list[str], list[int]]:
    """The different answers in the first rows and how often each was given, without those that are missing."""
    coded = code_column(column[:SAMPLE])
    often = np.bincount(coded.codes[coded.codes >= 0], minlength=len(coded.distinct)).tolist()
    pairs = [(spelled_cell(cell), count) for cell, count in zip(coded.distinct, often, strict=True)]
    given = [(text, count) for text, count in pairs if count and text.lower() not in MISSING_TOKENS]
    signs = signs_of_no_answer([text for text, _ in given])
    given = [(text, count) for text, count in given if text not in signs]
    return [text for text, _ in given], [count for _, count in given]


def is_rated(column: Any, fewest_words: int = 3) -> bool:
    """Whether a column looks like ratings: numbers, numbers with words, or words of a known order."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return True
    texts, often = texts_of(column)
    if not texts:
        return False
    numbers, _ = numbers_in(texts)
    known = [number is not None for number in numbers]
    if all(known) or worded_numbers(texts) or ordered_words(texts, fewest_words):
        return True
    return any(known) and bool(strays(texts, often, known))


def is_plainly_numeric(column: Any) -> bool:
    """Whether every answer is a number."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return True
    texts, _ = texts_of(column)
    return bool(texts) and all(number is not None for number in numbers_in(texts)[0])


def is_nearly_numeric(column: Any) -> bool:
    """Whether most answers are numbers, with something beside them or not: a slip does not make a rater disappear."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return True
    texts, often = texts_of(column)
    known = [number is not None for number in numbers_in(texts)[0]]
    rows = sum(count for count, is_number in zip(often, known, strict=True) if is_number)
    return bool(texts) and (rows > sum(often) / 2 or worded_numbers(texts) is not None)


def has_few_labels(column: Any) -> bool:
    """Whether a column holds labels of an answer: yes and no, kinds of errors; few and short, given again and again."""
    texts, often = texts_of(column)
    return (
        1 < len(texts) <= _MOST_LABELS
        and sum(often) >= _OFTEN * len(texts)
        and all(len(text) <= _LONGEST_LABEL for text in texts)
    )


def is_short(column: Any) -> bool:
    """Whether the answers are whole numbers within the points of a short scale."""
    numbers = [number for number in numbers_in(texts_of(column)[0])[0] if number is not None]
    return bool(numbers) and max(numbers) - min(numbers) < FEW_VALUES and all(map(float.is_integer, numbers))


def counts_up(column: Any) -> bool:
    """Whether a column is a running number: all different, each one higher than the one before."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf" and not is_masked(column):
        first = column[:SAMPLE].astype(np.float64)
        return len(first) >= _FEWEST_RUNNING and bool((np.diff(first) == 1).all())
    coded = code_column(column[:SAMPLE])
    if len(coded) < _FEWEST_RUNNING or len(coded.distinct) < len(coded) or (coded.codes < 0).any():
        return False
    numbers, _ = numbers_in([spelled_cell(cell) for cell in coded.distinct])
    known = np.array([np.nan if number is None else number for number in numbers])
    return bool((np.diff(known[coded.codes]) == 1).all())
