"""A coefficient is found by the name that people give it."""

import pytest

from accord.coefficients.names import family_named, key_named, titles_once
from accord.coefficients.registry import COEFFICIENTS, coefficient
from accord.errors import OptionError


@pytest.mark.parametrize(
    ("name", "key"),
    [("α", "krippendorff_alpha"), ("Krippendorff's alpha", "krippendorff_alpha"), ("Cohen's kappa", "cohen_kappa"),
     ("Cohen\u2019s κ", "cohen_kappa"), ("fleiss", "fleiss_kappa"), ("gamma", "gamma"), ("γ", "gamma"),
     ("QWK", "cohen_kappa_quadratic"), ("AC1", "gwet_ac1"), ("AC2", "gwet_ac2"),
     ("percent agreement", "percent_agreement"),
     ("ICC(A,1)", "icc_a1"), ("Spearman", "spearman"), ("ρ", "spearman"), ("τ-b", "kendall_tau_b"), ("CCC", "lin_ccc"),
     ("π", "scott_pi"), ("cronbach", "cronbach_alpha")],
)  # fmt: skip
def test_a_name_as_people_write_it_is_understood(name, key):
    assert coefficient(name).key == key


def test_every_title_names_its_own_coefficient():
    for spec in COEFFICIENTS.values():
        assert key_named(spec.title) == spec.key
        assert key_named(spec.key) == spec.key


@pytest.mark.parametrize(
    ("name", "one"),
    [("kappa", "Fleiss' κ"), ("κ", "Cohen's κ"), ("ICC", "ICC(A,k)"), ("tau", "τ-b"), ("weighted kappa", "say")],
)  # fmt: skip
def test_a_name_that_several_share_says_which_is_for_what(name, one):
    family = family_named(name)
    assert family is not None
    assert one in family.when
    assert len(family.keys) > 1
    with pytest.raises(OptionError, match="Several coefficients are called"):
        coefficient(name)


def test_what_is_no_coefficient_is_refused_with_the_nearest():
    assert key_named("nonsense") == ""
    with pytest.raises(OptionError, match="Did you mean 'krippendorff_alpha'"):
        coefficient("krippendorf_alpa")


def test_a_name_with_several_weights_is_said_once_in_a_sentence():
    titles = ["Cohen's κ", "Cohen's κ, linear weights", "Cohen's κ, quadratic weights", "Fleiss' κ", "ICC(A,1)"]
    assert titles_once(titles) == ["Cohen's κ (unweighted, linear and quadratic weights)", "Fleiss' κ", "ICC(A,1)"]
    assert titles_once(titles[1:2]) == ["Cohen's κ with linear weights"]
