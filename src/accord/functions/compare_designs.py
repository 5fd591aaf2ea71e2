"""The designs of a comparison: each gives the tables, the data and the sentences of its answer."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from accord.arrays import Floats
from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ROUNDS, ConditionComparison
from accord.comparisons.context_span import ContextSpan
from accord.comparisons.effort import AnswerCounts, StatementEffort
from accord.comparisons.misevaluation import Misevaluation
from accord.comparisons.scenarios import ScenarioAgreement
from accord.comparisons.score_shift import ScoreShift
from accord.comparisons.stop_rule import StopRule
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.functions import compare_tables as shown
from accord.ratings.leaving_out import answers_that_count, exclusion_notes
from accord.ratings.table import Ratings
from accord.reading import read_answers
from accord.records import dataclass
from accord.scoring.signature import signature
from accord.tables.table import Table
from accord.words import listed, part_name, set_by

__all__ = ["Asked", "Design", "answered"]


class Design(StrEnum):
    """What is compared."""

    REFERENCE_BIAS = "reference-bias"
    DOCUMENT_CONTEXT = "document-context"
    ROUNDS = "rounds"
    GROUPS = "groups"
    QUADRANTS = "quadrants"
    METRICS = "metrics"
    TASKS = "tasks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options of the command that its designs share."""

    first: str | None
    second: str | None
    coefficients: tuple[str, ...]
    source_groups: list[str] | None
    weights: str | Floats | None
    test_set: str | None
    questionnaire: Path | None
    variants: bool
    pairs: bool
    metrics: tuple[str, ...]
    task: str
    most: int
    replicates: int
    confidence: float
    seed: int


_GUESSES = {
    "scenario": Design.DOCUMENT_CONTEXT,
    **dict.fromkeys(ROUNDS, Design.ROUNDS),
    "group": Design.GROUPS,
}
Shown = tuple[list[Table], dict[str, Any], list[str]]


def answered(ratings: Ratings, condition: str | None, design: Design | None, asked: Asked) -> Shown:
    """The tables, data and sentences of a comparison."""
    column, chosen, guess = _what(ratings, condition, design)
    show = {
        Design.REFERENCE_BIAS: _reference_bias, Design.DOCUMENT_CONTEXT: _document_context, Design.ROUNDS: _rounds,
        Design.GROUPS: _rounds, Design.QUADRANTS: _quadrants, Design.METRICS: _metrics,
        Design.TASKS: _tasks,
    }[chosen]  # fmt: skip
    if chosen is not Design.REFERENCE_BIAS and not _is_usual(asked.weights):
        raise OptionError(f"--weights belongs to --design reference-bias; {chosen} compares coefficients as they are.")
    tables, data, lines = show(ratings, column, asked)
    said = exclusion_notes(ratings)
    head = {"design": str(chosen), "condition": column, "seed": asked.seed, "fingerprint": ratings.fingerprint}
    signed = _signed(ratings, column, chosen, asked)
    data = {"answer": [], **head, "left_out": said, **data, "signature": signed}
    return tables, data, [*guess, *said, *lines, f"Signature: {signed}"]


def _signed(ratings: Ratings, column: str, design: Design, asked: Asked) -> str:
    return signature(
        "compare",
        design=design,
        condition=column or None,
        first=asked.first,
        second=asked.second,
        coefficients=asked.coefficients or None,
        level=asked.confidence,
        replicates=asked.replicates,
        seed=asked.seed,
        ratings=ratings.fingerprint,
    )


def _what(ratings: Ratings, condition: str | None, design: Design | None) -> tuple[str, Design, list[str]]:
    """The column and the design, guessed from the contract's column names where not given."""
    present = [name for name in _GUESSES if name in ratings.columns]
    present = [name for name in present if len(ratings.columns[name].compact().names) > 1] or present
    if design in (Design.QUADRANTS, Design.METRICS, Design.TASKS):
        return condition or "", design, []
    column = condition or (present[0] if present else None)
    if column is None:
        known = ", ".join(sorted(ratings.columns)) or "none besides item, rater and value"
        raise ColumnError(
            f"Which column tells the conditions apart? Name it with {set_by('condition')}. Columns: {known}."
        )
    chosen = design or _GUESSES.get(column, Design.GROUPS)
    guesses = [] if design else [f"Compared as {chosen}, guessed from the column {column!r}; --design says otherwise."]
    return column, chosen, guesses


