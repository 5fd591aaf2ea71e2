"""On fine scales items are compared one with another; the answers are those of the tables."""

import numpy as np
import pytest

from accord.agreement import kendall
from accord.agreement.pairwise import pairwise
from accord.ratings.counting import count_source
from accord.ratings.read import read


@pytest.mark.parametrize("items", [12, 700])
def test_standard_errors_of_columns_equal_those_of_the_table(items):
    rng = np.random.default_rng(items)
    one = rng.integers(0, 6, items)
    other = np.clip(one + rng.integers(-2, 3, items), 0, 5)
    table = np.zeros((6, 6))
    np.add.at(table, (one, other), 1)
    gamma, tau = kendall.errors_of_columns(one, other)
    assert gamma == pytest.approx(float(kendall.gamma_errors(table)))
    assert tau == pytest.approx(float(kendall.tau_b_errors(table)))


@pytest.mark.parametrize("key", ["gamma", "kendall_tau_b", "spearman"])
def test_a_continuous_scale_gives_the_value_and_error_of_its_ranks_on_a_coarse_one(key, monkeypatch):
    rng = np.random.default_rng(0)
    table = np.round(rng.normal(size=(150, 1)) + rng.normal(size=(150, 2)), 1)
    source = count_source(read(table, level="interval"))
    by_table = pairwise(source, key)
    monkeypatch.setattr("accord.agreement.pairwise._TABLE_CELLS", 1)
    by_columns = pairwise(source, key)
    assert by_columns.value == pytest.approx(by_table.value)
    assert by_columns.error == pytest.approx(by_table.error)
