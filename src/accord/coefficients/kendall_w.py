"""Kendall's W, corrected for ties: how far all raters rank the items alike."""

from typing import ClassVar

import numpy as np

from accord import sizes
from accord.arrays import Floats
from accord.coefficients import blocks
from accord.coefficients.batch import divided, mid_ranks, total
from accord.coefficients.coefficient import DEFAULTS, Coefficient, Sums
from accord.coefficients.features import Block, View
from accord.coefficients.left_out import looked_up, sum_over_pairs
from accord.coefficients.options import Options
from accord.coefficients.order import order_of_tables, orders, side_of
from accord.errors import NotEnoughDataError

__all__ = ["KendallW"]


class KendallW(Coefficient):
    r"""Kendall's W over the items that every rater rated.

    .. math:: W = \frac{12 \sum_i R_i^2 - 3 m^2 n (n+1)^2}{m^2 n (n^2-1) - m \sum_g \sum_t (t^3 - t)}

    :math:`R_i` is the sum of the mid-ranks that the m raters give to item i. Centred on the mean rank the sum of
    squares is the numerator itself, and no huge numbers are subtracted.
    """

    costs_tables: ClassVar[bool] = True
    leaves_out: ClassVar[bool] = True
    whole_only: ClassVar[bool] = True

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        """Tables of all ordered pairs of raters, or, where they are wider than patterns are many, the patterns."""
        width = blocks.COMPLETE_TABLES.width(view)
        if len(view.codes) ** 2 > width and sizes.fits(width, len(view.codes)):
            return (blocks.COMPLETE_TABLES,)
        if not sizes.few_patterns(len(view.codes)):
            raise NotEnoughDataError(
                f"{len(view.codes):,} different items on {view.values:,} different values are too many to resample "
                "a coefficient of order. Use its analytic interval."
            )
        return (blocks.WEIGHTS,)

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        (block,) = self.features(view, options)
        if block is blocks.WEIGHTS:
            return _of_weights(view, sums[block])
        return _of_tables(sums[block].reshape(-1, view.raters, view.raters, view.values, view.values))

    def of_view(self, view: View, options: Options = DEFAULTS) -> dict[str, float]:
        whole = view.whole
        n, m = float(whole.times.sum()), whole.raters
        if not n:
            return {"value": float("nan"), "items": n}
        sides = [side_of(whole, rater) for rater in range(m)]
        squares = float(whole.times @ np.square(sum(side.sums for side in sides)))
        ties = float(sum(side.ties for side in sides))
        return {"value": float(_of_squares(np.array(squares), np.array(n), m, np.array(ties))), "items": n}

    def without_item(self, view: View, options: Options = DEFAULTS) -> Floats | None:
        """Exact: the products of every two raters' ranks change as :mod:`accord.coefficients.order` says."""
        whole = view.whole
        # What some rater left out changes nothing when it is left out.
        without = np.full(len(view.codes), np.nan if view.is_complete else self.of_view(view)["value"])
        if len(whole.codes):
            sides = [side_of(whole, rater) for rater in range(whole.raters)]
            squares = sum(side.squares_without for side in sides) + 2 * _products_without(whole)
            ties, n = np.asarray(sum(side.ties_without for side in sides)), whole.times.sum() - 1
            without[view.complete > 0] = _of_squares(np.asarray(squares), n, whole.raters, ties)
        return without


def _of_squares(squares: Floats, n: Floats, raters: int, ties: Floats) -> Floats:
    """From the squares of the raters' sums of signs added up, which are twice the centred sums of ranks."""
    return divided(3 * squares, raters**2 * (n**3 - n) - raters * ties)


def _products_without(view: View) -> Floats:
    """The products of the sums of signs of every two raters, summed over pairs, without an item of each pattern."""
    if sizes.count_tables(view.raters, view.values):
        tables = view.pair_tables.tables
        cells = order_of_tables(tables).products_without.reshape(tables.shape)
        return sum_over_pairs(view, view.pair_tables.pairs, looked_up(cells))
    products = np.zeros(len(view.codes))
    for pair in orders(view):
        products += pair.order.products_without[pair.first]
    return products


def _of_tables(tables: Floats) -> Floats:
    """``tables`` (..., raters, raters, values, values); on the diagonal a rater meets himself: the marginals."""
    raters, values = tables.shape[-3], tables.shape[-1]
    place = np.arange(raters)
    marginals = np.einsum("...gkk->...gk", tables[..., place, place, :, :])
    n = total(marginals[..., 0, :])
    ranks = mid_ranks(marginals) - n[..., None, None] / 2
    weighed = total(tables * ranks[..., None, :, None, :]).reshape(*tables.shape[:-4], raters, raters * values)
    own = np.broadcast_to(ranks[..., :, None, :], tables.shape[:-1]).reshape(weighed.shape)
    deviation = total(total(weighed * own))
    ties = total(total(marginals**3 - marginals))
    return _of_squares(4 * deviation, n, raters, ties)


def _of_weights(view: View, weights: Floats) -> Floats:
    """From how often each pattern occurs, (replicates, patterns): O(ratings) a replicate."""
    weights = weights * view.complete
    n = weights.sum(axis=1)
    sums, ties = np.zeros(weights.shape), np.zeros(len(weights))
    for codes in view.codes.T:
        used, place = np.unique(codes, return_inverse=True)
        by_value = weights @ np.eye(len(used))[place]
        sums += (2 * by_value.cumsum(axis=1) - by_value - n[:, None])[:, place]
        ties += (by_value**3 - by_value).sum(axis=1)
    return _of_squares((weights * sums**2).sum(axis=1), n, view.raters, ties)
