"""Leaving out items of a mean over pairs, pair by pair, gives what sums of all features give."""

import numpy as np
import pytest

from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.pairs import PairCoefficient
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.sums import statistic_of_view
from accord.design.scale import Level, Scale
from accord.inference.jackknife import jackknife
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.ratings.pair_counting import pair_tables
from accord.ratings.read import read


def ratings(missing, seed=3, items=60, raters=6):
    """Raters who follow a common order, with ratings missing at random; some items are rated by all."""
    rng = np.random.default_rng(seed)
    values = np.clip(np.rint(rng.normal(3, 1.1, (items, 1)) + rng.normal(0, 0.8, (items, raters))), 1, 4)
    values[(rng.random(values.shape) < missing) & (np.arange(items) > 12)[:, None]] = np.nan
    return read(values, level="interval", scale="1..4")


def view_of(table):
    source = count_source(table)
    return View(source.patterns(), source.facts().scale)


def left_out(view, key, options):
    return COEFFICIENTS[key].coefficient.without_item(view, options)


LEFT_OUT = sorted(key for key, spec in COEFFICIENTS.items() if spec.coefficient.leaves_out)


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.75])
@pytest.mark.parametrize("key", LEFT_OUT)
def test_each_item_left_out_gives_what_the_sums_without_it_give(key, missing):
    view = view_of(ratings(missing))
    expected = jackknife(statistic_of_view(view, [key], Options())).left_out[:, 0]
    np.testing.assert_allclose(left_out(view, key, Options()), expected, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.75])
@pytest.mark.parametrize("key", LEFT_OUT)
def test_products_of_matrices_give_what_meetings_of_raters_give(key, missing, monkeypatch):
    view = view_of(ratings(missing, items=40 if missing < 0.7 else 14))
    found = []
    for dense in (True, False):
        monkeypatch.setattr("accord.sizes.is_dense", lambda *_, dense=dense: dense)
        found.append(left_out(view, key, Options()))
    np.testing.assert_allclose(*found, atol=1e-12)


@pytest.mark.parametrize("values", [3, 14])
@pytest.mark.parametrize("key", sorted(key for key, spec in COEFFICIENTS.items() if spec.pairwise))
def test_a_table_without_an_item_of_a_cell_is_that_table_copied(key, values):
    """The closed form of each coefficient, on grids small and large, against the general way."""
    rng = np.random.default_rng(values)
    tables = rng.integers(0, 3, (4, values, values)).astype(float)
    tables[0, 1:] = 0
    scale = Scale(Level.INTERVAL, tuple(map(float, range(values))))
    coefficient = COEFFICIENTS[key].coefficient
    found = coefficient.without_item_of_table(tables, scale)
    expected = PairCoefficient.without_item_of_table(coefficient, tables, scale)
    np.testing.assert_allclose(found[tables > 0], expected[tables > 0], atol=1e-12)


def test_a_matrix_of_weights_counts_for_plain_kappa_only():
    view = view_of(ratings(0.3))
    options = Options(weights=np.array([[1, 0.5, 0, 0], [0.5, 1, 0.5, 0], [0, 0.5, 1, 0.5], [0, 0, 0.5, 1]]))
    for key in ("cohen_kappa", "cohen_kappa_quadratic", "light_kappa"):
        expected = jackknife(statistic_of_view(view, [key], options)).left_out[:, 0]
        np.testing.assert_allclose(left_out(view, key, options), expected, atol=1e-12)


def test_pairs_that_lose_their_only_item_leave_the_mean():
    view = view_of(read(np.array([[1, 2, np.nan], [np.nan, 1, 1], [2, np.nan, 1], [1, 2, np.nan]]), level="nominal"))
    expected = jackknife(statistic_of_view(view, ["cohen_kappa"], Options())).left_out[:, 0]
    np.testing.assert_allclose(left_out(view, "cohen_kappa", Options()), expected, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("key", sorted(COEFFICIENTS))
def test_the_number_of_features_is_known_before_they_are_made(key, missing):
    view = view_of(ratings(missing))
    assert COEFFICIENTS[key].coefficient.width(view) == statistic_of_view(view, [key], Options()).features.shape[1]


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_light_from_tables_of_pairs_is_light_from_sums(missing):
    table = ratings(missing)
    found = compute(count_source(table), "light_kappa")
    assert found.value == pytest.approx(float(statistic_of_view(view_of(table), ["light_kappa"]).values()[0]))
    assert found.parts["pairs"] == 15
    assert found.items == (60 if not missing else np.count_nonzero(~np.isnan(count_matrix(table)).any(axis=1)))


def count_matrix(table):
    codes = count_source(table).matrix
    return np.where(codes >= 0, codes, np.nan)


def test_tables_of_pairs_that_seldom_meet_are_those_of_every_pair():
    """Only meetings are counted where raters are many; the sums are the same integers."""
    from accord.ratings import pair_counting as counting

    source = count_source(ratings(0.75, items=200, raters=12))
    patterns = source.patterns()
    expected = pair_tables(patterns, 4)
    met = counting._tables_by_meeting(patterns, 4)
    np.testing.assert_array_equal(met.pairs, expected.pairs)
    np.testing.assert_array_equal(met.tables, expected.tables)
    first, second = np.triu_indices(12, 1)
    for tables in (
        counting._tables_by_count(patterns, 4, first, second),
        counting._tables_by_product(patterns, 4)[first, :, second, :],
    ):
        np.testing.assert_array_equal(met.tables, tables[tables.any(axis=(1, 2))])


PAIRWISE = sorted(key for key, spec in COEFFICIENTS.items() if isinstance(spec.coefficient, PairCoefficient))


@pytest.mark.parametrize("top", [4, 300])
@pytest.mark.parametrize("missing", [0.0, 0.5])
@pytest.mark.parametrize("key", PAIRWISE)
def test_each_unit_left_out_gives_what_the_ratings_without_it_give(key, missing, top):
    rng = np.random.default_rng(5)
    scores = rng.normal(0.5, 0.2, (80, 1)) + rng.normal(0, 0.1, (80, 5))
    codes = np.clip(np.rint(scores * top), 0, top).astype(np.int32)
    codes[rng.random(codes.shape) < missing] = -1
    patterns = Patterns(codes, rng.integers(1, 3, len(codes)))
    scale, unit = Scale(Level.INTERVAL, tuple(map(float, range(top + 1)))), rng.permutation(np.arange(80) % 7)
    coefficient = COEFFICIENTS[key].coefficient
    found = coefficient.without_units(View(patterns, scale), unit, Options())
    kept = [unit != one for one in range(7)]
    parts = [View(Patterns(codes[rows], patterns.multiplicity[rows]), scale) for rows in kept]
    expected = [coefficient.of_view(part, Options())["value"] for part in parts]
    np.testing.assert_allclose(found, expected, atol=1e-12)
