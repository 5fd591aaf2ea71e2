r"""Kappas of two raters and their means over pairs: Cohen, Scott, Light.

.. math:: \kappa = \frac{p_o - p_e}{1 - p_e}

Tables and sums have any leading dimensions (pairs of raters, bootstrap replicates), so one formula serves a single
value, a matrix of pairs and ten thousand replicates.
"""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from accord.arrays import Floats, Integers, every_pair
from accord.coefficients import blocks
from accord.coefficients.batch import applied, divided, quadratic, total, weighed
from accord.coefficients.coefficient import DEFAULTS, Coefficient, Sums
from accord.coefficients.features import Block, View
from accord.coefficients.left_out import cells_met
from accord.coefficients.options import Options
from accord.coefficients.pairs import PairCoefficient, TableValues, pair_means
from accord.coefficients.weights import weight_matrix
from accord.design.scale import Scale
from accord.records import dataclass

__all__ = ["CohenKappa", "Kappa", "LightKappa", "PairKappa", "ScottPi", "chance_corrected"]

NO_ROOM = 1e-12
_Pairs = tuple[Integers, ...]
"""The places of the first and of the second rater of each pair."""


class Kappa(NamedTuple):
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
    if (room > NO_ROOM).all():  # nearly always, and faster than asking place by place
        return Kappa(np.asarray((observed - expected) / room), observed, expected)
    value = np.full(observed.shape, np.nan)
    np.divide(observed - expected, room, out=value, where=room > NO_ROOM)
    return Kappa(value, observed, expected)


@dataclass(frozen=True)
class PairKappa(PairCoefficient):
    """A kappa of two raters; subclasses say how often chance makes two raters meet."""

    weights: str = "identity"
    takes_own: bool = True
    """Whether a matrix of the user's, or weights for sets of labels, stand in for its weights."""

    def weights_taken(self, options: Options) -> str | Floats:
        return options.own_weights_or(self.weights) if self.takes_own else self.weights

    def matrix(self, scale: Scale, options: Options = DEFAULTS) -> Floats:
        return weight_matrix(self.weights_taken(options), scale, symmetric=False)

    def chosen(self, scale: Scale, options: Options) -> tuple[str, ...]:
        taken = self.weights_taken(options)
        if isinstance(taken, str) and taken == self.weights:
            return ()
        return ("the user's weights stand in: " + (taken if isinstance(taken, str) else "a matrix of the user's own"),)

    @abstractmethod
    def meeting(self, rows: Floats, columns: Floats, weights: Floats) -> Floats:
        """The weighted product of two raters' counts by value: n^2 times the agreement by chance."""

    @abstractmethod
    def meeting_of_raters(self, products: Callable[[Integers, Integers], Floats], pairs: _Pairs) -> Floats:
        """The same for pairs of raters, from the weighted products of any two raters' counts."""

    @abstractmethod
    def errors(self, tables: Floats, weights: Floats, found: Kappa) -> Floats:
        """The standard errors of the values of tables."""

    def of_pair_table(self, tables: Floats | Integers, scale: Scale, options: Options = DEFAULTS) -> TableValues:
        tables, weights = np.asarray(tables, dtype=np.float64), self.matrix(scale, options)
        found = self.kappa(tables, weights)
        parts = {"observed": found.observed, "expected": found.expected}
        return TableValues(found.value, partial(self.errors, tables, weights, found), parts)

    def kappa(self, tables: Floats, weights: Floats) -> Kappa:
        """The kappa of tables (..., values, values) by a matrix of weights."""
        return self._of_sums(weighed(tables, weights), total(tables), tables.sum(axis=-2), weights)

    def values_of_tables(self, tables: Floats, scale: Scale, options: Options = DEFAULTS) -> Floats:
        return self.kappa(tables, self.matrix(scale, options)).value

    def without_item_of_table(self, tables: Floats, scale: Scale, options: Options = DEFAULTS) -> Floats:
        """One item less is a step in agreement, in both margins and in their product."""
        weights = self.matrix(scale, options)
        rows, columns = total(tables), tables.sum(axis=-2)
        left = total(rows)[..., None, None] - 1
        agreed = weighed(tables, weights)[..., None, None] - weights
        met = self.meeting_without(rows, columns, weights)
        return chance_corrected(divided(agreed, left), divided(met, left * left)).value

    @abstractmethod
    def meeting_without(self, rows: Floats, columns: Floats, weights: Floats) -> Floats:
        """:meth:`meeting` without an item of each cell."""

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        """Far fewer than the cells of tables; with complete ratings a rater's counts serve all pairs."""
        marginals = blocks.MARGINALS if view.is_complete else blocks.PAIR_MARGINALS
        return blocks.pair_agreement(self.matrix(view.scale, options)), marginals

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        agreement, marginals = self.features(view, options)
        name = f"{type(self).meeting.__qualname__}, {agreement.name}"
        return sums.shared(name, lambda: self._mean(sums[agreement], sums[marginals], view, options))

    def _mean(self, agreement: Floats, marginals: Floats, view: View, options: Options) -> Floats:
        weights = self.matrix(view.scale, options)
        if view.is_complete:
            return pair_means(self.of_raters(agreement, marginals, view.pairs, weights))
        sides = marginals.reshape(len(marginals), -1, 2, view.values)
        return pair_means(self.of_sums(agreement, sides[:, :, 0], sides[:, :, 1], weights))

    def without_units(self, view: View, unit: Integers, options: Options = DEFAULTS) -> Floats | None:
        """Agreement and both margins are all that is needed of the tables."""
        tables, pairs, values = view.pair_tables.tables, view.pair_tables.pairs, view.values
        if not len(pairs):
            return None
        units, weights = int(unit.max()) + 1, self.matrix(view.scale, options)
        owner, place, times = cells_met(view, pairs, unit)
        pair, cell = np.divmod(place, values**2)
        one, other = np.divmod(cell, values)

        def without(whole: Floats, cells: Integers, each: Floats) -> Floats:
            taken = np.bincount(owner * whole.size + cells, each, units * whole.size)
            return np.asarray(whole - taken.reshape(units, *whole.shape))

        counted = tables.astype(np.float64)
        agreement = without(weighed(counted, weights), pair, times * weights[one, other])
        rows = without(total(counted), pair * values + one, times)
        columns = without(counted.sum(axis=-2), pair * values + other, times)
        return pair_means(self.of_sums(agreement, rows, columns, weights))

    def of_sums(self, agreement: Floats, rows: Floats, columns: Floats, weights: Floats) -> Floats:
        """The values from the weighted agreement of pairs and the two raters' counts by value on shared items."""
        return self._of_sums(agreement, rows, columns, weights).value

    def _of_sums(self, agreement: Floats, rows: Floats, columns: Floats, weights: Floats) -> Kappa:
        shared = total(rows)
        expected = divided(self.meeting(rows, columns, weights), shared * shared)
        return chance_corrected(divided(agreement, shared), expected)

    def of_raters(self, agreement: Floats, marginals: Floats, pairs: _Pairs, weights: Floats) -> Floats:
        """The values of pairs of raters who all rated the same items: ``marginals`` (..., raters x values)."""
        values = len(weights)
        each = marginals.reshape(*marginals.shape[:-1], -1, values)
        raters = each.shape[-2]
        met = np.matmul(applied(each, weights), np.swapaxes(each, -1, -2))
        flat = met.reshape(*met.shape[:-2], raters * raters)
        found = self.meeting_of_raters(lambda one, other: np.take(flat, one * raters + other, axis=-1), pairs)
        return _of_meeting(agreement, total(each[..., 0, :])[..., None], found)


