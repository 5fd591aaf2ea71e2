"""Laws of comparisons: who is named first, which way it went, exact thresholds; outside programs agree."""

from dataclasses import replace
from types import SimpleNamespace as Made

import numpy as np
import pytest
from scipy import stats

from accord.comparisons import answers, rater_permutation, several, stop_rule, weighted_correlation
from accord.comparisons.answers import yardstick_answer
from accord.comparisons.bootstrap_variants import VARIANTS, _interval
from accord.comparisons.conditions import _swapped, compare_conditions
from accord.comparisons.context_span import ContextSpan, context_spans, span_table
from accord.comparisons.difference import Difference, bootstrap_p, holm_over
from accord.comparisons.difference_tests import _permuted, smallest_p
from accord.comparisons.effort import effort_table
from accord.comparisons.erroneous_references import erroneous_references
from accord.comparisons.item_changes import item_changes, item_disagreement
from accord.comparisons.logistic import fit_logistic
from accord.comparisons.mean_scores import MeanScores, _by_exchange
from accord.comparisons.metric_direction import AskedMetric, told_directions
from accord.comparisons.metric_levels import MetricRows, _segments
from accord.comparisons.metrics import _without, metric_correlations
from accord.comparisons.misevaluation import find_misevaluations
from accord.comparisons.pair_kappas import pair_means
from accord.comparisons.pair_settings import _setting
from accord.comparisons.rating_patterns import MeanRanges
from accord.comparisons.reference_bias import ReferenceBias, _sensitivity
from accord.comparisons.score_shift import ScoreShift, _documents
from accord.comparisons.stop_rule import Verdict
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.ratings.build import build_ratings


def ends(low, high, level=0.95):
    return Interval(low=low, high=high, level=level, method="bootstrap over items")


def change(value=0.2, low=0.1, high=0.3, **more):
    usual = {"p": 0.01, "unit": "items", "method": "a test", "replicates": 1_000}
    interval = None if low is None else ends(low, high)
    return Difference(what="α", first="after", second="before", value=value, interval=interval, **(usual | more))


def comparison(*differences, alpha=0.5, own=None):
    first, second = Made(name="before"), Made(name="after", values={"krippendorff_alpha": alpha}, ends=own, items=50)
    return Made(criterion="", first=first, second=second, differences=differences)


@pytest.mark.parametrize(("p", "clear"), [(0.049, True), (0.05, False), (0.051, False)])
def test_a_difference_is_clear_below_five_percent_and_not_at_it(p, clear):
    assert change(p=p).is_clear is clear
    assert change(p=0.001, adjusted=p).is_clear is clear
    assert MeanScores(1, 2, (6, 6), p, 0.002, "exchange").is_clear is clear


def test_a_difference_is_shown_only_where_interval_and_p_agree():
    assert change().is_shown and change(-0.2, -0.3, -0.1).is_shown
    assert not change(low=-0.1).is_shown and not change(p=0.2).is_shown and not change(low=None).is_shown
    assert change(p=0.2).doubt == "; p = 0.20"
    assert change(p=0.01, adjusted=0.2).doubt == "; p = 0.20 after Holm's correction"
    assert change().doubt == change(low=-0.1, p=0.2).doubt == ""


@pytest.mark.parametrize("sign", [1, -1])
def test_who_agrees_more_is_named_first_with_an_interval_that_holds_the_value(sign):
    low, high = sorted((sign * 0.1, sign * 0.3))
    one = comparison(change(sign * 0.2, low, high))
    more, less = ("after", "before") if sign > 0 else ("before", "after")
    said = f"raters agree more in {more} than in {less} (α +0.20, 95% interval +0.10 to +0.30)."
    assert answers._agree_more(one) == said


def test_what_is_not_shown_is_told_with_its_interval_and_then_its_doubt():
    assert answers._with_doubt(comparison(change(p=0.2))) == "(α +0.20, 95% interval +0.10 to +0.30; p = 0.20)."
    assert answers._ends(comparison(change(low=None))) == "α +0.20, no interval"
    keys = [sentence.key for sentence in answers.CHANGES if sentence.holds(comparison(change(p=0.2)))]
    assert keys == ["not_shown"]
    shown = [sentence.key for sentence in answers.CHANGES if sentence.holds(comparison(change()))]
    assert shown == ["shown"]


