"""The smallest difference that a plan can show: as often as it says, in simulated studies."""

import math

import numpy as np
import pytest
from scipy import stats

from accord.errors import InputError
from accord.planning.differences import smallest_difference


@pytest.mark.parametrize("items, raters, reliability", [(10, 2, 0.6), (40, 1, 0.3), (100, 4, 0.8)])
def test_a_difference_of_this_size_is_shown_in_four_of_five_studies(items, raters, reliability):
    rng = np.random.default_rng(7)
    size = smallest_difference(items, raters, reliability)
    true = rng.normal(0, math.sqrt(reliability), (4000, 2, items))
    scores = true + rng.normal(0, math.sqrt((1 - reliability) / raters), true.shape)
    shown = stats.ttest_rel(scores[:, 0] + size, scores[:, 1], axis=1).pvalue < 0.05
    # 4,000 studies: two standard errors are .013; the formula itself is near, not exact.
    assert shown.mean() == pytest.approx(0.8, abs=0.02)


def test_more_texts_and_more_raters_show_smaller_differences():
    assert smallest_difference(40, 4, 0.6) < smallest_difference(40, 2, 0.6) < smallest_difference(20, 2, 0.6)
    assert smallest_difference(400, 2, 1.0) == smallest_difference(400, 9, 1.0), "exact scores need no second rater"


def test_nothing_is_shown_by_one_text_and_a_reliability_has_bounds():
    assert math.isinf(smallest_difference(1, 3, 0.6))
    with pytest.raises(InputError):
        smallest_difference(10, 3, 1.2)
