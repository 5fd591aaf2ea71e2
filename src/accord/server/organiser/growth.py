"""How agreement has grown: the number each criterion is known by, as the answers given by then would have it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import AccordError
from accord.ratings.codebook import LeftOut
from accord.ratings.collected import collected_history
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.result import GroupReliability
from accord.reliability.run import charted_agreement
from accord.server.collected_rows import Moments, codebook_now
from accord.server.organiser.ratings import MANY, Collected, Past, people_only
from accord.server.organiser.which_part import charted, match, part_of
from accord.server.study import current

__all__ = ["growth_of"]

_STEPS, _STEPS_OF_MANY = 8, 4
"""Points of a course: the last is the state itself, the others are computed again from what was there by then."""

_REPLICATES = 1_000
"""An end in a chart is told to a pixel: as many replicates as tell it to a tenth of the interval's half."""
Plain = dict[str, Any]


def growth_of(
    collected: Collected, past: Past, groups: Sequence[Plain], given: Moments, versions: NDArray[np.int64], *,
    seed: int = 0,
) -> Plain:  # fmt: skip
    """The course of each charted group, oldest point first, and how many answers came before each new guideline."""
    if not len(given):
        return {"courses": [], "versions": [], "answers": 0}
    shown = charted(groups)
    courses: list[list[Plain]] = [[] for _ in shown]
    whole = _Whole.of(collected, past)
    for answers, moment in _cuts(given):
        found = _numbers(whole.as_of(moment), shown, seed)
        for course, group in zip(courses, shown, strict=True):
            if one := match(group, found):
                course.append({"answers": answers, "at": _spelled(moment), **one["point"]})
    for course, group in zip(courses, shown, strict=True):
        if main := group["main"]:
            last = {"answers": len(given), "at": _spelled(given[-1])}
            course.append({**last, **{name: main[name] for name in ("value", "low", "high")}})
    return {
        "courses": [{"title": group["title"], "points": course} for group, course in zip(shown, courses, strict=True)],
        "versions": _versions(versions), "answers": len(given),
        "first": _spelled(given[0]), "last": _spelled(given[-1]),
    }  # fmt: skip


def _spelled(moment: np.datetime64) -> str:
    at: datetime = moment.astype(object)
    return at.replace(tzinfo=UTC).isoformat()


def _cuts(given: Moments) -> list[tuple[int, np.datetime64]]:
    """After so many answers, at this moment: even shares of the answers, the last one aside."""
    steps = _STEPS if len(given) <= MANY else _STEPS_OF_MANY
    places = sorted({len(given) * step // steps for step in range(1, steps)} - {0})
    return [(place, given[place - 1]) for place in places]


def _versions(numbers: NDArray[np.int64]) -> list[Plain]:
    """How many answers there were when the first one under each later version came."""
    versions, first = np.unique(numbers, return_index=True)
    return [{"version": int(version), "answers": int(place)} for version, place in zip(versions, first, strict=True)][
        1:
    ]


@dataclass(frozen=True)
class _Whole:
    """Every answer that people ever gave, by those who count today, built once; each with the time that it stood."""

    ratings: Ratings | None
    made: Moments
    corrected: Moments
    left_out: tuple[LeftOut, ...]

    @classmethod
    def of(cls, now: Collected, past: Past) -> "_Whole":
        found = collected_history(past.bridge, codebook_now(current()))
        if found is None:
            return cls(None, past.made[:0], past.made[:0], ())
        ratings, judgement = found
        # Texts and quantities, which no number here asks for, would be carried along to every part of every moment.
        kept = {"criterion", "document", "role", "kind", "occasion", *ratings.codebook.kept_apart}
        asked = {name: factor for name, factor in ratings.columns.items() if name in kept}
        ratings = replace(ratings, columns=asked, numbers={})
        left_out = tuple({one.rater: LeftOut(rater=one.rater) for one in now.left_out}.values())
        return cls(ratings, past.made[judgement], past.corrected[judgement], left_out)

    def as_of(self, moment: np.datetime64) -> Ratings | None:
        """The ratings of people that stood at that moment; None where there were none."""
        if self.ratings is None:
            return None
        stood = (self.made <= moment) & (moment < self.corrected)
        people = people_only(self.ratings.where(stood)) if stood.any() else None
        return Collected("", 0, people).analysed([one.rater for one in self.left_out])


def _numbers(ratings: Ratings | None, shown: Sequence[Plain], seed: int) -> list[Plain]:
    """Each group's number from these ratings, and of what it is: there may have been one version only by then."""
    found: list[Plain] = []
    if ratings is None:
        return found
    keys = {group["criterion"]: group["main"]["coefficient"] for group in shown if group["main"]}
    for criterion in ratings.split():
        name = next(iter(criterion.ratings.codebook.criteria))
        for group in _groups(criterion.ratings, keys.get(name, ""), seed):
            estimate = next(iter(group.estimates), None)
            if estimate is not None and not isnan(estimate.value):
                ends = estimate.interval
                point = {
                    "value": estimate.value,
                    "low": ends.low if ends else None,
                    "high": ends.high if ends else None,
                }
                of = part_of(criterion.ratings, group.by)
                found.append({"criterion": name, "of": of, "combined": group.combined, "point": point})
    return found


def _groups(ratings: Ratings, key: str, seed: int) -> Sequence[GroupReliability]:
    if not key:
        return ()
    known = replace(ratings, known_as="a moment of the past")  # whose fingerprint nobody is shown
    try:
        return charted_agreement(known, key, replicates=_REPLICATES, seed=seed)
    except AccordError:
        return ()
