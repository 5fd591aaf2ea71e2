"""GRIM: whether a printed mean or percentage can come from so many whole answers."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

from accord.diagnosis.audit.printed import Printed

__all__ = ["Grim", "grim_mean", "grim_percentage", "numbers_of_items_that_fit"]


class Grim(StrEnum):
    """How a printed value fits the number of answers behind it."""

    FITS = "fits"
    TRUNCATED = "fits only if truncated"
    IMPOSSIBLE = "impossible"


def grim_mean(printed: Printed, answers: int) -> Grim:
    """Whether some whole total of so many whole-number answers has this mean.

    Rounding is half up, half to even, or as a computer prints the nearest binary number. 4.37 of 8
    answers is 35/8 = 4.375 truncated: rounded it would be 4.38.
    """
    scaled = printed.value * answers
    reach = printed.step * answers
    totals = range(floor(scaled - reach), ceil(scaled + reach) + 1)
    ways = {way for total in totals for way in _prints(Fraction(total, answers), printed)}
    return Grim.FITS if "rounded" in ways else Grim.TRUNCATED if "truncated" in ways else Grim.IMPOSSIBLE


def _prints(value: Fraction, printed: Printed) -> set[str]:
    """The ways in which this value prints as that number."""
    places = value / printed.step
    wanted = printed.value / printed.step
    ways = set()
    digits = len(str(printed.step.denominator)) - 1
    by_computer = Fraction(f"{float(value):.{digits}f}") == printed.value  # 19/40 prints as 0.47
    if by_computer or wanted in (round(places), floor(places + Fraction(1, 2))):
        ways.add("rounded")
    if wanted == (floor(places) if places >= 0 else ceil(places)):
        ways.add("truncated")
    return ways


def grim_percentage(printed: Printed, items: int, raters: int) -> Grim:
    """Whether a printed mean pairwise agreement can come from so many items and raters."""
    return grim_mean(printed, items * raters * (raters - 1) // 2)


def numbers_of_items_that_fit(
    sets: Mapping[str, Sequence[Printed]], raters: int, total: int, *, truncated: bool
) -> list[tuple[int, ...]]:
    """Every way to split ``total`` items over the sets that makes all their printed agreements possible."""
    names = list(sets)
    accepted = {Grim.FITS, Grim.TRUNCATED} if truncated else {Grim.FITS}

    def fits(name: str, items: int) -> bool:
        pairs = items * raters * (raters - 1) // 2
        return all(_fits_one_way(printed, pairs, truncated, accepted) for printed in sets[name])

    def splits(place: int, left: int) -> list[tuple[int, ...]]:
        if place == len(names) - 1:
            return [(left,)] if left > 0 and fits(names[place], left) else []
        return [
            (items, *rest)
            for items in range(1, left)
            if fits(names[place], items)
            for rest in splits(place + 1, left - items)
        ]

    return splits(0, total)


def _fits_one_way(printed: Printed, pairs: int, truncated: bool, accepted: set[Grim]) -> bool:
    if not truncated:
        return grim_mean(printed, pairs) in accepted
    scaled = printed.value * pairs
    totals = range(floor(scaled), ceil(scaled + printed.step * pairs) + 1)
    return any("truncated" in _prints(Fraction(total, pairs), printed) for total in totals)
