"""Laws of intervals and tests: each against the formula written out by hand, or against another program."""

from itertools import combinations
from math import atanh, nan, tanh

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import special, stats
from statsmodels.stats.proportion import proportion_confint

from accord import sizes
from accord.errors import NotEnoughDataError
from accord.inference.approximate import approximate_intervals
from accord.inference.bootstrap import (
    Resampled,
    bootstrap,
    draw_patterns,
    normal_draws,
    normal_limit,
    poisson_bootstrap,
    quadratic_bootstrap,
)
from accord.inference.clusters import clustered
from accord.inference.dyads import dyadic_interval
from accord.inference.fisher_jackknife import crossed_intervals, fisher_intervals
from accord.inference.interval import Interval
from accord.inference.intervals import bca_intervals, check_confidence, percentile_intervals, t_interval
from accord.inference.jackknife import jackknife, jackknife_of
from accord.inference.moderated import _inverse_trigamma, moderated
from accord.inference.permutation import permutation_test
from accord.inference.proportion import wilson_interval
from accord.inference.pseudo_items import (
    bayesian_bootstrap,
    bayesian_intervals,
    doubtful_patterns,
    effective_units,
    expanded_level,
    hopeful_patterns,
    pseudo_patterns,
)
from accord.inference.statistic import SumStatistic

QUICK = settings(max_examples=15)


@pytest.mark.parametrize("seed", range(5))
def test_variances_borrow_as_smyth_writes_it(seed):
    rng = np.random.default_rng(seed)
    freedom = rng.integers(2, 12, 12).astype(float)
    spread = 5.0 if seed % 2 else 1.0
    variances = spread ** rng.normal(size=12) * rng.chisquare(freedom) / freedom
    found = moderated(variances, freedom)
    e = np.log(variances) - special.psi(freedom / 2) + np.log(freedom / 2)
    excess = e.var(ddof=1) - special.polygamma(1, freedom / 2).mean()
    together = freedom.sum()
    if excess <= 0:
        assert found.prior_freedom == np.inf and found.variances == pytest.approx(np.full(12, np.exp(e.mean())))
        assert found.freedom == pytest.approx(np.full(12, together))
        return
    d0 = found.prior_freedom
    assert special.polygamma(1, d0 / 2) == pytest.approx(excess)
    s0 = np.exp(e.mean() + special.psi(d0 / 2) - np.log(d0 / 2))
    assert found.variances == pytest.approx((d0 * s0 + freedom * variances) / (d0 + freedom))
    assert found.freedom == pytest.approx(np.minimum(d0 + freedom, together))


def test_a_variance_alone_borrows_nothing_and_none_is_drawn_to_the_others():
    alone = moderated(np.array([2.0, np.nan, 0.0]), np.array([3.0, 3.0, 3.0]))
    assert alone.prior_freedom == 0 and alone.variances[0] == 2 and alone.freedom[0] == 3
    two = moderated(np.array([1.0, 9.0, np.nan, 0.0, 4.0]), np.array([30.0, 30.0, 5.0, 5.0, 0.0]))
    assert np.isnan(two.variances[2]) and 0 < two.variances[3] < 9 and two.variances[4] == 4 and two.freedom[4] == 0
    assert 1 < two.variances[0] < two.variances[1] < 9


@pytest.mark.parametrize("value", [1e-8, 1e-6, 1e-3, 0.5, 3.0, 100.0, 1e6, 1e8])
def test_the_inverse_of_trigamma_is_its_inverse(value):
    assert special.polygamma(1, _inverse_trigamma(value)) == pytest.approx(value, rel=2e-3 if value > 1e7 else 1e-5)


