"""The numbers of Gladkoff, Han and Nenadic (2023), and the laws of their intervals."""

import csv
from math import inf, isnan, log, sqrt
from pathlib import Path

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

import accord
from accord.errors import AccordError, InputError, OptionError
from accord.scoring import (
    Law,
    Prior,
    Verdict,
    alpha_of_k,
    half_width_factor,
    k_table,
    score,
    scores_needed,
    t_table,
)  # fmt: skip
from accord.scoring.student import critical_value, standardised_half_width

ALPHAS = (0.5, 1 / 3, 0.25, 0.2, 0.1, 0.05, 0.01)
PRINTED_UNKNOWN = (0.5, 1.87, 2.91, 3.94, 8.97, 18.99, 99)
# Printed 9.66 for alpha .05 should be 9.65, and 0.05 for alpha .5 should be 0.5 (docs/errata.md).
PRINTED_NORMAL = (0.5, 1.26, 1.8, 2.31, 4.79, 9.65, 48.39)


@pytest.mark.parametrize(("alpha", "printed"), list(zip(ALPHAS, PRINTED_UNKNOWN, strict=True)))
def test_k_of_an_unknown_law_equals_table_1(alpha, printed):
    assert half_width_factor(alpha, Law.UNKNOWN) == pytest.approx(printed, abs=0.005)


@pytest.mark.parametrize(("alpha", "printed"), list(zip(ALPHAS, PRINTED_NORMAL, strict=True)))
def test_k_of_the_normal_law_equals_table_1_where_it_is_right(alpha, printed):
    assert half_width_factor(alpha) == pytest.approx(printed, abs=0.005)


def test_k_to_five_decimals():
    normal = [row.normal for row in k_table(ALPHAS)]
    unknown = [row.unknown for row in k_table(ALPHAS)]
    assert normal == pytest.approx([0.5, 1.25788, 1.79854, 2.31246, 4.78729, 9.65294, 48.38898], abs=5e-6)
    assert unknown == pytest.approx([0.5, 1.86603, 2.91421, 3.93649, 8.97214, 18.98683, 98.99747], abs=5e-6)


def brute_force_coverage(k):
    """Smallest coverage over a grid of distances between prior and truth, straight from the definition."""
    delta = np.linspace(1e-3, 8, 4000)
    a = (2 * k - 1) / (2 * k + 1)
    # The interval misses when z lies between -delta/a and -delta*a (delta is the distance of truth and prior).
    return 1 - np.max(norm.cdf(-delta * a) - norm.cdf(-delta / a))


@pytest.mark.parametrize("alpha", [0.4, 0.25, 0.2, 0.1, 0.05])
def test_k_of_the_normal_law_has_exactly_the_coverage_it_promises(alpha):
    assert brute_force_coverage(half_width_factor(alpha)) == pytest.approx(1 - alpha, abs=1e-5)


@pytest.mark.parametrize("law", Law)
def test_simulated_intervals_cover_at_least_as_often_as_they_say(law):
    rng = np.random.default_rng(7)
    k = half_width_factor(0.2, law)
    for distance in (0.05, 0.5, 1, 2, 5):
        truth = distance
        y = truth + (rng.standard_normal(40_000) if law is Law.NORMAL else rng.uniform(-1, 1, 40_000))
        covered = np.abs(truth - y / 2) <= k * np.abs(y)
        assert covered.mean() > 0.8 - 0.007


def test_a_k_below_one_half_covers_nothing_in_the_worst_case():
    assert alpha_of_k(0.05) == 1.0
    assert alpha_of_k(0.5) == 0.5
    assert alpha_of_k(inf) == 0.0


@given(st.floats(1e-6, 0.5), st.sampled_from(list(Law)))
@settings(max_examples=60)
def test_alpha_and_k_are_inverse_and_k_is_never_below_one_half(alpha, law):
    k = half_width_factor(alpha, law)
    assert k >= 0.5
    assert alpha_of_k(k, law) == pytest.approx(alpha, rel=1e-6)
    assert half_width_factor(alpha, Law.NORMAL) <= half_width_factor(alpha, Law.UNKNOWN) + 1e-12


