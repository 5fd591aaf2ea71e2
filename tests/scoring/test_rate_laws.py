"""Laws of rates, tests over documents and what more would show: against counting by hand and against scipy."""

from itertools import pairwise, product
from math import inf, log, nan
from types import SimpleNamespace as Made

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import stats

from accord.design.scale import Direction
from accord.errors import InputError, OptionError
from accord.inference.interval import Interval
from accord.ratings.build import build_ratings
from accord.scoring import scarce
from accord.scoring.arf import Law, half_width_factor
from accord.scoring.assessment import _replication, _versions
from accord.scoring.calibrated import calibrated_score
from accord.scoring.decision import Verdict, decide
from accord.scoring.error_rates import (
    ERRORS,
    SmallSampleVerdict,
    Variation,
    _deciding,
    _plan_of,
    error_rate,
    operating_curve,
    sampling_plan,
    verdict_of,
)
from accord.scoring.gain import gain_of_one_more
from accord.scoring.mqm_reviewers import ReviewersApart
from accord.scoring.prior import Prior
from accord.scoring.ranking import document_tests
from accord.scoring.ranking.averages import other_leader
from accord.scoring.ranking.more_units import _round_part, _rounded, enough_for, more_to_tell
from accord.scoring.ranking.paired import Averaging
from accord.scoring.score_words import LEVELS, Level
from accord.scoring.student import ScoreMethod, critical_value, scores_needed, standardised_half_width

QUICK = settings(max_examples=15)
POISSON = Variation(dispersion=1, severity=0)


@QUICK
@given(some.integers(1, 60), some.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_a_count_without_further_variation_has_the_exact_interval_of_poisson(count, level):
    low, high = POISSON.ends(count, 1, level)
    tail = (1 - level) / 2
    assert low == pytest.approx(stats.chi2.ppf(tail, 2 * count) / 2)
    assert high == pytest.approx(stats.chi2.isf(tail, 2 * count + 2) / 2)
    assert stats.poisson.sf(count - 1, low) == pytest.approx(tail)
    assert stats.poisson.cdf(count, high) == pytest.approx(tail)


@pytest.mark.parametrize("reviewers", [1, 3])
@pytest.mark.parametrize("variation", [POISSON, ERRORS, Variation(dispersion=2, severity=0.2)])
def test_nothing_found_ends_where_nothing_would_be_as_improbable_as_the_tail(variation, reviewers):
    low, high = variation.ends(0, reviewers, 0.9)
    assert low == 0 and variation.at_most(0, high, reviewers) <= 0.05 + 1e-4
    ends = [variation.ends(count, reviewers, 0.9) for count in range(9)]
    assert all(one[0] <= other[0] and one[1] <= other[1] + 1e-9 for one, other in pairwise(ends))


def test_more_reviewers_narrow_and_more_variation_widens():
    one, three = ERRORS.ends(20, 1, 0.95), ERRORS.ends(20, 3, 0.95)
    assert one[0] < three[0] < 20 < three[1] < one[1]
    calm = POISSON.ends(20, 1, 0.95)
    assert three[0] < calm[0] < calm[1] < three[1]
    alone = Variation(dispersion=1, severity=0.5).ends(20, 4, 0.95)
    squares = [log(20 / calm[0]) ** 2, log(calm[1] / 20) ** 2]
    severe = (stats.norm.isf(0.025) * 0.5 / 2) ** 2
    assert [log(20 / alone[0]) ** 2, log(alone[1] / 20) ** 2] == pytest.approx([part + severe for part in squares])


def test_a_probability_of_counts_is_that_of_the_law():
    assert POISSON.at_most(4, 3.0, 1) == pytest.approx(stats.poisson.cdf(4, 3.0))
    assert POISSON.at_most(-1, 3.0, 1) == 0
    wide = Variation(dispersion=2.5, severity=0)
    assert wide.at_most(4, 3.0, 1) == pytest.approx(stats.nbinom.cdf(4, 3.0 / 1.5, 1 / 2.5))
    draws = np.random.default_rng(0).normal(0, 0.59 / np.sqrt(2), 200_000)
    mixed = stats.nbinom.cdf(4, 3.0 * np.exp(draws) / 2.3, 1 / 3.3).mean()
    assert ERRORS.at_most(4, 3.0, 2) == pytest.approx(mixed, abs=0.003)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (2, 10, "PASS"),
        (2, 10.1, "UNDECIDED"),
        (10, 12, "UNDECIDED"),
        (10.1, 12, "FAIL"),
        (1, 2, "PASS"),
    ],
)
def test_an_interval_that_ends_on_what_is_acceptable_passes(low, high, verdict):
    assert verdict_of(Interval(low=low, high=high, level=0.9, method="any"), 10) is SmallSampleVerdict(verdict)


