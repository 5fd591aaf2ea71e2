"""Labels until the gate decides: more labels of the same kind do decide it."""

import pytest
from scipy.stats import t

import accord
from accord.inference.interval import Interval
from accord.judging.deciding import labels_to_decide
from accord.judging.gate import Verdict
from accord.judging.labels import labels_to_reach


def _ends(low, high):
    return Interval(low=low, high=high, method="made up")


def test_four_times_the_labels_halve_an_interval():
    # 0.6 between 0.4 and 0.8 must end at the limit 0.5: half of the reach, four times the labels (many documents).
    found = labels_to_decide(0.6, _ends(0.4, 0.8), 0.5, 1000, 1000)
    assert found == pytest.approx(4000, rel=0.03)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_no_more_labels_are_asked_for_than_few_documents_need(level):
    def reach(labels):
        now, then = (t.ppf((1 + level) / 2, labels * 6 / 24 - 1) for labels in (24, labels))
        return 0.16 * then / now * (24 / labels) ** 0.5

    found = labels_to_reach(0.16, 0.05, 24, 6, level=level)
    assert reach(found) <= 0.05 < reach(found - 1)


def test_a_value_on_the_limit_is_never_decided():
    assert labels_to_decide(0.5, _ends(0.4, 0.6), 0.5, 100, 50) is None


def test_a_bias_within_both_limits_needs_the_nearer_one():
    assert labels_to_decide(0.1, _ends(-0.3, 0.5), 0.3, 400, 400, either_side=True) == pytest.approx(1600, rel=0.03)
    assert labels_to_decide(-0.1, _ends(-0.5, 0.3), 0.3, 400, 400, either_side=True) == pytest.approx(1600, rel=0.03)


def test_the_labels_that_a_gate_asks_for_decide_it(make_study):
    """A judge with a shift of half a point against a limit of 0.8, first with few documents labelled."""
    few = accord.judge(make_study(documents=400, labelled=8, seed=4), gate={"bias": 0.8}).gate.checks[0]
    assert few.verdict is Verdict.INCONCLUSIVE and few.labels is not None
    documents = -(-few.labels // 4)  # two systems, two items of each document
    more = [
        accord.judge(make_study(documents=400, labelled=2 * documents, seed=seed), gate={"bias": 0.8}).gate.verdict
        for seed in range(5)
    ]
    assert more.count(Verdict.TRUSTED) >= 4


def test_a_wide_interval_is_no_fault_of_the_judge(make_study):
    check = accord.judge(make_study(), gate={"half_width": 0.01}).gate.checks[0]
    assert check.verdict is Verdict.INCONCLUSIVE and check.labels > 40


def test_a_gate_asks_for_the_labels_of_its_own_confidence(make_study):
    study = make_study(labelled=6)  # few documents: t, and so what is needed, depends on the level
    asked = [
        accord.judge(study, gate={"half_width": 0.05}, half_width=0.05, confidence=confidence)
        for confidence in (0.8, 0.99)
    ]
    wanted = [one.result.parts[0].more_labels for one in asked]
    assert wanted[0] < wanted[1]
    assert [one.gate.checks[0].labels for one in asked] == wanted


def test_unsteadiness_is_judged_by_its_interval(make_study):
    steady = accord.judge(make_study(runs=3, noise=0.3), gate={"unsteady": 0.5}).gate.checks[0]
    assert steady.low < steady.value < steady.high
    assert steady.verdict is Verdict.TRUSTED