def test_the_case_of_one_score_at_75_and_80_percent():
    result = score([85.2], prior=96.3, confidence=(0.75, 0.8))
    three_quarters, four_fifths = result.intervals
    assert three_quarters.centre == pytest.approx(90.75, abs=0.005)
    # The paper multiplies by the rounded k.
    assert round(three_quarters.factor, 1) * 11.1 == pytest.approx(19.98, abs=0.005)
    assert round(four_fifths.factor, 2) * 11.1 == pytest.approx(25.64, abs=0.005)
    assert three_quarters.centre - round(three_quarters.factor, 1) * 11.1 == pytest.approx(70.77, abs=0.005)
    assert three_quarters.centre + round(three_quarters.factor, 1) * 11.1 == pytest.approx(110.73, abs=0.005)
    assert three_quarters.raw.low == pytest.approx(90.75 - 1.79854 * 11.1, abs=0.0001)
    assert three_quarters.raw.high == pytest.approx(90.75 + 1.79854 * 11.1, abs=0.0001)
    assert three_quarters.clipped.low == three_quarters.raw.low
    assert three_quarters.clipped.high == 100
    assert four_fifths.clipped.low == pytest.approx(65.1, abs=0.05)
    assert four_fifths.clipped.high == 100
    assert three_quarters.relative == pytest.approx(0.22, abs=0.005)
    assert 2 * three_quarters.relative == pytest.approx(0.44, abs=0.005)
    assert four_fifths.relative == pytest.approx(0.2825, abs=0.0005)  # not the printed 25 %


def test_the_case_of_one_score_without_a_known_law():
    three_quarters, four_fifths = score([85.2], prior=96.3, confidence=(0.75, 0.8), law=Law.UNKNOWN).intervals
    assert three_quarters.half_width == pytest.approx(32.35, abs=0.005)
    assert four_fifths.half_width == pytest.approx(43.70, abs=0.005)


def test_the_case_of_two_scores():
    result = score([76.85, 81.99], threshold=80)
    (interval,) = result.intervals
    assert interval.centre == pytest.approx(79.42, abs=0.005)
    assert result.deviation == pytest.approx(3.6345, abs=0.00005)
    assert interval.factor == pytest.approx(3.078, abs=0.0005)
    assert interval.half_width == pytest.approx(7.91, abs=0.005)
    assert interval.half_width == pytest.approx(interval.factor * (81.99 - 76.85) / 2)
    assert interval.raw.width == pytest.approx(15.8, abs=0.05)
    assert (interval.raw.low, interval.raw.high) == pytest.approx((71.51, 87.33), abs=0.005)
    assert interval.relative == pytest.approx(0.0996, abs=0.00005)


def test_the_ratio_agreement_of_two_scores_both_ways():
    ratio = score([76.85, 81.99]).ratio
    assert 100 * ratio.greater == pytest.approx(6.7, abs=0.05)
    assert 100 * ratio.less == pytest.approx(6.3, abs=0.05)
    assert "agreement 93.3%" in str(ratio)
    assert "agreement 93.7%" in str(ratio)


def test_two_scores_below_the_threshold_are_a_borderline_fail_and_without_history_no_probability_is_said():
    decision = score([76.85, 81.99], threshold=80).decision
    assert decision.verdict is Verdict.BORDERLINE_FAIL
    # Scores alone do not say how true values vary: .571 by t was right in .40 of simulated cases that said .65.
    assert isnan(decision.probability_below)
    assert "probability" not in str(decision)


def test_two_scores_are_more_than_twice_as_narrow_as_the_other_single_score_but_only_half_so_on_the_same_data():
    one_other = score([85.2], prior=96.3).intervals[0].relative
    one_same = score([76.85], prior=81.99).intervals[0]
    two = score([76.85, 81.99]).intervals[0]
    assert one_other / two.relative == pytest.approx(2.84, abs=0.005)
    assert round(one_same.factor, 2) * (81.99 - 76.85) == pytest.approx(11.87, abs=0.005)
    assert one_same.half_width == pytest.approx(2.31246 * (81.99 - 76.85), abs=0.0001)
    assert one_same.half_width / two.half_width == pytest.approx(1.5, abs=0.005)
    assert score([76.85], prior=81.99).gains[0].factor == pytest.approx(1.5, abs=0.005)


