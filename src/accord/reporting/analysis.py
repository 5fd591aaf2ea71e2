"""Everything a report tells, computed once: reliability, findings, raters, items, comparisons, rankings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TypeVar

import numpy as np

from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ROUNDS
from accord.comparisons.context_span import ContextSpan, Passage, context_spans, passages
from accord.comparisons.misevaluation import Misevaluation, context_roles, find_misevaluations
from accord.comparisons.own_interval import remembered
from accord.comparisons.pair_settings import DIFF, SAME
from accord.comparisons.reference_bias import ReferenceBias, compare_settings
from accord.comparisons.scenarios import TEST_SETS, ScenarioAgreement, by_scenario
from accord.comparisons.score_shift import ScoreShift, score_shifts
from accord.comparisons.several import SeveralConditions, compare_several, compared_alike
from accord.diagnosis.causes import Cause, Effect, causes_of, heaviest_rater
from accord.diagnosis.correlation import Side, agreement_with_correlation
from accord.diagnosis.examination import Diagnosis, diagnose_parts
from accord.diagnosis.finding import Severity
from accord.diagnosis.influence import ItemInfluence, influential_items
from accord.diagnosis.items import Decomposition, DisputedItems, decomposition, disputed_items
from accord.diagnosis.part import Part, parts_of
from accord.diagnosis.reliabilities import Reliability as Stability
from accord.diagnosis.reliabilities import stability
from accord.diagnosis.severity import RaterEffect, rater_effects
from accord.errors import AccordError, NotEnoughDataError
from accord.ratings.apart import kept_apart, people_of
from accord.ratings.checks import told_apart_by
from accord.ratings.leaving_out import answers_that_count, kept_notes, left_out_in_words
from accord.ratings.sanity import sanity as look_over
from accord.ratings.table import Group, Ratings
from accord.records import dataclass
from accord.reliability.result import GroupReliability, Reliability
from accord.reliability.run import agreement
from accord.reporting.collecting import Collecting
from accord.reporting.declared import declared_comparison
from accord.scoring.choices import are_choices, choices_of
from accord.scoring.gate_exclusions import gated
from accord.scoring.preference_result import Preferences
from accord.scoring.preferences import bradley_terry_davidson
from accord.scoring.ranking.rank import rank, rank_criteria
from accord.scoring.ranking.result import Ranking

__all__ = ["TENTATIVE", "Analysis", "CriterionAnalysis", "analyse", "part_name", "preferences_of", "rankings_of"]

Progress = Callable[[int, int], object]
_T = TypeVar("_T")
_MANY_PAIRS = 2_000
_COMPARED = ("phase", "round", "condition", "group")
_BIG = 200_000
_MOST_CONDITIONS = 12
_SHOWN_ITEMS = 200
_SHOWN_AGREED = 20
_INFLUENTIAL = 10


TENTATIVE = 2 / 3
"""What Krippendorff asks of α for tentative conclusions."""


@dataclass(frozen=True, slots=True)
class CriterionAnalysis:
    """One criterion, its title empty where it has no name: its reliability and who and what stands behind it."""

    title: str
    part: Part
    reliability: GroupReliability
    effects: tuple[RaterEffect, ...]
    items: DisputedItems
    parts: Decomposition | None
    influence: Mapping[str, Sequence[ItemInfluence]]
    stability: tuple[Stability, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """All results of one set of ratings; ``left_out`` says in words what could not be computed.

    ``exclusions`` are rules declared before collection, and what they left out, in words. ``read_as`` are
    the words of a command line that reads these ratings again: the file and its column options.
    """

    ratings: Ratings
    reliability: Reliability
    diagnosis: Diagnosis
    sides: tuple[Side, ...]
    criteria: tuple[CriterionAnalysis, ...]
    comparisons: dict[str, SeveralConditions] = field(default_factory=dict)
    biases: dict[str, tuple[ReferenceBias, ...]] = field(default_factory=dict)
    scenarios: tuple[ScenarioAgreement, ...] = ()
    misevaluations: tuple[Misevaluation, ...] = ()
    shifts: tuple[ScoreShift, ...] = ()
    spans: tuple[ContextSpan, ...] = ()
    passages: tuple[Passage, ...] = ()
    rankings: tuple[tuple[str, Ranking], ...] = ()
    preferences: tuple[tuple[str, Preferences], ...] = ()
    causes: tuple[Cause, ...] = ()
    """What stands behind the findings, the gravest first, and what it does to α."""
    left_out: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    read_as: tuple[str, ...] = ()
    seed: int = 0
    confidence: float = 0.95
    answers: Ratings | None = None
    """Answers to the questionnaire after the work, as ratings of its questions."""
    declared: tuple[str, ...] = ()
    """What the comparison says that the plan of analysis declares."""
    sanity: tuple[str, ...] = ()
    """What looks wrong in the data as they were read: the report says it before anything else."""
    models: tuple[str, ...] = ()
    """That ratings of models are left out, where models rated beside people."""
    hasty: tuple[str, ...] = ()
    """Raters who took far less time than the study expects, each with both times in words."""
    collecting: Collecting | None = None
    """How far the collection is; None where it is over, or nobody told."""
    heaviest: Effect | None = None
    """The rater without whom an α that is not shown to be enough would be highest, where no check shows a fault."""


def analyse(
    ratings: Ratings,
    *,
    confidence: float | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    exclusions: Sequence[str] = (),
    read_as: Sequence[str] = (),
    keep_all: bool = False,
    answers: Ratings | None = None,
    sanity: Sequence[str] = (),
    hasty: Sequence[str] = (),
    collecting: Collecting | None = None,
) -> Analysis:
    """Run every analysis that people's ratings allow; intervals are those that the plan declares, else 95%."""
    ratings, models = people_of(ratings)
    ratings, again = _through_gate(ratings, read_as, keep_all)
    facts = ratings.codebook.study
    confidence = (facts.confidence or 0.95) if confidence is None else confidence
    seed = (facts.seed or 0) if seed is None else seed
    step = _Steps(progress, 6)
    few = ratings.raters * (ratings.raters - 1) // 2 <= _MANY_PAIRS
    by = columns_apart(ratings)
    reliability = agreement(ratings, by=told_apart(ratings), confidence=confidence, seed=seed, pairs=few)
    step()
    parts = parts_of(ratings, by)
    diagnosis = diagnose_parts(ratings, parts, seed=seed)
    step()
    left_out: list[str] = []
    scopes = ("all", "group", "batch", "pair") if few else ("all", "group", "batch")
    beside = partial(agreement_with_correlation, ratings, by=by, scopes=scopes, parts=parts)
    sides = _try(left_out, "Agreement beside correlation", beside)
    step()
    criteria = tuple(_criteria(parts, reliability.parts, few, confidence, seed))
    step()
    told = dict.fromkeys((*exclusions, *_said_of_exclusions(ratings)))
    comparisons = _comparisons(ratings, confidence, seed, left_out)
    declared = declared_comparison(ratings, confidence=confidence, seed=seed, replicates=_replicates(ratings))
    biases = _biases(ratings, confidence, seed, few)
    scenarios, misevaluations, shifts = _scenarios(ratings, confidence, left_out)
    spans, texts = _spans(ratings, left_out)
    step()
    rankings, preferences = rankings_of(ratings, confidence, left_out), preferences_of(ratings, confidence, left_out)
    step()
    return Analysis(
        ratings, reliability, diagnosis, tuple(sides or ()), criteria, comparisons, biases, scenarios, misevaluations,
        shifts, spans, texts, rankings, preferences, causes_of(diagnosis, ratings, by), tuple(left_out), tuple(told),
        again, seed, confidence, answers_that_count(answers, ratings), declared,
        tuple(sanity) or tuple(map(str, look_over(ratings))), models, tuple(hasty), collecting,
        _heaviest(criteria, diagnosis),
    )  # fmt: skip