def _of_meeting(agreement: Floats, items: Floats, meeting: Floats) -> Floats:
    r"""The value in few steps: :math:`(n a - m) / (n^2 - m)`, a the agreement, m how chance makes raters meet."""
    value = agreement * items - meeting
    room = items * items - meeting
    if (room > NO_ROOM * items * items).all():
        return np.asarray(value / room)
    undefined = np.full(value.shape, np.nan)
    np.divide(value, room, out=undefined, where=room > NO_ROOM * items * items)
    return undefined


@dataclass(frozen=True)
class CohenKappa(PairKappa):
    r"""Cohen's kappa of a pair of raters on the items both rated, and the mean over pairs.

    .. math:: p_o = \sum_{ij} w_{ij} p_{ij}, \quad p_e = \sum_{ij} w_{ij}\, p_{i\cdot}\, p_{\cdot j}
    """

    method: ClassVar[str] = "analytic, Fleiss-Cohen-Everitt variance over items, normal"

    def meeting(self, rows: Floats, columns: Floats, weights: Floats) -> Floats:
        return quadratic(rows, weights, columns)

    def meeting_of_raters(self, products: Callable[[Integers, Integers], Floats], pairs: _Pairs) -> Floats:
        return products(*pairs)

    def meeting_without(self, rows: Floats, columns: Floats, weights: Floats) -> Floats:
        to_rows, to_columns = applied(columns, weights.T), applied(rows, weights)
        met = total(to_columns * columns)[..., None, None]
        return np.asarray(met - to_rows[..., :, None] - to_columns[..., None, :] + weights)

    def errors(self, tables: Floats, weights: Floats, found: Kappa) -> Floats:
        r"""Standard error (Fleiss, Cohen and Everitt 1969): as psych, and weighted as vcd, has it.

        .. math:: v = \frac{\sum_{ij} p_{ij} [w_{ij}(1-p_e) - (\bar w_{i\cdot} + \bar w_{\cdot j})(1-p_o)]^2
                  - (p_o p_e - 2 p_e + p_o)^2}{n (1-p_e)^4}
        """
        n = tables.sum(axis=(-2, -1))
        shares = divided(tables, n[..., None, None])
        po, pe = found.observed[..., None, None], found.expected[..., None, None]
        mean_rows = shares.sum(axis=-2) @ weights.T
        mean_columns = shares.sum(axis=-1) @ weights
        pull = weights * (1 - pe) - (mean_rows[..., :, None] + mean_columns[..., None, :]) * (1 - po)
        spread = (shares * np.square(pull)).sum(axis=(-2, -1))
        po, pe = found.observed, found.expected
        variance = divided(spread - np.square(po * pe - 2 * pe + po), n * (1 - pe) ** 4)
        return np.where(np.isnan(found.value), np.nan, np.sqrt(np.maximum(variance, 0.0)))


