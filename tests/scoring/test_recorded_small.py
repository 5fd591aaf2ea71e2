"""Scores and rankings of small studies are what was recorded: every number and sentence, on and beside each mark."""

import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import accord
from accord.design.scale import Direction, Level
from accord.scoring.assessment import direct_assessment
from accord.scoring.calibrated import calibrated_score, penalty_points
from accord.scoring.choices import are_choices
from accord.scoring.critical_tables import k_table, t_table
from accord.scoring.error_rates import ERRORS, POINTS, Variation, error_rate, operating_curve, sampling_plan
from accord.scoring.gate_exclusions import better_is_higher, gated, who_fails
from accord.scoring.history import read_history
from accord.scoring.item_scores import ends_of_scale, score_items
from accord.scoring.mqm import MqmError, Ruling, arbitrated, mqm_segments, mqm_systems, repeated_errors, ruled
from accord.scoring.mqm_differences import mqm_differences
from accord.scoring.mqm_means import system_intervals
from accord.scoring.mqm_reviewers import critical_errors, critical_words, reviewers_apart
from accord.scoring.preference_answers import chosen
from accord.scoring.preference_result import Preference
from accord.scoring.preference_words import further, pairs_table, preferred, systems_table
from accord.scoring.preferences import bradley_terry_davidson
from accord.scoring.ranking.rank import clusters_by_wins, few_shared, rank_criteria
from accord.scoring.ranks import pairwise_kappas, placed_pairs, preferences_of
from accord.scoring.rater_gate import gate_power
from accord.scoring.segment_sampling import sample_segment_sets
from accord.scoring.shrinkage import shrink
from accord.scoring.student import critical_value, quantile, scores_needed, standardised_half_width
from accord.scoring.task_times import started_at, task_times
from small_studies import assert_as_recorded, said, small_study

SEEDS = range(14)
FEWER = {"rates": 6, "presets": 9, "sentences": 8, "histories": 8}
SYSTEMS = ("A", "B", "C")


def random(seed):
    return np.random.default_rng(seed)


