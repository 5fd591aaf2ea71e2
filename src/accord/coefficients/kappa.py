r"""The kappa family: observed agreement, agreement expected by chance, and what is left.

Every function takes sums or tables with any leading dimensions (pairs of raters, bootstrap
replicates), so one formula serves a single value, a matrix of pairs and ten thousand replicates.

.. math:: \kappa = \frac{p_o - p_e}{1 - p_e}
"""

from dataclasses import dataclass

import numpy as np

from accord.arrays import Floats, Integers
from accord.coefficients.batch import applied, divided, quadratic, total, weighed

__all__ = [
    "Kappa", "brennan_prediger", "chance_corrected", "cohen", "cohen_from_sums", "cohen_of_raters",
    "cohen_value_of_raters", "conger", "fleiss", "gwet", "observed_agreement", "pair_means", "scott",
]  # fmt: skip

_NO_ROOM = 1e-12


@dataclass(frozen=True, slots=True)
class Kappa:
    """A chance-corrected coefficient and the two parts it is made of."""

    value: Floats
    observed: Floats
    expected: Floats


def chance_corrected(observed: Floats, expected: Floats) -> Kappa:
    """(observed - expected) / (1 - expected); undefined where chance leaves no room for disagreement."""
    observed, expected = np.asarray(observed), np.asarray(expected)
    if observed.shape != expected.shape:
        observed, expected = np.broadcast_arrays(observed, expected)
    room = 1 - expected
    if (room > _NO_ROOM).all():  # nearly always, and faster than asking place by place
        return Kappa(np.asarray((observed - expected) / room), observed, expected)
    value = np.full(observed.shape, np.nan)
    np.divide(observed - expected, room, out=value, where=room > _NO_ROOM)
    return Kappa(value, observed, expected)


def observed_agreement(agreement: Floats, pairable: Floats) -> Floats:
    r"""Mean over items of the weighted share of agreeing pairs of ratings.

    .. math:: p_o = \frac{1}{n'} \sum_i \sum_k \frac{r_{ik}(r^*_{ik} - 1)}{r_i (r_i - 1)}

    over the :math:`n'` items with two or more ratings; ``agreement`` is the sum over items.
    """
    return divided(agreement, pairable)


def fleiss(agreement: Floats, pairable: Floats, shares: Floats, rated: Floats, weights: Floats) -> Kappa:
    r"""Fleiss' kappa, item by item, so that items may have different numbers of raters (Gwet 2014).

    .. math:: p_e = \sum_{kl} w_{kl} \pi_k \pi_l, \quad \pi_k = \frac{1}{n} \sum_i \frac{r_{ik}}{r_i}

    ``shares`` is the sum over items of :math:`r_{ik}/r_i`, ``rated`` the number of rated items.
    """
    pi = divided(shares, rated[..., None])
    return chance_corrected(observed_agreement(agreement, pairable), quadratic(pi, weights, pi))


def gwet(agreement: Floats, pairable: Floats, shares: Floats, rated: Floats, weights: Floats) -> Kappa:
    r"""Gwet's AC1 (identity weights) and AC2.

    .. math:: p_e = \frac{\sum_{kl} w_{kl}}{q(q-1)} \sum_k \pi_k (1 - \pi_k)

    Undefined where all ratings have one value: the formula gives 1, but nothing could have been disagreed on.
    """
    values = len(weights)
    pi = divided(shares, rated[..., None])
    spread = total(pi * (1 - pi))
    expected = spread * weights.sum() / (values * (values - 1)) if values > 1 else np.full_like(spread, np.nan)
    return _where_ratings_vary(chance_corrected(observed_agreement(agreement, pairable), expected), spread)


def brennan_prediger(agreement: Floats, pairable: Floats, shares: Floats, rated: Floats, weights: Floats) -> Kappa:
    r"""Brennan and Prediger's coefficient: chance is :math:`\sum_{kl} w_{kl} / q^2`.

    Undefined where all ratings have one value, as the others of the family.
    """
    observed = observed_agreement(agreement, pairable)
    pi = divided(shares, rated[..., None])
    found = chance_corrected(observed, np.full_like(observed, weights.mean() if weights.size else np.nan))
    return _where_ratings_vary(found, total(pi * (1 - pi)))


