"""Scores of 0 to 100 are scores: two equal ones are luck, and a point apart is no dispute."""

import numpy as np
import pytest

from accord.design.scale import Level
from accord.diagnosis.items import disputed_items, far_apart, item_entropies
from accord.diagnosis.pairs import _by_squares, pairs_of


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    quality = rng.normal(60, 15, 80)
    return np.clip(np.rint(quality[:, None] + rng.normal(0, 6, (80, 3))), 0, 100)


def test_kappa_of_two_raters_counts_how_far_scores_lie_apart(make_part, scores):
    """With quadratic weights kappa is Lin's concordance with variances over n, computed here by its own formula."""
    part = make_part(scores, level=Level.INTERVAL)
    (pair, *_) = pairs_of(part)
    x, y = scores[:, 0], scores[:, 1]
    concordance = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    assert pair.kappa == pytest.approx(concordance)
    assert pair.agreement == pytest.approx(np.mean(x == y))
    kappa, pi = _by_squares(x, y)
    assert kappa[0] == pytest.approx(pair.kappa)
    assert pi[0] == pytest.approx(pair.pi)


def test_kappa_of_few_values_stays_as_it_was(make_part, honest_table):
    table = honest_table(1)
    (pair, *_) = pairs_of(make_part(table, level=Level.INTERVAL))
    equal = np.mean(table[:, 0] == table[:, 1])
    chance = sum(np.mean(table[:, 0] == value) * np.mean(table[:, 1] == value) for value in range(1, 6))
    assert pair.kappa == pytest.approx((equal - chance) / (1 - chance))


def test_scores_are_disputed_where_they_lie_a_fifth_of_the_scale_apart(make_part):
    part = make_part([[50, 51], [50, 71], [50, 70], *([[i, i + 1] for i in range(99)])], scale=range(101),
                     level=Level.INTERVAL)  # fmt: skip
    assert far_apart(part) == 20
    found = disputed_items(part, most=5, agreed=5)
    assert (found.disputed, found.far, found.most[0].item, found.most[0].apart) == (1, 20, "i2", 21)
    assert [one.apart for one in item_entropies(part)[:3]] == [21, 20, 1]


def test_any_difference_on_a_short_scale_is_a_dispute(make_part, honest_table):
    table = honest_table(1)
    part = make_part(table)
    assert far_apart(part) == 0
    assert disputed_items(part, most=5, agreed=5).disputed == np.sum(np.ptp(table, axis=1) > 0)
