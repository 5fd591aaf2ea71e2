"""Student's t for any number of scores; beyond thirty the paper takes its limit, the normal law."""

from enum import StrEnum
from functools import lru_cache
from math import inf, sqrt

from accord.errors import OptionError
from accord.quantiles import ndtri, stdtrit

__all__ = ["LARGEST_SMALL_SAMPLE", "ScoreMethod", "critical_value", "scores_needed", "standardised_half_width"]

LARGEST_SMALL_SAMPLE = 30
"""Up to so many scores the paper uses Student's t, beyond it the normal law."""

_MOST = 1_000_000


class ScoreMethod(StrEnum):
    """How the interval of several scores is computed.

    ``auto`` is Student's t; near an end of the scale, where t holds too seldom, it allows for rare scores.
    """

    AUTO = "auto"
    T = "t"
    PAPER = "paper"


def critical_value(level: float, scores: int, *, tails: int = 2, method: ScoreMethod = ScoreMethod.T) -> float:
    """The critical value for the mean of so many scores, with two tails or one.

    Examples
    --------
    >>> round(critical_value(0.8, 2), 3), round(critical_value(0.8, 2, tails=1), 3)
    (3.078, 1.376)
    >>> round(critical_value(0.95, 31), 3), round(critical_value(0.95, 31, method=ScoreMethod.PAPER), 3)
    (2.042, 1.96)
    """
    if tails not in (1, 2):
        raise OptionError(f"A test has one tail or two, not {tails}.")
    if not 0 < level < 1:
        raise OptionError(f"A confidence of {level:g} is not possible. Give a number above 0 and below 1, such as 0.8.")
    if scores < 2:
        raise OptionError(f"Student's t takes two scores or more; {scores} has no spread.")
    normal = method is ScoreMethod.PAPER and scores > LARGEST_SMALL_SAMPLE
    return quantile(1 - (1 - level) / tails, inf if normal else scores - 1)


@lru_cache(maxsize=256)
def quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t; of the normal law for infinite degrees of freedom.

    Kept, as every item of a file with as many scores asks for the same one.
    """
    return float(ndtri(probability) if freedom == inf else stdtrit(freedom, probability))


def standardised_half_width(level: float, scores: int) -> float:
    """Half-width of the interval in standard deviations of the scores: t / sqrt(n)."""
    return critical_value(level, scores) / sqrt(scores)


def scores_needed(width: float, deviation: float, level: float) -> int:
    """The least number of scores whose interval is no wider than wanted, if their spread stays as it is."""
    if not width > 0:
        raise OptionError(f"A width of {width:g} cannot be reached. Ask for a width above 0, in points of the scale.")
    if not deviation > 0:
        raise OptionError(
            "How many scores are needed cannot be said: their spread is not known. "
            "Give at least two scores that differ, or the spread you expect with --spread."
        )
    wanted = width / (2 * deviation)
    low, high = 2, 2
    while standardised_half_width(level, high) > wanted:
        low, high = high, high * 2
        if high > _MOST:
            raise OptionError(
                f"More than {_MOST:,} scores would be needed for a width of {width:g} with a spread of {deviation:g}. "
                "Ask for a wider interval or a lower confidence."
            )
    while low < high:
        middle = (low + high) // 2
        if standardised_half_width(level, middle) <= wanted:
            high = middle
        else:
            low = middle + 1
    return high
