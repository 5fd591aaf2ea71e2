"""Intervals from formulas, benchmarking, permutation and families of tests."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from accord.errors import NotEnoughDataError, OptionError
from accord.inference.bootstrap import Resampled
from accord.inference.intervals import bca_intervals, check_confidence, t_interval
from accord.inference.multiple import Adjustment, adjusted
from accord.inference.permutation import permutation_test


def test_t_intervals_are_those_of_scipy():
    t = t_interval(0.4, 0.1, 19, method="t")
    assert (t.low, t.high) == pytest.approx(stats.t.interval(0.95, 19, 0.4, 0.1))


def test_an_interval_never_passes_the_highest_value():
    assert t_interval(0.95, 0.1, 19, method="t").high == 1.0
    assert t_interval(float("nan"), 0.1, 19, method="t") is None


@pytest.mark.parametrize("level", [0, 1, 95, -0.1])
def test_a_confidence_level_outside_0_to_1_is_refused(level):
    with pytest.raises(OptionError, match="between 0 and 1"):
        check_confidence(level)


def test_95_is_understood_as_a_slip_for_0_95():
    with pytest.raises(OptionError, match=r"Did you mean 0\.95\?"):
        check_confidence(95)


P_VALUES = np.array([0.01, 0.04, 0.03, 0.005, 0.2, 0.04])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Adjustment.HOLM, "holm"),
        (Adjustment.BONFERRONI, "bonferroni"),
        (Adjustment.BENJAMINI_HOCHBERG, "fdr_bh"),
        (Adjustment.BENJAMINI_YEKUTIELI, "fdr_by"),
    ],
)
def test_adjusted_p_values_are_those_of_statsmodels(ours, theirs):
    assert adjusted(P_VALUES, ours) == pytest.approx(multipletests(P_VALUES, method=theirs)[1])


def test_an_undefined_p_value_stays_undefined_and_is_not_counted():
    with_gap = adjusted(np.array([0.01, np.nan, 0.04]), Adjustment.HOLM)
    assert np.isnan(with_gap[1])
    assert with_gap[[0, 2]] == pytest.approx(adjusted(np.array([0.01, 0.04]), Adjustment.HOLM))


def test_a_drawn_permutation_p_is_never_zero():
    test = permutation_test(5.0, np.zeros(99), exact=False, unit="raters")
    assert test.p == pytest.approx(0.01)


def test_an_undefined_difference_cannot_be_tested():
    with pytest.raises(NotEnoughDataError, match="undefined"):
        permutation_test(float("nan"), np.zeros(9), exact=False, unit="raters")


def test_a_corrected_interval_without_width_gives_way_to_the_percentiles_under_their_name():
    draws = np.concatenate((np.full(9_990, -0.2) - np.linspace(0, 0.1, 9_990), np.full(10, -0.2)))
    (found,) = bca_intervals(Resampled(draws[:, None]), np.array([-0.2]), np.array([0.3]))
    assert found.method == "bootstrap over items, percentile"
    assert (found.low, found.high) == pytest.approx((-0.2975, -0.2025), abs=1e-3)
    (alike,) = bca_intervals(Resampled(np.ones((100, 1))), np.array([1.0]), np.array([0.0]))
    assert (alike.low, alike.high) == (1.0, 1.0)
