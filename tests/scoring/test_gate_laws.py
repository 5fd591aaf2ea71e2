"""Laws of the check of raters and of what is refused: against scipy, by hand, and exactly on their bounds."""

from types import SimpleNamespace as Made

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats

import accord
from accord.errors import AccordError
from accord.scoring import ranks, rater_gate, scarce
from accord.scoring.rater_gate import Outcome, RaterGate

QUICK = settings(max_examples=15)


def gate(**more):
    usual = {
        "rater": "A",
        "pairs": 9,
        "difference": -2.0,
        "p": 0.2,
        "passed": False,
        "flags": (),
        "deviation": 1.0,
        "repeat_difference": 0.0,
        "ratings": 20,
        "power": 0.9,
    }
    return RaterGate(**(usual | more))


@QUICK
@given(some.lists(some.integers(-9, 9), min_size=2, max_size=12))
def test_degraded_copies_are_tested_by_the_one_sided_paired_t_of_scipy(given_ones):
    moves = np.array(given_ones, dtype=float)
    p = rater_gate._paired_p(moves)
    if moves.std() == 0:
        assert p == (1.0 if moves[0] >= 0 else 0.0)
    else:
        assert p == pytest.approx(stats.ttest_1samp(moves, 0, alternative="less").pvalue)
    assert np.isnan(rater_gate._paired_p(moves[:1]))


@QUICK
@given(some.lists(some.integers(-9, 9), min_size=3, max_size=12))
def test_an_effect_is_that_of_hedges(given_ones):
    moves = np.array(given_ones, dtype=float)
    found = rater_gate._effect(moves)
    if moves.std() == 0:
        assert np.isnan(found)
    else:
        n = len(moves)
        assert found == pytest.approx(-moves.mean() / moves.std(ddof=1) * (1 - 3 / (4 * (n - 1) - 1)))
    assert np.isnan(rater_gate._effect(moves[:2]))


@pytest.mark.parametrize(("pairs", "effect"), [(2, 0.5), (6, 1.0), (20, 0.3)])
def test_power_is_that_of_the_shifted_t(pairs, effect):
    found = rater_gate.gate_power(pairs, effect, 0.05)
    limit = stats.t.ppf(0.95, pairs - 1)
    assert found == pytest.approx(stats.nct.sf(limit, pairs - 1, effect * np.sqrt(pairs)), abs=1e-6)
    assert rater_gate.gate_power(pairs, 0.0, 0.05) == 0.05 and np.isnan(rater_gate.gate_power(1, effect, 0.05))


def test_a_rater_fails_only_where_a_usual_one_would_mostly_have_passed():
    assert gate(passed=True).outcome is Outcome.PASSED
    assert gate(passed=True, deviation=0.0).outcome is gate(deviation=0.0).outcome is Outcome.FAILED
    limit = rater_gate._ENOUGH_POWER
    assert gate(power=limit).outcome is Outcome.FAILED
    assert gate(power=limit - 0.01).outcome is gate(power=np.nan).outcome is Outcome.CANNOT_TELL
    assert gate(p=np.nan, power=0.99).outcome is Outcome.CANNOT_TELL
    assert 0.5 < limit < 1


def test_copies_are_told_as_worse_or_better_by_their_sign():
    assert gate(difference=-2.0).worse_words == "9 pairs, copies 2.00 worse"
    assert gate(difference=2.0).worse_words == "9 pairs, copies 2.00 better"
    assert gate(difference=0.0).worse_words == "9 pairs, copies scored alike"


def test_a_gate_passes_below_its_level_and_not_at_it():
    moves = np.array([-3.0, -1, -2, -4, 0, -2])
    p = rater_gate._paired_p(moves)
    for alpha, passed in ((p, False), (p * 1.001, True)):
        made = rater_gate._gate("A", moves, np.array([2.0, -4.0]), np.array([1.0, 3.0]), alpha, ())
        assert made.passed is passed and made.repeat_difference == 3 and made.difference == -2
        assert made.deviation == pytest.approx(np.sqrt(2)) and made.pairs == 6 and made.ratings == 2


def flagged(scores, order, longest=3, roles=None):
    rows = np.arange(len(scores))
    numbers = {"order": np.array(order, dtype=float)}
    roles = np.array(roles or ["system"] * len(scores), dtype=object)
    by_role = {role: roles == role for role in ("degraded", "system", "reference")}
    return rater_gate._score_flags(Made(numbers=numbers), rows, by_role, np.array(scores, dtype=float), longest)


def test_scores_are_flagged_by_runs_longer_than_allowed_in_the_order_they_were_given():
    assert flagged([5, 5, 1, 5], [1, 2, 9, 3]) == [] and flagged([5, 5, 1, 5], [1, 2, 9, 3], 2) == [
        "one score 3 times in a row"
    ]
    assert flagged([5, 5], [1, 2]) == ["one and the same score throughout"]
    wrong = flagged([5, 3, 4, 9], [1, 2, 3, 4], roles=["degraded", "system", "system", "reference"])
    assert wrong == ["means out of order: degraded 5, system 3.5, reference 9"]
    assert flagged([1, 3, 4, 9], [1, 2, 3, 4], roles=["degraded", "system", "system", "reference"]) == []


