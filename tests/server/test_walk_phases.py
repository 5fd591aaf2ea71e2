"""A rater in a real browser meets a closed phase: the page says to come back, and goes on by itself when it opens."""

import re

import pytest

from browser_walk import DESK, PHONE, Walk, until
from served_study import Served, accord, write_folder
from server.test_phases import ITEMS, STUDY

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def phased(tmp_path_factory):
    text = STUDY.replace("OPENS", "").replace("raters = 2", "raters = 8")
    server = Served(
        write_folder(tmp_path_factory.mktemp("phased"), text, "# Read.\n", ["target:a"], ITEMS), is_forked=True
    )
    yield server
    server.stop()


def finish_what_is_open(page):
    """Answer by keys until the pages of work end."""
    while page.url.split("#")[0].endswith("/work"):
        page.keyboard.press("2")
        before = page.url
        page.click("#next")
        until(page, "before => location.href !== before", before)


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")], ids=["dark-phone", "light-desk"])
def test_who_is_done_is_asked_to_come_back_and_goes_on_when_the_phase_opens(phased, chromium, size, scheme):
    walk = Walk(chromium, size, phased.address)
    page = walk.page
    page.emulate_media(color_scheme=scheme)
    walk.to_work(phased.invite()[0])
    first = len(walk.work["screens"])
    finish_what_is_open(page)
    assert page.url == f"{phased.address}/come-back"
    assert page.text_content("h1") == "Done for now"
    assert "The other half" in page.text_content("main")
    # Nothing is wider than the screen, and the words are read against their ground.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("text=Look at my answers again")
    page.wait_for_selector(".question")
    assert len(walk.work["screens"]) == first
    page.goto(f"{phased.address}/come-back")
    accord("open", phased.folder, "second")
    try:
        page.click("text=Look again")
        page.wait_for_selector(".question")
        assert re.search(r"/work#2$", page.url), "the rater goes on where the phase begins"
        assert len(walk.work["screens"]) > first
    finally:
        accord("open", phased.folder, "second", "--close")
    walk.close()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_what_is_answered_in_a_part_that_was_closed_is_kept_and_sent_when_it_opens(phased, chromium, size):
    walk = Walk(chromium, size, phased.address)
    page = walk.page
    walk.to_work(phased.invite()[0])
    finish_what_is_open(page)
    accord("open", phased.folder, "second")
    page.click("text=Look again")
    page.wait_for_selector(".question")
    given = len(phased.export("--judgements"))
    accord("open", phased.folder, "second", "--close")
    page.keyboard.press("2")
    page.wait_for_selector("#saved[data-state=part]")
    assert page.locator("#part-notice").is_visible() and page.locator("#closed-notice").is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("location.hash = '#1'")  # what is open is sent all the same
    until(page, "() => location.hash === '#1'")
    page.keyboard.press("3")
    until(page, "() => document.querySelector('#saved').textContent.includes('1')")
    page.goto(f"{phased.address}/come-back")
    page.wait_for_selector("#kept:not([hidden])")
    assert page.text_content("#kept").startswith("Answers given after this part was closed, which are not counted: 1.")
    assert len(phased.export("--judgements")) == given + 1
    accord("open", phased.folder, "second")
    try:
        until(page, "() => !location.pathname.endsWith('/come-back')")  # by itself: it was sent
        assert len(phased.export("--judgements")) == given + 2
    finally:
        accord("open", phased.folder, "second", "--close")
    walk.close()


def test_a_page_left_open_goes_on_by_itself(phased, chromium):
    walk = Walk(chromium, DESK, phased.address)
    page = walk.page
    # Seconds instead of half a minute.
    page.add_init_script("const wait = setInterval; window.setInterval = (work, time) => wait(work, time / 100)")
    walk.to_work(phased.invite()[0])
    finish_what_is_open(page)
    assert page.url.endswith("/come-back")
    accord("open", phased.folder, "second")
    try:
        page.wait_for_selector(".question")
        assert "/work" in page.url
    finally:
        accord("open", phased.folder, "second", "--close")
    walk.close()