@QUICK
@given(some.integers(0, 999), some.sampled_from(["two-sided", "greater", "less"]), some.booleans())
def test_a_permutation_p_is_the_share_that_is_as_extreme(seed, alternative, exact):
    rng = np.random.default_rng(seed)
    permuted = rng.integers(-3, 4, 20).astype(float)
    observed = float(permuted[0])
    extreme = {
        "two-sided": abs(permuted) >= abs(observed),
        "greater": permuted >= observed,
        "less": permuted <= observed,
    }[alternative].sum()
    with_gaps = np.concatenate([permuted, [np.nan]])
    found = permutation_test(observed, with_gaps, alternative=alternative, exact=exact, unit="items")
    assert found.p == pytest.approx(extreme / 20 if exact else (extreme + 1) / 21)
    assert (found.arrangements, found.exact, found.observed) == (20, exact, observed)


@QUICK
@given(some.integers(1, 39), some.sampled_from([0.8, 0.95]))
def test_wilsons_interval_is_that_of_statsmodels(hits, level):
    found = wilson_interval(hits / 40, 0.0, 40, level=level)
    assert (found.low, found.high) == pytest.approx(proportion_confint(hits, 40, 1 - level, method="wilson"))
    assert found.low < hits / 40 < found.high


def test_a_share_that_varies_less_is_worth_more_items_and_never_fewer():
    z, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, 19)
    found = wilson_interval(0.3, 0.05, 20)
    worth = 0.21 / 0.05**2 * (z / t) ** 2
    assert (found.low, found.high) == pytest.approx(proportion_confint(0.3 * worth, worth, 0.05, method="wilson"))
    wide = wilson_interval(0.3, 0.5, 20)
    assert (wide.low, wide.high) == pytest.approx(proportion_confint(6, 20, 0.05, method="wilson"))
    assert wilson_interval(nan, 0.1, 20) is wilson_interval(0.3, 0.1, 1) is None
    assert wilson_interval(1.0, 0.0, 9).high == 1 and wilson_interval(0.0, 0.0, 9).low == 0
    assert wilson_interval(0.3, nan, 20) == wide


@pytest.mark.parametrize("seed", range(4))
def test_pairs_that_share_a_rater_count_together_as_in_the_double_sum(seed):
    rng = np.random.default_rng(seed)
    raters = 3 + seed
    square = np.full((raters, raters), np.nan)
    for i, j in combinations(range(raters), 2):
        if raters == 3 or rng.random() < 0.8:
            square[i, j] = square[j, i] = rng.uniform(0.2, 0.9)
    pairs = [(i, j) for i, j in combinations(range(raters), 2) if not np.isnan(square[i, j])]
    value = float(np.mean([square[pair] for pair in pairs]))
    found, error = dyadic_interval(square, value, 0.9)
    e = {pair: square[pair] - value for pair in pairs}
    together = sum(e[one] * e[other] for one in pairs for other in pairs if set(one) & set(other))
    groups = min(len({rater for pair in pairs for rater in pair}), len(pairs))
    alone = sum(off**2 for off in e.values())
    expected = np.sqrt(groups / (groups - 1) * max(together, alone)) / len(pairs)
    assert error == pytest.approx(expected)
    reach = stats.t.ppf(0.95, groups - 1) * expected / (1 - value**2)
    assert (found.low, found.high) == pytest.approx((tanh(atanh(value) - reach), tanh(atanh(value) + reach)))


