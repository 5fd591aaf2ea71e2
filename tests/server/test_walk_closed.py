"""A rater in a real browser whose study is closed: told at once, nothing counted that is not, nothing lost."""

import sqlite3
from contextlib import closing, contextmanager
from datetime import UTC, datetime

import pytest

from browser_walk import DESK, PHONE, Walk, barriers, is_sent, until
from served_study import Served, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "Closed in between"
seed = 1
[languages]
source = "en"
target = "pt"
[assignment]
design = "crossed"
raters = 20
order = "fixed"
[[scenarios]]
key = "text"
kind = "sentence-in-context"
[[criteria]]
key = "meaning"
question = "How much of the meaning is there?"
kind = "scale"
best = "high"
level = "ordinal"
values = [0, 1, 2, 3]
"""
ITEMS = [("d1", str(number), f"Source {number}.", f"Texto {number}.") for number in range(1, 21)]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("closed"), STUDY, "# Read.\n", ["target:a"], ITEMS)
    server = Served(folder, is_forked=True)
    yield server
    server.stop()


def decide(server, action):
    """As the organiser's page does."""
    with closing(sqlite3.connect(server.folder / "accord.sqlite3", timeout=120)) as database, database:
        row = (action, "ana", datetime.now(UTC).replace(tzinfo=None).isoformat(" "))
        database.execute("INSERT INTO server_studyevent (action, by, at) VALUES (?, ?, ?)", row)


@contextmanager
def closed(server):
    decide(server, "close")
    try:
        yield
    finally:
        decide(server, "reopen")


def arrives_at(page, place):
    until(page, "place => location.hash === place", f"#{place}")


def answer(page, value, then):
    before = page.url
    page.keyboard.press(str(value))
    if page.url == before:  # so soon after the page went on by itself it waits for a hand
        page.click("#next")
    arrives_at(page, then)


def answered_until(walk, study, number):
    """At the screen of this number, all before it answered, come there by hand: the next answer goes on by itself."""
    walk.to_work(study.invite()[0])
    for place in range(2, number + 1):
        answer(walk.page, 2, place)
    walk.page.click("#previous")
    walk.page.click("#next")
    walk.saved()


def values(study):
    """What the newest rater gave, in the order of the texts."""
    rows = study.export("--judgements")
    mine = max(rows, key=lambda row: row["received_at"])["rater"]
    return {int(row["segment"]): row["value"] for row in rows if row["rater"] == mine}


@pytest.mark.parametrize(("size", "place"), [(DESK, 4), (PHONE, 18)], ids=["desk", "phone"])
def test_who_answers_after_the_closing_is_told_at_once_and_stays_there(study, chromium, size, place):
    walk = Walk(chromium, size, study.address)
    page = walk.page
    answered_until(walk, study, place)
    sent = []
    page.route("**/save", lambda route: sent.append(route), times=1)
    with closed(study):
        page.keyboard.press("3")
        arrives_at(page, place + 1)  # the line is slow, and the page goes on before it knows
        sent[0].continue_()
        page.wait_for_selector("#saved[data-state=closed]")
        arrives_at(page, place)
        notice = page.locator("#closed-notice")
        assert "this answer is not counted; it is kept in this browser" in notice.inner_text()
        box = notice.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
        assert page.text_content("#saved") == "Closed: not counted"
        number = page.locator(".current button.number")
        assert "held" in number.get_attribute("class") and "done" not in number.get_attribute("class")
        assert not barriers(page)
        page.click("#next")
        page.keyboard.press("1")  # another answer to the same text is kept as well, and does not go on either
        page.wait_for_timeout(1500)
        assert page.evaluate("location.hash") == f"#{place}" and notice.is_visible()
        assert place not in values(study)
    walk.saved()  # by itself, on the page that stayed open
    is_sent(page)
    assert notice.is_hidden() and "done" in number.get_attribute("class")
    page.click("#next")
    arrives_at(page, place + 1)
    assert values(study)[place] == "1"
    walk.close()


def test_the_closed_page_counts_what_was_not_accepted_and_sends_it_once_the_study_is_open(study, chromium):
    walk = Walk(chromium, DESK, study.address)
    page = walk.page
    answered_until(walk, study, 3)
    with closed(study):
        page.keyboard.press("3")
        page.wait_for_selector("#saved[data-state=closed]")
        page.keyboard.press("1")
        page.reload()
        page.wait_for_selector("#kept:not([hidden])")
        assert "which are not counted: 1." in page.inner_text("#kept")
        assert "All you did before it was closed is saved." in page.inner_text("main")
        assert not barriers(page)
    page.wait_for_selector(".question")  # sent, and back at work, without a hand
    arrives_at(page, 4)
    is_sent(page)
    assert values(study)[3] == "1"
    walk.close()


def test_who_did_nothing_after_the_closing_reads_of_nothing_that_was_not_accepted(study, chromium):
    walk = Walk(chromium, DESK, study.address)
    page = walk.page
    answered_until(walk, study, 3)
    page.context.set_offline(True)
    answer(page, 3, 4)
    page.wait_for_timeout(50)
    with closed(study):
        page.context.set_offline(False)
        page.goto(f"{study.address}/work")
        is_sent(page)  # made before the closing: it counts
        page.wait_for_load_state()
        assert page.locator("#kept").is_hidden()
        assert values(study)[3] == "3"
    walk.context.close()  # a lost line is an error of the browser's, not of the page


def test_whoever_fills_the_last_open_screen_is_led_to_the_end(study, chromium):
    walk = Walk(chromium, DESK, study.address)
    page = walk.page
    answered_until(walk, study, 2)
    page.goto(f"{study.address}/work#3")
    page.reload()
    page.wait_for_selector(".question")
    for place in range(4, 21):
        answer(page, 2, place)
    page.keyboard.press("2")
    walk.saved()
    page.click("#next")
    arrives_at(page, 2)
    assert page.text_content("#next-label") == "Finish"
    with closed(study):
        page.keyboard.press("3")
        page.wait_for_selector("#saved[data-state=closed]")
        assert page.evaluate("location.hash") == "#2"
    walk.saved()
    assert page.text_content("#next-label") == "Finish"
    page.click("#next")
    page.wait_for_url("**/thanks")
    page.goto(f"{study.address}/work#2")  # who only looks again goes from screen to screen
    page.wait_for_selector(".question")
    assert page.text_content("#next-label") == "Next segment"
    page.click("#next")
    arrives_at(page, 3)
    walk.close()