def _generator(asked: Asked) -> Any:
    import numpy as np

    return np.random.default_rng(asked.seed)


def _is_usual(weights: str | Floats | None) -> bool:
    return weights is None or (isinstance(weights, str) and weights == "identity")


def _reference_bias(ratings: Ratings, column: str, asked: Asked) -> Shown:
    from accord.comparisons.bootstrap_variants import VARIANTS, bootstrap_variant
    from accord.comparisons.reference_bias import compare_settings

    rng = _generator(asked)
    results = compare_settings(
        ratings, column, source_groups=asked.source_groups,
        weights="identity" if asked.weights is None else asked.weights,
        replicates=asked.replicates, rng=rng, confidence=asked.confidence,
    )  # fmt: skip
    tables, data = [], []
    for result in results:
        differences = [(result.criterion, difference) for difference in result.differences]
        tables += [*shown.setting_tables(result), shown.difference_table("Is the difference real?", differences)]
        if asked.pairs:
            tables.append(shown.pair_table(result))
        if asked.variants:
            pools = {name: result.kappas[result.settings.of(name)].tolist() for name in result.settings.names[:3]}
            runs = [run for key in VARIANTS for run in bootstrap_variant(pools, key, rng)]
            tables.append(shown.variant_table(runs))
        data.append(
            {
                "criterion": result.criterion, "pairs": result.settings.counts(), "mean_kappa": result.mean_kappas,
                "significant": [
                    {"first": s.first, "second": s.second, "different": s.different, "comparisons": s.comparisons}
                    for s in result.shares
                ],
                "group_means": result.ranges.group_means, "range_within": result.ranges.within,
                "differences": [difference.to_dict() for difference in result.differences],
                "verdict": result.verdict(),
                "kappas": [asdict(pair) for pair in result.pairs()],
                "values": list(result.values),
                "row_shares": {one.setting: one.row_shares.tolist() for one in result.patterns},
            }
        )  # fmt: skip
    return tables, {"answer": [result.verdict() for result in results], "comparisons": data}, []


def _rounds(ratings: Ratings, column: str, asked: Asked) -> Shown:
    from accord.comparisons.answers import changes
    from accord.comparisons.conditions import compare_conditions, condition_names, conditions_of, order_remark
    from accord.comparisons.several import SeveralConditions, compare_several
    from accord.comparisons.stop_rule import stop_rule

    keys = asked.coefficients or (KRIPPENDORFF_ALPHA,)
    rounds = column in ROUNDS
    options: dict[str, Any] = {
        "coefficients": keys, "replicates": asked.replicates, "rng": _generator(asked), "confidence": asked.confidence,
    }  # fmt: skip
    if asked.first is None and asked.second is None and len(condition_names(ratings, column)) > 2:
        several = compare_several(ratings, column, consecutive=rounds, **options)
    else:
        first, second = conditions_of(ratings, column, asked.first, asked.second)
        several = SeveralConditions(column, compare_conditions(ratings, column, first, second, **options))
    results = _by_criterion(several.comparisons)
    tables = [shown.condition_table(results, keys), shown.change_table(results), *shown.mean_score_table(results)]
    for first, second in several.pairs:
        tables += _changed_items(ratings, column, first, second, asked.most)
    last = [one for one in results if (one.first.name, one.second.name) == several.pairs[-1]]
    rules = [stop_rule(_spoken(one, column)) for one in last] if rounds else []
    lines = [_baseline(several.pairs, column)] if len(several.pairs) > 1 and not rounds else []
    lines += [f"Left out. {line}" for line in several.left_out]
    lines += [remark] if (remark := order_remark(ratings, column)) and asked.first is None else []
    spoken = [_spoken(one, column) for one in results]
    answer = changes(spoken) + ([OF_AGREEMENT] if column == "system" else [])
    answer += _another(rules)
    data = {
        "answer": answer,
        "comparisons": [_compared(one) for one in results],
        "stop_rule": [rule.to_dict() for rule in rules],
    }
    return tables, data, lines


