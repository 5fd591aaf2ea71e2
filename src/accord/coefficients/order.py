"""Coefficients of order as functions of sums: by contingency tables, or by comparing patterns one with another.

Tables serve few values. On fine scales a table would be nearly empty; there the sums are the weights of
the patterns themselves, and every count of concordant pairs is a quadratic form in them.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from accord.arrays import Floats
from accord.coefficients import alpha, blocks, correlation, icc, kappa, kendall
from accord.coefficients.batch import divided
from accord.coefficients.features import Block, View
from accord.coefficients.formulas import Builder, Formula
from accord.coefficients.options import Options
from accord.errors import NotEnoughDataError

__all__ = [
    "correlations", "gamma", "intraclass", "kendall_w", "krippendorff", "resamplable_by_weights", "spearman", "tau_b",
]  # fmt: skip

TABLE_FEATURES = 20_000
FEATURE_CELLS = 20_000_000
WEIGHT_PATTERNS = 1_500
WEIGHTS = Block("weights", lambda view: np.eye(len(view.codes)))


def resamplable_by_weights(view: View) -> bool:
    """Whether patterns are few enough to be compared one with another, replicate by replicate."""
    return len(view.codes) <= WEIGHT_PATTERNS


def _by_weights(view: View, evaluate: Callable[..., dict[str, Floats]]) -> Formula:
    if not resamplable_by_weights(view):
        raise NotEnoughDataError(
            f"{len(view.codes):,} different items on {view.values:,} different values are too many to resample "
            "a coefficient of order. Use its analytic interval."
        )
    return Formula((WEIGHTS,), evaluate)


def _signs(view: View, rater: int) -> Floats:
    """+1, 0 or -1: how the rater orders two patterns; 0 where one is not rated."""
    codes, given = view.codes[:, rater], view.given[:, rater]
    signs: Floats = np.sign(codes[:, None].astype(np.float64) - codes[None, :]) * given[:, None] * given[None, :]
    return signs


def _form(weights: Floats, matrix: Floats) -> Floats:
    """Half the quadratic form: the sum over unordered pairs of patterns."""
    half: Floats = ((weights @ matrix) * weights).sum(axis=1) / 2
    return half


def _concordances(view: View, weights: Floats) -> kendall.Concordance:
    """(replicates, pairs) from the weights of patterns."""
    columns: list[tuple[Floats, ...]] = []
    for one, other in zip(*view.pairs, strict=True):
        both = view.both[:, len(columns)]
        shared = np.outer(both, both)
        first, second = _signs(view, int(one)) * shared, _signs(view, int(other)) * shared
        product = first * second
        balance, untied = _form(weights, product), _form(weights, np.abs(product))
        ordered = _form(weights, np.abs(first)), _form(weights, np.abs(second))
        columns.append(((untied + balance) / 2, (untied - balance) / 2, *ordered))
    stacked = [np.stack(part, axis=1) for part in zip(*columns, strict=True)] or [np.zeros((len(weights), 0))] * 4
    return kendall.Concordance(*stacked)


def _fits(view: View, features: int) -> bool:
    """Whether a block of this width is small enough to be made for every pattern."""
    return features <= TABLE_FEATURES and features * len(view.codes) <= FEATURE_CELLS


def _few_values(view: View) -> bool:
    return _fits(view, len(view.pairs[0]) * view.values**2)


def _tables(view: View, sums: Floats) -> Floats:
    return sums.reshape(len(sums), len(view.pairs[0]), view.values, view.values)


def _means(values: Floats, **parts: Floats) -> dict[str, Floats]:
    undefined = np.isnan(values)
    return {
        "value": kappa.pair_means(values),
        **{name: part.sum(axis=-1) for name, part in parts.items()},
        "pairs": (~undefined).sum(axis=-1).astype(np.float64),
        "undefined_pairs": undefined.sum(axis=-1).astype(np.float64),
    }


def _by_concordance(value: Callable[[kendall.Concordance], Floats]) -> Builder:
    def build(view: View, _: Options) -> Formula:
        def parts(found: kendall.Concordance) -> dict[str, Floats]:
            counted = {"concordant": found.concordant, "discordant": found.discordant, "untied": found.untied}
            return _means(value(found), **counted)

        if _few_values(view):
            prepare = lambda sums: kendall.concordance(_tables(view, sums))  # noqa: E731
            return Formula((blocks.PAIR_TABLES,), parts, prepare, "concordance")
        formula = _by_weights(view, parts)
        return replace(formula, prepare=lambda weights: _concordances(view, weights), shared="concordance")

    return build


gamma: Builder = _by_concordance(lambda found: found.gamma)
tau_b: Builder = _by_concordance(lambda found: found.tau_b)


def spearman(view: View, _: Options) -> Formula:
    if _few_values(view):
        return Formula((blocks.PAIR_TABLES,), lambda sums: _means(correlation.spearman(_tables(view, sums))))

    def evaluate(weights: Floats) -> dict[str, Floats]:
        values = []
        for place, (one, other) in enumerate(zip(*view.pairs, strict=True)):
            shared = weights * view.both[:, place]
            first, second = shared @ _signs(view, int(one)).T, shared @ _signs(view, int(other)).T
            spread = np.sqrt((shared * first**2).sum(axis=1)) * np.sqrt((shared * second**2).sum(axis=1))
            values.append(divided((shared * first * second).sum(axis=1), spread))
        return _means(np.stack(values, axis=1) if values else np.full((len(weights), 1), np.nan))

    return _by_weights(view, evaluate)


def correlations(value: Callable[[correlation.Spreads], Floats]) -> Builder:
    """Pearson and Lin: sums and products of scores, pair by pair."""

    def build(view: View, _: Options) -> Formula:
        first, second = view.pairs

        def prepare(moments: Floats) -> correlation.Spreads:
            if not view.is_complete:
                return correlation.spreads(*np.split(moments, 6, axis=1))
            n, sums, squares, products = np.split(moments, [1, 1 + view.raters, 1 + 2 * view.raters], axis=1)
            return correlation.spreads_of_raters(n, sums, squares, products, first, second)

        block = blocks.RATER_MOMENTS if view.is_complete else blocks.PAIR_MOMENTS
        return Formula((block,), lambda found: _means(value(found)), prepare, "spreads")

    return build


def intraclass(key: str) -> Builder:
    """An intraclass correlation over the items that all raters rated."""

    def build(view: View, options: Options) -> Formula:
        if options.icc_missing != "listwise" and not view.is_complete and key != "cronbach_alpha":
            raise NotEnoughDataError(
                "Intraclass correlations of incomplete ratings are not resampled; their interval is analytic."
            )

        def evaluate(table: icc.Anova) -> dict[str, Floats]:
            return {"value": icc.FORMS[key](table), "items": table.items}

        return Formula((blocks.AVERAGES,), evaluate, icc.anova, "anova")

    return build


def kendall_w(view: View, _: Options) -> Formula:
    width = view.raters * view.values
    if len(view.codes) > width and _fits(view, width**2):
        shape = (-1, view.raters, view.raters, view.values, view.values)

        def evaluate(sums: Floats) -> dict[str, Floats]:
            tables = sums.reshape(shape)
            return {"value": kendall.kendall_w(tables), "items": tables[:, 0, 0].sum(axis=(-2, -1))}

        return Formula((blocks.COMPLETE_TABLES,), evaluate)
    return _by_weights(view, lambda weights: _w_of_weights(view, weights))


def _w_of_weights(view: View, weights: Floats) -> dict[str, Floats]:
    weights = weights * view.complete
    n = weights.sum(axis=1)
    rank_sums, ties = np.zeros(weights.shape), np.zeros(len(weights))
    for codes in view.codes.T:
        used, place = np.unique(codes, return_inverse=True)
        by_value = weights @ np.eye(len(used))[place]
        rank_sums += (by_value.cumsum(axis=1) - (by_value + n[:, None]) / 2)[:, place]
        ties += (by_value**3 - by_value).sum(axis=1)
    top = 12 * (weights * rank_sums**2).sum(axis=1)
    return {"value": divided(top, view.raters**2 * (n**3 - n) - view.raters * ties), "items": n}


def krippendorff(view: View, options: Options) -> Formula:
    """Alpha at the metric asked for, by default that of the scale's level."""
    metric = options.metric_or(str(view.scale.level))
    if isinstance(metric, str) and metric == "interval":
        return Formula((blocks.MOMENTS,), lambda sums: {"value": alpha.interval_alpha_from_sums(*sums.T)})
    if isinstance(metric, str) and metric == "ordinal":
        return _ordinal(view)
    distances = alpha.squared_distances(metric, view.scale)

    def evaluate(observed: Floats, pooled: Floats) -> dict[str, Floats]:
        return {"value": alpha.alpha_from_sums(observed[:, 0], pooled, distances)}

    return Formula((blocks.disagreement(distances), blocks.POOLED), evaluate)


def _ordinal(view: View) -> Formula:
    values = view.values
    if _fits(view, values**2):

        def evaluate(coincidences: Floats, pooled: Floats) -> dict[str, Floats]:
            tables = coincidences.reshape(len(coincidences), values, values)
            return {"value": alpha.ordinal_alpha_from_sums(tables, pooled)}

        return Formula((blocks.COINCIDENCES, blocks.POOLED), evaluate)

    def by_weights(weights: Floats) -> dict[str, Floats]:
        return {"value": np.array([alpha.ordinal_alpha_of_codes(view.codes, one, values) for one in weights])}

    return _by_weights(view, by_weights)
