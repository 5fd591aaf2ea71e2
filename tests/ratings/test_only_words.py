"""Choosing rows by a name that does not occur is told with the names that do."""

import pytest

import accord
from accord.errors import OptionError

RATINGS = [
    {"item": str(n), "rater": rater, "value": n % 3, "document": f"doc-{n % 2}"} for n in range(8) for rater in "ab"
]


def test_a_name_that_no_rating_has_is_refused_with_the_nearest_one():
    ratings = accord.read(RATINGS)
    with pytest.raises(OptionError, match=r"No rating has the document doc-7. Did you mean 'doc-1'\?"):
        ratings.only(document="doc-7")
    with pytest.raises(OptionError, match=r"No rating has the rater nope or neither. Known here: a, b"):
        ratings.only(rater=["nope", "neither"])


def test_a_name_that_occurs_beside_one_that_does_not_gives_its_rows():
    assert len(accord.read(RATINGS).only(rater=["a", "nope"])) == 8


def test_a_coefficient_that_was_not_computed_is_told_with_the_reason_and_those_that_were():
    found = accord.agreement(RATINGS, coefficients=["fleiss_kappa"])
    with pytest.raises(KeyError, match=r"There is no cohen_kappa here: it was not computed. Computed: fleiss_kappa."):
        found["cohen_kappa"]
