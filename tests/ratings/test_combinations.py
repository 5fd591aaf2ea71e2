"""Combinations of codes are those that NumPy finds row by row."""

import numpy as np
import pytest

from accord.arrays import distinct_rows


@pytest.mark.parametrize("tops", [(3, 4), (2, 1, 5), (40_000, 50_000), (2**40, 2**40), (1,)])
@pytest.mark.parametrize("rows", [0, 1, 500])
def test_combinations_are_those_of_whole_rows_in_order(tops, rows):
    rng = np.random.default_rng(len(tops) + rows)
    columns = [rng.integers(-1, top, rows) for top in tops]
    expected = np.unique(np.stack(columns, axis=1), axis=0)
    assert distinct_rows(columns).tolist() == expected.tolist()


def test_rows_of_small_codes_are_combined_without_running_over():
    columns = [np.array([120, 120, -1], dtype=np.int8), np.array([119, 120, 120], dtype=np.int8)]
    assert distinct_rows(columns).tolist() == [[-1, 120], [120, 119], [120, 120]]
