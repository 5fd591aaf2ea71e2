r"""Kappas over all raters at once, item by item: agreement, Fleiss, Gwet, Brennan-Prediger, Conger.

.. math:: p_o = \frac{1}{n'} \sum_i \sum_k \frac{r_{ik}(r^*_{ik} - 1)}{r_i (r_i - 1)}, \quad
          \pi_k = \frac{1}{n} \sum_i \frac{r_{ik}}{r_i}

over the :math:`n'` items with two or more ratings and the :math:`n` items with any. Standard errors are Gwet's: every
item's pull on the coefficient, linearised,

.. math:: v(\kappa) = \frac{1 - f}{n (n-1)} \sum_i (\kappa_i^* - \kappa)^2

with f the share of a finite population of items that was rated (0 for a very large one). Never the standard error
under the hypothesis of no agreement: that one belongs to no interval.
"""

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from accord.arrays import Floats
from accord.coefficients import blocks
from accord.coefficients.batch import divided, quadratic, total
from accord.coefficients.coefficient import DEFAULTS, Analytic, Coefficient, Sums, Values, bounded
from accord.coefficients.features import Block, View
from accord.coefficients.kappa import NO_ROOM, Kappa, chance_corrected
from accord.coefficients.options import Options
from accord.coefficients.weights import said_of_own, weight_matrix
from accord.design.scale import Scale
from accord.inference.interval import Interval
from accord.quantiles import stdtrit
from accord.records import dataclass

__all__ = [
    "Agreement", "BrennanPrediger", "Chance", "CongerKappa", "FleissKappa", "GwetAC", "ItemKappa", "gwet_error",
    "interval_by_t",
]  # fmt: skip

GWET = "analytic, Gwet's variance over items, Student's t"


class Chance(NamedTuple):
    """Agreement by chance, and what each item pulls it toward."""

    expected: float
    of_item: Floats


