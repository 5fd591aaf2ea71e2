"""Rankings and variances against lme4, limma, sandwich and clubSandwich: their recorded output."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import accord
from accord.inference.moderated import moderated
from accord.scoring.ranking.document_tests import document_variances
from accord.scoring.ranking.paired import Averaging, compare_pairs
from accord.scoring.ranking.resampling import ResamplingUnit
from accord.scoring.ranking.segments import segment_scores

FOLDER = Path(__file__).parents[1] / "recorded" / "second_programs"


def recorded(name):
    """The numbers that an R script printed, by name."""
    lines = (line.split(" = ") for line in (FOLDER / name).read_text().splitlines())
    return {key: np.array([float(value) for value in values.split()]) for key, values in lines}


@pytest.fixture(scope="module")
def said():
    return recorded("ranking.txt")


@pytest.fixture(scope="module")
def ratings():
    return accord.read(FOLDER / "systems.csv", level="interval")


def paired(ratings, unit=ResamplingUnit.DOCUMENT):
    return compare_pairs(segment_scores(ratings), Averaging.WEIGHTED, unit, 1.0)


def test_variances_by_moments_are_those_of_lme4_where_documents_are_of_one_length(said, ratings):
    sigma2, tau2 = document_variances(paired(ratings).sums)
    # Ours are of a difference of two systems, those of lme4 of one.
    assert sigma2 / 2 == pytest.approx(said["sigma2"][0], rel=1e-5)
    assert tau2 / 2 == pytest.approx(said["tau2"][0], rel=1e-4)


@pytest.mark.parametrize("prefix", ["", "spread_"])
def test_moderated_variances_are_those_of_limma(said, prefix):
    variances = said["spread" if prefix else "variances"]
    made = moderated(variances, np.full(len(variances), 5.0))
    assert made.variances == pytest.approx(said[f"{prefix}moderated"], rel=1e-9)
    assert made.prior_freedom == pytest.approx(said[f"{prefix}prior_freedom"][0], rel=1e-7)


def test_the_test_of_a_pair_takes_the_moderated_variance(said, ratings):
    made = paired(ratings)
    order = [ratings.columns["system"].names.index(f"S{number}") for number in range(5)]
    place = {system: at for at, system in enumerate(order)}
    found = {}
    for at, (a, b) in enumerate((i, j) for k, i in enumerate(made.order) for j in made.order[k + 1 :]):
        first, second = place[int(a)], place[int(b)]
        found[min(first, second), max(first, second)] = at
    at = [found[i, j] for i in range(5) for j in range(i + 1, 5)]
    error = np.sqrt(said["moderated"] / 6)
    # 5 + 20.6 degrees of freedom, and no more than (systems - 1) (documents - 1).
    expected = 2 * stats.t.sf(np.abs(said["differences"]) / error, 20)
    assert np.abs(made.test.difference[at]) == pytest.approx(np.abs(said["differences"]))
    assert made.test.p[at] == pytest.approx(expected, rel=1e-6)


def test_two_systems_over_documents_are_tested_as_by_club_sandwich(said, ratings):
    (pair,) = accord.rank(ratings.only(system=["S0", "S1"])).pairs
    assert (pair.difference, pair.p) == pytest.approx((said["cr2"][0], said["cr2"][3]))


@pytest.mark.parametrize("place", range(10))
def test_variances_over_documents_and_raters_are_those_of_sandwich(said, ratings, place):
    names = list(combinations([f"S{number}" for number in range(5)], 2))[place]
    two = ratings.only(system=list(names))
    both, raters = (paired(two, unit).test for unit in (ResamplingUnit.BOTH, ResamplingUnit.RATER))
    over_raters, together = said["rater_variances"][place], said["two_way_variances"][place]
    assert np.square(raters.error[0]) == pytest.approx(over_raters)
    # Documents and raters together are never surer than either alone.
    expected = max(together, over_raters, said["variances"][place] / 6)
    assert np.square(both.error[0]) == pytest.approx(expected)
    assert any(said["two_way_variances"] > np.maximum(said["rater_variances"], said["variances"] / 6))


def test_the_critical_value_over_both_lies_between_those_of_documents_and_raters(ratings):
    test = paired(ratings.only(system=["S0", "S1"]), ResamplingUnit.BOTH).test
    share = float(test.share[0])
    expected = (1 - share) * stats.t.ppf(0.975, 5) + share * stats.t.ppf(0.975, 2)
    assert test.reach(0.95)[0] / test.error[0] == pytest.approx(expected)
    assert 0 < share < 1
    # p is the level at which the interval ends at 0.
    assert test.reach(1 - float(test.p[0]))[0] == pytest.approx(abs(float(test.difference[0])))