@pytest.mark.parametrize("floor", [-1.0, 0.0])
def test_fishers_jackknife_is_that_of_the_z_values(floor):
    rng = np.random.default_rng(0)
    left_out = rng.uniform(0.4, 0.8, (12, 2))
    values = left_out.mean(axis=0)
    made = jackknife_of(values, left_out, "items")
    stretched = 2 * (left_out - floor) / (1 - floor) - 1
    z = np.arctanh(stretched)
    error = np.sqrt(11 / 12 * ((z - z.mean(axis=0)) ** 2).sum(axis=0))
    for units in (None, 5.5):
        found = fisher_intervals(made, 0.9, units, floor)
        reach = stats.t.ppf(0.95, (units or 12) - 1) * error
        centre = np.arctanh(2 * (values - floor) / (1 - floor) - 1)
        ends = [floor + (1 - floor) * (np.tanh(centre + sign * reach) + 1) / 2 for sign in (-1, 1)]
        assert [one.low for one in found] == pytest.approx(ends[0])
        assert [one.high for one in found] == pytest.approx(ends[1])
    own = np.array([0.05, 0.02])
    steep = (1 - (2 * (values - floor) / (1 - floor) - 1) ** 2) * (1 - floor) / 2
    crossed = crossed_intervals(made, own, 30, 0.9, floor=floor)
    for place, one in enumerate(crossed):
        first, second = error[place] ** 2, (own[place] / steep[place]) ** 2
        freedom = (first + second) ** 2 / (first**2 / 11 + second**2 / 29)
        reach = stats.t.ppf(0.95, freedom) * np.sqrt(first + second)
        centre = np.arctanh(2 * (values[place] - floor) / (1 - floor) - 1)
        assert one.low == pytest.approx(floor + (1 - floor) * (np.tanh(centre - reach) + 1) / 2)
        assert f"t({freedom:,.3g})" in one.method
    flat = jackknife_of(np.array([0.5]), np.full((6, 1), 0.5), "items")
    assert fisher_intervals(flat)[0] is None
    assert fisher_intervals(jackknife_of(np.array([1.2]), left_out[:, :1], "items"))[0] is None


def ratio(multiplicity=(3, 1, 2, 4, 1, 1)):
    rng = np.random.default_rng(5)
    features = rng.uniform(1, 3, (len(multiplicity), 2))
    return SumStatistic(
        ("ratio", "top"),
        features,
        np.array(multiplicity),
        lambda sums: np.column_stack([sums[:, 0] / sums[:, 1], sums[:, 0]]),
    )


def test_the_jackknife_is_that_of_leaving_out_every_unit():
    statistic = ratio()
    rows = np.repeat(statistic.features, statistic.multiplicity, axis=0)
    each = np.array([np.delete(rows, place, axis=0).sum(axis=0) for place in range(12)])
    without = statistic.evaluate(each)
    made = jackknife(statistic)
    value = rows[:, 0].sum() / rows[:, 1].sum()
    assert made.units == 12 and made.values[0] == pytest.approx(value)
    assert made.estimates[0] == pytest.approx(12 * value - 11 * without[:, 0].mean())
    assert made.standard_errors == pytest.approx(np.sqrt(11 / 12 * ((without - without.mean(0)) ** 2).sum(0)))
    off = without.mean(0) - without
    assert made.accelerations == pytest.approx((off**3).sum(0) / (6 * (off**2).sum(0) ** 1.5))
    reach = stats.t.ppf(0.95, 11) * made.standard_errors
    found = made.intervals(0.9)
    assert [one.low for one in found] == pytest.approx(made.estimates - reach)
    assert [one.high for one in found] == pytest.approx(made.estimates + reach)
    assert made.intervals(0.9, highest=0.5)[0].high == 0.5 and found[0].method == "jackknife over items, t(11)"


