"""The table of coefficients: complete, in words, and honest about what does not fit."""

import numpy as np
import pytest

from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS, coefficient
from accord.coefficients.weights import SET_WEIGHTS, WEIGHTS, weight_matrix
from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.counting import count_source
from accord.ratings.read import read
from real_ratings import from_matrix

CONTRACT = [
    "percent_agreement",
    "weighted_agreement",
    "cohen_kappa",
    "cohen_kappa_linear",
    "cohen_kappa_quadratic",
    "conger_kappa",
    "fleiss_kappa",
    "scott_pi",
    "krippendorff_alpha",
    "gwet_ac1",
    "gwet_ac2",
    "brennan_prediger",
    "icc_1",
    "icc_a1",
    "icc_c1",
    "icc_1k",
    "icc_ak",
    "icc_ck",
    "kendall_w",
    "cronbach_alpha",
    "gamma",
    "kendall_tau_a",
    "kendall_tau_b",
    "kendall_tau_c",
    "spearman",
    "pearson",
    "lin_ccc",
    "light_kappa",
]


def facts(level=Level.ORDINAL, raters=3):
    matrix = np.arange(4.0 * raters).reshape(4, raters)
    return count_source(from_matrix(matrix, level)).facts()


def test_the_table_holds_every_key_of_the_contract():
    assert set(CONTRACT) <= set(COEFFICIENTS)


@pytest.mark.parametrize("spec", COEFFICIENTS.values(), ids=lambda spec: spec.key)
def test_every_coefficient_has_words_for_the_docs_and_the_report(spec):
    words = (spec.title, spec.family, spec.missing_rule, spec.undefined_when, spec.reference, spec.formula)
    assert all(words) and spec.conventions and spec.peers and spec.levels


def test_objections_name_every_reason():
    assert COEFFICIENTS["scott_pi"].objections(facts(Level.INTERVAL, raters=5), "'fluency'") == [
        "needs a nominal or ordinal scale, but 'fluency' is interval",
        "takes exactly 2 raters, but there are 5",
    ]


def fitting(level):
    return [spec for spec in COEFFICIENTS.values() if not spec.objections(facts(level))]


def test_fleiss_does_not_fit_interval_ratings_but_alpha_and_icc_do():
    keys = [spec.key for spec in fitting(Level.INTERVAL)]
    assert "fleiss_kappa" not in keys
    assert {"krippendorff_alpha", "icc_a1", "pearson"} <= set(keys)


def test_nominal_ratings_get_no_coefficient_of_order():
    families = {spec.family for spec in fitting(Level.NOMINAL)}
    assert not families & {"order", "correlation", "icc"}


def test_an_unknown_key_is_answered_with_the_known_ones():
    with pytest.raises(OptionError, match=r"no coefficient 'kapa'.*cohen_kappa"):
        coefficient("kapa")


@pytest.mark.parametrize("name", [*WEIGHTS, *SET_WEIGHTS])
def test_weights_are_one_for_equal_values_and_never_more(name):
    scale = Scale(Level.RATIO, (1.0, 2.0, 4.0, 8.0))
    if name in SET_WEIGHTS:
        scale = Scale(Level.NOMINAL, tuple(frozenset(labels) for labels in ("a", "ab", "bc", "")))
    weights = weight_matrix(name, scale)
    assert (np.diag(weights) == 1).all() and (weights <= 1).all() and (weights >= 0).all()
    assert np.array_equal(weights, weights.T)


def test_linear_weights_are_one_minus_distance_over_range():
    weights = weight_matrix("linear", Scale(Level.ORDINAL, (0.0, 1.0, 2.0, 3.0)))
    assert weights[0] == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_weights_for_sets_give_credit_for_what_they_share():
    scale = Scale(Level.NOMINAL, (frozenset("ab"), frozenset("abc"), frozenset("bd"), frozenset("x")))
    assert weight_matrix("jaccard", scale)[0] == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert weight_matrix("dice", scale)[0] == pytest.approx([1, 4 / 5, 1 / 2, 0])
    assert weight_matrix("masi", scale)[0] == pytest.approx([1, 2 / 3 * 2 / 3, 1 / 3 * 1 / 3, 0])


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        (np.eye(3), "2 rows and 2 columns"),
        (np.array([[1, 2.0], [2.0, 1]]), "from 0 to 1"),
    ],
)
def test_a_matrix_of_weights_that_cannot_be_used_is_refused_with_the_reason(matrix, reason):
    with pytest.raises(OptionError, match=reason):
        weight_matrix(matrix, Scale(Level.ORDINAL, (1.0, 2.0)))