def _where_ratings_vary(found: Kappa, spread: Floats) -> Kappa:
    return Kappa(np.where(spread > _NO_ROOM, found.value, np.nan), found.observed, found.expected)


def conger(agreement: Floats, pairable: Floats, marginals: Floats, weights: Floats) -> Kappa:
    r"""Conger's kappa: Cohen's chance term, averaged over pairs of raters.

    .. math:: p_e = \frac{1}{r(r-1)} \sum_{g \ne h} \sum_{kl} w_{kl}\, p_{gk} p_{hl}

    ``marginals`` (..., raters, values) counts how often each rater gave each value.
    """
    raters = marginals.shape[-2]
    shares = divided(marginals, total(marginals)[..., None])
    summed = shares.sum(axis=-2)
    own = total(quadratic(shares, weights, shares))
    expected = (quadratic(summed, weights, summed) - own) / max(raters * (raters - 1), 1)
    return chance_corrected(observed_agreement(agreement, pairable), expected)


def cohen(tables: Floats | Integers, weights: Floats) -> Kappa:
    r"""Cohen's kappa of a contingency table, or of many: (..., values, values).

    .. math:: p_o = \sum_{ij} w_{ij} p_{ij}, \quad p_e = \sum_{ij} w_{ij}\, p_{i\cdot}\, p_{\cdot j}
    """
    tables = np.asarray(tables, dtype=np.float64)
    agreement = weighed(tables, weights)
    return cohen_from_sums(agreement, tables.sum(axis=-1), tables.sum(axis=-2), weights)


def cohen_from_sums(agreement: Floats, rows: Floats, columns: Floats, weights: Floats) -> Kappa:
    """The same from the weighted agreement and the two raters' marginal counts over their common items."""
    shared = total(rows)
    expected = divided(quadratic(rows, weights, columns), shared * shared)
    return chance_corrected(divided(agreement, shared), expected)


def cohen_of_raters(agreement: Floats, marginals: Floats, first: Integers, second: Integers, weights: Floats) -> Kappa:
    """The same for the pairs of raters who all rated the same items: ``marginals`` (..., raters, values)."""
    items = total(marginals[..., 0, :])[..., None]
    meeting = _meeting(marginals, first, second, weights)
    return chance_corrected(divided(agreement, items), divided(meeting, items * items))


def _meeting(marginals: Floats, first: Integers, second: Integers, weights: Floats) -> Floats:
    """The weighted product of the marginals of the two raters of each pair: (..., pairs)."""
    met = np.matmul(applied(marginals, weights), np.swapaxes(marginals, -1, -2))
    raters = met.shape[-1]
    return np.asarray(np.take(met.reshape(*met.shape[:-2], raters * raters), first * raters + second, axis=-1))


def cohen_value_of_raters(
    agreement: Floats, marginals: Floats, first: Integers, second: Integers, weights: Floats
) -> Floats:
    r"""The value alone, in fewer steps: :math:`(n a - m) / (n^2 - m)`, a the agreement, m the product of marginals."""
    items = total(marginals[..., 0, :])[..., None]
    meeting = _meeting(marginals, first, second, weights)
    value = agreement * items
    value -= meeting
    room = np.subtract(items * items, meeting, out=meeting)
    if (room > _NO_ROOM * items * items).all():
        value /= room
        return np.asarray(value)
    undefined = np.full(value.shape, np.nan)
    np.divide(value, room, out=undefined, where=room > _NO_ROOM * items * items)
    return undefined


def scott(tables: Floats | Integers, weights: Floats) -> Kappa:
    r"""Scott's pi of two raters: chance from their pooled shares :math:`(p_{k\cdot} + p_{\cdot k})/2`."""
    tables = np.asarray(tables, dtype=np.float64)
    shared = tables.sum(axis=(-2, -1))
    agreement = weighed(tables, weights)
    pooled = divided(tables.sum(axis=-1) + tables.sum(axis=-2), 2 * shared[..., None])
    return chance_corrected(divided(agreement, shared), quadratic(pooled, weights, pooled))


def pair_means(values: Floats) -> Floats:
    """Mean over the pairs (last axis) for which the coefficient is defined; nan if there is none."""
    defined = ~np.isnan(values)
    if defined.all() and values.shape[-1]:
        return np.asarray(total(values) / values.shape[-1])
    return divided(total(np.where(defined, values, 0.0)), total(defined.astype(np.float64)))