_HOLM = "All pairs of scenarios are compared, with p adjusted by Holm's method; --first and --second choose two."
_REPLICATES = 2_000
"""Replicates of an interval that stands beside the answer and is not what was asked for."""
OF_AGREEMENT = (
    "This is about how far raters agree on each system, not about which system is better: for that, accord rank."
)


def _by_criterion(comparisons: Sequence[ConditionComparison]) -> list[ConditionComparison]:
    """The comparisons of one criterion together, in the order they were made."""
    criteria = list(dict.fromkeys(one.criterion for one in comparisons))
    return sorted(comparisons, key=lambda one: criteria.index(one.criterion))


def _spoken(one: ConditionComparison, column: str) -> ConditionComparison:
    """The same with names that can stand in a sentence: phase 2 instead of 2."""
    first, second = (replace(side, name=part_name({column: side.name})) for side in (one.first, one.second))
    return replace(one, first=first, second=second)


def _another(rules: Sequence[StopRule]) -> list[str]:
    """What follows for another round, said once for criteria of which the same is true."""
    said: dict[str, list[str]] = {}
    for rule in rules:
        said.setdefault(rule.sentence, []).append(rule.criterion)
    if len(said) == 1:
        return list(said)
    return [f"{listed(criteria)}: {words[:1].lower()}{words[1:]}" for words, criteria in said.items()]


def _baseline(pairs: Sequence[tuple[str, str]], column: str) -> str:
    return (
        f"Each {column} is compared with {pairs[0][0]}, the first; choose two others with --first and --second. "
        "p is adjusted over all comparisons."
    )


def _compared(one: ConditionComparison) -> dict[str, Any]:
    return {
        "criterion": one.criterion, "shared_items": one.shared_items,
        "conditions": [
            {"name": side.name, "items": side.items, "raters": side.raters, "values": side.values,
             "alpha_interval": side.ends.to_dict() if side.ends else None}
            for side in (one.first, one.second)
        ],
        "differences": [difference.to_dict() for difference in one.differences],
        "mean_scores": one.scores.to_dict() if one.scores else None,
    }  # fmt: skip


def _changed_items(ratings: Ratings, column: str, first: str, second: str, most: int) -> list[Table]:
    from accord.comparisons.conditions import title_of_part
    from accord.comparisons.item_changes import item_changes
    from accord.ratings.apart import kept_apart_within
    from accord.ratings.pooled_units import with_pooled_units

    tables: list[Table] = []
    # What is kept apart is another task: an item seen alone in one round and in context in the next did not change.
    apart = kept_apart_within(ratings.named(**{column: (first, second)}), column)
    for group in ratings.split((*(("criterion",) if "criterion" in ratings.columns else ()), *apart)):
        units = with_pooled_units(group.ratings)
        changes = item_changes(*(units.named(**{column: name}) for name in (first, second)))
        if changes:
            tables += shown.change_tables(title_of_part(group.by, apart), changes, most)
    return tables


