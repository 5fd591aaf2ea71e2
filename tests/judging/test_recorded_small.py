"""What is found of a judge in small studies is what was recorded: every number and sentence, on each mark too."""

from itertools import product
from random import Random

import numpy as np
import pytest

import accord
from accord.design.scale import Direction, Level, Scale
from accord.diagnosis.part import parts_of
from accord.inference.interval import Interval
from accord.judging.alternative import AltTest, HumanLeftOut
from accord.judging.answers import by_place
from accord.judging.corrected import Corrected, Sums, corrected, difference, independent_mean, left_out
from accord.judging.deciding import labels_to_decide, labels_to_win
from accord.judging.errs import adjusted_effects, confusion, effect_left_out, effect_of, far_items, scale_use
from accord.judging.labels import labels_for, labels_to_reach
from accord.judging.panel import panel_of
from accord.judging.position import position_effects
from accord.judging.probes import family_of
from accord.judging.reach import Reach, Side
from accord.judging.scores import worth_of
from accord.judging.shares import corrected_share, verdicts_from
from accord.judging.steadiness import drift_of, runs_of, settings_of
from accord.ratings.table import Factor, Ratings
from small_studies import assert_as_recorded, said

SEEDS = range(20)
FEWER = {"dossiers": 12, "families": 12}
LABELS = (("a", "b"), ("first", "second", "tie"), ("A", "B", "tie"), ("left", "right"))


