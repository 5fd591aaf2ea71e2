"""The checker of histories finds each thing that can go wrong, and complains of nothing else."""

import json

import pytest

from saved_history import REFUSED, SAVED, UNKNOWN, History, complaints


def entry(uuid, revision=1, value=5, task=1):
    return {"uuid": uuid, "task": task, "criterion": "quality", "place": 0, "value": value, "revision": revision}


def row(uuid, revision=1, value=5, superseded_by=""):
    return {"uuid": uuid, "value": json.dumps(value), "revision": str(revision), "superseded_by": superseded_by}


@pytest.fixture
def history():
    """Of one question: a, then b which corrects it and was sent twice; c was not answered; d of another was refused."""
    made = History()
    for one, status in (
        (entry("a"), SAVED), (entry("b", 2, 7), UNKNOWN), (entry("b", 2, 7), SAVED), (entry("c", 3, 9), UNKNOWN),
        (entry("d", task=2), REFUSED),
    ):  # fmt: skip
        made.sent(one)
        made.answered(one["uuid"], status)
    return made


GOOD = [
    [row("a", superseded_by="b"), row("b", 2, 7)],
    [row("a", superseded_by="c"), row("b", 2, 7, "c"), row("c", 3, 9)],
]
BAD = {
    "lost: a": [row("b", 2, 7)],
    "kept 2 times: b": [row("a", superseded_by="b"), row("b", 2, 7), row("b", 2, 7, "b")],
    "never sent: x": [row("a", superseded_by="b"), row("b", 2, 7), row("x")],
    "refused, but kept: d": [row("a", superseded_by="b"), row("b", 2, 7), row("d")],
    "changed: a": [row("a", value=6, superseded_by="b"), row("b", 2, 7)],
    "another answer than the last counts: (1, 'quality', 0)": [row("a"), row("b", 2, 7, "a")],
}


@pytest.mark.parametrize("exported", GOOD)
def test_an_answer_that_nobody_got_may_be_kept_or_not(history, exported):
    assert complaints(history, exported) == [] and history.acknowledged == 2


@pytest.mark.parametrize("complaint", BAD)
def test_each_thing_that_goes_wrong_is_found(history, complaint):
    assert complaints(history, BAD[complaint]) == [complaint]


def test_two_answers_that_count_for_one_question_are_found(history):
    assert len(complaints(history, [row("a"), row("b", 2, 7)])) == 1


def test_a_history_is_the_same_after_it_was_written_and_read(history, tmp_path):
    history.write(tmp_path / "history.jsonl")
    assert History.read(tmp_path / "history.jsonl").events == history.events
