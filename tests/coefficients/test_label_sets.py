"""Sets of labels, bipolar scales and weights with a side, against second programs."""

import numpy as np
import pytest

import accord
from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.metrics import METRICS, squared_distances
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.weights import SET_WEIGHTS, WEIGHTS, weight_matrix
from accord.design.scale import Level, Scale
from accord.errors import OptionError
from accord.ratings.counting import count_source
from accord.ratings.table import Ratings
from real_ratings import from_matrix, ratings_of

SETS = """bc bc bc|ab a ab|b ac ac|a a c|b ab ac|c a bc|ab c ab|b c a|bc b ab|ab b a|a a a|a b b"""
# nltk 3.9: AnnotationTask(rows, distance=...).alpha() with binary_distance, jaccard_distance and masi_distance
NLTK = {"nominal": 0.16507633587786263, "jaccard": 0.09303313508920985, "masi": 0.12872154115586698}


@pytest.fixture
def sets():
    rows = [
        (f"i{item:02}", rater, frozenset(labels))
        for item, row in enumerate(SETS.split("|"))
        for rater, labels in zip("xyz", row.split(), strict=True)
    ]
    return ratings_of(rows, Level.NOMINAL)


@pytest.mark.parametrize(("metric", "expected"), NLTK.items())
def test_alpha_of_sets_is_that_of_nltk(sets, metric, expected):
    assert accord.agreement(sets, coefficients="krippendorff_alpha", metric=metric)[
        "krippendorff_alpha"
    ].value == pytest.approx(expected, abs=1e-12)


def test_weights_for_sets_reach_alpha_and_the_result_says_so(sets):
    found = accord.agreement(sets, weights="masi", interval="jackknife")["krippendorff_alpha"]
    assert found.value == pytest.approx(NLTK["masi"], abs=1e-12)
    assert "masi metric" in found.conventions and "metric:masi" in found.signature
    assert found.value in found.interval


def test_a_metric_of_sets_on_single_values_is_refused_in_words():
    with pytest.raises(OptionError, match="for sets of labels"):
        accord.agreement(np.array([[1, 2], [2, 2]]), coefficients="krippendorff_alpha", metric="dice")


def test_bipolar_weights_are_those_of_irrcac():
    """bipolar.weights(1:4) of irrCAC in R: (c-k)^2 / ((c+k-2min)(2max-c-k)), over the largest of them."""
    apart = np.array([[0, 1 / 5, 4 / 8, 9 / 9], [0, 0, 1 / 9, 4 / 8], [0, 0, 0, 1 / 5], [0, 0, 0, 0]])
    found = weight_matrix("bipolar", Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0)))
    np.testing.assert_allclose(found, 1 - (apart + apart.T) / apart.max(), atol=1e-12)


def test_alpha_by_the_bipolar_metric_is_what_its_formula_gives():
    matrix = np.array([[1, 2], [4, 4], [2, 2], [3, 4], [1, 1], [2, 4]], dtype=float)
    source = count_source(from_matrix(matrix, Level.INTERVAL, (1.0, 2.0, 3.0, 4.0)))

    def apart(one, other):
        return 0.0 if one == other else (one - other) ** 2 / ((one + other - 2) * (8 - one - other))

    every = matrix.ravel()
    observed = np.mean([apart(*row) for row in matrix])
    expected = sum(apart(one, other) for one in every for other in every) / (len(every) * (len(every) - 1))
    found = compute(source, "krippendorff_alpha", Options(metric="bipolar")).value
    assert found == pytest.approx(1 - observed / expected, abs=1e-12)


ONE_SIDED = np.array([[1, 0.5, 0], [0, 1, 0.5], [0, 0, 1]])


def test_weights_with_a_side_are_taken_as_they_are_by_cohens_kappa():
    rng = np.random.default_rng(1)
    table = rng.integers(1, 4, (40, 2)).astype(float)
    source = count_source(from_matrix(table, Level.ORDINAL))
    found = COEFFICIENTS["cohen_kappa"].coefficient.of_pairs(View.of(source), Options(weights=ONE_SIDED)).value[0]
    counts = np.zeros((3, 3))
    np.add.at(counts, tuple(table.astype(int).T - 1), 1)
    shares = counts / 40
    chance = (ONE_SIDED * np.outer(shares.sum(axis=1), shares.sum(axis=0))).sum()
    assert found == pytest.approx(((ONE_SIDED * shares).sum() - chance) / (1 - chance))
    result = accord.agreement(accord.read(table, level="ordinal"), weights=ONE_SIDED, interval="jackknife").groups[0]
    assert result["cohen_kappa"].value == pytest.approx(found)
    assert "not symmetric" in " ".join(result["fleiss_kappa"].conventions)
    assert "not symmetric" not in " ".join(result["cohen_kappa"].conventions)


@pytest.mark.parametrize(
    ("key", "by_hand"),
    # Of the pairs (1, 2), (1, 1), (2, 1) two get the mean credit (1/2 + 0)/2 = 1/4, so that observed agreement is 1/2.
    # Each rater and both together give 1 two times of three: chance is 4/9 + 1/9 + 2 (2/9)(1/4) = 2/3 for Fleiss and
    # Conger, (5/2)/2 (2/3 1/3 + 1/3 2/3) = 5/9 for AC2, and (5/2)/4 = 5/8 for Brennan and Prediger.
    [("weighted_agreement", 1 / 2), ("fleiss_kappa", -1 / 2), ("conger_kappa", -1 / 2), ("gwet_ac2", -1 / 8),
     ("brennan_prediger", -1 / 3)],
)  # fmt: skip
def test_raters_who_are_not_told_apart_get_the_mean_of_both_sides_of_a_matrix(key, by_hand):
    weights = np.array([[1, 0.5], [0, 1]])
    source = count_source(from_matrix(np.array([[1.0, 2], [1, 1], [2, 1]]), Level.ORDINAL))
    found = {side: compute(source, key, Options(weights=matrix)) for side, matrix in (("", weights), ("T", weights.T))}
    assert found[""].value == pytest.approx(by_hand, abs=1e-12) == found["T"].value
    assert found[""].standard_error == found["T"].standard_error
    assert "its two sides are averaged" in found[""].conventions[0]


