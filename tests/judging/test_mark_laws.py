"""Laws of the parts of a dossier, each on its mark and beside it: indicators, claims, what to label next, quantiles."""

from math import nan, sqrt
from types import SimpleNamespace as Made

import numpy as np
import pytest
from scipy import stats

import accord
from accord.design.scale import Direction, Level
from accord.errors import OptionError
from accord.inference.interval import Interval
from accord.judging.alternative import AltTest
from accord.judging.answers import _MANY, _of_the_same_items, _usual, settings_in
from accord.judging.claims import _of_part
from accord.judging.corrected import Sums
from accord.judging.dossier import Asked
from accord.judging.indicators import _automatability, _consistency, _detectable
from accord.judging.labels import _distance, _targeted
from accord.judging.reach import Reach, Side, _lopsided
from accord.judging.scores import measures_of
from accord.judging.shares import _fieller
from judging.conftest import study


def ends(low, high):
    return Interval(low=low, high=high, method="made up")


@pytest.mark.parametrize(
    ("people", "interval", "words"),
    [
        (nan, None, "not known: no item has two people"),
        (0.7, None, "α among people, without an interval"),
        (0.7, ends(0.667, 0.8), "people apply it alike"),
        (0.7, ends(0.666, 0.8), "that people apply it alike (α .667) is not shown"),
    ],
)
def test_people_apply_a_criterion_alike_where_the_lower_end_reaches_krippendorffs_mark(people, interval, words):
    found = _consistency(Made(people=people, people_interval=interval))
    assert (found.words, found.interval) == (words, interval)


def passed(yes):
    return AltTest(judge="j", epsilon=0.2, humans=(), winning_rate=nan, passed=yes, advantage=nan)


@pytest.mark.parametrize(
    ("gap", "test", "words"),
    [
        (None, None, "not known: agreement of people with each other is lacking"),
        (ends(-0.1, 0.1), passed(True), "shown: the judge passes, and loses less than 0.1 of α against people"),
        (ends(-0.1, 0.1), passed(False), "not shown: the judge does not pass the test for standing in"),
        (ends(-0.1, 0.1), None, "not shown: whether the judge may stand in for people could not be tested"),
        (ends(-0.11, 0.1), passed(True), "not shown yet: α may be lost, or not"),
        (ends(-0.5, -0.1), passed(True), "not shown yet: α may be lost, or not"),
        (ends(-0.5, -0.11), passed(True), "not with this judge: it loses more than 0.1 of α against people"),
    ],
)
def test_a_judge_does_for_a_criterion_where_little_agreement_is_lost_and_the_test_is_passed(gap, test, words):
    assert _automatability(Made(difference=-0.1, difference_interval=gap), test).words == words


def test_the_smallest_difference_to_be_seen_is_that_of_printed_quantiles():
    # With 9 degrees of freedom t is 2.262 at .975; the normal law has .842 at .8.
    any_ends = ends(0, 1)

    def pair(error, freedom, interval=any_ends):
        return Made(corrected=Made(standard_error=error, freedom=freedom, interval=interval))

    found = _detectable(Made(differences=(pair(0.5, 9), pair(0.0, 9), pair(9.0, 9, None))), 0.95)
    assert found.value == pytest.approx((2.262 + 0.842) * 0.5, abs=1e-3)
    middle = _detectable(Made(differences=(pair(0.5, 9), pair(0.25, 9), pair(0.75, 9))), 0.95)
    assert middle.value == pytest.approx(found.value), "of several pairs the one in the middle"
    assert _detectable(Made(differences=(pair(0.0, 9),)), 0.95) is None


def claimed(test, sampling, labelled, items, measures=()):
    panel = Made(column=lambda name: sampling, labelled=[1] * labelled, items=[1] * items, ordered=True)
    blank = {"probes": (), "unprobed": (), "runs": True, "drift": True, "verdicts": None, "untested": (), "skipped": ()}
    part = Made(test=test, panel=panel, measures=measures, **blank)
    return [claim for claim, _ in _of_part("J", part)]