def test_bca_ends_are_those_of_efrons_formula():
    rng = np.random.default_rng(0)
    draws = rng.gamma(3, 1, (999, 1))
    value, a = 2.5, 0.06
    (found,) = bca_intervals(Resampled(draws), np.array([value]), np.array([a]), 0.9)
    z0 = stats.norm.ppf((draws < value).mean())
    tails = z0 + stats.norm.ppf([0.05, 0.95])
    ends = np.quantile(draws, stats.norm.cdf(z0 + tails / (1 - a * tails)))
    assert (found.low, found.high) == pytest.approx(tuple(ends)) and found.method.endswith(", BCa")
    ties = np.repeat([[1.0], [2.0], [3.0]], [300, 500, 199], axis=0)
    (tied,) = bca_intervals(Resampled(ties), np.array([2.0]), np.array([0.0]), 0.9)
    z0 = stats.norm.ppf((300 + 250) / 999)
    assert tied.low == np.quantile(ties, stats.norm.cdf(2 * z0 + stats.norm.ppf(0.05)))
    (beyond,) = bca_intervals(Resampled(draws), np.array([-1.0]), np.array([a]), 0.9)
    (plain,) = percentile_intervals(Resampled(draws), 0.9)
    assert beyond == plain and (plain.low, plain.high) == pytest.approx(tuple(np.quantile(draws, [0.05, 0.95])))
    assert bca_intervals(Resampled(draws), np.array([nan]), np.array([a])) == (None,)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_an_interval_of_t_is_cut_at_what_is_highest(level):
    reach = stats.t.ppf((1 + level) / 2, 7) * 0.2
    found = t_interval(0.5, 0.2, 7, level=level, method="t", highest=2.0)
    assert (found.low, found.high) == pytest.approx((0.5 - reach, 0.5 + reach))
    assert found.width == pytest.approx(2 * reach) and found.level_words == f"{100 * level:g}% interval"
    assert t_interval(0.9, 0.2, 7, method="t").high == 1
    assert t_interval(nan, 0.2, 7, method="t") is t_interval(0.5, np.inf, 7, method="t") is None


def test_an_end_belongs_to_its_interval_and_hardly_more():
    made = Interval(low=0.25, high=0.75, method="any")
    assert 0.25 in made and 0.75 in made and 0.5 in made and 0.75 + 1e-13 in made and 0.25 - 1e-13 in made
    assert 0.7501 not in made and 0.2499 not in made and str(made) == "[0.250, 0.750]"
    assert check_confidence(0.5) == 0.5


@pytest.mark.parametrize("small", [True, False])
def test_clusters_add_up_their_items(small, monkeypatch):
    monkeypatch.setattr(sizes, "is_small_table", lambda _: small)
    statistic = ratio()
    rng = np.random.default_rng(1)
    cluster, pattern, times = rng.integers(0, 4, 15), rng.integers(0, 6, 15), rng.integers(1, 4, 15)
    cluster[cluster == 1] = 2  # a cluster without items
    cluster[0] = 3
    for each in (None, times, np.full(15, 3)):
        found = clustered(statistic, cluster, pattern, each)
        by_hand = np.zeros((4, 2))
        for place in range(15):
            by_hand[cluster[place]] += statistic.features[pattern[place]] * (1 if each is None else each[place])
        assert found.features == pytest.approx(by_hand) and found.multiplicity.tolist() == [1] * 4


def test_resampled_raters_count_the_pairs_of_their_copies():
    rng = np.random.default_rng(0)
    forms = rng.random((2, 4, 4))
    kept = []
    quadratic_bootstrap(forms, lambda sums: kept.append(sums) or sums, replicates=50, rng=np.random.default_rng(7))
    weights = np.random.default_rng(7).multinomial(4, np.full(4, 0.25), size=50)
    for row, drawn in zip(kept[0], weights, strict=True):
        for form, found in zip(forms, row, strict=True):
            by_hand = sum(drawn[i] * drawn[j] * form[i, j] for i in range(4) for j in range(4) if i != j)
            assert found == pytest.approx(by_hand)
    with pytest.raises(NotEnoughDataError, match="at least three of them; there are 2"):
        quadratic_bootstrap(forms[:, :2, :2], lambda sums: sums, replicates=5, rng=rng)


@pytest.mark.parametrize("multiplicity", [[1] * 12, [60, 40, 20]])
def test_drawn_patterns_have_the_mean_and_the_variance_of_a_multinomial(multiplicity):
    drawn = np.concatenate(list(draw_patterns(np.array(multiplicity), 4_000, np.random.default_rng(0))))
    units, share = sum(multiplicity), np.array(multiplicity) / sum(multiplicity)
    assert drawn.shape == (4_000, len(multiplicity)) and (drawn.sum(axis=1) == units).all()
    assert drawn.mean(axis=0) == pytest.approx(units * share, rel=0.06)
    assert drawn.var(axis=0) == pytest.approx(units * share * (1 - share), rel=0.12)


