"""Ratings of a pool of raters: laid out from a table of value counts or from the ratings, they are the same."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import sizes
from accord.ratings.counting import count_source
from accord.ratings.counts import laid_out
from accord.ratings.read import read
from accord.reliability.anonymous import Anonymous


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 25), st.integers(2, 6), st.integers(2, 30))
def test_a_fine_scale_is_laid_out_without_a_table_of_items_and_values(seed, items, raters, values):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, values, (items, raters)).astype(float)
    table[rng.random(table.shape) < 0.4] = np.nan
    table[0, :2] = 0, values - 1
    source = count_source(read(table, level="interval"))
    expected = laid_out(source.item_values())
    before, sizes._SPREAD = sizes._SPREAD, 0
    try:
        found = Anonymous(source).patterns()
    finally:
        sizes._SPREAD = before
    np.testing.assert_array_equal(found.codes, expected.codes)
    np.testing.assert_array_equal(found.multiplicity, expected.multiplicity)
