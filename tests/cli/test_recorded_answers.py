"""Every command answers the recorded questions as it did when somebody read the answers beside the files."""

import pytest

from recorded_answers import RECORDS, answered, differences, file_of, questions, recorded

QUESTIONS = questions()


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_as_it_was_recorded(question):
    changed = differences(answered(question), recorded(question))
    assert not changed, "\n".join(["python tests/recorded_answers.py writes the new answers.", *changed[:20]])


def test_every_record_is_that_of_a_question():
    lines = [line for path in RECORDS.glob("*.txt") for line in path.read_text(encoding="utf-8").splitlines()]
    sections = [line.removeprefix("== ") for line in lines if line.startswith("== ")]
    assert sorted(sections) == sorted(QUESTIONS)
    assert {path.name for path in RECORDS.glob("*.txt")} == {file_of(question).name for question in QUESTIONS}


def test_a_last_digit_may_differ_and_nothing_else():
    assert not differences("value: 0.123456 ab", "value: 0.123457 ab")
    apart = ["0.123456 0.123556", "3 4", "0.12 0.13", "a b", "-0.123456 0.123456"]
    for one, other in (pair.split() for pair in apart):
        assert differences(one, other), (one, other)
