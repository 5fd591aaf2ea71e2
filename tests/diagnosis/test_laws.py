"""Laws of the diagnosis: names and words follow the numbers, thresholds hold exactly, outside programs agree."""

from dataclasses import replace
from types import SimpleNamespace as Made

import numpy as np
import pytest

import accord
from accord.design.scale import Level
from accord.diagnosis import correlation, differential
from accord.diagnosis.audit.checks import _alpha_against_fleiss, implied_chance
from accord.diagnosis.audit.printed import Printed
from accord.diagnosis.behaviour import _repeats_of_others, copied_runs, impossible_speed
from accord.diagnosis.case import Case
from accord.diagnosis.categories import own_use_of_scale
from accord.diagnosis.causes import _joined
from accord.diagnosis.coverage import stray_values
from accord.diagnosis.differential import differential_functioning
from accord.diagnosis.examination import diagnose
from accord.diagnosis.finding import Severity
from accord.diagnosis.items import chance_agreement, decomposition
from accord.diagnosis.level_hint import _normality, _shape
from accord.diagnosis.part import parts_of
from accord.diagnosis.registry import FINDINGS
from accord.diagnosis.reliabilities import _among, across, repeats, stability
from accord.diagnosis.score_patterns import _silhouette, score_patterns
from accord.diagnosis.severity import _correlation, crossed_fit, rater_effects
from accord.diagnosis.text_level import _ratio, generalizability
from accord.diagnosis.what_if import finer_scale, uniform_chance
from accord.errors import NotEnoughDataError
from accord.ratings.build import build_ratings


def repeated(first, second, level="ordinal"):
    """One rater's answers, given twice to the same items."""
    rows = [
        (f"i{n}", occasion, value) for occasion, given in enumerate((first, second)) for n, value in enumerate(given)
    ]
    return build_ratings(
        {
            "item": [item for item, _, _ in rows], "rater": ["A"] * len(rows), "value": [v for _, _, v in rows],
            "occasion": [str(occasion) for _, occasion, _ in rows],
        },
        level=level,
    )  # fmt: skip


def part_of(ratings):
    return parts_of(ratings)[0]


def case_of(part):
    return Case(part, np.random.default_rng(0))


def test_answers_given_again_are_compared_with_the_first_ones():
    first, second = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 2, 3, 4, 5, 5]
    everyone, one = stability(part_of(repeated(first, second)))
    assert everyone.agreement == one.agreement == pytest.approx(0.6)
    assert everyone.difference == pytest.approx(0.4)
    assert everyone.pearson == pytest.approx(np.corrcoef(first, second)[0, 1])
    assert everyone.low <= everyone.kappa <= everyone.high
    spread = np.std(np.subtract(second, first), ddof=1)
    assert everyone.error == pytest.approx(spread / np.sqrt(2))
    (said,) = repeats(case_of(part_of(repeated(first, second))))
    assert (
        f"60% are the same, weighted kappa {everyone.kappa:.2f} [{everyone.low:.2f}, {everyone.high:.2f}]"
        in said.message
    )


def test_exchanging_first_and_second_answers_turns_the_difference_and_nothing_else():
    first, second = [1, 2, 3, 4, 5, 1, 2], [2, 2, 4, 4, 5, 2, 1]
    there, back = (stability(part_of(repeated(*given)))[0] for given in ((first, second), (second, first)))
    assert there.difference == pytest.approx(-back.difference) and there.difference > 0
    assert (there.agreement, there.kappa) == pytest.approx((back.agreement, back.kappa))


@pytest.mark.parametrize(("items", "known"), [(2, False), (3, True)])
def test_a_correlation_needs_three_items(items, known):
    first, second = [1, 2, 4][:items], [1, 3, 4][:items]
    assert np.isnan(stability(part_of(repeated(first, second)))[0].pearson) is not known
    value, number = _correlation(np.array(first, float), np.array(second, float))
    assert (not np.isnan(value), number) == (known, items)


