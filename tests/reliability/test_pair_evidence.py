"""What is counted of two raters is the same column by column as from a table of their values."""

from dataclasses import astuple

import numpy as np
import pytest

from accord.ratings.counts import Patterns
from accord.reliability.signs.evidence import _by_columns, _counted


@pytest.mark.parametrize("missing", [0.0, 0.4, 0.95])
@pytest.mark.parametrize("items, raters, values", [(30, 2, 50), (100, 4, 30), (5, 3, 8), (1, 2, 2), (40, 5, 3)])
def test_pairs_compared_by_columns_are_those_of_their_tables(items, raters, values, missing):
    rng = np.random.default_rng(items)
    codes = rng.integers(0, values, (items, raters)).astype(np.int32)
    codes[rng.random(codes.shape) < missing] = -1
    patterns, ranks = Patterns(codes, rng.integers(1, 4, items)), rng.permutation(values)
    by_columns, by_tables = (astuple(count(patterns, ranks, 1)) for count in (_by_columns, _counted))
    for one, other in zip(by_columns, by_tables, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14)