def _through_gate(ratings: Ratings, read_as: Sequence[str], keep_all: bool) -> tuple[Ratings, tuple[str, ...]]:
    """Whom the gate leaves out counts in no number of the report, nor in the commands that compute it again."""
    counted = gated(ratings, keep_all=keep_all)
    gone = counted.codebook.left_out[len(ratings.codebook.left_out) :]
    return counted, (*read_as, *(word for one in gone for word in ("--leave-out", one.rater)))


def _said_of_exclusions(ratings: Ratings) -> tuple[str, ...]:
    """The declared rules, whom they and others left out, and who counts though a gate would leave them out."""
    book = ratings.codebook
    rules = (f"declared before collection: {rule}" for rule in book.study.exclusions)
    return (*rules, *left_out_in_words(book.left_out), *kept_notes(ratings))


def columns_apart(ratings: Ratings) -> tuple[str, ...]:
    """What is looked at apart: columns under which a rater rated an item again, and those the codebook keeps apart."""
    again = told_apart(ratings)
    return (*again, *kept_apart(ratings, again))


def told_apart(ratings: Ratings) -> tuple[str, ...]:
    """Columns other than those kept apart anyway under which a rater rated an item again."""
    found = (told_apart_by(group.ratings) for group in ratings.split(kept_apart(ratings)))
    return tuple(dict.fromkeys(column for column in found if column is not None))