def test_all_620_cells_of_the_t_table_equal_print():
    with (Path(__file__).parent / "critical_t.csv").open() as file:
        printed = [row[1:] for row in csv.reader(file)][1:]
    # The first column, of 50% confidence, is not in the printed table.
    computed = [[f"{value:.3f}" for value in row.values[1:]] for row in t_table()]
    assert [row.values[0] for row in t_table()[:3]] == pytest.approx([1.0, 0.816, 0.765], abs=0.0005)
    assert sum(map(len, computed)) == 620
    assert computed == printed


def test_critical_values_at_one_degree_of_freedom_equal_figure_1():
    levels = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
    assert [critical_value(level, 2) for level in levels] == pytest.approx(
        [1.0, 3.078, 6.314, 12.706, 31.821, 63.657], abs=0.0005
    )


def test_half_widths_in_standard_deviations_by_number_of_scores():
    at_80 = [standardised_half_width(0.8, n) for n in range(2, 7)]
    at_95 = [standardised_half_width(0.95, n) for n in range(2, 7)]
    assert at_80 == pytest.approx([2.176, 1.089, 0.819, 0.686, 0.603], abs=0.0005)
    assert at_95 == pytest.approx([8.985, 2.484, 1.591, 1.242, 1.049], abs=0.0005)


def test_any_number_of_scores_uses_t_and_the_paper_has_the_normal_law_above_thirty():
    values = list(np.linspace(60, 90, 31))
    assert score(values).intervals[0].factor == pytest.approx(t.ppf(0.9, 30))
    assert score(values, method="paper").intervals[0].factor == pytest.approx(norm.ppf(0.9))
    assert score(values[:30], method="paper").intervals[0].factor == pytest.approx(t.ppf(0.9, 29))
    assert "normal distribution" in score(values, method="paper").intervals[0].raw.method


def test_critical_values_have_one_tail_or_two():
    assert critical_value(0.95, 5, tails=1) == pytest.approx(t.ppf(0.95, 4))
    assert critical_value(0.95, 5) == pytest.approx(t.ppf(0.975, 4))
    with pytest.raises(AccordError, match="one tail or two"):
        critical_value(0.95, 5, tails=3)
    with pytest.raises(AccordError, match="two scores or more"):
        critical_value(0.8, 1)


def test_equal_scores_are_judged_by_what_may_be_unseen_and_say_that_they_have_no_spread():
    same = score([1, 1, 1], threshold=4, scale=(1, 5)).decision
    assert same.verdict is score([1, 2, 2], threshold=4, scale=(1, 5)).decision.verdict is Verdict.FAIL
    assert "all 3 scores are equal, without spread; judged as if up to 42% of such scores may lie anywhere" in str(same)
    assert score([1, 1, 1], threshold=1.3, scale=(1, 5)).decision.verdict is Verdict.BORDERLINE_FAIL
    passed = score([100, 100], threshold=95)
    assert passed.decision.verdict is Verdict.BORDERLINE_PASS
    assert "both scores are equal" in str(passed.decision)
    assert "nan" not in str(passed)
    assert passed.intervals[0].words == "100.00, with no interval"
    assert "the true mean then lies between 44.72 and 100 (80% interval)" in passed.cautions[0]
    assert str(passed.ratio) == "the scores are equal, 100 (agreement 100.0%)"


