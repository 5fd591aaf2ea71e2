"""Differential functioning: a simulated truth is found, honest groups raise no alarm, bad questions get a sentence."""

from pathlib import Path

import numpy as np
import pytest

import accord
from accord.design.scale import Level
from accord.diagnosis import differential_functioning
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.ratings.build import build_ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

CUTS = {"clarity": [-1, 0, 1], "fluency": [-1.5, -0.9, -0.3, 0.3, 0.9, 1.5], "style": [-1, 0, 1]}
"""Thirds and sixths: the sum of thirds and quarters would tell each, and the two others would mirror one another."""


def _grouped(make_ratings, scores, groups, *, by="item", level=Level.ORDINAL):
    """Ratings with a column of groups of items (or, by raters, of raters)."""
    column = np.repeat(np.asarray(groups)[:, None], scores.shape[1], axis=1)
    if by == "rater":
        column = np.repeat(np.asarray(groups)[None, :], scores.shape[0], axis=0)
    return make_ratings(scores, columns={"system": column}, level=level)


def _answers(seed, *, items=150, raters=8, gap=0.0, shift=0.0, binary=False, lost=0.0):
    """Two groups of items, the second better by ``gap``; the first rater gives it ``shift`` more than is due."""
    rng = np.random.default_rng(seed)
    second = np.repeat([False, True], items)
    seen = rng.standard_normal((2 * items, 1)) + gap * second[:, None] + 0.5 * rng.standard_normal(raters)
    seen = seen + rng.logistic(size=(2 * items, raters)) * (0.6 if binary else 0.3)
    seen[:, 0] += shift * second
    scores = (seen > 0).astype(float) if binary else 1.0 + np.searchsorted([-1.2, -0.4, 0.4, 1.2], seen)
    scores[rng.random(scores.shape) < lost] = np.nan
    return scores, np.where(second, "B", "A")


@pytest.mark.parametrize("binary", [False, True])
def test_a_rater_who_favours_a_group_is_found_and_nobody_else(make_ratings, binary):
    scores, groups = _answers(1, gap=-0.8, shift=1.0, binary=binary)
    found = differential_functioning(_grouped(make_ratings, scores, groups), between="system", reference="A")
    assert found[0].studied == "r1"
    assert found[0].size == "C"
    assert found[0].difference > 0
    assert found[0].words == "B gets higher values at equal level"
    assert [one.differs for one in found] == [True] + [False] * 7
    if binary:
        assert found[0].odds_ratio > 1
        assert found[0].delta == pytest.approx(2.35 * np.log(found[0].odds_ratio))
        assert found[0].odds_interval.low < found[0].odds_ratio < found[0].odds_interval.high
    else:
        assert np.isnan(found[0].odds_ratio)


@pytest.mark.parametrize(("binary", "lost"), [(False, 0.0), (True, 0.0), (False, 0.4)])
def test_groups_of_unlike_quality_raise_false_alarms_at_their_level_only(make_ratings, binary, lost):
    p, families = [], 0
    for seed in range(60):
        scores, groups = _answers(seed, items=100, gap=1.0, binary=binary, lost=lost)
        found = differential_functioning(_grouped(make_ratings, scores, groups), between="system")
        p += [one.p for one in found]
        families += any(one.differs for one in found)
    assert 0.02 < np.mean(np.array(p) < 0.05) < 0.085
    assert families <= 8


def test_without_holding_the_level_equal_the_same_groups_would_differ(make_ratings):
    scores, groups = _answers(2, gap=1.0)
    found = differential_functioning(_grouped(make_ratings, scores, groups), between="system", reference="A")
    assert scores[groups == "B"].mean() - scores[groups == "A"].mean() > 0.7
    assert max(abs(one.difference) for one in found) < 0.3


def test_purifying_keeps_one_bad_rater_from_shifting_the_others(make_ratings):
    scores, groups = _answers(3, items=400, raters=4, shift=2.0)
    ratings = _grouped(make_ratings, scores, groups)

    def bias(purify):
        found = differential_functioning(ratings, between="system", reference="A", purify=purify)
        return np.mean([one.difference for one in found if one.studied != "r1"])

    assert bias(False) < -0.15
    assert abs(bias(True)) < 0.08


