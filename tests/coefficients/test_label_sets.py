"""Sets of labels, bipolar scales and weights with a side, against second programs."""

import numpy as np
import pytest

import accord
from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.weights import weight_matrix
from accord.design.scale import Level, Scale
from accord.errors import OptionError
from accord.ratings.counting import count_source
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


def test_weights_with_a_side_are_taken_by_cohens_kappa_and_by_no_other():
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
    assert "needs symmetric weights" in " ".join(result.unsuitable["fleiss_kappa"])
    with pytest.raises(OptionError, match="symmetric"):
        compute(source, "fleiss_kappa", Options(weights=ONE_SIDED))


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