def test_a_mean_score_says_its_chance_with_the_raters_it_rests_on():
    assert MeanScores(1, 2, (6, 5), 0.002, 0.002, "x").chance == (
        "p = 0.002, the smallest that 6 against 5 raters can give"
    )
    assert MeanScores(1, 2, (6, 5), 0.001, 0.0001, "x").chance == "p = 0.001"
    assert MeanScores(1, 2, (6, 5), 0.00099, 0.0001, "x", 0.0009).chance == "p < 0.001 after Holm's correction"
    assert MeanScores(1, 2, (6, 5), 0.01, 0.0001, "x").change == 1


def test_a_rising_agreement_goes_on_until_its_interval_reaches_eight_tenths():
    def verdict(value, low, high, **second):
        what = stop_rule.COEFFICIENTS["krippendorff_alpha"].title
        made = Difference(
            what=what, first="after", second="before", value=value, interval=ends(low, high), p=0.01, unit="items",
            method="a test", replicates=1_000,
        )  # fmt: skip
        return stop_rule.stop_rule(comparison(made, **second))

    assert verdict(0.2, 0.1, 0.3, own=ends(0.4, 0.6)).verdict is Verdict.GO_ON
    assert verdict(0.2, 0.1, 0.3, alpha=0.9, own=ends(0.8, 0.95)).verdict is Verdict.ENOUGH
    unsure = verdict(0.2, 0.1, 0.3, alpha=0.9, own=ends(0.79, 0.95))
    assert unsure.verdict is Verdict.UNDECIDED
    assert "50 items do not show yet that it reaches .8: more items could, not another round" in unsure.words
    lost = verdict(-0.2, -0.3, -0.1, own=ends(0.4, 0.6))
    assert lost.verdict is Verdict.STOP and lost.why == "go back to the guideline of before"


def test_no_gain_is_said_where_the_high_end_with_its_own_error_stays_below_what_is_worth():
    def verdict(high):
        return stop_rule.stop_rule(comparison(change(0.0, -0.1, high, p=0.8)), worth=0.05).verdict

    error = stop_rule._end_error(change(0.0, -0.1, 0.03))
    assert error > 0
    assert verdict(0.03) is Verdict.NO_GAIN
    assert verdict(0.05 - 0.1 * error) is Verdict.UNDECIDED
    assert stop_rule._end_error(change(unit="raters")) == 0


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_the_error_of_an_end_is_that_of_a_quantile_of_normal_draws(level):
    reach = stats.norm.isf((1 - level) / 2)
    made = replace(change(0.0, -1, 1, replicates=400), interval=ends(-reach, reach, level))
    rng = np.random.default_rng(0)
    drawn = np.quantile(rng.standard_normal((4_000, 400)), (1 - level) / 2, axis=1).std()
    assert stop_rule._end_error(made) == pytest.approx(drawn, rel=0.06)


def test_two_sided_p_counts_the_observed_sample_once():
    assert bootstrap_p(np.array([1.0, 2, 3, np.nan])) == pytest.approx(2 / 4)
    assert bootstrap_p(np.array([-1.0, 1, 2, 3, 4, 5, 6])) == pytest.approx(2 * 2 / 8)


def test_what_has_no_replicate_has_no_p_and_is_no_member_of_a_family_of_tests():
    assert bootstrap_p(np.array([np.nan, np.nan])) is None
    tested, other, nothing = change(0.4, 0.1, 0.7, p=0.02), change(0.4, 0.1, 0.7, p=0.03), change(np.nan, p=None)
    ((one,), (two,), (none,)) = holm_over([(tested,), (other,), (nothing,)])
    assert (one.adjusted, two.adjusted, none.adjusted) == (0.04, 0.04, None)


def ranges(**means):
    groups = {name: float(np.mean(list(given.values()))) for name, given in means.items()}
    return MeanRanges(means, groups)