@pytest.mark.parametrize(
    ("values", "threshold", "scale", "confidence", "verdict"),
    [
        ([1, 1, 1], 4, (1, 7), 0.8, Verdict.FAIL),  # as 1 2 2 does: no spread weakens no clear verdict
        ([2, 2, 2], 4, (1, 7), 0.8, Verdict.FAIL),
        ([1, 1], 0.8, (0, 1), 0.8, Verdict.BORDERLINE_PASS),
        ([1] * 8, 0.8, (0, 1), 0.8, Verdict.PASS),
        ([1] * 8, 0.8, (0, 1), 0.95, Verdict.BORDERLINE_PASS),
        ([3, 3], 2.5, (1, 3), 0.8, Verdict.BORDERLINE_PASS),
        ([5, 5], 4, (1, 5), 0.8, Verdict.BORDERLINE_PASS),
        ([90, 90], 80, (0, 100), 0.8, Verdict.PASS),
        ([90, 90], 80, (0, 100), 0.99, Verdict.BORDERLINE_PASS),
        ([90] * 5, 80, (0, 100), 0.99, Verdict.PASS),
        ([100, 100], 80, (0, 100), 0.8, Verdict.BORDERLINE_PASS),
    ],
)
def test_equal_scores_pass_only_where_number_confidence_and_steps_of_the_scale_allow(
    values, threshold, scale, confidence, verdict
):
    assert score(values, threshold=threshold, scale=scale, confidence=confidence).decision.verdict is verdict


def test_a_mean_at_the_threshold_itself_is_said_to_be_there():
    assert "the mean is the threshold itself" in str(score([84, 86], threshold=85).decision)


@pytest.mark.parametrize("method", ["t", "paper"])
def test_what_one_more_score_gains_starts_from_the_interval_that_is_shown(method):
    found = score([60 + place % 9 for place in range(35)], method=method)
    assert found.gains[0].now == pytest.approx(found.intervals[0].half_width, rel=1e-12)


def test_what_a_further_score_gains_cannot_be_read_as_a_value_of_a_score():
    assert str(score([84, 86]).gains[0]).startswith("One more score would bring the 80% interval from ±")
    assert str(score([85], prior=90).gains[0]).startswith("A second score would bring the 80% interval from ±")


def test_what_a_further_score_gains_of_a_lopsided_interval_is_said_as_its_width():
    found = score([99.1, 98.7])
    assert found.intervals[0].is_lopsided
    width = f"{found.intervals[0].raw.width:.2f}"
    assert str(found.gains[0]).startswith(f"One more score would bring the 80% interval from {width} wide to about ")
    assert "±" not in str(found.gains[0])


@pytest.mark.parametrize("value", [0.1, 40.0, 79.9, 80.0, 90.0, 99.9])
@pytest.mark.parametrize("prior", [10.0, 81.0, 99.0])
def test_one_score_is_at_best_borderline(value, prior):
    decision = score([value], prior=prior, threshold=80).decision
    assert decision.verdict is (Verdict.BORDERLINE_PASS if value >= 80 else Verdict.BORDERLINE_FAIL)
    assert "never more than borderline" in str(decision)


@pytest.mark.parametrize(("values", "words"), [
    ([10, 95], "95 is 9.5 times 10 (no agreement); 10 is 89.5% less than 95 (agreement 10.5%)"),
    ([0, 80], "80 cannot be put as a ratio of 0; 0 is 100.0% less than 80 (agreement 0.0%)"),
])  # fmt: skip
def test_a_ratio_is_never_a_negative_agreement(values, words):
    ratio = score(values).ratio
    assert str(ratio) == words
    assert "-" not in str(ratio)
    assert ratio.to_dict()["highest_agrees"] is None
    assert score([0, 0]).ratio is None


def test_near_an_end_the_interval_holds_the_mean_of_every_law_with_a_tenth_of_rare_scores():
    values = [96.0, 97.0, 98.0]
    plain, made = score(values, method="t").intervals[0].raw, score(values).intervals[0].raw
    # The worst laws: a tenth of all scores at 0, or at 100, and the others with a mean that t just allows.
    assert (made.low, made.high) == pytest.approx((0.9 * plain.low, 0.9 * plain.high + 10))
    turned = score([100 - value for value in values]).intervals[0].raw
    assert (100 - turned.high, 100 - turned.low) == pytest.approx((made.low, made.high))


def test_many_scores_near_an_end_leave_less_room_for_what_did_not_show():
    values = [96.0, 97.0, 98.0] * 20
    plain, made = score(values, method="t").intervals[0].raw, score(values).intervals[0].raw
    missed = 1 - made.low / plain.low
    assert (1 - missed) ** 60 == pytest.approx(0.1)


