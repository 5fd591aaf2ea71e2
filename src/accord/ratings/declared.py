"""Scales as a user declares them: «1,2,3», «bad<fair<good», «0..100» or «0-100», «1=None,2=Little», «fluency:1..4»."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from accord.design.scale import Direction, Level, Scale, Value
from accord.errors import OptionError
from accord.patterns import pattern
from accord.ratings.guessing import level_between, level_of_listed

__all__ = [
    "DeclaredDirection", "DeclaredScale", "listed_scale", "parse_directions", "parse_level", "parse_scale",
    "parse_scales", "scale_between",
]  # fmt: skip

DeclaredScale = Scale | str | Sequence[Value] | range
DeclaredDirection = Direction | str
_NUMBER = r"([-+]?\d+(?:\.\d+)?)"
_RANGE = pattern(rf"\s*{_NUMBER}\s*(?:\.\.|[-\u2013]|to)\s*{_NUMBER}\s*\Z")
_CRITERION = pattern(r"\s*([^:=<,]+?)\s*:\s*(.+)\Z", re.DOTALL)


def parse_level(level: Level | str | None) -> Level | None:
    """A level by its name."""
    try:
        return None if level is None else Level(level)
    except ValueError:
        raise OptionError(f"The level {level!r} is not known. Known: {', '.join(Level)}.") from None


def parse_directions(
    declared: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None,
) -> dict[str, Direction]:
    """Which end is good, by criterion; under "" for all that have no direction of their own.

    Text may hold several, split by semicolons: ``"high; errors:low"``.
    """
    if declared is None:
        return {}
    if isinstance(declared, Mapping):
        return {str(name): _direction(one) for name, one in declared.items()}
    texts = [declared] if isinstance(declared, str) else list(declared)
    found: dict[str, Direction] = {}
    for part in (part.strip() for text in texts for part in text.split(";") if part.strip()):
        criterion, _, word = part.rpartition(":")
        if criterion.strip() in found:
            raise OptionError(f"The direction of {criterion.strip() or 'all criteria'} is declared twice.")
        found[criterion.strip()] = _direction(word.strip())
    return found


def _direction(word: DeclaredDirection) -> Direction:
    if word in (Direction.HIGH, Direction.LOW, Direction.NONE):
        return Direction(word)
    raise OptionError(
        f"The direction {str(word)!r} is not known. Write high or low, whichever end of the scale is good, or none; "
        "errors:low for one criterion."
    )


def parse_scales(
    declared: DeclaredScale | Mapping[str, DeclaredScale] | None, level: Level | None = None
) -> tuple[Scale | None, dict[str, Scale]]:
    """The scale for all criteria, and those of single criteria.

    Text may hold several, split by semicolons or lines: ``"1..5; fluency:1..4"``.
    """
    if declared is None:
        return None, {}
    if isinstance(declared, Mapping):
        return None, {str(name): parse_scale(one, level) for name, one in declared.items()}
    if not isinstance(declared, str):
        return parse_scale(declared, level), {}
    general: Scale | None = None
    own: dict[str, Scale] = {}
    for part in filter(str.strip, re.split(r"[;\n]", declared)):
        if match := _CRITERION.match(part):
            own[match[1]] = parse_scale(match[2], level)
        elif general is None:
            general = parse_scale(part, level)
        else:
            raise OptionError(f"The scale {declared!r} is declared twice. Name the criteria: fluency:1..4; style:1..5.")
    if general is None and not own:
        raise OptionError("The declared scale is empty. Write it like 1,2,3,4,5 or bad<fair<good or 0..100.")
    return general, own


def parse_scale(declared: DeclaredScale, level: Level | None = None) -> Scale:
    """One declared scale; its values are empty where only the two ends are known."""
    if isinstance(declared, Scale):
        return declared if level is None else replace(declared, level=level)
    if isinstance(declared, str):
        return _parse_text(declared.strip(), level)
    values = [_value(value) for value in declared]
    return listed_scale(values, {}, level, spelled=", ".join(map(str, declared)))


def _parse_text(text: str, level: Level | None) -> Scale:
    if match := _RANGE.match(text):
        low, high = float(match[1]), float(match[2])
        if low >= high:
            raise OptionError(f"The scale {text!r} must start below its end.")
        return scale_between(low, high, level)
    ordered = "<" in text
    values: list[Value] = []
    labels: dict[Value, str] = {}
    for part in text.split("<" if ordered else ","):
        name, sign, label = part.partition("=")
        values.append(_value(name.strip()))
        if sign:
            labels[values[-1]] = label.strip()
    if ordered:
        level = level or Level.ORDINAL
        numbers = [value for value in values if isinstance(value, float)]
        if len(numbers) == len(values) and numbers != sorted(numbers):
            raise OptionError(f"The scale {text!r} puts numbers in another order than their size.")
    return listed_scale(values, labels, level, spelled=text)


def scale_between(low: float, high: float, level: Level | None = None, *, fractions: bool = False) -> Scale:
    """The scale with these ends; a short one has its whole numbers, on a long one any number between is an answer."""
    guesses: tuple[str, ...] = ()
    if level is None:
        level, words = level_between(low, high, fractions=fractions)
        guesses = (words,)
    whole = low.is_integer() and high.is_integer() and high - low <= 1000
    values = tuple(float(value) for value in range(int(low), int(high) + 1)) if whole and not level.has_distance else ()
    return Scale(level, values, low=low, high=high, declared=True, guesses=guesses)


def listed_scale(values: Sequence[Value], labels: Mapping[Value, str], level: Level | None, *, spelled: str) -> Scale:
    """A scale of these values, of this level or the one that their kind lets one guess."""
    if len(values) < 2 or "" in values:
        raise OptionError(f"The scale {spelled!r} needs at least two values, none of them empty.")
    if len(set(values)) < len(values):
        raise OptionError(f"The scale {spelled!r} names a value twice.")
    numbers = sorted(value for value in values if isinstance(value, float))
    numeric = len(numbers) == len(values)
    guesses: tuple[str, ...] = ()
    if level is None:
        level, words = level_of_listed(numeric)
        guesses = (words,)
    if level.has_distance and not numeric:
        raise OptionError(f"The level {level} needs numbers, but the scale {spelled!r} has labels.")
    ends = (numbers[0], numbers[-1]) if numeric else (None, None)
    ordered = tuple(numbers) if numeric else tuple(values)
    return Scale(level, ordered, labels=labels, low=ends[0], high=ends[1], declared=True, guesses=guesses)


def _value(value: object) -> Value:
    """A number where it is one, else the label."""
    if isinstance(value, set | frozenset):
        return frozenset(str(part) for part in value)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return str(value)
    return number if number - number == 0 else str(value)