def test_groups_differ_by_the_range_of_their_means_and_only_beyond_the_range_inside():
    apart, close = ranges(a={"x": 1, "y": 2}, b={"z": 4, "w": 5}), ranges(a={"x": 1, "y": 3}, b={"z": 2, "w": 4})
    assert apart.between() == 3 and apart.within == {"a": 1, "b": 1} and apart.is_attributable
    assert close.between() == 1 and not close.is_attributable
    assert ranges(a={"x": 1, "y": 3}, b={"z": 3, "w": 5}).is_attributable is False


@pytest.mark.parametrize(
    ("one", "other", "setting"),
    [("r", "r", "SAME"), ("r", "q", "DIFF"), ("s", "s", "SOURCE"), ("s", "t", "SOURCE"), ("s", "r", "SOURCE_VS"),
     ("r", "s", "SOURCE_VS")],
)  # fmt: skip
def test_a_pair_belongs_to_the_setting_of_what_both_saw(one, other, setting):
    found = _setting(one, other, ("s", "t"))
    assert found == setting or (setting == "SOURCE_VS" and found not in ("SAME", "DIFF", "SOURCE"))


def test_other_units_hold_nought_or_do_not():
    clear, unclear = change(unit="judges"), change(low=-0.1, p=None, unit="items")
    assert _sensitivity((clear, unclear)) == (
        "Intervals of the difference, for comparison: over judges it does not hold 0, over items it holds 0."
    )


@pytest.mark.parametrize(("value", "word"), [(0.2, "more"), (-0.2, "less")])
def test_the_verdict_on_reference_bias_says_which_pairs_agree_more_and_after_which_correction(value, word):
    said = ReferenceBias.verdict(Made(differences=[change(value, p=0.01, adjusted=0.03)]))
    assert said == (
        f"Pairs who saw the same agree by 0.200 {word} than pairs who did not. Exchanging judges between the groups "
        "shows that this is more than chance (p = 0.030 after Holm's correction over criteria)."
    )


def test_the_mean_over_pairs_counts_defined_kappas_by_their_weight():
    kappas = np.array([0.2, np.nan, 0.8])
    assert pair_means(kappas, np.array([1.0, 1, 3])) == pytest.approx((0.2 + 2.4) / 4)
    assert pair_means(kappas, np.array([0.25, 0, 0.25])) == pytest.approx(0.5)
    assert np.isnan(pair_means(kappas, np.array([0.0, 1, 0])))


@pytest.mark.parametrize("key", sorted(VARIANTS))
def test_the_interval_of_a_bootstrap_holds_its_mean_and_the_middle_of_its_draws(key):
    draws = np.random.default_rng(1).normal(0.5, 0.1, 4_000)
    found = _interval(draws, VARIANTS[key])
    assert found.low < draws.mean() < found.high
    if found.level == 0.95:
        assert (found.low, found.high) == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])))


@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall"])
def test_a_weighted_correlation_is_that_of_units_given_again(kind):
    rng = np.random.default_rng(2)
    x = rng.integers(0, 6, 12).astype(float)
    y = x + rng.integers(0, 4, 12)
    weights = rng.integers(0, 4, (3, 12)).astype(float)
    outside = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind]
    found = weighted_correlation.weighted_correlation(kind, x, y)(weights)
    for row, value in zip(weights.astype(int), found, strict=True):
        assert value == pytest.approx(outside(np.repeat(x, row), np.repeat(y, row))[0])


def test_leaving_out_each_cluster_in_turn_keeps_the_others():
    assert _without(3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_segments_and_documents_are_counted_for_each_system():
    item, system = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 1, 0, 1, 0, 1])
    human, metric = np.array([1.0, 2, 3, 4, 5, 6]), np.array([1.0, 1, 1, 1, 3, 3])
    rows = _segments("", item.astype(np.int32), system, np.zeros(6, dtype=np.int64), human, metric, 2)
    assert rows.human.tolist() == [3, 2, 3, 5] and rows.metric.tolist() == [2, 1, 1, 2]
    made = MetricRows(
        condition="", item=np.arange(6), system=np.array([0, 0, 1, 1, 0, 1]), document=np.array([0, 2, 0, 2, 0, 0]),
        human=human, metric=metric, systems=2,
    )  # fmt: skip
    assert sorted(made.level("document").human.tolist()) == [2, 3, 4, 4.5]


