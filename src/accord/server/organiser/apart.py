"""How far two raters are apart on what both judged: the map of disagreement, criterion by criterion."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from accord.arrays import Floats, distinct
from accord.diagnosis.measured_later import round_and_rest
from accord.diagnosis.part import Indices, Part
from accord.noise import first_of
from accord.records import dataclass
from accord.scoring.item_scores import ends_of_scale
from accord.sentences import Sentence, said_of
from accord.words import steady

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

    Values with an order differ by points, others in a share of the items. Of a text that two raters judged again after
    a round, what they said last counts.
    """
    found = []
    for criterion, own in parts.items():
        points = all(part.ordered and part.ratings.scale.is_numeric for part in own)
        raters = {name: place for place, name in enumerate(sorted({name for part in own for name in part.rater_names}))}
        every = _gaps(own, points, raters)
        newest = every.newest() if len(own) > 1 else every
        step = _STEP_OF_POINTS * _span(own) if points else _STEP_OF_SHARES
        pairs, again = newest.told(list(raters)), len(newest.gap) < len(every.gap)
        found.append({"criterion": criterion, "points": points, "pairs": pairs, "step": step, "again": again})
    return found


@dataclass(frozen=True, slots=True)
class _Gaps:
    """How far two raters are apart, once for each pair, text and part that they share."""

    pair: Indices
    """The places of both in the alphabet, as one number."""
    text: Indices
    rest: Indices
    """Which criterion and scenario: a text may be judged in several."""
    turn: Indices
    gap: Floats

    def newest(self) -> "_Gaps":
        """Of what a pair judged in several rounds the last one."""
        order = np.lexsort((self.turn, self.rest, self.text, self.pair))
        same = [np.diff(one[order]) == 0 for one in (self.pair, self.text, self.rest)]
        last = np.ones(len(order), dtype=bool)
        last[:-1] = ~np.logical_and.reduce(same)
        kept = order[last]
        return _Gaps(self.pair[kept], self.text[kept], self.rest[kept], self.turn[kept], self.gap[kept])

    def told(self, raters: Sequence[str]) -> list[list[str | float | int]]:
        """Each pair by name, its mean difference, and on how many texts."""
        pairs, place = np.unique(self.pair, return_inverse=True)
        means = np.bincount(place, self.gap, len(pairs)) / np.maximum(np.bincount(place, minlength=len(pairs)), 1)
        most = int(self.text.max(initial=0)) + 1
        texts = np.bincount(distinct(place.astype(np.int64) * most + self.text) // most, minlength=len(pairs))
        names = ([raters[end] for end in divmod(pair, len(raters))] for pair in pairs.tolist())
        return [[*both, *rest] for both, *rest in zip(names, means.tolist(), texts.tolist(), strict=True)]


def _gaps(parts: Sequence[Part], points: bool, raters: Mapping[str, int]) -> _Gaps:
    texts: dict[str, int] = {}
    rests: dict[object, int] = {}
    found = []
    for part in parts:
        rows, (turn, rest) = part.shared, round_and_rest(part)
        ends = np.array([[raters[part.name(int(code))] for code in own] for own in (rows.first, rows.second)], np.int64)
        pair = np.repeat(
            ends.min(axis=0) * len(raters) + ends.max(axis=0), np.diff(np.append(rows.starts, len(rows.left)))
        )
        named = np.array([texts.setdefault(name, len(texts)) for name in part.item_names], np.int64)
        given = part.score if points else part.code
        gap = np.abs(given[rows.left] - given[rows.right]).astype(float)
        same = [np.full(len(gap), one, np.int64) for one in (rests.setdefault(rest, len(rests)), turn)]
        found.append((pair, named[part.item[rows.left]], *same, gap if points else np.minimum(gap, 1.0)))
    return _Gaps(*(np.concatenate(one) for one in zip(*found, strict=True)))


def _span(parts: Sequence[Part]) -> float:
    """From the lowest to the highest answer that may be given; that was given, where no ends are declared."""
    ends = [end for part in parts for end in ends_of_scale(part.ratings)[0]]
    return max(ends) - min(ends)


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
        return first, _distance_in_words(value, found["points"]), f"d{_colour(value, found)}"

    rows = tuple((name, tuple(cell(before, name) for before in raters[:at])) for at, name in enumerate(raters) if at)
    return Map(tuple(raters[:-1]), rows, said_of_map(found))


def _colour(value: float, found: Plain) -> int:
    """From 1 to 5, by the difference as it is told: the same figure has the same colour."""
    step = found.get("step")
    told = round(value, 2 if not found["points"] else 1 if value < 10 else 0)
    # A tenth of 0.1 is not quite 1 in a computer.
    return 1 + min(_STEPS - 1, int(told / step + 1e-9)) if step else 1


def _distance_in_words(value: float, points: bool) -> str:
    if not points:
        return f"{steady(value):.0%}"
    return f"{steady(value):.0f}" if value >= 10 else f"{steady(value):.1f}"


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
        return _distance_in_words(value, self.points)

    @property
    def furthest(self) -> tuple[str, str, float, int]:
        return first_of(self.pairs, lambda pair: pair[2], highest=True)

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
