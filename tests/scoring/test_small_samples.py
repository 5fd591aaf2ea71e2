"""Few errors in few words, and sets of few segments."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, poisson

import accord
from accord.errors import AccordError
from accord.scoring import Variation, error_rate, operating_curve, sample_segment_sets, sampling_plan

POISSON = Variation(dispersion=1, severity=0)


def test_five_errors_in_a_thousand_words_have_the_interval_of_the_industry_if_nothing_varies():
    rate = error_rate(5, 1000, variation=POISSON)
    assert (rate.interval.low, rate.interval.high) == pytest.approx((1.6, 11.7), abs=0.05)


@given(st.integers(0, 200), st.integers(1, 20_000), st.floats(0.5, 0.99))
@settings(max_examples=50)
def test_the_interval_is_garwoods_where_documents_and_reviewers_do_not_vary(errors, words, level):
    interval = error_rate(errors, words, level=level, variation=POISSON).interval
    tail = (1 - level) / 2
    low = chi2.ppf(tail, 2 * errors) / 2 if errors else 0
    assert interval.low * words / 1000 == pytest.approx(low, rel=1e-6)
    assert interval.high * words / 1000 == pytest.approx(chi2.ppf(1 - tail, 2 * errors + 2) / 2, rel=1e-6)


@pytest.mark.parametrize(("errors", "verdict"), [(1, "UNDECIDED"), (8, "UNDECIDED"), (30, "UNDECIDED"), (80, "FAIL")])
def test_a_small_sample_may_be_undecided(errors, verdict):
    assert error_rate(errors, 1000, acceptable=10).verdict == verdict


def test_one_critical_error_fails_a_count_that_would_pass():
    counts = [2, 3, 1, 2]
    assert error_rate(counts, 5000, acceptable=10).verdict == "PASS"
    rate = error_rate(counts, 5000, acceptable=10, criticals=1)
    assert rate.verdict == "FAIL"
    assert str(rate).endswith("FAIL against 10: 1 critical error, and one is enough to fail")


def test_critical_errors_are_among_the_errors_counted():
    with pytest.raises(AccordError, match="There cannot be 1 critical error among 0"):
        error_rate(0, 1000, criticals=1)


def test_a_sample_that_can_never_pass_is_told_in_a_line_and_not_in_a_curve():
    never = accord.mqm(count=5, words=1000, acceptable=10)
    assert never.words[0] == "With one reviewer 1,000 words can never pass against 10, not even without an error."
    assert not never.tables()
    assert error_rate(0, 1000, acceptable=10).verdict == "UNDECIDED"
    may = accord.mqm(count=5, words=5000, acceptable=10)
    assert may.tables()[0].title.startswith("Operating curve")
    assert not any("never pass" in line for line in may.words)


def test_a_critical_error_is_named_as_the_cause_and_no_curve_beside_it():
    failed = accord.mqm(count=5, words=5000, acceptable=10, criticals=1)
    assert failed.opening[0].endswith("FAIL against 10: 1 critical error, and one is enough to fail.")
    assert not failed.tables()


@pytest.mark.parametrize(
    ("given_options", "said"),
    [
        ({}, "How much documents and reviewers vary is taken from"),
        ({"dispersion": 2.0}, "How much reviewers vary is taken from"),
        ({"reviewer_spread": 0.3}, "How much documents vary is taken from"),
        ({"dispersion": 2.0, "reviewer_spread": 0.3}, "How much documents and reviewers vary is as given."),
    ],
)
def test_only_what_nobody_gave_is_said_to_be_taken_from_elsewhere(given_options, said):
    lines = accord.mqm(count=5, words=1000, **given_options).words
    assert any(line.startswith(said) for line in lines)


def test_critical_errors_of_no_sample_are_not_dropped_without_a_word():
    with pytest.raises(AccordError, match=r"criticals.* are of a sample: give --count"):
        accord.mqm(words=1000, criticals=1)


@pytest.mark.parametrize("severity", [0.0, 0.59, 1.5])
@pytest.mark.parametrize("dispersion", [1.0, 3.3, 9.6])
def test_more_errors_never_reach_less_far(dispersion, severity):
    variation = Variation(dispersion=dispersion, severity=severity)
    ends = [variation.ends(count, 1, 0.95) for count in range(30)]
    assert ends == sorted(ends) and [high for _, high in ends] == sorted(high for _, high in ends)


@pytest.mark.parametrize("errors", [0, 1, 2, 4, 16, 30])
def test_what_would_decide_does_decide_if_the_rate_stays(errors):
    now = error_rate(errors, 1000, acceptable=10)
    reviewers, words = re.search(r"; (\d+) reviewers? and about ([\d,]+) words would", str(now)).groups()
    many = int(words.replace(",", ""))
    for rounded in (math.floor, math.ceil):
        then = error_rate([rounded(errors * many / 1000)] * int(reviewers), many, acceptable=10)
        assert then.verdict == ("PASS" if errors < 10 else "FAIL")


def test_the_operating_curve_adds_to_one_and_keeps_its_promise_at_the_acceptable_rate():
    points = operating_curve(2000, 10, level=0.9, rates=[1, 10, 40], variation=POISSON)
    for point in points:
        assert point.passes + point.undecided + point.fails == pytest.approx(1)
    good, edge, bad = points
    assert good.passes > 0.99
    assert bad.fails > 0.99
    assert edge.passes <= 0.05
    assert edge.fails <= 0.05


def test_the_operating_curve_equals_counting_every_outcome():
    (point,) = operating_curve(1500, 6, rates=[5], variation=POISSON)
    chances = {"PASS": 0.0, "UNDECIDED": 0.0, "FAIL": 0.0}
    for errors in range(200):
        chances[str(error_rate(errors, 1500, acceptable=6, variation=POISSON).verdict)] += poisson.pmf(errors, 7.5)
    assert (point.passes, point.undecided, point.fails) == pytest.approx(tuple(chances.values()), abs=1e-9)


def test_a_sampling_plan_keeps_both_risks_and_one_error_fewer_would_not():
    plan = sampling_plan(2, 8, alpha=0.05, beta=0.1, variation=POISSON)
    assert plan.reviewers == 1
    assert plan.producer_risk == pytest.approx(1 - poisson.cdf(plan.accept, 2 * plan.words / 1000))
    assert plan.consumer_risk == pytest.approx(poisson.cdf(plan.accept, 8 * plan.words / 1000))
    assert plan.producer_risk <= 0.05
    assert plan.consumer_risk <= 0.1
    fewer = plan.accept - 1
    least = 1000 * chi2.ppf(0.9, 2 * fewer + 2) / 2 / 8
    assert 1 - poisson.cdf(fewer, 2 * least / 1000) > 0.05


def test_reviewers_who_differ_make_more_reviewers_needed_than_any_number_of_words():
    plan = sampling_plan(10, 25)
    spread, needed = 0.59, np.log(25 / 10)
    assert plan.reviewers >= (spread * (1.6449 + 1.2816) / needed) ** 2
    assert plan.producer_risk <= 0.05
    assert plan.consumer_risk <= 0.1
    assert f"Have {plan.reviewers} reviewers" in str(plan)


def test_chances_of_counts_are_those_of_a_negative_binomial_mixed_over_reviewers():
    from scipy.stats import nbinom, norm

    from accord.scoring.error_rates import ERRORS

    found = ERRORS.at_most(12, 20.0, 2)
    places = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    means = 20 * np.exp(places * 0.59 / np.sqrt(2))
    assert found == pytest.approx(nbinom.cdf(12, means / 2.3, 1 / 3.3).mean(), abs=0.002)


def test_one_reviewer_seldom_decides_and_what_would_is_said_and_true():
    import re

    rate = error_rate(5, 1000, acceptable=10, reviewers=["Ann"])
    assert "by Ann" in str(rate)
    assert rate.verdict == "UNDECIDED"
    reviewers, words = map(
        int, re.search(r"(\d+) reviewers? and about ([\d,]+) words", str(rate).replace(",", "")).groups()
    )
    errors = 5 * words // 1000
    assert error_rate([errors] * reviewers, words, acceptable=10).verdict == "PASS"
    assert error_rate([errors] * reviewers, words // 2, acceptable=10).verdict != "PASS"


def test_several_reviewers_narrow_the_interval_and_must_be_as_many_as_their_names():
    alone, three = error_rate(20, 1000).interval, error_rate([20, 20, 20], 1000).interval
    assert alone.low < three.low < 20 < three.high < alone.high
    with pytest.raises(AccordError, match="one for each"):
        error_rate([1, 2], 1000, reviewers=["Ann"])


def test_the_interval_covers_what_ten_professional_reviewers_find_together(data):
    import pandas as pd

    from accord.scoring.error_rates import ERRORS, POINTS

    table = pd.read_csv(data / "mqm3_wmt23_ende.csv").assign(points=lambda t: -t.score)
    cells = table.groupby(["system", "document", "rater"]).agg(
        errors=("n_errors", "sum"), points=("points", "sum"), segments=("seg", "nunique")
    ).reset_index()  # fmt: skip
    rng = np.random.default_rng(1)
    for column, variation in (("errors", ERRORS), ("points", POINTS)):
        held, poisson_held, tried = 0, 0, 0
        for _, system in cells.groupby("system"):
            truth = system[column].sum() / system.segments.sum()
            for _, own in system.groupby("rater"):
                part = own.iloc[rng.permutation(len(own))[:3]]
                low, high = variation.ends(float(part[column].sum()), 1, 0.95)
                held += low <= truth * part.segments.sum() <= high
                low, high = POISSON.ends(float(part[column].sum()), 1, 0.95)
                poisson_held += low <= truth * part.segments.sum() <= high
                tried += 1
        assert held / tried >= 0.93
        assert poisson_held / tried < 0.6


def test_the_interval_of_the_mean_shrinks_with_the_root_of_the_number_of_segments():
    rng = np.random.default_rng(3)
    pool = rng.normal(70, 15, 2000)
    sets = {s.segments: s for s in sample_segment_sets(pool, rng, replicates=4000)}
    assert set(sets) >= {10, 100, 200, 500}
    assert sets[10].width / sets[500].width == pytest.approx(np.sqrt(50), rel=0.08)
    assert sets[100].deviation == pytest.approx(pool.std() / 10, rel=0.06)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: error_rate(1, 0), "0 words"),
        (lambda: error_rate(-1, 10), "-1 errors"),
        (lambda: error_rate(1, 10, level=1.2), "not possible"),
        (lambda: operating_curve(100, 0), "must be > 0"),
        (lambda: sampling_plan(5, 5), "must lie above the good rate"),
        (lambda: sample_segment_sets([1.0], np.random.default_rng(1)), "at least two segments"),
    ],
)
def test_bad_small_samples_are_told_in_words(call, words):
    with pytest.raises(AccordError) as error:
        call()
    assert words in str(error.value)