def part_name(by: Mapping[str, str], title: str) -> str:
    """The criterion, and what else a part was split by."""
    criterion = by.get("criterion", "")
    others = [f"{column} {name}" if name else f"no {column}" for column, name in by.items() if column != "criterion"]
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


def _criteria(
    parts: Sequence[Part], groups: Sequence[GroupReliability], few: bool, confidence: float, seed: int
) -> Iterator[CriterionAnalysis]:
    """Each part; comparisons that ask about its α by itself need not compute it again."""
    for part, group in zip(parts, groups, strict=True):
        if KRIPPENDORFF_ALPHA in group:
            remembered(part.ratings, group[KRIPPENDORFF_ALPHA], confidence, seed)
        yield _criterion(part, group, few, confidence)


def _heaviest(criteria: Sequence[CriterionAnalysis], diagnosis: Diagnosis) -> Effect | None:
    if any(one.severity is not Severity.NOTE for one in diagnosis.findings):
        return None
    return heaviest_rater(one.part for one in criteria if _is_low(one.reliability))


def _is_low(group: GroupReliability) -> bool:
    """Whether α is not shown to be enough for tentative conclusions."""
    found = group[KRIPPENDORFF_ALPHA].interval if KRIPPENDORFF_ALPHA in group else None
    return found is not None and found.low < TENTATIVE


def _criterion(part: Part, group: GroupReliability, few: bool, confidence: float) -> CriterionAnalysis:
    keys = [estimate.coefficient for estimate in group.estimates]
    return CriterionAnalysis(
        part_name(part.by, ""), part, group, tuple(rater_effects(part, confidence=confidence)),
        disputed_items(part, most=_SHOWN_ITEMS, agreed=_SHOWN_AGREED),
        decomposition(part) if few and len(part.raters) > 1 else None,
        influential_items(part, keys, most=_INFLUENTIAL), _stability(part),
    )  # fmt: skip


def _stability(part: Part) -> tuple[Stability, ...]:
    """How far raters agree with themselves; empty where nobody rated an item again."""
    try:
        return tuple(stability(part))
    except NotEnoughDataError:
        return ()


def _replicates(ratings: Ratings) -> int:
    return 2_000 if len(ratings) < _BIG else 400


def _comparisons(ratings: Ratings, confidence: float, seed: int, left_out: list[str]) -> dict[str, SeveralConditions]:
    found: dict[str, SeveralConditions] = {}
    replicates = _replicates(ratings)
    for column in _COMPARED:
        names = ratings.columns[column].compact().names if column in ratings.columns else ()
        if not 2 <= len(names) <= _MOST_CONDITIONS:
            continue
        known = (compared_alike(ratings, column, one) for one in found.values())
        result = next((one for one in known if one is not None), None) or _try(
            left_out, f"Comparison by {column}",
            partial(
                compare_several, ratings, column, consecutive=column in ROUNDS, replicates=replicates,
                rng=np.random.default_rng(seed), confidence=confidence,
            ),
        )  # fmt: skip
        if result:
            found[column] = result
    return found


def _biases(ratings: Ratings, confidence: float, seed: int, few: bool) -> dict[str, tuple[ReferenceBias, ...]]:
    """Pairs of raters by what they saw, for the first column that puts every rater into one group."""
    for column in ("condition", "group"):
        if not few or column not in ratings.columns or len(ratings.columns[column].compact().names) < 2:
            continue
        try:
            found = compare_settings(
                ratings, column, replicates=2_000, rng=np.random.default_rng(seed), confidence=confidence
            )
        except AccordError:
            continue  # raters stand in several groups, or share no item: there are no settings to compare
        if found and {SAME, DIFF} <= set(found[0].settings.names):
            return {column: found}
    return {}


