"""In a real browser: from the printed link to a launched study with own texts and a copied link, by few actions."""

import pytest

from browser_walk import DESK, PHONE, barriers, until
from served_workspace import PASSWORD, Workspace

TEXTS = "\n".join(f"Sentence {n} of my own.\tSatz {n} von mir.\tEin Satz {n} von mir." for n in range(1, 31))
pytestmark = pytest.mark.browser


class Hand:
    """Counts what a person does, strictly: every click, every key and every paste is one action."""

    def __init__(self, page):
        self.page, self.actions = page, 0

    def opens(self, link):
        """A click on the link that the program printed."""
        self.actions += 1
        self.page.goto(link)

    def click(self, what):
        self.actions += 1
        self.page.click(what)
        self.page.wait_for_load_state()

    def paste(self, text):
        """Into the field that the page has put the cursor in, or that was clicked."""
        self.actions += 1
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.page.keyboard.press("Control+V")
        self.page.wait_for_load_state()


@pytest.mark.parametrize("size, dark", [(DESK, False), (PHONE, True)], ids=["desk", "phone-dark"])
def test_thirty_own_texts_are_launched_in_at_most_25_actions(chromium, tmp_path, size, dark):
    workspace = Workspace(tmp_path, is_forked=True)
    try:
        walk(chromium, workspace, size, dark)
    finally:
        workspace.stop()


def walk(chromium, workspace, size, dark):
    context = chromium.new_context(viewport=size, color_scheme="dark" if dark else "light")
    context.set_default_timeout(90_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=workspace.address)
    page = context.new_page()
    strayed, errors = [], []
    context.on("request", lambda r: strayed.append(r.url) if not r.url.startswith(workspace.address) else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    hand, found = Hand(page), {}

    def look(name):
        found[name] = barriers(page)

    hand.opens(workspace.owner_link)
    look("account")
    hand.paste("ola")
    hand.click("input[name=password1]")
    hand.paste(PASSWORD)
    hand.click("button:has-text('Make the account')")
    look("empty")
    hand.click("button:has-text('What is wrong, and how bad?')")
    look("texts")
    hand.paste(TEXTS)
    page.wait_for_selector("table.map")
    look("columns")
    assert [page.input_value(f"input[name={side}]") for side in ("source", "target")] == ["en", "de"]
    for step in ("questions", "guidelines", "raters and plan", "the rehearsal", "launch"):
        hand.click(f".foot :is(button, a):has-text('Continue to {step}')")
        page.wait_for_timeout(500)
        look(step)
    hand.click("button:has-text('Launch')")
    hand.click("button:has-text('Make links')")
    link = page.locator("#new-links code").first.inner_text()
    places = page.locator("#new-links").locator("#link-1, [data-copies='#link-1']")
    ends = [box["y"] + box["height"] for box in (one.bounding_box() for one in places.all())]
    assert len(ends) == 2 and max(ends) <= size["height"], "link and button are seen without scrolling"
    hand.click("#new-links [data-copies='#link-1']")
    until(page, "document.querySelector(\"[data-copies='#link-1']\").textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == link
    # Languages that the texts do not tell are typed: a click and two letters for each side.
    assert hand.actions + 2 * 3 <= 25, hand.actions
    guest = chromium.new_context().new_page()
    guest.goto(link)
    assert guest.url.endswith("/welcome")
    page.goto(workspace.address)
    until(page, "!document.querySelector('[data-counting]')")
    look("home")
    page.goto(f"{workspace.address}/people")
    look("people")
    assert {name: one for name, one in found.items() if one} == {}
    assert not strayed and not errors, (strayed, errors)
    for wide in ("/", "/people", "/log", "/new"):
        page.goto(workspace.address + wide)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], wide
