"""Kendall's W without an item: by products of matrices, by pairs of raters, and computed anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.coefficients.kendall import w_of_codes
from accord.coefficients.order_summary import left_out_of, order_summary
from accord.coefficients.ranking import w_left_out
from accord.ratings.counting import patterns_of
from accord.ratings.counts import Patterns


def patterns(seed, items, raters, values, missing):
    rng = np.random.default_rng(seed)
    codes = np.clip(np.rint(rng.normal(values / 2, 1, (items, 1)) + rng.normal(0, 1, (items, raters))), 0, values - 1)
    codes[rng.random(codes.shape) < missing] = -1
    return patterns_of(codes.astype(np.int32), values)


def w_of(found, values):
    whole = (found.codes >= 0).all(axis=1)
    return w_of_codes(found.codes[whole], found.multiplicity[whole].astype(float), values)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(4, 40), st.integers(2, 5), st.integers(2, 5), st.sampled_from([0.0, 0.1]))
def test_products_of_matrices_give_what_pairs_of_raters_give(seed, items, raters, values, missing):
    found = patterns(seed, items, raters, values, missing)
    value = w_of(found, values)
    expected = left_out_of(found, order_summary(found), "kendall_w", value)
    np.testing.assert_allclose(w_left_out(found, values, value), expected, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_w_without_an_item_is_w_of_the_others(missing):
    found = patterns(5, 60, 3, 4, missing)
    without = w_left_out(found, 4, w_of(found, 4))
    for place in range(len(found.codes)):
        others = Patterns(found.codes, found.multiplicity - (np.arange(len(found.codes)) == place))
        assert without[place] == pytest.approx(w_of(others, 4), abs=1e-12)
