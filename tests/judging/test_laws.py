"""Laws of a judge's numbers: mirrored, on both sides of a limit, by printed quantiles and by a search."""

from math import nan, sqrt

import numpy as np
import pytest
from scipy import stats

from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.judging.alternative import LEAST_ITEMS, AltTest, HumanLeftOut
from accord.judging.deciding import labels_to_decide, labels_to_win
from accord.judging.reach import Reach, Side
from accord.judging.shares import _fieller, _floored, _freedom, corrected_share, verdicts_from


def ends(low, high):
    return Interval(low=low, high=high, method="made up")


@pytest.mark.parametrize(("value", "low", "high", "side"), [(0.7, 0.4, 1.5, 0.3), (0.3, -0.5, 0.6, 0.3)])
def test_the_end_that_lies_beyond_the_limit_decides_and_not_the_other(value, low, high, side):
    # The limit is .5: only the end towards it must come nearer, from .3 to .2, by 2.25 times the labels.
    assert labels_to_decide(value, ends(low, high), 0.5, 1000, 1000) == pytest.approx(
        1000 * (side / 0.2) ** 2, rel=0.01
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_a_bias_beyond_its_limit_is_decided_by_the_end_towards_it_whatever_its_sign(sign):
    # A bias of .5 is beyond .3 either way: its end at .1 must come to .3.
    low, high = sorted((sign * 0.1, sign * 2.5))
    found = labels_to_decide(sign * 0.5, ends(low, high), 0.3, 1000, 1000, either_side=True)
    assert found == pytest.approx(1000 * (0.4 / 0.2) ** 2, rel=0.01)
    inside = labels_to_decide(sign * 0.1, ends(*sorted((sign * -0.3, sign * 0.2))), 0.3, 1000, 1000, either_side=True)
    assert inside == pytest.approx(1000 * (0.4 / 0.2) ** 2, rel=0.01), "inside, the farther end must come within"


def person(gap, items=60, p=0.2):
    """Somebody whose share of wins beyond the judge's is so much, tested with that p."""
    return HumanLeftOut(human="x", items=items, judge_wins=0.5, human_wins=0.5 + gap, p=p, beaten=p < 0.05)


def of_people(*people, epsilon=0.1):
    return AltTest(judge="j", epsilon=epsilon, humans=people, winning_rate=nan, passed=False, advantage=nan)


def test_the_items_that_are_asked_for_show_a_person_to_be_matched_nineteen_times_in_twenty():
    items, p, gap = 60, 0.2, 0.05
    now = stats.t.ppf(1 - p, items - 1)
    error = gap / now * sqrt(items)
    found = labels_to_win(of_people(person(0.1 - gap, items, p)), 1.0)
    wanted = (stats.t.ppf(0.95, items - 1) + 1.645) * error / gap
    assert found == int(np.ceil(wanted**2))


def test_of_several_people_as_many_must_be_matched_as_the_gate_asks_for():
    near, far = person(0.0, p=0.1), person(0.0, p=0.4)
    one, two = (labels_to_win(of_people(who), 1.0) for who in (near, far))
    assert one < two
    assert labels_to_win(of_people(far, near), 0.5) == one and labels_to_win(of_people(far, near), 1.0) == two
    assert labels_to_win(of_people(person(0.0, p=1e-9)), 1.0) == LEAST_ITEMS, "never fewer than the test takes"
    assert (
        labels_to_win(of_people(person(0.1)), 1.0) is None and labels_to_win(of_people(person(0.0, p=0.5)), 1.0) is None
    )


def test_where_too_few_can_be_matched_everybody_must_be_clear():
    beyond = person(0.3, p=0.8)
    error = 0.2 / abs(stats.t.ppf(0.2, 59)) * sqrt(60)
    alone = max(int(np.ceil((1.645 * error / 0.2) ** 2)), LEAST_ITEMS)
    assert labels_to_win(of_people(beyond), 0.5) == alone
    near = labels_to_win(of_people(person(0.0, p=0.4)), 1.0)
    assert labels_to_win(of_people(beyond, person(0.0, p=0.4)), 1.0) == max(alone, near)


T_975 = {9: 2.262, 4: 2.776, 29: 2.045}  # in any printed table


@pytest.mark.parametrize("freedom", T_975)
def test_an_even_mean_reaches_as_far_as_printed_quantiles_both_ways(freedom):
    down, up = Side(0.5, 0.04, freedom, 0.0).at(None, 0.95)
    assert down == up == pytest.approx(T_975[freedom] * 0.2, abs=2e-4)


def test_a_long_tail_reaches_further_and_its_mirror_the_other_way():
    skewed, mirrored = (Side(3.0, 0.04, 9, skewness).at(None, 0.95) for skewness in (2.0, -2.0))
    plain = 0.2 * stats.t.ppf(0.975, 9)
    assert skewed == pytest.approx(mirrored[::-1])
    assert max(skewed) > plain * 1.05 and min(skewed) == pytest.approx(plain), "never nearer than without a tail"
    assert skewed[1] > skewed[0], "upwards, where the tail is"


def test_near_an_end_of_the_scale_an_interval_reaches_further_away_from_it():
    low, high = (Side(mean, 0.01, 19, 0.0).at((0.0, 1.0), 0.95) for mean in (0.1, 0.9))
    assert low == pytest.approx(high[::-1]) and low[1] > low[0]
    wide = Side(1 + 4 * 0.1, 16 * 0.01, 19, 0.0).at((1.0, 5.0), 0.95)
    assert wide == pytest.approx([4 * one for one in low]), "another unit changes nothing else"
    assert low[0] < 0.1, "and not beyond it"
    for outside in (0.0, 1.0, 1.2):
        plain = 0.1 * stats.t.ppf(0.975, 19)
        assert Side(outside, 0.01, 19, 0.0).at((0.0, 1.0), 0.95) == pytest.approx((plain, plain))


def difference(first, second, variance, documents=400.0):
    return Reach((first, second), variance, documents, None)


def test_a_difference_of_unrelated_means_reaches_as_pythagoras_has_it_and_a_shared_part_makes_it_nearer():
    one, other = Side(1.0, 0.09, 400, 0.0), Side(2.0, 0.16, 400, 0.0)
    down, up = difference(one, other, 0.25).at(0.95)
    assert down == up == pytest.approx(0.5 * stats.t.ppf(0.975, 400))
    nearer = difference(one, other, 0.25 - 2 * 0.5 * 0.3 * 0.4).at(0.95)
    seen = 0.5 * (1 - 2 / 400)
    assert nearer == pytest.approx([sqrt(0.25 - 2 * seen * 0.12) * stats.t.ppf(0.975, 400)] * 2)
    few = difference(one, other, 0.25 - 2 * 0.5 * 0.3 * 0.4, documents=4.0).at(0.95)
    assert nearer[0] < few[0] < down, "few documents are believed the less"
    against = difference(one, other, 0.25 + 2 * 0.5 * 0.3 * 0.4, documents=4.0).at(0.95)
    assert against[0] == pytest.approx(sqrt(0.25 + 0.12) * stats.t.ppf(0.975, 400)), "what widens is believed"


@pytest.mark.parametrize("found", [0.3, -0.3, 0.9, -0.9])
def test_p_is_the_level_at_which_the_interval_just_reaches_nought(found):
    reach = difference(Side(1.0, 0.09, 20, 0.5), Side(2.0, 0.16, 20, -0.2), 0.2, 21.0)
    p = reach.p(found)
    down, up = reach.at(1 - p)
    assert (down if found > 0 else up) == pytest.approx(abs(found), abs=1e-3)
    assert reach.p(found * 1.5) < p and reach.p(0.0) == 1.0
    assert reach.p(50.0 * np.sign(found)) == pytest.approx(1e-9)


RATES = [(share, yes, no) for share in (0.0, 0.2, 0.5, 1.0) for yes, no in ((0.9, 0.8), (0.6, 0.7), (1.0, 1.0))]


@pytest.mark.parametrize(("share", "yes", "no"), RATES)
def test_a_share_that_went_through_a_judge_comes_back(share, yes, no):
    judged = share * yes + (1 - share) * (1 - no)
    assert corrected_share(judged, true_positive=yes, true_negative=no) == pytest.approx(share)


def test_a_corrected_share_stays_a_share_and_a_coin_corrects_nothing():
    assert corrected_share(0.0, true_positive=0.9, true_negative=0.8) == 0.0
    assert corrected_share(1.0, true_positive=0.9, true_negative=0.8) == 1.0
    with pytest.raises(NotEnoughDataError, match="no better than a coin"):
        corrected_share(0.5, true_positive=0.5, true_negative=0.5)
    for name in ("share", "true_positive", "true_negative"):
        given = {"share": 0.5, "true_positive": 0.9, "true_negative": 0.9}
        for bad in (-0.01, 1.01):
            with pytest.raises(OptionError, match=f"{name} must lie between 0 and 1, not {bad}"):
                corrected_share(**(given | {name: bad}))


def documents(number, right_yes=4.0, yes=5.0, right_no=3.0, no=5.0, judged=3.0, judged_of=6.0):
    return np.tile([right_yes, yes, right_no, no, judged, judged_of], (number, 1))


def test_verdicts_are_shares_of_what_people_said_and_need_five_documents():
    told = verdicts_from("good", 60, documents(6))
    assert (told.true_positive, told.true_negative, told.judged_share, told.people_share) == (0.8, 0.6, 0.5, 0.5)
    assert told.corrected == pytest.approx((0.5 + 0.6 - 1) / (0.8 + 0.6 - 1))
    assert told.true_positive_interval and told.true_positive_interval.low < 0.8 < told.true_positive_interval.high
    assert told.true_negative_interval.low < 0.6 < told.true_negative_interval.high
    few = verdicts_from("good", 40, documents(4), units="talks")
    assert few.true_positive_interval is None and few.refused == "an interval needs 5 labels of each kind in 5 talks"
    seldom = verdicts_from("good", 40, documents(8, right_yes=0.5, yes=0.6))
    assert seldom.corrected_interval is None and "5 labels of each kind" in seldom.refused
    assert "5 labels" not in verdicts_from("good", 40, documents(8, right_yes=0.6, yes=0.7)).refused
    coin = verdicts_from("good", 40, documents(8, right_yes=2.5, right_no=2.5))
    assert np.isnan(coin.corrected) and coin.refused.startswith("this judge is no better than a coin")


@pytest.mark.parametrize("seed", range(6))
def test_fieller_holds_every_share_that_is_not_shown_to_be_wrong(seed):
    rng = np.random.default_rng(seed)
    rates = np.array([rng.uniform(0.75, 0.95), rng.uniform(0.75, 0.95), rng.uniform(0.3, 0.7)])
    mixed = rng.normal(size=(3, 3)) * 0.03
    spread, freedom = mixed @ mixed.T, 12.0
    found = _fieller(rates, spread, freedom, 0.9, "documents")
    shares = np.linspace(0, 1, 20_001)
    weights = np.column_stack([-shares, 1 - shares, np.ones_like(shares)])
    off = rates[2] + rates[1] - 1 - shares * (rates[0] + rates[1] - 1)
    fits = np.abs(off) <= stats.t.ppf(0.95, freedom) * np.sqrt(np.einsum("ij,jk,ik->i", weights, spread, weights))
    assert (found.low, found.high) == pytest.approx((shares[fits].min(), shares[fits].max()), abs=1e-4)
    assert found.level == 0.9


def test_documents_count_for_what_they_are_worth_and_perfect_rates_are_never_certain():
    assert _freedom(documents(8)) == pytest.approx(7)
    uneven = np.vstack([documents(1, yes=90.0), documents(7)])
    assert 1.0 <= _freedom(uneven) < 2, "one document holds nearly all labels"
    raised = _floored(np.zeros((3, 3)), np.array([96.0, 96.0, 16.0, 16.0, 1.0, 1.0]))
    assert np.diag(raised) == pytest.approx([0.02 * 0.98 / 100, 0.1 * 0.9 / 20, 0.0])
    assert _floored(np.eye(3), np.array([96.0, 96.0, 16.0, 16.0, 1.0, 1.0])).tolist() == np.eye(3).tolist()
