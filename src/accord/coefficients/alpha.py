r"""Krippendorff's alpha for every level of measurement, missing ratings allowed.

.. math:: \alpha = 1 - \frac{D_o}{D_e}
          = 1 - (n - 1) \frac{\sum_{ck} o_{ck}\,\delta^2_{ck}}{\sum_{ck} n_c n_k\,\delta^2_{ck}}

where :math:`o_{ck}` counts how often values c and k meet within an item, each item weighing by
1 / (its ratings - 1), :math:`n_c = \sum_k o_{ck}` and :math:`n = \sum_c n_c`.
Items with fewer than two ratings are ignored: nothing can be compared in them.
"""

import numpy as np

from accord import sizes
from accord.arrays import Floats
from accord.coefficients import blocks
from accord.coefficients.batch import divided, mid_ranks, quadratic, total
from accord.coefficients.coefficient import DEFAULTS, Analytic, Coefficient, Sums
from accord.coefficients.features import Block, View
from accord.coefficients.item_kappa import gwet_analytic, gwet_error
from accord.coefficients.metrics import squared_distances
from accord.coefficients.options import SETS, Options
from accord.coefficients.weights import said_of_own
from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.counts import ItemMoments

__all__ = ["KrippendorffAlpha"]

_NO_SPREAD = 1e-12


