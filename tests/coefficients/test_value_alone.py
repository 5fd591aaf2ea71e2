"""What resampling asks for, the value without its parts, is the value with them."""

import numpy as np
import pytest

from accord.coefficients import kappa
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS
from accord.ratings.counting import count_source
from accord.ratings.read import read


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("key", ["cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "light_kappa"])
def test_kappa_alone_is_kappa_with_its_parts(key, missing):
    rng = np.random.default_rng(5)
    table = rng.integers(1, 5, (40, 5)).astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    source = count_source(read(table, level="ordinal"))
    view = View(source.patterns(), source.facts().scale)
    formula = COEFFICIENTS[key].build(view, Options())
    weights = rng.multinomial(40, view.multiplicity / 40, size=30).astype(float)
    sums = [weights @ block.build(view) for block in formula.blocks]
    np.testing.assert_allclose(formula.value_of_sums(sums, {}), formula.of_sums(sums, {})["value"], atol=1e-13)


def test_a_pair_without_room_for_disagreement_has_no_value():
    """Raters one and two give one value throughout, the third does not."""
    marginals = np.array([[[4.0, 0.0], [4.0, 0.0], [2.0, 2.0]]])
    agreement, (first, second) = np.array([[4.0, 2.0, 2.0]]), np.triu_indices(3, 1)
    alone = kappa.cohen_value_of_raters(agreement, marginals, first, second, np.eye(2))
    np.testing.assert_array_equal(alone, [[np.nan, 0.0, 0.0]])
    with_parts = kappa.cohen_of_raters(agreement, marginals, first, second, np.eye(2))
    np.testing.assert_array_equal(alone, with_parts.value)
