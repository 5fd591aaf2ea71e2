import csv
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.diagnosis.pairs import order_counts, pairs_of


def test_every_cell_of_the_lost_table_7_of_paper_002_is_computed(data, qgstec):
    with (data / "qgstec_pairs.csv").open() as file:
        cells = list(csv.DictReader(file))
    found = {(criterion, pair.title): pair for criterion, part in qgstec.items() for pair in pairs_of(part)}
    assert len(cells) == len(found) == 45
    for cell in cells:
        pair = found[cell["criterion"], cell["pair"].replace("-", "–")]
        assert pair.items == int(cell["n"])
        assert (pair.concordant, pair.discordant) == (int(cell["concordant"]), int(cell["discordant"]))
        assert pair.pi == pytest.approx(float(cell["fleiss_pi"]), abs=5e-7)
        assert pair.kappa == pytest.approx(float(cell["cohen"]), abs=5e-7)
        assert pair.agreement == pytest.approx(float(cell["agreement"]), abs=5e-7)
        if cell["gamma"]:
            assert pair.gamma == pytest.approx(float(cell["gamma"]), abs=5e-7)
        else:
            assert isnan(pair.gamma) and pair.untied == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25))
def test_order_counts_are_those_of_looking_at_every_two_items(ratings):
    x, y = np.array(ratings, dtype=float).T
    signs = [np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i in range(len(x)) for j in range(i)]
    assert order_counts(x, y) == (sum(s > 0 for s in signs), sum(s < 0 for s in signs))


def test_fine_scales_are_counted_like_coarse_ones():
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((2, 400))
    expected = sum(np.sign(x[i] - x[:i]) @ np.sign(y[i] - y[:i]) for i in range(len(x)))
    concordant, discordant = order_counts(x, y)
    assert concordant - discordant == expected and concordant + discordant == 400 * 399 // 2


def test_a_pair_counts_only_the_items_both_rated(make_part):
    nan = np.nan
    (pair,) = pairs_of(make_part([[1, 1], [2, nan], [3, 3], [nan, 2], [2, 3]]))
    assert pair.items == 3 and pair.agreement == pytest.approx(2 / 3) and (pair.higher, pair.lower) == (0, 1)


def test_gamma_and_kappa_of_constant_raters_have_no_value(make_part):
    (pair,) = pairs_of(make_part([[2, 2], [2, 2], [2, 2]]))
    assert isnan(pair.gamma) and isnan(pair.kappa) and pair.agreement == 1


def test_a_constant_rater_has_kappa_zero(make_part):
    (pair,) = pairs_of(make_part([[2, 1], [2, 2], [2, 3], [2, 2]]))
    assert pair.kappa == 0
