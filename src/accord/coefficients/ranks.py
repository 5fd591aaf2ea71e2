"""Agreement on order: Goodman and Kruskal's gamma, Kendall's taus, Spearman's rho, as means over pairs of raters."""

from abc import abstractmethod
from functools import partial
from typing import ClassVar

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers
from accord.coefficients import blocks
from accord.coefficients.batch import divided, total
from accord.coefficients.coefficient import DEFAULTS, Sums, Values
from accord.coefficients.features import Block, View
from accord.coefficients.options import Options
from accord.coefficients.order import (
    Concordance,
    Order,
    concordances_of_weights,
    concordances_without_units,
    order_of_tables,
    orders,
    rank_products_of_weights,
    rank_products_without_units,
)
from accord.coefficients.pairs import PairCoefficient, PairValues, TableValues, pair_means
from accord.design.scale import Scale
from accord.errors import NotEnoughDataError

__all__ = ["Gamma", "KendallTauA", "KendallTauB", "KendallTauC", "OrderCoefficient", "Spearman"]


class OrderCoefficient(PairCoefficient):
    """A coefficient of how two raters order the items: from tables, or from sorted columns on fine scales."""

    costs_tables: ClassVar[bool] = True

    @abstractmethod
    def of_order(self, order: Order) -> Floats:
        """The value of each pair."""

    @abstractmethod
    def of_order_without(self, order: Order) -> Floats:
        """The same without an item of each place."""

    @abstractmethod
    def error(self, order: Order, value: Floats) -> Floats:
        """The standard error of each pair."""

    @abstractmethod
    def of_weights(self, sums: Sums, view: View) -> Floats:
        """(replicates, pairs) from how often each pattern occurs."""

    @abstractmethod
    def of_units(self, view: View, unit: Integers) -> Floats:
        """(units, pairs) without the patterns of each unit."""

    def order_parts(self, order: Order) -> Values:
        return {}

    def of_pair_table(self, tables: Floats | Integers, scale: Scale, options: Options = DEFAULTS) -> TableValues:
        order = order_of_tables(tables)
        value = self.of_order(order)
        return TableValues(value, partial(self.error, order, value), self.order_parts(order))

    def values_of_tables(self, tables: Floats, scale: Scale, options: Options = DEFAULTS) -> Floats:
        return self.of_order(order_of_tables(tables))

    def without_item_of_table(self, tables: Floats, scale: Scale, options: Options = DEFAULTS) -> Floats:
        return self.of_order_without(order_of_tables(tables)).reshape(tables.shape)

    def of_pairs(self, view: View, options: Options = DEFAULTS) -> PairValues:
        if sizes.count_tables(view.raters, view.values):
            return super().of_pairs(view, options)
        rows = [self._of_pair(pair.order) for pair in orders(view)]
        items, value, *parts = np.array(rows).reshape(len(rows), -1).T if rows else np.zeros((2, 0))
        pairs = np.stack(view.pairs, axis=1).astype(np.int64)
        named = dict(zip(self.order_parts(order_of_tables(np.eye(2))), parts, strict=False))
        return PairValues(pairs, items.astype(np.int64), value, partial(self._errors, view, value), named, self.on_z)

    def _of_pair(self, order: Order) -> list[float]:
        found = order.one.items, self.of_order(order), *self.order_parts(order).values()
        return [float(part) for part in found]

    def _errors(self, view: View, value: Floats) -> Floats:
        ordered = zip(orders(view), value, strict=True)
        return np.array([float(self.error(pair.order, np.asarray(own))) for pair, own in ordered])

    def without_item(self, view: View, options: Options = DEFAULTS) -> Floats | None:
        if sizes.count_tables(view.raters, view.values):
            return super().without_item(view, options)
        sums, counts = np.zeros(len(view.codes)), np.zeros(len(view.codes))
        for pair in orders(view):
            without = self.of_order_without(pair.order)[pair.first]
            if len(pair.rows) < len(view.codes):
                shared, without = without, np.full(len(view.codes), float(self.of_order(pair.order)))
                without[pair.rows] = shared
            undefined = np.isnan(without)
            counts += ~undefined
            sums += np.where(undefined, 0.0, without) if undefined.any() else without
        return divided(sums, counts)

    def without_units(self, view: View, unit: Integers, options: Options = DEFAULTS) -> Floats | None:
        """On fine scales patterns are weighed by whether their unit is there, and compared with each other once."""
        if sizes.count_tables(view.raters, view.values):
            return super().without_units(view, unit, options)
        units = int(unit.max(initial=-1)) + 1
        if not sizes.units_are_weighed(units, float(np.square(view.both.sum(axis=0)).sum())):
            return None
        return pair_means(self.of_units(view, unit))

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        """Tables of pairs; on fine scales a table would be nearly empty, and patterns are compared instead."""
        if sizes.fits(blocks.PAIR_TABLES.width(view), len(view.codes)):
            return (blocks.PAIR_TABLES,)
        if not sizes.few_patterns(len(view.codes)):
            raise NotEnoughDataError(
                f"{len(view.codes):,} different items on {view.values:,} different values are too many to resample "
                "a coefficient of order. Use its analytic interval."
            )
        return (blocks.WEIGHTS,)

    def full_width(self, view: View, options: Options = DEFAULTS) -> int:
        tables = sizes.count_tables(view.raters, view.values)
        return blocks.PAIR_TABLES.width(view) if tables else super().full_width(view, options)

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        (block,) = self.features(view, options)
        if block is blocks.WEIGHTS:
            return pair_means(self.of_weights(sums, view))
        shape = -1, len(view.pairs[0]), view.values, view.values
        order = sums.shared("order", lambda: order_of_tables(sums[block].reshape(shape)))
        return pair_means(self.of_order(order))


