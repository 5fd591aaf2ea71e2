"""Paper 001 (PLATO): what follows from its printed numbers, its design, and its claims about weights."""

from itertools import combinations
from math import comb, log2

import numpy as np
import pytest

from accord.coefficients.kappa import CohenKappa
from accord.coefficients.weights import weight_matrix
from accord.design.scale import Level, Scale
from accord.diagnosis.items import item_entropies
from accord.diagnosis.part import parts_of
from accord.ratings.build import build_ratings


def _linear(points: int):
    return weight_matrix("linear", Scale(Level.ORDINAL, tuple(float(n) for n in range(points))))


def _table(one: list[int], other: list[int], points: int):
    table = np.zeros((points, points))
    np.add.at(table, (one, other), 1)
    return table


def test_the_weights_give_the_extremes_nothing_and_equal_values_everything():
    weights = _linear(4)
    assert weights[0, 3] == 0
    assert np.diag(weights).tolist() == [1, 1, 1, 1]
    assert weights[2, 3] == pytest.approx(2 / 3)


def test_weighting_is_vacuous_for_a_binary_scale():
    table = _table([0, 0, 1, 1, 1], [0, 1, 1, 1, 0], 2)
    assert CohenKappa().kappa(table, _linear(2)).value == pytest.approx(CohenKappa().kappa(table, np.eye(2)).value)


def test_the_formula_as_printed_would_weigh_disagreement():
    # Figure 1's weight on perfect agreement: joint 0 instead of 1.
    table = _table([0, 1, 2, 3], [0, 1, 2, 3], 4)
    assert CohenKappa().kappa(table, _linear(4)).observed == pytest.approx(1.0)
    assert float((table / table.sum() * (1 - _linear(4))).sum()) == 0.0


@pytest.mark.parametrize(
    ("joint", "kappa", "low", "high"), [(0.80, 0.37, 0.672, 0.693), (0.66, 0.25, 0.54 - 0.02, 0.54 + 0.02)]
)
def test_joint_and_kappa_as_printed_imply_the_printed_chance(joint, kappa, low, high):
    implied = (joint - kappa) / (1 - kappa)
    assert low <= implied <= high


def test_coherence_as_printed_is_consistent_within_rounding():
    # (.66 - .54) / .46 = .261; with both rounded, .25 lies in the possible range.
    least = (0.655 - 0.545) / (1 - 0.545)
    most = (0.665 - 0.535) / (1 - 0.535)
    assert least < 0.25 < most


@pytest.mark.parametrize("weights", ["identity", "linear"])
def test_kappa_with_a_constant_rater_is_exactly_zero(weights):
    matrix = np.eye(4) if weights == "identity" else _linear(4)
    table = _table([0, 1, 2, 3, 3, 2, 1], [2] * 7, 4)
    assert CohenKappa().kappa(table, matrix).value == pytest.approx(0, abs=1e-12)


def test_kappa_of_two_constant_and_equal_raters_is_undefined():
    assert np.isnan(CohenKappa().kappa(_table([2] * 5, [2] * 5, 4), np.eye(4)).value)


def test_kappa_reaches_minus_one_only_where_chance_is_one_half():
    total = CohenKappa().kappa(_table([0, 0, 1, 1], [1, 1, 0, 0], 2), np.eye(2))
    assert (total.value, total.expected) == (pytest.approx(-1), pytest.approx(0.5))
    skewed = CohenKappa().kappa(_table([0, 0, 0, 1], [1, 1, 1, 0], 2), np.eye(2))
    assert skewed.value == pytest.approx(-skewed.expected / (1 - skewed.expected))
    assert skewed.value > -1


def test_a_finer_scale_raises_the_linear_chance_of_even_use_and_lowers_the_plain_one():
    for points, linear, plain in ((4, 0.583, 0.25), (5, 0.600, 0.20)):
        assert _linear(points).mean() == pytest.approx(linear, abs=0.0005)
        assert np.eye(points).mean() == pytest.approx(plain)


def test_twenty_assessors_make_the_printed_number_of_pairs():
    assert len(list(combinations(range(20), 2))) == comb(20, 2) == 190


def test_two_complementary_halves_of_twelve_texts_share_three_on_average():
    shared = np.array([comb(6, k) * comb(6, 6 - k) / comb(12, 6) for k in range(7)])
    assert shared @ np.arange(7) == pytest.approx(3)
    assert shared[0] == pytest.approx(1 / 924)


@pytest.mark.parametrize("points", [4, 5])
def test_entropy_is_zero_for_total_agreement_and_greatest_for_even_use(points):
    rows = {
        "item": ["same"] * points + ["spread"] * points,
        "rater": [f"r{n}" for n in range(points)] * 2,
        "value": [1] * points + list(range(points)),
    }
    (part,) = parts_of(build_ratings(rows, level="ordinal"))
    found = {one.item: one.entropy for one in item_entropies(part)}
    assert found["same"] == 0
    assert found["spread"] == pytest.approx(log2(points))