def test_the_test_by_exchange_leaves_out_no_arrangement_and_is_the_same_turned_round():
    rng = np.random.default_rng(4)
    features = np.column_stack([np.ones(16), rng.normal(size=16)])

    def evaluate(sums):
        return (sums[:, 1] / sums[:, 0])[:, None]

    def tested(both):
        statistic = Made(features=both, evaluate=evaluate)
        return _swapped(statistic, np.arange(8), 1_000, np.random.default_rng(0), "items")

    there, back = tested(features), tested(np.concatenate((features[8:], features[:8])))
    expected = features[8:, 1].mean() - features[:8, 1].mean()
    assert there.observed == pytest.approx(expected) and back.observed == pytest.approx(-expected)
    assert there.exact and there.arrangements == 256 and there.p == pytest.approx(back.p)
    signs = np.array([[(at >> bit) % 2 * 2 - 1 for bit in range(8)] for at in range(256)])
    drawn = signs @ (features[8:, 1] - features[:8, 1]) / 8
    assert there.p == pytest.approx(np.mean(np.abs(drawn) >= abs(expected) - 1e-9))


def test_too_few_raters_are_told_with_the_smallest_possible_p():
    test = Made(arrangements=6, smallest=1 / 3, exact=True, interval=None)
    groups = (["a", "b"], ["c", "d", "e"])
    said = "2 against 3 raters cannot show any difference (the smallest possible p is 0.33)"
    assert rater_permutation._too_few(test, groups) == said
    assert rater_permutation._too_few(Made(arrangements=20, smallest=0.049), groups) == ""
    assert rater_permutation._too_few(Made(arrangements=20, smallest=0.05), groups) != ""


@pytest.mark.parametrize(("shared", "able"), [(7, False), (8, True)])
def test_raters_are_exchanged_where_groups_share_eight_items_of_ten(shared, able):
    assert rater_permutation.can_exchange([Made(items=10), Made(items=9)], shared) is able


def test_the_interval_over_raters_holds_its_value_and_welch_is_that_of_scipy():
    rng = np.random.default_rng(5)
    scores = np.concatenate((rng.normal(0, 1, 5), rng.normal(1, 2, 7)))
    first, second = np.arange(5), np.arange(5, 12)

    def values(groups):
        return np.array([[scores[raters].mean()] for raters in groups])

    observed = values([second])[0] - values([first])[0]
    ((interval, error, freedom),) = rater_permutation._intervals(values, first, second, observed, 0.95)
    welch = stats.ttest_ind(scores[5:], scores[:5], equal_var=False)
    assert interval.low < observed[0] < interval.high
    assert (interval.low, interval.high) == pytest.approx(tuple(welch.confidence_interval(0.95)))
    assert rater_permutation._welch_p(float(observed[0]), (interval, error, freedom)) == pytest.approx(welch.pvalue)


def table(rows, *names, **options):
    return build_ratings({name: [row[at] for row in rows] for at, name in enumerate(names)}, **options)


def rounds(columns=("before", "after")):
    rng = np.random.default_rng(6)
    rows = []
    for item, quality in enumerate(rng.integers(1, 6, 40).tolist()):
        for rater in "ABC":
            noise = {"before": rng.integers(-2, 3), "after": rng.integers(0, 2)}
            rows += [(f"i{item}", rater, int(np.clip(quality + noise[name], 1, 5)), name) for name in columns]
    return table(rows, "item", "rater", "value", "condition", level="interval")


def test_exchanging_two_conditions_exchanges_signs_ends_and_names():
    ratings = rounds()
    (there,), (back,) = (
        compare_conditions(ratings, "condition", *names, replicates=400, rng=np.random.default_rng(0))
        for names in (("before", "after"), ("after", "before"))
    )
    assert there.differences[0].value == pytest.approx(-back.differences[0].value)
    assert there.differences[0].value > 0
    for one in (there, back):
        for made in one.differences:
            assert made.value == pytest.approx(one.differences[0].value)
            assert made.interval is None or made.interval.low <= made.value <= made.interval.high
    one, other = there.differences[0].interval, back.differences[0].interval
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.05)
    assert any("conditions exchanged on 40 shared items" in made.method for made in there.differences)


