"""Each coefficient as a function of sums over items: which blocks it needs and what it makes of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.arrays import Floats
from accord.coefficients import blocks, kappa
from accord.coefficients.features import Block, View
from accord.coefficients.options import Options
from accord.coefficients.weights import weight_matrix

__all__ = ["Builder", "Formula"]


@dataclass(frozen=True, slots=True)
class Formula:
    """A coefficient ready for one set of ratings.

    ``evaluate`` takes one array (replicates, width) for each block and gives named arrays
    (replicates,), the first of which is the value; the others are its parts. Where several coefficients
    begin with the same step (an analysis of variance, concordant pairs), ``prepare`` is that step: it is
    made once from the blocks, and ``evaluate`` takes its result instead. ``value`` is what resampling asks for,
    where it can be had for less than the value with its parts.
    """

    blocks: tuple[Block, ...]
    evaluate: Callable[..., dict[str, Floats]]
    prepare: Callable[..., Any] | None = None
    shared: str = ""
    value: Callable[..., Floats] | None = None

    def value_of_sums(self, sums: Sequence[Floats], made: dict[str, Any]) -> Floats:
        """The value alone; ``made`` keeps what others can use."""
        if self.value is None:
            return self.of_sums(sums, made)["value"]
        name = f"{self.shared}, value"
        if name not in made:
            made[name] = self.value(*sums)
        found: Floats = made[name]
        return found

    def of_sums(self, sums: Sequence[Floats], made: dict[str, Any]) -> dict[str, Floats]:
        """The value and its parts; ``made`` keeps the steps that others can use."""
        if self.prepare is None:
            return self.evaluate(*sums)
        if self.shared not in made:
            made[self.shared] = self.prepare(*sums)
        return self.evaluate(made[self.shared])


Builder = Callable[[View, Options], Formula]


def _parts(result: kappa.Kappa) -> dict[str, Floats]:
    return {"value": result.value, "observed": result.observed, "expected": result.expected}


def _pair_parts(result: kappa.Kappa) -> dict[str, Floats]:
    """Means over the pairs for which the coefficient is defined."""
    undefined = np.isnan(result.value)
    observed, expected = (np.where(undefined, np.nan, part) for part in (result.observed, result.expected))
    return {
        "value": kappa.pair_means(result.value),
        "observed": kappa.pair_means(observed),
        "expected": kappa.pair_means(expected),
        "pairs": (~undefined).sum(axis=-1).astype(np.float64),
        "undefined_pairs": undefined.sum(axis=-1).astype(np.float64),
    }


def item_wise(formula: Callable[..., kappa.Kappa], default: str) -> Builder:
    """Fleiss, Gwet: agreement and shares item by item."""

    def build(view: View, options: Options) -> Formula:
        named = "identity" if default == "only identity" else options.weights_or(default)
        weights = weight_matrix(named, view.scale)

        def evaluate(agreement: Floats, pairable: Floats, shares: Floats, rated: Floats) -> dict[str, Floats]:
            return _parts(formula(agreement[:, 0], pairable[:, 0], shares, rated[:, 0], weights))

        return Formula((blocks.agreement(weights), blocks.PAIRABLE, blocks.SHARES, blocks.RATED), evaluate)

    return build


def agreement_only(default: str) -> Builder:
    """Percent and weighted agreement: no chance term."""

    def build(view: View, options: Options) -> Formula:
        weights = weight_matrix(options.weights_or(default) if default != "identity" else default, view.scale)

        def evaluate(agreement: Floats, pairable: Floats) -> dict[str, Floats]:
            return {"value": kappa.observed_agreement(agreement[:, 0], pairable[:, 0])}

        return Formula((blocks.agreement(weights), blocks.PAIRABLE), evaluate)

    return build


def conger(view: View, options: Options) -> Formula:
    weights = weight_matrix(options.weights_or("identity"), view.scale)
    shape = (-1, view.raters, view.values)

    def evaluate(agreement: Floats, pairable: Floats, marginals: Floats) -> dict[str, Floats]:
        return _parts(kappa.conger(agreement[:, 0], pairable[:, 0], marginals.reshape(shape), weights))

    return Formula((blocks.agreement(weights), blocks.PAIRABLE, blocks.MARGINALS), evaluate)


def cohen(default: str) -> Builder:
    """Cohen's kappa of each pair on the items both rated, and the mean over pairs."""

    def build(view: View, options: Options) -> Formula:
        named = options.own_weights_or(default) if default == "identity" else default
        weights = weight_matrix(named, view.scale)
        first, second = view.pairs

        def prepare(agreement: Floats, marginals: Floats) -> dict[str, Floats]:
            if view.is_complete:
                each = marginals.reshape(len(marginals), view.raters, view.values)
                return _pair_parts(kappa.cohen_of_raters(agreement, each, first, second, weights))
            pairs = marginals.reshape(len(marginals), len(first), 2, view.values)
            return _pair_parts(kappa.cohen_from_sums(agreement, pairs[:, :, 0], pairs[:, :, 1], weights))

        def value(agreement: Floats, marginals: Floats) -> Floats:
            each = marginals.reshape(len(marginals), view.raters, view.values)
            return kappa.pair_means(kappa.cohen_value_of_raters(agreement, each, first, second, weights))

        credit = blocks.pair_agreement(weights)
        alone = value if view.is_complete else None
        return Formula((credit, _pair_marginals(view)), dict, prepare, f"cohen, {credit.name}", alone)

    return build


def _pair_marginals(view: View) -> Block:
    """With complete ratings a rater's marginals are the same in every pair: far fewer sums."""
    return blocks.MARGINALS if view.is_complete else blocks.PAIR_MARGINALS


def scott(view: View, options: Options) -> Formula:
    """Scott's pi of two raters on the items both rated; the mean over pairs where there are more."""
    weights = weight_matrix(options.own_weights_or("identity"), view.scale)
    first, second = view.pairs

    def evaluate(agreement: Floats, marginals: Floats) -> dict[str, Floats]:
        if view.is_complete:
            each = marginals.reshape(len(marginals), view.raters, view.values)
            pooled = (each[:, first] + each[:, second]) / 2
        else:
            pooled = marginals.reshape(len(marginals), len(first), 2, view.values).mean(axis=2)
        return _pair_parts(kappa.cohen_from_sums(agreement, pooled, pooled, weights))

    return Formula((blocks.pair_agreement(weights), _pair_marginals(view)), evaluate)


def light(view: View, options: Options) -> Formula:
    """Light's kappa: the mean of Cohen's over pairs, on the items that every rater rated."""
    if view.is_complete:
        return cohen("identity")(view, replace(options, weights=""))
    weights = weight_matrix("identity", view.scale)
    first, second = np.triu_indices(view.raters, 1)

    def evaluate(agreement: Floats, marginals: Floats) -> dict[str, Floats]:
        each = marginals.reshape(len(marginals), view.raters, view.values)
        found = kappa.cohen_of_raters(agreement, each, first, second, weights)
        return _pair_parts(found) | {"items": each[:, 0].sum(axis=-1)}

    return Formula((blocks.COMPLETE_AGREEMENT, blocks.COMPLETE_MARGINALS), evaluate)
