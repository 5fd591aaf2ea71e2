"""Draws in two stages follow the multinomial law exactly."""

import numpy as np
import pytest
from scipy.stats import binom, chisquare, poisson

from accord.inference.bootstrap import draw_patterns
from accord.inference.multinomial import _poisson_table, multinomial_counts


def test_every_resample_holds_all_items():
    multiplicity = np.random.default_rng(1).geometric(0.1, 2000)
    counts = multinomial_counts(multiplicity, 50, np.random.default_rng(0))
    assert counts.shape == (50, 2000)
    assert (counts.sum(axis=1) == multiplicity.sum()).all()


def test_the_same_seed_gives_the_same_resamples():
    multiplicity = np.random.default_rng(1).geometric(0.1, 1500)
    one, other = (multinomial_counts(multiplicity, 5, np.random.default_rng(7)) for _ in range(2))
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("multiplicity", [[3, 1, 10, 2, 4], [70, 1, 1, 60, 5]])
def test_each_pattern_is_drawn_by_the_binomial_law_of_its_share(multiplicity):
    units, times = sum(multiplicity), 40_000
    counts = multinomial_counts(np.array(multiplicity), times, np.random.default_rng(3)).astype(int)
    for place, own in enumerate(multiplicity):
        expected = times * binom.pmf(np.arange(units + 1), units, own / units)
        seen, common = np.bincount(counts[:, place], minlength=units + 1), expected > 5
        seen, expected = (np.append(part[common], part[~common].sum()) for part in (seen, expected))
        assert chisquare(seen[expected > 0], expected[expected > 0]).pvalue > 1e-4


def test_patterns_lose_what_others_gain_as_in_a_multinomial_draw():
    multiplicity = np.random.default_rng(1).geometric(0.05, 1000)
    features = np.random.default_rng(2).normal(size=(1000, 2))
    shares = multiplicity / multiplicity.sum()
    centred = features - shares @ features
    expected = multiplicity.sum() * (centred * shares[:, None]).T @ centred
    sums = multinomial_counts(multiplicity, 4000, np.random.default_rng(4)) @ features
    np.testing.assert_allclose(np.cov(sums.T), expected, atol=0.08 * np.abs(expected).max())
    np.testing.assert_allclose(sums.mean(axis=0), multiplicity @ features, atol=4 * np.sqrt(expected.max() / 4000))


@pytest.mark.parametrize("rate", [0.03, 0.9, 7.5, 40.0])
def test_a_table_holds_every_number_by_its_poisson_probability(rate):
    table = _poisson_table(rate)
    slots = len(table.number)
    edges = np.append(table.cumulated, 1.0)
    np.testing.assert_allclose(np.diff(edges, prepend=0), [*poisson.pmf(np.arange(127), rate), 0], atol=1e-14)
    sure = np.flatnonzero(table.number != 255)
    for end in (sure, np.nextafter(sure + 1, 0)):
        np.testing.assert_array_equal(np.searchsorted(edges, end / slots, side="right"), table.number[sure])
    assert slots - len(sure) <= 127


def test_many_patterns_are_drawn_in_two_stages_and_few_by_numpy():
    few, many = np.full(50, 100), np.full(1000, 10)
    rng = np.random.default_rng
    np.testing.assert_array_equal(next(draw_patterns(few, 20, rng(1))), rng(1).multinomial(5000, few / 5000, size=20))
    np.testing.assert_array_equal(next(draw_patterns(many, 20, rng(1))), multinomial_counts(many, 20, rng(1)))