@pytest.mark.parametrize(("rate", "acceptable"), [(2.0, 10.0), (30.0, 10.0)])
def test_what_would_decide_decides_and_much_less_does_not(rate, acceptable):
    reviewers, words = _deciding(rate, acceptable, ERRORS, 0.9)

    def verdict(count, of):
        ends = [end * 1000 / of for end in ERRORS.ends(count, reviewers, 0.9)]
        return verdict_of(Interval(low=ends[0], high=ends[1], level=0.9, method="any"), acceptable)

    expected = SmallSampleVerdict.PASS if rate < acceptable else SmallSampleVerdict.FAIL
    around = {int(np.floor(rate * words / 1000)), int(np.ceil(rate * words / 1000))}
    assert {verdict(count, words) for count in around} <= {expected}
    few = words // 2
    assert verdict(rate * few / 1000, few) is SmallSampleVerdict.UNDECIDED


def test_at_the_acceptable_rate_itself_nothing_decides():
    assert _deciding(10.0, 10.0, ERRORS, 0.95) is None
    assert "no sample of usual size would" in error_rate(10, 1000, acceptable=10).what_would_decide()
    assert error_rate(10, 1000).what_would_decide() == ""


@pytest.mark.parametrize("reviewers", [1, 2])
def test_verdicts_of_a_curve_are_all_there_is_and_fails_grow_with_the_rate(reviewers):
    curve = operating_curve(2000, 10, level=0.8, rates=(1, 5, 10, 20, 60), reviewers=reviewers)
    assert [one.rate for one in curve] == [1, 5, 10, 20, 60]
    for one in curve:
        assert one.passes + one.undecided + one.fails == pytest.approx(1)
        assert min(one.passes, one.undecided, one.fails) >= -1e-12
    passes, fails = [one.passes for one in curve], [one.fails for one in curve]
    assert passes == sorted(passes, reverse=True) and fails == sorted(fails)
    assert passes[0] > 0.5 > fails[0] and fails[-1] > 0.5 > passes[-1]


def test_a_curve_is_that_of_counting_verdicts():
    words, acceptable = 1000, 10.0
    (point,) = operating_curve(words, acceptable, level=0.8, rates=(8,), variation=POISSON)
    verdicts = dict.fromkeys(SmallSampleVerdict, 0.0)
    for count in range(80):
        low, high = POISSON.ends(count, 1, 0.8)
        found = verdict_of(Interval(low=low, high=high, level=0.8, method="any"), acceptable)
        verdicts[found] += stats.poisson.pmf(count, 8)
    assert (point.passes, point.undecided, point.fails) == pytest.approx(tuple(verdicts.values()), abs=1e-9)


def test_a_plan_keeps_both_risks_and_a_shorter_one_does_not():
    plan = _plan_of(1, 5, 60, 0.1, 0.1, POISSON)
    assert plan.reviewers == 1 and plan.producer_risk <= 0.1 and plan.consumer_risk <= 0.1
    assert plan.producer_risk == pytest.approx(stats.poisson.sf(plan.accept, 5 * plan.words / 1000))
    assert plan.consumer_risk == pytest.approx(stats.poisson.cdf(plan.accept, 60 * plan.words / 1000))
    short = int(plan.words * 0.9)
    accept = next(count for count in range(99) if stats.poisson.sf(count, 5 * short / 1000) <= 0.1)
    assert stats.poisson.cdf(accept, 60 * short / 1000) > 0.1


