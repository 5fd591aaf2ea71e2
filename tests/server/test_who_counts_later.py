"""Who is left out stays so when more is opened, and whoever does not count answers no questionnaire either."""

import pytest

import accord
from empty_database import opened_study
from served_study import write_folder
from server.test_phases import answer, coming, screens

STUDY = """
title = "A reserve"
seed = 3
[languages]
source = "en"
target = "pt"
[assignment]
design = "crossed"
raters = 3
[[phases]]
key = "main"
[[phases]]
key = "reserve"
documents = ["d7", "d8"]
reserve = true
[[scenarios]]
key = "alone"
kind = "random-sentence"
[[criteria]]
key = "meaning"
question = "How much of the meaning is there?"
kind = "scale"
level = "ordinal"
values = [0, 1, 2, 3]
best = "high"
[questionnaire]
per_scenario = false
[[questionnaire.statements]]
key = "tiring"
text = "It was tiring."
[[exclusions]]
rule = "no_variation"
[[exclusions]]
rule = "incomplete"
"""
ITEMS = [(f"d{number}", "1", f"Source {number}.", f"Texto {number}.") for number in range(1, 9)]


@pytest.fixture
def judged(tmp_path):
    """Three raters who finished the main phase; the third gave one and the same score and was tired by it."""
    folder = write_folder(tmp_path / "study", STUDY, "# Read.\n", ["target:a"], ITEMS)
    opened_study(folder)
    from accord.server.invitations import invite_raters

    raters = [coming(token) for _, token in invite_raters(3)]
    for rater, (client, tiring) in enumerate(zip(raters, "115", strict=True)):
        for place, screen in enumerate(screens(client)):
            answer(client, screen["id"], value=2 if rater == 2 else place % 3)
        client.post("/questionnaire", {"|tiring": tiring})
    yield folder, raters
    from django.db import connections

    connections.close_all()


def left_out():
    from accord.server.organiser.ratings import collect

    return [(one.rater, one.rule) for one in collect().left_out]


def test_opening_a_reserve_counts_nobody_again_whom_a_rule_left_out(judged):
    from accord.server.phases import change_phase

    _, raters = judged
    assert left_out() == [("R3", "no_variation")]
    change_phase("reserve", "open", "ana")
    assert left_out() == [("R3", "no_variation")]  # and nobody is incomplete by what was opened since
    answer(raters[2], screens(raters[2])[-1]["id"], value=2)
    assert left_out() == [("R3", "no_variation")]


def test_who_proves_the_rule_wrong_in_the_reserve_counts(judged):
    from accord.server.phases import change_phase

    _, raters = judged
    change_phase("reserve", "open", "ana")
    for place, screen in enumerate(screens(raters[2])[-2:]):
        answer(raters[2], screen["id"], value=place)
    assert left_out() == []


@pytest.mark.parametrize("keep_all, mean", [(False, 1.0), (True, 7 / 3)])
def test_whoever_does_not_count_answers_no_questionnaire(judged, keep_all, mean):
    from accord.reading import read_answers
    from accord.reporting.analysis import analyse

    folder, _ = judged
    told = analyse(accord.read(folder, keep_all=keep_all), keep_all=keep_all, answers=read_answers(folder)).answers
    assert told.scores.mean() == pytest.approx(mean)