def judged(seed, **given):
    """A judge, another model and people; the columns say how it was asked, in which order and when."""
    rng = Random(seed)
    drawn = {
        "documents": rng.choice((3, 5, 8)),
        "each": rng.choice((2, 3)),
        "labelled": rng.choice((0.4, 0.7, 1)),
        "people": rng.choice((1, 2, 3)),
        "steps": rng.choice((2, 3, 5)),
        "noise": rng.choice((0, 0.5, 1.5)),
        "shift": rng.choice((-1, 0, 0.7)),
        "runs": rng.choice((1, 1, 2, 3)),
        "systems": rng.choice((1, 2, 3)),
        "nominal": seed % 3 == 2,
        "columns": rng.sample(sorted(COLUMNS), 4),
    } | given
    rows = list(_rows(rng, drawn))
    values = LABELS[seed // 3 % 4] if drawn["nominal"] else tuple(map(float, range(1, drawn["steps"] + 1)))
    names = [name for name in rows[0] if name not in ("item", "rater", "value")]
    return Ratings(
        item=Factor.of([row["item"] for row in rows]),
        rater=Factor.of([row["rater"] for row in rows]),
        value=np.array([int(row["value"] - 1) % len(values) for row in rows], dtype=np.int32),
        scale=Scale(
            (Level.ORDINAL, Level.INTERVAL, Level.NOMINAL)[2 if drawn["nominal"] else seed % 2],
            values,
            declared=seed % 4 > 0,
            direction=(Direction.HIGH, Direction.LOW, Direction.UNKNOWN)[seed % 3],
        ),
        columns={name: Factor.of([row[name] for row in rows]) for name in names},
        numbers={"time_s": np.arange(len(rows)) % 9 + 1.0},
    )


COLUMNS = {
    "prompt": lambda item, run, kind: ("v1", "v2")[run % 2] if kind == "model" else "",
    "version": lambda item, run, kind: f"2024-0{1 + item % 3}" if kind == "model" else "",
    "shown": lambda item, run, kind: ("first", "second")[(item + run) % 2],
    "swapped": lambda item, run, kind: ("no", "yes")[run % 2],
    "shown_first": lambda item, run, kind: ("a", "b")[(item + run) % 2],
    "sampling": lambda item, run, kind: ("", "targeted", "random")[item % 3],
    "language_pair": lambda item, run, kind: ("en-de", "en-fr", "en-cs")[item % 3],
    "domain": lambda item, run, kind: ("news", "talk")[item % 2],
    "round": lambda item, run, kind: str(item % 4),
    "date": lambda item, run, kind: f"2024-01-0{1 + item % 5}" if item % 7 else "",
    "target": lambda item, run, kind: ("word " * (1 + item % 5)) + ("**bold**" if item % 3 == 0 else ""),
    "source": lambda item, run, kind: "source " * (1 + item % 4),
}


def _rows(rng, drawn):
    places = product(range(drawn["systems"]), range(drawn["documents"]), range(drawn["each"]))
    for number, (system, document, segment) in enumerate(places, start=1):
        truth = rng.uniform(1, drawn["steps"]) + 0.3 * system
        raters = [("judge", "model", run) for run in range(drawn["runs"])] + [("other", "model", 0)]
        if rng.random() < drawn["labelled"] or number == 1:
            raters += [(f"p{person}", "human", 0) for person in range(drawn["people"]) if rng.random() < 0.9]
        for rater, kind, run in raters:
            told = truth + rng.gauss(0, drawn["noise"]) + (drawn["shift"] if rater == "judge" else 0)
            row = {
                "item": f"s{system}d{document}.{segment}",
                "rater": rater,
                "kind": kind,
                "occasion": str(run + 1),
                "value": max(1, min(drawn["steps"], round(told))),
                "document": f"d{document}",
                "system": ("gpt-x", "mine", "llama")[system],
            }
            yield row | {name: COLUMNS[name](number, run, kind) for name in drawn["columns"]}


def dossier(seed):
    asked = {
        "positive": ("", "2", "a")[seed % 3],
        "half_width": (0.0, 0.2)[seed % 2],
        "next_labels": 1 + seed % 4,
        "confidence": (0.95, 0.8)[seed % 2],
        "epsilon": (0.2, 0.0)[seed % 2],
        "gate": {"winning_rate": 0.5, "bias": 0.3, "alpha_loss": 0.1, "unsteady": 0.2} if seed % 2 else None,
    }
    answer = accord.judge(judged(seed), ("judge", "")[seed % 2], **asked)
    return {"said": str(answer).splitlines(), "numbers": answer.to_dict()}


def panels(seed, **given):
    return [panel_of(part, "judge", ("other",)) for part in parts_of(judged(seed, **given))]


def of_panel(seed, **given):
    return [
        {
            "places": [one.judge, one.item, one.value, one.mean, one.counts, one.matrix, one.cluster],
            "facts": [one.units, one.unseen, one.targeted, list(one.people), dict(one.setting), list(one.notes)],
            "runs": runs_of(one, level=0.9),
            "settings": settings_of(one),
            "drift": drift_of(one),
            "position": position_effects(one),
            "confusion": str(confusion(one)),
            "use": str(scale_use(one)),
            "far": far_items(one, 3),
        }
        for one in panels(seed, **given)
    ]


def of_sums(seed):
    rng = random(seed)
    systems, documents = 1 + seed % 3, 4 + seed
    labels, others = rng.integers(0, 4, (systems, documents)), rng.integers(0, 5, (systems, documents))
    people = labels * rng.integers(1, 5, labels.shape) + rng.integers(0, 2, labels.shape) * (labels > 0)
    there = people + rng.integers(-1, 2, labels.shape) * (labels > 0)
    sums = Sums(
        *(np.asarray(one, dtype=float) for one in (labels, people, there, others, others * 2.5)),
        step=(0.0, 1.0)[seed % 2],
        ends=(None, (1.0, 5.0))[seed % 2],
    )
    return {
        "all": corrected(sums, level=0.9),
        "apart": difference(sums, 0, systems - 1),
        "worth": worth_of(sums, level=0.9),
        "left": left_out(sums),
        "half": left_out(sums, 0.5),
        "alone": independent_mean(*(rng.integers(1, 6, size).astype(float) for size in (3 + seed, 3 + seed, 9))),
    }


def random(seed):
    return np.random.default_rng(seed)


def reached(seed):
    sides = tuple(
        Side(mean, 0.04 * (1 + seed % 3), 3.0 + seed, skewness)
        for mean, skewness in ((1.0, 0.5), (2.0, -1.0), (4.9, 0.0), (5.0, 2.0))
    )
    ends = (None, (1.0, 5.0))[seed % 2]
    two = Reach((sides[seed % 4], sides[(seed + 1) % 4]), 0.02 * (1 + seed), 2.0 + seed, ends)
    return [
        [side.at(ends, level) for side in sides for level in (0.5, 0.95)],
        two.at(0.9),
        Reach(sides[:1], 1, 9, ends).at(0.8),
        [two.p(size) for size in (-3.0, -0.2, 0.0, 0.2, 3.0)],
    ]


def in_labels(seed):
    interval = Interval(low=0.1 * (seed - 4), high=0.1 * seed + 0.2, level=0.95, method="m")
    value = sum((interval.low, interval.high)) / 2
    people = tuple(
        HumanLeftOut(
            human=f"p{at}",
            items=30,
            judge_wins=0.5,
            human_wins=0.4 + 0.05 * at,
            p=(0.001, 0.5, 0.2, 0.9)[at],
            beaten=True,
        )
        for at in range(1 + seed % 4)
    )
    test = AltTest(
        judge="J",
        epsilon=0.1 * (seed % 3),
        humans=people,
        winning_rate=0.5,
        passed=True,
        advantage=0.5,
        winning_interval=None,
        advantage_interval=None,
        left=(),
    )
    one = Corrected(
        mean=3.0,
        standard_error=0.1 * seed,
        freedom=9.0,
        interval=interval if seed else None,
        weight=0.5,
        people_only=3.0,
        people_error=0.2,
        judge_only=3.1,
        rated=20 + seed,
        judged=90,
        documents=10,
    )
    return [
        [
            labels_to_decide(value, interval, limit, 40, 10, either_side=side)
            for limit in (0.0, 0.1, 0.3, 0.5)
            for side in (True, False)
        ],
        [labels_to_win(test, limit) for limit in (0.0, 0.25, 0.5, 0.75, 1.0)],
        [labels_for(one, half) for half in (-0.1, 0.0, 0.01, 0.1, 0.2, 0.5)],
        [labels_to_reach(0.5, wanted, 10 + seed, 5.0, level=0.9) for wanted in (0.0, 1e-6, 0.1, 0.5, 0.6)],
        [labels_to_reach(0.0, 0.1, 10, 5.0, level=0.9), labels_to_reach(0.3, 0.1, 60, 1.0 + seed, level=0.95)],
    ]


def verdicts(seed):
    rng = random(seed)
    documents = 3 + seed
    yes, no, other = (rng.integers(0, 4, documents).astype(float) for _ in range(3))
    right = np.minimum(yes, rng.integers(0, 4, documents)), np.minimum(no, rng.integers(1, 4, documents))
    sums = np.column_stack([right[0], yes, right[1], no, np.round(other / 2), other])
    shares = (0.0, 0.3, 1.0, 1.1, -0.1)
    return [
        verdicts_from("yes", 10, sums, 0.9, "items") if yes.sum() and no.sum() and other.sum() else "",
        verdicts_from("yes", 10, sums * 5),
        [
            said(lambda one=one: corrected_share(*one[:1], true_positive=one[1], true_negative=one[2]))
            for one in product(shares, (0.5, 0.9), (0.5, 0.8))
        ][seed::12],
    ]


def effects(seed):
    rng = random(seed)
    values, cluster = rng.integers(-1, 3, 8 + seed).astype(float), rng.integers(0, 3 + seed, 8 + seed)
    cluster = np.unique(cluster, return_inverse=True)[1]
    made = [
        effect_of("mean", values, cluster, level=0.9, units="items", note="n"),
        effect_left_out("slope", 0.5, rng.random(2 + seed), items=9, level=0.8),
        effect_left_out("hangs", 0.5, np.array([0.5, np.nan]), items=9),
        effect_of("same", np.ones(6), np.arange(6)),
    ]
    return [made, adjusted_effects(made)]


NAMES = (
    "gpt-4o",
    "my-claude",
    "phi-3",
    "sophia",
    "o1",
    "o12",
    "command-r",
    "x",
    "Mixtral 8x7B",
    "gemini",
    "grok1",
    "GPT4",
)


ASKED = {
    "dossiers": dossier,
    "panels": of_panel,
    "panels-of-runs": lambda seed: of_panel(seed, runs=3, labelled=1, documents=6, people=2, noise=1.5),
    "sums": of_sums,
    "reached": reached,
    "labels": in_labels,
    "verdicts": verdicts,
    "effects": effects,
    "families": lambda seed: family_of(NAMES[seed]),
    "by-place": lambda seed: [by_place(LABELS[seed % 4]), by_place(("first", "x")), by_place(("tie",)), by_place(())],
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_found_of_a_judge_in_small_studies_is_what_was_recorded(name):
    assert_as_recorded("judging", name, ASKED[name], SEEDS[: FEWER.get(name)])