def test_normal_draws_have_their_covariance_and_progress_is_told_to_the_end():
    covariance = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    drawn = normal_draws(covariance, 20_000, np.random.default_rng(0))
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=0.06) and drawn.mean(axis=0) == pytest.approx(0, abs=0.05)
    told = []
    bootstrap(ratio(), replicates=30, rng=np.random.default_rng(0), progress=lambda *now: told.append(now))
    assert told[-1] == (30, 30)
    weights = np.random.default_rng(0).integers(0, 3, (6, 8)) + 1
    found = poisson_bootstrap(ratio(), [weights[:, :5], weights[:, 5:]], replicates=8)
    assert found.draws == pytest.approx(ratio().evaluate(weights.T.astype(float) @ ratio().features))


# Pseudo-items.

CODES = np.array([[0, 1, 2], [1, 1, -1], [0, 0, 2], [-1, 2, -1]], dtype=np.int32)
TIMES = np.array([3, 2, 1, 9])


@pytest.mark.parametrize("values", [2, 3, 5])
def test_items_that_might_have_been_seen_have_the_mass_that_is_told_and_raters_who_met(values):
    codes = np.minimum(CODES, values - 1).astype(np.int32)
    rows, mass = pseudo_patterns(codes, TIMES, values)
    given_by = {tuple(np.flatnonzero(row >= 0)) for row in rows}
    assert given_by == {(0, 1, 2), (0, 1)}
    distinct = np.array([len(set(row[row >= 0])) for row in rows])
    assert mass[distinct == 1].sum() == pytest.approx(0.75) and mass[distinct == 2].sum() == pytest.approx(1.5)
    three = (rows >= 0).all(axis=1)
    assert mass[three].sum() == pytest.approx(2.25 * 4 / 6)
    for value in range(values):
        assert mass[(distinct == 1) & (rows.max(axis=1) == value)].sum() == pytest.approx(0.75 / values)


def test_hope_and_doubt_share_their_mass_over_the_other_values():
    rows, mass = hopeful_patterns(CODES, TIMES, 3, 0)
    assert mass.sum() == pytest.approx(0.5) and {int(row.max()) for row in rows} == {1, 2}
    assert all(len(set(row[row >= 0])) == 1 for row in rows)
    rows, mass = doubtful_patterns(CODES, TIMES, 3, 0)
    assert mass.sum() == pytest.approx(0.75) and all(((row != 0) & (row >= 0)).sum() == 1 for row in rows)
    for value in (1, 2):
        assert mass[(rows == value).any(axis=1)].sum() == pytest.approx(0.75 / 2)


def test_percentiles_are_widened_as_t_widens_the_normal_law():
    for units in (2.0, 5.0, 200.0):
        wide = np.sqrt(units / (units - 1)) * stats.t.ppf(0.95, units - 1)
        assert expanded_level(0.9, units) == pytest.approx(1 - 2 * stats.norm.cdf(-wide))
    assert expanded_level(0.9, 1.0) == expanded_level(0.9, 2.0)
    assert effective_units(np.array([4, 4, 4])) == pytest.approx(3) and effective_units(np.array([])) == 0
    assert effective_units(np.array([3, 1])) == pytest.approx(16 / 10)
    draws = np.random.default_rng(0).normal(0, 1, (2_000, 1))
    inner = expanded_level(0.9, 9.0)
    (found,) = bayesian_intervals(Resampled(draws), np.array([0.0]), 9.0, 0.9)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(draws, [(1 - inner) / 2, (1 + inner) / 2])))
    (far,) = bayesian_intervals(Resampled(draws), np.array([9.0]), 9.0, 0.9)
    assert far.high == 9 and far.low == found.low
    (near,) = bayesian_intervals(Resampled(np.vstack([draws, [[np.nan]]])), np.array([-9.0]), 9.0, 0.9)
    assert near.low == -9 and near.undefined == 1 and near.replicates == 2_001