class KrippendorffAlpha(Coefficient):
    """Krippendorff's alpha by the metric asked for, by default that of the scale's level.

    1 is perfect agreement, 0 is chance, below 0 is systematic disagreement; nan if only one value occurs: agreement is
    then undefined, not perfect. The ordinal metric is the interval metric on the ratings' mid-ranks.
    """

    def metric(self, scale: Scale, options: Options = DEFAULTS) -> str | Floats:
        return options.metric_or(str(scale.level))

    def chosen(self, scale: Scale, options: Options) -> tuple[str, ...]:
        metric = self.metric(scale, options)
        if not isinstance(metric, str):
            return (said_of_own(metric, "disagreement of two values (δ²)"),)
        if metric not in ("nominal", *SETS) and not scale.level.has_order and not scale.is_numeric:
            raise OptionError(
                f"The metric {metric} needs values in an order, but these labels have none. Declare it, for example "
                "scale 'bad<fair<good', or use the metric nominal."
            )
        return (f"{metric} metric",)

    def needs_moments_only(self, level: Level, options: Options) -> bool:
        return _is(options.metric_or(str(level)), "interval")

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        metric = self.metric(view.scale, options)
        if _is(metric, "interval"):
            return (blocks.MOMENTS,)
        if not _is(metric, "ordinal"):
            return blocks.disagreement(squared_distances(metric, view.scale)), blocks.POOLED
        if sizes.fits(view.values**2, len(view.codes)):
            return blocks.COINCIDENCES, blocks.POOLED
        if not sizes.few_patterns(len(view.codes)):
            raise NotEnoughDataError(
                f"{len(view.codes):,} different items on {view.values:,} different values are too many to resample "
                "ordinal alpha. Use its analytic interval."
            )
        return (blocks.WEIGHTS,)

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        first, *_ = self.features(view, options)
        if first is blocks.WEIGHTS:
            return np.array([_of_ranks(view, times) for times in sums[first]])
        return np.asarray(1 - divided(*self.disagreement(sums, view, options)))

    def disagreement(self, sums: Sums, view: View, options: Options = DEFAULTS) -> tuple[Floats, Floats]:
        """Observed and expected disagreement, each times the ratings that can be paired, of each row of sums.

        Ranks (the ordinal metric) are taken as shares of the ratings: those of a large part would otherwise be farther
        apart than those of a small one.
        """
        first, *_ = self.features(view, options)
        if first is blocks.MOMENTS:
            return _of_moments(*sums[first].T)
        marginals = sums[blocks.POOLED]
        count = total(marginals)
        if first is not blocks.COINCIDENCES:
            distances = squared_distances(self.metric(view.scale, options), view.scale)
            return sums[first][:, 0], _by_chance(quadratic(marginals, distances, marginals), count)
        tables = sums[first].reshape(len(marginals), view.values, view.values)
        ranks = (mid_ranks(marginals) - count[:, None] / 2) / np.maximum(count, 1)[:, None]
        squares = total(marginals * np.square(ranks))
        products = total(total(tables * ranks[:, None, :]) * ranks)
        return _of_moments(squares - products, count, total(marginals * ranks), squares)

    def of_view(self, view: View, options: Options = DEFAULTS) -> dict[str, float]:
        """The ordinal metric goes from ratings to ranks and on as the interval metric, in O(ratings)."""
        if _is(self.metric(view.scale, options), "ordinal"):
            value = _of_sums(view.per_item, *view.rank_sums, view.times)
        else:
            value = super().of_view(view, options)["value"]
        expected = self._expected(view, options)
        # All ratings alike: alpha is undefined because both are 0.
        observed = (1 - value) * expected if expected else 0.0
        return {"value": value, "observed_disagreement": observed, "expected_disagreement": expected}

    def _expected(self, view: View, options: Options) -> float:
        r"""Mean squared distance of any two ratings; nan where no item has two.

        .. math:: D_e = \frac{1}{n(n-1)} \sum_{ck} n_c n_k\,\delta^2_{ck}
        """
        metric = self.metric(view.scale, options)
        if _is(metric, "interval"):
            _, count, first, squares = (float(part) for part in view.summed(blocks.MOMENTS)[0])
            apart = 2 * max(count * squares - first**2, 0.0)
        else:
            marginals = view.pooled
            count = float(marginals.sum())
            if _is(metric, "ordinal"):
                ranks = mid_ranks(marginals) - count / 2
                apart = 2 * (count * float(marginals @ np.square(ranks)) - float(marginals @ ranks) ** 2)
            else:
                apart = float(quadratic(marginals, squared_distances(metric, view.scale), marginals))
        return apart / (count * (count - 1)) if count > 1 else float("nan")

    @staticmethod
    def of_moments(moments: ItemMoments) -> float:
        """By the interval metric from sums of scores alone."""
        times = moments.multiplicity.astype(np.float64)
        return _of_sums(moments.ratings.astype(np.float64), moments.total, moments.squares, times)

    def of_counts(self, counts: Floats, scale: Scale, options: Options = DEFAULTS) -> float:
        """From how many raters gave each value to each item, (items, values): for many raters left out one by one.

        As :meth:`of_view` has it, without laying the ratings out.
        """
        per_item, metric = total(counts), self.metric(scale, options)
        counts, per_item = counts[per_item >= 2], per_item[per_item >= 2]
        pooled = counts.sum(axis=0)
        if _is(metric, "interval") or _is(metric, "ordinal"):
            scores = scale.array if _is(metric, "interval") else mid_ranks(pooled) - pooled.sum() / 2
            return _of_sums(per_item, counts @ scores, counts @ np.square(scores), np.ones(len(counts)))
        distances = squared_distances(metric, scale)
        observed = (quadratic(counts, distances, counts) / (per_item - 1)).sum()
        return float(1 - divided(observed, _by_chance(quadratic(pooled, distances, pooled), pooled.sum())))

    def analytic(self, view: View, value: float, confidence: float, options: Options = DEFAULTS) -> Analytic:
        error = self._error(view, options)
        if np.isnan(value) or np.isnan(error):
            return Analytic()
        return gwet_analytic(view, value, error, confidence, options)

    def _error(self, view: View, options: Options) -> float:
        """Gwet's standard error; the ordinal metric is taken at the ratings' own ranks.

        As in Gwet's irrCAC it belongs to alpha before the small-sample factor 1 - 1/n, which makes it larger
        by that factor.
        """
        pairable = slice(None) if view.pairable.all() else view.pairable > 0
        times, per_item = view.times[pairable], view.per_item[pairable]
        n, ratings = float(times.sum()), float(times @ per_item)
        if n < 2:
            return float("nan")
        within, toward = self._distances(view, options)
        apart, toward = within[pairable] / (per_item - 1) * n / ratings, toward[pairable]
        expected = float(times @ toward) / ratings
        if not expected > 0:
            return float("nan")
        observed = float(times @ apart) / n
        mean = ratings / n
        own = (expected - apart + observed * (per_item - mean) / mean) / expected
        chance = (expected * per_item - toward) / (mean * expected)
        pull = own - 2 * observed / expected * chance
        return gwet_error(pull - (1 - observed / expected), times, n, options.sampled_share)

    def _distances(self, view: View, options: Options) -> tuple[Floats, Floats]:
        """For each item the squared distances of its ordered pairs of ratings, and of its ratings to all ratings."""
        metric = self.metric(view.scale, options)
        if _is(metric, "ordinal") or _is(metric, "interval"):
            sums, squares = view.score_sums if _is(metric, "interval") else view.rank_sums
            per_item = view.per_item * view.pairable
            sums, squares = sums * view.pairable, squares * view.pairable
            count = float(view.times @ per_item)
            mean, mean_square = float(view.times @ sums) / count, float(view.times @ squares) / count
            within = 2 * (per_item * squares - np.square(sums))
            return within, squares - 2 * mean * sums + per_item * mean_square
        distances = squared_distances(metric, view.scale)
        counts = view.counts * view.pairable[:, None]
        pooled = view.times @ counts
        return ((counts @ distances) * counts).sum(axis=1), counts @ (distances @ pooled) / pooled.sum()


