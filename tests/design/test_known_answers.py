"""What is right on a line: a range between two numbers, and about a single one a tenth of the line."""

import pytest

from accord.design.known_answers import range_of, right_between
from accord.design.load import load_study
from accord.errors import StudyError
from served_study import write_folder

STUDY = """
title = "Scores"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 1
[[scenarios]]
key = "one"
kind = "random-sentence"
[[criteria]]
key = "adequacy"
question = "How adequate?"
kind = "slider"
best = "high"
low = 0
high = 100
[[practice]]
source = "The bank."
target = "Die Bank."
criterion = "adequacy"
expected = [EXPECTED]
"""


@pytest.mark.parametrize("text", ["0-30", "0 – 30", "0..30", "0 to 30", "0 bis 30", "0.0-30.0"])
def test_a_range_is_read_however_people_write_it(text):
    assert range_of(text) == (0, 30)


@pytest.mark.parametrize("text", ["30", "0, 30", "a-b", "no-error", "2024-01-02"])
def test_what_is_no_range_is_none(text):
    assert range_of(text) is None


def test_a_negative_end_keeps_its_sign():
    assert range_of("-3-3") == (-3, 3)


def test_a_single_score_of_a_line_is_right_a_tenth_of_it_away_and_never_beyond_its_ends():
    assert right_between([70], "slider", 0, 100) == (60, 80)
    assert right_between([10], "slider", 0, 100) == (0, 20)
    assert right_between([5], "slider", 0, 100) == (0, 15)
    assert right_between([97], "slider", 0, 100) == (87, 100)
    assert right_between([30, 0], "slider", 0, 100) == (0, 30)


def test_a_count_that_is_no_line_is_met_exactly():
    assert right_between([3], "number", 0, None) == (3, 3)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("120", "the expected number 120 is not between 0 and 100, as answers to 'adequacy' are"),
        ('"0 30 60"', "'0 30 60' is no number. Expect one of 'adequacy', or two for all between them"),
    ],
)
def test_an_answer_that_cannot_be_given_is_refused_with_the_real_ends(tmp_path, expected, words):
    text = STUDY.replace("EXPECTED", expected)
    with pytest.raises(StudyError) as refused:
        load_study(write_folder(tmp_path / "s", text, "# R\n", ["target:a"], [("d", "1", "x", "y")]))
    assert words in str(refused.value) and "`low`" not in str(refused.value)
