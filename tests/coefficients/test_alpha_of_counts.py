"""Alpha from a table of counts is the alpha of the ratings that were counted."""

import numpy as np
import pytest

from accord.coefficients.alpha import KrippendorffAlpha
from accord.coefficients.features import View
from accord.design.scale import Level, Scale
from accord.ratings.counts import Patterns


@pytest.mark.parametrize("level", [Level.NOMINAL, Level.ORDINAL, Level.INTERVAL, Level.RATIO])
def test_counts_give_the_alpha_of_the_ratings_with_gaps_and_items_rated_once(level):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 5, (60, 1))
    codes = np.where(rng.random((60, 6)) < 0.5, truth, rng.integers(0, 5, (60, 6)))
    codes[rng.random((60, 6)) < 0.4] = -1
    scale = Scale(level, (1.0, 2.0, 4.0, 5.0, 9.0), declared=True)
    counts = np.stack([(codes == value).sum(axis=1) for value in range(5)], axis=1).astype(np.float64)
    assert (counts.sum(axis=1) == 1).any()
    view = View(Patterns(codes.astype(np.int32), np.ones(60, dtype=np.int64)), scale)
    expected = KrippendorffAlpha().of_view(view)["value"]
    assert KrippendorffAlpha().of_counts(counts, scale) == pytest.approx(expected, abs=1e-12)


def test_counts_of_one_value_have_no_alpha():
    scale = Scale(Level.NOMINAL, ("no", "yes"), declared=True)
    assert np.isnan(KrippendorffAlpha().of_counts(np.array([[3.0, 0.0], [2.0, 0.0]]), scale))
