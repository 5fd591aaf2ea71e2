"""Whatever is compared on small studies is what was recorded: every number and sentence (tests/small_studies.py)."""

from unittest.mock import patch

import numpy as np
import pytest

from accord import sizes
from accord.comparisons import answers
from accord.comparisons.bootstrap_variants import VARIANTS, bootstrap_variant
from accord.comparisons.conditions import compare_conditions, condition_names, conditions_of, order_remark
from accord.comparisons.context_span import context_spans, passages, span_table
from accord.comparisons.effort import answer_counts, answer_table, effort_rows, effort_table
from accord.comparisons.erroneous_references import erroneous_references
from accord.comparisons.held_out import area_under_curve, cluster_interval, folds_of
from accord.comparisons.item_changes import item_changes
from accord.comparisons.metric_direction import asked_metrics
from accord.comparisons.metrics import directed_metrics, metric_columns, metric_correlations, metric_differences
from accord.comparisons.misevaluation import find_misevaluations
from accord.comparisons.pair_settings import rater_groups
from accord.comparisons.quadrants import quadrants
from accord.comparisons.reference_bias import compare_settings, guessed_sources
from accord.comparisons.scenarios import any_error, by_scenario, is_mark_up, scenario_ranking
from accord.comparisons.score_shift import score_shifts
from accord.comparisons.several import compare_several, compared_alike
from accord.comparisons.stop_rule import stop_rule
from accord.comparisons.task_prediction import predict_task
from accord.comparisons.units_of_conditions import documents_of, own_raters
from accord.comparisons.weighted_correlation import KINDS, weighted_correlation
from accord.comparisons.yardsticks import yardsticks
from accord.design.scale import Direction, Level
from small_studies import assert_as_recorded, said, small_study

SEEDS = range(9)
FEWER = {
    "tasks": 2,
    "context": 4,
    "conditions-of-documents": 4,
    "refused": 3,
    "at-the-limit": 4,
    "several-rounds": 5,
    "compared-alike": 4,
}
"""Those that take longest are asked of so many studies."""
WORDS = ("the cat sat", "a dog ran home", "the cat sat here", "dogs run", "a cat sat", "the end")


def random(seed):
    return np.random.default_rng(seed)


def phases(seed, **given):
    return small_study(
        seed, conditions=(("before", "after"), ("r2", "r10"), ("one", "two", "three"))[seed % 3], **given
    )


def scenarios(seed, **given):
    names = (("sentence", "document"), ("no context", "with context"), ("single", "random", "full document"))[seed % 3]
    return small_study(seed, column="scenario", conditions=names, own=False, **given)


def compared(seed, **given):
    ratings = phases(seed, **given)
    first, second = condition_names(ratings, "phase")[:2]
    keys = (("krippendorff_alpha",), ("krippendorff_alpha", "percent_agreement"), ("fleiss_kappa", "gwet_ac1"))[
        seed % 3
    ]
    return compare_conditions(
        ratings,
        "phase",
        first,
        second,
        coefficients=keys,
        replicates=40,
        rng=random(seed),
        confidence=(0.95, 0.8)[seed % 2],
    )


def in_words(found):
    return {"changes": answers.changes(found), "rules": [stop_rule(one) for one in found]}


def of_alpha(seed, **given):
    ratings = phases(seed, **given)
    return compare_several(ratings, "phase", replicates=40, rng=random(seed))


def parted(seed):
    ratings = phases(seed)
    return [ratings.named(phase=name) for name in condition_names(ratings, "phase")[:2]]


def alike(seed):
    ratings = phases(seed, raters=4, own=False)
    return compared_alike(ratings, "phase", compare_several(ratings, "phase", replicates=40, rng=random(seed)))


