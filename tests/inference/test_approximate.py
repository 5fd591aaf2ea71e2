"""ABC gives the ends that BCa has with very many resamples, without drawing any."""

import numpy as np
import pytest

from accord.coefficients.features import View
from accord.coefficients.sums import statistic_of_view
from accord.design.scale import Level, Scale
from accord.inference.approximate import approximate_intervals
from accord.inference.bootstrap import bootstrap
from accord.inference.intervals import bca_intervals
from accord.inference.jackknife import jackknife
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import Patterns

BEYOND_CHANCE = ("cohen_kappa", "cohen_kappa_quadratic", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "gamma")


def view_of(items, raters, values, noise, prevalent, seed):
    """One value prevails and raters seldom err: skewed, where a plain jackknife is off."""
    rng = np.random.default_rng(seed)
    truth = np.where(rng.random((items, 1)) < prevalent, 0, rng.integers(0, values, (items, 1)))
    moved = np.clip(truth + rng.integers(-1, 2, (items, raters)), 0, values - 1)
    codes, times = np.unique(np.where(rng.random(moved.shape) < noise, moved, truth), axis=0, return_counts=True)
    scale = Scale(Level.ORDINAL, tuple(map(float, range(values))), declared=True)
    return View(Patterns(codes.astype(np.int32), times.astype(np.int64)), scale)


@pytest.mark.parametrize("shape", [(1_000, 3, 5, 0.1, 0.8), (2_000, 2, 5, 0.2, 0.9), (5_000, 4, 3, 0.05, 0.9)])
def test_the_ends_are_those_of_bca_with_many_resamples(shape):
    statistic = statistic_of_view(view_of(*shape, seed=7), BEYOND_CHANCE)
    left_out = jackknife(statistic)
    drawn = bootstrap(statistic, replicates=20_000, rng=np.random.default_rng(1))
    expected = bca_intervals(drawn, left_out.values, left_out.accelerations)
    plain = left_out.intervals()
    found = approximate_intervals(statistic, left_out)
    errors = left_out.standard_errors
    off = [
        (one.low - two.low, one.high - two.high) / error
        for one, two, error in zip(found, expected, errors, strict=True)
    ]
    assert np.abs(off).max() < 0.08  # two draws of 20,000 replicates differ by up to about 0.06
    further = [abs(one.low - two.low) / error for one, two, error in zip(plain, expected, errors, strict=True)]
    assert max(further) > 0.1  # so the test would see it if skewness were forgotten


def test_the_mean_has_its_exact_value_between_its_ends_and_is_moved_by_skewness():
    """For a mean of skewed numbers both ends lie further up than the normal ones, by (2 z^2 + 1) a standard errors."""
    numbers = np.random.default_rng(2).exponential(size=4_000)
    features = np.column_stack((np.ones_like(numbers), numbers))
    statistic = SumStatistic(
        ("mean",), features, np.ones(len(numbers), dtype=np.int64), lambda sums: sums[:, 1:] / sums[:, :1]
    )
    left_out = jackknife(statistic)
    (interval,) = approximate_intervals(statistic, left_out)
    error, a, z = left_out.standard_errors[0], left_out.accelerations[0], 1.959964
    assert interval.method == "ABC over items"
    assert interval.low == pytest.approx(numbers.mean() + error * (-z + (2 * z**2 + 1) * a), abs=error * 0.005)
    assert interval.high == pytest.approx(numbers.mean() + error * (z + (2 * z**2 + 1) * a), abs=error * 0.005)


def test_there_is_no_interval_where_no_unit_makes_a_difference_or_a_value_is_missing():
    times = np.array([500, 500], dtype=np.int64)
    statistic = SumStatistic(
        ("same", "undefined"),
        np.ones((2, 1)),
        times,
        lambda sums: np.column_stack((np.ones(len(sums)), np.full(len(sums), np.nan))),
    )
    assert approximate_intervals(statistic, jackknife(statistic)) == (None, None)
