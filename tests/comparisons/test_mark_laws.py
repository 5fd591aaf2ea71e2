"""Laws of comparisons exactly on their marks, and of their numbers against counting by hand and scikit-learn."""

from itertools import combinations
from math import comb, nan
from types import SimpleNamespace as Made

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from accord.comparisons import answers, metrics, rater_permutation, stop_rule
from accord.comparisons.conditions import compare_conditions
from accord.comparisons.difference import Difference, holm_over
from accord.comparisons.erroneous_references import erroneous_references
from accord.comparisons.held_out import area_under_curve, cluster_interval, folds_of
from accord.comparisons.logistic import fit_logistic
from accord.comparisons.metric_levels import Level, MetricRows
from accord.comparisons.pair_kappas import PairKappas, pair_means
from accord.comparisons.rating_patterns import CoOccurrence
from accord.comparisons.reference_bias import ReferenceBias
from accord.comparisons.score_shift import ScoreShift, _over_documents, _over_items, score_shifts
from accord.comparisons.stop_rule import Verdict
from accord.comparisons.task_prediction import HeldOut, TaskCut, TaskPrediction
from accord.comparisons.weighted_correlation import KINDS, weighted_correlation
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.ratings.build import build_ratings

QUICK = settings(max_examples=12)


def ends(low, high, level=0.95):
    return Interval(low=low, high=high, level=level, method="bootstrap over items")


def change(value=0.2, low=0.1, high=0.3, **more):
    usual = {"what": "α", "p": 0.01, "unit": "items", "method": "a test", "replicates": 1_000}
    interval = None if low is None else ends(low, high)
    return Difference(first="after", second="before", value=value, interval=interval, **(usual | more))


@pytest.mark.parametrize("quiet", [0, 1, 2, 4, 5, 7])
def test_comparisons_that_show_nothing_are_told_four_by_name_and_the_rest_by_number(quiet):
    def compared(place, one):
        sides = (Made(name=f"{side}{place}", values={}, ends=None, items=9) for side in "ab")
        return Made(criterion="", first=next(sides), second=next(sides), differences=(one,))

    still = [compared(place, change(0.0, -0.1, 0.1, p=0.5)) for place in range(quiet)]
    said = answers._context_said([compared(9, change()), *still])
    assert said.startswith(" Raters agree more in b9 than in a9") or "a9" in said
    assert said.count("is not shown") == (quiet if quiet < 2 else 0)
    assert [f"a{place} and b{place}" in said for place in range(quiet)] == [place < 4 for place in range(quiet)]
    assert ("more pairs" in said) is (quiet > 4) and (f", and {quiet - 4} more pairs." in said) is (quiet > 4)


def bias(value, p=0.01, adjusted=None):
    decides = Difference(
        what="κ", first="SAME", second="DIFF", value=value, unit="judge labels", method="m", p=p, adjusted=adjusted
    )
    return ReferenceBias.verdict(Made(differences=[decides]))


def test_pairs_agree_less_below_nought_alone_and_p_is_told_from_a_thousandth_on():
    assert "agree by 0.200 more than" in bias(0.2) and "agree by 0.200 less than" in bias(-0.2)
    assert "agree by 0.000 more than" in bias(0.0)
    assert "(p < 0.001)" in bias(0.2, p=0.00099) and "(p = 0.001)" in bias(0.2, p=0.001)
    assert "(p = 0.040 after Holm's correction over criteria)" in bias(0.2, adjusted=0.04)
    assert "shows that" in bias(0.2, p=0.049) and "does not show that" in bias(0.2, p=0.05)


def ruled(reached, low, value=0.2, high=0.3, **more):
    what = stop_rule.COEFFICIENTS["krippendorff_alpha"].title
    made = change(value, 0.1 if value > 0.1 else -0.1, high, what=what, **more)
    second = Made(name="after", values={"krippendorff_alpha": reached}, ends=ends(low, 0.95), items=50)
    return stop_rule.stop_rule(Made(criterion="", first=Made(name="before"), second=second, differences=(made,)))


