"""Expected widths come from simulation and agree with theory where there is one."""

import numpy as np
import pytest

from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError, OptionError
from accord.planning.precision import error_of_raters, expected_interval, items_needed, raters_needed, width_grid

FIVE = Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0, 5.0), declared=True)
SLIDER = Scale(Level.INTERVAL, tuple(float(step) for step in range(21)), declared=True)
TWO = Scale(Level.NOMINAL, (0.0, 1.0), declared=True)


def crossed(items, raters):
    return np.ones((items, raters), dtype=bool)


@pytest.mark.parametrize("scale", [FIVE, SLIDER, TWO], ids=["ordinal", "interval", "nominal"])
def test_the_coefficient_comes_out_as_guessed(scale):
    found = expected_interval(crossed(400, 3), scale, 0.5, np.random.default_rng(1), studies=60)
    assert (found.interval.low + found.interval.high) / 2 == pytest.approx(0.5, abs=0.03)


def test_the_spread_equals_that_of_the_intraclass_correlation_on_an_interval_scale():
    # Fisher (1925): the variance of an intraclass correlation r of n pairs is (1 - r²)² / (n - 1) for large n.
    items, guess = 200, 0.6
    found = expected_interval(crossed(items, 2), SLIDER, guess, np.random.default_rng(3), studies=600)
    theory = 2 * 1.96 * (1 - guess**2) / np.sqrt(items - 1)
    assert found.width == pytest.approx(theory, rel=0.2)


def test_four_times_the_items_halve_the_width():
    few = expected_interval(crossed(50, 3), FIVE, 0.6, np.random.default_rng(5), studies=400).width
    many = expected_interval(crossed(200, 3), FIVE, 0.6, np.random.default_rng(6), studies=400).width
    assert few / many == pytest.approx(2, rel=0.2)


def test_items_needed_give_the_wanted_width():
    rng = np.random.default_rng(7)
    items = items_needed(0.2, 3, FIVE, 0.6, rng)
    found = expected_interval(crossed(items, 3), FIVE, 0.6, rng, studies=400).width
    assert found == pytest.approx(0.2, rel=0.2)


def test_raters_needed_are_the_fewest_that_suffice_or_none():
    rng = np.random.default_rng(8)
    raters = raters_needed(0.25, 60, FIVE, 0.6, rng)
    assert raters is not None and raters >= 2
    assert expected_interval(crossed(60, raters), FIVE, 0.6, rng, studies=400).width < 0.25 * 1.15
    assert raters_needed(0.02, 20, FIVE, 0.6, rng, studies=50) is None


def test_widths_fall_with_items_and_raters():
    grid = width_grid(40, FIVE, 0.6, np.random.default_rng(9), studies=150)
    assert (np.diff(grid.widths, axis=0) < 0).all()
    assert (grid.widths[:, -1] < grid.widths[:, 0]).all()


def test_an_item_with_one_rater_tells_nothing_of_reliability():
    with pytest.raises(NotEnoughDataError, match="fewer than two items have two raters"):
        expected_interval(np.eye(5, dtype=bool), FIVE, 0.6, np.random.default_rng(1))


@pytest.mark.parametrize("guess", [-0.1, 1.0, 2.0])
def test_a_guess_outside_its_range_is_refused(guess):
    with pytest.raises(OptionError, match="guessed reliability"):
        expected_interval(crossed(10, 2), FIVE, guess, np.random.default_rng(1))


@pytest.mark.parametrize("scale", [FIVE, SLIDER, TWO], ids=["ordinal", "interval", "nominal"])
def test_the_error_of_more_raters_shrinks_as_simulated_intervals_do(scale):
    rng, guess, raters = np.random.default_rng(5), 0.6, 6
    error = error_of_raters(raters, scale, guess, rng)
    two, six = (expected_interval(crossed(150, count), scale, guess, rng, studies=800).width for count in (2, raters))
    assert error(raters) / error(2) == pytest.approx(six / two, abs=0.08)
    assert error(2) > error(3) > error(raters)