class _ByConcordance(OrderCoefficient):
    """A coefficient of concordant and discordant pairs of items."""

    method: ClassVar[str] = "analytic, asymptotic standard error over items, normal"

    @abstractmethod
    def formula(self, counted: Concordance) -> Floats: ...

    def of_order(self, order: Order) -> Floats:
        return self.formula(order.concordance)

    def of_order_without(self, order: Order) -> Floats:
        return self.formula(order.concordance_without)

    def of_weights(self, sums: Sums, view: View) -> Floats:
        counted = sums.shared("concordance", lambda: concordances_of_weights(view, sums[blocks.WEIGHTS]))
        return self.formula(counted)

    def of_units(self, view: View, unit: Integers) -> Floats:
        make = partial(concordances_without_units, view, unit)
        return self.formula(view.kept("concordance without units", make, unit.size))

    def order_parts(self, order: Order) -> Values:
        """Pairs of items: in the same order, in opposite order, tied by neither rater, and all that were compared."""
        found = order.concordance
        return {
            "concordant": found.concordant,
            "discordant": found.discordant,
            "untied": found.concordant + found.discordant,
            "compared": found.items * (found.items - 1) / 2,
        }


class Gamma(_ByConcordance):
    r"""Goodman and Kruskal's gamma: :math:`\gamma = (C - D) / (C + D)`; undefined if every pair is tied by a rater."""

    def formula(self, counted: Concordance | Order) -> Floats:
        return divided(counted.concordant - counted.discordant, counted.concordant + counted.discordant)

    def of_order(self, order: Order) -> Floats:
        """Who ties what is not asked."""
        return self.formula(order)

    def error(self, order: Order, value: Floats) -> Floats:
        r"""Asymptotic standard error (Goodman and Kruskal 1972; ASE1 of SAS).

        .. math:: \frac{4}{(P+Q)^2} \sqrt{\sum_{ij} n_{ij} (Q A_{ij} - P D_{ij})^2}, \quad P = 2C,\ Q = 2D
        """
        twice_c, twice_d = 2 * order.concordance.concordant, 2 * order.concordance.discordant
        pull = twice_d[..., None] * order.agree - twice_c[..., None] * order.differ
        return divided(4 * np.sqrt(total(order.times * np.square(pull))), np.square(twice_c + twice_d))


