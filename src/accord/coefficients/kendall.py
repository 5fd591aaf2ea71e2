"""Agreement on order: Goodman and Kruskal's gamma, Kendall's tau-b, Kendall's W with ties.

Tables have any leading dimensions (pairs of raters, replicates) and are (..., values, values), values in order.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers
from accord.coefficients.batch import applied, divided, mid_ranks, quadratic, total

__all__ = [
    "Concordance",
    "concordance",
    "gamma_errors",
    "kendall_w",
    "tau_b_errors",
    "w_of_codes",
]


_FEW = 10


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


class _Forms(NamedTuple):
    """What makes of the cells of a small table the items concordant with a cell, discordant, its rows, its columns."""

    same: Floats
    opposite: Floats
    rows: Floats
    columns: Floats


@lru_cache(maxsize=_FEW)
def _forms(values: int) -> _Forms:
    above: Floats = np.triu(np.ones((values, values)), 1)
    whole, one = np.ones((values, 1)), np.eye(values)
    same, opposite = np.kron(above, above), np.kron(above, above.T)
    forms = same + same.T, opposite + opposite.T, np.kron(one, whole), np.kron(whole, one)
    return _Forms(*(form.astype(np.float64) for form in forms))


def _concordance_of_small(tables: Floats) -> Concordance:
    """The same as quadratic forms in the cells of the table: one product for all tables."""
    values = tables.shape[-1]
    forms, cells = _forms(values), tables.reshape(*tables.shape[:-2], values * values)
    twice_c, twice_d = quadratic(cells, forms.same, cells), quadratic(cells, forms.opposite, cells)
    rows, columns = applied(cells, forms.rows), applied(cells, forms.columns)
    return Concordance(twice_c / 2, twice_d / 2, _untied(rows), _untied(columns))


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


def _around(tables: Floats) -> tuple[Floats, Floats]:
    """For each cell the items concordant with it, and those discordant."""
    values = tables.shape[-1]
    if values <= _FEW:
        forms, cells = _forms(values), tables.reshape(*tables.shape[:-2], values * values)
        return applied(cells, forms.same).reshape(tables.shape), applied(cells, forms.opposite).reshape(tables.shape)
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
    for column in codes.T.astype(np.intp):
        counts = np.bincount(column, weights=times, minlength=values)
        rank_sums += (counts.cumsum() - (counts + n) / 2)[column]
        ties += float(((counts * counts - 1) * counts).sum())
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