def test_unknown_weights_and_metrics_are_answered_with_the_known_ones():
    source = count_source(from_matrix([[1, 2], [2, 2]]))
    with pytest.raises(OptionError, match="Known: identity, linear"):
        compute(source, "fleiss_kappa", Options(weights="cubic"))
    with pytest.raises(OptionError, match="Known: ordinal, nominal"):
        compute(source, "krippendorff_alpha", Options(metric="cubic"))


def test_a_users_own_weights_stand_in_for_named_ones():
    rng = np.random.default_rng(1)
    source = count_source(from_matrix(rng.integers(1, 5, size=(30, 3)).astype(float)))
    own = weight_matrix("quadratic", source.facts().scale)
    for key in ("fleiss_kappa", "conger_kappa", "gwet_ac2", "brennan_prediger", "weighted_agreement"):
        named = compute(source, key, Options(weights="quadratic"))
        assert compute(source, key, Options(weights=own)).value == pytest.approx(named.value)


def test_circular_alpha_takes_the_two_ends_of_the_scale_for_neighbours():
    hours = [[0, 11], [1, 0], [11, 0], [5, 6], [6, 5], [3, 3]]
    source = count_source(from_matrix(hours, Level.INTERVAL, tuple(float(hour) for hour in range(12))))
    circular = compute(source, "krippendorff_alpha", Options(metric="circular")).value
    interval = compute(source, "krippendorff_alpha", Options(metric="interval")).value
    assert circular > 0.8 > 0.2 > interval


def test_a_constant_rater_gives_kappa_zero_and_says_what_agreement_was():
    matrix = [[1, 1], [2, 1], [1, 1], [2, 1]]
    found = compute(count_source(from_matrix(matrix)), "cohen_kappa")
    assert found.value == 0
    assert (found.parts["observed"], found.parts["expected"]) == (0.5, 0.5)


def test_incomplete_intraclass_correlations_use_all_ratings_only_when_asked():
    matrix = [[1, 2, 1], [3, 3, np.nan], [5, 4, 5], [2, np.nan, 2], [4, 4, 4]]
    source = count_source(from_matrix(matrix, Level.INTERVAL))
    listwise, mixed = compute(source, "icc_a1"), compute(source, "icc_a1", Options(icc_missing="mixed"))
    assert (listwise.items, mixed.items) == (3, 5)
    assert any("all ratings are used" in words for words in mixed.conventions)


def test_a_result_says_which_weights_metric_and_missing_rule_it_used():
    source = count_source(from_matrix([[1, 2, 1], [3, 3, np.nan], [2, 2, 2]]))
    assert compute(source, "gwet_ac2").conventions[0] == "quadratic weights"
    assert compute(source, "krippendorff_alpha").conventions[0] == "ordinal metric"
    assert "not pooled" in compute(source, "fleiss_kappa").conventions[-1]
    assert "items both rated" in compute(source, "cohen_kappa").conventions[-1]


def test_incomplete_intraclass_correlations_are_not_resampled_but_listwise_ones_are():
    view = View.of(count_source(from_matrix([[1, 2], [3, np.nan], [5, 4], [2, 2]], Level.INTERVAL)))
    icc = COEFFICIENTS["icc_a1"].coefficient
    assert icc.features(view)
    with pytest.raises(NotEnoughDataError, match="not resampled"):
        icc.features(view, Options(icc_missing="mixed"))


