"""Agreement on order: Goodman and Kruskal's gamma, Kendall's tau-b, Kendall's W with ties.

Tables have any leading dimensions (pairs of raters, replicates) and are (..., values, values), values in order.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.agreement.batch import applied, divided, mid_ranks, quadratic, total
from accord.ratings.counts import Floats, Integers

__all__ = [
    "Concordance",
    "concordance",
    "concordance_of_columns",
    "errors_of_columns",
    "gamma_errors",
    "kendall_w",
    "tau_b_errors",
    "w_of_codes",
]


_FEW = 10


_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Concordance:
    """Pairs of items that two raters put in the same order, in opposite orders, or tie.

    ``one_untied`` and ``other_untied`` count the pairs of items that one rater, or the other, does not tie.
    """

    concordant: Floats
    discordant: Floats
    one_untied: Floats
    other_untied: Floats

    @property
    def untied(self) -> Floats:
        """Pairs that neither rater ties: all that gamma is built on."""
        return self.concordant + self.discordant

    @property
    def gamma(self) -> Floats:
        r""":math:`\gamma = (C - D) / (C + D)`; undefined if every pair is tied by a rater."""
        return divided(self.concordant - self.discordant, self.untied)

    @property
    def tau_b(self) -> Floats:
        r""":math:`\tau_b = (C - D) / \sqrt{(n_0 - n_1)(n_0 - n_2)}`, n1 and n2 the pairs that each rater ties."""
        return divided(self.concordant - self.discordant, np.sqrt(self.one_untied * self.other_untied))


def concordance(tables: Floats | Integers) -> Concordance:
    """Concordant and discordant pairs of items from contingency tables: O(values^2), whatever the items."""
    tables = np.asarray(tables, dtype=np.float64)
    if tables.shape[-1] <= _FEW:
        return _concordance_of_small(tables)
    below = _beyond(tables)
    concordant = (tables * below).sum(axis=(-2, -1))
    discordant = (tables * _beyond(tables[..., ::-1])[..., ::-1]).sum(axis=(-2, -1))
    return Concordance(concordant, discordant, _untied(tables.sum(axis=-1)), _untied(tables.sum(axis=-2)))


def _concordance_of_small(tables: Floats) -> Concordance:
    """The same as quadratic forms in the cells of the table: one product for all tables."""
    values = tables.shape[-1]
    cells = tables.reshape(*tables.shape[:-2], values * values)
    above: Floats = np.triu(np.ones((values, values)), 1)
    whole, one = np.ones((values, 1)), np.eye(values)
    same: Floats = np.kron(above, above).astype(np.float64)
    opposite: Floats = np.kron(above, above.T).astype(np.float64)
    rows = applied(cells, np.kron(one, whole).astype(np.float64))
    columns = applied(cells, np.kron(whole, one).astype(np.float64))
    return Concordance(
        quadratic(cells, same, cells), quadratic(cells, opposite, cells), _untied(rows), _untied(columns)
    )


def _beyond(tables: Floats) -> Floats:
    """For each cell the sum of the cells strictly below and strictly to the right."""
    sums = tables[..., ::-1, ::-1].cumsum(axis=-2).cumsum(axis=-1)[..., ::-1, ::-1]
    beyond = np.zeros_like(tables)
    beyond[..., :-1, :-1] = sums[..., 1:, 1:]
    return beyond


def _untied(marginals: Floats) -> Floats:
    """Pairs of items with different values."""
    count = total(marginals)
    return (count * count - total(np.square(marginals))) / 2


def concordance_of_columns(one: Floats, other: Floats) -> Concordance:
    """The same for two columns of scores with too many values for a table: O(n log n)."""
    _, one_code = np.unique(one, return_inverse=True)
    _, other_code = np.unique(other, return_inverse=True)
    joint = one_code.astype(np.int64) * (int(other_code.max(initial=0)) + 1) + other_code
    ties = [np.unique(column, return_counts=True)[1] for column in (one_code, other_code, joint)]
    one_untied, other_untied, not_same = (_untied(count.astype(np.float64)) for count in ties)
    if one_untied == 0 or other_untied == 0:
        return Concordance(np.array(0.0), np.array(0.0), one_untied, other_untied)
    balance = _balance(one_code, other_code, np.sqrt(one_untied) * np.sqrt(other_untied))
    # Pairs that differ anywhere, less those tied by exactly one rater.
    untied = one_untied + other_untied - not_same
    return Concordance((untied + balance) / 2, (untied - balance) / 2, one_untied, other_untied)


def _balance(one: Integers, other: Integers, spread: Floats) -> Floats:
    """Concordant less discordant pairs; from Knight's algorithm where items are many."""
    if len(one) < 50:
        signs = np.sign(np.subtract.outer(one, one)) * np.sign(np.subtract.outer(other, other))
        return np.asarray(signs.sum() / 2, dtype=np.float64)
    from scipy.stats import kendalltau

    return np.rint(kendalltau(one, other, method="asymptotic").statistic * spread)


