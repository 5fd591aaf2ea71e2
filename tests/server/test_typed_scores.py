"""Scores typed fast, slowly, wrongly and too late: what is saved is what the rater meant, or the page asks."""

import json

import pytest

from browser_walk import DESK, PHONE, Walk, turn_to, until
from served_study import Served, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "Typed scores"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 60
order = "fixed"
[[scenarios]]
key = "text"
kind = "sentence-in-context"
[[criteria]]
key = "errors"
question = "Mark the errors."
kind = "spans"
omissions = true
severities = [{ key = "minor", label = "Minor", weight = 1 }, { key = "major", label = "Major", weight = 5 }]
[[criteria]]
key = "score"
question = "How good is it?"
kind = "slider"
best = "high"
low = 0
high = 100
[criteria.anchors]
0 = "no meaning preserved"
33 = "some meaning preserved"
66 = "most meaning preserved and few grammar mistakes"
100 = "perfect meaning and grammar"
"""
ITEMS = [
    ("d", str(n), f"The {n} boats wait for spring.", f"Die {n} Boote warten im Hafen auf den Frühling.")
    for n in range(1, 9)
]
GOES_ON, LONG_PAUSE = 1300, 1700


@pytest.fixture(scope="module")
def served_scores(tmp_path_factory):
    server = Served(
        write_folder(tmp_path_factory.mktemp("typed"), STUDY, "# Read.\n", ["target:a"], ITEMS), is_forked=True
    )
    yield server
    server.stop()


@pytest.fixture
def walk(served_scores, chromium):
    made = Walk(chromium, DESK, served_scores.address)
    made.page.clock.install()
    made.to_work(served_scores.invite()[0])
    yield made
    made.close()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def is_at(page, number):
    return page.evaluate("number => location.hash === `#${number}`", number)


def shown(page):
    return page.input_value(".current .score-box")


def scores(walk, server):
    """The scores that count, by segment."""
    walk.page.clock.run_for(750)
    walk.sent()
    rows = server.export("--judgements")
    last = max(rows, key=lambda row: row["received_at"])["rater"]
    own = [row for row in rows if row["rater"] == last and not row["superseded_by"] and row["criterion"] == "score"]
    return {int(row["segment"]): json.loads(row["value"]) if row["value"] else None for row in own}


def test_a_number_typed_slowly_is_that_number_and_waits_for_enter(walk, served_scores):
    page = walk.page
    for number, typed in enumerate(["87", "100", "8", "0"], start=1):
        if typed == "0":
            press(page, "0")  # no errors: only then is it a score
        press(page, typed[0])
        for digit in typed[1:]:
            page.clock.run_for(LONG_PAUSE)
            press(page, digit)
        page.clock.run_for(GOES_ON)
        assert shown(page) == typed and is_at(page, number)
        press(page, "Enter")
        assert is_at(page, number + 1)
    press(page, "1", "0", "0")
    until(page, "location.hash === '#6'")
    assert scores(walk, served_scores) == {1: 87, 2: 100, 3: 8, 4: 0, 5: 100}


def test_a_correction_that_comes_too_late_stays_in_sight_and_can_be_undone(walk, served_scores):
    page = walk.page
    press(page, "8", "7")
    until(page, "location.hash === '#2'")
    press(page, "8", "6")
    page.clock.run_for(GOES_ON)
    assert is_at(page, 2) and shown(page) == "86" and "just gone on" in page.inner_text("#message")
    press(page, "u")
    assert is_at(page, 2) and shown(page) == ""
    press(page, "u")
    assert is_at(page, 1) and shown(page) == ""
    press(page, "8", "6")
    until(page, "location.hash === '#2'")
    assert scores(walk, served_scores) == {1: 86, 2: None}


def test_what_is_no_longer_in_the_box_is_not_the_answer(walk, served_scores):
    page = walk.page
    page.click(".current .score-box")
    press(page, "8")
    page.clock.run_for(800)
    press(page, "Backspace", "Enter")
    assert is_at(page, 1) and page.inner_text("#message") != ""
    press(page, "8", "7", "0")
    assert page.get_attribute(".current .score-box", "aria-invalid") == "true"
    press(page, "Enter")
    assert is_at(page, 1) and page.inner_text("#message") == "Give a number from 0 to 100."
    assert scores(walk, served_scores) == {1: None}


def test_undo_gives_the_focus_back_to_what_was_undone(walk, served_scores):
    page = walk.page
    press(page, "0")  # no errors: on to the score
    assert page.evaluate("document.activeElement.matches('.score-box')")
    press(page, "u")
    assert not page.evaluate("document.activeElement.matches('.score-box')")
    press(page, "ArrowRight", "1")  # words are chosen again, and the key is a severity
    assert shown(page) == "" and page.locator(".current .mark").count() + page.locator(".mark-tools").count() > 0


def test_backspace_takes_a_digit_back_and_a_key_held_down_says_its_word_once(walk, served_scores):
    page = walk.page
    press(page, "9", "Backspace")
    assert shown(page) == ""
    press(page, "4", "1")
    until(page, "location.hash === '#2'")
    page.clock.run_for(GOES_ON)
    for _ in range(4):
        page.keyboard.down("0")
    page.keyboard.up("0")
    assert shown(page) == "" and page.locator(".mark-tools [aria-pressed=true]").count() == 1
    assert scores(walk, served_scores) == {1: 41}


def test_the_switch_for_going_on_is_in_help_and_stays_as_it_was_left(walk):
    page = walk.page
    page.get_by_role("button", name="Help").click()
    page.get_by_label("Go on by itself").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector(".question")
    press(page, "8", "7")
    page.clock.run_for(GOES_ON)
    assert is_at(page, 1) and shown(page) == "87"
    press(page, "Enter")
    assert is_at(page, 2)


def test_on_a_phone_the_score_lies_on_no_tool_and_no_arrow_keys_are_spoken_of(served_scores, chromium):
    walk = Walk(chromium, PHONE, served_scores.address, touch=True)
    walk.to_work(served_scores.invite()[0])
    page = walk.page
    for number in range(1, len(ITEMS) + 1):
        turn_to(page, number)
        tools = page.locator(".current .mark-tools").bounding_box()
        score = page.locator(".current .question.slider").bounding_box()
        assert tools["y"] + tools["height"] <= score["y"], number
    assert "arrow" not in page.inner_text(".current .questions")
    walk.close()


BROKEN_WORDS = """() => [...document.querySelectorAll(".anchors dd")].flatMap((told) =>
  [...told.textContent.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(told.firstChild, index);
    range.setEnd(told.firstChild, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word))"""


@pytest.mark.parametrize("width", [390, 360])
def test_no_word_at_an_anchor_is_broken_on_a_phone(served_scores, chromium, width):
    walk = Walk(chromium, {**PHONE, "width": width}, served_scores.address)
    walk.to_work(served_scores.invite()[0])
    walk.page.wait_for_selector(".current .anchors dd")
    assert walk.page.evaluate(BROKEN_WORDS) == []
    walk.close()


def test_beside_the_work_each_severity_has_its_key(walk):
    assert walk.page.locator(".rail-part .map dt").first.locator("kbd").all_inner_texts() == ["1", "2"]
