"""Patterns of a pool of raters, seen without room for those who did not rate, are the same patterns."""

import numpy as np
import pytest

from accord.coefficients import pairwise, variance
from accord.coefficients.compute import compute
from accord.coefficients.correlation import pearson_error, spearman_error
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.ratings.counting import count_source
from accord.ratings.read import read


@pytest.fixture(scope="module")
def source():
    """60 raters, 1 to 5 of them an item."""
    rng = np.random.default_rng(4)
    table = np.clip(np.rint(rng.normal(3, 1, (300, 1)) + rng.normal(0, 0.8, (300, 60))), 1, 5)
    for row in table:
        row[rng.permutation(60)[rng.integers(1, 6) :]] = np.nan
    return count_source(read(table, level="ordinal", scale="1..5"))


@pytest.fixture
def views(source):
    """The same patterns, first as sparse, then as a full table."""
    sparse, full = (View(source.patterns(), source.facts().scale) for _ in range(2))
    assert sparse.is_sparse
    full.__dict__["is_sparse"] = False
    return sparse, full


@pytest.mark.parametrize("name", ["pairs", "marginals", "counts", "per_item"])
def test_a_sparse_table_is_seen_as_a_full_one(views, name):
    np.testing.assert_array_equal(*(getattr(view, name) for view in views))


def test_slots_hold_every_rating_once(views):
    view, _ = views
    raters, codes = view.slots
    row, place = np.nonzero(raters >= 0)
    np.testing.assert_array_equal(view.codes[row, raters[row, place]], codes[row, place])
    assert len(row) == np.count_nonzero(view.codes >= 0) == np.count_nonzero(codes >= 0)
    assert raters.shape[1] == 5


ALIKE = [
    "percent_agreement",
    "weighted_agreement",
    "fleiss_kappa",
    "gwet_ac2",
    "brennan_prediger",
    "krippendorff_alpha",
]


@pytest.mark.parametrize("key", [*ALIKE, "conger_kappa"])
def test_values_errors_and_parts_are_those_of_the_full_table(source, views, key):
    sparse, full = (compute(source, key, view=view) for view in views)
    assert sparse.value == pytest.approx(full.value, abs=1e-13)
    assert sparse.standard_error == pytest.approx(full.standard_error, abs=1e-13)
    assert sparse.parts == pytest.approx(full.parts, abs=1e-12)


def test_the_pull_of_an_item_on_the_chance_term_is_the_sum_over_its_ratings(views):
    view, _ = views
    expected, of_item = variance._conger_chance(view, np.eye(5))
    assert view.multiplicity @ of_item / view.multiplicity.sum() == pytest.approx(expected, abs=1e-12)


def test_errors_of_all_pairs_at_once_are_those_of_each_pair():
    value, items = np.array([0.3, -0.2, 0.9, np.nan]), np.array([10, 3, 50, 7])
    expected = [spearman_error(rho, n) for rho, n in zip(value, items, strict=True)]
    np.testing.assert_allclose(pairwise._spearman_errors(value, items), expected, rtol=1e-15)
    scores = np.random.default_rng(1).normal(size=(30, 4))
    found = pairwise.pairwise(count_source(read(scores, level="interval")), "pearson", Options())
    np.testing.assert_allclose(found.error, [pearson_error(n) for n in found.items], rtol=1e-15)
