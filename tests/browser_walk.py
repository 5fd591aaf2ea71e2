"""A rater in a real browser; notes every request that leaves the machine and every error of the page."""

import json
import time
from html.parser import HTMLParser

from playwright.sync_api import Error

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def until(page, expression, argument=None, patience=120):
    """Wait for a condition; Playwright's own waiting evaluates strings in the page, which its policy forbids."""
    deadline = time.monotonic() + patience
    while not _is_so(page, expression, argument):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(50)


def _is_so(page, expression, argument):
    """Whether the page says so; a page that is just being left says nothing yet."""
    try:
        return page.evaluate(expression, argument)
    except Error as error:
        if "navigation" not in str(error):
            raise
        return False


CONTRAST = {"runOnly": ["color-contrast"]}
"""All that other colours of the same page can change; everything else is looked at once."""


def barriers(page, asked=None):
    """What axe calls serious or critical, looked at once the colours have come to rest; all of it unless asked less."""
    from axe_playwright_python.sync_playwright import Axe

    until(page, "!document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running')")
    found = Axe().run(page, options={"resultTypes": ["violations"], **(asked or {})}).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]


def turn_to(page, number):
    """Another screen by its address; the page has followed when this returns."""
    page.evaluate(
        """number => location.hash === `#${number}` || new Promise((done) => {
          addEventListener('hashchange', () => done(true), { once: true });
          location.hash = number;
        })""",
        number,
    )


def is_sent(page):
    """Nothing waits in this browser any more."""
    until(page, "Object.keys(localStorage).every((key) => !key.startsWith('accord:queue'))")


class Sheet(HTMLParser):
    """The form of a page, filled in: consent given, the first of each choice, a word in each line."""

    def __init__(self, page):
        super().__init__()
        self.fields, self._is_inside = {}, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self._is_inside = "action" not in given  # language and leaving have addresses of their own
        if tag == "input" and self._is_inside:
            self.fields.setdefault(given["name"], "twelve" if given.get("type") == "text" else given.get("value", "on"))


class Walk:
    """One person with one browser profile; whoever loses the line in it keeps pages, which takes time to set up."""

    def __init__(self, chromium, size, address, *, touch=False, dark=False, keeps_pages=False):
        self.context = chromium.new_context(
            viewport=size, has_touch=touch, is_mobile=touch, color_scheme="dark" if dark else "light",
            service_workers="allow" if keeps_pages else "block",
        )  # fmt: skip
        self.context.set_default_timeout(90_000)
        self.page = self.context.new_page()
        self.address = address
        self.strayed, self.errors = [], []
        self.context.on("request", lambda r: self.strayed.append(r.url) if not r.url.startswith(address) else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)

    def to_work(self, link):
        """Welcome, about you, guidelines: sent as their forms send them, without drawing the pages; then to the tasks.

        Clicks through these pages are tested by the walks that begin with ``click_to_work`` and by every preset's.
        """
        answer = self.context.request.get(link)
        while not answer.url.endswith("/work"):
            sheet = Sheet(answer.text())
            assert answer.ok and sheet.fields, answer.url
            answer = self.context.request.post(answer.url, form=sheet.fields, headers={"Referer": answer.url})
        self.page.goto(answer.url)
        self.page.wait_for_selector(".question")

    def click_to_work(self, link):
        """Welcome, about you, guidelines, by clicks."""
        page = self.page
        page.goto(link)
        while not page.url.split("#")[0].endswith("/work"):
            if page.locator("input[name=consent]").count():
                page.check("input[name=consent]")
            for box in page.locator("input[type=text]").all():
                box.fill("twelve")
            for group in page.locator("fieldset").all():
                group.locator("label").first.click()
            with page.expect_navigation():
                page.click("button.primary")
        page.wait_for_selector(".question")

    @property
    def work(self):
        return json.loads(self.page.text_content("#work"))

    def saved(self):
        self.page.wait_for_selector("#saved[data-state=saved]")

    def sent(self):
        is_sent(self.page)

    def close(self):
        self.context.close()
        assert (self.strayed, self.errors) == ([], [])