@pytest.mark.parametrize(
    ("reached", "low", "verdict"),
    [
        (0.9, 0.8, "ENOUGH"),
        (0.8, 0.79, "UNDECIDED"),
        (0.79, 0.7, "GO_ON"),
    ],
)
def test_eight_tenths_itself_is_reached(reached, low, verdict):
    assert ruled(reached, low).verdict is Verdict[verdict]


@pytest.mark.parametrize(("high", "verdict"), [(0.05, "UNDECIDED"), (0.0499, "NO_GAIN"), (0.2, "UNDECIDED")])
def test_a_gain_of_what_is_worth_it_is_no_absence_of_gain(high, verdict):
    # A jackknife over documents has no random part.
    assert ruled(0.5, 0.4, 0.0, high, unit="documents", p=0.9).verdict is Verdict[verdict]


@pytest.mark.parametrize(("replicates", "exact"), [(comb(6, 3), True), (comb(6, 3) - 1, False)])
def test_every_arrangement_is_tried_where_so_many_may_be(replicates, exact):
    everyone = np.arange(6)

    def values(groups):
        return np.array([[float(sum(2.0 ** int(one) for one in group))] for group in groups])

    found, tried = rater_permutation._arranged(everyone, 3, values, replicates, 10, np.random.default_rng(0))
    assert tried is exact and len(found) == (comb(6, 3) if exact else replicates - 1)
    if exact:
        by_hand = [63 - 2 * values([group])[0, 0] for group in combinations(range(6), 3)]
        assert found[:, 0].tolist() == by_hand
    few, _ = rater_permutation._arranged(everyone, 2, values, 15, 10, np.random.default_rng(0))
    assert few[:, 0].tolist() == [63 - 2 * values([group])[0, 0] for group in combinations(range(6), 2)]


@pytest.mark.parametrize(("cells", "most"), [(200_000, 999), (200_001, 399)])
def test_large_tables_are_arranged_less_often(cells, most):
    drawn, exact = rater_permutation._arranged(
        np.arange(30), 15, lambda groups: np.zeros((len(groups), 1)), 5_000, cells, np.random.default_rng(0)
    )
    assert len(drawn) == most and not exact


def level_of(units, seed):
    rng = np.random.default_rng(seed)
    return Level(np.arange(units), rng.normal(size=units), rng.normal(size=units), np.arange(units), "documents")


@pytest.mark.parametrize(
    ("units", "method"), [(3, "too few"), (4, "jackknife"), (399, "jackknife"), (400, "bootstrap")]
)
def test_correlations_are_compared_from_four_units_and_drawn_from_four_hundred(units, method):
    one, other = level_of(units, 1), level_of(units, 2)
    rng = np.random.default_rng(0)
    made = metrics._difference("chrf", "pearson", "A", "B", one, other, 200, rng, 0.95)
    assert method in made.method
    expected = stats.pearsonr(one.human, one.metric)[0] - stats.pearsonr(other.human, other.metric)[0]
    assert made.value == pytest.approx(expected)
    if units >= 4:
        assert made.interval.low < made.value < made.interval.high
        turned = metrics._difference("chrf", "pearson", "B", "A", other, one, 200, np.random.default_rng(0), 0.95)
        assert turned.value == pytest.approx(-made.value) and turned.p == pytest.approx(made.p, abs=0.05)


def rated(rows, **more):
    names = ("item", "rater", "value", *more.pop("columns", ()))
    return build_ratings({name: [row[at] for row in rows] for at, name in enumerate(names)}, **more)


def test_a_condition_without_ratings_is_named():
    rows = [
        (f"i{n}", rater, n % 3, phase, criterion)
        for n in range(6)
        for rater in "AB"
        for phase, criterion in (("one", "x"), ("two", "x"), ("one", "y"))
    ]
    ratings = rated(rows, columns=("phase", "criterion"), level="ordinal")
    for first, second in (("one", "two"), ("two", "one")):
        with pytest.raises(NotEnoughDataError, match="There are no ratings of y under 'two'"):
            compare_conditions(ratings, "phase", first, second, replicates=100, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("p", "low", "shown"),
    [
        (0.049, 0.1, True),
        (0.06, 0.1, False),
        (0.01, 0.0, False),
        (0.01, -0.1, False),
        (0.04, 0.001, True),
    ],
)
def test_a_shift_is_shown_by_p_below_the_level_and_an_interval_without_nought(p, low, shown):
    made = ScoreShift(
        "",
        "a",
        "b",
        (),
        {},
        0.5,
        Interval(low=low, high=1.0, level=0.95, method="m"),
        p,
        3,
        1,
        0.5,
        (),
        direction=Direction.LOW,
    )
    assert made.is_shown is shown and (made.verdict == "worse in b") is shown
    turned = ScoreShift(
        "",
        "a",
        "b",
        (),
        {},
        -0.5,
        Interval(low=-1.0, high=-low, level=0.95, method="m"),
        p,
        1,
        3,
        0.5,
        (),
        direction=Direction.LOW,
    )
    assert turned.is_shown is shown and (turned.verdict == "better in b") is shown
    assert ("fall by 0.50 in b" in turned.words) is shown and ("rise by 0.50 in b" in made.words) is shown


