"""The bootstrap is what it says: resampling with replacement, whichever way it is computed."""

import numpy as np
import pytest
from scipy import stats

from accord.errors import NotEnoughDataError
from accord.inference.bootstrap import (
    bootstrap,
    draw_patterns,
    normal_limit,
    poisson_bootstrap,
    quadratic_bootstrap,
)  # fmt: skip
from accord.inference.clusters import clustered
from accord.inference.intervals import bca_intervals, percentile_intervals
from accord.inference.jackknife import jackknife
from accord.inference.statistic import SumStatistic
from accord.ratings.poisson_weights import factors, item_keys, poisson_weights


def ratio_statistic(numbers, multiplicity=None):
    """Mean, and coefficient of variation, as functions of the sums of 1, x and x²."""
    numbers = np.asarray(numbers, dtype=float)
    features = np.stack([np.ones_like(numbers), numbers, numbers**2], axis=1)

    def evaluate(sums):
        n, total, squares = sums.T
        mean = total / n
        return np.stack([mean, np.sqrt(np.maximum(squares / n - mean**2, 0)) / mean], axis=1)

    ones = np.ones(len(numbers), dtype=np.int64) if multiplicity is None else np.asarray(multiplicity)
    return SumStatistic(("mean", "variation"), features, ones, evaluate)


@pytest.mark.parametrize("multiplicity", [[40, 25, 20, 15], [2, 1, 1, 1]], ids=["few patterns", "few items"])
def test_draws_over_patterns_have_the_distribution_of_resampled_rows(multiplicity):
    values = np.array([1.0, 2.0, 4.0, 9.0])
    rows = np.repeat(values, multiplicity)
    rng = np.random.default_rng(1)
    by_pattern = bootstrap(ratio_statistic(values, multiplicity), replicates=4000, rng=rng).draws
    resampled = rng.choice(rows, size=(4000, len(rows)))
    by_row = np.stack([resampled.mean(1), resampled.std(1) / resampled.mean(1)], axis=1)
    for place in range(2):
        # Rounded, because equal values differ in the last bits when summed in another order.
        assert stats.ks_2samp(by_pattern[:, place].round(9), by_row[:, place].round(9)).pvalue > 0.001


@pytest.mark.parametrize("multiplicity", [np.full(5, 100), np.ones(300, dtype=np.int64)])
def test_every_resample_holds_as_many_items_as_there_are(multiplicity):
    counts = np.concatenate(list(draw_patterns(multiplicity, 7000, np.random.default_rng(0))))
    assert counts.shape == (7000, len(multiplicity))
    assert (counts.sum(axis=1) == multiplicity.sum()).all()
    assert counts.mean(axis=0) == pytest.approx(multiplicity, rel=0.1)


def test_the_same_seed_gives_the_same_draws_and_another_seed_others():
    statistic = ratio_statistic(np.arange(1, 30))
    first, again, other = (
        bootstrap(statistic, replicates=50, rng=np.random.default_rng(seed)).draws for seed in (3, 3, 4)
    )
    assert (first == again).all()
    assert (first != other).mean() > 0.9


def test_bca_and_percentile_agree_with_scipy_on_a_mean():
    numbers = np.random.default_rng(5).gamma(1.5, size=40)
    statistic = ratio_statistic(numbers)
    resampled = bootstrap(statistic, replicates=40_000, rng=np.random.default_rng(6))
    ours = {
        "BCa": bca_intervals(resampled, statistic.values(), jackknife(statistic).accelerations)[0],
        "percentile": percentile_intervals(resampled)[0],
    }
    for method, interval in ours.items():
        theirs = stats.bootstrap(
            (numbers,), np.mean, n_resamples=40_000, method=method, rng=np.random.default_rng(7)
        ).confidence_interval
        assert interval.low == pytest.approx(theirs.low, abs=0.012)
        assert interval.high == pytest.approx(theirs.high, abs=0.012)
        assert interval.method == f"bootstrap over items, {method}"
    # The skewed mean is what BCa corrects: both of its ends lie above the percentile ones.
    assert ours["BCa"].low > ours["percentile"].low
    assert ours["BCa"].high > ours["percentile"].high


def test_undefined_replicates_are_counted_and_left_out_of_the_interval():
    statistic = SumStatistic(
        ("share",), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([1, 4]),
        lambda sums: np.where(sums[:, :1] > 0, sums[:, :1] / sums[:, 1:], np.nan),
    )  # fmt: skip
    resampled = bootstrap(statistic, replicates=5000, rng=np.random.default_rng(0))
    interval = percentile_intervals(resampled)[0]
    assert interval.undefined == np.isnan(resampled.draws).sum() == resampled.undefined[0]
    assert interval.undefined / 5000 == pytest.approx(0.8**5, abs=0.03)
    assert interval.low == pytest.approx(0.2)