def test_exchanging_the_groups_turns_the_sign_of_the_test_only(make_ratings):
    scores, groups = _answers(4, shift=0.6, binary=True)
    ratings = _grouped(make_ratings, scores, groups)
    one = {row.studied: row for row in differential_functioning(ratings, between="system", reference="A")}
    other = {row.studied: row for row in differential_functioning(ratings, between="system", reference="B")}
    for rater, row in one.items():
        assert row.chi_square == pytest.approx(other[rater].chi_square)
        assert row.delta == pytest.approx(-other[rater].delta)


def test_items_are_studied_between_groups_of_raters(make_ratings):
    rng = np.random.default_rng(6)
    natives = np.arange(120) % 2 == 0
    seen = 0.7 * rng.standard_normal((12, 1)) + 0.7 * rng.standard_normal(120) + 0.5 * rng.standard_normal((12, 120))
    seen[4] -= 1.5 * natives
    scores = 1.0 + np.searchsorted([-1.2, -0.4, 0.4, 1.2], seen)
    groups = np.where(natives, "native", "other")
    ratings = _grouped(make_ratings, scores, groups, by="rater")
    found = differential_functioning(ratings, between="system", of="item", reference="other")
    assert [one.studied for one in found if one.differs] == ["i5"]
    assert found[0].words == "native gets lower values at equal level"


def test_criteria_of_unlike_scales_are_studied_as_shares_of_their_scales():
    rng = np.random.default_rng(8)
    rows = []
    for system in ("A", "B"):
        for number in range(150):
            quality = rng.standard_normal()
            for criterion, cuts in CUTS.items():
                seen = quality + 0.4 * rng.standard_normal() - (0.8 if (system, criterion) == ("B", "style") else 0)
                rows.append((f"{system}{number}", "r1", float(np.searchsorted(cuts, seen)), criterion, system))
    item, rater, value, criterion, system = zip(*rows, strict=True)
    ratings = build_ratings(
        {"item": item, "rater": rater, "value": value, "criterion": criterion, "system": system}, level="ordinal"
    )
    found = differential_functioning(ratings, between="system", of="criterion", reference="A")
    assert found[0].studied == "style"
    assert found[0].differs
    assert -0.5 < found[0].difference < -0.05
    assert found[0].criterion == "all criteria, each scale from 0 to 1"


def test_holm_allows_for_every_rater_and_group(make_ratings):
    scores, groups = _answers(9, items=60, raters=5)
    groups = groups.copy()
    groups[:30] = "C"
    found = differential_functioning(_grouped(make_ratings, scores, groups), between="system")
    assert len(found) == 10
    assert found[0].adjusted_p == pytest.approx(min(10 * found[0].p, 1))
    assert {one.reference for one in found} == {"B"}


def test_the_example_shows_a_judge_who_favours_its_own_system():
    found = differential_functioning(accord.read(EXAMPLES / "own-system.csv"), between="system")
    assert [(one.studied, one.focal) for one in found if one.differs] == [("model", "Birch")]
    assert found[0].to_dict()["interval"]["method"].startswith("normal distribution")


def test_questions_that_cannot_be_answered_get_a_sentence(make_ratings):
    scores, groups = _answers(10, items=20, raters=3)
    ratings = _grouped(make_ratings, scores, groups)
    with pytest.raises(ColumnError, match="no column 'language' to compare between"):
        differential_functioning(ratings, between="language")
    with pytest.raises(OptionError, match="one of rater, criterion, item"):
        differential_functioning(ratings, between="system", of="document")
    with pytest.raises(OptionError, match=r"no group 'C' in 'system'. Groups: A, B"):
        differential_functioning(ratings, between="system", reference="C")
    with pytest.raises(OptionError, match="every rater must lie in one group"):
        differential_functioning(ratings, between="system", of="item")
    with pytest.raises(NotEnoughDataError, match="one criterion only"):
        differential_functioning(ratings, between="system", of="criterion")
    with pytest.raises(NotEnoughDataError, match="holds one group only"):
        differential_functioning(_grouped(make_ratings, scores, ["A"] * 40), between="system")
    with pytest.raises(NotEnoughDataError, match="values have no order"):
        differential_functioning(_grouped(make_ratings, scores, groups, level=Level.NOMINAL), between="system")
    apart = np.where((groups == "A")[:, None], 1.0, 5.0) + np.zeros((40, 3))
    with pytest.raises(NotEnoughDataError, match="nothing can be compared at equal level"):
        differential_functioning(_grouped(make_ratings, apart, groups), between="system")
