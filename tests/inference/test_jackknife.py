"""The jackknife over patterns equals leaving out every item by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from accord.inference.jackknife import jackknife, jackknife_of
from accord.inference.statistic import SumStatistic


def variance_statistic(numbers, multiplicity):
    numbers = np.asarray(numbers, dtype=float)
    features = np.stack([np.ones_like(numbers), numbers, numbers**2], axis=1)
    return SumStatistic(
        ("variance",), features, np.asarray(multiplicity, dtype=np.int64),
        lambda s: ((s[:, 2] - s[:, 1] ** 2 / s[:, 0]) / s[:, 0])[:, None],
    )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 4)), min_size=2, max_size=8, unique_by=lambda x: x[0]))
def test_patterns_equal_brute_force_over_items(pairs):
    numbers, multiplicity = map(list, zip(*pairs, strict=True))
    ours = jackknife(variance_statistic(numbers, multiplicity))
    rows = np.repeat(np.array(numbers, dtype=float), multiplicity)
    without = np.array([np.delete(rows, place).var() for place in range(len(rows))])
    n = len(rows)
    assert ours.standard_errors[0] == pytest.approx(np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum()))
    assert ours.estimates[0] == pytest.approx(rows.var(ddof=1))  # the jackknife removes the bias of the variance


def test_the_interval_of_a_mean_is_the_t_interval():
    numbers = np.random.default_rng(0).normal(10, 2, size=12)
    statistic = SumStatistic(
        ("mean",), np.stack([np.ones(12), numbers], axis=1), np.ones(12, dtype=np.int64), lambda s: s[:, 1:] / s[:, :1]
    )
    interval = jackknife(statistic).intervals(0.9)[0]
    low, high = stats.t.interval(0.9, 11, numbers.mean(), stats.sem(numbers))
    assert (interval.low, interval.high) == pytest.approx((low, high))
    assert interval.method == "jackknife over items, t(11)"


def test_there_is_no_interval_where_a_value_without_some_item_is_undefined():
    result = jackknife_of(np.array([0.5, 0.5]), np.array([[0.4, np.nan], [0.6, 0.5]]), "raters")
    assert result.intervals()[0] is not None
    assert result.intervals()[1] is None


def test_the_interval_is_cut_at_the_highest_value_there_can_be():
    result = jackknife_of(np.array([0.98]), np.array([[0.9], [0.99], [0.99]]), "items")
    assert result.intervals(0.95, highest=1.0)[0].high == 1.0
