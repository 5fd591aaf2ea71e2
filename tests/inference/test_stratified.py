"""Two groups within strata: against printed results of SAS and R, statsmodels, and the hypergeometric law by hand."""

import numpy as np
import pytest

from accord.inference.stratified import common_odds, compare_in_strata

MIGRAINE = [[[20, 5], [11, 16]], [[19, 7], [16, 12]]]
"""SAS/STAT, PROC FREQ, example of Cochran-Mantel-Haenszel statistics: placebo and active, same and better, by sex."""

RABBITS = [[[5, 0], [6, 0]], [[6, 0], [3, 3]], [[4, 2], [0, 6]], [[0, 6], [1, 5]], [[0, 5], [0, 2]]]
"""Agresti (1990), as in R's help of mantelhaen.test: injection after 1.5 hours and at once, died and cured."""


def counted(tables):
    """Rows of scores, membership of the second group and strata, from tables of groups by scores 0, 1, ..."""
    cells = [
        (value, group, stratum)
        for stratum, table in enumerate(tables)
        for group, counts in enumerate(table)
        for value, count in enumerate(counts)
        for _ in range(count)
    ]
    score, second, stratum = (np.array(column) for column in zip(*cells, strict=True))
    return score.astype(float), second == 1, stratum


def test_migraine_is_as_sas_prints_it():
    rows = counted(MIGRAINE)
    test, odds = compare_in_strata(*rows), common_odds(*rows)
    assert test.chi_square == pytest.approx(8.3052, abs=5e-5)
    assert test.p == pytest.approx(0.0040, abs=5e-5)
    assert (test.first, test.second, test.strata) == (51, 55, 2)
    assert odds.ratio == pytest.approx(3.3132, abs=5e-5)
    assert (odds.interval.low, odds.interval.high) == pytest.approx((1.4456, 7.5934), abs=5e-5)
    assert odds.interval.method == "Robins, Breslow and Greenland" and odds.interval.level == 0.95
    assert test.interval.method == "normal distribution, variance of equal groups in strata"


def test_rabbits_are_as_r_prints_them_with_the_continuity_correction():
    rows = counted(RABBITS)
    test, odds = compare_in_strata(*rows, correct=True), common_odds(*rows)
    assert test.p == pytest.approx(0.047, abs=5e-4)
    assert odds.ratio == pytest.approx(7, abs=1e-9)
    assert (odds.interval.low, odds.interval.high) == pytest.approx((1.0267, 47.7251), abs=5e-5)


def test_mantels_test_of_arthritis_is_as_sas_prints_it_for_one_stratum():
    together = counted([[[29, 7, 7], [13, 7, 21]]])
    assert compare_in_strata(*together).chi_square == pytest.approx(12.859, abs=5e-4)


def test_statsmodels_gives_the_same_for_tables_drawn_at_random():
    from statsmodels.stats.contingency_tables import StratifiedTable

    rng = np.random.default_rng(3)
    for _ in range(5):
        tables = rng.integers(1, 12, size=(6, 2, 2))
        other = StratifiedTable([table[::-1, ::-1].astype(float) for table in tables])
        rows = counted(tables)
        for correct in (False, True):
            theirs = other.test_null_odds(correction=correct)
            ours = compare_in_strata(*rows, correct=correct)
            assert ours.chi_square == pytest.approx(theirs.statistic, rel=1e-9)
            assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
        odds = common_odds(*rows)
        assert odds.ratio == pytest.approx(other.oddsratio_pooled, rel=1e-9)
        assert odds.log_error == pytest.approx(other.logodds_pooled_se, rel=1e-9)


def test_the_variance_of_one_stratum_is_the_hypergeometric_one():
    from scipy.stats import hypergeom

    score, second, stratum = counted([[[4, 3], [2, 6]]])
    law = hypergeom(15, 9, 8)
    by_hand = (6 - law.mean()) ** 2 / law.var()
    assert compare_in_strata(score, second, stratum).chi_square == pytest.approx(by_hand, rel=1e-12)


def test_the_chi_square_of_ordered_scores_is_that_of_permutations_within_strata():
    rng = np.random.default_rng(5)
    score, stratum = rng.integers(0, 5, 60).astype(float), np.repeat(np.arange(4), 15)
    second = rng.random(60) < 0.4
    order = np.stack([np.lexsort((rng.random(60), stratum)) for _ in range(20_000)])
    sums = score[order] @ second[np.argsort(stratum, kind="stable")]
    own = float(score @ second)
    chi_square = compare_in_strata(score, second, stratum).chi_square
    assert chi_square == pytest.approx((own - sums.mean()) ** 2 / sums.var(), rel=0.1)


def test_strata_with_one_group_only_tell_nothing():
    one = counted(MIGRAINE)
    more = counted([*MIGRAINE, [[9, 4], [0, 0]]])
    assert compare_in_strata(*more).chi_square == pytest.approx(compare_in_strata(*one).chi_square)
    assert compare_in_strata(*more).first == 51
    alone = compare_in_strata(np.array([1.0, 2.0]), np.array([True, False]), np.array([0, 1]))
    assert np.isnan(alone.p)
    assert alone.interval is None


def test_groups_that_all_score_alike_are_undefined_and_not_equal():
    test = compare_in_strata(np.ones(6), np.arange(6) % 2 == 0, np.zeros(6, dtype=int))
    assert np.isnan(test.chi_square)
    assert test.interval is None
    assert np.isnan(common_odds(np.ones(6), np.arange(6) % 2 == 0, np.zeros(6, dtype=int)).ratio)


def test_the_difference_weighs_strata_by_the_second_group():
    rows = counted([[[0, 2], [4, 0]], [[1, 1], [0, 1]]])
    assert compare_in_strata(*rows).difference == pytest.approx(4 / 5 * (0 - 1) + 1 / 5 * (1 - 0.5))


@pytest.mark.parametrize("empty", [[[0, 5], [3, 4]], [[5, 0], [3, 4]], [[2, 5], [0, 4]], [[2, 5], [4, 0]]])
def test_an_empty_cell_leaves_no_odds_where_nothing_speaks_for_one_side(empty):
    odds = common_odds(*counted([empty]))
    assert np.isnan(odds.ratio) and np.isnan(odds.log_error) and odds.interval is None
    beside = common_odds(*counted([empty, [[1, 1], [1, 1]]]))
    assert np.isfinite(beside.ratio) and beside.interval.low < beside.ratio < beside.interval.high