def test_only_criteria_with_an_order_shift_and_only_beside_a_scenario():
    rows = [(f"i{n}", "A", n % 3 + (scenario == "two"), scenario) for n in range(8) for scenario in ("one", "two")]
    (made,) = score_shifts(rated(rows, columns=("scenario",), level="ordinal"), first="one", second="two")
    assert made.change == pytest.approx(1) and (made.rose, made.fell) == (8, 0) and made.absolute == 1
    with pytest.raises(NotEnoughDataError, match="No item was scored both in 'one' and in 'two'"):
        score_shifts(rated(rows, columns=("scenario",), level="nominal"), first="one", second="two")
    with pytest.raises(NotEnoughDataError):
        score_shifts(rated([row[:3] for row in rows[::2]], level="ordinal"), first="one", second="two")


@pytest.mark.parametrize("seed", range(3))
def test_a_shift_over_items_is_that_of_scipy_and_over_documents_that_of_leaving_each_out(seed):
    rng = np.random.default_rng(seed)
    moves = rng.normal(0.3, 1, 24)
    interval, p, _ = _over_items(moves, 0.9)
    outside = stats.ttest_1samp(moves, 0).confidence_interval(0.9)
    assert (interval.low, interval.high) == pytest.approx((outside.low, outside.high))
    assert p == pytest.approx(stats.wilcoxon(moves).pvalue)
    documents = np.repeat(np.arange(8), 3)
    interval, p, _ = _over_documents(moves, documents, 0.9)
    by_document = moves.reshape(8, 3).mean(axis=1)
    outside = stats.ttest_1samp(by_document, 0)
    ci = outside.confidence_interval(0.9)
    assert (interval.low, interval.high) == pytest.approx((ci.low, ci.high)) and p == pytest.approx(outside.pvalue)
    assert _over_documents(np.ones(24), documents, 0.9)[0] is None
    assert _over_items(np.array([1.0]), 0.9)[0] is None and np.isnan(_over_items(np.array([1.0]), 0.9)[1])


@QUICK
@given(some.integers(0, 99))
def test_the_area_under_the_curve_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    positive = rng.random(30) < 0.4
    positive[:2] = True, False
    scores, weights = rng.integers(0, 6, 30).astype(float), rng.integers(0, 3, (4, 30)).astype(float)
    weights[:, :2] = 1
    found = area_under_curve(positive, scores, weights)
    assert found == pytest.approx([roc_auc_score(positive, scores, sample_weight=row) for row in weights])
    assert np.isnan(area_under_curve(np.ones(30, dtype=bool), scores, weights)).all()


def test_clusters_stay_whole_and_folds_are_as_many_as_there_may_be():
    clusters, labels = np.repeat(np.arange(9), 2), np.repeat(np.arange(9) % 3, 2)
    for folds, made in ((3, 3), (20, 9), (1, 1)):
        found = folds_of(clusters, labels, folds, np.random.default_rng(0))
        assert len(np.unique(found)) == made and (found[::2] == found[1::2]).all()
    balanced = folds_of(clusters, labels, 3, np.random.default_rng(1))
    assert all(sorted(labels[balanced == fold][::2].tolist()) == [0, 1, 2] for fold in range(3))


