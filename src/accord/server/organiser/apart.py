"""How far two raters are apart on what both judged: the map of disagreement, criterion by criterion."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from accord.diagnosis.part import Part
from accord.records import dataclass
from accord.sentences import Sentence, said_of

__all__ = ["MOST_RATERS", "READINGS", "Map", "apart_of", "map_of", "said_of_map"]

MOST_RATERS = 16
"""A map of more raters cannot be read; the pages list the pairs that are furthest apart instead."""
_STEPS = 5

Plain = dict[str, Any]


def apart_of(parts: Mapping[str, Sequence[Part]]) -> list[Plain]:
    """Of each criterion every pair with its mean difference, and on how many items; scenarios are never mixed.

    Values with an order differ by points, others in a share of the items.
    """
    found = []
    for criterion, own in parts.items():
        points = all(part.ordered and part.ratings.scale.is_numeric for part in own)
        sums: dict[tuple[str, str], list[float]] = {}
        for part in own:
            for first, second, total, items in _summed(part, points):
                pair = sums.setdefault((first, second), [0.0, 0])
                pair[0] += total
                pair[1] += items
        pairs = [[first, second, total / items, items] for (first, second), (total, items) in sorted(sums.items())]
        found.append({"criterion": criterion, "points": points, "pairs": pairs})
    return found


def _summed(part: Part, points: bool) -> list[tuple[str, str, float, int]]:
    """The sum of differences of each pair, and its items; names in alphabetical order."""
    rows = part.shared
    if not len(rows.first):
        return []
    given = part.score if points else part.code
    gaps = np.abs(given[rows.left] - given[rows.right]).astype(float)
    sums = np.add.reduceat(gaps if points else np.minimum(gaps, 1.0), rows.starts)
    sizes = np.diff(np.append(rows.starts, len(rows.left)))
    names = [sorted((part.name(int(a)), part.name(int(b)))) for a, b in zip(rows.first, rows.second, strict=True)]
    return [(a, b, float(total), int(size)) for (a, b), total, size in zip(names, sums, sizes, strict=True)]


@dataclass(frozen=True, slots=True)
class Map:
    """The lower triangle of raters by raters; a cell has the difference in words and a step from 1 to 5."""

    raters: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str, str] | None, ...]], ...]
    """The rater of a row, and for each one before it: name, difference and step; None where the two share nothing."""
    words: str


def map_of(found: Plain) -> Map | None:
    """The map as the page draws it; None where there is no pair, or too many raters for a map."""
    pairs = {(first, second): value for first, second, value, _ in found["pairs"]}
    raters = sorted({name for pair in pairs for name in pair})
    if not raters or len(raters) > MOST_RATERS:
        return None
    low, high = min(pairs.values()), max(pairs.values())

    def cell(first: str, second: str) -> tuple[str, str, str] | None:
        value = pairs.get((first, second))
        if value is None:
            return None
        step = 1 + int((_STEPS - 1) * (value - low) / (high - low) + 0.5) if high > low else 1
        return first, _told(value, found["points"]), f"d{step}"

    rows = tuple((name, tuple(cell(before, name) for before in raters[:at])) for at, name in enumerate(raters) if at)
    return Map(tuple(raters[:-1]), rows, said_of_map(found))


def _told(value: float, points: bool) -> str:
    if not points:
        return f"{value:.0%}"
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


@dataclass(frozen=True, slots=True)
class Spread:
    """Pairs of raters by how far they are apart; ``loner`` is further from everybody than any others are apart."""

    points: bool
    pairs: Sequence[tuple[str, str, float, int]]
    loner: str

    def of(self, name: str, *, inside: bool) -> list[float]:
        return [value for first, second, value, _ in self.pairs if (name in (first, second)) is inside]

    def told(self, value: float) -> str:
        return _told(value, self.points)

    @property
    def furthest(self) -> tuple[str, str, float, int]:
        return max(self.pairs, key=lambda pair: pair[2])

    @property
    def furthest_words(self) -> dict[str, str]:
        first, second, value, items = self.furthest
        return {"first": first, "second": second, "value": self.told(value), "n": f"{items:,}"}


def _loner(pairs: Sequence[tuple[str, str, float, int]]) -> str:
    names = {name for first, second, *_ in pairs for name in (first, second)}
    for name in sorted(names):
        own = [value for first, second, value, _ in pairs if name in (first, second)]
        others = [value for first, second, value, _ in pairs if name not in (first, second)]
        if len(own) > 1 and others and min(own) > max(others):
            return name
    return ""


def _loner_words(seen: Spread) -> str:
    if seen.points:
        return _("{name} is {low} to {high} points from everyone; all other pairs differ by {rest} or less.")
    return _("{name} is {low} to {high} of the texts from everyone; all other pairs differ by {rest} or less.")


# A table should look like one.
# fmt: off
READINGS: tuple[Sentence[Spread], ...] = (
    Sentence("nobody", lambda seen: not seen.pairs, lambda seen: _("No two raters share a text yet.")),
    Sentence("loner", lambda seen: bool(seen.loner),
             lambda seen: _loner_words(seen).format(
                 name=seen.loner, low=seen.told(min(seen.of(seen.loner, inside=True))),
                 high=seen.told(max(seen.of(seen.loner, inside=True))),
                 rest=seen.told(max(seen.of(seen.loner, inside=False))))),
    Sentence("furthest_points", lambda seen: bool(seen.pairs) and not seen.loner and seen.points,
             lambda seen: _("Furthest apart: {first} and {second}, {value} points on average over {n} texts.").format(
                 **seen.furthest_words)),
    Sentence("furthest_share", lambda seen: bool(seen.pairs) and not seen.loner and not seen.points,
             lambda seen: _("Furthest apart: {first} and {second}, who differ on {value} of {n} texts.").format(
                 **seen.furthest_words)),
)
# fmt: on


def said_of_map(found: Plain) -> str:
    """What the map shows, in a sentence."""
    pairs = [(str(a), str(b), float(value), int(items)) for a, b, value, items in found["pairs"]]
    return said_of(READINGS, Spread(found["points"], pairs, _loner(pairs)))