def _document_context(ratings: Ratings, column: str, asked: Asked) -> Shown:
    from accord.comparisons.answers import scenario_answer, scenario_remarks
    from accord.comparisons.conditions import condition_names
    from accord.comparisons.context_span import context_spans
    from accord.comparisons.effort import answer_table, effort_rows
    from accord.comparisons.misevaluation import context_roles, find_misevaluations
    from accord.comparisons.scenarios import TEST_SETS, any_error, by_scenario, is_mark_up

    names = condition_names(ratings, column)
    test_set = asked.test_set or next((name for name in TEST_SETS if name in ratings.columns and name != column), None)
    cells = by_scenario(
        ratings, column, test_set=test_set, group="group", coefficients=asked.coefficients, confidence=asked.confidence
    )
    for group in ratings.split(("criterion",) if "criterion" in ratings.columns else ()):
        if is_mark_up(group.ratings):
            binary = by_scenario(any_error(group.ratings), column, test_set=test_set, group="group")
            cells += tuple(replace(cell, criterion=f"{cell.criterion} (any)".strip()) for cell in binary)
    tables = shown.scenario_tables(cells)
    kinds = ratings.codebook.study.scenarios
    roles = (asked.first, asked.second) if asked.first and asked.second else context_roles(names, kinds)
    found: tuple[Misevaluation, ...] = ()
    asking = ""
    shifts: tuple[ScoreShift, ...] = ()
    if roles is not None:
        found = find_misevaluations(ratings, without=roles[0], with_context=roles[1], scenario=column)
        shifts = _score_shifts(ratings, *roles, column)
        asking = ratings.codebook.direction_question
        tables += [shown.misevaluation_table(found, asked.most)] if found else []
        tables += [*shown.shift_tables(shifts, asked.most)]
    spans = context_spans(ratings) if "resolved_by" in ratings.columns else ()
    tables += shown.span_tables(spans)
    effort, worded = _effort(asked.questionnaire, ratings)
    tables += [effort_rows(effort, kinds)] if effort else []
    tables += [answer_table(worded)] if worded else []
    lines = scenario_remarks(cells, roles, found)
    if roles is None:
        lines.append(
            f"Which scenario had no context is not clear from the names ({', '.join(names)}): name it with --first, "
            "and the one with context with --second, to find items that were misjudged without it."
        )
    lines += [f"Items misjudged without context: {asking}"] if asking else []
    told = {"effort": [asdict(one) for one in effort], "answers": [asdict(one) for one in worded]}
    compared = _context_changes(ratings, column, roles, asked)
    lines += [_HOLM] if len({(one.first.name, one.second.name) for one in compared}) > 1 else []
    answer = scenario_answer(cells, roles, found, compared)
    return tables, {"answer": answer, **_context_data(cells, found, shifts, spans), **told}, lines


def _context_changes(
    ratings: Ratings, column: str, roles: tuple[str, str] | None, asked: Asked
) -> tuple[ConditionComparison, ...]:
    """What scenarios do to α, with an interval: the two that were named, else each with each, adjusted together.

    Empty where they cannot be compared.
    """
    from accord.comparisons.conditions import compare_conditions
    from accord.comparisons.several import compare_several

    options: dict[str, Any] = {
        "replicates": min(asked.replicates, _REPLICATES),
        "rng": _generator(asked),
        "confidence": asked.confidence,
    }
    try:
        if roles is not None:
            return compare_conditions(ratings, column, *roles, **options)
        return compare_several(ratings, column, every_pair=True, **options).comparisons
    except NotEnoughDataError:
        return ()


def _effort(
    questionnaire: str | Path | None, ratings: Ratings
) -> tuple[tuple[StatementEffort, ...], tuple[AnswerCounts, ...]]:
    """Mean answers by scenario, and counts of answers in words."""
    from accord.comparisons.effort import answer_counts, effort_table

    answers = None if questionnaire is None else answers_that_count(read_answers(questionnaire), ratings)
    return ((), ()) if answers is None else (effort_table(answers), answer_counts(answers))


def _context_data(
    cells: Sequence[ScenarioAgreement],
    found: Sequence[Misevaluation],
    shifts: Sequence[ScoreShift],
    spans: Sequence[ContextSpan],
) -> dict[str, Any]:
    """What ``--json`` prints of the scenarios."""
    return {
        "cells": [
            {
                "criterion": c.criterion, "scenario": c.scenario, "test_set": c.test_set, "group": c.group,
                "items": c.items, "raters": c.raters, "values": c.values,
                "alpha_interval": c.ends.to_dict() if c.ends else None,
            }
            for c in cells
        ],
        "misevaluations": [
            {"item": m.item, "criterion": m.criterion, "without": m.without, "with_context": m.with_context,
             "issue": m.issue}
            for m in found
        ],
        "shifts": [
            {"criterion": s.criterion, "change": s.change, "p": s.p, "rose": s.rose, "fell": s.fell, "shares": s.shares,
             "values": list(s.values), "interval": s.interval.to_dict() if s.interval else None, "words": s.words,
             "adjusted": s.adjusted, "direction": str(s.direction), "verdict": s.verdict}
            for s in shifts
        ],
        "spans": [
            {"item": s.item, "document": s.document, "resolved_by": s.resolved_by, "distance": s.distance,
             "issue": s.issue, "domain": s.domain}
            for s in spans
        ],
    }  # fmt: skip


