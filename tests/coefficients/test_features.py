"""Patterns of a pool of raters, seen without room for those who did not rate, are the same patterns."""

import numpy as np
import pytest

from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.item_kappa import CongerKappa
from accord.coefficients.pairs import PairCoefficient, TableValues
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.sums import statistic_of
from accord.design.scale import Level, Scale
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
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
    expected, of_item = CongerKappa().chance(view, np.eye(5))
    assert view.multiplicity @ of_item / view.multiplicity.sum() == pytest.approx(expected, abs=1e-12)


def test_errors_of_correlations_are_those_of_fishers_z():
    scores = np.random.default_rng(1).normal(size=(30, 4))
    source = count_source(read(scores, level="interval"))
    np.testing.assert_allclose(
        COEFFICIENTS["pearson"].coefficient.of_pairs(View.of(source)).error, 27**-0.5, rtol=1e-15
    )
    spearman = COEFFICIENTS["spearman"].coefficient.of_pairs(View.of(source))
    np.testing.assert_allclose(spearman.error, np.sqrt((1 + spearman.value**2 / 2) / 27), rtol=1e-15)


class Shares(PairCoefficient):
    """Of a coefficient that only says what contingency tables give."""

    def of_pair_table(self, tables, scale, options=None):
        tables = np.asarray(tables, dtype=float)
        value = np.einsum("...kk->...", tables) / np.maximum(tables.sum(axis=(-2, -1)), 1)
        return TableValues(value, np.full(value.shape, np.nan))


def test_a_mean_over_pairs_is_undefined_where_no_two_raters_share_an_item():
    apart = View(
        Patterns(np.array([[0, -1], [-1, 1], [2, -1]], dtype=np.int32), np.ones(3, dtype=np.int64)),
        Scale(Level.NOMINAL, (1, 2, 3)),
    )
    statistic = statistic_of(apart, {"": Shares()})
    assert np.isnan(statistic.values()).all() and np.isnan(Shares().of_view(apart)["value"])
    replicates = statistic.evaluate(np.ones((4, 3)) @ statistic.features)
    assert replicates.shape == (4, 1) and np.isnan(replicates).all()
