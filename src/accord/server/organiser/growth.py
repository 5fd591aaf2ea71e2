"""How agreement has grown: the number each criterion is known by, as the answers given by then would have it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from math import isnan
from typing import Any

from accord.errors import AccordError
from accord.ratings.collected import collected_ratings
from accord.ratings.table import Ratings
from accord.reliability.result import GroupReliability
from accord.reliability.run import agreement
from accord.server.collected_rows import codebook_now, fetch_rows
from accord.server.models import Judgement, RaterKind
from accord.server.organiser.ratings import MANY, Collected, people_only
from accord.server.study import PRACTICE, current

__all__ = ["charted", "growth_of"]

_STEPS, _STEPS_OF_MANY = 8, 4
"""Points of a course: the last is the state itself, the others are computed again from what was there by then."""

Plain = dict[str, Any]


def charted(groups: Sequence[Plain]) -> list[Plain]:
    """The groups that stand for a criterion: what combines its parts, or else each part."""
    combined = {group["criterion"] for group in groups if group.get("combined")}
    return [group for group in groups if group.get("combined") or group["criterion"] not in combined]


def growth_of(collected: Collected, groups: Sequence[Plain], *, seed: int = 0) -> Plain:
    """The course of each charted group, oldest point first, and how many answers came before each new guideline."""
    moments = _moments()
    if not moments:
        return {"courses": [], "versions": [], "answers": 0}
    shown = charted(groups)
    courses: list[list[Plain]] = [[] for _ in shown]
    for answers, moment in _cuts(moments):
        found = _as_of(collected, moment, shown, seed)
        for course, group in zip(courses, shown, strict=True):
            if point := found.get(_key(group["criterion"], group["by"], group.get("combined", ()))):
                course.append({"answers": answers, "at": moment.isoformat(), **point})
    for course, group in zip(courses, shown, strict=True):
        if main := group["main"]:
            last = {"answers": len(moments), "at": moments[-1][0].isoformat()}
            course.append({**last, **{name: main[name] for name in ("value", "low", "high")}})
    return {
        "courses": [{"title": group["title"], "points": course} for group, course in zip(shown, courses, strict=True)],
        "versions": _versions(moments), "answers": len(moments),
        "first": moments[0][0].isoformat(), "last": moments[-1][0].isoformat(),
    }  # fmt: skip


def _moments() -> list[tuple[datetime, int]]:
    """When people gave each answer for the first time, and under which guideline version."""
    rows = Judgement.objects.filter(revision=1, task__rater__kind=RaterKind.HUMAN).exclude(task__role=PRACTICE)
    return list(rows.order_by("made_at", "id").values_list("made_at", "guideline__number"))


def _cuts(moments: Sequence[tuple[datetime, int]]) -> list[tuple[int, datetime]]:
    """After so many answers, at this moment: even shares of the answers, the last one aside."""
    steps = _STEPS if len(moments) <= MANY else _STEPS_OF_MANY
    places = sorted({len(moments) * step // steps for step in range(1, steps)} - {0})
    return [(place, moments[place - 1][0]) for place in places]


def _versions(moments: Sequence[tuple[datetime, int]]) -> list[Plain]:
    """How many answers there were when the first one under each later version came."""
    first: dict[int, int] = {}
    for place, (_, version) in enumerate(moments):
        first.setdefault(version, place)
    return [{"version": version, "answers": place} for version, place in sorted(first.items())[1:]]


def _key(criterion: str, by: Any, combined: Iterable[str]) -> tuple[Any, ...]:
    return criterion, tuple(sorted((k, v) for k, v in by.items() if k != "criterion")), tuple(combined)


def _as_of(now: Collected, moment: datetime, shown: Sequence[Plain], seed: int) -> dict[tuple[Any, ...], Plain]:
    """Each group's number from the answers of that moment, by those who count today."""
    study = current()
    everything = collected_ratings(study.study, fetch_rows(until=moment), codebook_now(study))
    people = None if everything is None else people_only(everything)
    ratings = Collected("", 0, people).analysed([one.rater for one in now.left_out])
    if ratings is None:
        return {}
    keys = {group["criterion"]: group["main"]["coefficient"] for group in shown if group["main"]}
    found: dict[tuple[Any, ...], Plain] = {}
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
                found[_key(name, group.by, group.combined)] = point
    return found


def _groups(ratings: Ratings, key: str, seed: int) -> Sequence[GroupReliability]:
    if not key:
        return ()
    try:
        return agreement(replace(ratings, known_as=ratings.fingerprint), coefficients=[key], seed=seed).groups
    except AccordError:
        return ()