def test_an_item_that_lost_agreement_moves_up_and_shows_its_ratings():
    one = table([("i1", "A", 1), ("i1", "B", 1), ("i2", "A", 3)], "item", "rater", "value", level="interval")
    other = table([("i1", "A", 1), ("i1", "B", 3), ("i2", "A", 3)], "item", "rater", "value", level="interval")
    assert item_disagreement(one) == {"i1": (0, "1 1")}
    (moved,) = item_changes(one, other)
    assert (moved.before, moved.after, moved.change) == (0, 4, 4)
    assert (moved.ratings_before, moved.ratings_after) == ("1 1", "1 3")


def test_effort_means_are_those_of_each_statement_in_each_scenario():
    rows = [("hard", "A", 1, "RS"), ("hard", "B", 2, "RS"), ("hard", "A", 5, "SC"), ("tiring", "A", 3, "SC"),
            ("tiring", "B", 4, "SC")]  # fmt: skip
    hard, tiring = effort_table(table(rows, "item", "rater", "value", "scenario"))
    assert hard.means == {"RS": 1.5, "SC": 5} and hard.answers == {"RS": 2, "SC": 1}
    assert tiring.means == {"SC": 3.5} and hard.difference("RS", "SC") == 3.5


def test_references_are_wrong_where_their_column_says_what_is_wrong():
    said = [(1, "omission"), (2, "mistranslation"), (4, "no"), (5, ""), (4, ""), (5, "no")]
    rows = [(f"i{n}", rater, value, wrong) for n, (value, wrong) in enumerate(said) for rater in "AB"]
    found = erroneous_references(table(rows, "item", "rater", "value", "reference_error", level="interval"))
    assert (found.erroneous, found.items) == (2, 6)
    assert found.share.low < 2 / 6 < found.share.high
    assert (found.mean_wrong, found.mean_right) == (1.5, 4.5)


def test_a_logistic_regression_is_that_of_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(7)
    scores = rng.normal(size=(40, 2))
    labels = (scores[:, 0] + rng.normal(size=40) > 0).astype(np.int64) + (scores[:, 1] > 1)
    found = fit_logistic(scores, labels)
    alike = (scores - scores.mean(axis=0)) / scores.std(axis=0)
    outside = LogisticRegression(C=1.0, tol=1e-8, max_iter=2_000).fit(alike, labels)
    made = found.coefficients[1:] - found.coefficients[1:].mean(axis=1, keepdims=True)
    assert pytest.approx(outside.coef_, abs=2e-3) == made.T


def test_a_span_counts_sentences_from_the_item_to_what_resolves_it():
    rows = [(f"s{n}", "A", 1, "doc", str(n), {3: "1", 4: "s6"}.get(n, "")) for n in range(1, 7)]
    ratings = table(rows, "item", "rater", "value", "document", "segment", "resolved_by")
    column = next(name for name in ratings.columns if "resol" in name)
    spans = {span.item: span for span in context_spans(ratings, column)}
    assert {item: span.distance for item, span in spans.items()} == {"s3": -2, "s4": 2}
    far = ContextSpan("s1", "doc", "s9", 7, "", "")
    (row,) = span_table([*spans.values(), far])
    assert (row["before"], row["largest"], row["within_1"], row["within_2"]) == (1, 7, 0, pytest.approx(2 / 3))


@pytest.mark.parametrize(("direction", "alone", "seen"), [("high", 4, 3), ("low", 2, 3)])
def test_an_item_is_misevaluated_exactly_on_both_quarters(direction, alone, seen):
    rows = [("i1", "A", alone, "RS", "ellipsis"), ("i1", "A", seen, "SC", "ellipsis"), ("i2", "A", 1, "RS", "gender"),
            ("i2", "A", 1, "SC", "gender"), ("i3", "A", 5, "RS", ""), ("i3", "A", 5, "SC", "")]  # fmt: skip
    ratings = table(rows, "item", "rater", "value", "scenario", "issue", level="interval", direction=direction)
    (found,) = find_misevaluations(ratings, without="RS", with_context="SC")
    assert (found.item, found.without, found.with_context, found.issue) == ("i1", alone, seen, "ellipsis")


