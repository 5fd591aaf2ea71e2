"""Who leads and who is last, said only where the ranks show it."""

import pytest

from accord.scoring.standing import standing, standing_of_ranks, told_apart


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        ([("B", 1, 2), ("A", 1, 2), ("C", 3, 3), ("D", 4, 4)],
         "B and A lead and cannot be told apart; C is third, D is last."),
        ([("B", 1, 1), ("A", 2, 3), ("C", 2, 3)], "B is best."),
        ([("B", 1, 1), ("A", 2, 2)], "B is better than A."),
        ([("B", 1, 2), ("A", 1, 2)], "B and A cannot be told apart."),
        ([("B", 1, 3), ("A", 1, 3), ("C", 1, 3)], "No order is shown: any of the 3 systems may be the best."),
        ([("B", 1, 1)], "There is one system, B: nothing to rank."),
    ],
)  # fmt: skip
def test_the_sentence_says_what_the_ranks_show(ranks, words):
    assert standing_of_ranks(ranks) == words


def test_pairs_that_differ_make_the_order():
    assert standing(["B", "A", "C"], {("B", "C"), ("A", "C")}) == "B and A lead and cannot be told apart; C is last."


def test_nobody_leads_whom_others_stand_before():
    # D is the last by its ability, and no pair with it differs: not shown to be worse is not to lead.
    words = standing(["B", "A", "C", "D"], {("A", "C")})
    assert words == "B is ahead, but only 1 of 6 pairs differs: A is better than C."


@pytest.mark.parametrize(
    ("names", "better", "words"),
    [
        ("ABC", {("A", "C")}, "1 of 3 pairs differs. Not told apart either: B and C."),
        ("ABC", {("A", "C"), ("B", "C")}, "2 of 3 pairs differ."),
        ("ABC", {("A", "C"), ("A", "B")}, "2 of 3 pairs differ. Not told apart: B and C."),
        ("ABC", {("A", "C"), ("A", "B"), ("B", "C")}, "All 3 pairs differ."),
        ("ABCD", {("A", "D"), ("B", "D"), ("A", "C")}, "3 of 6 pairs differ. Not told apart either: B and C, C and D."),
        ("AB", {("A", "B")}, ""),
        ("AB", set(), ""),
        ("BACD", {("A", "C")}, ""),
        ("ABCDEFG", {("A", "G")}, "1 of 21 pairs differs."),
    ],
)
def test_pairs_are_named_where_the_order_leaves_them_open_and_never_twice(names, better, words):
    assert told_apart(list(names), better) == words
