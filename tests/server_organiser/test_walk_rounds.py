"""A walk in a real browser through a complete refinement of two rounds."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from browser_walk import CONTRAST, barriers, until
from organised_study import answer_all, fill_in, truth_of, write_study
from served_study import Served

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("ACCORD_SHOTS", "")


@pytest.fixture(scope="module")
def walked(django_on, tmp_path_factory):
    """A filled study, really served."""
    folder = django_on(write_study(tmp_path_factory.mktemp("walked")))
    fill_in()
    server = Served(folder, is_forked=True)
    yield server
    server.stop()


def beside(work):
    """Django refuses to work in the thread in which the browser's loop runs."""

    def done():
        from django.db import connections

        try:
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(done).result()


class Desk:
    """The organiser's browser; what the console complains about is an error of ours."""

    def __init__(self, browser, address):
        self.address = address
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda line: line.type == "error" and self.complaints.append(line.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def go(self, path):
        self.page.goto(self.address + path)
        self.shot(path.strip("/").replace("/", "-"))

    def shot(self, name):
        """With ACCORD_SHOTS set: the page at two widths, light and dark."""
        if not SHOTS:
            return
        for width, scheme in ((390, "light"), (1280, "light"), (1280, "dark")):
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.emulate_media(color_scheme=scheme)
            self.page.screenshot(path=f"{SHOTS}/{name}-{width}-{scheme}.png", full_page=True)
        self.page.set_viewport_size({"width": 1280, "height": 900})
        self.page.emulate_media(color_scheme="light")

    def press(self, text, within=None):
        with self.page.expect_navigation():
            (within or self.page).get_by_role("button", name=text, exact=True).first.click()


@pytest.fixture(scope="module")
def desk(walked, chromium):
    from accord.server.launch import first_organiser_link

    made = Desk(chromium, walked.address)
    made.page.goto(beside(lambda: first_organiser_link(walked.address, always=True)))
    for name, value in (("username", "ana"), ("password1", "seven calm herons")):
        made.page.fill(f"[name={name}]", value)
    made.press("Make the account")
    yield made
    made.context.close()


def new_answers(version, *, sure):
    """Raters answer what was handed out again: the clearer the guideline, the nearer to the truth."""
    from accord.server.guidelines import latest
    from accord.server.models import Rater

    rng = np.random.default_rng(version)
    for rater in Rater.objects.all():
        tasks = [task for task in rater.tasks.filter(phase=f"after-round-{version - 1}") if truth_of(task) >= 0]
        if tasks:
            answer_all(rater, rng, tasks=tasks, version=latest(), noise=0.0 if sure else 0.5)


def through_a_round(desk, number, text):
    page = desk.page
    desk.go("/organiser/rounds")
    page.select_option("[name=criterion]", "meaning")
    page.fill("[name=items]", "2")
    desk.press("Open the round")
    assert page.url.endswith(f"/organiser/rounds/{number}")
    for place in range(2):
        card = page.locator(".item-card").nth(place)
        assert card.get_by_text("Why do they differ?").count() == 0, "others' answers are hidden"
        card.locator("input[name=value]").first.check()
        card.locator("input[name=comment]").fill("as I read it")
        desk.press("Rate", card)
        card = page.locator(".item-card").nth(place)
        card.get_by_label("The guideline is vague").check()
        desk.press("Keep the verdict", card)
    card = page.locator(".item-card").first
    card.locator("textarea[name=text]").fill("Say what counts as most of the meaning.")
    desk.press("Add to the revision log", card)
    page.fill("textarea.guideline", text)
    desk.press("Publish to all raters")
    assert page.get_by_text(f"Answers under version {number}: ").count() == 1, "what it parts is asked first"
    desk.press("Publish to all raters")
    assert page.get_by_text(f"Version {number + 1} is published").count() == 1
    desk.press("Measure again")
    assert page.get_by_text("nobody has answered yet").count() == 1


def wait_for_results(desk, words):
    """The open page of all numbers shows new results without a reload."""
    desk.page.goto(f"{desk.address}/organiser/results")
    shown = "words => document.querySelector('[data-live=reliability]').textContent.includes(words)"
    until(desk.page, shown, words, patience=90)


def test_two_rounds_of_refinement_from_dispute_to_advice(desk):
    page = desk.page
    wait_for_results(desk, "meaning")
    desk.shot("dashboard")
    for path in ("/organiser/agreement/meaning", "/organiser/pairs/meaning/R1/R2", "/organiser/items/d1-2:system-1",
                 "/organiser/quality", "/organiser/raters/R5", "/organiser/people", "/organiser/arbitration",
                 "/organiser/tokens", "/organiser", "/organiser/judgements", "/organiser/reports",
                 "/organiser/raters/R2/ask/exclude"):  # fmt: skip
        desk.go(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} scrolls sideways"
    page.goto(f"{desk.address}/organiser/raters/R5")
    # One value for everything, in less than a second each: R5 finished, so the declared rules leave R5 out.
    assert page.get_by_role("link", name="Count again…", exact=True).count() == 1

    through_a_round(desk, 1, "# How to judge\n\nMost is more than half of the meaning.\n")
    beside(lambda: new_answers(2, sure=False))
    wait_for_results(desk, "meaning · after round 1")
    desk.go("/organiser/rounds/1")
    assert "→" in page.locator(".verdict").inner_text()
    assert page.get_by_text("too few to speak for others").count() >= 1

    through_a_round(desk, 2, "# How to judge\n\nMost is more than half. Little is less than half.\n")
    beside(lambda: new_answers(3, sure=True))
    desk.go("/organiser/rounds/2")
    # The study has two documents: agreement rose, but nothing can be said of other ones.
    assert page.get_by_text("Go on: whether it helped cannot be said").count() == 1
    desk.go("/organiser/rounds")
    assert page.locator(".log li").count() >= 5
    desk.go("/organiser/comments")
    assert desk.complaints == []


def test_the_menu_and_a_decision_are_reached_by_keyboard(desk):
    page = desk.page
    page.goto(f"{desk.address}/organiser")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Quality":
            break
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/organiser/quality")


def contested_by_another():
    """A text with two major errors, contested by Bo."""
    from accord.server.models import Judgement
    from accord.server.models_organiser import Contest

    rows = Judgement.objects.filter(criterion="marks", task__role="system", contest=None)
    row = next(row for row in rows if [mark["severity"] for mark in row.value] == ["major", "major"])
    return Contest.objects.create(judgement=row, reason="Not so grave.", by="bo").pk


def test_an_arbiter_works_with_the_highlighter_of_the_rater(desk):
    page = desk.page
    desk.go(f"/organiser/arbitration/{beside(contested_by_another)}")
    until(page, "document.querySelectorAll('.chip.suggested').length === 2")
    # Keys as on the rating page: the last mark comes into hand and goes; then one more word is marked as minor.
    page.locator(".target.markable").focus()
    page.keyboard.press("e")
    until(page, "!document.querySelector('.mark-bar').hidden")
    page.keyboard.press("Delete")
    until(page, "document.querySelectorAll('.chip').length === 1 && document.querySelector('.mark-bar').hidden")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    until(page, "!document.querySelector('.mark-bar').hidden")
    desk.shot("arbiter")
    assert barriers(page) == []
    page.keyboard.press("1")
    page.keyboard.press("f")
    until(page, "document.querySelectorAll('.chip').length === 2")
    desk.press("Keep the marks")
    assert "10 → 6 points" in page.locator(".verdict").inner_text()
    assert page.locator("article .tag").all_inner_texts() == ["accepted", "rejected", "added by the arbiter"]
    until(page, "document.querySelectorAll('.chip:not(.suggested)').length === 2")
    assert desk.complaints == []


def test_the_pages_have_no_serious_barrier(desk):
    for path in ("", "/agreement/meaning", "/quality", "/raters/R1", "/rounds", "/rounds/1", "/arbitration",
                 "/tokens", "/comments", "/people", "/items/d1-2:system-1", "/results", "/judgements", "/reports",
                 "/pairs/meaning/R1/R2", "/raters/R2/ask/exclude"):  # fmt: skip
        desk.page.emulate_media(color_scheme="light")
        desk.page.goto(f"{desk.address}/organiser{path}")
        assert barriers(desk.page) == [], path
        desk.page.emulate_media(color_scheme="dark")
        assert barriers(desk.page, CONTRAST) == [], f"{path} in the dark"


def test_on_a_phone_the_tab_of_the_open_page_is_in_sight(desk):
    desk.page.set_viewport_size({"width": 390, "height": 844})
    for tab in desk.page.locator(".menu a").evaluate_all("tabs => tabs.map((one) => one.getAttribute('href'))"):
        desk.go(tab)
        at = desk.page.locator(".menu a[aria-current]").bounding_box()
        assert at["x"] >= -1 and at["x"] + at["width"] <= 391, tab
    desk.page.set_viewport_size({"width": 1280, "height": 900})
