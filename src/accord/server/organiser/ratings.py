"""The ratings of the study as they are now, kept until something changes; the bridge makes them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray

from accord.ratings.codebook import Codebook, LeftOut
from accord.ratings.collected import Bridge, CollectedRows, collected_ratings, history_bridge
from accord.ratings.leaving_out import with_exclusions
from accord.ratings.named_in_texts import A_SYSTEM, coded_texts
from accord.ratings.questionnaire import QUESTIONNAIRE_COLUMNS, answers_of
from accord.ratings.roles import ordinary
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.server.collected_rows import (
    Moments,
    as_left_out,
    codebook_now,
    decided_raters,
    excluded_raters,
    fetch_history,
    fetch_rows,
)
from accord.server.export import questionnaire_rows
from accord.server.models import Judgement, Rater
from accord.server.models_organiser import Again, PhaseEvent, Snapshot, StudyEvent
from accord.server.one_moment import one_moment
from accord.server.organiser.who_counts import has_rules, who_counts
from accord.server.serving import study_folder
from accord.server.study import current

__all__ = [
    "MANY",
    "READ_AT_ONCE",
    "Collected",
    "Past",
    "all_ratings",
    "collect",
    "collect_named",
    "collect_pair",
    "collect_with_past",
    "excluded_raters",
    "hidden_names",
    "left_out_lately",
    "left_out_now",
    "people_only",
    "questionnaire_answers",
    "state_of_judgements",
    "whole_codebook",
]


MANY = 50_000
"""From so many judgements on a page shows what was computed beside it, not what it reads itself."""

READ_AT_ONCE = 5_000
"""So many judgements may a count read that an open page asks for every few seconds: it holds up saves meanwhile."""


@dataclass(frozen=True)
class Collected:
    """What people said so far as one table; ``ratings`` is None while nobody has given a value.

    ``beside_models`` has people and models, kept apart by the column kind; None while no model has rated.
    """

    state: str
    judgements: int
    ratings: Ratings | None
    beside_models: Ratings | None = None

    @cached_property
    def criteria(self) -> Mapping[str, Ratings]:
        """The ratings of each criterion, those of items that check the rater among them."""
        return {} if self.ratings is None else _by_criterion(self.ratings)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Whoever does not count, by decision or by rule."""
        return () if self.everything is None else self.everything.codebook.left_out

    @property
    def everything(self) -> Ratings | None:
        """What people and models said."""
        return self.ratings if self.beside_models is None else self.beside_models

    def analysed(self, leave_out: Iterable[str] | None = None) -> Ratings | None:
        """The whole table without whoever does not count, or without these raters; None if nothing is left."""
        if self.ratings is None:
            return None
        names = {one.rater for one in self.left_out} if leave_out is None else set(leave_out)
        if set(self.ratings.rater.names) <= names:
            return None
        decided = {one.rater: one for one in self.ratings.codebook.left_out}
        left_out = tuple(decided.get(name) or LeftOut(rater=name) for name in sorted(names))
        return with_exclusions(replace(self.ratings, codebook=replace(self.ratings.codebook, left_out=left_out)))

    def ordinary(self, criterion: str, leave_out: Iterable[str] | None = None) -> Ratings | None:
        """As ``analysed``, of one criterion and without items that check the rater."""
        ratings = self.analysed(leave_out)
        part = None if ratings is None else _by_criterion(ratings).get(criterion)
        return None if part is None else ordinary(part)


def _by_criterion(ratings: Ratings) -> dict[str, Ratings]:
    return {group.by["criterion"]: group.ratings for group in ratings.split(["criterion"])}


def state_of_judgements() -> str:
    """What names this state: judgements are only added, so the last one says it all, with what was decided."""
    last = Judgement.objects.aggregate(last=Max("id"))["last"] or 0
    decided = sorted(f"{name} {one.action}" for name, one in decided_raters().items())
    counts = (last, Again.objects.count(), PhaseEvent.objects.count(), StudyEvent.objects.count())
    parts = [current().study.fingerprint, *map(str, counts), *decided]
    return sha256("|".join(parts).encode()).hexdigest()[:32]


def collect() -> Collected:
    """All ratings as they are now; kept until something changes."""
    with one_moment():
        state = state_of_judgements()
        return _KEPT.get((state, study_folder())) or _keep(_as_collected(state, all_ratings()))


_KEPT: dict[tuple[str, Path], Collected] = {}
"""By folder too: two copies of one study can be in states of one name, and hold other judgements."""


def _keep(made: Collected) -> Collected:
    """Kept, with the one before it."""
    for old in [*_KEPT][:-1]:
        _KEPT.pop(old, None)
    _KEPT[made.state, study_folder()] = made
    return made