@pytest.mark.parametrize("wrong", [{"good": 5, "bad": 5}, {"good": 0, "bad": 5}, {"good": 9, "bad": 5}])
def test_rates_of_a_plan_are_in_order_and_above_nought(wrong):
    with pytest.raises(OptionError, match=r"The bad rate \(5\) must lie above the good rate \([\d.]+\), both above 0"):
        sampling_plan(**wrong)


@pytest.mark.parametrize("risk", [0.0, 1.0])
def test_risks_lie_between_nought_and_one(risk):
    for name in ("alpha", "beta"):
        with pytest.raises(OptionError, match="Both risks must lie between 0 and 1"):
            sampling_plan(5, 20, **{name: risk})


def test_what_cannot_be_is_refused_and_the_least_that_can_be_is_taken():
    for acceptable in (0.0, -1.0, inf, nan):
        with pytest.raises(OptionError, match=r"errors per 1,000 words is not possible: it must be > 0\.$"):
            operating_curve(1000, acceptable)
    for words, counts, said in ((0, 5, "A sample of 0 words"), (100, [], "no count"), (100, -1, "-1 errors")):
        with pytest.raises(InputError, match=said):
            error_rate(counts, words)
    with pytest.raises(InputError, match="There cannot be 6 critical errors among 5"):
        error_rate(5, 1000, criticals=6)
    assert error_rate(5, 1000, criticals=5, acceptable=100).verdict is SmallSampleVerdict.FAIL
    assert calibrated_score(0, 1, passing=99, acceptable=10).points == 0
    for wrong in ({"points": -1}, {"criticals": -1}, {"words": 0}, {"passing": 0}, {"passing": 100}, {"acceptable": 0}):
        with pytest.raises((InputError, OptionError)):
            calibrated_score(**{"points": 5, "words": 100, "passing": 90, "acceptable": 10, **wrong})
    for level in (0, 1):
        with pytest.raises(OptionError, match=f"A confidence of {level} is not possible"):
            error_rate(5, 1000, level=level)


def test_a_verdict_on_the_threshold_says_so():
    def decided(value, **more):
        return decide(value, Interval(low=79, high=81, level=0.8, method="m"), 80, 3, 0.5, **more)

    assert decided(80).reason == "the mean is the threshold itself" and decided(79.9).reason == ""
    assert decided(80).verdict is decided(80, good=Direction.LOW).verdict is Verdict.BORDERLINE_PASS


@QUICK
@given(some.floats(0.2, 30), some.floats(0.5, 20), some.sampled_from([0.8, 0.95]))
def test_so_many_scores_are_enough_and_one_fewer_is_not(width, deviation, level):
    n = scores_needed(width, deviation, level)
    wide = [2 * deviation * stats.t.isf((1 - level) / 2, k - 1) / np.sqrt(k) for k in (n, max(n - 1, 2))]
    assert wide[0] <= width * (1 + 1e-9) and (n == 2 or wide[1] > width)
    assert standardised_half_width(level, n) == pytest.approx(wide[0] / 2 / deviation)


def test_the_paper_takes_the_normal_law_beyond_thirty_scores():
    for scores, tails in ((30, 2), (31, 2), (31, 1), (2, 1)):
        tail = (1 - 0.9) / tails
        by_t = stats.t.isf(tail, scores - 1)
        assert critical_value(0.9, scores, tails=tails) == pytest.approx(by_t)
        paper = stats.norm.isf(tail) if scores > 30 else by_t
        assert critical_value(0.9, scores, tails=tails, method=ScoreMethod.PAPER) == pytest.approx(paper)


def test_low_confidence_is_remarked_on_below_four_fifths_alone():
    def said(lowest, is_chosen=True, scores=2):
        return next((row.key for row in LEVELS if row.holds(Level(lowest, is_chosen, scores))), "")

    assert said(0.8) == "" and said(0.79) == "low" and said(0.79, scores=1) == "" and said(0.8, False) == "left_open"


@pytest.mark.parametrize(
    ("value", "good", "word"),
    [
        (90, Direction.HIGH, "BETTER"),
        (70, Direction.HIGH, "WORSE"),
        (90, Direction.LOW, "WORSE"),
        (70, Direction.LOW, "BETTER"),
        (80, Direction.HIGH, ""),
        (90, Direction.UNKNOWN, ""),
    ],
)
def test_one_score_is_better_or_worse_than_before_by_the_good_end(value, good, word):
    expected = (getattr(scarce, word),) if word else ()
    assert scarce._against_earlier(value, Prior(value=80.0), good) == expected


