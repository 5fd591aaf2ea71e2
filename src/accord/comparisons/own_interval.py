"""The interval of α under one condition by itself: the one that ``accord agree`` gives for these ratings."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from math import isclose

from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.errors import AccordError
from accord.inference.interval import Interval
from accord.ratings.apart import kept_apart
from accord.ratings.table import Ratings
from accord.reliability.estimate import Estimate
from accord.reliability.run import agreement
from accord.tables.table import Cell, Column
from accord.words import steady

__all__ = ["coefficient_columns", "own_interval", "remembered", "values_with_ends", "with_ends"]


def own_interval(part: Ratings, values: dict[str, float], confidence: float) -> Interval | None:
    """The interval of α where α is among the values; None where it has none.

    An interval belongs to one value: where ``agree`` counts these ratings in another way, it is left out.
    """
    if KRIPPENDORFF_ALPHA not in values:
        return None
    found = _alpha_of_groups(part, confidence)
    is_same = len(found) == 1 and isclose(found[0][0], values[KRIPPENDORFF_ALPHA], abs_tol=1e-9)
    return found[0][1] if is_same else None


_Found = tuple[float, Interval | None]
_MOST_KEPT, _LARGE = 256, 20_000
_kept: dict[tuple[str, ...], tuple[_Found, ...]] = {}
"""What was found for ratings that are met again: each condition is one side of several comparisons of a report."""


def _alpha_of_groups(part: Ratings, confidence: float) -> tuple[_Found, ...]:
    """α as ``agree`` has it, of each group; the same ratings, asked about in the same way, are computed once."""
    if part.known_as or len(part) > _LARGE:
        # Named after a table that holds more than these; or naming them takes as long as computing.
        return _computed(part, confidence)
    key = _key(part, confidence)
    return _kept[key] if key in _kept else _keep(key, _computed(part, confidence))


def remembered(part: Ratings, found: Estimate, confidence: float, seed: int) -> None:
    """What ``agree`` found for a part that a comparison may ask about: α is the same alone and among all."""
    study = part.codebook.study
    is_asked_alike = seed == (study.seed or 0) and not study.plan and not kept_apart(part)
    if is_asked_alike and len(part) <= _LARGE and not part.known_as:
        _keep(_key(part, confidence), ((found.value, found.interval),))


def _key(part: Ratings, confidence: float) -> tuple[str, ...]:
    study, pooled = part.codebook.study, part.pooled
    return _content(part), *map(repr, (part.scale, part.codebook.kept_apart, study, pooled, confidence))


def _keep(key: tuple[str, ...], found: tuple[_Found, ...]) -> tuple[_Found, ...]:
    while len(_kept) >= _MOST_KEPT:
        _kept.pop(next(iter(_kept)))
    _kept[key] = found
    return found


def _content(part: Ratings) -> str:
    """All columns as they are: what is met again has its rows in the same order, and a fingerprint takes longer."""
    found = blake2b(part.value.tobytes(), digest_size=16)
    for name, factor in {"item": part.item, "rater": part.rater, **part.columns}.items():
        found.update("\0".join(("", name, *factor.names, "")).encode())
        found.update(factor.codes.tobytes())
    for name, numbers in part.numbers.items():
        found.update(name.encode() + numbers.tobytes())
    return found.hexdigest()


def _computed(part: Ratings, confidence: float) -> tuple[_Found, ...]:
    try:
        made = agreement(part, coefficients=(KRIPPENDORFF_ALPHA,), pool=tuple(kept_apart(part)), confidence=confidence)
    except AccordError:
        return ()
    found = (group[KRIPPENDORFF_ALPHA] for group in made.groups if KRIPPENDORFF_ALPHA in group)
    return tuple((one.value, one.interval) for one in found)


def coefficient_columns(keys: Iterable[str], *, ends: bool) -> list[Column]:
    """A column for each coefficient, and those of the interval beside α where there is one."""
    made = []
    for key in keys:
        made.append(Column(key, COEFFICIENTS[key].title))
        if ends and key == KRIPPENDORFF_ALPHA:
            made += [Column("alpha_low", "α low"), Column("alpha_high", "α high")]
    return made


def values_with_ends(values: Mapping[str, float], ends: Interval | None) -> dict[str, Cell]:
    """The cells of such columns."""
    return {**values, "alpha_low": ends.low if ends else None, "alpha_high": ends.high if ends else None}


def with_ends(value: float, ends: Interval | None, *, named: bool = True) -> str:
    """``0.79 (95% interval 0.56 to 0.86)``; the level is said where it is ``named``."""
    if ends is None:
        return f"{steady(value):.2f} (no interval)"
    level = f"{100 * ends.level:.4g}% interval " if named else ""
    return f"{steady(value):.2f} ({level}{steady(ends.low):.2f} to {steady(ends.high):.2f})"