def test_near_the_threshold_scores_near_the_ceiling_are_borderline_and_say_what_t_would_say():
    assert score([96, 97, 98], threshold=80).decision.verdict is Verdict.PASS
    near = score([96, 97, 98], threshold=95)
    assert near.decision.verdict is Verdict.BORDERLINE_PASS
    assert near.decision.reason == "scores near an end of the scale; Student's t alone would say PASS"
    assert score([96, 97, 98], threshold=95, method="t").decision.verdict is Verdict.PASS
    assert "--method t) gives 97.00 ± 1.09." in near.cautions[0]
    assert score([76, 78, 79]).intervals[0] == score([76, 78, 79], method="t").intervals[0]


def test_history_draws_scores_to_it_and_gives_a_probability_by_brute_force():
    from accord.scoring.shrinkage import shrink

    earlier, values, sigma = [[82.0], [88.0], [85.0], [79.0], [86.0]], [76.0, 78.0], 3.0
    law = shrink(values, earlier, sigma)
    rng = np.random.default_rng(1)
    # Draw the share of true differences, weigh by the likelihood of all means, draw the true value.
    share = rng.uniform(0, 1, 400_000)
    tau2 = sigma**2 * share / (1 - share)
    means = np.array([work[0] for work in earlier])
    log = -2 * np.log(tau2 + sigma**2) - 2 * means.var() * 5 / 4 / (tau2 + sigma**2)
    prior, error = tau2 + (tau2 + sigma**2) / 5, sigma**2 / 2
    log += -0.5 * np.log(prior + error) - 0.5 * (77 - means.mean()) ** 2 / (prior + error)
    weight = np.exp(log - log.max())
    pull = prior / (prior + error)
    truth = rng.normal(pull * 77 + (1 - pull) * means.mean(), np.sqrt(pull * error))
    assert law.centre == pytest.approx(np.average(truth, weights=weight), abs=0.03)
    assert law.below(80) == pytest.approx(np.average(truth < 80, weights=weight), abs=0.01)
    assert law.below(law.quantile(0.9)) == pytest.approx(0.9)
    assert 77 < law.centre < means.mean()


def test_a_history_says_a_probability_only_if_the_error_of_a_score_is_known():
    works = ((80.0,), (84.0,), (88.0,), (83.0,))
    prior = Prior(value=83.75, earlier=(80, 84, 88, 83), works=works)
    alone = score([78], prior=prior, threshold=80)
    assert isnan(alone.decision.probability_below)
    assert any("two scores of one of them" in caution for caution in alone.cautions)
    known = score([78], prior=prior, threshold=80, spread=2.0)
    assert 0.5 < known.decision.probability_below < 1
    assert "with the earlier evaluations" in str(known.decision)
    assert score([78, 79], prior=prior, threshold=80).decision.probability_below > 0.5


def test_a_history_of_few_works_says_what_its_probability_is_worth():
    works = tuple((value, value + 3.0) for value in (80.0, 85.0, 87.0, 82.0, 88.0, 84.0, 90.0, 81.0, 86.0, 83.0))

    def said(number):
        prior = Prior(value=85.0, earlier=sum(works[:number], ()), works=works[:number])
        return " ".join(score([78], prior=prior, threshold=80).cautions)

    assert "three earlier works" in said(2)
    assert "Fewer than 10 earlier works" in said(3)
    assert "earlier works" not in said(10)