def tables(seed, pairs=3, documents=6, length=4):
    """Differences of each pair in each document, with gaps."""
    rng = np.random.default_rng(seed)
    document = np.repeat(np.arange(documents), length)
    document = np.concatenate([document, [0, 0, 1]])
    found = rng.normal(0.3, 1, (pairs, len(document))) + rng.normal(0, 0.5, (pairs, documents))[:, document]
    found[rng.random(found.shape) < 0.15] = np.nan
    found[0, document == 2] = np.nan
    return found, document


@pytest.mark.parametrize("seed", range(4))
def test_sums_of_documents_are_those_of_counting_by_hand(seed):
    found, document = tables(seed)
    shuffled = np.random.default_rng(seed).permutation(len(document))
    data = document_tests.document_sums(found[:, shuffled], document[shuffled], 6)
    for pair in range(3):
        for place in range(6):
            own = found[pair, document == place]
            own = own[~np.isnan(own)]
            assert data.counts[pair, place] == len(own)
            assert data.sums[pair, place] == pytest.approx(own.sum())
            assert data.within[pair, place] == pytest.approx(((own - own.mean()) ** 2).sum() if len(own) else 0)
    assert np.isnan(data.means[0, 2]) and data.means[1, 2] == pytest.approx(np.nanmean(found[1, document == 2]))


@pytest.mark.parametrize("seed", range(4))
def test_variances_of_documents_are_those_of_the_formula(seed):
    found, document = tables(seed)
    data = document_tests.document_sums(found, document, 6)
    sigma2, tau2 = document_tests.document_variances(data)
    inside = sum(int(count) - 1 for count in data.counts.ravel() if count)
    assert sigma2 == pytest.approx(data.within.sum() / inside)
    between, squares, explained = 0, 0.0, 0.0
    for counts, means in zip(data.counts, data.means, strict=True):
        own, n = means[counts > 0], counts[counts > 0]
        between += len(own) - 1
        squares += len(own) * own.var()
        explained += sigma2 * (1 / n).sum() * (len(own) - 1) / len(own)
    assert tau2 == pytest.approx(max((squares - explained) / between, 0))
    one = document_tests.DocumentSums(data.sums[:, :1], data.counts[:, :1], data.within[:, :1])
    assert document_tests.document_variances(one) == (pytest.approx(one.within.sum() / (one.counts.sum() - 3)), 0)
    single = document_tests.DocumentSums(np.ones((1, 3)), np.ones((1, 3)), np.zeros((1, 3)))
    assert document_tests.document_variances(single) == (0, 0)


def test_a_mean_over_segments_has_the_error_of_a_ratio():
    found, document = tables(1)
    data = document_tests.document_sums(found, document, 6)
    test = document_tests.segment_t(data)
    for pair in range(3):
        n, sums = data.counts[pair], data.sums[pair]
        documents = (n > 0).sum()
        mean = sums.sum() / n.sum()
        error = np.sqrt(documents / (documents - 1) * ((sums - n * mean) ** 2).sum()) / n.sum()
        assert test.difference[pair] == pytest.approx(mean) and test.error[pair] == pytest.approx(error)
        assert test.p[pair] == pytest.approx(2 * stats.t.sf(abs(mean) / error, documents - 1))
        assert test.documents[pair] == documents


@pytest.mark.parametrize("units", [1, 2, 5])
def test_without_any_spread_p_is_that_of_the_sign_test(units):
    counts = np.ones((1, units))
    for way in (document_tests.segment_t, lambda data: document_tests.weighted_t(data, counts, borrow=False)):
        p = way(document_tests.DocumentSums(2 * counts, counts, 0 * counts)).p[0]
        if units == 1:
            assert np.isnan(p)
        else:
            assert p == pytest.approx(stats.binomtest(units, units).pvalue)
            assert way(document_tests.DocumentSums(0 * counts, counts, 0 * counts)).p[0] == 1


