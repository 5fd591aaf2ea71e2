"""Errors are marked without a mouse: each new segment takes the arrow keys, and a wish that was met goes."""

import pytest

from browser_walk import DESK, PHONE, Walk, until
from served_study import Served, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "Only errors"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 4
order = "fixed"
[cost]
minutes_fixed = 10
[[scenarios]]
key = "text"
kind = "sentence-in-context"
[[criteria]]
key = "errors"
question = "Mark the errors."
kind = "spans"
values = ["accuracy", "fluency", "mistranslation", "untranslated", "inconsistency", "terminology"]
severities = [{ key = "minor", label = "Minor", weight = 1 }, { key = "major", label = "Major", weight = 5 }]
"""
ITEMS = [("d", str(n), f"The {n} boats wait.", f"Die {n} Boote warten.") for n in range(1, 5)]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("keys"), STUDY, "# Read.\n", ["target:a"], ITEMS)
    server = Served(folder, is_forked=True)
    yield server
    server.stop()


@pytest.fixture
def page(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    walk.page.clock.install()
    walk.to_work(served.invite()[0])
    yield walk.page
    walk.close()


def at(page, number):
    until(page, "number => location.hash === `#${number}`", number)
    page.clock.run_for(1100)  # a key at once could be meant for the segment before


def test_the_first_arrow_on_each_segment_selects_a_word_of_the_text_to_judge(page):
    press = page.keyboard.press
    for number, (way, word) in enumerate([("ArrowRight", "Die"), ("ArrowLeft", "."), ("ArrowRight", "Die")], 1):
        at(page, number)
        press(way)
        assert page.inner_text(".current .text.target .pending") == word, "nothing was focused before"
        press("Escape")
        press("0")
    at(page, 4)
    for key in ("ArrowRight", "ArrowRight", "2", "a"):
        press(key)
    assert page.locator(".chip q").inner_text() == "4"


def test_what_asks_for_an_answer_goes_with_the_answer(page):
    page.keyboard.press("Enter")
    assert page.inner_text("#message") == "Please answer this question first."
    for key in ("ArrowRight", "2"):
        page.keyboard.press(key)
    assert page.inner_text("#message") == "Please answer this question first.", "nothing is answered yet"
    page.keyboard.press("a")
    assert page.locator(".chip").count() == 1 and page.inner_text("#message") == ""


OVERFLOWING = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"


def test_words_stay_within_their_buttons_on_a_narrow_window(served, chromium):
    walk = Walk(chromium, PHONE, served.address)
    walk.to_work(served.invite()[0])
    walk.page.keyboard.press("ArrowRight")
    kinds = walk.page.locator(".cats button")
    assert kinds.count() == 6 and kinds.evaluate_all(OVERFLOWING) == []
    walk.page.keyboard.press("Escape")
    walk.page.set_viewport_size({"width": 340, "height": 480})  # as the wizard shows the page
    assert walk.page.inner_text("#next") == "Next segment"
    assert walk.page.locator(".steps button").evaluate_all(OVERFLOWING) == []
    assert walk.page.evaluate("document.documentElement.scrollWidth") <= 340
    walk.close()


def test_the_welcome_names_only_what_there_is_to_do(served, chromium):
    page = chromium.new_context().new_page()
    page.goto(served.invite()[0])
    assert "That includes 10 minutes for the guidelines." in page.inner_text("form.card"), "and for nothing else"
    page.context.close()
