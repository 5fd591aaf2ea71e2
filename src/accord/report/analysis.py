"""Everything a report tells, computed once: reliability, findings, raters, items, comparisons, rankings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np

from accord.comparisons.conditions import ConditionComparison, compare_conditions, condition_names
from accord.comparisons.misevaluation import Misevaluation, find_misevaluations
from accord.comparisons.scenarios import ScenarioAgreement, by_scenario
from accord.diagnosis.correlation import Side, agreement_with_correlation
from accord.diagnosis.examination import Diagnosis, diagnose
from accord.diagnosis.items import Decomposition, ItemEntropy, decomposition, item_entropies
from accord.diagnosis.part import Part, parts_of
from accord.diagnosis.severity import RaterEffect, rater_effects
from accord.errors import AccordError
from accord.ratings.checks import told_apart_by
from accord.ratings.table import Ratings
from accord.reliability.result import GroupReliability, Reliability
from accord.reliability.run import agreement
from accord.scoring.ranking.rank import rank
from accord.scoring.ranking.result import Ranking

__all__ = ["Analysis", "CriterionAnalysis", "analyse"]

Progress = Callable[[int, int], object]
_T = TypeVar("_T")
_MANY_PAIRS = 2_000
_COMPARED = ("phase", "condition", "group")
_BIG = 200_000


@dataclass(frozen=True, slots=True)
class CriterionAnalysis:
    """One criterion: its reliability and who and what stands behind it."""

    title: str
    part: Part
    reliability: GroupReliability
    effects: tuple[RaterEffect, ...]
    items: tuple[ItemEntropy, ...]
    parts: Decomposition | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """All results of one set of ratings; ``left_out`` says in words what could not be computed."""

    ratings: Ratings
    reliability: Reliability
    diagnosis: Diagnosis
    sides: tuple[Side, ...]
    criteria: tuple[CriterionAnalysis, ...]
    comparisons: dict[str, tuple[ConditionComparison, ...]] = field(default_factory=dict)
    scenarios: tuple[ScenarioAgreement, ...] = ()
    misevaluations: tuple[Misevaluation, ...] = ()
    rankings: tuple[tuple[str, Ranking], ...] = ()
    left_out: tuple[str, ...] = ()
    seed: int = 0
    confidence: float = 0.95


def analyse(ratings: Ratings, *, confidence: float = 0.95, seed: int = 0, progress: Progress | None = None) -> Analysis:
    """Run every analysis that these ratings allow."""
    step = _Steps(progress, 6)
    few = ratings.raters * (ratings.raters - 1) // 2 <= _MANY_PAIRS
    by = columns_apart(ratings)
    reliability = agreement(ratings, by=by, confidence=confidence, seed=seed, pairs=few)
    step()
    diagnosis = diagnose(ratings, seed=seed)
    step()
    left_out: list[str] = []
    scopes = ("all", "group", "batch", "pair") if few else ("all", "group", "batch")
    sides = _try(left_out, "Agreement beside correlation", lambda: agreement_with_correlation(ratings, scopes=scopes))
    step()
    criteria = tuple(
        _criterion(part, group, few) for part, group in zip(parts_of(ratings, by), reliability.groups, strict=True)
    )
    step()
    comparisons = _comparisons(ratings, confidence, seed, left_out)
    scenarios, misevaluations = _scenarios(ratings, left_out)
    step()
    rankings = _rankings(ratings, confidence, left_out)
    step()
    return Analysis(
        ratings, reliability, diagnosis, tuple(sides or ()), criteria, comparisons, scenarios, misevaluations,
        rankings, tuple(left_out), seed, confidence,
    )  # fmt: skip


def columns_apart(ratings: Ratings) -> tuple[str, ...]:
    """Columns such as phase or scenario under which a rater rated an item again: each is looked at by itself."""
    found = (told_apart_by(group.ratings) for group in ratings.split())
    return tuple(dict.fromkeys(column for column in found if column is not None))


def part_name(by: Mapping[str, str], title: str) -> str:
    """The criterion, and what else a part was split by."""
    criterion = by.get("criterion", "")
    others = [f"{column} {name}" for column, name in by.items() if column != "criterion"]
    return ", ".join(filter(None, (criterion, *others))) or title


class _Steps:
    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def __call__(self) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)


def _try(left_out: list[str], what: str, work: Callable[[], _T]) -> _T | None:
    """The result, or a sentence that says why it is left out."""
    try:
        return work()
    except AccordError as error:
        left_out.append(f"{what}: {error}")
        return None


def _criterion(part: Part, group: GroupReliability, few: bool) -> CriterionAnalysis:
    return CriterionAnalysis(
        part_name(part.by, part.title), part, group, tuple(rater_effects(part)), tuple(item_entropies(part)),
        decomposition(part) if few and len(part.raters) > 1 else None,
    )  # fmt: skip


def _comparisons(
    ratings: Ratings, confidence: float, seed: int, left_out: list[str]
) -> dict[str, tuple[ConditionComparison, ...]]:
    found: dict[str, tuple[ConditionComparison, ...]] = {}
    replicates = 2_000 if len(ratings) < _BIG else 400
    for column in _COMPARED:
        if column not in ratings.columns or len(ratings.columns[column].names) != 2:
            continue
        names = condition_names(ratings, column)
        result = _try(
            left_out, f"Comparison by {column}",
            partial(
                compare_conditions, ratings, column, names[0], names[1], replicates=replicates,
                rng=np.random.default_rng(seed), confidence=confidence,
            ),
        )  # fmt: skip
        if result:
            found[column] = result
    return found


def _scenarios(
    ratings: Ratings, left_out: list[str]
) -> tuple[tuple[ScenarioAgreement, ...], tuple[Misevaluation, ...]]:
    if "scenario" not in ratings.columns or len(ratings.columns["scenario"].names) < 2:
        return (), ()
    test_set = next((name for name in ("test_set", "condition", "batch") if name in ratings.columns), None)
    cells = _try(left_out, "Scenarios", lambda: by_scenario(ratings, test_set=test_set, group="group")) or ()
    names = ratings.columns["scenario"].names
    alone = [name for name in names if "random" in name or "alone" in name]
    context = [name for name in names if "context" in name]
    if not alone or not context:
        return cells, ()
    found = _try(
        left_out, "Misevaluations",
        lambda: find_misevaluations(ratings, without=alone[0], with_context=context[0]),
    )  # fmt: skip
    return cells, found or ()


def _rankings(ratings: Ratings, confidence: float, left_out: list[str]) -> tuple[tuple[str, Ranking], ...]:
    if "system" not in ratings.columns or len(ratings.columns["system"].names) < 2:
        return ()
    found: list[tuple[str, Ranking]] = []
    for group in ratings.split():
        if not group.ratings.level.has_order:
            continue
        made = _try(left_out, f"Ranking by {group.title}", partial(rank, group.ratings, level=confidence))
        if made is not None:
            found.append((group.by.get("criterion", ""), made))
    return tuple(found)