def test_a_statistic_that_never_varies_has_an_interval_of_no_width():
    statistic = ratio_statistic([3.0], [50])
    resampled = bootstrap(statistic, replicates=200, rng=np.random.default_rng(0))
    interval = bca_intervals(resampled, statistic.values(), jackknife(statistic).accelerations)[0]
    assert (interval.low, interval.high) == (3.0, 3.0)


def test_the_normal_limit_agrees_with_the_exact_bootstrap_where_both_are_possible():
    numbers = np.random.default_rng(2).gamma(4.0, size=3000)
    statistic = ratio_statistic(numbers)
    exact = percentile_intervals(bootstrap(statistic, replicates=10_000, rng=np.random.default_rng(0)))
    limit = percentile_intervals(normal_limit(statistic, replicates=10_000, rng=np.random.default_rng(1)))
    for one, other in zip(exact, limit, strict=True):
        assert other.method == "bootstrap over items by normal limit, percentile"
        assert one.low == pytest.approx(other.low, abs=0.05 * one.width)
        assert one.high == pytest.approx(other.high, abs=0.05 * one.width)


def test_the_normal_limit_is_taken_only_when_exact_draws_would_be_too_many(monkeypatch):
    statistic = ratio_statistic(np.random.default_rng(2).gamma(4.0, size=1500))
    rng = np.random.default_rng(0)
    assert bootstrap(statistic, replicates=100, rng=rng).engine == "exact"
    monkeypatch.setattr("accord.sizes._EXACT_CELLS", 1e5)
    assert bootstrap(statistic, replicates=100, rng=rng).engine == "normal limit"
    assert bootstrap(ratio_statistic(np.arange(1, 1000)), replicates=200, rng=rng).engine == "exact"


def test_the_normal_limit_is_refused_under_a_thousand_items():
    with pytest.raises(NotEnoughDataError, match="at least 1,000 items; there are 999"):
        normal_limit(ratio_statistic(np.arange(1, 1000)), replicates=10, rng=np.random.default_rng(0))


def test_poisson_weights_agree_with_the_exact_bootstrap_and_the_normal_limit():
    numbers = np.random.default_rng(2).gamma(4.0, size=1200)
    statistic = ratio_statistic(numbers)
    weights = poisson_weights(item_keys(map(str, range(1200))), factors(11, range(4000)))
    ours = poisson_bootstrap(statistic, [weights.T], replicates=4000)
    exact = bootstrap(statistic, replicates=4000, rng=np.random.default_rng(0)).draws
    normal = normal_limit(statistic, replicates=4000, rng=np.random.default_rng(0)).draws
    for draws in (exact, normal):
        assert ours.draws.std(axis=0) == pytest.approx(draws.std(axis=0), rel=0.06)
        assert ours.draws.mean(axis=0) == pytest.approx(draws.mean(axis=0), rel=0.01)
    assert percentile_intervals(ours)[0].method == "bootstrap over items by Poisson weights, percentile"


def test_clusters_are_drawn_whole():
    numbers = np.repeat([1.0, 5.0, 9.0, 2.0], 50)
    statistic = ratio_statistic(numbers)
    documents = clustered(statistic, np.repeat(np.arange(4), 50), np.arange(200))
    assert documents.values() == pytest.approx(statistic.values())
    by_document = bootstrap(documents, replicates=4000, rng=np.random.default_rng(0), unit="documents").draws[:, 0]
    by_item = bootstrap(statistic, replicates=4000, rng=np.random.default_rng(0)).draws[:, 0]
    # All variance lies between documents: 50 items in one carry the information of one.
    assert by_document.std() == pytest.approx(by_item.std() * np.sqrt(50), rel=0.05)


def test_resampled_raters_are_never_paired_with_their_own_copies():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(6, 6))
    values += values.T
    np.fill_diagonal(values, 1e9)
    forms = np.stack([values, np.ones((6, 6))])
    draws = quadratic_bootstrap(forms, lambda sums: sums[:, :1] / sums[:, 1:], replicates=500, rng=rng).draws
    assert np.nanmax(np.abs(draws)) < 100
    assert np.nanmean(draws) == pytest.approx(values[~np.eye(6, dtype=bool)].mean(), abs=0.2)


def test_a_bootstrap_needs_two_items_and_a_rater_bootstrap_three_raters():
    with pytest.raises(NotEnoughDataError, match="over items needs at least two"):
        bootstrap(ratio_statistic([1.0]), replicates=10, rng=np.random.default_rng(0))
    with pytest.raises(NotEnoughDataError, match="at least three"):
        quadratic_bootstrap(np.ones((1, 2, 2)), lambda sums: sums, replicates=10, rng=np.random.default_rng(0))