@dataclass(frozen=True)
class ItemKappa(Coefficient):
    """A kappa item by item, so that items may have different numbers of raters (Gwet 2014)."""

    weights: str = "identity"
    weighted: bool = True
    """Whether a user may choose other weights."""
    lowest: float = -1.0

    def matrix(self, scale: Scale, options: Options = DEFAULTS) -> Floats:
        return weight_matrix(self.weights_taken(options), scale)

    def chosen(self, scale: Scale, options: Options) -> tuple[str, ...]:
        named = options.weights_or(self.weights)
        if not self.weighted:
            return ()
        return (f"{named} weights" if isinstance(named, str) else said_of_own(named, "weights"),)

    @abstractmethod
    def kappa(self, sums: Sums, view: View, weights: Floats) -> Kappa:
        """The kappa of each row of sums, with observed agreement and agreement by chance."""

    @abstractmethod
    def chance(self, view: View, weights: Floats) -> Chance:
        """The chance term as it is, and as each item would have it."""

    def _observed(self, sums: Sums, weights: Floats) -> Floats:
        """Mean over items of the weighted share of agreeing pairs of ratings."""
        return divided(sums[blocks.agreement(weights)][:, 0], sums[blocks.PAIRABLE][:, 0])

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        return blocks.agreement(self.matrix(view.scale, options)), blocks.PAIRABLE, blocks.SHARES, blocks.RATED

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        return self.kappa(sums, view, self.matrix(view.scale, options)).value

    def with_parts(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Values:
        return self.kappa(sums, view, self.matrix(view.scale, options))._asdict()

    def analytic(self, view: View, value: float, confidence: float, options: Options = DEFAULTS) -> Analytic:
        weights = self.matrix(view.scale, options)
        error = self._error(view, weights, options.sampled_share)
        if np.isnan(value) or np.isnan(error):
            return Analytic()
        return gwet_analytic(view, value, error, confidence, options, self.lowest)

    def _error(self, view: View, weights: Floats, sampled_share: float) -> float:
        """Standard error; nan where the coefficient is undefined."""
        expected, chance_of_item = self.chance(view, weights)
        rated, times = view.per_item >= 1, view.multiplicity
        n, pairable = float(times @ rated), float(times @ view.pairable)
        if n < 2 or pairable == 0 or not 1 - expected > NO_ROOM:
            return float("nan")
        observed = view.built(blocks.agreement(weights))[:, 0]
        value = (float(times @ observed) / pairable - expected) / (1 - expected)
        own = n / pairable * (observed - expected * view.pairable) / (1 - expected)
        pull = own - 2 * (1 - value) * (chance_of_item - expected) / (1 - expected)
        return gwet_error(pull[rated] - value, view.times[rated], n, sampled_share)


def gwet_error(pulls: Floats, times: Floats, n: float, sampled_share: float) -> float:
    """From how far each item pulls the value away."""
    return float(np.sqrt((1 - sampled_share) / (n * (n - 1)) * (times @ np.square(pulls))))


def gwet_analytic(
    view: View, value: float, error: float, confidence: float, options: Options, lowest: float = -1.0
) -> Analytic:
    """The interval by Student's t over the items that were rated."""
    items = float(view.multiplicity @ (view.per_item >= 1))
    share = f", finite-population correction {options.sampled_share:g}" if options.sampled_share else ""
    return Analytic(error, interval_by_t(value, error, items, confidence, GWET + share, lowest))


def interval_by_t(
    value: float, error: float, items: float, confidence: float, method: str, lowest: float = -1.0
) -> Interval | None:
    """Value ± t(items - 1) x error, within what the coefficient can be."""

    reach = float(stdtrit(items - 1, 1 - (1 - confidence) / 2)) * error
    return bounded(max(value - reach, lowest), min(value + reach, 1.0), confidence, method)


@dataclass(frozen=True)
class Agreement(ItemKappa):
    """Percent and weighted agreement: the mean share of agreeing pairs of ratings, not corrected for chance."""

    lowest: float = 0.0

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        return blocks.agreement(self.matrix(view.scale, options)), blocks.PAIRABLE

    def kappa(self, sums: Sums, view: View, weights: Floats) -> Kappa:
        observed = self._observed(sums, weights)
        return Kappa(observed, observed, np.zeros_like(observed))

    def with_parts(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Values:
        return {"value": self.evaluate(sums, view, options)}

    def chance(self, view: View, weights: Floats) -> Chance:
        return Chance(0.0, np.zeros(len(view.codes)))


class _OfShares(ItemKappa):
    """A kappa whose chance is a quadratic form in the mean shares of the values, :math:`\\pi' F \\pi`."""

    leaves_out: ClassVar[bool] = True

    @abstractmethod
    def form(self, weights: Floats) -> Floats:
        """F, symmetric."""

    @abstractmethod
    def of_form(self, observed: Floats, met: Floats, weights: Floats, scale: Scale) -> Kappa:
        """The kappa from observed agreement and the form."""

    def kappa(self, sums: Sums, view: View, weights: Floats) -> Kappa:
        pi = divided(sums[blocks.SHARES], sums[blocks.RATED])
        return self.of_form(self._observed(sums, weights), quadratic(pi, self.form(weights), pi), weights, view.scale)

    def without_item(self, view: View, options: Options = DEFAULTS) -> Floats | None:
        """An item less is a step in agreement and in the form: no table of items x values is made."""
        weights, rated = self.matrix(view.scale, options), view.per_item >= 1
        form, agreement = self.form(weights), blocks.agreement(weights)
        shares = view.summed(blocks.SHARES)[0]
        observed = divided(
            view.summed(agreement)[0, 0] - view.built(agreement)[:, 0],
            view.summed(blocks.PAIRABLE)[0, 0] - view.pairable,
        )
        own = blocks.over_ratings(view, form) / np.square(np.maximum(view.per_item, 1))
        met = shares @ form @ shares - 2 * view.mean_of(form @ shares) + own
        left = float(view.summed(blocks.RATED)[0, 0]) - rated
        return self.of_form(observed, divided(met, np.square(left)), weights, view.scale).value


def _mean_shares(view: View) -> Floats:
    return np.asarray(view.summed(blocks.SHARES)[0] / max(float(view.summed(blocks.RATED)[0, 0]), 1.0))


class FleissKappa(_OfShares):
    r"""Fleiss' kappa: :math:`p_e = \sum_{kl} w_{kl} \pi_k \pi_l`."""

    def form(self, weights: Floats) -> Floats:
        return np.asarray((weights + weights.T) / 2)

    def of_form(self, observed: Floats, met: Floats, weights: Floats, scale: Scale) -> Kappa:
        return chance_corrected(observed, met)

    def chance(self, view: View, weights: Floats) -> Chance:
        pi = _mean_shares(view)
        toward = weights @ pi
        return Chance(float(pi @ toward), view.mean_of(toward))


class GwetAC(_OfShares):
    r"""Gwet's AC1 (identity weights) and AC2: :math:`p_e = \frac{\sum_{kl} w_{kl}}{q(q-1)} \sum_k \pi_k (1 - \pi_k)`.

    Where all ratings have one value it is 1 if the categories are declared; else nothing could have been disagreed on.
    """

    resists_prevalence: ClassVar[bool] = True

    def form(self, weights: Floats) -> Floats:
        return np.eye(len(weights))

    def of_form(self, observed: Floats, met: Floats, weights: Floats, scale: Scale) -> Kappa:
        found = chance_corrected(observed, (1 - met) * _room(weights))
        return _where_they_could_vary(found, 1 - met, scale)

    def chance(self, view: View, weights: Floats) -> Chance:
        pi, room = _mean_shares(view), _room(weights)
        return Chance(float(room * (pi @ (1 - pi))), room * view.mean_of(1 - pi))


def _room(weights: Floats) -> float:
    values = len(weights)
    return float(weights.sum() / (values * (values - 1))) if values > 1 else float("nan")


class BrennanPrediger(_OfShares):
    r"""Brennan and Prediger's coefficient: chance is :math:`\sum_{kl} w_{kl} / q^2`.

    Where all ratings have one value it is 1 if the categories are declared, else undefined.
    """

    resists_prevalence: ClassVar[bool] = True

    def form(self, weights: Floats) -> Floats:
        return np.eye(len(weights))

    def of_form(self, observed: Floats, met: Floats, weights: Floats, scale: Scale) -> Kappa:
        found = chance_corrected(observed, np.full_like(observed, weights.mean() if weights.size else np.nan))
        return _where_they_could_vary(found, 1 - met, scale)

    def chance(self, view: View, weights: Floats) -> Chance:
        expected = float(weights.mean())
        return Chance(expected, np.full(len(view.codes), expected))


def _where_they_could_vary(found: Kappa, spread: Floats, scale: Scale) -> Kappa:
    """A declared category that nobody used could have been used; of one that nobody declared nothing is known."""
    if scale.declared and len(scale) > 1:
        return found
    return Kappa(np.where(spread > NO_ROOM, found.value, np.nan), found.observed, found.expected)


class CongerKappa(ItemKappa):
    r"""Conger's kappa: Cohen's chance term, averaged over pairs of raters.

    .. math:: p_e = \frac{1}{r(r-1)} \sum_{g \ne h} \sum_{kl} w_{kl}\, p_{gk} p_{hl}
    """

    most_cells: ClassVar[float] = 5e6
    """Patterns x raters x values up to which it is resampled; beyond, its formula needs no features at all."""

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        return blocks.agreement(self.matrix(view.scale, options)), blocks.PAIRABLE, blocks.MARGINALS

    def kappa(self, sums: Sums, view: View, weights: Floats) -> Kappa:
        marginals = sums[blocks.MARGINALS]
        return self.of_marginals(
            self._observed(sums, weights), marginals.reshape(len(marginals), view.raters, view.values), weights
        )

    @staticmethod
    def of_marginals(observed: Floats, marginals: Floats, weights: Floats) -> Kappa:
        """``marginals`` (..., raters, values) counts how often each rater gave each value."""
        raters = marginals.shape[-2]
        shares = divided(marginals, total(marginals)[..., None])
        summed = shares.sum(axis=-2)
        own = total(quadratic(shares, weights, shares))
        expected = (quadratic(summed, weights, summed) - own) / max(raters * (raters - 1), 1)
        return chance_corrected(observed, expected)

    def chance(self, view: View, weights: Floats) -> Chance:
        """The pull of an item on each rater's shares, weighed by how the other raters use the values."""
        marginals = view.marginals
        per_rater = marginals.sum(axis=1)
        shares = divided(marginals, per_rater[:, None])
        others = (shares.sum(axis=0) - shares) @ weights
        pairs = max(view.raters * (view.raters - 1), 1)
        expected = float((shares * others).sum() / pairs)
        items = float(view.multiplicity @ (view.per_item >= 1))
        row, rater = view.placed
        pulls = others[rater, view.codes[row, rater]] - (shares * others).sum(axis=1)[rater]
        of_item = np.bincount(row, weights=pulls * (items / per_rater[rater]), minlength=len(view.codes))
        return Chance(expected, expected + of_item / pairs)