def metrics(seed):
    return small_study(
        seed,
        items=12,
        column="scenario",
        conditions=(("alone", "seen"), ())[seed % 2],
        level=Level.INTERVAL,
        columns={
            "bleu": lambda item, *_: str((item * 7) % 5 + seed % 3),
            "ter": lambda item, *_: f"{(item * 5) % 11 / 10}",
            "mine": lambda item, rater, place: str(item // 2 + place) if item % 4 else "",
        },
    )


def shown(seed):
    groups = (("source", "reference"), ("A", "B"), ("src", "r1", "r2"))[seed % 3]
    return small_study(seed, column="group", conditions=groups, own=True, raters=(2, 3, 4)[seed // 3 % 3], shared=1)


def biased(seed):
    weights = ("identity", "linear", "quadratic")[seed % 3]
    found = compare_settings(shown(seed), "group", weights=weights, replicates=60, rng=random(seed), confidence=0.9)
    return [
        {
            "all": one,
            "pairs": one.pairs(),
            "verdict": one.verdict(),
            "groups": one.reference_groups,
            "between": one.ranges.between(one.reference_groups[:2]),
            "counts": one.settings.counts(),
        }
        for one in found
    ]


def varied(seed):
    kappas = {"SAME": [0.1 * (place % 4) for place in range(2 + seed)], "DIFF": [0.5, np.nan, 0.25, 0.75]}
    return [
        {"title": one.variant.title, "draws": float(one.draws.sum()), "all": one}
        for key in VARIANTS
        for one in bootstrap_variant(kappas, key, random(seed), replicates=20)
    ]


def texts(seed, **more):
    return small_study(
        seed,
        items=6,
        criteria=1,
        direction=(Direction.HIGH, Direction.LOW)[seed % 2],
        level=(Level.ORDINAL, Level.INTERVAL)[seed % 2],
        steps=5,
        columns={
            "mt": lambda item, *_: WORDS[item],
            "reference": lambda item, *_: WORDS[(item + seed) % 6],
            "post_edit": lambda item, *_: WORDS[item][: 6 + item],
            "source": lambda item, *_: f"s{item}",
        },
        **more,
    )


def spans(seed):
    each = (3, 4)[seed % 2]

    def resolved(item, *_):
        first = item - item % each
        return ("", f"i{first}", "2", f"i{first}|i{item}", f"i{first + each - 1}", "" if seed else "x")[
            (item + seed) % 6
        ]

    ratings = small_study(
        seed,
        items=12,
        each=each,
        gaps=0,
        columns={
            "resolved_by": resolved,
            "issue": lambda item, *_: ("", "pronoun", "gender")[item % 3],
            "domain": lambda item, *_: ("news", "talk")[item % 2],
            "source": lambda item, *_: f"text {item}",
            **({"segment": lambda item, *_: str(item % each + 1)} if seed % 3 else {}),
        },
    )
    found = context_spans(ratings)
    return [found, span_table(found), span_table(found, "issue"), span_table(found, "domain"), passages(ratings, found)]


def tasks(seed):
    ratings = small_study(
        seed,
        items=24,
        raters=3,
        criteria=1 + seed % 2,
        level=(Level.ORDINAL, Level.INTERVAL)[seed % 2],
        gaps=0,
        columns={
            "task": lambda item, *_: ("gist", "chat", "law")[item * (seed + 1) // 5 % (2 + seed % 2)],
            "bleu": lambda item, *_: str((item * 7) % 5),
        },
    )
    return predict_task(ratings, "task", metrics=("bleu",) * (seed % 3 == 0), replicates=30, rng=random(seed))


def in_context(seed):
    ratings = scenarios(
        seed,
        steps=5,
        columns={
            "test_set": lambda item, *_: ("news", "talk")[item % 2],
            "issue": lambda item, *_: ("gender", "")[item % 2],
            "comment": lambda item, rater, _: ("", "odd")[(item + rater) % 2],
        },
    )
    names = condition_names(ratings, "scenario")
    cells = by_scenario(ratings, test_set="test_set" if seed % 2 else None, group="group", confidence=0.9)
    asked = {"without": names[0], "with_context": names[-1]}
    misjudged = said(lambda: find_misevaluations(ratings, **asked))
    lax = said(lambda: find_misevaluations(ratings, **asked, fine=2, fall=1))
    some = misjudged if not isinstance(misjudged, str) else ()
    changes = said(lambda: compare_several(ratings, "scenario", every_pair=True, replicates=40, rng=random(seed)))
    return {
        "cells": cells,
        "ranking": scenario_ranking(cells, "krippendorff_alpha"),
        "misjudged": misjudged,
        "lax": lax,
        "said": answers.scenario_answer(cells, (names[0], names[-1]), some, getattr(changes, "comparisons", ())),
        "remarks": answers.scenario_remarks(cells, (names[0], names[-1]), some),
        "shifts": said(lambda: score_shifts(ratings, first=names[0], second=names[-1])),
        "mark-up": [is_mark_up(ratings), any_error(ratings).value.tolist() if is_mark_up(ratings) else ""],
    }


def answered_statements(seed):
    ratings = scenarios(seed, criteria=1)
    effort = effort_table(ratings)
    counts = answer_counts(ratings)
    first, second = ratings.columns["scenario"].names[:2]
    return {
        "effort": effort,
        "counts": counts,
        "rows": effort_rows(effort),
        "table": answer_table(counts),
        "kinds": effort_rows(effort, {first: "none", second: "document"}),
        "differences": [one.difference(first, second) for one in effort],
    }


def correlated(seed):
    rng = random(seed)
    x, y = rng.integers(0, 4, 7).astype(float), rng.integers(0, 3, 7).astype(float)
    weights = rng.integers(0, 3, (6, 7)).astype(float)
    return [weighted_correlation(kind, x, y)(weights) for kind in KINDS]


def held_out(seed):
    rng = random(seed)
    labels, clusters = rng.integers(0, 2, 12), rng.integers(0, 5, 12)
    scores, weights = rng.integers(0, 4, 12).astype(float), rng.integers(0, 3, (4, 12)).astype(float)
    return [
        folds_of(clusters, labels, 3, rng),
        area_under_curve(labels > 0, scores, weights),
        cluster_interval(lambda w: w @ scores / w.sum(axis=1), clusters, "document", 40, rng, 0.9),
    ]


def at_the_limit(seed):
    """As if there were very many items: sums are drawn from their normal limit."""
    with patch.object(sizes, "sums_are_normal", return_value=True):
        found = compare_settings(shown(seed), "group", replicates=60, rng=random(seed))
        return [[one.differences for one in found], [one.differences for one in compared(seed, items=8, steps=4)]]


def refused(seed):
    """What cannot be compared, each in its sentence."""
    plain, two, one = small_study(seed), phases(seed), small_study(seed, conditions=("only",))
    mixed = small_study(seed, column="group", conditions=("A", "B", "C"), own=False)
    asks = [
        lambda: rater_groups(plain, "group"),
        lambda: rater_groups(mixed, "group"),
        lambda: compare_settings(small_study(seed, column="group", conditions=("A",)), "group", rng=random(0)),
        lambda: compare_settings(shown(seed), "group", source_groups=("nobody",), rng=random(0)),
        lambda: condition_names(plain, "phase"),
        lambda: condition_names(plain, "item"),
        lambda: condition_names(one, "phase"),
        lambda: conditions_of(two, "phase", "x", None),
        lambda: conditions_of(two, "phase", None, None),
        lambda: metric_columns(plain),
        lambda: metric_columns(plain, ("bleu",)),
        lambda: metric_columns(metrics(seed), ("scenario",)),
        lambda: directed_metrics(metrics(seed)),
        lambda: directed_metrics(metrics(seed), ("mine=low", "bleu")),
        lambda: metric_correlations(metrics(seed).where(np.arange(2)), rng=random(0)),
        lambda: context_spans(plain),
        lambda: find_misevaluations(scenarios(seed, criteria=1), without="x", with_context="y"),
        lambda: score_shifts(scenarios(seed), first="x", second="sentence"),
        lambda: predict_task(plain, "task", rng=random(0)),
        lambda: yardsticks(small_study(seed, level=Level.ORDINAL, direction=Direction.UNKNOWN)),
        lambda: yardsticks(small_study(seed, level=Level.ORDINAL, direction=Direction.HIGH)),
        lambda: bootstrap_variant({"SAME": [0.5]}, "a", random(0)),
        lambda: bootstrap_variant({}, "z", random(0)),
        lambda: compare_conditions(two, "phase", "x", "y", rng=random(0)),
        lambda: by_scenario(plain),
        lambda: effort_table(plain),
        lambda: asked_metrics(("ter", "ter=low")),
    ]
    return [said(ask) for ask in asks]


def contradicted(seed):
    rng = random(seed)
    return quadrants([f"i{place}" for place in range(9)], *rng.integers(0, 4, (2, 9)).astype(float).tolist())


ASKED = {
    "conditions": compared,
    "conditions-of-own-raters": lambda seed: compared(seed, own=True, raters=(2, 3, 4)[seed % 3], steps=4, shared=1),
    "conditions-of-documents": lambda seed: compared(seed, own=False, items=12, each=(1, 2, 3)[seed % 3], steps=4),
    "what-changed": lambda seed: in_words(compared(seed, steps=4, items=8)),
    "several-rounds": of_alpha,
    "compared-alike": alike,
    "order": lambda seed: [
        order_remark(phases(seed), "phase"),
        said(lambda: conditions_of(phases(seed), "phase", None, "x")),
    ],
    "items-changed": lambda seed: item_changes(*parted(seed)),
    "units": lambda seed: [own_raters(parted(seed)), documents_of(parted(seed), list(phases(seed).item.names))],
    "metrics": lambda seed: metric_correlations(metrics(seed), replicates=40, rng=random(seed)),
    "metrics-by-scenario": lambda seed: metric_correlations(
        metrics(seed), ("bleu", "ter=low"), condition="scenario" * (seed % 2 == 0), replicates=40, rng=random(seed)
    ),
    "metrics-apart": lambda seed: metric_differences(
        metrics(seed), condition="scenario" * (seed % 2 == 0), replicates=40, rng=random(seed)
    ),
    "metrics-in-words": lambda seed: answers.metric_answer(
        metric_correlations(metrics(seed), replicates=40, rng=random(seed))
    ),
    "references": biased,
    "sources": lambda seed: guessed_sources(shown(seed), "group"),
    "variants": varied,
    "quadrants": contradicted,
    "yardsticks": lambda seed: [
        (found := yardsticks(texts(seed))),
        answers.yardstick_answer(found),
        yardsticks(texts(seed, column="condition", conditions=("reference", "post-edit")), "condition").results,
    ],
    "wrong-references": lambda seed: erroneous_references(
        small_study(
            seed,
            columns={"reference_error": lambda item, *_: ("none", "bad", "")[(item * (1 + seed)) % (2 + seed % 2)]},
        )
    ),
    "spans": spans,
    "tasks": tasks,
    "context": in_context,
    "statements": answered_statements,
    "weighted": correlated,
    "held-out": held_out,
    "at-the-limit": at_the_limit,
    "refused": refused,
}


@pytest.mark.parametrize("name", ASKED)
def test_small_studies_compare_as_they_were_recorded(name):
    assert_as_recorded("comparisons", name, ASKED[name], SEEDS[: FEWER.get(name)])
