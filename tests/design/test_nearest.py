"""What is said of a word that is not known."""

from accord.design.nearest import did_you_mean

KNOWN = ["cohen_kappa", "fleiss_kappa", "gamma", "krippendorff_alpha"]


def test_a_part_of_several_words_names_them_all():
    assert did_you_mean("Kappa", KNOWN) == ". Did you mean 'cohen_kappa' or 'fleiss_kappa'?"


def test_a_mistyped_word_names_the_nearest_only():
    assert did_you_mean("fleis_kappa", KNOWN) == ". Did you mean 'fleiss_kappa'?"


def test_a_word_like_none_names_all_there_are():
    assert did_you_mean("xyz", KNOWN) == ". Known here: cohen_kappa, fleiss_kappa, gamma, krippendorff_alpha"
    assert did_you_mean("xyz", []) == ". There is no other here."
