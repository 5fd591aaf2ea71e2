"""From the database to Ratings: one query, the judgement that counts for each question, one table a criterion."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.db import connection
from django.db.models import Max

from accord.design.scale import Scale
from accord.design.study import CriterionSettings
from accord.errors import RatingsError
from accord.ratings.build import build_ratings
from accord.ratings.table import Ratings
from accord.server.export import system_names
from accord.server.models import Judgement, Rater, Task
from accord.server.models_organiser import Again, Decision
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.values import rated_value

__all__ = ["CONTROL_ROLES", "Collected", "collect", "collect_pair", "excluded_raters", "state_of_judgements"]

CONTROL_ROLES = frozenset({"degraded", "attention", "reference", "repeat"})
"""Copies that check the raters; they are no items of the study, so no agreement is computed on them."""

_SUFFIX = {"degraded": "#bad", "reference": "#ref", "attention": "#attention"}
_COLUMNS = (
    "item", "rater", "value", "system", "document", "scenario", "condition", "group", "phase", "occasion", "role",
    "batch", "guideline", "round", "time_s", "order",
)  # fmt: skip
_OF_RATERS = """
JOIN server_task t ON t.id = j.task_id JOIN server_rater r ON r.id = t.rater_id
WHERE j.criterion = %s AND r.pseudonym IN (%s, %s)
"""
_NEWEST = """
SELECT task_id, criterion, place, value, seconds, guideline, judgement FROM (
  SELECT j.task_id, j.criterion, j.place, j.value, g.number AS guideline, j.id AS judgement,
         SUM(j.seconds) OVER (PARTITION BY j.task_id, j.criterion, j.place) AS seconds,
         ROW_NUMBER() OVER (PARTITION BY j.task_id, j.criterion, j.place ORDER BY j.revision DESC, j.id DESC) AS newest
  FROM server_judgement j JOIN server_guidelineversion g ON g.id = j.guideline_id {only}
) AS ranked WHERE newest = 1 ORDER BY task_id, judgement
"""


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything collected so far, criterion by criterion, in the columns of the ratings table and two more.

    ``guideline`` is the version a rating was made under, ``round`` the turn of refinement it belongs to.
    """

    state: str
    judgements: int
    criteria: Mapping[str, Ratings]

    def analysed(self, leave_out: Iterable[str] = ()) -> dict[str, Ratings]:
        """Without control items and without these raters; a criterion without ratings is left out."""
        names = frozenset(leave_out)
        kept = {key: _ordinary(ratings, names) for key, ratings in self.criteria.items()}
        return {key: ratings for key, ratings in kept.items() if ratings is not None}

    @property
    def fingerprint(self) -> str:
        parts = [f"{key}:{ratings.fingerprint}" for key, ratings in sorted(self.criteria.items())]
        return sha256("|".join(parts).encode()).hexdigest()[:16]


def _ordinary(ratings: Ratings, names: frozenset[str]) -> Ratings | None:
    import numpy as np

    rows = np.ones(len(ratings), dtype=bool)
    roles = ratings.columns.get("role")
    if roles is not None:
        rows &= ~np.isin(roles.codes, [code for code, name in enumerate(roles.names) if name in CONTROL_ROLES])
    rows &= ~np.isin(ratings.rater.codes, [code for code, name in enumerate(ratings.rater.names) if name in names])
    return ratings.where(rows) if rows.any() else None


def state_of_judgements() -> str:
    """What names this state: judgements are only added, so the last one says it all, with what was decided."""
    last = Judgement.objects.aggregate(last=Max("id"))["last"] or 0
    parts = [current().study.fingerprint, str(last), *sorted(excluded_raters()), str(Again.objects.count())]
    return sha256("|".join(parts).encode()).hexdigest()[:32]


def excluded_raters() -> dict[str, Decision]:
    """Raters whose ratings are left out of every analysis, with the decision that did it."""
    last: dict[str, Decision] = {}
    asked = Decision.objects.filter(action__in=[Decision.Action.EXCLUDE, Decision.Action.INCLUDE])
    for decision in asked.select_related("rater"):
        last[decision.rater.pseudonym] = decision
    return {name: one for name, one in last.items() if one.action == Decision.Action.EXCLUDE}


def collect() -> Collected:
    """All ratings as they are now; kept until something changes."""
    return _collected(state_of_judgements())


def collect_pair(criterion: str, first: str, second: str) -> Ratings | None:
    """What two raters said on one criterion, control items aside: quick, however much the others said."""
    rows = _read(_OF_RATERS, [criterion, first, second], (first, second))[criterion]
    ratings = _ratings(current().criteria[criterion], rows) if rows else None
    return _ordinary(ratings, frozenset()) if ratings is not None else None