def errors_of_columns(one: Integers, other: Integers) -> tuple[float, float]:
    """Standard errors of gamma and of tau-b for two columns of codes, comparing every two items: O(n^2).

    The same formulas as for tables, summed over items instead of cells.
    """
    n = len(one)
    balance, untied = np.zeros(n), np.zeros(n)
    for start in range(0, n, _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        order = np.sign(one[rows, None] - one).astype(np.int8) * np.sign(other[rows, None] - other).astype(np.int8)
        balance[rows], untied[rows] = order.sum(axis=1, dtype=np.int64), np.count_nonzero(order, axis=1)
    agree, differ = (untied + balance) / 2, (untied - balance) / 2
    twice_c, twice_d = agree.sum(), differ.sum()
    gamma = divided(4 * np.sqrt(np.square(twice_d * agree - twice_c * differ).sum()), (twice_c + twice_d) ** 2)
    same_one, same_other = (np.bincount(column)[column].astype(np.float64) for column in (one, other))
    w_r, w_c = n * n - same_one.sum(), n * n - same_other.sum()
    w = np.sqrt(w_r * w_c)
    tau = divided(twice_c - twice_d, w)
    inner = 2 * w * balance + tau * (same_one * w_c + same_other * w_r)
    spread = np.square(inner).sum() - n**3 * tau**2 * (w_r + w_c) ** 2
    return float(gamma), float(divided(np.sqrt(np.maximum(spread, 0.0)), w**2))


def _around(tables: Floats) -> tuple[Floats, Floats]:
    """For each cell the items concordant with it, and those discordant."""
    turned = tables[..., ::-1, ::-1]
    concordant = _beyond(tables) + _beyond(turned)[..., ::-1, ::-1]
    mirrored = tables[..., ::-1]
    discordant = _beyond(mirrored)[..., ::-1] + _beyond(mirrored[..., ::-1, ::-1])[..., ::-1, ::-1][..., ::-1]
    return concordant, discordant


def gamma_errors(tables: Floats | Integers) -> Floats:
    r"""Asymptotic standard error of gamma (Goodman and Kruskal 1972; ASE1 of SAS).

    .. math:: \frac{4}{(P+Q)^2} \sqrt{\sum_{ij} n_{ij} (Q A_{ij} - P D_{ij})^2}, \quad P = 2C,\ Q = 2D
    """
    tables = np.asarray(tables, dtype=np.float64)
    agree, differ = _around(tables)
    twice_c = (tables * agree).sum(axis=(-2, -1))
    twice_d = (tables * differ).sum(axis=(-2, -1))
    spread = (tables * np.square(twice_d[..., None, None] * agree - twice_c[..., None, None] * differ)).sum(
        axis=(-2, -1)
    )
    return divided(4 * np.sqrt(spread), np.square(twice_c + twice_d))


def tau_b_errors(tables: Floats | Integers) -> Floats:
    r"""Asymptotic standard error of tau-b (Brown and Benedetti 1977; ASE of SAS)."""
    tables = np.asarray(tables, dtype=np.float64)
    agree, differ = _around(tables)
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    n = rows.sum(axis=-1)
    w_r, w_c = 2 * _untied(rows), 2 * _untied(columns)
    w = np.sqrt(w_r * w_c)
    tau = concordance(tables).tau_b
    sides = rows[..., :, None] * w_c[..., None, None] + columns[..., None, :] * w_r[..., None, None]
    inner = 2 * w[..., None, None] * (agree - differ) + tau[..., None, None] * sides
    spread = (tables * np.square(inner)).sum(axis=(-2, -1)) - n**3 * tau**2 * np.square(w_r + w_c)
    return divided(np.sqrt(np.maximum(spread, 0.0)), w**2)


def w_of_codes(codes: NDArray[np.int32], times: Floats, values: int) -> float:
    """Kendall's W of complete (patterns, raters) codes, each counted so many times: O(ratings)."""
    n = float(times.sum())
    rank_sums, ties = np.zeros(len(codes)), 0.0
    for column in codes.T:
        counts = np.bincount(column, weights=times, minlength=values)
        rank_sums += (counts.cumsum() - (counts + n) / 2)[column]
        ties += float((counts**3 - counts).sum())
    raters = codes.shape[1]
    top = 12 * float(times @ rank_sums**2)
    return float(divided(np.array(top), np.array(raters**2 * (n**3 - n) - raters * ties)))


def kendall_w(tables: Floats) -> Floats:
    r"""Kendall's W, corrected for ties, from the tables of all ordered pairs of raters.

    .. math:: W = \frac{12 \sum_i R_i^2 - 3 m^2 n (n+1)^2}{m^2 n (n^2-1) - m \sum_g \sum_t (t^3 - t)}

    ``tables`` is (..., raters, raters, values, values); on the diagonal a rater meets himself, so the
    marginals stand there. :math:`R_i` is the sum of the mid-ranks that the m raters give to item i.
    """
    raters, values = tables.shape[-3], tables.shape[-1]
    place = np.arange(raters)
    marginals = np.einsum("...gkk->...gk", tables[..., place, place, :, :])
    n = total(marginals[..., 0, :])
    # Centred on the mean rank the sum of squares is S itself, and no huge numbers are subtracted.
    ranks = mid_ranks(marginals) - n[..., None, None] / 2
    weighed = total(tables * ranks[..., None, :, None, :]).reshape(*tables.shape[:-4], raters, raters * values)
    own = np.broadcast_to(ranks[..., :, None, :], tables.shape[:-1]).reshape(weighed.shape)
    deviation = total(total(weighed * own))
    ties = total(total(marginals**3 - marginals))
    return divided(12 * deviation, raters**2 * (n**3 - n) - raters * ties)
