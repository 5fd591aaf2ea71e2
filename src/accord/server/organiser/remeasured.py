"""Before and after a round: the change with its test, whether to stop, and what another scale would do."""

from dataclasses import replace
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from accord.comparisons.conditions import ConditionComparison, compare_conditions
from accord.comparisons.item_changes import ItemChange, item_changes
from accord.diagnosis.items import decomposition
from accord.diagnosis.part import Part, parts_of
from accord.diagnosis.what_if import FinerScale, Sensitivity, finer_scale, what_if
from accord.errors import AccordError, NotEnoughDataError
from accord.ratings.apart import kept_apart
from accord.ratings.table import Factor, Ratings
from accord.records import dataclass
from accord.reliability.estimate import Estimate
from accord.reliability.run import agreement
from accord.reliability.same_items import before_round
from accord.server.models_organiser import Round, RoundItem
from accord.server.organiser.analysis import MAIN
from accord.server.organiser.ratings import collect, state_of_judgements
from accord.server.organiser.titles import titles_of_parts, turn_of
from accord.server.serving import study_folder
from accord.server.study import current
from accord.words import steady

__all__ = ["BeforeAfter", "OtherScale", "StopAdvice", "compare_round", "other_scales", "stop_advice"]

_REPLICATES = 2_000
_SCALES = (2, 3, 4, 5, 6, 7)
_NO_LONGER = ("phase", "round", "occasion", "guideline")
"""What keeps ratings apart elsewhere and is what changes here."""


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """The same items before and after the new version: two estimates, the change, and the items behind it."""

    comparison: ConditionComparison
    before: Estimate
    after: Estimate
    items: tuple[ItemChange, ...]
    given: int
    answered: int
    not_compared: int
    """Answers from before, whose text most raters judged under another version."""


@dataclass(frozen=True, slots=True)
class StopAdvice:
    """Whether another round is worth it, by the rule fixed when the round was opened."""

    stop: bool
    words: str


@dataclass(frozen=True, slots=True)
class OtherScale:
    """Kappa as it is, what would raise it, and what other numbers of values are predicted to do."""

    now: Sensitivity
    """Of the mean agreement over pairs."""
    mean_kappa: float
    """The mean of the pairs' own kappas, as the tables of coefficients have it; the two are not the same."""
    scales: tuple[FinerScale, ...]
    """None where the model of raters does not hold; ``why_not`` says so."""
    why_not: str
    part: str = ""
    """Of which version, round or scenario it is, where there are several."""


def compare_round(turn: Round) -> BeforeAfter | None:
    """None while nobody has answered a screen of the new measurement."""
    return _compared(turn.pk, state_of_judgements(), study_folder())


@lru_cache(maxsize=8)
def _compared(key: int, state: str, folder: Path) -> BeforeAfter | None:
    turn = Round.objects.get(pk=key)
    ratings = collect().ordinary(turn.criterion)
    if ratings is None or "phase" not in ratings.columns:
        return None
    labelled, not_compared = _before_and_after(ratings, turn.number)
    if labelled is None:
        return None
    parts = [labelled.named(when=name) for name in ("before", "after")]
    try:
        found = compare_conditions(
            labelled, "when", "before", "after", coefficients=(MAIN,), replicates=_REPLICATES,
            rng=np.random.default_rng(current().settings.seed),
        )[0]  # fmt: skip
        estimates = [agreement(part, coefficients=MAIN, seed=current().settings.seed)[MAIN] for part in parts]
        changed = item_changes(parts[0], parts[1])
    except AccordError:
        return None
    tasks = turn.tasks  # type: ignore[attr-defined]
    answered = tasks.filter(task__judgements__isnull=False).values("task").distinct().count()
    return BeforeAfter(found, estimates[0], estimates[1], changed, tasks.count(), answered, not_compared)


def _before_and_after(ratings: Ratings, number: int) -> tuple[Ratings | None, int]:
    """Rows measured after this round, and the newest before it of the same items, as every other place tells them.

    Beside them how many of the earlier ones are not compared, as others gave theirs under another version.
    """
    found = before_round(ratings, number)
    if not len(found.before):
        return None, 0
    rows = np.sort(np.r_[found.before, found.after])
    part = ratings.where(rows)
    when = Factor.of(["after" if is_after else "before" for is_after in np.isin(rows, found.after).tolist()])
    columns = {name: factor for name, factor in part.columns.items() if name not in _NO_LONGER}
    return replace(part, columns={**columns, "when": when}), found.not_compared


def stop_advice(turn: Round, found: BeforeAfter | None) -> StopAdvice:
    """The rule: stop when the target is reached, when nothing is vague, or when a round no longer helps."""
    verdicts = list(turn.items.values_list("verdict", flat=True))
    if verdicts and all(verdict == RoundItem.Verdict.GENUINE for verdict in verdicts):
        return StopAdvice(True, "Stop: every discrepancy is genuine, so no wording of the guideline will remove it.")
    if found is None and turn.published_id is None:  # type: ignore[attr-defined]
        return StopAdvice(False, "Go on: rate the items, say why raters differ, and change the guideline.")
    if found is None:
        return StopAdvice(False, "Go on: the changed guideline has not been measured yet.")
    reached = found.after.interval
    if reached is not None and reached.low >= turn.target:
        return StopAdvice(True, f"Stop: the whole interval lies at or above the target of {turn.target:g}.")
    change = found.comparison.differences[0]
    if change.interval is not None and change.interval.high < turn.smallest_gain:
        words = f"Stop: a gain of {turn.smallest_gain:g} can be ruled out (the change is at most"
        return StopAdvice(True, f"{words} {steady(change.interval.high):+.2f}).")
    if found.answered < found.given:
        return StopAdvice(False, f"Go on: {found.answered} of {found.given} screens are answered; let raters finish.")
    if change.interval is None:
        return StopAdvice(False, f"Go on: whether it helped cannot be said ({change.method}). Measure more documents.")
    return StopAdvice(False, "Go on: neither is the target reached, nor can a worthwhile gain be ruled out.")


def other_scales(criterion: str) -> OtherScale | str:
    """What-if for a changed scale on the ratings as they are, or why nothing can be said."""
    ratings = collect().ordinary(criterion)
    if ratings is None:
        return "There are no ratings yet."
    parts = parts_of(ratings, kept_apart(ratings))
    # Of versions and phases that are kept apart the newest measurement, of these the one with most ratings.
    titled = zip(parts, titles_of_parts([one.by for one in parts]), strict=True)
    part, title = max(titled, key=lambda one: (turn_of(one[0].by.get("phase", "")), len(one[0].ratings)))
    try:
        scales, why_not = _predicted(part)
        return OtherScale(what_if(part), decomposition(part).means[2], scales, why_not, title)
    except AccordError as error:
        return str(error)


def _predicted(part: Part) -> tuple[tuple[FinerScale, ...], str]:
    """What other numbers of values are predicted to do, or why nothing is."""
    try:
        scales = [finer_scale(part, values=values)[1] for values in _SCALES]
    except NotEnoughDataError as error:
        return (), str(error)
    return tuple(one for one in scales if not isnan(one.kappa)), ""


def plain_change(found: BeforeAfter) -> list[dict[str, Any]]:
    """The differences for a table or for programs."""
    return [difference.to_dict() for difference in found.comparison.differences]
