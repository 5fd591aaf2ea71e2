"""Pairs of raters as the unit: against a plain double loop over pairs."""

from itertools import combinations
from math import atanh, tanh

import numpy as np
import pytest
from scipy import stats

from accord.inference.dyads import dyadic_interval


def square_of(values, raters):
    square = np.full((raters, raters), np.nan)
    for (one, other), value in values.items():
        square[one, other] = square[other, one] = value
    np.fill_diagonal(square, 1.0)
    return square


def test_pairs_without_a_common_rater_are_independent():
    values = {(2 * at, 2 * at + 1): value for at, value in enumerate((0.3, 0.5, 0.45, 0.7, 0.2))}
    mean = np.mean(list(values.values()))
    interval, error = dyadic_interval(square_of(values, 10), mean)
    assert error == pytest.approx(np.std(list(values.values()), ddof=1) / np.sqrt(5))
    reach = stats.t.ppf(0.975, 4) * error / (1 - mean**2)
    assert (interval.low, interval.high) == pytest.approx((tanh(atanh(mean) - reach), tanh(atanh(mean) + reach)))
    assert interval.method == "variance over 5 pairs of 10 raters on Fisher's z, t(4)"


def test_two_pairs_that_share_a_rater_count_together():
    # Rater 0 is in three pairs and agrees less than the others.
    values = {(0, 1): 0.1, (0, 2): 0.15, (0, 3): 0.2, (4, 5): 0.6, (6, 7): 0.7, (8, 9): 0.65}
    mean = np.mean(list(values.values()))
    _, error = dyadic_interval(square_of(values, 10), mean)
    total = sum(
        (values[one] - mean) * (values[other] - mean) for one in values for other in values if set(one) & set(other)
    )
    assert error**2 == pytest.approx(6 / 5 * total / 36)
    assert error > np.std(list(values.values()), ddof=1) / np.sqrt(6)


def test_nothing_is_said_of_two_pairs_or_of_pairs_that_are_all_alike():
    assert dyadic_interval(square_of({(0, 1): 0.4, (2, 3): 0.6}, 4), 0.5)[0] is None
    alike = dict.fromkeys(combinations(range(4), 2), 0.5)
    assert dyadic_interval(square_of(alike, 4), 0.5)[0] is None