def test_mean_disagreement_is_that_of_all_pairs():
    rng = np.random.default_rng(3)
    one, other = rng.integers(1, 6, 7).astype(float), rng.integers(1, 6, 5).astype(float)
    sums = [np.array([[len(x), x.sum(), np.square(x).sum()]]) for x in (one, other)]
    apart = np.mean([(x - y) ** 2 for x in one for y in other])
    assert across(True, *sums)[0] == pytest.approx(apart)
    inside = np.mean([(x - y) ** 2 for i, x in enumerate(one) for j, y in enumerate(one) if i != j])
    assert _among(Made(ordered=True), sums[0])[0] == pytest.approx(inside)
    counts = [np.array([[len(x), *np.bincount(x.astype(int), minlength=6)]], dtype=float) for x in (one, other)]
    assert across(False, *counts)[0] == pytest.approx(np.mean([x != y for x in one for y in other]))
    unequal = np.mean([x != y for i, x in enumerate(one) for j, y in enumerate(one) if i != j])
    assert _among(Made(ordered=False), counts[0])[0] == pytest.approx(unequal)


@pytest.mark.parametrize("linear", [False, True])
def test_chance_agreement_is_that_of_values_drawn_apart(make_part, linear):
    part = make_part([[1, 2], [2, 5], [5, 5], [1, 1], [2, 1]], scale=(1, 2, 4, 5))
    a, b = (part.code[part.rater == rater] for rater in part.raters)
    values = np.array([1.0, 2, 4, 5])
    if linear:
        expected = np.mean([[1 - abs(values[x] - values[y]) / 4 for x in a] for y in b])
    else:
        expected = np.mean([[x == y for x in a] for y in b])
    assert chance_agreement(part, a, b, linear=linear) == pytest.approx(expected)


def test_the_parts_of_agreement_have_means_over_pairs(make_part, honest_table):
    found = decomposition(make_part(honest_table(5, items=30, raters=3)))
    joint, independent, kappa = found.means
    assert (joint, independent, kappa) == pytest.approx(
        (found.joint.mean(), found.independent.mean(), np.nanmean(found.kappa))
    )
    assert independent < joint
    nobody = replace(found, pairs=found.pairs[:0], joint=found.joint[:0], independent=found.independent[:0],
                     kappa=found.kappa[:0])  # fmt: skip
    assert np.isnan(nobody.means).all()


def test_the_shape_of_scores_is_that_of_scipy():
    from scipy import stats

    scores = np.random.default_rng(1).gamma(2, size=60)
    assert _shape(scores) == pytest.approx((stats.skew(scores), stats.kurtosis(scores)))
    assert np.isnan(_normality(scores[:19]))
    assert _normality(scores[:20]) == pytest.approx(stats.shapiro(scores[:20]).pvalue)


def test_the_silhouette_is_that_of_scikit_learn():
    from sklearn.metrics import silhouette_score

    points = np.random.default_rng(2).normal(size=(12, 3))
    labels = np.array([1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4])
    square = np.linalg.norm(points[:, None] - points, axis=2)
    assert _silhouette(square, labels) == pytest.approx(silhouette_score(points, labels))


def test_uniform_chance_is_that_of_all_pairs_of_values():
    for values in (2, 3, 7):
        near = np.mean([1 - abs(x - y) / (values - 1) for x in range(values) for y in range(values)])
        assert uniform_chance(values) == pytest.approx(near)
        assert uniform_chance(values, "identity") == pytest.approx(1 / values)


def test_a_scale_of_as_many_values_is_predicted_to_change_nothing(make_part, honest_table):
    part = make_part(honest_table(4))
    now, same = finer_scale(part, values=5)
    assert (same.joint, same.kappa) == pytest.approx((now.joint, now.kappa))
    wide = finer_scale(part, values=10)[1]
    assert wide.values == 10 and 0 < wide.kappa < 1


def pair(**numbers):
    usual = {"gamma": 0.9, "kappa": 0.2, "agreement": 0.3, "untied": 900, "items": 60, "lower": 12, "higher": 10}
    return Made(**(usual | numbers), disagreements=22, first="A", second="B", title="A and B")


def test_who_is_lower_is_named_before_how_often(monkeypatch):
    monkeypatch.setattr(correlation, "_who_is_lower", lambda _: ("A", 12 / 22))
    said = correlation.explain(pair())
    assert "neither is lower throughout (A in 12 of 22 disagreements, sign test p = " in said
    said = correlation.explain(pair(lower=21, higher=1))
    assert "A is lower in 21 of 22 disagreements" in said


