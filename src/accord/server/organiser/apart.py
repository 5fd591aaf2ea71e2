"""How far two raters are apart on what both judged: the map of disagreement, criterion by criterion."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from accord.diagnosis.part import Part
from accord.records import dataclass
from accord.scoring.item_scores import ends_of_scale
from accord.sentences import Sentence, said_of

__all__ = ["MOST_RATERS", "READINGS", "Map", "apart_of", "map_of", "said_of_map"]

MOST_RATERS = 16
"""A map of more raters cannot be read; the pages list the pairs that are furthest apart instead."""
_STEPS = 5
_STEP_OF_POINTS, _STEP_OF_SHARES = 0.1, 0.2
"""A colour of the map stands for so much of the scale, or of the texts: what is little stays pale in every study."""
_STANDS_OUT = 0.5
"""Pairs that differ by less than such a share of a colour are alike, as far as a sentence goes."""

Plain = dict[str, Any]


def apart_of(parts: Mapping[str, Sequence[Part]]) -> list[Plain]:
    """Of each criterion every pair with its mean difference, and on how many texts; scenarios are never mixed.

    Values with an order differ by points, others in a share of the items.
    """
    found = []
    for criterion, own in parts.items():
        points = all(part.ordered and part.ratings.scale.is_numeric for part in own)
        sums: dict[tuple[str, str], list[float]] = {}
        texts: dict[tuple[str, str], set[str]] = {}
        for part in own:
            for (first, second, total, items), here in zip(_summed(part, points), _texts(part, own), strict=True):
                pair = sums.setdefault((first, second), [0.0, 0])
                pair[0] += total
                pair[1] += items
                texts.setdefault((first, second), set()).update(here)
        pairs = [[*pair, total / items, len(texts[pair]) or items] for pair, (total, items) in sorted(sums.items())]
        step = _STEP_OF_POINTS * _span(own) if points else _STEP_OF_SHARES
        found.append({"criterion": criterion, "points": points, "pairs": pairs, "step": step})
    return found


def _texts(part: Part, parts: Sequence[Part]) -> list[list[str]]:
    """The texts that each pair shares, by name: of several versions and rounds the same text counts once."""
    rows, names = part.shared, part.item_names
    if len(parts) == 1:
        return [[] for _ in rows.first]
    return [[names[code] for code in own.tolist()] for own in np.split(part.item[rows.left], rows.starts[1:])][
        : len(rows.first)
    ]


def _span(parts: Sequence[Part]) -> float:
    """From the lowest to the highest answer that may be given; that was given, where no ends are declared."""
    ends = [end for part in parts for end in ends_of_scale(part.ratings)[0]]
    return max(ends) - min(ends)


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

    def cell(first: str, second: str) -> tuple[str, str, str] | None:
        value = pairs.get((first, second))
        if value is None:
            return None
        return first, _told(value, found["points"]), f"d{_colour(value, found)}"

    rows = tuple((name, tuple(cell(before, name) for before in raters[:at])) for at, name in enumerate(raters) if at)
    return Map(tuple(raters[:-1]), rows, said_of_map(found))


def _colour(value: float, found: Plain) -> int:
    """From 1 to 5, by the difference as it is told: the same figure has the same colour."""
    step = found.get("step")
    told = round(value, 2 if not found["points"] else 1 if value < 10 else 0)
    # A tenth of 0.1 is not quite 1 in a computer.
    return 1 + min(_STEPS - 1, int(told / step + 1e-9)) if step else 1


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
    little: float = 0.0
    """Differences between pairs that say nothing."""

    @property
    def values(self) -> list[float]:
        return [value for _, _, value, _ in self.pairs]

    @property
    def are_alike(self) -> bool:
        """Whether no pair of several is further apart than the others, as far as anybody could say."""
        return len(self.pairs) > 1 and max(self.values) - min(self.values) < self.little

    def range_of(self, values: Sequence[float]) -> str:
        """``0.9`` or ``0.9–1.4``, as they are told."""
        return "–".join(dict.fromkeys((self.told(min(values)), self.told(max(values)))))

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


def _loner(pairs: Sequence[tuple[str, str, float, int]], little: float) -> str:
    names = {name for first, second, *_ in pairs for name in (first, second)}
    for name in sorted(names):
        own = [value for first, second, value, _ in pairs if name in (first, second)]
        others = [value for first, second, value, _ in pairs if name not in (first, second)]
        if len(own) > 1 and others and min(own) - max(others) > little:
            return name
    return ""


def _loner_words(seen: Spread) -> str:
    if seen.points:
        return _("{name} is {range} points from everyone; all other pairs differ by {rest} or less.")
    return _("{name} is {range} of the texts from everyone; all other pairs differ by {rest} or less.")


# A table should look like one.
# fmt: off
READINGS: tuple[Sentence[Spread], ...] = (
    Sentence("nobody", lambda seen: not seen.pairs, lambda seen: _("No two raters share a text yet.")),
    Sentence("loner", lambda seen: bool(seen.loner),
             lambda seen: _loner_words(seen).format(
                 name=seen.loner, range=seen.range_of(seen.of(seen.loner, inside=True)),
                 rest=seen.told(max(seen.of(seen.loner, inside=False))))),
    Sentence("alike_points", lambda seen: seen.are_alike and not seen.loner and seen.points,
             lambda seen: _("No pair of raters stands out: all differ by about {range} points on average.").format(
                 range=seen.range_of(seen.values))),
    Sentence("alike_share", lambda seen: seen.are_alike and not seen.loner and not seen.points,
             lambda seen: _("No pair of raters stands out: all differ on about {range} of the texts.").format(
                 range=seen.range_of(seen.values))),
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
    little = _STANDS_OUT * (found.get("step") or 0.0)
    return said_of(READINGS, Spread(found["points"], pairs, _loner(pairs, little), little))
