"""On fine scales items are compared one with another; the answers are those of the tables."""

from bisect import bisect_left

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import sizes
from accord.coefficients.features import View
from accord.coefficients.item_order import _smaller_before, _sorted_places, ordered_alike
from accord.coefficients.order import order_of_columns, order_of_tables
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.sums import statistic_of
from accord.design.scale import Level, Scale
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.ratings.read import read

ORDER = ["gamma", "kendall_tau_a", "kendall_tau_b", "kendall_tau_c", "spearman"]


@pytest.mark.parametrize("key", ORDER)
@pytest.mark.parametrize("items", [12, 700])
def test_values_and_errors_of_columns_equal_those_of_the_table(items, key):
    rng = np.random.default_rng(items)
    one = rng.integers(0, 6, items)
    other = np.clip(one + rng.integers(-2, 3, items), 0, 5)
    table = np.zeros((6, 6))
    np.add.at(table, (one, other), 1)
    coefficient = COEFFICIENTS[key].coefficient
    columns, cells = order_of_columns(one, other), order_of_tables(table)
    value = coefficient.of_order(cells)
    assert coefficient.of_order(columns) == pytest.approx(value)
    assert coefficient.error(columns, value) == pytest.approx(coefficient.error(cells, value))


def _columns(items: int):
    codes = st.lists(st.integers(0, 6), min_size=items, max_size=items)
    return st.tuples(codes, codes).map(lambda pair: tuple(np.array(column) for column in pair))


@settings(max_examples=100, deadline=None)
@given(columns=st.integers(1, 40).flatmap(_columns))
def test_items_ordered_alike_and_oppositely_are_those_found_by_comparing_every_two(columns):
    one, other = columns
    signs = np.sign(np.subtract.outer(one, one)) * np.sign(np.subtract.outer(other, other))
    agree, differ = ordered_alike(one, other)
    np.testing.assert_array_equal(agree, (signs > 0).sum(axis=1))
    np.testing.assert_array_equal(differ, (signs < 0).sum(axis=1))


@pytest.mark.parametrize("key", ORDER)
def test_a_draw_of_items_compared_one_with_another_has_the_value_of_its_tables(key, monkeypatch):
    """With gaps: a pair of raters sees the items that both rated, and no other."""
    rng = np.random.default_rng(5)
    codes = (rng.integers(0, 5, (14, 1)) + rng.integers(0, 3, (14, 4))).astype(np.int32)
    codes[rng.random(codes.shape) < 0.3] = -1
    scale = Scale(level=Level.ORDINAL, values=tuple(range(7)))
    draws = rng.multinomial(14, np.full(14, 1 / 14), 20).astype(np.float64)
    values = []
    for tables_fit in (True, False):
        monkeypatch.setattr(sizes, "fits", lambda *_, fit=tables_fit: fit)
        view = View(Patterns(codes=codes, multiplicity=np.ones(14, dtype=np.int64)), scale)
        statistic = statistic_of(view, {key: COEFFICIENTS[key].coefficient})
        values.append(statistic.evaluate(draws @ statistic.features))
    np.testing.assert_allclose(values[0], values[1], rtol=0, atol=1e-12)
    assert np.isfinite(values[0]).any()


@pytest.mark.parametrize("by_tables", [True, False])
@pytest.mark.parametrize("key", [*ORDER, "kendall_w"])
@pytest.mark.parametrize("share_missing", [0.0, 0.25])
def test_coefficients_of_order_without_an_item_are_those_of_the_other_items(share_missing, key, by_tables, monkeypatch):
    monkeypatch.setattr(sizes, "count_tables", lambda *_: by_tables)
    rng = np.random.default_rng(8)
    codes = (rng.integers(0, 5, (12, 1)) + rng.integers(0, 4, (12, 4))).astype(np.int32)
    codes[rng.random(codes.shape) < share_missing] = -1
    times = rng.integers(1, 4, 12)
    scale = Scale(Level.ORDINAL, tuple(map(float, range(9))))
    coefficient = COEFFICIENTS[key].coefficient
    without = coefficient.without_item(View(Patterns(codes, times), scale))
    for place in range(len(codes)):
        fewer = times.copy()
        fewer[place] -= 1
        left = View(Patterns(codes[fewer > 0], fewer[fewer > 0]), scale)
        assert without[place] == pytest.approx(coefficient.of_view(left)["value"], abs=1e-12), place


@pytest.mark.parametrize("key", ORDER)
def test_a_continuous_scale_gives_the_value_and_error_of_its_ranks_on_a_coarse_one(key, monkeypatch):
    rng = np.random.default_rng(0)
    table = np.round(rng.normal(size=(150, 1)) + rng.normal(size=(150, 2)), 1)
    source = count_source(read(table, level="interval"))
    by_table = COEFFICIENTS[key].coefficient.of_pairs(View.of(source))
    monkeypatch.setattr(sizes, "_TABLE_CELLS", 1)
    by_columns = COEFFICIENTS[key].coefficient.of_pairs(View.of(source))
    assert by_columns.value == pytest.approx(by_table.value)
    assert by_columns.error == pytest.approx(by_table.error)


@pytest.mark.parametrize("items", [0, 1, 2, 31, 32, 33, 65, 1000, 70_000])
def test_smaller_ranks_before_each_rank_are_counted_whatever_the_number_of_items(items):
    ranks = np.random.default_rng(items).permutation(items)
    expected, before = np.zeros(items, dtype=int), []
    for rank in ranks.tolist():
        expected[rank] = bisect_left(before, rank)
        before.insert(expected[rank], rank)
    np.testing.assert_array_equal(_smaller_before(ranks), expected)


def test_keys_too_long_for_one_number_are_put_in_the_same_order(monkeypatch):
    keys = np.random.default_rng(1).integers(0, 50, 300)
    short = _sorted_places(keys)
    monkeypatch.setattr("accord.coefficients.item_order._WORD", 9)
    for one, other in zip(short, _sorted_places(keys), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("key", [*ORDER, "cohen_kappa_quadratic", "scott_pi"])
def test_tables_of_many_replicates_give_the_same_however_they_lie_in_memory(key):
    tables = np.random.default_rng(4).gamma(0.4, size=(100, 3, 4, 4))
    by_column = np.asfortranarray(tables.reshape(100, -1)).reshape(tables.shape)
    assert by_column.strides[0] == by_column.itemsize
    scale = Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0), declared=True)
    found, known = (COEFFICIENTS[key].coefficient.values_of_tables(one, scale) for one in (by_column, tables))
    np.testing.assert_allclose(found, known, rtol=0, atol=1e-12)