BOUNDS = [
    ({"values": [0.0, 100.0]}, {"values": [-0.1, 100.0]}, "The score -0.1 lies off the scale from 0 to 100"),
    ({"values": [50.0, 100.0]}, {"values": [50.0, 100.1]}, "The score 100.1 lies off the scale"),
    ({"threshold": 0.0}, {"threshold": -1.0}, "The threshold -1 lies off the scale from 0 to 100"),
    ({"threshold": 100.0}, {"threshold": 101.0}, "The threshold 101 lies off the scale"),
    ({"values": [80.0], "prior": 0.0}, {"values": [80.0], "prior": -1.0}, "The prior -1 lies off the scale"),
    ({"values": [80.0], "prior": 100.0}, {"values": [80.0], "prior": 101.0}, "The prior 101 lies off the scale"),
    ({"confidence": 0.01}, {"confidence": 0.0}, "A confidence of 0 is not possible"),
    ({"confidence": 0.99}, {"confidence": 1.0}, "A confidence of 1 is not possible"),
    ({"confidence": [0.8]}, {"confidence": []}, "There is no confidence level"),
    ({"values": [80.0, 82.0]}, {"values": []}, "There is no score"),
    ({"values": [80.0], "prior": 70.0}, {"values": [80.0]}, "One score alone has no interval"),
]


@pytest.mark.parametrize(("fits", "wrong", "said"), BOUNDS)
def test_what_lies_on_a_bound_is_taken_and_what_lies_beyond_is_named(fits, wrong, said):
    usual = {"values": [76.0, 84.0]}
    assert scarce.score(**(usual | fits)).intervals
    with pytest.raises(AccordError, match=f"^{said}"):
        scarce.score(**(usual | wrong))


@pytest.mark.parametrize("level", [0.74, 0.745, 0.8, 0.805, 0.81])
def test_another_confidence_than_the_compromise_of_the_paper_is_remarked_on(level):
    said = scarce.score([80.0], prior=70.0, confidence=level).cautions
    assert (scarce.COMPROMISE in said) is not (0.745 <= level <= 0.805)


def placed(item, rater, winner, is_repeat=False, part=("de",)):
    return Made(
        item=item, rater=rater, winner=winner, first="S", second="T", is_repeat=is_repeat, part=part, task=(item, rater)
    )


def test_agreement_on_ranks_is_counted_over_pairs_of_raters_and_corrected_by_ties():
    rng = np.random.default_rng(0)
    pairs = [placed(f"i{n}", rater, rng.choice(["S", "T", ""])) for n in range(12) for rater in "ABC"]
    pairs.append(placed("i0", "A", "S", is_repeat=True))
    found = ranks.pairwise_kappa(pairs, np.random.default_rng(0), replicates=200)
    first = [one for one in pairs if not one.is_repeat]
    met = [
        (one.winner == other.winner)
        for at, one in enumerate(first)
        for other in first[at + 1 :]
        if one.item == other.item and one.rater != other.rater
    ]
    tied = np.mean([not one.winner for one in first])
    chance = tied**2 + 2 * ((1 - tied) / 2) ** 2
    assert found.comparisons == len(met) == 36 and found.items == 12
    assert found.agreed == pytest.approx(np.mean(met)) and found.expected == pytest.approx(chance)
    assert found.value == pytest.approx((np.mean(met) - chance) / (1 - chance)) and found.ties == pytest.approx(tied)
    assert found.interval.low <= found.value <= found.interval.high
    same = ranks.pairwise_kappa([placed("i", rater, "S") for rater in "AB"], np.random.default_rng(0))
    assert same.value == 1 and same.interval is None


def test_a_rater_is_compared_with_the_own_repeats_alone():
    one, again, other = placed("i", "A", "S"), placed("i", "A", "T", is_repeat=True), placed("i", "B", "S")
    assert ranks._compared(one, again, True) and not ranks._compared(one, other, True)
    assert not ranks._compared(one, one, True) and not ranks._compared(other, again, True)
    assert ranks._compared(one, other, False) and not ranks._compared(one, again, False)


def test_a_repeat_is_compared_with_the_answer_it_repeats_and_not_with_a_later_measurement():
    """After a guideline round all texts are judged again; who repeated exactly was 24% of the scale apart then."""
    rows = [
        {"item": f"i{k}", "rater": "a", "value": 50 + k, "role": role, "phase": "", "round": 1,
         "occasion": 1 + (role == "repeat")}
        for k in range(9) for role in (("system", "repeat") if k < 4 else ("system",))
    ]  # fmt: skip
    rows += [
        {
            "item": f"i{k}",
            "rater": "a",
            "value": 90 + k,
            "role": "system",
            "phase": "round-2",
            "round": 2,
            "occasion": 1,
        }
        for k in range(9)
    ]
    ratings = accord.read(pd.DataFrame(rows), level="interval", direction="high")
    roles = np.array([ratings.columns["role"].names[code] for code in ratings.columns["role"].codes], dtype=object)
    (found,) = rater_gate.gate_raters(ratings, roles, alpha=0.05, fastest=0, longest_run=100)
    assert found.repeat_difference == 0
