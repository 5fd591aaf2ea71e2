"""In a real browser: from the first page to a launched study with one's own texts and a link, by few clicks."""

import pytest

from browser_walk import DESK, PHONE, barriers
from served_workspace import PASSWORD, Workspace

TEXTS = "\n".join(f"Sentence {n} of my own.\tSatz {n} von mir.\tEin Satz {n} von mir." for n in range(1, 31))
pytestmark = pytest.mark.browser


class Hand:
    """Counts what a person does: a click, a key, or a paste each."""

    def __init__(self, page):
        self.page, self.actions = page, 0

    def click(self, what):
        self.actions += 1
        self.page.click(what)
        self.page.wait_for_load_state()

    def keys(self, text):
        self.actions += len(text)
        self.page.keyboard.type(text)

    def paste(self, what, text):
        """Click into a field and paste: two actions."""
        self.actions += 2
        self.page.click(what)
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
    # The account comes first; who starts the demonstration has one.
    page.goto(workspace.owner_link)
    for name, text in {"username": "ola", "password1": PASSWORD, "password2": PASSWORD}.items():
        page.fill(f"input[name={name}]", text)
    page.click("button.primary")
    hand, found = Hand(page), {}

    def look(name):
        found[name] = barriers(page)

    look("empty")
    hand.click("button:has-text('What is wrong, and how bad?')")
    look("texts")
    hand.paste("#pasted", TEXTS)
    page.wait_for_selector("table.map")
    look("columns")
    hand.click("input[name=source]")
    hand.keys("en")
    hand.click("input[name=target]")
    hand.keys("de")
    for step in ("questions", "guidelines", "raters and plan", "the rehearsal", "launch"):
        hand.click(f".foot :is(button, a):has-text('Continue to {step}')")
        page.wait_for_timeout(500)
        look(step)
    hand.click("button:has-text('Launch')")
    hand.click("button:has-text('Make links')")
    link = page.locator("#new-links code").first.inner_text()
    assert hand.actions <= 25, hand.actions
    guest = chromium.new_context().new_page()
    guest.goto(link)
    assert guest.url.endswith("/welcome")
    page.goto(workspace.address)
    look("home")
    page.goto(f"{workspace.address}/people")
    look("people")
    assert {name: one for name, one in found.items() if one} == {}
    assert not strayed and not errors, (strayed, errors)
    for wide in ("/", "/people", "/log", "/new"):
        page.goto(workspace.address + wide)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], wide