def _scenarios(
    ratings: Ratings, confidence: float, left_out: list[str]
) -> tuple[tuple[ScenarioAgreement, ...], tuple[Misevaluation, ...], tuple[ScoreShift, ...]]:
    if "scenario" not in ratings.columns or len(ratings.columns["scenario"].names) < 2:
        return (), (), ()
    test_set = next((name for name in TEST_SETS if name in ratings.columns), None)
    cells = (
        _try(
            left_out,
            "Scenarios",
            partial(by_scenario, ratings, test_set=test_set, group="group", confidence=confidence),
        )
        or ()
    )
    roles = context_roles(ratings.columns["scenario"].names, ratings.codebook.study.scenarios)
    if roles is None:
        return cells, (), ()
    alone, seen = roles
    if asking := ratings.codebook.direction_question:
        left_out.append(f"Misevaluations: {asking}")
    found = _try(left_out, "Misevaluations", lambda: find_misevaluations(ratings, without=alone, with_context=seen))
    moved = _try(left_out, "Scores by scenario", lambda: score_shifts(ratings, first=alone, second=seen))
    return cells, found or (), moved or ()


def _spans(ratings: Ratings, left_out: list[str]) -> tuple[tuple[ContextSpan, ...], tuple[Passage, ...]]:
    if "resolved_by" not in ratings.columns:
        return (), ()
    spans = _try(left_out, "Context spans", lambda: context_spans(ratings)) or ()
    return spans, passages(ratings, spans) if spans else ()


def rankings_of(ratings: Ratings, confidence: float, left_out: list[str]) -> tuple[tuple[str, Ranking], ...]:
    """Systems ranked by each criterion with an order; what cannot be ranked is named in ``left_out``.

    The one that leads comes first, on every page and in the report: the criterion that the plan declares, else scores
    before marked errors where a study asks for both, as the score is what such a protocol compares.
    """
    if "system" not in ratings.columns or len(ratings.columns["system"].names) < 2:
        return ()
    groups = [group for group in ratings.split() if group.ratings.level.has_order]
    try:
        made = rank_criteria([group.ratings for group in groups], level=confidence, whole=ratings)
    except AccordError:
        # One of them cannot be ranked: it is named, and the others are a family without it.
        groups = [one for one in groups if _can_be_ranked(one, confidence, left_out)]
        made = rank_criteria([group.ratings for group in groups], level=confidence, whole=ratings)
    found = ((group.by.get("criterion", ""), one) for group, one in zip(groups, made, strict=True))
    book = ratings.codebook
    declared = book.study.plan.get("criterion", "")
    return tuple(sorted(found, key=lambda one: (one[0] != declared, book.criterion(one[0]).kind == "spans")))


def _can_be_ranked(group: Group, confidence: float, left_out: list[str]) -> bool:
    return _try(left_out, f"Ranking by {group.title}", partial(rank, group.ratings, level=confidence)) is not None


def preferences_of(ratings: Ratings, confidence: float, left_out: list[str]) -> tuple[tuple[str, Preferences], ...]:
    """Systems by the choices between them, of every criterion that asks for one."""
    found: list[tuple[str, Preferences]] = []
    choices = [group for group in ratings.split() if are_choices(group.ratings)]
    for group in choices:
        name = group.by.get("criterion", "")
        # As accord prefer signs them, which is asked for a criterion only where there are several.
        origin = {
            "criterion": name if len(choices) > 1 else None,
            "codebook": ratings.codebook.fingerprint,
            "ratings": ratings.fingerprint,
        }
        asked = partial(_preferred, group.ratings, confidence, origin)
        made = _try(left_out, f"Preferences of {group.title}", asked)
        if made is not None:
            found.append((name, made))
    return tuple(found)


def _preferred(ratings: Ratings, confidence: float, origin: Mapping[str, object]) -> Preferences:
    return bradley_terry_davidson(choices_of(ratings), level=confidence, origin=origin)
