"""What more raters would take away from the uncertainty of alpha."""

from itertools import permutations

import numpy as np
import pytest

from accord.coefficients.alpha import KrippendorffAlpha
from accord.coefficients.alpha_noise import _noise, noise_of_raters
from accord.coefficients.features import View
from accord.design.scale import Level, Scale
from accord.ratings.counts import Patterns


def view(codes, level=Level.ORDINAL):
    codes = np.asarray(codes, dtype=np.int32)
    scale = Scale(level, (1.0, 2.0, 3.0, 4.0, 5.0), declared=True)
    return View(Patterns(codes, np.ones(len(codes), dtype=np.int64)), scale)


def test_the_square_without_noise_is_the_mean_over_two_pairs_that_share_no_rating():
    rng = np.random.default_rng(2)
    kernel = rng.normal(size=(3, 3))
    kernel += kernel.T
    ratings = np.array([0, 2, 2, 1, 0])
    counts = np.bincount(ratings, minlength=3)[None].astype(float)
    of_pair = kernel[np.ix_(ratings, ratings)]
    pairs = [of_pair[i, j] for i, j in permutations(range(5), 2)]
    apart = [of_pair[i, j] * of_pair[k, m] for i, j, k, m in permutations(range(5), 4)]
    assert _noise(counts, np.array([5.0]), kernel)[0] == pytest.approx(np.mean(pairs) ** 2 - np.mean(apart))


@pytest.mark.parametrize("level", [Level.NOMINAL, Level.ORDINAL, Level.INTERVAL])
def test_what_is_left_without_noise_is_what_endless_raters_would_leave(level):
    rng = np.random.default_rng(7)
    alpha, few, many, noise = KrippendorffAlpha(), [], [], []
    for _ in range(400):
        truth = rng.normal(3, 1.2, (40, 1))
        codes = np.clip(np.rint(truth + rng.normal(0, 1.2, (40, 104))), 1, 5) - 1
        few.append(alpha.of_view(view(codes[:, :4], level))["value"])
        many.append(alpha.of_view(view(codes[:, 4:], level))["value"])
        noise.append(noise_of_raters(view(codes[:, :4], level)).variance)
    # A standard deviation of 400 draws errs by 3.5 percent, the difference of two variances by somewhat more.
    assert np.sqrt(np.var(few) - np.mean(noise)) == pytest.approx(np.std(many), rel=0.2)
    assert np.std(few) > 1.3 * np.std(many)


def test_fewer_than_four_ratings_of_an_item_say_nothing_of_it():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 5, (30, 4))
    assert noise_of_raters(view(codes)).ratings == 4
    codes[0, 3] = -1
    assert noise_of_raters(view(codes)) is None
    # An item with a single rating is no part of alpha at all.
    codes[0, 1:3] = -1
    assert noise_of_raters(view(codes)) is not None