@dataclass(frozen=True, slots=True)
class Past:
    """Every judgement ever made, read once: when it was made, and when what corrects it was."""

    bridge: Bridge
    made: Moments
    corrected: Moments
    first: tuple[Moments, NDArray[np.int64]]
    """When people gave each answer for the first time, and under which guideline version."""


@one_moment()
def collect_with_past() -> tuple[Collected, Past]:
    """As ``collect``, and all that was corrected since, from one look at the database."""
    state, history = state_of_judgements(), fetch_history()
    bridge = history_bridge(current().study, history.rows, history.newest)
    past = Past(bridge, history.made, history.corrected, history.first)
    return _keep(_as_collected(state, all_ratings(rows=history.now, past=past.bridge))), past


@one_moment()
def collect_named() -> Collected:
    """As ``collect``, with the systems' own names; for a file that somebody asked for, so nothing is kept."""
    return _as_collected(state_of_judgements(), all_ratings(named=True))


def _as_collected(state: str, everything: Ratings | None) -> Collected:
    if everything is None or "kind" not in everything.columns:
        return Collected(state, Judgement.objects.count(), everything)
    return Collected(state, Judgement.objects.count(), people_only(everything), everything)


def people_only(everything: Ratings) -> Ratings | None:
    """What people said; None if nobody did."""
    kind = everything.columns.get("kind")
    if kind is None:
        return everything
    human = kind.codes == (kind.names.index("human") if "human" in kind.names else -2)
    # The same data as every command reads: only what is looked at differs.
    return replace(everything.where(human), known_as=everything.fingerprint) if human.any() else None


@one_moment()
def all_ratings(
    *, named: bool = False, rows: CollectedRows | None = None, past: Bridge | None = None
) -> Ratings | None:
    """All ratings with their codebook, which also says whom rules leave out, and who breaks one and counts."""
    study, rows = current(), fetch_rows() if rows is None else rows
    ratings = collected_ratings(study.study, rows, codebook_now(study, named=named), named=named, past=past)
    if ratings is None:
        return None
    people, book = people_only(ratings) if has_rules(study) else None, ratings.codebook
    if people is not None:
        found = who_counts(study, _by_criterion(people))
        left_out = sorted((*book.left_out, *found.left_out), key=lambda one: one.rater)
        book = replace(book, left_out=tuple(left_out), breaks_rules=found.counted)
    return replace(ratings, codebook=coded_texts(book, hidden_names(named=named)))


def hidden_names(*, named: bool = False) -> dict[str, str]:
    """What stands in texts for each name that a table hides: the pseudonyms of raters, and a word for any system."""
    raters = Rater.objects.exclude(crowd_id=None).values_list("crowd_id", "pseudonym")
    systems = {} if named else dict.fromkeys(current().study.systems, A_SYSTEM)
    return {**systems, **{str(name): pseudonym for name, pseudonym in raters}}


@one_moment()
def whole_codebook(*, named: bool = False) -> Codebook:
    """The codebook of the ratings as they are now, with whom rules leave out."""
    book, table = codebook_now(current(), named=named), collect().everything
    if table is not None:
        book = replace(book, left_out=table.codebook.left_out, breaks_rules=table.codebook.breaks_rules)
    return coded_texts(book, hidden_names(named=named))


def left_out_now(most: int = MANY) -> dict[str, LeftOut]:
    """Whoever does not count, by decision or by rule; of more judgements than that as the newest results have it."""
    if not has_rules(current()):
        return {name: as_left_out(one) for name, one in excluded_raters().items()}
    if Judgement.objects.count() <= most:
        return {one.rater: one for one in collect().left_out}
    return left_out_lately()


def left_out_lately() -> dict[str, LeftOut]:
    """Whoever is left out by decision, or by rule in the newest results: quick, however much there is to read."""
    decided, last = decided_raters(), Snapshot.objects.last()
    told = [LeftOut(**one) for one in (last.results if last else {}).get("excluded", ())]
    by_rule = {one.rater: one for one in told if one.rater not in decided}
    return by_rule | {name: as_left_out(one) for name, one in excluded_raters().items()}


@one_moment()
def collect_pair(criterion: str, first: str, second: str) -> Ratings | None:
    """What two raters said on one criterion, control items aside: quick, however much the others said."""
    study = current()
    rows = fetch_rows(criterion=criterion, raters=(first, second))
    ratings = collected_ratings(study.study, rows, codebook_now(study))
    return None if ratings is None else ordinary(ratings)


def questionnaire_answers() -> Ratings | None:
    """What raters answered about the work; None while nobody has."""
    rows = list(questionnaire_rows())
    return answers_of({name: [row[name] for row in rows] for name in QUESTIONNAIRE_COLUMNS})
