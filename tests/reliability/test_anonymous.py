"""Ratings of a pool of raters: laid out from a table of value counts or from the ratings, they are the same."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.ratings.counting import count_source
from accord.ratings.read import read
from accord.reliability import anonymous
from accord.reliability.anonymous import Anonymous, laid_out


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 25), st.integers(2, 6), st.integers(2, 30))
def test_a_fine_scale_is_laid_out_without_a_table_of_items_and_values(seed, items, raters, values):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, values, (items, raters)).astype(float)
    table[rng.random(table.shape) < 0.4] = np.nan
    table[0, :2] = 0, values - 1
    source = count_source(read(table, level="interval"))
    expected = laid_out(source.item_values())
    found = anonymous._as_laid_out(source.unnamed_patterns(), len(source.facts().scale))
    np.testing.assert_array_equal(found.codes, expected.codes)
    np.testing.assert_array_equal(found.multiplicity, expected.multiplicity)


def test_the_way_does_not_change_the_patterns(monkeypatch):
    table = np.random.default_rng(2).normal(50, 10, (30, 3)).round(1)
    source = Anonymous(count_source(read(table, level="interval")))
    fine = source.patterns()
    monkeypatch.setattr(anonymous, "_SPREAD", np.inf)
    np.testing.assert_array_equal(fine.codes, source.patterns().codes)
