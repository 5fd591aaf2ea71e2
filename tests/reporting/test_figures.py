"""Charts of ratings show the coefficient that fits them."""

import numpy as np
import pytest

import accord
from accord.reporting.figures import draw


@pytest.mark.parametrize(("level", "coefficient"), [("ordinal", "cohen_kappa"), ("interval", "cohen_kappa_quadratic")])
def test_the_matrix_of_pairs_has_the_kappa_that_fits_the_scale(level, coefficient):
    draws = np.random.default_rng(3)
    scores = np.rint(50 + 15 * draws.standard_normal((60, 1)) + 8 * draws.standard_normal((60, 3)))
    ratings = accord.read(scores, level=level)
    found = accord.agreement(ratings, coefficients=coefficient, interval="none", pairs=True).groups[0].matrices[0]
    chart = draw("pair-matrix", ratings)
    assert found.title in str(chart.headings) + str(chart.spec)
    shown = {(row["one"], row["other"]): row["value"] for row in chart.rows if row["value"] is not None}
    known = dict(zip(found.raters, range(len(found.raters)), strict=True))
    assert shown
    for (one, other), value in shown.items():
        assert value == pytest.approx(found.values[known[one], known[other]], abs=1e-3, nan_ok=True)