def test_sums_at_their_normal_limit_give_nearly_the_p_of_all_arrangements(monkeypatch):
    rng = np.random.default_rng(9)
    features = np.column_stack([np.ones(24), rng.normal(0.2, 1, 24)])
    features[12:, 1] += 0.6

    def tested():
        statistic = Made(features=features, evaluate=lambda sums: (sums[:, 1] / sums[:, 0])[:, None])
        return _swapped(statistic, np.arange(12), 4_096, np.random.default_rng(0), "items")

    exact = tested()
    monkeypatch.setattr("accord.comparisons.conditions.sizes.sums_are_normal", lambda *_: True)
    assert exact.exact and not tested().exact
    assert tested().p == pytest.approx(exact.p, abs=0.05)


@pytest.mark.parametrize(("items", "is_tested"), [(9, False), (10, True)])
def test_ten_items_are_enough_for_a_test_over_items(items, is_tested):
    ratings = rounds()
    kept = np.isin(ratings.item.labels(), [f"i{n}" for n in range(items)])
    (found,) = compare_conditions(
        ratings.where(kept), "condition", "before", "after", replicates=200, rng=np.random.default_rng(0)
    )
    assert any(one.method.startswith("no test over items") for one in found.differences) is not is_tested


def test_documents_are_counted_and_each_left_out():
    ratings = rounds()
    documents = [f"d{int(name[1:]) % 6}" for name in ratings.item.labels()]
    rows = list(zip(ratings.item.labels(), ratings.rater.labels(), ratings.scores,
                    ratings.columns["condition"].labels(), documents, strict=True))  # fmt: skip
    named = table(rows, "item", "rater", "value", "condition", "document", level="interval")
    (found,) = compare_conditions(named, "condition", "before", "after", replicates=200, rng=np.random.default_rng(0))
    by_document = next(one for one in found.differences if one.unit == "documents")
    assert by_document.method.startswith("jackknife over 6 documents")
    assert by_document.interval.low < by_document.value < by_document.interval.high


def test_of_many_conditions_the_first_pairs_are_compared_and_the_rest_counted(monkeypatch):
    monkeypatch.setattr(several, "_MOST_PAIRS", 2)
    monkeypatch.setattr(several, "compare_conditions", lambda *_, **__: [comparison(change())])
    monkeypatch.setattr(several, "adjusted_over", tuple)
    monkeypatch.setattr(several, "condition_names", lambda *_: tuple("abcde"))
    found = several.compare_several(None, "condition", every_pair=True, rng=np.random.default_rng(0))
    assert found.left_out == ("8 more pairs of conditions",) and len(found.comparisons) == 2


def test_means_are_exchanged_between_as_many_raters_as_there_are():
    p, smallest, method = _by_exchange(np.array([1.0, 2]), np.array([7.0, 8, 9]))
    assert (p, smallest) == (pytest.approx(1 / 10), pytest.approx(1 / 10))
    assert method == "means of 2 and 3 raters exchanged, all 10 arrangements, smallest possible p 0.1"
    assert _by_exchange(np.array([1.0, 2]), np.array([8.0, 9]))[1] == pytest.approx(2 / 6)


def test_the_smallest_p_of_exchanged_raters_counts_both_halves_where_groups_are_alike():
    def smallest(first, second):
        rows = [(f"i{n}", rater, (n + place) % 3) for n in range(6) for place, rater in enumerate("ABCDEF")]
        parts = [table([row for row in rows if row[1] in names], "item", "rater", "value", level="interval")
                 for names in (first, second)]  # fmt: skip
        (found,) = rater_permutation.rater_tests(
            parts, (first, second), ("krippendorff_alpha",), exchange=True, replicates=100,
            rng=np.random.default_rng(0), confidence=0.95,
        )  # fmt: skip
        return found.smallest

    assert smallest("AB", "CD") == pytest.approx(2 / 6)
    assert smallest("AB", "CDE") == pytest.approx(1 / 10)


def test_items_that_nobody_rated_are_left_out_and_the_lowest_value_is_a_rating():
    codes = np.array([[0, -1], [-1, -1], [1, 0]])
    assert rater_permutation._rated(codes).tolist() == [[0, -1], [1, 0]]


