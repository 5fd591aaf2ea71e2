"""What a rater gave again stays with what it repeats, in whichever phase it was given, and counts once."""

import numpy as np
import pytest

from accord.diagnosis.examination import diagnose
from accord.diagnosis.part import parts_of
from accord.diagnosis.reliabilities import stability
from accord.errors import NotEnoughDataError
from accord.ratings.apart import kept_apart
from accord.ratings.build import build_ratings
from accord.ratings.given_again import given_again
from accord.reliability.run import agreement


def rows(retested=("main",)):
    """Three raters in two phases of twelve items each; the items of some phases are given again in a third one."""
    rng = np.random.default_rng(3)
    made = [(f"{phase}{item}", rater, int(np.clip(item % 5 + rng.integers(0, 2), 1, 5)), phase, "system", 1)
            for phase in ("main", "more") for item in range(12) for rater in "abc"]  # fmt: skip
    return made + [(item, rater, value, "retest", "repeat", 2)
                   for item, rater, value, phase, *_ in made if phase in retested]  # fmt: skip


def table(made):
    names = ("item", "rater", "value", "phase", "role", "occasion")
    return build_ratings(dict(zip(names, map(list, zip(*made, strict=True)), strict=True)), level="ordinal")


def test_a_phase_that_repeats_another_is_no_part_of_its_own():
    ratings = table(rows())
    assert kept_apart(ratings) == ("phase",)
    parts = {one.by["phase"]: len(one.ratings) for one in ratings.split(["phase"])}
    assert parts == {"main": 72, "more": 36}
    once = agreement(table(rows(retested=())), coefficients=["krippendorff_alpha"], interval="none")
    twice = agreement(ratings, coefficients=["krippendorff_alpha"], interval="none")
    assert [(one.title, one.estimates[0].value) for one in once.groups] == [
        (one.title, one.estimates[0].value) for one in twice.groups
    ]


def test_raters_are_compared_with_themselves_across_the_phases():
    ratings = table(rows())
    main, more = parts_of(ratings, ("phase",))
    everyone, *_ = stability(main)
    assert (everyone.items, everyone.agreement) == (36, 1.0)
    with pytest.raises(NotEnoughDataError, match="No rater rated an item twice"):
        stability(more)
    assert "repeats" in [one.code for one in diagnose(ratings).findings]


def test_a_repeat_of_what_was_never_rated_is_compared_with_nothing():
    ratings = table([("x", "a", 3, "retest", "repeat", 2), *rows(retested=())])
    assert "repeats" not in [one.code for one in diagnose(ratings).findings]


def test_rows_given_again_are_those_marked_and_those_of_a_later_occasion():
    assert given_again(table(rows(retested=()))) is None
    assert given_again(table(rows())).sum() == 36
    by_occasion = [(item, rater, value, "main" if role == "repeat" else phase, "system", occasion)
                   for item, rater, value, phase, role, occasion in rows()]  # fmt: skip
    assert given_again(table(by_occasion)).sum() == 36