@pytest.mark.parametrize(
    ("sampling", "labelled", "is_said"),
    [(None, 9, True), (None, 10, False), ("random", 9, False), ("random", 10, False)],
)
def test_that_labels_were_drawn_at_random_is_not_claimed_where_some_were_chosen_and_nobody_said_how(
    sampling, labelled, is_said
):
    told = claimed(Made(humans=[1, 2, 3]), sampling, labelled, 10)
    assert ("that the labelled items were drawn at random, on which all corrected scores rest" in told) is is_said


def test_what_is_said_of_other_people_hangs_on_how_many_there_were():
    assert "that J may stand in for a person" in claimed(None, "random", 9, 10)
    for people, is_said in ((2, True), (3, False)):
        told = claimed(Made(humans=[1] * people), "random", 9, 10)
        assert ("that it may stand in for people other than these" in told) is is_said


@pytest.mark.parametrize("skewness", [-2.0, 0.5, 3.0])
def test_lopsided_quantiles_are_willinks_with_half_of_the_skewness(skewness):
    q, documents = 2.1, 16
    a = skewness / 2 / (6 * sqrt(documents))
    upper = ((1 + 6 * a * (q - a)) ** (1 / 3) - 1) / (2 * a)
    lower = (np.cbrt(1 + 6 * a * (-q - a)) - 1) / (2 * a)
    assert _lopsided(q, skewness, documents) == pytest.approx((upper, -lower))
    assert _lopsided(q, 0.0, documents) == (q, q)


def test_a_test_and_its_interval_are_one_inference():
    one, other = Side(1.0, 0.09, 40, 0.5), Side(2.0, 0.16, 40, -0.5)
    reach = Reach((one, other), 0.25, 40.0, None)
    for difference in (0.7, -0.7, 1.5, -1.5):
        p = reach.p(difference)
        down, up = reach.at(1 - p)
        assert (difference - down if difference > 0 else difference + up) == pytest.approx(0, abs=1e-6)
    assert reach.p(0.0) == 1


def test_any_share_would_do_where_a_judge_tells_nothing():
    spread = np.diag([1e-4] * 3)
    good = _fieller(np.array([0.9, 0.8, 0.5]), spread, 30, 0.95, "documents")
    share = (0.5 + 0.8 - 1) / (0.9 + 0.8 - 1)
    assert good.low < share < good.high and good.high - good.low < 0.1
    assert _fieller(np.array([0.5, 0.5, 0.5]), spread, 30, 0.95, "documents") is None, "no better than a coin"
    assert _fieller(np.array([0.51, 0.5, 0.9]), spread, 30, 0.95, "documents") is None
    half = stats.t.ppf(0.975, 30)
    edge = half * sqrt(2e-4)
    for beyond, is_known in ((1.01, True), (0.99, False)):
        found = _fieller(np.array([0.5 + edge * beyond, 0.5, 0.5]), spread, 30, 0.95, "documents")
        assert (found is not None) is is_known, "known from where the judge is shown to be better than a coin"


def panel(system, judge, ordered=True, items=None):
    return Made(
        systems=(np.array(system), sorted({f"s{one}" for one in system})),
        judge=np.array(judge, dtype=float), ordered=ordered,
        items=np.arange(len(judge)) if items is None else np.array(items),
    )  # fmt: skip


def test_unusual_scores_lie_far_from_the_mean_of_their_system_and_unusual_labels_are_rare_in_theirs():
    scores = panel([0, 0, 0, 1, 1, 1], [1, 1, 4, 5, 5, 1.5])
    assert _targeted(scores, np.arange(6), 2, ()).tolist() == [5, 2]
    assert _targeted(scores, np.array([0, 1, 2]), 1, ()).tolist() == [2] and not len(
        _targeted(scores, np.arange(6), 0, ())
    )
    labels = panel([0] * 8 + [1] * 4, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0], ordered=False)
    # Three of eight, against one of four.
    assert _targeted(labels, np.arange(12), 1, ()).tolist() == [11]
    assert _targeted(labels, np.arange(12), 4, ()).tolist() == [11, 5, 6, 7]