@lru_cache(maxsize=2)
def _collected(state: str) -> Collected:
    study, rows = current(), _read()
    made = {key: _ratings(study.criteria[key], rows[key]) for key in study.criteria if rows.get(key)}
    known = {key: ratings for key, ratings in made.items() if ratings is not None}
    return Collected(state, Judgement.objects.count(), known)


def _read(
    only: str = "", values: Sequence[str] = (), raters: Sequence[str] = ()
) -> Mapping[str, list[tuple[Any, ...]]]:
    """Rows of the ratings table by criterion, of everybody or of some."""
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    reader = _Reader(current(), raters)
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST.format(only=only), values or None)
        while chunk := cursor.fetchmany(20_000):
            for row in chunk:
                rows[row[1]].extend(reader.rated(row))
    return rows


def _ratings(criterion: CriterionSettings, rows: Sequence[tuple[Any, ...]]) -> Ratings | None:
    columns = {name: list(cells) for name, cells in zip(_COLUMNS, zip(*rows, strict=True), strict=True)}
    scale: Scale | None = criterion.scale() if criterion.kind in ("scale", "slider") else None
    try:
        return build_ratings(
            columns, level=criterion.measured, scale=scale, missing=("",), duplicates="last", source="the server",
            separator="|" if criterion.kind == "categories" and criterion.several else None,
        )  # fmt: skip
    except RatingsError:
        # Nobody has given this criterion a value yet.
        if all(value == "" for value in columns["value"]):
            return None
        raise


class _Reader:
    """Turns rows of the query into rows of the ratings table; tasks are read once."""

    def __init__(self, study: LoadedStudy, raters: Sequence[str] = ()) -> None:
        self.study = study
        self.names = system_names(study)
        self.raters = {key: (name, group) for key, name, group in Rater.objects.values_list("id", "pseudonym", "group")}
        self.rounds = dict(Again.objects.exclude(round=None).values_list("task", "round__number"))
        self.replaced = _replaced()
        fields = ("id", "rater_id", "item", "document", "scenario", "condition", "phase", "occasion", "role", "batch",
                  "order", "systems", "altered", "texts")  # fmt: skip
        tasks = Task.objects.exclude(role=PRACTICE).order_by().values_list(*fields)
        if raters:
            tasks = tasks.filter(rater__pseudonym__in=raters)
        self.tasks = {row[0]: row[1:] for row in tasks.iterator(chunk_size=20_000) if row[0] not in self.replaced}

    def rated(self, row: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        task_id, key, place, raw, seconds, guideline, _ = row
        task = self.tasks.get(task_id)
        if task is None or raw is None:
            return []
        value = json.loads(raw) if isinstance(raw, str) else raw
        if value is None:
            return []
        rater, item, document, scenario, condition, phase, occasion, role, batch, order, systems, altered, texts = task
        shown = [self.names.get(system, system) for system in systems]
        number = self.rounds.get(task_id, 0) + 1
        name, group = self.raters[rater]
        rest = (document, scenario, condition, group, phase, occasion)
        end = (batch, guideline, number, seconds, order)
        suffix = _SUFFIX.get(role, "")
        base = item or document
        if self.study.criteria[key].kind == "ranking":
            return [
                (f"{base}:{shown[at]}{suffix}", name, rank, shown[at], *rest, role, *end)
                for at, rank in enumerate(value)
            ]
        if place is None or not shown:
            title, system = self._compared(base, shown) + suffix, ""
        else:
            title, system = f"{base}:{shown[place]}{suffix}", shown[place]
            if altered and systems[place] != altered:
                role = "system"
        criterion = self.study.criteria[key]
        original = self._text(item, systems, texts, place or 0) if criterion.kind == "post_edit" else ""
        cell = value if criterion.kind in ("scale", "slider") else rated_value(criterion, value, shown, original)
        return [(title, name, cell, system, *rest, role, *end)]

    def _compared(self, base: str, shown: Sequence[str]) -> str:
        return base if len(shown) in (0, len(self.study.study.systems)) else f"{base}:{'~'.join(sorted(shown))}"

    def _text(self, item: str, systems: Sequence[str], texts: Sequence[str], place: int) -> str:
        """The text a rater was given to edit."""
        if texts:
            return texts[place]
        known = self.study.study.item_by_id.get(item)
        return known.outputs.get(systems[place], "") if known and systems else ""


def _replaced() -> set[int]:
    """Tasks whose rater was asked to redo them and has begun the new one."""
    begun = Again.objects.filter(round=None, task__judgements__isnull=False)
    return set(begun.values_list("original", flat=True))
