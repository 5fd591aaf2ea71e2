"""Before and after a round: of a text, answers under different versions of the guideline are never paired."""

import numpy as np
import pytest

import accord
from accord.ratings.rated_elsewhere import rows_of_one_turn


def rated(versions):
    """Forty items judged by three raters before and after; ``versions`` says under which each judged before."""
    rng = np.random.default_rng(4)
    truth = rng.integers(1, 6, 40)
    return [
        {
            "item": f"i{item:02}", "rater": rater, "phase": phase,
            "value": int(np.clip(truth[item] + rng.integers(-1, 2), 1, 5)),
            "guideline": 3 if phase == "after" else versions(item, rater),
        }
        for phase in ("before", "after") for item in range(40) for rater in "abc"
    ]  # fmt: skip


def compared(rows):
    ratings = accord.read(rows, level="interval")
    rng = np.random.default_rng(0)
    return ratings, accord.compare_conditions(ratings, "phase", "before", "after", replicates=200, rng=rng)[0]


def test_what_a_rater_judged_under_another_version_is_paired_with_nobody_and_said():
    """c judged half of the items under version 1, when the others were at 2."""
    rows = rated(lambda item, rater: 1 if rater == "c" and item < 20 else 2)
    _, found = compared(rows)
    left = [row for row in rows if row["phase"] == "after" or not (row["rater"] == "c" and int(row["item"][1:]) < 20)]
    alone = accord.agreement(
        accord.read([row for row in left if row["phase"] == "before"], level="interval"),
        coefficients="krippendorff_alpha",
        pool=["guideline"],
    )
    assert found.first.values["krippendorff_alpha"] == pytest.approx(alone["krippendorff_alpha"].value)
    told = "20 ratings are compared with nobody's, as others gave theirs under another version of the guideline"
    assert all(told in one.method for one in found.differences)


def test_nothing_is_left_out_where_each_text_has_one_version():
    rows = rated(lambda item, rater: 1 if item < 20 else 2)
    ratings, found = compared(rows)
    assert rows_of_one_turn(ratings.named(phase="before"), ["guideline"]).all()
    assert not any("nobody" in one.method for one in found.differences)


def test_of_as_many_answers_under_two_versions_the_later_ones_count():
    rows = [
        {"item": "i", "rater": rater, "value": 1, "guideline": turn}
        for rater, turn in zip("abcd", (9, 9, 10, 10), strict=True)
    ]
    kept = rows_of_one_turn(accord.read(rows, level="interval"), ["guideline"])
    assert kept.tolist() == [False, False, True, True]


def test_raters_are_counted_and_not_their_repeats_and_a_scenario_is_a_thing_of_its_own():
    turns = [("a", 1, "x"), ("a", 1, "x"), ("a", 1, "x"), ("b", 2, "x"), ("c", 2, "x"), ("a", 1, "y"), ("b", 1, "y")]
    rows = [
        {"item": "i", "rater": rater, "value": 1, "guideline": turn, "scenario": scenario, "occasion": place}
        for place, (rater, turn, scenario) in enumerate(turns)
    ]
    kept = rows_of_one_turn(accord.read(rows, level="interval"), ["guideline"])
    assert kept.tolist() == [False, False, False, True, True, True, True]
