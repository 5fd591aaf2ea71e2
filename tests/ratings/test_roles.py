"""Items that check or train the rater are no items of the study."""

import numpy as np
import pytest

import accord
from accord.diagnosis.part import parts_of
from accord.ratings.build import build_ratings
from accord.ratings.counting import count_source
from accord.ratings.roles import CONTROL_ROLES


def _with(role: str):
    rows = {
        "item": [f"i{n}" for n in range(6) for _ in range(2)], "rater": ["a", "b"] * 6,
        "value": [1, 2, 2, 2, 3, 1, 1, 1, 2, 3, 3, 3], "role": ["system"] * 8 + [role] * 4,
    }  # fmt: skip
    return build_ratings(rows, level="ordinal")


@pytest.mark.parametrize("role", [*sorted(CONTROL_ROLES), "Degraded", " practice "])
def test_control_items_count_neither_in_agreement_nor_in_diagnosis(role):
    ratings = _with(role)
    plain = ratings.where(np.arange(12) < 8)
    assert count_source(ratings).facts().items == 4
    result = accord.agreement(ratings, interval="none")
    assert result["krippendorff_alpha"].value == accord.agreement(plain, interval="none")["krippendorff_alpha"].value
    assert "4 ratings are left out" in result.groups[0].notes[0]
    (part,) = parts_of(ratings)
    assert part.items == 4


def test_ratings_that_are_all_of_one_role_are_what_the_user_wants_to_look_at():
    ratings = _with("reference")
    references = ratings.only(role="reference")
    assert count_source(references).facts().items == 2