def _score_shifts(ratings: Ratings, without: str, with_context: str, column: str) -> tuple[ScoreShift, ...]:
    """Scores in both scenarios, where a criterion has an order."""
    from accord.comparisons.score_shift import score_shifts

    try:
        return score_shifts(ratings, first=without, second=with_context, scenario=column)
    except NotEnoughDataError:
        return ()


def _quadrants(ratings: Ratings, column: str, asked: Asked) -> Shown:
    from accord.comparisons.answers import yardstick_answer
    from accord.comparisons.erroneous_references import erroneous_references
    from accord.comparisons.yardsticks import yardsticks

    found = yardsticks(ratings, column, asked.first, asked.second)
    data = {
        name: {"correlation": one.correlation, "similar": [i.item for i in one.similar],
               "dissimilar": [i.item for i in one.dissimilar]}
        for name, one in found.results
    }  # fmt: skip
    inspected = shown.outlier_table(found.results, found.texts, asked.most)
    tables = shown.quadrant_tables(found.results, found.against, asked.most)
    told = {
        "answer": yardstick_answer(found),
        "against": found.against,
        "yardsticks": data,
        "items": inspected.rows,
    }
    wrong = erroneous_references(ratings, asked.confidence)
    if wrong is None:
        return [*tables, inspected], told, []
    return [*tables, inspected], {**told, "erroneous_references": wrong.to_dict()}, [str(wrong)]


def _metrics(ratings: Ratings, column: str, asked: Asked) -> Shown:
    from accord.comparisons.answers import metric_answer
    from accord.comparisons.metric_direction import told_directions
    from accord.comparisons.metrics import directed_metrics, metric_correlations, metric_differences

    options: dict[str, Any] = {
        "condition": column, "replicates": asked.replicates, "rng": _generator(asked), "confidence": asked.confidence,
    }  # fmt: skip
    found = metric_correlations(ratings, asked.metrics, **options)
    differences = metric_differences(ratings, asked.metrics, **options)
    lines = ["A metric that ranks systems as people do may still say little about single segments; read both."]
    metrics = list(directed_metrics(ratings, asked.metrics).values())
    lines += [*told_directions(metrics), *filter(None, [ratings.codebook.direction_question])]
    known = not ratings.codebook.direction_question and all(one.direction.is_known for one in metrics)
    few = min((one.units for one in found if one.level == "system"), default=10)
    if few < 10:
        lines.append(f"With {few} systems a bootstrap interval is too short to be trusted: it shows a tendency only.")
    data = {
        "answer": metric_answer(found),
        "metrics": {one.name: str(one.direction) for one in metrics},
        "correlations": [one.to_dict() for one in found],
        "differences": [{"criterion": criterion, **one.to_dict()} for criterion, one in differences],
    }
    tables = [shown.metric_table(found)]
    return tables + ([shown.metric_difference_table(differences, known)] if differences else []), data, lines


def _tasks(ratings: Ratings, column: str, asked: Asked) -> Shown:
    from accord.comparisons.task_prediction import predict_task

    found = predict_task(
        ratings, asked.task, asked.metrics, replicates=asked.replicates, rng=_generator(asked),
        confidence=asked.confidence,
    )  # fmt: skip
    data = {
        "task": found.column, "tasks": list(found.tasks), "predictors": list(found.predictors),
        "items_left_out": found.left_out, "results": [one.to_dict() for one in found.results],
        "cuts": [one.to_dict() for one in found.cuts], "verdict": found.verdict(),
    }  # fmt: skip
    return shown.task_tables(found), {"answer": [found.verdict()], **data}, []