def test_alpha_counts_both_sides_of_a_matrix_of_distances():
    table, apart = np.array([[1, 2], [3, 3], [2, 1], [1, 3], [3, 2]]), np.array([[0, 2.0, 3], [1, 0, 0], [1, 4, 0]])
    source = count_source(from_matrix(table.astype(float), Level.ORDINAL))
    every = [(one, other) for row in table for one, other in (row, row[::-1])]
    ratings = table.ravel()
    observed = np.mean([apart[one - 1, other - 1] for one, other in every])
    met = sum(apart[one - 1, other - 1] for one in ratings for other in ratings)
    found = compute(source, "krippendorff_alpha", Options(metric=apart))
    assert found.value == pytest.approx(1 - observed / (met / (10 * 9)), abs=1e-12)
    averaged = compute(source, "krippendorff_alpha", Options(metric=(apart + apart.T) / 2))
    assert found.value == averaged.value
    assert found.interval == averaged.interval
    assert "its two sides are averaged" in found.conventions[0]


def _gaps(low: int = 1) -> Ratings:
    rng = np.random.default_rng(11)
    table = np.clip(rng.integers(low, 6, (40, 1)) + rng.integers(-1, 2, (40, 4)), low, 5).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    return from_matrix(table, Level.INTERVAL, tuple(float(value) for value in range(low, 6)))


@pytest.mark.parametrize("metric", METRICS)
def test_the_matrix_of_a_metric_is_not_squared_but_gives_what_its_name_gives(metric):
    ratings = _gaps()
    source, matrix = count_source(ratings), squared_distances(metric, ratings.scale)
    named, own = (compute(source, "krippendorff_alpha", Options(metric=one)) for one in (metric, matrix))
    assert own.value == pytest.approx(named.value, abs=1e-12)
    assert own.standard_error == pytest.approx(named.standard_error, abs=1e-12)
    assert dict(own.parts) == pytest.approx(dict(named.parts), abs=1e-12)
    assert "δ²" in own.conventions[0]


@pytest.mark.parametrize("metric", SET_WEIGHTS)
def test_the_matrix_of_a_likeness_of_sets_gives_alpha_and_kappas_what_its_name_gives(sets, metric):
    likeness = weight_matrix(metric, sets.scale)
    named, own = (
        {one.coefficient: one.value for one in accord.agreement(sets, weights=weights, metric=apart, interval="none")}
        for weights, apart in ((metric, metric), (likeness, 1 - likeness))
    )
    taken = {"krippendorff_alpha", "cohen_kappa", "fleiss_kappa", "conger_kappa", "brennan_prediger", "light_kappa"}
    assert taken <= set(named)
    assert own == pytest.approx(named, abs=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_matrix_of_weights_gives_what_their_name_gives(weights):
    ratings = _gaps()
    source, matrix = count_source(ratings), weight_matrix(weights, ratings.scale)
    takes = [key for key, spec in COEFFICIENTS.items() if spec.coefficient.weighted]
    assert {"weighted_agreement", "fleiss_kappa", "conger_kappa", "gwet_ac2", "brennan_prediger"} <= set(takes)
    for key in takes:
        named, own = (compute(source, key, Options(weights=one)) for one in (weights, matrix))
        assert own.value == pytest.approx(named.value, abs=1e-12), key
        assert own.standard_error == pytest.approx(named.standard_error, abs=1e-12, nan_ok=True), key


def test_alpha_by_a_matrix_is_what_the_krippendorff_package_gives_by_the_same_disagreements():
    krippendorff = pytest.importorskip("krippendorff")
    apart = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    ratings = _gaps()
    table = np.full((4, 40), np.nan)
    table[ratings.rater.codes, ratings.item.codes] = ratings.value
    theirs = krippendorff.alpha(
        table, level_of_measurement=lambda v1, v2, **_: np.abs(v1 - v2), value_domain=np.arange(5.0)
    )
    ours = compute(count_source(ratings), "krippendorff_alpha", Options(metric=apart)).value
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_taus_are_those_of_scipy_and_of_counting_pairs():
    from scipy.stats import kendalltau

    rng = np.random.default_rng(2)
    table = rng.integers(1, 6, (50, 2)).astype(float)
    found = {one.coefficient: one for one in accord.agreement(
        accord.read(table, level="ordinal"), coefficients=["kendall_tau_a", "kendall_tau_c"]
    )}  # fmt: skip
    assert found["kendall_tau_c"].value == pytest.approx(kendalltau(*table.T, variant="c").statistic)
    one, other = table.T
    signs = np.sign(np.subtract.outer(one, one)) * np.sign(np.subtract.outer(other, other))
    assert found["kendall_tau_a"].value == pytest.approx(signs.sum() / (50 * 49))
    for estimate in found.values():
        assert estimate.value in estimate.interval
    assert "kendall_tau_a" not in accord.agreement(accord.read(table, level="ordinal"), interval="none").groups[0]