def _is(metric: str | Floats, name: str) -> bool:
    return isinstance(metric, str) and metric == name


def _of_moments(within: Floats, count: Floats, first: Floats, squares: Floats) -> tuple[Floats, Floats]:
    r"""Both disagreements of the interval metric in closed form, O(items): no table of values is ever made.

    Within an item :math:`\sum_{g \ne h} (x_g - x_h)^2 = 2 (r \sum x^2 - (\sum x)^2)`; the same over all ratings.
    ``within`` sums (r * squares - total^2) / (r - 1) over items; the others sum over pairable ratings.
    """
    spread = count * squares - np.square(first)
    spread = np.where(spread > _NO_SPREAD * np.maximum(count * squares, 1e-300), spread, 0.0)
    return 2 * within, _by_chance(2 * spread, count)


def _by_chance(apart: Floats, count: Floats) -> Floats:
    """From the squared distances of all ordered pairs of ratings; 0 where there is no pair."""
    return np.asarray(np.where(count > 1, apart / np.maximum(count - 1, 1), 0.0))


def _of_sums(ratings: Floats, sums: Floats, squares: Floats, times: Floats) -> float:
    """The same from the number of ratings, the sum of scores and of squares of each item, and how often it occurs."""
    pairable = ratings >= 2
    if not pairable.all():
        ratings, sums, squares, times = ratings[pairable], sums[pairable], squares[pairable], times[pairable]
    count = float(times @ ratings)
    if count == 0:
        return float("nan")
    mean = float(times @ sums) / count
    # Centred first: on scores far from zero the closed form would subtract two huge numbers.
    squares = squares - 2 * mean * sums + ratings * mean * mean
    sums = sums - ratings * mean
    within = times @ ((ratings * squares - np.square(sums)) / (ratings - 1))
    return float(1 - divided(*_of_moments(within, np.array(count), times @ sums, times @ squares)))


def _of_ranks(view: View, times: Floats) -> float:
    """Ordinal alpha when patterns occur so often: time grows with the ratings, not with the values."""
    given = (view.codes >= 0) & (view.pairable > 0)[:, None]
    each = np.broadcast_to(times[:, None], view.codes.shape)[given]
    ranks = mid_ranks(np.bincount(view.codes[given], weights=each, minlength=view.values).astype(np.float64))
    scores = np.append(ranks - each.sum() / 2, 0.0)[view.codes] * given
    return _of_sums(view.per_item, scores.sum(axis=1), np.square(scores).sum(axis=1), times)
