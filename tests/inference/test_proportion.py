"""Wilson's interval against Newcombe (1998), and with the variance of more than two raters."""

import numpy as np
import pytest

from accord.inference.proportion import wilson_interval

# Newcombe (1998), Statistics in Medicine 17, table I, method 3, to four decimals.
NEWCOMBE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("hits", "items", "low", "high"), NEWCOMBE)
def test_for_two_raters_it_is_the_interval_printed_by_newcombe(hits, items, low, high):
    share = hits / items
    error = np.sqrt(share * (1 - share) / (items - 1))
    found = wilson_interval(share, error, items)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_shares_that_vary_less_than_a_coin_give_a_shorter_interval():
    assert wilson_interval(0.6, 0.02, 30).width < wilson_interval(0.6, 0.09, 30).width / 2


def test_agreement_on_every_item_is_no_certainty():
    found = wilson_interval(1.0, 0.0, 20)
    assert found.high == 1.0
    assert found.low == pytest.approx(1 - 0.1611, abs=5e-5)


def test_one_unit_or_an_undefined_share_has_none():
    assert wilson_interval(0.5, 0.1, 1) is None
    assert wilson_interval(float("nan"), 0.1, 20) is None


def test_documents_of_which_one_is_nearly_all_still_have_a_wide_interval():
    found = wilson_interval(0.77, 0.05, 1.7, unit="documents")
    assert found.low < 0.2
    assert found.high > 0.95
    assert wilson_interval(0.77, 0.05, 1.0) is None