def test_pairs_are_negatively_correlated_only_below_nought():
    said = correlation._explain_many([pair(gamma=0.0), pair(gamma=-0.1), pair(gamma=0.9)])
    assert said.endswith("; 1 pair is negatively correlated")
    assert "negatively" not in correlation._explain_many([pair(gamma=0.0), pair()])


def test_a_line_explains_of_unseen_items_what_leaving_each_out_gives():
    rng = np.random.default_rng(6)
    x = rng.normal(size=15)
    y = 2 * x + rng.normal(size=15)
    missed, without = [], []
    for out in range(len(x)):
        kept = np.arange(len(x)) != out
        slope, intercept = np.polyfit(x[kept], y[kept], 1)
        missed.append(y[out] - intercept - slope * x[out])
        without.append(y[out] - y[kept].mean())
    expected = 1 - np.square(missed).sum() / np.square(without).sum()
    slope, intercept, explained = correlation._line(x, y)
    assert (slope, intercept) == pytest.approx(tuple(np.polyfit(x, y, 1)))
    assert explained == pytest.approx(expected)


def timed(make_part, mine, others):
    """A rater who is quick throughout beside one who is not; items of their own keep the counts apart."""
    table = np.full((mine + others, 2), np.nan)
    table[:mine, 0], table[mine:, 1] = 3, 4
    table[0, 0] = 2
    seconds = np.where(np.isnan(table), 0, 0.5)
    seconds[:, 1] = 60.0
    return list(impossible_speed(case_of(make_part(table, numbers={"time_s": seconds}))))


def test_speed_is_judged_from_five_answers_against_twenty_of_others(make_part):
    assert [seen.who for seen in timed(make_part, 5, 20)] == [("r1",)]
    assert timed(make_part, 4, 20) == []
    assert timed(make_part, 5, 19) == []


@pytest.mark.parametrize("rows", [1, 2])
def test_a_rater_has_the_mean_of_the_own_scores_and_lies_in_the_own_interval(make_part, honest_table, rows):
    table = honest_table(rows, items=40)
    for effect in rater_effects(make_part(table)):
        place = int(effect.rater[1:]) - 1
        assert effect.mean == pytest.approx(table[:, place].mean())
        assert effect.spread == pytest.approx(table[:, place].std(ddof=1))
        assert effect.interval.low < effect.severity < effect.interval.high


def test_who_uses_a_value_more_often_than_the_others_is_told_so(make_part):
    rng = np.random.default_rng(0)
    table = np.repeat(rng.integers(1, 4, (150, 1)).astype(float), 3, axis=1)
    table[:70, 2] = 3
    (seen,) = own_use_of_scale(case_of(make_part(table, scale=(1, 2, 3))))
    assert "r3 gives" in seen.message and "3 too often" in seen.message
    assert "r3 gives 3 too rarely" not in seen.message
    assert "2 too rarely" in seen.message


def grouped(rows):
    names = ("item", "rater", "value", "group")
    return build_ratings({name: [row[at] for row in rows] for at, name in enumerate(names)}, level="interval")


def test_groups_without_a_common_level_are_named_in_their_sentence():
    apart = [(f"i{n}", rater, 10.0 * (n % 2) + n / 100, "xy"[n % 2]) for n in range(8) for rater in "AB"]
    with pytest.raises(NotEnoughDataError, match=r"^No item of one group of 'group' lies at the level of any of"):
        differential_functioning(grouped(apart), between="group")


def test_units_with_one_rating_have_no_level_and_the_criterion_is_named_first():
    answers = differential._Answers(
        "fluency", ["A", "B"], np.array([[1.0, np.nan], [np.nan, 2.0]]), np.array(["x", "y"], dtype=object), False
    )
    with pytest.raises(NotEnoughDataError, match=r"^fluency: no unit of 'x' or 'y' has two ratings"):
        differential._tested(answers, "x", "y", correct=False, purify=True, confidence=0.95)


def test_one_criterion_has_no_other_to_be_matched_by():
    with pytest.raises(NotEnoughDataError, match="one criterion only"):
        differential._criteria(grouped([("i1", "A", 1.0, "x"), ("i2", "B", 2.0, "y")]), "group")


