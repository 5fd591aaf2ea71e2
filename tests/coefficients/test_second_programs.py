"""Every coefficient has a value from outside: printed in the literature, or computed by another program."""

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score, mean_absolute_error

from accord.coefficients.compute import compute
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS
from accord.design.scale import Level
from accord.ratings.counting import count_source
from real_ratings import from_matrix

SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)
PUBLISHED = Path(__file__).parents[1] / "published"


def drawn(raters, seed, items=40):
    """Raters who see the same quality with errors of their own; the second is more lenient than the first."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(3, 1, (items, 1)) + np.linspace(0, 0.8, raters)
    return np.clip(np.rint(quality + rng.normal(0, 0.7, (items, raters))), 1, 5)


def ours(matrix, key, level=Level.ORDINAL):
    return compute(count_source(from_matrix(matrix, level, SCALE)), key, Options()).value


def kappa_of_sklearn(matrix, weights=None):
    pairs = combinations(range(matrix.shape[1]), 2)
    return np.mean([cohen_kappa_score(matrix[:, a], matrix[:, b], weights=weights) for a, b in pairs])


def fleiss_of_statsmodels(matrix):
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return fleiss_kappa(aggregate_raters(matrix.astype(int))[0])


def w_of_scipy(matrix):
    items, raters = matrix.shape
    return stats.friedmanchisquare(*matrix).statistic / (raters * (items - 1))


def alpha_of_krippendorff(matrix):
    import krippendorff

    return krippendorff.alpha(matrix.T, level_of_measurement="ordinal")


PROGRAMS = {
    "cohen_kappa": (2, kappa_of_sklearn),
    "cohen_kappa_linear": (2, lambda matrix: kappa_of_sklearn(matrix, "linear")),
    "cohen_kappa_quadratic": (2, lambda matrix: kappa_of_sklearn(matrix, "quadratic")),
    # Lin's concordance of two raters is their quadratic kappa, which scikit-learn computes from a table.
    "lin_ccc": (2, lambda matrix: kappa_of_sklearn(matrix, "quadratic")),
    "light_kappa": (4, kappa_of_sklearn),
    "fleiss_kappa": (4, fleiss_of_statsmodels),
    "krippendorff_alpha": (4, alpha_of_krippendorff),
    "kendall_w": (4, w_of_scipy),
    "kendall_tau_b": (2, lambda matrix: stats.kendalltau(*matrix.T, variant="b").statistic),
    "kendall_tau_c": (2, lambda matrix: stats.kendalltau(*matrix.T, variant="c").statistic),
    "spearman": (2, lambda matrix: stats.spearmanr(*matrix.T).statistic),
    "pearson": (2, lambda matrix: stats.pearsonr(*matrix.T).statistic),
    "weighted_agreement": (2, lambda matrix: 1 - mean_absolute_error(*matrix.T) / (SCALE[-1] - SCALE[0])),
}
LEVELS = {"pearson": Level.INTERVAL, "lin_ccc": Level.INTERVAL, "light_kappa": Level.NOMINAL,
          "cohen_kappa": Level.NOMINAL, "fleiss_kappa": Level.NOMINAL}  # fmt: skip
RECORDED = {"conger_kappa", "gwet_ac2"}
"""Values of irrCAC, recorded; see test_irrcac.py."""
BY_IDENTITY = {"kendall_tau_a", "cronbach_alpha"}
"""Below."""


@pytest.mark.parametrize("key", sorted(PROGRAMS))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_program_gives_the_same_value(key, seed):
    raters, program = PROGRAMS[key]
    matrix = drawn(raters, seed)
    assert ours(matrix, key, LEVELS.get(key, Level.ORDINAL)) == pytest.approx(program(matrix), abs=1e-12)


def test_without_ties_tau_a_is_the_tau_of_scipy():
    rng = np.random.default_rng(4)
    matrix = np.column_stack([rng.permutation(30), rng.permutation(30)]) + 1.0
    source = count_source(from_matrix(matrix, Level.ORDINAL, tuple(np.arange(1.0, 31.0))))
    found = compute(source, "kendall_tau_a", Options()).value
    assert found == pytest.approx(stats.kendalltau(*matrix.T).statistic, abs=1e-12)


def test_cronbachs_alpha_is_the_printed_consistency_of_the_mean_rating():
    """Shrout and Fleiss (1979) print ICC(3,k) = .91, which is Cronbach's alpha."""
    case = tomllib.loads((PUBLISHED / "shrout_fleiss1979.toml").read_text(encoding="utf-8"))
    matrix = np.array([line.split()[1:] for line in case["ratings"].splitlines()], float).T
    source = count_source(from_matrix(matrix, Level.INTERVAL, None))
    assert compute(source, "cronbach_alpha", Options()).value == pytest.approx(0.91, abs=0.005)


def test_every_coefficient_has_a_value_from_outside():
    printed = {
        key
        for path in PUBLISHED.glob("*.toml")
        for key in tomllib.loads(path.read_text(encoding="utf-8")).get("expected", {})
    }
    assert set(COEFFICIENTS) - printed - set(PROGRAMS) - RECORDED - BY_IDENTITY == set()
    assert set(COEFFICIENTS) >= RECORDED