def test_a_mixed_p_lies_where_the_critical_value_is_t_on_a_wide_range():
    t, freedom = np.array([-0.4, 1.0, 2.5, 6.0, 15.0]), np.array([3.0, 9.0, 30.0, 4.0, 12.0])
    for share in (0.05, 0.5, 0.95):
        for other in (1.0, 7.0, 40.0):
            p = document_tests.two_sided(t, freedom, share, other)
            ends = np.sort([2 * stats.t.sf(abs(t), freedom), 2 * stats.t.sf(abs(t), other)], axis=0)
            assert (ends[0] <= p * (1 + 1e-9)).all() and (p <= ends[1] * (1 + 1e-9)).all()
            reached = (1 - share) * stats.t.isf(p / 2, freedom) + share * stats.t.isf(p / 2, other)
            assert reached == pytest.approx(abs(t), rel=1e-7)


@pytest.mark.parametrize("documents", [2, 5, 11])
def test_flipped_signs_are_counted_as_by_hand(documents):
    adds = np.random.default_rng(documents).normal(0.5, 1, (2, documents))
    p = document_tests.sign_flips(adds, np.random.default_rng(0))
    for row, found in zip(adds, p, strict=True):
        sums = [abs(np.dot(signs, row)) for signs in product([-1, 1], repeat=documents)]
        assert found == pytest.approx(np.mean([one >= abs(row.sum()) - 1e-9 for one in sums]))
    assert np.isnan(document_tests.sign_flips(np.full((1, documents), np.nan), np.random.default_rng(0))[0])


def test_flipped_signs_of_many_documents_are_near_the_normal_law():
    adds = np.random.default_rng(1).normal(0.25, 1, (2, 60))
    p = document_tests.sign_flips(adds, np.random.default_rng(0), 4000)
    near = 2 * stats.norm.sf(abs(adds.sum(axis=1)) / np.sqrt((adds**2).sum(axis=1)))
    assert p == pytest.approx(near, abs=0.03)
    certain = document_tests.sign_flips(np.ones((1, 60)), np.random.default_rng(0), 99)
    assert certain[0] == pytest.approx(1 / 100)


@QUICK
@given(some.floats(0.001, 0.9), some.integers(2, 60), some.integers(1, 10))
def test_so_many_more_units_show_a_difference_in_four_of_five_cases(p, units, pairs):
    t = stats.t.isf(p / 2, units - 1)
    needed = stats.norm.isf(0.025 / pairs) + stats.norm.ppf(0.8)
    more = units * (needed / t) ** 2 - units
    found = more_to_tell(p, units, 0.95, pairs)
    assert found is None if more > 20 * units else found == max(1, int(np.ceil(more - 1e-9)))


def test_nothing_tested_asks_for_nothing_more():
    assert more_to_tell(nan, 9, 0.95, 1) is more_to_tell(1.0, 9, 0.95, 1) is more_to_tell(0.5, 1, 0.95, 1) is None
    assert more_to_tell(0.5, 2, 0.95, 1) is not None


def test_units_enough_for_a_difference_have_the_power_that_is_told():
    for half, difference, pairs in ((2.0, 1.0, 1), (1.5, 2.0, 6)):
        critical = stats.norm.isf(0.025 / pairs)
        units = enough_for(difference, half, 10, 0.95, pairs)
        error = [half / critical * np.sqrt(10 / n) for n in (units, units - 1)]
        power = [stats.norm.cdf(difference / one - critical) for one in error]
        assert power[0] >= 0.8 > power[1]


def test_round_numbers_are_round_and_no_further_than_they_should_be():
    for half in (0.013, 0.4, 1.0, 3.99, 4.0, 10.0, 77.0):
        small = _round_part(half)
        assert half / 5.01 <= small <= half / 2 * (1 + 1e-8)
        assert float(f"{small:e}"[0]) in (1, 2, 5) and small == pytest.approx(float(f"{small:.0e}"))
    for number in (1, 9, 10, 11, 99, 100, 101, 1234, 98765):
        assert number <= _rounded(number) <= number * 1.1 + 0.1 and int(str(_rounded(number))[2:] or 0) == 0