def test_an_interval_over_clusters_draws_them_whole():
    clusters = np.repeat(np.arange(40), 2)
    values = np.repeat(np.random.default_rng(0).normal(5, 2, 40), 2)
    made = cluster_interval(
        lambda weights: weights @ values / weights.sum(axis=1),
        clusters,
        "document",
        2_000,
        np.random.default_rng(1),
        0.9,
    )
    reach = 1.645 * values.std() / np.sqrt(40)
    assert made.low == pytest.approx(values.mean() - reach, abs=0.12)
    assert made.high == pytest.approx(values.mean() + reach, abs=0.12)
    assert made.method == "bootstrap over documents, percentile" and made.undefined == 0
    half = cluster_interval(
        lambda weights: np.where(weights[:, 0] > 0, 1.0, np.nan), clusters, "item", 500, np.random.default_rng(1), 0.9
    )
    assert half.undefined == pytest.approx(500 * (1 - 1 / 40) ** 40, abs=60) and half.low == half.high == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_correlation_is_that_of_scipy_and_has_no_value_without_spread(kind):
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 6, 40).astype(float), rng.integers(0, 6, 40).astype(float)
    outside = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind](x, y)[0]
    ones = np.ones((1, 40))
    assert weighted_correlation(kind, x, y)(ones)[0] == pytest.approx(outside)
    assert weighted_correlation(kind, x, -y)(ones)[0] == pytest.approx(-outside)
    assert weighted_correlation(kind, x, x)(ones)[0] == pytest.approx(1)
    assert np.isnan(weighted_correlation(kind, x, 0 * y + 3)(ones)[0])
    assert np.isnan(weighted_correlation(kind, x, y)(0 * ones)[0])


def test_a_model_of_scores_finds_the_least_of_its_own_loss():
    rng = np.random.default_rng(0)
    predictors = rng.normal(3, 2, (60, 2))
    labels = np.where(rng.random(60) < 0.3, 7, np.where(predictors[:, 0] > 3, 2, 5))
    model = fit_logistic(predictors, labels, ridge=1.0)
    shares = model.probabilities(predictors, 8)
    assert shares.sum(axis=1) == pytest.approx(np.ones(60)) and shares[:, [0, 1, 3, 4, 6]].sum() == 0
    standard = (predictors - predictors.mean(0)) / predictors.std(0)
    target = (labels[:, None] == np.array([2, 5, 7])).astype(float)
    residual = shares[:, [2, 5, 7]] - target
    assert residual.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-3)
    assert standard.T @ residual + model.coefficients[1:] == pytest.approx(np.zeros((2, 3)), abs=1e-3)
    flat = fit_logistic(np.column_stack([predictors, np.full(60, 4.0)]), labels)
    assert flat.probabilities(np.column_stack([predictors, np.full(60, 4.0)]), 8) == pytest.approx(shares, abs=1e-3)


@pytest.mark.parametrize("gaps", [False, True])
def test_kappas_of_pairs_are_those_of_scikit_learn_also_under_weights(gaps):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, (40, 3)).astype(np.int32)
    if gaps:
        codes[rng.random(codes.shape) < 0.2] = -1
    pairs = np.array(list(combinations(range(3), 2)))
    kappas = PairKappas.of(codes, pairs, np.eye(3))
    times = rng.integers(0, 3, 40)
    found, weighted = kappas.values(), kappas.reweighted(times[None].astype(float))[0]
    for place, (one, other) in enumerate(pairs):
        both = (codes[:, [one, other]] >= 0).all(axis=1)
        assert found[place] == pytest.approx(cohen_kappa_score(codes[both, one], codes[both, other]))
        again = np.repeat(np.flatnonzero(both), times[both])
        assert weighted[place] == pytest.approx(cohen_kappa_score(codes[again, one], codes[again, other]))
    drawn = np.concatenate(list(kappas.resampled(300, np.random.default_rng(0))))
    assert drawn.shape == (300, 3) and drawn.mean(axis=0) == pytest.approx(found, abs=0.06)
    assert np.isnan(pair_means(np.array([nan, nan]), np.ones(2)))


def test_values_that_meet_are_shares_of_all_meetings():
    made = CoOccurrence("SAME", np.array([[4, 2, 1], [2, 6, 0], [1, 0, 0]]))
    assert made.exact == pytest.approx(10 / 16) and made.within_one == pytest.approx(14 / 16)
    assert np.nansum(made.row_shares, axis=1) == pytest.approx([1, 1, 1])
    assert made.row_shares[0] == pytest.approx([4 / 7, 2 / 7, 1 / 7])


