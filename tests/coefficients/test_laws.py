"""What must hold for any ratings: order, relabelling, perfect agreement, and one coefficient against another."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.incomplete import incomplete_icc
from accord.coefficients.options import Options
from accord.coefficients.order import order_of_columns, order_of_tables
from accord.coefficients.ranks import Gamma
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.sums import sum_statistic
from accord.design.scale import Level, Scale
from accord.ratings.counting import count_source, patterns_of
from accord.ratings.counts import Patterns
from accord.ratings.table import Factor, Ratings
from real_ratings import from_matrix

SCALE = (1.0, 2.0, 3.0, 4.0)
EVERY = sorted(COEFFICIENTS)
UNORDERED = [key for key in EVERY if Level.NOMINAL in COEFFICIENTS[key].levels]


@st.composite
def ratings(draw, missing=True):
    width = draw(st.integers(2, 4))
    cell = st.sampled_from([*SCALE, None] if missing else SCALE)
    rows = draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=3, max_size=14))
    rows.append([1.0] * width)
    rows.append([4.0] * width)
    return np.array([[np.nan if value is None else value for value in row] for row in rows])


def value(matrix, key, level=Level.ORDINAL, **options):
    return compute(count_source(from_matrix(matrix, level, SCALE)), key, Options(**options)).value


@pytest.mark.parametrize("key", EVERY)
@settings(max_examples=12, deadline=None)
@given(matrix=ratings(), seed=st.integers(0, 99))
def test_the_order_of_items_and_raters_does_not_matter(key, matrix, seed):
    rng = np.random.default_rng(seed)
    turned = matrix[rng.permutation(len(matrix))][:, rng.permutation(matrix.shape[1])]
    assert value(turned, key) == pytest.approx(value(matrix, key), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("key", UNORDERED)
@settings(max_examples=12, deadline=None)
@given(matrix=ratings(), seed=st.integers(0, 99))
def test_nominal_coefficients_do_not_care_what_values_are_called(key, matrix, seed):
    names = np.random.default_rng(seed).permutation(SCALE)
    renamed = np.where(np.isnan(matrix), np.nan, names[np.nan_to_num(matrix, nan=1).astype(int) - 1])
    assert value(renamed, key, Level.NOMINAL) == pytest.approx(value(matrix, key, Level.NOMINAL), abs=1e-12)


# Items that are tied by both raters keep these two from 1.
TIES_COUNT = ("kendall_tau_a", "kendall_tau_c")


@pytest.mark.parametrize("key", [key for key in EVERY if key not in TIES_COUNT])
@settings(max_examples=8, deadline=None)
@given(column=st.lists(st.sampled_from(SCALE), min_size=4, max_size=12), raters=st.integers(2, 4))
def test_perfect_agreement_is_one_where_values_differ(key, column, raters):
    assume(len(set(column)) > 1)
    assert value(np.repeat(np.array(column)[:, None], raters, axis=1), key) == pytest.approx(1.0)


@pytest.mark.parametrize("key", [key for key in EVERY if COEFFICIENTS[key].family != "agreement"])
def test_one_and_the_same_value_throughout_is_undefined_not_perfect(key):
    source = count_source(from_matrix(np.full((6, 3), 2.0)))
    found = compute(source, key)
    assert np.isnan(found.value) and found.interval is None
    assert COEFFICIENTS[key].undefined_when


@settings(max_examples=40, deadline=None)
@given(matrix=ratings(missing=False))
def test_nominal_alpha_is_fleiss_with_a_small_sample_term_on_complete_ratings(matrix):
    alpha, fleiss = value(matrix, "krippendorff_alpha", Level.NOMINAL), value(matrix, "fleiss_kappa", Level.NOMINAL)
    assert alpha == pytest.approx(1 - (1 - fleiss) * (matrix.size - 1) / matrix.size)


@settings(max_examples=40, deadline=None)
@given(matrix=ratings(missing=False))
def test_known_relations_between_coefficients_hold(matrix):
    assert value(matrix, "light_kappa") == pytest.approx(value(matrix, "cohen_kappa"), nan_ok=True)
    assert value(matrix, "cronbach_alpha", Level.INTERVAL) == pytest.approx(value(matrix, "icc_ck", Level.INTERVAL))
    for single, average in (("icc_1", "icc_1k"), ("icc_c1", "icc_ck")):
        one = value(matrix, single, Level.INTERVAL)
        k = matrix.shape[1]
        assert value(matrix, average, Level.INTERVAL) == pytest.approx(k * one / (1 + (k - 1) * one))
    if matrix.shape[1] == 2:
        assert value(matrix, "scott_pi") == pytest.approx(value(matrix, "fleiss_kappa"))
        assert value(matrix, "conger_kappa") == pytest.approx(value(matrix, "cohen_kappa"))
        assert value(matrix, "cohen_kappa_quadratic") == pytest.approx(value(matrix, "lin_ccc", Level.INTERVAL))


@settings(max_examples=30, deadline=None)
@given(matrix=ratings())
def test_interval_alpha_is_what_all_pairs_of_ratings_say(matrix):
    kept = [row[~np.isnan(row)] for row in matrix if (~np.isnan(row)).sum() >= 2]
    every = np.concatenate(kept)
    apart = sum(np.square(np.subtract.outer(row, row)).sum() / (len(row) - 1) for row in kept) / len(every)
    chance = np.square(np.subtract.outer(every, every)).sum() / (len(every) * (len(every) - 1))
    assert value(matrix, "krippendorff_alpha", Level.INTERVAL) == pytest.approx(1 - apart / chance)


@settings(max_examples=30, deadline=None)
@given(matrix=ratings(missing=False))
def test_intraclass_correlations_follow_from_a_least_squares_fit(matrix):
    n, k = matrix.shape
    item, rater = np.repeat(np.arange(n), k), np.tile(np.arange(k), n)
    scores = matrix.ravel()

    def left_over(*factors):
        design = np.hstack([np.ones((n * k, 1)), *(np.eye(factor.max() + 1)[factor] for factor in factors)])
        return float(np.square(scores - design @ np.linalg.lstsq(design, scores, rcond=None)[0]).sum())

    total, items, both = left_over(), left_over(item), left_over(item, rater)
    between, within = (total - items) / (n - 1), items / (n * (k - 1))
    raters, residual = (items - both) / (k - 1), both / ((n - 1) * (k - 1))
    expected = {
        "icc_1": (between - within) / (between + (k - 1) * within),
        "icc_c1": (between - residual) / (between + (k - 1) * residual),
        "icc_a1": (between - residual) / (between + (k - 1) * residual + k / n * (raters - residual)),
    }
    for key, wanted in expected.items():
        assert value(matrix, key, Level.INTERVAL) == pytest.approx(wanted, abs=1e-9)
    patterns = patterns_of((matrix - 1).astype(np.int32), 4)
    scale = count_source(from_matrix(matrix, Level.INTERVAL, SCALE)).facts().scale
    for key in ("icc_1", "icc_a1", "icc_c1", "icc_1k", "icc_ak", "icc_ck"):
        found = incomplete_icc(patterns.codes, patterns.multiplicity, scale, COEFFICIENTS[key].coefficient.form)
        assert found.value == pytest.approx(value(matrix, key, Level.INTERVAL), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=70))
def test_gamma_counts_every_pair_of_items(pairs):
    one, other = np.array(pairs).T
    order = np.sign(np.subtract.outer(one, one)) * np.sign(np.subtract.outer(other, other))
    table = np.zeros((6, 6))
    np.add.at(table, (one, other), 1)
    for found in (order_of_tables(table).concordance, order_of_columns(one, other).concordance):
        assert found.concordant == (order > 0).sum() / 2
        assert found.discordant == (order < 0).sum() / 2
        assert found.one_untied == (np.subtract.outer(one, one) != 0).sum() / 2
        untied = (order != 0).sum()
        assert Gamma().formula(found) == pytest.approx(order.sum() / untied if untied else np.nan, nan_ok=True)


@settings(max_examples=25, deadline=None)
@given(matrix=ratings())
def test_sums_over_patterns_give_the_value_of_every_coefficient(matrix):
    source = count_source(from_matrix(matrix, Level.ORDINAL, SCALE))
    statistic = sum_statistic(source.patterns(), source.facts().scale, EVERY)
    expected = [compute(source, key).value for key in EVERY]
    assert statistic.values() == pytest.approx(expected, abs=1e-10, nan_ok=True)
    assert statistic.names == tuple(EVERY)


@pytest.mark.parametrize("weights", ["quadratic", "ordinal", "own"])
def test_weights_that_a_user_chose_reach_the_value_and_its_replicates_alike(weights):
    matrix = np.random.default_rng(6).integers(1, 5, size=(30, 3)).astype(float)
    source = count_source(from_matrix(matrix, Level.ORDINAL, SCALE))
    own = np.array([[1, 0.6, 0, 0], [0.6, 1, 0.1, 0], [0, 0.1, 1, 0.9], [0, 0, 0.9, 1]])
    options = Options(weights=own if weights == "own" else weights)
    statistic = sum_statistic(source.patterns(), source.facts().scale, EVERY, options)
    found = [compute(source, key, options) for key in EVERY]
    assert statistic.values() == pytest.approx([one.value for one in found])
    plain = {key: compute(source, key).value for key in EVERY}
    changed = {one.key for one in found if one.value != pytest.approx(plain[one.key])}
    expected = {"weighted_agreement", "fleiss_kappa", "conger_kappa", "gwet_ac2", "brennan_prediger"}
    expected |= {"cohen_kappa", "scott_pi"} if weights == "own" else set()
    # AC2 is quadratic by default.
    assert changed == expected - ({"gwet_ac2"} if weights == "quadratic" else set())


@settings(max_examples=15, deadline=None)
@given(matrix=ratings(), seed=st.integers(0, 99))
def test_weighting_patterns_equals_repeating_their_rows(matrix, seed):
    """A bootstrap draw over patterns is the same as a draw of rows."""
    source = count_source(from_matrix(matrix, Level.ORDINAL, SCALE))
    patterns, scale = source.patterns(), source.facts().scale
    statistic = sum_statistic(patterns, scale, EVERY)
    draw = np.random.default_rng(seed).multinomial(30, patterns.multiplicity / patterns.multiplicity.sum())
    repeated = sum_statistic(
        Patterns(np.repeat(patterns.codes, draw, axis=0), np.ones(30, dtype=np.int64)), scale, EVERY
    )
    drawn = statistic.evaluate((draw @ statistic.features)[None, :])[0]
    # A pair of raters may share no drawn item: then it has no value on either side.
    assert drawn == pytest.approx(repeated.values(), abs=1e-9, nan_ok=True)


@settings(max_examples=10, deadline=None)
@given(matrix=ratings(), seed=st.integers(0, 99))
def test_fine_scales_are_resampled_by_comparing_patterns_with_the_same_result(matrix, seed):
    coarse = count_source(from_matrix(matrix, Level.ORDINAL, SCALE))
    fine = count_source(from_matrix(matrix, Level.ORDINAL, tuple(np.arange(1.0, 201.0))))
    keys = ["gamma", "kendall_tau_b", "spearman", "kendall_w", "krippendorff_alpha", "cohen_kappa"]
    few, many = (sum_statistic(s.patterns(), s.facts().scale, keys) for s in (coarse, fine))
    weights = np.random.default_rng(seed).integers(0, 4, size=(3, len(few.features))).astype(float)
    one, other = few.evaluate(weights @ few.features), many.evaluate(weights @ many.features)
    assert one == pytest.approx(other, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("key", [key for key in EVERY if COEFFICIENTS[key].pairwise])
def test_the_matrix_of_pairs_holds_what_each_pair_alone_gives(key):
    rng = np.random.default_rng(5)
    matrix = rng.integers(1, 5, size=(40, 4)).astype(float)
    matrix[rng.random(matrix.shape) < 0.3] = np.nan
    source = count_source(from_matrix(matrix, Level.ORDINAL, SCALE))
    found = COEFFICIENTS[key].coefficient.of_pairs(View.of(source))
    square, shared = found.matrix(4), found.shared(4)
    assert np.array_equal(square, square.T, equal_nan=True) and (np.diag(square) == 1).all()
    for one, other in found.pairs:
        both = ~np.isnan(matrix[:, one]) & ~np.isnan(matrix[:, other])
        alone = compute(count_source(from_matrix(matrix[both][:, [one, other]], Level.ORDINAL, SCALE)), key)
        assert square[one, other] == pytest.approx(alone.value)
        assert shared[one, other] == both.sum() == alone.items
        assert alone.interval is not None and alone.interval.low < alone.value < alone.interval.high


HAVE_ERRORS = [
    "cohen_kappa", "cohen_kappa_linear", "gamma", "kendall_tau_b", "scott_pi", "lin_ccc", "fleiss_kappa",
    "conger_kappa", "gwet_ac1", "krippendorff_alpha", "pearson",
]  # fmt: skip


@pytest.mark.parametrize("key", HAVE_ERRORS)
def test_an_analytic_error_is_near_the_jackknife_on_many_items(key):
    rng = np.random.default_rng(8)
    truth = rng.integers(1, 5, size=600)
    matrix = np.clip(truth[:, None] + rng.integers(-1, 2, size=(600, 2)), 1, 4).astype(float)
    source = count_source(
        from_matrix(matrix, Level.INTERVAL if key in ("pearson", "lin_ccc") else Level.ORDINAL, SCALE)
    )
    statistic = sum_statistic(source.patterns(), source.facts().scale, [key])
    times = statistic.multiplicity.astype(float)
    left_out = statistic.evaluate(times @ statistic.features - statistic.features)[:, 0]
    n = times.sum()
    spread = times @ np.square(left_out - times @ left_out / n)
    jackknife = float(np.sqrt((n - 1) / n * spread))
    tolerance = 0.15 if key in ("pearson", "lin_ccc") else 0.02  # Fisher's z assumes normal scores
    assert compute(source, key).standard_error == pytest.approx(jackknife, rel=tolerance)


def test_scores_far_from_zero_lose_no_digits():
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(50, 3))
    far = matrix + 1e7
    for key in ("krippendorff_alpha", "icc_a1", "pearson", "lin_ccc"):
        near = compute(count_source(from_matrix(matrix, Level.INTERVAL)), key)
        away = compute(count_source(from_matrix(far, Level.INTERVAL)), key)
        assert away.value == pytest.approx(near.value, abs=1e-7)


def test_ordinal_alpha_of_many_values_needs_little_memory():
    import tracemalloc

    rng = np.random.default_rng(4)
    codes = rng.integers(0, 101, size=(10_000, 3)).astype(float)
    ratings = from_matrix(codes, Level.ORDINAL, tuple(np.arange(101.0)))
    tracemalloc.start()
    for metric in ("nominal", "ordinal", "interval", "ratio", "circular"):
        source = count_source(ratings)
        assert abs(compute(source, "krippendorff_alpha", Options(metric=metric)).value) < 0.05
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


def test_many_raters_with_few_items_each_need_no_table_of_all_raters():
    rng = np.random.default_rng(9)
    items, raters = 60_000, 5_000
    item = np.repeat(np.arange(items, dtype=np.int32), 2)
    rater = rng.integers(0, raters, size=2 * items, dtype=np.int32)
    rater[1::2] = (rater[::2] + 1) % raters
    truth = rng.integers(0, 4, size=items)
    value = np.clip(np.repeat(truth, 2) + rng.integers(-1, 2, size=2 * items), 0, 3).astype(np.int32)
    names = [tuple(map(str, range(n))) for n in (items, raters)]
    crowd = Ratings(Factor(item, names[0]), Factor(rater, names[1]), value, Scale(Level.ORDINAL, SCALE, declared=True))
    slots = from_matrix(value.reshape(-1, 2) + 1.0, Level.ORDINAL, SCALE)
    for key in ("krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "brennan_prediger", "percent_agreement"):
        found, expected = (compute(count_source(one), key) for one in (crowd, slots))
        assert found.value == pytest.approx(expected.value)
        assert found.standard_error == pytest.approx(expected.standard_error)
        assert found.items == items


@settings(max_examples=40, deadline=None)
@given(matrix=ratings(missing=False))
def test_percent_agreement_is_on_average_the_same_when_each_item_loses_a_rating_at_random(matrix):
    raters = matrix.shape[1]
    assume(raters >= 3)
    found = []
    for shift in range(raters):
        thinned = matrix.copy()
        thinned[np.arange(len(matrix)), (np.arange(len(matrix)) + shift) % raters] = np.nan
        found.append(value(thinned, "percent_agreement"))
    assert np.mean(found) == pytest.approx(value(matrix, "percent_agreement"), abs=1e-12)


@pytest.mark.parametrize("key", ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "cohen_kappa_quadratic"])
def test_ratings_missing_at_random_leave_a_coefficient_where_it_is(key):
    rng = np.random.default_rng(6)
    truth = rng.normal(size=(4_000, 1))
    matrix = np.clip(np.rint(truth + rng.normal(0, 0.7, (4_000, 4)) + 2.5), 1, 4)
    whole = value(matrix, key)
    thinned = [value(np.where(rng.random(matrix.shape) < 0.5, np.nan, matrix), key) for _ in range(10)]
    assert np.mean(thinned) == pytest.approx(whole, abs=4 * np.std(thinned, ddof=1) / np.sqrt(10) + 1e-3)
    assert abs(np.mean(thinned) - whole) < 0.012


def test_two_who_always_say_the_same_one_value_have_no_concordance_and_spoil_no_mean():
    """Nothing is divided by nothing; rounding in its place gave means of -9e14."""
    from accord.coefficients.correlation import LinConcordance, spreads

    third = 1 / 3
    moments = np.array(
        [[3, 3 * 0.1, 0.1 + 0.1 + 0.1, 3 * 0.01, 0.1**2 * 3, 0.1 * 0.3], [3, 1, 3 * third, third, third, third]]
    )
    moments[1, 1] = np.nextafter(1, 2)
    assert np.isnan(LinConcordance.formula(LinConcordance, spreads(moments))).all()
