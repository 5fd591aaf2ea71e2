"""Guidelines follow the words of the questions where these cannot mean anything else, and the rest is told."""

import pytest

from accord.server.workspace.guideline_words import added_changes, changed_words, followed, still_said

LINE = {
    "key": "score",
    "question": "The text is fluent English.",
    "low": 0.0,
    "high": 100.0,
    "low_label": "strongly disagree",
    "high_label": "perfect",
    "anchors": {"50": "so so", "100": "flawless and plain"},
}
SCALE = {"key": "tone", "question": "How kind is it?", "values": [1, 2], "labels": ["rude", "kind"]}
TEXT = """# Is it fluent?

> The text is fluent English.

Left is *strongly
disagree* (0), right is *perfect* (100). Some are perfect.
"""


def test_what_raters_read_at_a_question_is_compared_place_by_place():
    after = {**LINE, "low_label": "not at all", "anchors": {"100": "flawless and plain"}}
    told = changed_words([LINE, SCALE], [after, {**SCALE, "labels": ["rude", "warm"]}])
    assert told == [("strongly disagree", "not at all"), ("so so", ""), ("kind", "warm")]
    # The anchor at an end is what raters read there: the end's own words change nothing.
    assert changed_words([LINE], [{**LINE, "high_label": "great"}]) == []
    assert changed_words([LINE], []) == [], "a question that is gone says nothing"


def test_points_of_errors_that_were_changed_are_told_because_guidelines_say_them_too():
    errors = {"key": "errors", "question": "Which?", "severities": [{"key": "major", "weight": 5}]}
    now = {**errors, "severities": [{"key": "major", "weight": 10}], "weights": {"major/style": 2}}
    assert changed_words([errors], [now]) == [("major = 5", "major = 10")]


def test_phrases_follow_across_lines_and_single_words_are_left_and_told():
    changes = [
        ("strongly disagree", "not at all"),
        ("The text is fluent English.", "Is this good English?"),
        ("perfect", "flawless"),
    ]
    text = followed(TEXT, changes)
    assert "*not at all* (0)" in text and "> Is this good English?\n" in text and text.count("perfect") == 2
    assert still_said(text, changes) == [("perfect", "flawless")]
    assert followed("as a\\b c says", [("a\\b c", "\\1 x")]) == "as \\1 x says"
    assert followed("imperfectly so so-so", [("perfectly so", "x y")]) == "imperfectly so so-so"


@pytest.mark.parametrize(
    "known, new, together",
    [
        ([["a b", "c d"]], [("c d", "e f")], [("a b", "e f")]),
        ([["a b", "c d"]], [("c d", "a b")], []),
        ([], [("a b", "")], [("a b", "")]),
    ],
)
def test_what_is_changed_twice_is_told_once(known, new, together):
    assert added_changes(known, new) == together
