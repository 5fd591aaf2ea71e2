"""The jackknife on Fisher's z scale."""

import numpy as np
import pytest
from scipy import stats

from accord.inference.fisher_jackknife import crossed_intervals, fisher_intervals
from accord.inference.jackknife import jackknife_of


def _correlation_left_out(pairs: np.ndarray):
    value = np.corrcoef(pairs.T)[0, 1]
    without = [np.corrcoef(np.delete(pairs, row, axis=0).T)[0, 1] for row in range(len(pairs))]
    return jackknife_of(np.array([value]), np.array(without)[:, None], "items")


def test_for_many_normal_pairs_it_is_fishers_interval():
    rng = np.random.default_rng(4)
    pairs = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], size=4000)
    found = fisher_intervals(_correlation_left_out(pairs))[0]
    printed = stats.pearsonr(*pairs.T).confidence_interval(0.95)
    assert (found.low, found.high) == (pytest.approx(printed.low, abs=2e-3), pytest.approx(printed.high, abs=2e-3))


def test_the_ends_never_pass_one_and_always_hold_the_value():
    left_out = jackknife_of(np.array([0.97]), np.array([[0.99], [0.95], [0.9], [0.98]]), "raters")
    found = fisher_intervals(left_out)[0]
    assert found.low < 0.97 < found.high < 1
    assert found.method == "jackknife over raters on Fisher's z, t(3)"


def test_fewer_effective_units_give_a_longer_interval():
    left_out = jackknife_of(np.array([0.5]), np.array([[0.4], [0.5], [0.6], [0.5], [0.45]]), "documents")
    assert fisher_intervals(left_out, units=2.5)[0].width > fisher_intervals(left_out)[0].width


def test_where_no_unit_makes_a_difference_nothing_is_known():
    left_out = jackknife_of(np.array([1.0]), np.ones((5, 1)), "raters")
    assert fisher_intervals(left_out) == (None,)


def test_raters_and_items_together_say_less_than_either():
    by_rater = jackknife_of(np.array([0.6]), np.array([[0.55], [0.62], [0.64], [0.6], [0.58]]), "raters")
    alone, both = fisher_intervals(by_rater)[0], crossed_intervals(by_rater, np.array([0.1]), 40)[0]
    certain_items = crossed_intervals(by_rater, np.array([0.0]), 40)[0]
    assert both.width > certain_items.width
    assert (certain_items.low, certain_items.high) == (pytest.approx(alone.low), pytest.approx(alone.high))


def test_a_share_ends_at_0_and_1_and_is_a_t_interval_of_its_logit():
    shares = np.array([[0.10], [0.16], [0.22]])
    left_out = jackknife_of(np.array([0.16]), shares, "raters")
    found = fisher_intervals(left_out, floor=0.0)[0]
    logit = np.log(shares / (1 - shares)).ravel()
    error = np.sqrt(2 / 3 * np.square(logit - logit.mean()).sum())
    reach = stats.t.ppf(0.975, 2) * error
    by_hand = [1 / (1 + np.exp(-(np.log(0.16 / 0.84) + sign * reach))) for sign in (-1, 1)]
    assert (found.low, found.high) == pytest.approx(by_hand)
    both = crossed_intervals(left_out, np.array([0.02]), 50, floor=0.0)[0]
    assert 0 < both.low < 0.16 < both.high < 1
    assert fisher_intervals(left_out)[0].low < 0
