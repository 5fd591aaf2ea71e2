"""Numbers are cut into values alike, by comparing or by searching."""

import numpy as np
import pytest

from accord.planning.precision import _cut


@pytest.mark.parametrize("cuts", [1, 4, 12, 13, 100])
def test_numbers_are_cut_alike_by_comparing_and_by_searching(cuts):
    rng = np.random.default_rng(cuts)
    marks = np.sort(rng.normal(size=cuts))
    numbers = np.concatenate((rng.normal(size=200), marks, [-np.inf, np.inf])).reshape(-1, 1)
    assert np.array_equal(_cut(numbers, marks), np.searchsorted(marks, numbers))
