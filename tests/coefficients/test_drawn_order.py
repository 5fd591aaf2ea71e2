"""Orders of drawn items: the short ways are those of comparing every item with every other."""

import numpy as np
import pytest

from accord.coefficients.drawn_order import exact_kind
from accord.coefficients.features import View
from accord.coefficients.order import concordances_of_weights, rank_products_of_weights
from accord.design.scale import Level
from accord.ratings.counting import count_source
from real_ratings import from_matrix


def _signs(column):
    return np.sign(column[:, None] - column[None, :])


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("times", ["whole", "gamma", "many"])
def test_counts_of_drawn_items_are_those_of_comparing_every_two(gaps, times):
    rng = np.random.default_rng(3)
    table = rng.integers(1, 8, (30, 3)).astype(float)
    table[rng.random(table.shape) < gaps] = np.nan
    view = View.of(count_source(from_matrix(table, Level.ORDINAL)))
    drawn = {"whole": rng.integers(0, 4, (5, len(view.codes))), "many": rng.integers(0, 1 << 22, (5, len(view.codes))),
             "gamma": rng.gamma(1, size=(5, len(view.codes)))}[times].astype(float)  # fmt: skip
    found, products = concordances_of_weights(view, drawn), rank_products_of_weights(view, drawn)
    for place, (one, other) in enumerate(zip(*view.pairs, strict=True)):
        rows = np.flatnonzero((view.codes[:, one] >= 0) & (view.codes[:, other] >= 0))
        first, second = (_signs(view.codes[rows, rater].astype(float)) for rater in (one, other))
        for replicate, weights in enumerate(drawn[:, rows]):
            form = lambda matrix, w=weights: w @ matrix @ w / 2  # noqa: E731
            expected = (form(first * second > 0), form(first * second < 0), form(first != 0), form(second != 0))
            counted = (found.concordant, found.discordant, found.one_untied, found.other_untied)
            assert [part[replicate, place] for part in counted] == pytest.approx(expected, rel=1e-12)
            ranks = first @ weights, second @ weights
            sums = [weights @ (one * other) for one, other in ((ranks[0], ranks[1]), (ranks[0],) * 2, (ranks[1],) * 2)]
            assert [part[replicate, place] for part in products] == pytest.approx(sums, rel=1e-11)


def test_half_the_digits_are_used_only_where_they_are_enough():
    assert exact_kind(np.array([[1.0, 2], [3, 4]])) is np.float32
    assert exact_kind(np.array([[0.5, 2.5]])) is np.float64
    assert exact_kind(np.array([[2.0**23, 2.0**23]])) is np.float64
