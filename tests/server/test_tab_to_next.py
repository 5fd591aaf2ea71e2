"""Tab after an answer is the way to the next question: the digit that follows answers that one."""

import json

import pytest

from browser_walk import DESK, Walk, turn_to
from served_study import Served, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "One after the other"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 20
order = "fixed"
[[scenarios]]
key = "beside"
kind = "sentence-in-context"
layout = "segment"
[[scenarios]]
key = "under"
kind = "sentence-in-context"
[[criteria]]
key = "errors"
question = "Mark the errors."
kind = "spans"
scenarios = ["under"]
severities = [{ key = "minor", label = "Minor", weight = 1 }, { key = "major", label = "Major", weight = 5 }]
[[criteria]]
key = "score"
question = "How good is it?"
kind = "slider"
low = 0
high = 100
best = "high"
[[criteria]]
key = "fluency"
question = "How fluent is it?"
kind = "scale"
level = "ordinal"
values = [1, 2, 3, 4, 5]
best = "high"
[[criteria]]
key = "count"
question = "How many errors?"
kind = "number"
scenarios = ["beside"]
best = "low"
[[criteria]]
key = "style"
question = "How is the style?"
scenarios = ["beside"]
kind = "scale"
level = "ordinal"
values = [1, 2, 3, 4, 5]
best = "high"
"""
ITEMS = [("d", str(n), f"The {n} boats wait.", f"Die {n} Boote warten.") for n in range(1, 4)]
FOCUSED = "document.activeElement.closest('fieldset.question')?.innerText.split('\\n')[0] ?? ''"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("tab"), STUDY, "# Read.\n", ["target:a"], ITEMS)
    server = Served(folder, is_forked=True)
    yield server
    server.stop()


@pytest.fixture
def walk(served, chromium):
    made = Walk(chromium, DESK, served.address)
    made.page.clock.install()
    made.to_work(served.invite()[0])
    yield made
    made.close()


def turn(walk, scenario):
    """To the first screen of a scenario, which some raters begin with."""
    screens = walk.work["screens"]
    number = next(at for at, screen in enumerate(screens, start=1) if screen["scenario"] == scenario)
    turn_to(walk.page, number)
    return number


def press(page, keys):
    for key in keys.split():
        page.keyboard.press(key)


def answers(walk, server, scenario):
    """What counts for the first segment of a scenario, by criterion."""
    walk.page.clock.run_for(750)
    walk.sent()
    rows = server.export("--judgements")
    last = max(rows, key=lambda row: row["received_at"])["rater"]
    return {
        row["criterion"]: json.loads(row["value"])
        for row in rows
        if row["rater"] == last and row["scenario"] == scenario and row["segment"] == "1" and not row["superseded_by"]
    }


@pytest.mark.parametrize("is_in_the_box", [False, True])
def test_a_digit_after_a_score_and_tab_answers_the_next_question(walk, served, is_in_the_box):
    page = walk.page
    turn(walk, "beside")
    if is_in_the_box:
        page.click(".slider .score-box")
    press(page, "6 4 Tab 3")  # the page goes on to the question after it
    press(page, "1 2 Tab 5")
    assert answers(walk, served, "beside") == {"score": 64, "fluency": 3, "count": 12, "style": 5}


def test_a_digit_after_tab_answers_the_next_question_also_where_all_were_answered(walk, served):
    page = walk.page
    turn(walk, "beside")
    press(page, "6 4 Tab 3 2 Tab 5")
    page.click(".slider .score-box")
    press(page, "7 0 Tab 4 Tab 9 Tab 1")
    assert answers(walk, served, "beside") == {"score": 70, "fluency": 4, "count": 9, "style": 1}


def test_tab_goes_through_everything_of_a_question_that_was_not_answered(walk, served):
    page = walk.page
    turn(walk, "beside")
    page.click(".slider .score-box")
    press(page, "Tab")
    assert page.evaluate("document.activeElement.matches('.slider .skip')")
    press(page, "Tab")
    assert "fluent" in page.evaluate(FOCUSED)
    press(page, "Shift+Tab")
    assert page.evaluate("document.activeElement.matches('.slider .skip')"), "and back the same way"
    press(page, "5 5")
    assert answers(walk, served, "beside") == {"score": 55}


def test_under_a_segment_the_digit_after_tab_answers_what_comes_after_the_score(walk, served):
    page = walk.page
    number = turn(walk, "under")
    press(page, "6 4 Tab 3")
    page.clock.run_for(1300)
    assert page.evaluate("location.hash") == f"#{number + 1}", "all is answered, so the page goes on"
    assert answers(walk, served, "under") == {"errors": [], "score": 64, "fluency": 3}


RINGS = """[...document.querySelectorAll('.choice')].filter((one) => getComputedStyle(one).outlineStyle === 'solid')
  .map((one) => [one.closest('fieldset').innerText.split('\\n')[0],
    one.querySelector('kbd').innerText, one.firstChild.checked])"""


def test_the_ring_stands_on_the_answer_that_is_chosen_by_digit_and_by_arrows(walk, served):
    """A ring that is left on another option looks like a second choice."""
    page = walk.page
    turn(walk, "beside")
    page.click(".slider .score-box")
    press(page, "6 4 Tab 3 2 Tab")
    ((question, _, is_chosen),) = page.evaluate(RINGS)
    assert "style" in question and not is_chosen, "the last question has the focus and no answer yet"
    press(page, "4")
    assert [ring[1:] for ring in page.evaluate(RINGS)] == [["4", True]]
    press(page, "2")
    assert [ring[1:] for ring in page.evaluate(RINGS)] == [["2", True]], "and goes along with a digit"
    press(page, "ArrowRight ArrowRight")
    assert [ring[1:] for ring in page.evaluate(RINGS)] == [["4", True]], "and with the arrows"
    page.click(".slider .score-box")
    press(page, "ArrowUp")
    assert page.evaluate(RINGS) == [], "on the line of the score it is on none of them"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert answers(walk, served, "beside")["style"] == 4