def test_a_focal_group_is_lower_or_higher_by_the_sign():
    rng = np.random.default_rng(8)
    rows = [
        (f"i{n}", rater, round(quality + 3.0 * (rater == "C" and n % 2) + rng.normal(0, 0.3), 1), "xy"[n % 2])
        for n, quality in enumerate(rng.integers(1, 9, 150).tolist()) for rater in "ABCDE"
    ]  # fmt: skip
    for reference, focal, word in (("x", "y", "higher"), ("y", "x", "lower")):
        first = differential_functioning(grouped(rows), between="group", reference=reference)[0]
        assert first.words == f"{focal} gets {word} values at equal level"


def test_chance_implied_by_agreement_and_kappa_gives_the_kappa_again():
    found = implied_chance(Printed.of("0.80"), Printed.of("0.55"))
    assert (0.80 - found.value) / (1 - found.value) == pytest.approx(0.55)
    assert found.low < found.value < found.high
    assert implied_chance(Printed.of("80%"), Printed.of("0.55")).value == pytest.approx(found.value)


def above_fleiss(alpha):
    both = {"krippendorff_alpha": Printed.of(alpha), "fleiss_kappa": Printed.of("0.501")}
    return list(_alpha_against_fleiss(Made(printed=both, items=0, raters=0, title="a row", level=Level.NOMINAL)))


def test_alpha_may_exceed_fleiss_by_a_fiftieth_where_the_ratings_are_not_counted():
    assert above_fleiss("0.521") == []
    (seen,) = above_fleiss("0.522")  # a fiftieth, and one step of rounding
    assert seen.evidence["difference"] == pytest.approx(0.021)


def test_the_advice_against_few_items_is_to_have_more():
    assert FINDINGS["few_items"].advice.startswith("Have more items rated by two raters")


def test_up_to_three_strict_raters_are_named_and_the_rest_counted():
    def cause(name):
        return Made(who=(name,), severity=Severity.NOTE, effect=None, findings=(Made(code="severe_rater"),))

    assert _joined([cause(name) for name in "ABC"])[-1].title.startswith("A, B and C score apart")
    assert _joined([cause(name) for name in "ABCDE"])[-1].title.startswith("A, B, C and 2 more score apart")


def test_a_ratio_of_variances_is_that_of_both():
    assert _ratio(1.0, 4.0) == 0.25


def test_reading_a_file_gives_the_same_findings_whatever_the_order_of_raters(honest_table):
    table = honest_table(9, items=40)
    table[:, 1] = table[:, 0]
    frames = [
        {"item": [f"i{i}" for i in range(40) for _ in order], "rater": [f"r{r}" for _ in range(40) for r in order],
         "value": [table[i, r] for i in range(40) for r in order]}
        for order in ([0, 1, 2, 3], [3, 1, 0, 2])
    ]  # fmt: skip
    told = [
        {(one.code, frozenset(one.who)) for one in accord.diagnose(build_ratings(frame, level="ordinal")).findings}
        for frame in frames
    ]
    assert told[0] == told[1]
    assert ("duplicated_raters", frozenset({"r0", "r1"})) in told[0]


def test_a_value_given_again_is_expected_as_often_as_the_others_repeat_it(make_part):
    table = np.array([[1, 2, 1], [1, 1, 2], [2, 1, 2], [2, 1, 1], [1, 2, 2]], dtype=float)
    part = make_part(table)
    order = np.lexsort((part.place, part.rater))
    rater, code = part.rater[order], part.code[order]
    found = _repeats_of_others(part, rater, code)
    for row, (who, value) in enumerate(zip(rater, code, strict=True)):
        others = [table[:, other] - 1 for other in range(3) if other != who]
        followed = sum(int((column[:-1] == value).sum()) for column in others)
        again = sum(int(((column[:-1] == value) & (column[1:] == value)).sum()) for column in others)
        own = np.mean(table[:, who] - 1 == value)
        assert found[row] == pytest.approx((again + 5 * own) / (followed + 5))


