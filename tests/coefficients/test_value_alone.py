"""What resampling computes, all pairs of raters at once from few sums, is the mean over tables of pairs."""

import numpy as np
import pytest

from accord.coefficients.coefficient import Sums
from accord.coefficients.features import View
from accord.coefficients.kappa import CohenKappa
from accord.coefficients.registry import COEFFICIENTS
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.ratings.read import read


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("key", sorted(COEFFICIENTS))
def test_every_replicate_is_the_value_of_the_items_drawn(key, missing):
    rng = np.random.default_rng(5)
    table = rng.integers(1, 5, (40, 5)).astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    source = count_source(read(table, level="interval"))
    view = View.of(source)
    coefficient = COEFFICIENTS[key].coefficient
    draws = rng.multinomial(40, view.multiplicity / 40, size=10)
    blocks = coefficient.features(view)
    sums = Sums({block.name: draws @ view.built(block) for block in blocks})
    for found, times in zip(coefficient.evaluate(sums, view), draws, strict=True):
        drawn = View(Patterns(view.codes[times > 0], times[times > 0]), view.scale)
        assert found == pytest.approx(coefficient.of_view(drawn)["value"], abs=1e-12, nan_ok=True)


def test_a_pair_without_room_for_disagreement_has_no_value():
    """Raters one and two give one value throughout, the third does not."""
    marginals, agreement = np.array([[4.0, 0.0, 4.0, 0.0, 2.0, 2.0]]), np.array([[4.0, 2.0, 2.0]])
    alone = CohenKappa().of_raters(agreement, marginals, np.triu_indices(3, 1), np.eye(2))
    np.testing.assert_array_equal(alone, [[np.nan, 0.0, 0.0]])