def test_random_weights_add_up_to_the_items_there_are():
    statistic, pseudo, mass = ratio(), np.array([[5.0, 1.0], [1.0, 5.0]]), np.array([0.5, 1.5])
    for held in (None, np.array([1, 2, 1, 3, 1, 2])):
        sums = []
        counted = SumStatistic(
            ("n",),
            np.ones((6, 1)) if held is None else held[:, None].astype(float),
            statistic.multiplicity,
            lambda given, sums=sums: sums.append(given) or given,
        )
        bayesian_bootstrap(counted, np.ones((2, 1)), mass, replicates=20, rng=np.random.default_rng(0), sizes=held)
        items = float(statistic.multiplicity @ (np.ones(6) if held is None else held))
        assert sums[0] == pytest.approx(np.full((20, 1), items))
    found = bayesian_bootstrap(statistic, pseudo, mass, replicates=6_000, rng=np.random.default_rng(0))
    top = np.concatenate([np.repeat(statistic.features[:, 0], statistic.multiplicity)])
    expected = 12 * (top.sum() + mass @ pseudo[:, 0]) / (12 + mass.sum())
    assert found.draws[:, 1].mean() == pytest.approx(expected, rel=0.01) and found.engine == "Bayesian weights"


# Exactly on a bound.


def test_a_value_of_one_has_an_interval_and_one_beyond_has_none():
    left_out = np.random.default_rng(0).uniform(0.9, 1.0, (9, 1))
    assert fisher_intervals(jackknife_of(np.array([1.0]), left_out, "items"))[0].high == 1
    assert fisher_intervals(jackknife_of(np.array([1.001]), left_out, "items"))[0] is None
    square = np.array([[1, 0.9, 0.8], [0.9, 1, 1.0], [0.8, 1.0, 1]])
    assert dyadic_interval(square, 1.0)[0].high == 1 and dyadic_interval(square, 1.001)[0] is None
    assert dyadic_interval(square, -1.0)[0] is not None and dyadic_interval(square, -1.001)[0] is None


def test_a_mean_without_curvature_has_the_ends_that_its_skewness_gives():
    values = np.random.default_rng(0).gamma(2, 1, 25)
    features = np.column_stack([values, np.ones(25)])
    statistic = SumStatistic(("mean",), features, np.ones(25, dtype=np.int64), lambda s: s[:, :1] / s[:, 1:])
    made = jackknife(statistic)
    (found,) = approximate_intervals(statistic, made, 0.9)
    off = values - values.mean()
    sigma, a = np.sqrt((off**2).sum()) / 25, (off**3).sum() / (6 * (off**2).sum() ** 1.5)
    z0 = stats.norm.ppf(2 * stats.norm.cdf(a) * stats.norm.cdf(0))
    for end, tail in ((found.low, 0.05), (found.high, 0.95)):
        w = z0 + stats.norm.ppf(tail)
        assert end == pytest.approx(values.mean() + w / (1 - a * w) ** 2 * sigma)


def test_a_ratio_has_the_ends_that_diciccio_and_efron_write_with_its_bias_and_its_curvature():
    x, y = np.random.default_rng(3).gamma(2, 1, (2, 9))
    features = np.column_stack([x, y])
    statistic = SumStatistic(("ratio",), features, np.ones(9, dtype=np.int64), lambda s: s[:, :1] / s[:, 1:])

    def at(weights):
        return float(weights @ x / (weights @ y))

    without = np.array([at(np.delete(np.eye(9), place, axis=0).sum(axis=0)) for place in range(9)])
    t = 8 * (without.mean() - without)
    sigma = np.sqrt((t**2).sum()) / 9
    a = (t**3).sum() / (6 * (t**2).sum() ** 1.5)
    bias = 8 * (without.mean() - at(np.ones(9)))
    tilt = t / (9 * sigma)
    curve = (at(1 + 0.1 * tilt) + at(1 - 0.1 * tilt) - 2 * at(np.ones(9))) / (2 * 0.1**2 * sigma)
    z0 = stats.norm.ppf(2 * stats.norm.cdf(a) * stats.norm.cdf(curve - bias / sigma))
    (found,) = approximate_intervals(statistic, jackknife(statistic), 0.9)
    for end, tail in ((found.low, 0.05), (found.high, 0.95)):
        w = z0 + stats.norm.ppf(tail)
        assert end == pytest.approx(at(1 + w / (1 - a * w) ** 2 * tilt))
    assert found.method == "ABC over items"


