"""Practice in a real browser: what is said after an answer is true, and nobody is called right without a reason."""

import pytest

from browser_walk import DESK, PHONE, Walk, turn_to
from hands import PLACES, markable
from served_study import Served, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "Practice"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 20
[[scenarios]]
key = "text"
kind = "sentence-in-context"
[[scenarios]]
key = "count"
kind = "random-sentence"
[[criteria]]
key = "errors"
question = "Mark the errors."
kind = "spans"
scenarios = ["text"]
severities = [{ key = "minor", weight = 1 }, { key = "major", weight = 5 }]
[[criteria]]
key = "kinds"
question = "Which errors?"
kind = "categories"
scenarios = ["text"]
values = ["word", "order", "tense"]
several = true
none_label = "None of these"
[[criteria]]
key = "score"
question = "How good is it?"
kind = "slider"
low = 0
high = 100
best = "high"
scenarios = ["text"]
[[criteria]]
key = "changes"
question = "How many words must change?"
kind = "number"
per = "word"
best = "low"
scenarios = ["count"]
[[practice]]
source = "The bank was closed."
target = "Die Sitzbank war geschlossen."
criterion = "errors"
marks = [{ text = "Sitzbank", severity = "major" }]
feedback = "It is a bench."
[[practice]]
source = "The bank was closed."
target = "Die Sitzbank war geschlossen."
criterion = "errors"
feedback = "Look at the bench."
[[practice]]
source = "The shop was open."
target = "Der Laden war offen."
criterion = "errors"
marks = []
[[practice]]
source = "He has slept."
target = "Er schlaft hat."
criterion = "kinds"
expected = ["tense", "order"]
[[practice]]
source = "He slept."
target = "Er schlief."
criterion = "kinds"
expected = ["no-error"]
[[practice]]
source = "He slept."
target = "Er schlief."
criterion = "score"
expected = [90, 100]
"""


@pytest.fixture(scope="module")
def practised(tmp_path_factory):
    items = [("d1", "1", "The path was icy.", "Der Pfad war vereist.")]
    server = Served(
        write_folder(tmp_path_factory.mktemp("practice"), STUDY, "# Read.\n", ["target:a"], items), is_forked=True
    )
    yield server
    server.stop()


@pytest.fixture
def walk(practised, chromium):
    made = Walk(chromium, DESK, practised.address)
    made.page.clock.install()
    made.to_work(practised.invite()[0])
    yield made
    made.close()


def answer(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def told(page, *, waits=60):
    page.clock.run_for(waits)
    box = page.locator("#feedback")
    return box.inner_text() if box.is_visible() else ""


def mark(page, start, end, severity):
    (x1, y1), (x2, y2) = page.evaluate(PLACES, [markable("target"), start, end])
    page.mouse.move(x1 + 1, y1)
    page.mouse.down()
    page.mouse.move(x2 - 1, y2, steps=3)
    page.mouse.up()
    page.wait_for_selector(".pending")
    page.keyboard.press(severity)


def test_marks_are_right_where_words_and_weight_are_and_no_errors_is_wrong_where_there_are_some(walk):
    page = walk.page
    answer(page, "0")
    assert told(page) == "We would judge it differently. Expected: “Sitzbank”: major. It is a bench."
    mark(page, 4, 12, "1")
    assert told(page).startswith("We would judge it differently."), "too light"
    answer(page, "e", "2")
    assert told(page) == "Yes. It is a bench."
    page.keyboard.press("Escape")
    mark(page, 17, 20, "1")
    assert told(page).startswith("We would judge it differently."), "nothing is wrong there"


def test_where_nothing_is_expected_nobody_is_called_right(walk):
    page = walk.page
    turn_to(page, 2)
    answer(page, "0")
    assert told(page) == "Look at the bench."
    turn_to(page, 3)
    mark(page, 4, 8, "1")
    assert told(page) == "We would judge it differently. Expected: No errors."
    answer(page, "e", "Backspace", "0")
    assert told(page) == "Yes."


def test_categories_are_right_as_a_set_and_scores_within_their_bounds(walk):
    page = walk.page
    turn_to(page, 4)
    answer(page, "2")
    assert told(page) == "We would judge it differently. Expected: tense, order."
    answer(page, "3")
    assert told(page) == "Yes."
    turn_to(page, 5)
    answer(page, "1")
    assert told(page) == "We would judge it differently. Expected: None of these."
    answer(page, "0")
    assert told(page) == "Yes."
    turn_to(page, 6)
    answer(page, "8", "9")
    assert told(page, waits=800) == "We would judge it differently. Expected: 90 – 100."
    page.clock.run_for(900)
    answer(page, "9", "5")
    assert told(page, waits=800) == "Yes."


def test_an_open_number_is_typed_or_counted_and_the_ratings_hold_it_by_the_word(walk, practised):
    page = walk.page
    place = next(at for at, screen in enumerate(walk.work["screens"], start=1) if screen["scenario"] == "count")
    turn_to(page, place)
    heading = page.get_by_role("heading", name="Text to judge").bounding_box()
    assert heading["width"] > 40, "texts are named"
    assert page.locator(".score-box").input_value() == ""
    page.get_by_role("button", name="One more").click()
    assert page.locator(".score-box").input_value() == "1"
    answer(page, "1", "3", "-")
    assert page.locator(".score-box").input_value() == "12", "more than any scale of five has"
    page.clock.run_for(800)
    walk.sent()
    last = [row for row in practised.export("--judgements") if row["criterion"] == "changes"][-1]
    rated = [row for row in practised.export() if row["rater"] == last["rater"] and row["criterion"] == "changes"]
    assert last["value"] == "12" and [row["value"] for row in rated] == ["3.0"], "four words"


def test_on_a_phone_what_is_said_stands_above_the_text_it_is_about(practised, chromium):
    walk = Walk(chromium, PHONE, practised.address, touch=True)
    walk.to_work(practised.invite()[0])
    page = walk.page
    page.get_by_role("button", name="No errors").tap()
    said, text = page.locator("#feedback").bounding_box(), page.locator(".current").bounding_box()
    assert 0 <= text["y"] - said["y"] - said["height"] < 40 and text["y"] + text["height"] < PHONE["height"]
    walk.close()
