"""The texts to look at next: where raters are furthest apart, a few of each criterion in turn."""

from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from accord.diagnosis.part import Part
from accord.quantiles import median_of
from accord.records import dataclass
from accord.sentences import Sentence, said_of
from accord.words import spelled

__all__ = ["SPREADS", "Opinions", "next_items", "spread_of", "still_disputed"]

_MOST = 5
_ODD = 0.4
"""Whoever is further than this share of the scale from the middle of all others is drawn as the odd one out."""

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Opinions:
    """What raters said of one item, in words, and where it stands on the scale from 0 to 1 (None without order)."""

    raters: Sequence[str]
    values: Sequence[str]
    places: Sequence[float] | None

    @property
    def odd(self) -> str:
        """The one rater who is far from all others, if there is one."""
        if self.places is None or len(self.places) < 3:
            return ""
        far = []
        for at, place in enumerate(self.places):
            others = [other for one, other in enumerate(self.places) if one != at]
            if abs(place - median_of(others)) > _ODD and max(others) - min(others) < _ODD:
                far.append(self.raters[at])
        return far[0] if len(far) == 1 else ""

    def of(self, rater: str) -> str:
        return self.values[list(self.raters).index(rater)]

    def ends(self, without: str = "") -> tuple[str, str]:
        places = self.places or ()
        kept = [at for at, name in enumerate(self.raters) if name != without]
        return (
            self.values[min(kept, key=lambda at: places[at])],
            self.values[max(kept, key=lambda at: places[at])],
        )

    def counted(self) -> str:
        counts: dict[str, int] = {}
        for value in self.values:
            counts[value] = counts.get(value, 0) + 1
        return ", ".join(f"{count} × {value}" for value, count in sorted(counts.items(), key=lambda one: -one[1]))


def _others(seen: Opinions) -> str:
    low, high = seen.ends(seen.odd)
    return low if low == high else _("{first} to {last}").format(first=low, last=high)


def _who(seen: Opinions, value: str) -> str:
    return ", ".join([name for name, said in zip(seen.raters, seen.values, strict=True) if said == value][:3])


# A table should look like one.
# fmt: off
SPREADS: tuple[Sentence[Opinions], ...] = (
    Sentence("odd", lambda seen: bool(seen.odd),
             lambda seen: _("{name} gave {value}, the others {others}.").format(
                 name=seen.odd, value=seen.of(seen.odd), others=_others(seen))),
    Sentence("spread", lambda seen: seen.places is not None and not seen.odd,
             lambda seen: _("From {low} ({lowest}) to {high} ({highest}).").format(
                 low=seen.ends()[0], lowest=_who(seen, seen.ends()[0]),
                 high=seen.ends()[1], highest=_who(seen, seen.ends()[1]))),
    Sentence("labels", lambda seen: seen.places is None, lambda seen: f"{seen.counted()}."),
)
# fmt: on


def spread_of(one: Mapping[str, Any]) -> str:
    """How far apart the answers to a chosen item are, in the language of whoever reads it now."""
    return said_of(SPREADS, Opinions(one["raters"], one["values"], one["places"]))


def still_disputed(group: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The disputed items of a group without those that were measured again after a later round."""
    later = set(group.get("later", ()))
    return [one for one in group["disputed"] if one["item"] not in later]


def next_items(groups: Sequence[tuple[Plain, Part]]) -> list[Plain]:
    """At most five items, the most disputed of each criterion in turn."""
    by_criterion: dict[str, list[tuple[float, str, Plain, Part]]] = {}
    for group, part in groups:
        own = by_criterion.setdefault(group["criterion"], [])
        for one in still_disputed(group)[: _MOST**2]:
            own.append((_share(one, part), one["item"], group, part))
    for own in by_criterion.values():
        own.sort(key=lambda one: (-one[0], one[1]))
    chosen: dict[str, Plain] = {}
    waiting = [iter(own) for own in by_criterion.values()]
    while waiting and len(chosen) < _MOST:
        rest = waiting.pop(0)
        found = next((one for one in rest if one[1] not in chosen), None)
        if found is not None:
            _, name, group, part = found
            chosen[name] = _item_with_answers(name, group, part)
            waiting.append(rest)
    return list(chosen.values())


def _share(one: Mapping[str, Any], part: Part) -> float:
    """How far apart, from 0 to 1: the share of the scale, or of the entropy that so many ratings can have."""
    if one["apart"] is not None and part.ordered and part.width > 0:
        return float(one["apart"]) / part.width
    return float(one["entropy"]) / max(1.0, log2(one["ratings"]))


def _item_with_answers(name: str, group: Plain, part: Part) -> Plain:
    rows = np.flatnonzero(part.item == part.item_names.index(name))
    values = [spelled(part.ratings.scale.values[int(part.code[row])]) for row in rows]
    raters = [part.name(int(part.rater[row])) for row in rows]
    places = _places(part, rows)
    seen = Opinions(raters, values, places)
    return {
        "item": name,
        "criterion": group["criterion"],
        "scenario": group["by"].get("scenario", ""),
        "raters": raters,
        "values": values,
        "places": places,
        "odd": seen.odd,
        "words": said_of(SPREADS, seen),
    }


def _places(part: Part, rows: Any) -> list[float] | None:
    if not part.ordered or not part.ratings.scale.is_numeric or part.width <= 0:
        return None
    scale = part.ratings.scale
    low = float(scale.array.min() if scale.low is None else scale.low)
    return [round((float(part.score[row]) - low) / part.width, 4) for row in rows]