def test_every_interval_is_of_ninety_five_percent_unless_said_otherwise():
    draws = Resampled(np.random.default_rng(0).normal(0, 1, (500, 1)))
    made = jackknife(ratio())
    found = [
        *percentile_intervals(draws),
        *bca_intervals(draws, np.zeros(1), np.zeros(1)),
        *made.intervals(),
        t_interval(0.5, 0.1, 5, method="t"),
        wilson_interval(0.5, 0.1, 9),
        *fisher_intervals(made)[:1],
        *approximate_intervals(ratio(), made),
        *bayesian_intervals(draws, np.zeros(1), 9.0),
        Interval(low=0, high=1, method="any"),
        dyadic_interval(np.array([[1, 0.2, 0.5], [0.2, 1, 0.4], [0.5, 0.4, 1]]), 0.4)[0],
    ]
    assert {one.level for one in found if one is not None} == {0.95}
    assert found[0] == percentile_intervals(draws, 0.95)[0]


def test_many_raters_on_many_values_dissent_alone_by_half_and_all_but_one():
    rows, mass = pseudo_patterns(np.zeros((1, 12), dtype=np.int32), np.array([5]), 9)
    dissent = {int((row == row.max()).sum()) for row in rows if row.min() != row.max()}
    assert dissent == {1, 6, 11} and mass.sum() == pytest.approx(2.25) and len(rows) <= 260
    three, shares = pseudo_patterns(np.zeros((1, 3), dtype=np.int32), np.array([5]), 20)
    alone = np.array([(row == row.max()).sum() if row.min() != row.max() else 0 for row in three])
    assert shares[alone == 1].sum() == pytest.approx(0.75) and shares[alone == 2].sum() == pytest.approx(0.75)
    assert len(three) == 20 + 190 * 2, "where values are many, each pair of them is met once"
    few, _ = pseudo_patterns(np.zeros((1, 5), dtype=np.int32), np.array([5]), 2)
    assert {int((row == 1).sum()) for row in few if row.min() != row.max()} == {1, 2, 3, 4}


def test_sums_at_their_limit_are_never_fewer_than_none():
    features = np.column_stack([np.r_[1.0, np.zeros(1_999)], np.where(np.arange(2_000) % 2, 1.0, -1.0)])
    statistic = SumStatistic(("rare", "both"), features, np.ones(2_000, dtype=np.int64), lambda sums: sums)
    drawn = normal_limit(statistic, replicates=400, rng=np.random.default_rng(0)).draws
    assert drawn[:, 0].min() == 0 < drawn[:, 0].max() and drawn[:, 1].min() < -10
    assert drawn[:, 1].std() == pytest.approx(np.sqrt(2_000), rel=0.1)


def test_two_units_are_enough_and_fewer_count_as_two():
    two = SumStatistic(("n",), np.ones((2, 1)), np.ones(2, dtype=np.int64), lambda sums: sums)
    assert len(bootstrap(two, replicates=4, rng=np.random.default_rng(0)).draws) == 4
    made = jackknife_of(np.array([0.5]), np.array([[0.4], [0.6]]), "items")
    for units in (None, 2.0, 1.5):
        (found,) = fisher_intervals(made, 0.5, units)
        reach = stats.t.ppf(0.75, 1) * np.sqrt(
            0.5 * np.square(np.arctanh([0.4, 0.6]) - np.arctanh([0.4, 0.6]).mean()).sum()
        )
        assert found.high == pytest.approx(tanh(atanh(0.5) + reach)) and found.method.endswith("t(1)")