def test_where_another_judge_differs_most_is_looked_at_first():
    mine, other = panel([0] * 4, [1, 2, 3, 4]), panel([0] * 3, [4, 2, 1], items=[0, 1, 3])
    assert _distance(mine, other).tolist() == [3, 0, 0, 3]
    assert _distance(panel([0] * 4, [1, 2, 3, 4], ordered=False), other).tolist() == [1, 0, 0, 1]
    assert _targeted(mine, np.array([1, 3]), 1, (other,)).tolist() == [3]


def test_settings_are_of_the_same_items_where_one_item_has_two_of_them():
    item = np.array([0, 0, 1])
    assert _of_the_same_items(item, np.array([0, 1, 0])) and not _of_the_same_items(item, np.array([0, 0, 1]))
    assert not _of_the_same_items(item, np.array([-1, 0, 0])), "a missing setting is none"
    assert settings_in(np.array([2, 0, -1, 2]), "prompt") == [0, 2]
    assert (
        settings_in(np.arange(_MANY), "prompt") == list(range(_MANY))
        and settings_in(np.arange(_MANY + 1), "prompt") == []
    )
    assert len(settings_in(np.arange(_MANY + 1), "model")) == _MANY + 1
    assert _usual(np.array([0, 1, 2, 3]), np.array([0, 1, 1, 0]), [0, 1]) == 0
    assert _usual(np.array([0, 1, 2, 3]), np.array([0, 1, 1, 1]), [0, 1]) == 1


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"half_width": -0.1}, "The half-width is -0.1 and must not be below 0."),
        ({"level": 0.0}, "The confidence is 0.0 and must lie between 0 and 1."),
        ({"level": 1.0}, "The confidence is 1.0 and must lie between 0 and 1."),
        ({"seed": -1}, "The seed is -1 and must not be below 0."),
        ({"next_labels": -1}, "The number of items to label next is -1 and must not be below 0."),
    ],
)
def test_what_cannot_be_asked_is_refused_and_nought_can(asked, words):
    with pytest.raises(OptionError) as refused:
        Asked(**asked)
    assert str(refused.value) == words
    Asked(half_width=0.0, seed=0, next_labels=0, level=0.001)
    told = Asked()
    assert (told.epsilon, told.half_width, told.next_labels, told.level, told.seed) == (0.2, 0.0, 10, 0.95, 0)


@pytest.mark.parametrize("labels", [1, 2, 3])
@pytest.mark.parametrize("level", [Level.NOMINAL, Level.ORDINAL])
def test_of_two_values_the_share_of_one_is_told_and_of_more_labels_that_of_each(make_panel, labels, level):
    rng = np.random.default_rng(1)
    table = rng.integers(0, labels + 1, (40, 4)).astype(float)
    table[:5, 0] = np.arange(5) % (labels + 1)
    found = measures_of(make_panel(table, level=level))
    assert len(found) == (1 if level is Level.ORDINAL or labels == 1 else labels + 1)


def test_sums_have_no_step_unless_they_are_told_one():
    none = np.zeros((1, 1))
    assert Sums(none, none, none, none, none).step == 0.0
    zeros = np.zeros(2, dtype=np.int64)
    assert Sums.of(zeros, zeros, np.array([1.0, 2.0]), np.array([1.0, 2.0])).step == 0.0


def test_a_dossier_of_two_grades_tells_the_share_of_the_better():
    ratings = study(documents=12, each=3, labelled=8, level=Level.ORDINAL)
    assert ratings.scale.direction is Direction.HIGH
    answer = accord.judge(ratings, "judge", seed=3)
    assert len(answer.result.parts[0].measures) == 1 and answer.result.parts[0].measures[0].name.startswith("mean")
