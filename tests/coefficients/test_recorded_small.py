"""Every coefficient of small studies is what was recorded: value, parts, error, interval, and without each item."""

from random import Random

import numpy as np
import pytest

from accord.coefficients import names
from accord.coefficients.alpha_noise import noise_of_raters
from accord.coefficients.combined_alpha import combined, disagreement
from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.item_order import ordered_alike
from accord.coefficients.metrics import squared_distances
from accord.coefficients.options import Options
from accord.coefficients.order import (
    concordances_of_weights,
    concordances_without_units,
    order_of_columns,
    order_of_tables,
    rank_products_of_weights,
    rank_products_without_units,
)
from accord.coefficients.registry import COEFFICIENTS, coefficient
from accord.coefficients.reported import Use, equal_by_definition, reported, unfit_use
from accord.coefficients.sums import sum_statistic
from accord.coefficients.weights import weight_matrix
from accord.design.scale import Level, Scale
from accord.ratings.counting import count_source
from small_studies import assert_as_recorded, said, small_study

SEEDS = range(24)
FEWER = {"named": 16, "together": 12}


def study(seed):
    """As many raters, values and gaps as small studies have; of two raters every third."""
    return small_study(seed, criteria=1, raters=(2, 3, 4)[seed % 3])


def options(seed):
    rng = Random(seed)
    return Options(
        weights=rng.choice(("", "", "linear", "quadratic", "ordinal", "radical")),
        metric=rng.choice(("", "", "interval", "nominal")),
        sampled_share=rng.choice((0.0, 0.4)),
        icc_missing=rng.choice(("listwise", "anova")) if seed else "mixed",
    )


def computed(key, seed):
    spec = coefficient(key)
    ratings = study(seed)
    if ratings.level not in spec.levels:
        ratings = small_study(seed, criteria=1, raters=3 - (seed % 2), level=sorted(spec.levels)[0])
    source = count_source(ratings)
    found = [said(lambda chosen=chosen: one(source, key, chosen)) for chosen in (Options(), options(seed))]
    view, usual = View.of(source), Options()
    without = said(lambda: spec.coefficient.without_item(view, usual))
    weights = np.random.default_rng(seed).integers(0, 3, (3, len(view.codes))).astype(float)

    def drawn():
        statistic = sum_statistic(view.patterns, view.scale, [key], usual)
        return [statistic.values(), statistic.evaluate(weights @ statistic.features)]

    return {
        "values": found,
        "without": without,
        "drawn": said(drawn) if spec.coefficient.is_resampled(view, usual) else "",
    }


def one(source, key, chosen):
    found = compute(source, key, chosen, 0.9)
    return [found.value, found.items, found.parts, list(found.conventions), found.standard_error, found.interval]


def ordered(seed):
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, 1 + seed % 4, 7), rng.integers(0, 3, 7)
    tables = rng.integers(0, 3, (2, 3, 3))
    view = View.of(count_source(small_study(seed, criteria=1, raters=3, level=Level.ORDINAL)))
    unit, weights = np.arange(len(view.codes)) // 2, rng.integers(0, 3, (2, len(view.codes))).astype(float)
    orders = [order_of_columns(one, other), order_of_tables(tables)]
    return [
        [
            [getattr(order, name) for name in ("concordance", "rank_products") if hasattr(order, name)]
            for order in orders
        ],
        ordered_alike(one, other),
        said(lambda: list(concordances_of_weights(view, weights))),
        said(lambda: list(concordances_without_units(view, unit))),
        said(lambda: list(rank_products_of_weights(view, weights))),
        said(lambda: list(rank_products_without_units(view, unit))),
    ]


def weighed(seed):
    values = ((1.0, 2.0, 3.0), ("a", "b", "c"), (0.0, 5.0, 6.0, 10.0), (0.0, 1.0))[seed % 4]
    scale = Scale((Level.ORDINAL, Level.NOMINAL, Level.RATIO, Level.INTERVAL)[seed % 4], values)
    own = np.random.default_rng(seed).integers(0, 3, (len(values) - seed // 12, len(values))).astype(float)
    even = own[: len(own), : len(own)] + own[: len(own), : len(own)].T
    known = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
    kinds = (*known, "linaer", own, even, even / 4 + np.eye(len(even)))
    metrics = ("nominal", "interval", "ratio", "x", own, even * (1 - np.eye(len(even))))
    return [
        [said(lambda kind=kind: weight_matrix(kind, scale)) for kind in kinds],
        [said(lambda metric=metric: squared_distances(metric, scale)) for metric in metrics],
    ]


SAID = (
    "kappa",
    "Cohen's kappa",
    "weighted kappa",
    "quadratic weighted kappa",
    "alpha",
    "Krippendorff's α",
    "ICC(2,1)",
    "icc",
    "Fleiss",
    "AC1",
    "gwet's ac2",
    "pearson",
    "Spearman's rho",
    "tau",
    "kendall tau-b",
    "x",
)


def named(seed):
    level = list(Level)[seed % 4]
    uses = (None, *Use)
    keys = sorted(COEFFICIENTS)
    spec = coefficient(keys[seed * len(keys) // 16])
    return [
        said(lambda: names.key_named(SAID[seed])),
        names.family_named(SAID[seed]),
        names.is_weighted_somehow(SAID[seed]),
        names.titles_once([spec.title, "κ", spec.title][: 1 + seed % 3]),
        [said(lambda use=use, raters=raters: reported(level, raters, use)) for use in uses for raters in (2, 3, 9)],
        [unfit_use(level, use) for use in uses],
        [equal_by_definition(spec.key, key) for key in keys],
        said(lambda: coefficient(SAID[seed])) and "",
        [spec.title, spec.missing_rule, str(sorted(spec.levels)), str(spec.raters)],
    ]


def together(seed):
    views = [
        View.of(count_source(small_study(seed + at, criteria=1, raters=3, items=6, level=Level.ORDINAL, steps=3)))
        for at in (0, 20)
    ]
    parts = [disagreement(view, Options()) for view in views]
    sizes = [len(view.codes) for view in views]
    places = [np.arange(sizes[0]), np.arange(sizes[1])]
    whole = said(lambda: combined(parts, places, np.ones(max(sizes), dtype=np.int64)))
    return [
        whole if isinstance(whole, str) else whole.values(),
        [noise_of_raters(view) for view in views],
        [
            [view.given.sum(), view.per_item, view.pooled, view.counts, view.marginals, view.both, view.scores]
            for view in views
        ],
    ]


ASKED = {
    **{key: lambda seed, key=key: computed(key, seed) for key in sorted(COEFFICIENTS)},
    "ordered": ordered,
    "weighed": weighed,
    "named": named,
    "together": together,
}


@pytest.mark.parametrize("name", ASKED)
def test_coefficients_of_small_studies_are_what_was_recorded(name):
    assert_as_recorded("coefficients", name, ASKED[name], SEEDS[: FEWER.get(name)])