def systems(seed, **given):
    """The same segments by several systems, an item each."""
    rng = Random(seed)
    items = rng.choice((6, 9, 12, 18))
    drawn = {
        "items": items,
        "systems": (2, 3)[seed % 2],
        "each": rng.choice((2, 3, 6)),
        "raters": rng.choice((1, 2, 3)),
        "steps": 5,
        "level": (Level.INTERVAL, Level.ORDINAL)[seed % 3 == 0],
        "criteria": 1,
        "columns": {"segment": lambda item, *_: str(item // (2, 3)[seed % 2])},
    } | given
    return small_study(seed, **drawn)


def ranked(seed, **options):
    made = accord.rank(systems(seed, raters=3), seed=seed, **options)
    return {"said": str(made).splitlines(), "numbers": made.to_dict()}


def each_option(seed):
    rng = Random(seed)
    options = {
        "test": rng.choice(("t", "permutation")),
        "standardise": rng.choice((None, True)),
        "level": rng.choice((0.95, 0.8)),
        "resample": rng.choice(("document", "rater", "document-and-rater")),
        "average": rng.choice((None, "document", "segment", "weighted")),
        "direction": rng.choice(("high", "low", None)),
    }
    return ranked(seed, **options)


def together(seed):
    ratings = systems(seed, criteria=2)
    parts = [part.ratings for part in ratings.split(("criterion",))]
    return [[one.to_dict(), str(one).splitlines()] for one in rank_criteria(parts, seed=seed, whole=ratings)]


def scored(seed):
    rng = Random(seed)
    values = [rng.choice((0.0, 70.0, 79.0, 80.0, 80.0, 81.0, 97.0, 100.0)) for _ in range(1 + seed % 4)]
    prior = rng.choice((None, 80.0, 60.0, values[0]))
    made = accord.score(
        values,
        prior=prior,
        threshold=rng.choice((80.0, 75.0, None)),
        confidence=rng.choice((0.8, (0.75, 0.95))),
        law=rng.choice(("normal", "unknown")),
        method=rng.choice(("auto", "t", "paper")),
        direction=("high", "low")[seed % 3 == 1],
        spread=(None, 3.0)[seed % 2],
    )
    return {"said": str(made).splitlines(), "numbers": made.to_dict()}


def drawn_towards(values, spread, seed):
    found = shrink(values, [[70.0, 72.0], [75.0], [90.0, 91.0], [60.0 + seed]], spread)
    return [found.centre, *map(found.below, (70, 80)), *map(found.quantile, (0.1, 0.5)), float(found.spreads.sum())]


def students(seed):
    level = (0.5, 0.75, 0.8, 0.9, 0.95, 0.99)[seed % 6]
    return [
        [said(lambda n=n, t=t: critical_value(level, n, tails=t)) for n, t in product((1, 2, 3, 30, 31, 32), (1, 2))],
        [standardised_half_width(level, n) for n in (2, 3, 10)],
        [quantile(level, f) for f in (1.0, 2.5, 30.0)],
        [said(lambda w=w: scores_needed(w, 4.0, level)) for w in (0.0, 0.5, 4.0, 8.0, 50.0)],
        drawn_towards([80.0 + seed, 78.0][: 1 + seed % 2], (None, 2.0)[seed % 3 > 0], seed),
        [shrink([80.0], [[70.0], [75.0]]), shrink([80.0], [[70.0]] * 4, 1.0), t_table((1, seed + 2), (0.1, 0.025))],
        k_table((0.05 + 0.03 * seed,)),
    ]


def rates(seed):
    variation = (ERRORS, POINTS, Variation(dispersion=1, severity=0))[seed % 3]
    counts = ((0,), (3,), (10, 14), (5, 5, 6), (40,), (2.5,))[seed]
    asks = [
        lambda: error_rate(
            counts, 500 * (1 + seed), acceptable=(None, 5.0, 10.0)[seed % 3], variation=variation, level=0.9
        ),
        lambda: error_rate(
            counts, 1000, acceptable=9.0, criticals=seed, reviewers=("ann", "bob", "cem")[: len(counts)]
        ),
        lambda: str(error_rate(counts, 1000, acceptable=9.0, criticals=(seed < 4) % 2, variation=variation)),
        lambda: error_rate(counts, (0, 1000)[seed % 2], reviewers=("ann",) * 5),
        lambda: operating_curve(1000, 8.0, reviewers=1 + seed % 3, variation=variation, rates=(2.0, 8.0, 20.0)),
        lambda: operating_curve(500, (0.0, 4.0)[seed % 2]),
        lambda: str(sampling_plan(4.0, (4.0, 3.0, 80.0)[seed % 3], variation=variation)) if seed < 2 else "",
        lambda: (
            sampling_plan(5.0, 20.0, alpha=0.1, beta=(0, 1, 0.2)[seed % 3], variation=variation) if seed < 2 else ""
        ),
        lambda: calibrated_score(counts, 1000, passing=(90, 0, 100, 80)[seed % 4], acceptable=9.0, criticals=seed % 2),
        lambda: str(calibrated_score(counts, 2000, passing=85, acceptable=6.0, variation=variation)) if seed else "",
        lambda: penalty_points(("minor", "Major", "critical", "neutral")[: seed % 5]),
    ]
    return [said(ask) for ask in asks]


def preferences(seed):
    rng = Random(seed)
    names = ("A", "B", "C", "D")[: 2 + seed % 3]
    made = []
    for at in range(rng.choice((3, 8, 20))):
        first, second = rng.sample(names, 2)
        winner = rng.choice((first, second, "", min(first, second)))
        made.append(Preference(first, second, winner, item=f"i{at % 5}", rater=f"r{at % (1 + seed % 4)}"))
    return made


def preferring(seed):
    found = bradley_terry_davidson(preferences(seed), level=(0.95, 0.8)[seed % 2])
    return {
        "numbers": found.to_dict(),
        "said": preferred(found, 0.95),
        "systems": systems_table(found),
        "pairs": pairs_table(found),
        "further": further(found),
    }


def placed(seed):
    ratings = systems(
        seed,
        steps=3,
        raters=3,
        name=lambda item: f"i{item // 3}:S{item % (2, 3)[seed % 2]}",
        columns={"occasion": lambda item, rater, _: str(1 + (item + rater) % (1 + seed % 2))},
    )
    pairs = placed_pairs(ratings)
    return {
        "pairs": [str(one) for one in pairs[:12]],
        "kappas": pairwise_kappas(pairs, seed, replicates=50, level=0.9),
        "preferences": [str(one) for one in preferences_of(pairs)[:8]],
    }


def errors(seed):
    rng = Random(seed)
    severities, categories = (
        ("Minor", "Major", "Critical", "Neutral", "No-error"),
        ("Accuracy/Omission", "Style", "Fluency/Punctuation"),
    )
    made = [
        MqmError(
            item=f"{system}-{at}",
            rater=f"r{rng.randint(1, 3)}",
            category=rng.choice(categories),
            severity=rng.choice(severities),
            system=system,
            document=f"d{at // 2}",
            text=rng.choice(("x", "y")),
            segment=str(at),
        )
        for system in SYSTEMS[: 1 + seed % 3]
        for at in range(8)
        for _ in range(rng.randint(0, 3))
    ]
    ruling = {"ruling": rng.choice((None, *Ruling)), "downgraded_to": rng.choice(("Minor", "Neutral"))}
    return [replace(one, **ruling) if one.severity in ("Major", "Critical") else one for one in made]


def mqm(seed):
    found = errors(seed)
    segments = mqm_segments(found, limit=(None, 3)[seed % 2])
    return {
        "segments": segments,
        "systems": mqm_systems(segments),
        "intervals": system_intervals(segments, 0.9),
        "apart": said(lambda: mqm_differences(segments, 0.9)),
        "reviewers": reviewers_apart(segments, 0.9),
        "critical": critical_words(critical_errors(found)),
        "ruled": [str(ruled(one)) for one in found[:9]],
        "arbitrated": [str(one) for one in arbitrated(found)],
        "repeated": [str(one) for one in repeated_errors(found)],
    }


def assessed(seed, **given):
    roles = ("system", "system", "system", "degraded", "repeat", "reference", "attention")
    suffix = {3: "#bad", 5: "#ref", 6: "#attention"}
    return small_study(
        seed,
        items=42,
        raters=3,
        steps=5,
        criteria=1,
        noise=(0.4, 0.8)[seed % 2],
        each=7,
        shift=lambda item, rater: -2.0 * (item % 7 == 3 and rater <= seed % 3),
        name=lambda item: f"i{item - item % 7 if item % 7 > 2 else item}{suffix.get(item % 7, '')}",
        level=Level.INTERVAL,
        gaps=(0, 0.1)[seed % 2],
        direction=(Direction.HIGH, Direction.LOW)[seed % 5 == 4],
        columns={
            "system": lambda item, *_: f"S{item // 7 % 2}",
            "role": lambda item, *_: roles[item % 7],
            "occasion": lambda item, *_: "2" if item % 7 == 4 else "1",
            "segment": lambda item, *_: str(item // 7),
            "batch": lambda item, rater, _: str(item // 14),
            "begun": lambda item, *_: f"2024-01-01T10:{(item % 2) * 3:02}:00",
            "rejected": lambda item, rater, _: str(rater),
        },
        **given,
    )


def assessing(seed):
    ratings = assessed(seed)
    found = said(
        lambda: direct_assessment(
            ratings, minimum=1 + seed % 3, fastest=30, longest_run=2, alpha=(0.05, 0.4)[seed % 2], rng=random(seed)
        )
    )
    rows = np.flatnonzero(ratings.rater.codes == seed % 3)
    kept = gated(ratings, keep_all=seed % 2 == 0)
    return {
        "answer": found,
        "fails": who_fails(ratings),
        "kept": [len(kept), *kept.notes],
        "power": [
            gate_power(pairs, effect, 0.05) for pairs, effect in product((0, 1, 2, 10), (0.0, 0.5, float("nan")))
        ],
        "times": task_times(ratings, rows, started_at(ratings, ("begun", None)[seed % 2])),
        "turned": better_is_higher(ratings).scores[:6].tolist(),
        "choices": are_choices(ratings),
        "in words": said(
            lambda: str(accord.da(ratings, minimum=2, started="begun", rejections="rejected", halvings=5)).splitlines()
        ),
    }


def items(seed):
    ratings = small_study(seed, level=(Level.INTERVAL, Level.NOMINAL)[seed % 7 == 6], steps=5, items=6)
    return {
        "scores": said(lambda: score_items(ratings, prior=(None, 3.0)[seed % 2], threshold=3.0, scale=(1.0, 5.0))),
        "ends": said(lambda: ends_of_scale(ratings)),
        "sets": said(
            lambda: sample_segment_sets(
                ratings.scores, random(seed), sizes=(1, 3 - seed % 4), replicates=100, threshold=3.0
            )
        ),
    }


def histories(seed):
    rng = Random(seed)
    vendors = ("Aster", "Briar")
    rows = ["vendor,date,score,words,work"]
    for at in range(6):
        score = (
            rng.choice(("70", "85.5", "n/a", "92", "101")) if seed % 4 == 3 else rng.choice(("70", "85.5", "92", "77"))
        )
        rows.append(f'{vendors[at % 2]},2024-0{1 + at}-10,{score},"1,{100 + at}",w{at // 2}')
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "h.csv"
        path.write_text("\n".join(rows) + "\n")
        found = said(
            lambda: read_history(path, vendor=(None, "Aster", "Nobody")[seed % 3], scale=(0.0, 100.0), missing=("n/a",))
        )
        if isinstance(found, str):
            return found.replace(str(folder), "")
        prior = said(lambda: found.prior())
        told = (
            said(lambda: str(accord.score([80.0 + seed], prior=prior, threshold=80)).splitlines())
            if not isinstance(prior, str)
            else ""
        )
        return {"all": str(found).replace(str(folder), ""), "prior": prior, "score": told}


ASKED = {
    "ranked": ranked,
    "options": each_option,
    "presets": lambda seed: ranked(seed, preset=("wmt17", "wmt23", "wmt25")[seed % 3], direction="high"),
    "together": together,
    "scored": scored,
    "students": students,
    "rates": rates,
    "preferring": preferring,
    "placed": placed,
    "chosen": lambda seed: said(
        lambda: chosen(
            "A", "B", ("A", "B", "tie", "first", "second", "1", "2", "0", "", "C", "=", "both", "a", " b ")[seed]
        )
    ),
    "mqm": mqm,
    "assessing": assessing,
    "items": items,
    "histories": histories,
    "wins": lambda seed: [clusters_by_wins(random(seed).integers(0, 4, 1 + seed % 5)), few_shared(seed, "documents")],
}


@pytest.mark.parametrize("name", ASKED)
def test_scores_of_small_studies_are_what_was_recorded(name):
    assert_as_recorded("scoring", name, ASKED[name], SEEDS[: FEWER.get(name)])