def test_scores_of_documents_and_systems_are_the_means_of_their_segments():
    rng = np.random.default_rng(0)
    item, system = np.repeat(np.arange(6), 2), np.tile([0, 1], 6)
    document = item // 2
    human, metric = rng.normal(size=12), rng.normal(size=12)
    rows = MetricRows("", item, system, document, human, metric, 2)
    assert [name for name, _ in rows.levels()] == ["segment", "document", "system"]
    for place in range(3):
        for which in range(2):
            chosen = (document == place) & (system == which)
            level = rows.level("document")
            at = level.key.tolist().index(place * 2 + which)
            assert level.human[at] == pytest.approx(human[chosen].mean()) and level.cluster[at] == place
    assert rows.level("system").metric == pytest.approx([metric[system == one].mean() for one in (0, 1)])
    assert len(np.unique(rows.level("segment").key)) == 12 and rows.level("segment").unit == "documents"
    lone = MetricRows("", item, np.zeros(12, int), document, human, metric, 1)
    assert not len(lone.level("system").human)
    some_unnamed = MetricRows("", item, system, np.where(item == 0, -1, document), human, metric, 2)
    assert some_unnamed.level("segment").unit == "segments" and len(some_unnamed.level("document").human) == 6
    whole = MetricRows("", np.arange(6), np.zeros(6, int), np.arange(6), human[:6], metric[:6], 1)
    assert [name for name, _ in whole.levels()] == ["document"]


@pytest.mark.parametrize(("wrong", "tested"), [(1, False), (2, True), (6, True), (7, False), (8, False)])
def test_wrong_references_are_compared_where_both_kinds_have_two_items(wrong, tested):
    scores = [3, 5, 4, 1, 2, 5, 1, 4]
    rows = [(f"i{n}", "A", scores[n], "typo" if n < wrong else "") for n in range(8)]
    found = erroneous_references(rated(rows, columns=("reference_error",), level="interval"))
    if found is None:
        pytest.fail("the column is not known")
    ci = stats.binomtest(wrong, 8).proportion_ci(0.95)
    assert (found.share.low, found.share.high) == pytest.approx((ci.low, ci.high))
    assert (found.difference is not None) is tested
    if tested:
        outside = stats.ttest_ind(scores[:wrong], scores[wrong:], equal_var=False).confidence_interval()
        assert (found.difference.low, found.difference.high) == pytest.approx((outside.low, outside.high))


def held(unit, units, low):
    interval = Interval(low=low, high=0.5, level=0.95, method="m")
    return HeldOut(
        unit=unit,
        units=units,
        items=20,
        accuracy=0.75,
        accuracy_interval=interval,
        guessing=0.5,
        gain_interval=interval,
        auc=0.7,
        auc_interval=interval,
        confusion=np.eye(2, dtype=np.int64),
    )


def test_scores_are_better_than_guessing_where_the_gain_is_above_nought():
    def verdict(*results):
        return TaskPrediction(column="task", tasks=(), predictors=(), left_out=0, results=results, cuts=()).verdict()

    assert held("item", 20, 0.1).gain == 0.25
    assert "in 75% of 20 items, better than guessing (50%)." in verdict(held("item", 20, 0.01))
    assert "not clearly better than guessing" in verdict(held("item", 20, 0.0))
    few = [units for units in range(3, 30) if "systems are few" in verdict(held("system", units, 0.1))]
    assert few == list(range(3, few[-1] + 1)) and few[-1] < 29
    cut = {"predictor": "x", "task": "t", "balanced": 0.5}
    assert TaskCut(**cut, cut=3.5, above=True).rule == "at least 3.5"
    assert TaskCut(**cut, cut=3.5, above=False).rule == "below 3.5"


def test_holm_takes_each_kind_of_test_as_a_family():
    made = holm_over([[change(p=0.01), change(p=0.03, unit="raters")], [change(p=0.04), change(p=None)]])
    assert [[one.adjusted for one in row] for row in made] == [[pytest.approx(0.02), None], [pytest.approx(0.04), None]]