class KendallTauA(_ByConcordance):
    r"""Kendall's tau-a: :math:`\tau_a = (C - D) / n_0`, :math:`n_0 = n(n-1)/2`: tied pairs count as no agreement.

    Undefined where both raters tie all items: the formula gives 0, but nothing could have been ordered.
    """

    def formula(self, counted: Concordance) -> Floats:
        compared = counted.items * (counted.items - 1) / 2
        told_apart = counted.one_untied + counted.other_untied > 0
        return divided(counted.concordant - counted.discordant, np.where(told_apart, compared, 0.0))

    def error(self, order: Order, value: Floats) -> Floats:
        r"""Standard error of a U-statistic: :math:`\frac{2}{n(n-1)} \sqrt{\sum_i (c_i - \bar c)^2}`, c = A - D."""
        n = order.concordance.items
        balance = order.agree - order.differ
        mean = divided(total(order.times * balance), n)
        return divided(2 * np.sqrt(total(order.times * np.square(balance - mean[..., None]))), n * (n - 1))


class KendallTauB(_ByConcordance):
    r"""Kendall's tau-b: :math:`\tau_b = (C - D) / \sqrt{(n_0 - n_1)(n_0 - n_2)}`, n1, n2 the pairs each rater ties."""

    def formula(self, counted: Concordance) -> Floats:
        balance = counted.concordant - counted.discordant
        return divided(balance, np.sqrt(counted.one_untied * counted.other_untied))

    def error(self, order: Order, value: Floats) -> Floats:
        """Asymptotic standard error (Brown and Benedetti 1977; ASE of SAS)."""
        n, one, other = order.concordance.items, order.one, order.other
        w_r, w_c = 2 * one.untied, 2 * other.untied
        w = np.sqrt(w_r * w_c)
        sides = one.same * w_c[..., None] + other.same * w_r[..., None]
        inner = 2 * w[..., None] * (order.agree - order.differ) + value[..., None] * sides
        spread = total(order.times * np.square(inner)) - n**3 * value**2 * np.square(w_r + w_c)
        return divided(np.sqrt(np.maximum(spread, 0.0)), w**2)


class KendallTauC(_ByConcordance):
    r"""Stuart's tau-c: :math:`\tau_c = 2 m (C - D) / (n^2 (m-1))`, m the smaller number of values that a rater gave."""

    def formula(self, counted: Concordance) -> Floats:
        values = counted.values()
        balance = counted.concordant - counted.discordant
        return divided(2 * values * balance, np.square(counted.items) * (values - 1))

    def error(self, order: Order, value: Floats) -> Floats:
        r"""Asymptotic standard error (Brown and Benedetti 1977).

        .. math:: \frac{2m}{(m-1) n^2} \sqrt{\sum_{ij} n_{ij} (A_{ij} - D_{ij})^2 - (P-Q)^2/n}
        """
        counted, values = order.concordance, order.concordance.values()
        balance = 2 * (counted.concordant - counted.discordant)
        spread = total(order.times * np.square(order.agree - order.differ)) - divided(np.square(balance), counted.items)
        bottom = (values - 1) * np.square(counted.items)
        return divided(2 * values * np.sqrt(np.maximum(spread, 0.0)), bottom)


class Spearman(OrderCoefficient):
    r"""Spearman's rho, Pearson's r of mid-ranks: :math:`\sum s t / \sqrt{\sum s^2 \sum t^2}`, with sums of signs."""

    on_z: ClassVar[bool] = True
    method: ClassVar[str] = "analytic, Fisher's z over items (Bonett and Wright)"

    def formula(self, product: Floats, one: Floats, other: Floats) -> Floats:
        # One root of the product, not the product of two roots: only this is exactly 1 where the ranks are equal.
        return divided(product, np.sqrt(one * other))

    def of_order(self, order: Order) -> Floats:
        return self.formula(*order.ranks)

    def of_order_without(self, order: Order) -> Floats:
        return self.formula(*order.ranks_without)

    def of_weights(self, sums: Sums, view: View) -> Floats:
        return self.formula(*rank_products_of_weights(view, sums[blocks.WEIGHTS]))

    def of_units(self, view: View, unit: Integers) -> Floats:
        return self.formula(*rank_products_without_units(view, unit))

    def error(self, order: Order, value: Floats) -> Floats:
        """Standard error of Fisher's z of rho (Bonett and Wright 2000)."""
        items = order.one.items
        return np.sqrt((1 + np.square(value) / 2) / np.where(items > 3, items - 3.0, np.nan))