@pytest.mark.parametrize("declared", [None, [1, 2, 3, 4]])
@pytest.mark.parametrize("level", list(Level))
def test_all_ratings_the_same_leave_what_the_ratings_themselves_make_of_chance_undefined(level, declared):
    """Where the categories are declared, AC1, AC2 and Brennan-Prediger know chance without the ratings."""
    source = count_source(read(np.full((12, 3), 2), level=level, scale=declared))
    known = ("gwet_ac1", "gwet_ac2", "brennan_prediger") if declared else ()
    for spec in COEFFICIENTS.values():
        if level in spec.levels and 3 in spec.raters:
            value = compute(source, spec.key).value
            assert value == 1 if spec.family == "agreement" or spec.key in known else np.isnan(value), spec.key


def test_light_kappa_counts_the_items_that_every_rater_rated():
    matrix = [[1, 2, 1], [3, 3, np.nan], [2, 2, 2], [1, 1, 2], [1, np.nan, 2]]
    assert compute(count_source(from_matrix(matrix)), "light_kappa").items == 3
    assert compute(count_source(from_matrix(matrix)), "cohen_kappa").items == 5


def brute_disagreements(matrix, distance):
    """Mean squared distance of two ratings of an item, each item weighing by its ratings, and of any two."""
    items = [[value for value in row if not np.isnan(value)] for row in matrix]
    items = [row for row in items if len(row) >= 2]
    every = [value for row in items for value in row]
    within = sum(
        distance(one, other, every) / (len(row) - 1)
        for row in items for i, one in enumerate(row) for j, other in enumerate(row) if i != j
    )  # fmt: skip
    apart = sum(distance(one, other, every) for i, one in enumerate(every) for j, other in enumerate(every) if i != j)
    return within / len(every), apart / (len(every) * (len(every) - 1))


def by_ranks(one, other, every):
    low, high = min(one, other), max(one, other)
    between = sum(low <= value <= high for value in every)
    return (between - (every.count(one) + every.count(other)) / 2) ** 2


METRICS_BY_HAND = {
    "nominal": lambda one, other, _: float(one != other),
    "ordinal": by_ranks,
    "interval": lambda one, other, _: (one - other) ** 2,
    "ratio": lambda one, other, _: ((one - other) / (one + other)) ** 2 if one + other else 0.0,
    "circular": lambda one, other, _: np.sin(np.pi * (one - other) / 6) ** 2,
}


@pytest.mark.parametrize("metric", METRICS_BY_HAND)
def test_alpha_comes_with_the_disagreement_observed_and_expected(metric):
    rng = np.random.default_rng(5)
    matrix = rng.integers(1, 7, size=(15, 4)).astype(float)
    matrix[rng.random(matrix.shape) < 0.3] = np.nan
    matrix[0] = [2, np.nan, np.nan, np.nan]
    source = count_source(from_matrix(matrix, Level.INTERVAL, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)))
    found = compute(source, "krippendorff_alpha", Options(metric=metric))
    observed, expected = brute_disagreements(matrix, METRICS_BY_HAND[metric])
    assert found.parts["observed_disagreement"] == pytest.approx(observed, rel=1e-12)
    assert found.parts["expected_disagreement"] == pytest.approx(expected, rel=1e-12)
    assert found.value == pytest.approx(1 - observed / expected, rel=1e-12)


def test_all_ratings_alike_leave_alpha_undefined_because_no_disagreement_was_possible():
    for level in (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL):
        found = compute(count_source(from_matrix([[2, 2], [2, 2]], level)), "krippendorff_alpha")
        assert np.isnan(found.value)
        assert found.parts == {"observed_disagreement": 0.0, "expected_disagreement": 0.0}


def test_every_coefficient_comes_with_the_parts_that_the_registry_names():
    rng = np.random.default_rng(2)
    three = count_source(from_matrix(rng.integers(1, 5, size=(20, 3)).astype(float), Level.INTERVAL))
    for key, spec in COEFFICIENTS.items():
        assert set(spec.parts) <= set(compute(three, key).parts), key
        assert spec.parts or spec.family not in ("kappa", "alpha")


def test_an_interval_of_a_pair_stays_within_minus_one_and_one():
    matrix = [[1, 1], [2, 3], [3, 2], [4, 4], [5, 5], [1, 1], [4, 5], [3, 3]]
    low, high = COEFFICIENTS["gamma"].coefficient.of_pairs(View.of(count_source(from_matrix(matrix)))).limits(0.99)
    assert high[0] == 1.0 > low[0]
