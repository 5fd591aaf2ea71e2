"""In a real browser: what the pages of the wizard do by themselves while somebody types and chooses."""

from contextlib import contextmanager

import pytest

from accord.design.load import load_study
from browser_walk import DESK, until
from served_workspace import PASSWORD, Workspace

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    server = Workspace(tmp_path_factory.mktemp("workspace"), is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(chromium, workspace):
    """The page of whoever made the first account."""
    page = chromium.new_context(viewport=DESK, locale="en").new_page()
    page.goto(workspace.owner_link)
    page.fill("input[name=username]", "ola")
    page.fill("input[name=password1]", PASSWORD)
    page.click("button:has-text('Make the account')")
    return page


def begun(owner, workspace, protocol):
    """The key of a new draft, at the step of its texts."""
    owner.goto(f"{workspace.address}/new")
    owner.click(f"form:has(input[value={protocol}]) button")
    owner.wait_for_selector("#pasted")
    return owner.url.split("/")[-2]


@contextmanager
def saved_by_itself(page, status=200):
    """What the page sends while somebody types; where it is kept, the answer is a way to another page."""
    with page.expect_response(lambda answer: answer.request.method == "POST") as sent:
        yield
    assert (sent.value.status < 400) == (status < 400), sent.value.status


def test_a_question_that_is_emptied_to_be_rewritten_stays_and_takes_its_new_words(owner, workspace):
    key = begun(owner, workspace, "esa")
    owner.goto(f"{workspace.address}/new/{key}/questions")
    keys = [one.key for one in load_study(workspace.folder / key).settings.criteria]
    assert len(keys) == 2
    with saved_by_itself(owner, 400):
        owner.fill("[name=question-1]", "")
        owner.press("[name=question-1]", "Tab")
    assert [one.key for one in load_study(workspace.folder / key).settings.criteria] == keys
    with saved_by_itself(owner):
        owner.fill("[name=question-1]", "How good is the whole text?")
        owner.press("[name=question-1]", "Tab")
    owner.click("button:has-text('Save and look')")
    owner.wait_for_load_state()
    assert owner.input_value("[name=question-1]") == "How good is the whole text?"
    assert owner.locator("[role=alert]").count() == 0
    asked = load_study(workspace.folder / key).settings.criteria
    assert [one.key for one in asked] == keys and asked[1].question == "How good is the whole text?"


def test_texts_are_counted_anew_as_soon_as_a_column_is_called_something_else(owner, workspace):
    begun(owner, workspace, "direct-assessment")
    rows = "".join(f"{n}\tThe source of text {n}.\tDer Text {n} ist da.\tDas ist der Text {n}.\n" for n in range(1, 31))
    owner.fill("#pasted", "nr\tsource\tone\ttwo\n" + rows)
    owner.click("button:has-text('Use these texts')")
    owner.wait_for_selector("table.map")
    assert owner.inner_text("h1") == "30 segments, texts to judge for each: 2."
    owner.fill("[name=title]", "A name that was just typed")
    owner.select_option("[name=role-2]", "source")
    until(owner, "document.querySelector('h1').textContent.includes('for each: 1.')")
    assert "Columns called “Source”: 2" in owner.inner_text("main")
    assert owner.input_value("[name=title]") == "A name that was just typed"
    owner.select_option("[name=role-3]", "own")
    owner.wait_for_selector("[role=alert]")
    owner.select_option("[name=role-3]", "target")
    until(owner, "!document.querySelector('[role=alert]')")
