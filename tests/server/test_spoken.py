"""What a screen reader says: the pages of every protocol in order, with text, question, controls, state and errors."""

import time

import pytest

from browser_walk import DESK, Walk, until
from hands import markable
from server.test_actions import served_protocols  # noqa: F401

pytestmark = pytest.mark.browser

SILENT = {"none", "generic", "InlineTextBox", "LineBreak", "paragraph"}


def spoken(page):
    """The accessibility tree in reading order, as (role, name, state); what is hidden or ignored is not in it."""
    line = page.context.new_cdp_session(page)
    nodes = line.send("Accessibility.getFullAXTree")["nodes"]
    line.detach()
    by_id = {node["nodeId"]: node for node in nodes}

    def walk(node):
        role = node.get("role", {}).get("value", "none")
        if not node.get("ignored") and role not in SILENT:
            states = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            value = node.get("value", {}).get("value", "")
            yield role, node.get("name", {}).get("value", ""), {
                **states, "value": value, "is": node.get("description", {}).get("value", ""),
            }  # fmt: skip
        for child in node.get("childIds", []):
            if child in by_id:
                yield from walk(by_id[child])

    root = next(node for node in nodes if not node.get("parentId"))
    return list(walk(root))


def spoken_text(page):
    return " ".join(name for role, name, _ in spoken(page) if role == "StaticText")


def names(said, *roles):
    return [name for role, name, _ in said if role in roles]


CONTROLS = {
    "esa": [("button", "No errors"), ("textbox", "score? 0–100")],
    "mqm": [("button", "No errors")],
    "da": [("textbox", "quality? 0–100")],
    "edit": [("textbox", "edited?"), ("button", "Good as it is")],
    "words": [("radio", "3")],
    "count": [("button", "One less"), ("textbox", "number?"), ("button", "One more")],
    "pair": [("radio", "Text A is better"), ("radio", "Equally good"), ("radio", "Text B is better")],
    "rank": [("button", "Text A, not ranked yet"), ("button", "Text C, not ranked yet")],
}


@pytest.fixture(scope="module")
def walk(served_protocols, chromium):  # noqa: F811
    made = Walk(chromium, DESK, served_protocols.address)
    made.to_work(served_protocols.invite()[0])
    yield made
    made.close()


def show(walk, scenario):
    number = next(n for n, one in enumerate(walk.work["screens"], start=1) if one["scenario"] == scenario)
    walk.page.evaluate("number => { location.hash = number; }", number)
    until(walk.page, "number => location.hash === `#${number}`", number)
    walk.page.wait_for_timeout(150)
    return number


@pytest.mark.parametrize("scenario", CONTROLS)
def test_the_page_is_read_in_order_text_question_controls_and_the_way_on(walk, scenario):
    show(walk, scenario)
    said = spoken(walk.page)
    whole = " ".join(name for _, name, _ in said)
    text = whole.index("Der alte Hafen schläft 1")
    question = whole.index(f"{CRITERION[scenario]}?", text)
    places = [next(n for n, one in enumerate(said) if one[:2] == control) for control in CONTROLS[scenario]]
    assert places == sorted(places), "controls are met in their order"
    assert whole.index("The old harbour") < text < question, "the source, the text, then what is asked"
    assert said[0][0] == "RootWebArea" and said[0][1], "the page has a title"
    assert names(said, "button")[-1].startswith("Next"), "the way on is the last thing met"
    assert all(name for role, name, _ in said if role in ("button", "radio", "textbox", "spinbutton", "link"))


CRITERION = {
    "esa": "score", "mqm": "kinds", "da": "quality", "edit": "edited", "words": "grade", "count": "number",
    "pair": "better", "rank": "order",
}  # fmt: skip


def state(page, role, name, **expected):
    """What is said of a control; the browser brings its tree up to date a moment after the page has changed."""
    patience = time.monotonic() + 60
    while True:
        found = [states for one, said, states in spoken(page) if (one, said) == (role, name)]
        if found and expected.items() <= found[0].items():
            return found[0]
        assert time.monotonic() < patience, (found, expected)
        page.wait_for_timeout(50)


def test_a_score_is_said_to_be_unanswered_then_its_value_and_a_wrong_number_to_be_wrong(walk):
    show(walk, "da")
    page, name = walk.page, "quality? 0–100"
    page.focus(".current .score-box")
    assert state(page, "textbox", name, value="")["is"] == "not answered yet"
    page.keyboard.press("8")
    assert state(page, "spinbutton", name, value=8)["invalid"] == "false"
    page.locator(".current .score-box").fill("870")
    assert state(page, "textbox", name, invalid="true")["value"] == "870"
    page.locator(".current .score-box").fill("")


def test_marking_by_keys_says_the_words_the_bar_the_mark_and_no_errors_left(walk):
    show(walk, "mqm")
    page = walk.page
    page.focus(markable("target"))
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    said = spoken(page)
    assert "Kind of error" in names(said, "group")
    assert page.get_attribute(".mark-bar .bar-hint", "aria-live") == "polite" and "alte" in page.inner_text(".bar-hint")
    assert [name for name in names(said, "button") if name in ("Minor", "Major", "Critical")] == [
        "Minor",
        "Major",
        "Critical",
    ]
    for key in ("2", "f"):
        page.keyboard.press(key)
    said = spoken(page)
    assert "Edit: alte" in names(said, "button") and "Remove: alte" in names(said, "button")
    page.keyboard.press("u")


def test_what_is_missing_is_said_at_once_and_the_place_in_the_document_is_told(walk):
    number = show(walk, "words")
    page = walk.page
    page.keyboard.press("Enter")
    assert page.get_attribute("#message", "role") == "alert" and page.inner_text("#message").startswith("Please answer")
    page.keyboard.press("3")
    until(page, "number => location.hash === `#${number}`", number + 1)
    assert "1 of 3 segments done" in names(spoken(page), "status") or "1 of 3 segments done" in spoken_text(page)
    assert page.evaluate("document.activeElement.matches('.segment[aria-current=true]')"), "reading goes on there"