def shift(sign, direction=Direction.HIGH):
    return ScoreShift("", "RS", "SC", (), {}, sign * 0.5, ends(*sorted((sign * 0.2, sign * 0.8))), 0.01, 3, 1, 0.6,
                      tuple("abcde"), direction=direction)  # fmt: skip


def test_scores_rise_or_fall_by_the_sign_and_are_better_by_the_good_end():
    moving = "80% of 5 items move, by 0.60 on average over all"
    assert shift(1).words == f"scores rise by 0.50 in SC; {moving}; better in SC on average"
    assert shift(-1).words == f"scores fall by 0.50 in SC; {moving}; worse in SC on average"
    assert shift(1, Direction.LOW).verdict == "worse in SC"


def test_documents_of_a_shift_need_every_item_to_name_one():
    rows = [("i1", "A", 1, "d"), ("i2", "A", 2, "d"), ("i3", "A", 3, "e")]
    items = [Made(item=f"i{n}") for n in (1, 2, 3)]
    of = table(rows, "item", "rater", "value", "document")
    assert _documents(of, items).tolist() == [0, 0, 1]
    assert _documents(table([*rows[:2], ("i3", "A", 3, "")], "item", "rater", "value", "document"), items) is None
    assert _documents(table([*rows[1:]], "item", "rater", "value", "document"), items[1:]) is None


def test_what_a_name_says_of_a_metric_is_told_with_its_good_end():
    assert told_directions([AskedMetric("ter", Direction.LOW, by_name=True)]) == [
        "By the name of the metric, low is good for ter; --metric NAME=high or NAME=low says otherwise."
    ]
    (asked,) = told_directions([AskedMetric("mine", Direction.UNKNOWN)])
    assert asked.startswith("Nobody said which end of mine is good")


def test_a_yardstick_is_told_in_a_sentence_that_begins_with_a_capital():
    one = Made(similar=(), dissimilar=(), correlation=0.5, items=range(9))
    told = yardstick_answer(Made(results=[("bleu", one)], against="the post-edit"))
    assert told == ["Bleu and the post-edit correlate by r = 0.50 and contradict each other on no item of 9."]


def scored(items):
    rows = [(f"i{n}", "A", n % 4 + n, 10 * n + n % 3) for n in range(items)]
    return table(rows, "item", "rater", "value", "bleu", level="interval")


def test_a_correlation_with_a_metric_needs_three_items_and_lies_in_its_interval():
    for one in metric_correlations(scored(12), ("bleu",), rng=np.random.default_rng(0)):
        assert one.interval.low <= one.value <= one.interval.high
    human, metric = ([n % 4 + n for n in range(12)], [10 * n + n % 3 for n in range(12)])
    assert metric_correlations(scored(12), ("bleu",), rng=np.random.default_rng(0))[0].value == pytest.approx(
        stats.pearsonr(human, metric)[0]
    )
    assert metric_correlations(scored(3), ("bleu",), rng=np.random.default_rng(0))
    with pytest.raises(NotEnoughDataError, match="at least three items"):
        metric_correlations(scored(2), ("bleu",), rng=np.random.default_rng(0))


def test_exchanged_judges_give_the_p_of_their_arrangements():
    groups = np.array(["x", "x", "x", "y", "y", "y"], dtype=object)
    first, second = np.triu_indices(6, 1)
    pairs = np.stack([first, second], axis=1)
    same = groups[first] == groups[second]
    values = np.where(same, 0.8, 0.2) + np.arange(15) / 1_000
    settings = Made(groups=groups, pairs=pairs, of=lambda name: same if name == "SAME" else ~same)
    observed = values[same].mean() - values[~same].mean()
    common = {"what": "mean κ", "first": "SAME", "second": "DIFF", "value": observed, "replicates": 2_000}
    found = _permuted(values, settings, observed, "SAME", "DIFF", 2_000, np.random.default_rng(0), common)
    # Of the ten ways to part six judges into two groups of three, only the true one is so far apart.
    assert found.p == pytest.approx(1 / 10, abs=0.03)
    assert smallest_p(np.array([3, 3])) == pytest.approx(1 / 10)