def leaders(means, sign=1, order=(0, 1)):
    counts = np.array([[1.0, 1.0], [1.0, 0.0]])
    paired = Made(
        weighing=Made(average=Averaging.WEIGHTED, alike=False),
        order=order,
        sign=sign,
        alone_sums=Made(counts=counts, means=np.array(means, dtype=float)),
    )  # the second has one document
    return other_leader(Made(clustered=True, systems=("A", "B")), paired)


def test_another_leader_by_plain_means_is_named_with_its_mean():
    said = leaders([[1, 2], [2, 99]])
    assert said == (
        "By plain means over documents B leads (2.00) and not A (1.50); --average document ranks by these.",
    )
    assert leaders([[1, 2], [1.5, 99]]) == () == leaders([[1, 2], [1, 99]])
    assert leaders([[1, 2], [1, 99]], sign=-1) and not leaders([[1, 2], [2, 99]], sign=-1)
    assert leaders([[1, 2], [1, 99]], order=(1, 0))[0].startswith("By plain means over documents A leads (1.50)")


def told(counts, segments=4, pairs=1):
    ends = Interval(low=1.5, high=4.0, level=0.95, method="any")
    return str(ReviewersApart(more="A", less="B", counts=counts, segments=segments, interval=ends, pairs=pairs))


def test_reviewers_apart_are_told_with_their_counts_and_pairs():
    both = "A found 3.0 times as many errors as B: 6 and 2 in the same 4 segments (95% interval 1.5 to 4.0 times)."
    none = "A found 6 errors and B none in one segment (95% interval at least 1.5 times as many)."
    assert told((6, 2)) == both and told((6, 0), segments=1) == none
    assert "times, for all 3 pairs of reviewers at once)" in told((6, 2), pairs=3)


def test_raters_who_see_one_thing_replicate_each_other():
    rng = np.random.default_rng(0)
    worth = rng.normal(0, 1, 30)
    code, rater = np.repeat(np.arange(30), 4), np.tile(np.arange(4), 30)
    names = [f"i{one:02}" for one in code]
    ratings = build_ratings(
        {"item": names, "rater": [f"r{one}" for one in rater], "value": code.tolist(), "system": ["S"] * 120},
        level="interval",
    )

    def replicated(z, halvings):
        return _replication(ratings.rater.codes, 4, _versions(ratings, z, z), z, rng, halvings)

    alike = replicated(worth[code], 20)
    seen = worth[:, None] + rng.normal(0, 1, (30, 4))
    noisy = replicated(seen.ravel(), 300)
    halves = [np.corrcoef(seen[:, [0, n]].mean(1), seen.sum(1) - seen[:, [0, n]].sum(1))[0, 1] for n in (1, 2, 3)]
    assert alike.correlation == pytest.approx(1) and alike.segments == 30
    assert noisy.correlation == pytest.approx(np.mean(halves), abs=0.02)
    assert noisy.low == pytest.approx(min(halves)) and noisy.high == pytest.approx(max(halves))
    assert replicated(worth[code] * 0, 5) is None


@pytest.mark.parametrize("n", [2, 3, 9])
def test_one_more_score_narrows_by_what_student_says(n):
    more = gain_of_one_more(0.8, list(range(n)), 5.0, None, Law.NORMAL, ScoreMethod.T)
    now, then = (stats.t.isf(0.1, k - 1) * 5 / np.sqrt(k) for k in (n, n + 1))
    assert (more.now, more.then, more.factor) == pytest.approx((now, then, now / then))
    assert f"One more score would bring the 80% interval from ± {now:.2f} to about ± {then:.2f}" in str(more)


def test_a_second_score_is_weighed_against_the_distance_to_the_prior():
    more = gain_of_one_more(0.8, [78.0], nan, Prior(value=85.0), Law.NORMAL, ScoreMethod.T)
    assert more.then == pytest.approx(stats.t.isf(0.1, 1) * 7 / 2)
    assert more.now == pytest.approx(half_width_factor(0.2, Law.NORMAL) * 7)
    assert np.isnan(gain_of_one_more(0.8, [5.0, 5.0], 0.0, None, Law.NORMAL, ScoreMethod.T).then)