def test_a_value_that_hardly_anybody_gave_is_named_with_its_place(make_part, honest_table):
    table = np.clip(honest_table(3, items=300), 2, 5)
    table[7, 1] = 1
    (seen,) = stray_values(case_of(make_part(table)))
    assert seen.message.startswith("the value 1 occurs only 1 time in 1,200 ratings (item i8 by r2)")
    table[:2, 0] = 1
    table = table[:250]
    assert list(stray_values(case_of(make_part(table)))) == []


def test_levels_with_missing_cells_are_those_of_least_squares():
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(12, 3)) + np.array([0.0, 1.0, -1.0]) + rng.normal(size=(12, 1))
    scores[[0, 3, 7], [1, 0, 2]] = np.nan
    unit, studied = np.nonzero(~np.isnan(scores))
    design = np.zeros((len(unit), 15))
    design[np.arange(len(unit)), unit] = 1
    design[np.arange(len(unit)), 12 + studied] = 1
    fitted = np.linalg.lstsq(design, scores[unit, studied], rcond=None)[0]
    assert differential._levels(scores) == pytest.approx(fitted[:12] + fitted[12:].mean(), abs=1e-6)


def test_a_criterion_on_which_all_are_alike_parts_nothing():
    rows = [(f"i{n}", "A", value, criterion) for n in range(8)
            for criterion, value in (("fluency", 3.0), ("adequacy", 1.0 if n < 4 else 5.0))]  # fmt: skip
    ratings = build_ratings(
        {name: [row[at] for row in rows] for at, name in enumerate(("item", "rater", "value", "criterion"))},
        level="interval",
    )
    found = score_patterns(ratings, clusters=2)
    assert found.silhouette == pytest.approx(1)
    assert sorted(found.labels.values()) == [1] * 4 + [2] * 4


def test_what_an_additive_fit_leaves_is_free_of_items_and_raters(make_part, honest_table):
    table = honest_table(6, items=20, raters=3)
    fit = crossed_fit(make_part(table))
    centred = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    assert np.sort(fit.residual) == pytest.approx(np.sort(centred.ravel()), abs=1e-9)
    variance = np.square(centred).sum() / fit.freedom
    assert fit.freedom == 19 * 2
    assert fit.error == pytest.approx(np.full(3, np.sqrt(variance * (1 - 1 / 3) / 20)))


def test_generalizability_counts_items_and_raters_of_the_table(make_part, honest_table):
    table = honest_table(7, items=25, raters=4)
    found = generalizability(make_part(table))
    assert (found.items, found.raters, found.future_raters) == (25, 4, 4)
    assert 0 < found.absolute <= found.relative < 1


def test_progress_ends_at_its_total(make_ratings, honest_table):
    told = []
    diagnose(make_ratings(honest_table(8, items=12)), progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == list(range(1, told[0][1] + 1))


def test_how_sure_the_use_of_values_is_follows_the_plainest_rater(make_part):
    rng = np.random.default_rng(0)
    table = np.repeat(rng.integers(1, 4, (300, 1)).astype(float), 4, axis=1)
    table[:40, 2] = 3
    alone = own_use_of_scale(case_of(make_part(table, scale=(1, 2, 3))))
    table[:200, 3] = 1
    (both,) = own_use_of_scale(case_of(make_part(table, scale=(1, 2, 3))))
    assert {"r3", "r4"} <= set(both.who)
    assert "below 1e-12" in both.sure and all("below 1e-12" not in seen.sure for seen in alone)


def test_a_copied_run_counts_only_items_on_which_one_of_two_left_the_usual_value(make_part):
    rng = np.random.default_rng(1)
    same = np.where(np.arange(60) % 2, 3, rng.choice([1, 2, 4, 5], 60))
    one, other = (rng.choice([1, 2, 3, 3, 3, 4, 5], 60) for _ in range(2))
    table = np.column_stack([np.concatenate((same, one)), np.concatenate((same, other))]).astype(float)
    equal = (table[:, 0] == table[:, 1])[(table != 3).any(axis=1)]
    (seen,) = copied_runs(case_of(make_part(table)))
    assert seen.evidence["run"] == int(np.flatnonzero(~equal)[0])
    assert seen.message.startswith(f"r1 and r2 are equal in {seen.evidence['run']} informative items in a row")
