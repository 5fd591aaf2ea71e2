"""The last digits of a sum decide about no order, no choice, no draw and no printed digit."""

from math import inf, nan

import numpy as np
import pytest

from accord.inference.bootstrap import normal_draws
from accord.inference.jackknife import jackknife_of
from accord.inference.permutation import permutation_test
from accord.noise import by_name, first_of, order_of, ordered, ranked, settled
from accord.words import p_text, steady

UP = 1 + 2e-16


def test_numbers_that_differ_by_rounding_alone_share_a_rank():
    assert ranked([3 * UP, 1, 3, 2, 1 * UP]).tolist() == [2, 0, 2, 1, 0]
    assert ranked([1.0, 1.0 + 1e-6]).tolist() == [0, 1]


def test_ranks_know_infinite_and_undefined_numbers():
    assert ranked([nan, inf, 1, -inf, inf, nan]).tolist() == [3, 2, 1, 0, 2, 3]
    assert ranked([]).tolist() == [] and ranked([nan]).tolist() == [0]


def test_differences_that_are_nothing_beside_what_they_were_made_of_are_equal():
    assert ranked([4e-17, -2e-16, 0.0]).tolist() == [2, 0, 1]
    assert ranked([4e-17, -2e-16, 0.0], size=5.0).tolist() == [0, 0, 0]


def test_probabilities_are_held_against_their_neighbours_alone():
    assert ranked([1e-12, 0.9, 1e-15]).tolist() == [0, 1, 0]
    assert ranked([1e-12, 0.9, 1e-15], size=0).tolist() == [1, 2, 0]


@pytest.mark.parametrize("highest", [False, True])
def test_equal_ones_are_ordered_by_name_whatever_their_last_digits(highest):
    names = ["R10", "R2", "R1"]
    for values in ([1, 1 * UP, 1 / UP], [1 * UP, 1, 1], [1, 1, 1 * UP]):
        assert [names[place] for place in order_of(values, names, highest=highest)] == ["R1", "R2", "R10"]


def test_without_names_equal_ones_stay_as_they_stand_and_undefined_ones_are_last():
    assert order_of([nan, 2, 1, 2 * UP], highest=True).tolist() == [1, 3, 2, 0]
    assert order_of([nan, 2 * UP, 1, 2]).tolist() == [2, 1, 3, 0]


def test_things_are_ordered_by_their_number_then_by_name():
    things = [("b", 0.3), ("a", 0.1 + 0.2), ("c", 0.1)]
    assert [name for name, _ in ordered(things, lambda one: one[1], lambda one: one[0], highest=True)] == list("abc")
    assert first_of(things, lambda one: one[1], lambda one: one[0], highest=True)[0] == "a"
    assert first_of(things, lambda one: one[1])[0] == "c"


def test_names_are_ordered_by_the_numbers_in_them():
    assert sorted(["x10y", "x9z", "x9", "x", "10", "9", "é"], key=by_name) == ["9", "10", "x", "x9", "x9z", "x10y", "é"]


def test_what_is_noise_beside_what_it_was_made_of_is_nought():
    assert settled(np.array([0.1 + 0.2, -4.4e-16, 2.5]), 5.0).tolist() == [0.3, 0.0, 2.5]
    assert str(settled(-4.4e-16, 5.0)) == "0.0" and settled(-4.4e-16, 1e-15) == pytest.approx(-4.4e-16)
    assert settled(3e-20, 0.0) == 3e-20 and settled(3e-20, nan) == 3e-20


def test_a_half_is_printed_alike_from_both_sides_and_nothing_has_no_sign():
    assert {f"{steady(number):.0f}" for number in (17.499999999999996, 17.5, 17.500000000000004)} == {"18"}
    assert {f"{steady(number):.2f}" for number in (0.12499999999999997, 0.125, 0.12500000000000003)} == {"0.12"}
    assert {f"{steady(number):+.2f}" for number in (-3e-17, 3e-17, 0.0, -0.0)} == {"+0.00"}
    assert steady(1234567.891) == 1234567.891 and steady(-inf) == -inf and steady(nan) != steady(nan)
    assert {p_text(number) for number in (0.01249999999999999, 0.0125)} == {"p = .013"}


class Axes:
    """Draws that are the axes one by one, so that the draws made of them are the root."""

    @staticmethod
    def standard_normal(shape):
        return np.eye(*shape)


def test_normal_draws_take_the_one_symmetric_root():
    features = np.array([[1, 0, 1, 2, 5], [0, 1, 1, 2, 5], [3, 1, 4, 8, 5], [2, 2, 4, 8, 5]], dtype=float)
    apart = (features - features.mean(axis=0)) * [1, 1, 1, 1e6, 1]
    covariance = apart.T @ apart
    root = normal_draws(covariance, 5, Axes)
    assert root.T @ root == pytest.approx(covariance, rel=1e-9)
    widths = np.sqrt(np.diag(covariance))[:4]
    assert pytest.approx(root[:4, :4] / widths, abs=1e-12) == (root[:4, :4] / widths).T
    # What is a sum of others, or never varies, does so in every draw.
    assert root[:, 0] + root[:, 1] == pytest.approx(root[:, 2], abs=1e-12) and not root[:, 4].any()


def test_values_that_differ_by_rounding_alone_have_no_standard_error():
    left_out = np.array([[0.3], [0.1 + 0.2], [0.3], [0.3]])
    found = jackknife_of(np.array([0.3]), left_out, "items")
    assert found.standard_errors.tolist() == [0.0] and found.accelerations.tolist() == [0.0]
    assert jackknife_of(np.array([0.3]), left_out * [[1], [1], [1], [1 + 1e-9]], "items").standard_errors[0] > 0


def test_an_arrangement_that_is_the_one_seen_but_for_rounding_counts_as_one():
    made = permutation_test(0.1 + 0.2, np.array([0.3, -0.3, 0.1, 0.0]), exact=True, unit="items")
    assert made.p == 0.5