def test_kappa_in_frequencies_equals_kappa_in_proportions():
    first, second = [1, 1, 1, 2, 2, 2, 2, 2, 1, 2], [1, 1, 2, 2, 2, 2, 1, 2, 1, 2]
    rows = [
        {"item": str(place), "rater": rater, "value": value}
        for place, pair in enumerate(zip(first, second, strict=True))
        for rater, value in zip("ab", pair, strict=True)
    ]
    kappa = accord.agreement(
        accord.read(pandas.DataFrame(rows), level="nominal"), coefficients=["cohen_kappa"], interval="none"
    )
    # Equation 2: 8 items agree, by chance 4 * 4 / 10 + 6 * 6 / 10 would.
    assert kappa.groups[0].estimates[0].value == pytest.approx((8 - 5.2) / (10 - 5.2))


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([95.0, 96.0, 95.5], Verdict.PASS),
        ([81.0, 84.0], Verdict.BORDERLINE_PASS),
        ([76.0, 83.0], Verdict.BORDERLINE_FAIL),
        ([60.0, 61.0, 60.5], Verdict.FAIL),
    ],
)
def test_the_four_verdicts(values, verdict):
    assert score(values, threshold=80).decision.verdict is verdict


def test_one_score_is_said_to_be_only_indicative():
    result = score([85.2], prior=96.3, threshold=90)
    told = " ".join(result.cautions)
    for words in (
        "only indicative",
        "does not show a decline",
        "by-product",
        "fixed before the measurement",
        "different sides",
    ):
        assert words in told
    assert "signature" in result.to_dict()


def test_a_prior_computed_from_the_score_itself_is_warned_about():
    prior = Prior(value=90.0, origin="running mean", earlier=(95.0, 85.2))
    assert any("include 85.2" in caution for caution in score([85.2], prior=prior).cautions)


@given(
    st.lists(st.floats(0, 100).map(lambda x: round(x, 1)), min_size=2, max_size=40),
    st.floats(0.5, 0.99), st.floats(0, 100),
)  # fmt: skip
@settings(max_examples=60)
def test_intervals_hold_the_mean_grow_with_confidence_and_stay_on_the_scale_when_clipped(values, level, threshold):
    result = score(values, confidence=(level, 0.995), threshold=threshold)
    narrow, wide = result.intervals
    if len(set(values)) == 1:
        assert isnan(narrow.half_width)
        assert any("all equal" in caution for caution in result.cautions)
        return
    assert narrow.raw.low <= narrow.centre <= narrow.raw.high
    assert narrow.half_width <= wide.half_width
    assert 0 <= narrow.clipped.low <= narrow.clipped.high <= 100
    decision = result.decision
    assert ("PASS" in decision.verdict) == (narrow.raw.low >= threshold or narrow.centre >= threshold)
    assert isnan(decision.probability_below)


@given(st.floats(0.5, 30), st.floats(1, 80), st.floats(0.5, 0.99))
@settings(max_examples=40)
def test_the_scores_needed_reach_the_width_and_one_fewer_does_not(deviation, width, level):
    n = scores_needed(width, deviation, level)
    assert 2 * deviation * standardised_half_width(level, n) <= width
    assert n == 2 or 2 * deviation * standardised_half_width(level, n - 1) > width


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"values": [50]}, "Give what you expected before the measurement"),
        ({"values": [50], "prior": 50.0}, "interval of no width"),
        ({"values": [50], "prior": 60.0, "confidence": 0.4}, "0 < alpha <= 0.5"),
        ({"values": [50, 60], "threshold": 120}, "The threshold 120 lies off the scale from 0 to 100"),
        ({"values": [50, 160]}, "The score 160 lies off the scale"),
        ({"values": [50, float("nan")]}, "The score nan lies off the scale"),
        ({"values": [50], "prior": -3.0}, "The prior -3 lies off the scale"),
        ({"values": [50, 60], "confidence": 1.0}, "A confidence of 1 is not possible"),
        ({"values": [50, 60], "scale": (9, 1)}, "is not a scale"),
        ({"values": []}, "There is no score"),
    ],
)
def test_bad_input_is_told_in_one_clear_sentence(arguments, words):
    with pytest.raises((InputError, OptionError)) as error:
        score(**arguments)
    assert words in str(error.value)


def test_the_worst_distance_of_the_prior_is_where_the_closed_form_says():
    k = half_width_factor(0.2)
    a = (2 * k - 1) / (2 * k + 1)
    delta = sqrt(4 * log(1 / a) / (a**-2 - a**2))
    assert norm.cdf(delta / a) - norm.cdf(delta * a) == pytest.approx(0.2, abs=1e-9)