@dataclass(frozen=True)
class ScottPi(PairKappa):
    r"""Scott's pi of two raters: chance from their pooled shares :math:`(p_{k\cdot} + p_{\cdot k})/2`."""

    method: ClassVar[str] = "analytic, Gwet's variance over items, normal"

    def meeting(self, rows: Floats, columns: Floats, weights: Floats) -> Floats:
        return quadratic(rows + columns, weights, rows + columns) / 4

    def meeting_of_raters(self, products: Callable[[Integers, Integers], Floats], pairs: _Pairs) -> Floats:
        one, other = pairs
        return (products(one, one) + products(one, other) + products(other, one) + products(other, other)) / 4

    def meeting_without(self, rows: Floats, columns: Floats, weights: Floats) -> Floats:
        pooled, even = rows + columns, (weights + weights.T) / 2
        toward, own = applied(pooled, even), np.diag(weights)
        met = total(toward * pooled)[..., None, None]
        lost = toward[..., :, None] + toward[..., None, :]
        return np.asarray((met - 2 * lost + own[:, None] + own + 2 * even) / 4)

    def errors(self, tables: Floats, weights: Floats, found: Kappa) -> Floats:
        """Gwet's linearisation over the items two raters share."""
        n = tables.sum(axis=(-2, -1))
        pooled = divided(tables.sum(axis=-1) + tables.sum(axis=-2), 2 * n[..., None])
        toward = pooled @ ((weights + weights.T) / 2)
        pe, value = (part[..., None, None] for part in (found.expected, found.value))
        chance = (toward[..., :, None] + toward[..., None, :]) / 2
        pull = divided(weights - pe - 2 * (1 - value) * (chance - pe), 1 - pe) - value
        spread = (tables * np.square(pull)).sum(axis=(-2, -1))
        return np.sqrt(divided(spread, n * (n - 1)))


class LightKappa(Coefficient):
    """Light's kappa: the mean of Cohen's over pairs of raters, on the items that every rater rated."""

    ignores_order = True
    leaves_out: ClassVar[bool] = True
    whole_only: ClassVar[bool] = True
    pair = CohenKappa(takes_own=False)

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        if view.is_complete:
            return self.pair.features(view)
        return blocks.COMPLETE_AGREEMENT, blocks.COMPLETE_MARGINALS

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        if view.is_complete:
            return self.pair.evaluate(sums, view)
        marginals, every = sums[blocks.COMPLETE_MARGINALS], every_pair(view.raters)
        weights = self.pair.matrix(view.scale)
        return pair_means(self.pair.of_raters(sums[blocks.COMPLETE_AGREEMENT], marginals, every, weights))

    def of_view(self, view: View, options: Options = DEFAULTS) -> dict[str, float]:
        """From one table a pair, over the items only that every rater rated."""
        items = float(view.whole.multiplicity.sum())
        if not items:
            return {"value": float("nan"), "items": items}
        found = self.pair.of_pairs(view.whole).mean()
        found.pop("median_shared_items", None)
        return {**found, "items": items}

    def without_item(self, view: View, options: Options = DEFAULTS) -> Floats | None:
        """Only an item that every rater rated changes it."""
        without = np.full(len(view.codes), self.of_view(view)["value"])
        if view.complete.any() and (left := self.pair.without_item(view.whole)) is not None:
            without[view.complete > 0] = left
        return without
