"""Without a line: the page comes back, nothing is lost, and nothing is left for the next person."""

import sqlite3
from contextlib import closing

import pytest

from browser_walk import DESK, Walk, until

pytestmark = pytest.mark.browser


@pytest.fixture
def walk(served, chromium):
    """A rater at work whose page is kept for offline use."""
    walk = Walk(chromium, DESK, served.address, keeps_pages=True)
    walk.link = served.invite()[0]
    walk.to_work(walk.link)
    is_kept(walk.page)
    yield walk
    walk.context.close()
    assert walk.strayed == []


def is_kept(page, path="/work"):
    until(page, "path => caches.open('accord-pages:/').then((c) => c.match(path)).then(Boolean)", path)


def pages_kept(page):
    return page.evaluate("caches.open('accord-pages:/').then((c) => c.keys()).then((keys) => keys.length)")


def chosen(page, number=1):
    until(page, "n => (location.hash || '#1') === `#${n}`", number)
    return page.locator("label.choice:has(input:checked)").all_inner_texts()


def choose(page, words):
    page.get_by_text(words, exact=True).click()


def test_a_page_reloaded_without_a_line_shows_the_same_answers_and_takes_new_ones(served, walk):
    page = walk.page
    choose(page, "little")
    walk.saved()
    walk.sent()
    walk.context.set_offline(True)
    page.wait_for_selector("#saved[data-state=offline]")
    assert page.text_content("#saved") == "Offline: all saved"
    page.reload()
    page.wait_for_selector(".question")
    assert [text.split()[-1] for text in chosen(page)] == ["little"], "the server has it, the kept page must show it"
    choose(page, "most")
    page.click("#next")
    until(page, "location.hash === '#2'")
    page.reload()
    page.wait_for_selector(".question")
    assert page.evaluate("location.hash") == "#2"
    page.click("#previous")
    assert [text.split()[-1] for text in chosen(page)] == ["most"]
    walk.context.set_offline(False)
    walk.saved()
    walk.sent()
    history = [row for row in served.export("--judgements") if row["role"] == "practice"][-2:]
    assert [(row["value"], row["revision"], bool(row["superseded_by"])) for row in history] == [
        ("1", "1", True), ("2", "2", False),
    ]  # fmt: skip


def test_a_tab_opened_while_the_server_is_down_goes_on_where_it_was(chromium, tmp_path):
    from served_study import Served, make_study

    server = Served(make_study(tmp_path / "study"))
    try:
        walk = Walk(chromium, DESK, server.address, keeps_pages=True)
        walk.to_work(server.invite()[0])
        is_kept(walk.page)
        server.kill()
        walk.page.close()
        tab = walk.context.new_page()
        tab.goto(server.address)
        tab.wait_for_selector(".question")
        assert tab.url.split("#")[0].endswith("/work")
        choose(tab, "all")
        tab.wait_for_selector("#saved[data-state=offline]")
        server.start()
        tab.wait_for_selector("#saved[data-state=saved]", timeout=30_000)
        walk.context.close()
        assert [row["value"] for row in server.export("--judgements")] == ["3"]
    finally:
        server.stop()


def test_the_end_is_not_left_without_a_line_and_the_questionnaire_keeps_its_answers(served, walk):
    page = walk.page
    answer_everything(walk)
    page.wait_for_url("**/questionnaire")
    page.wait_for_selector("fieldset.asked")
    is_kept(page, "/questionnaire")
    walk.context.set_offline(True)
    page.get_by_text("4", exact=True).click()
    page.wait_for_selector("#saved[data-state=offline]")
    page.click("button.primary")
    assert "You are offline" in page.text_content("#message")
    page.reload()
    page.wait_for_selector("input[value='4']:checked")
    walk.context.set_offline(False)
    walk.saved()
    page.click("button.primary")
    page.wait_for_url("**/thanks")
    page.get_by_role("button", name="Leave this device").click()
    page.wait_for_selector("text=Come in by your invitation")
    assert pages_kept(page) == 0
    assert page.evaluate("Object.keys(localStorage)") == []


def answer_everything(walk):
    """By the way the page itself saves; what is asked here is what comes after."""
    walk.page.evaluate(
        """async () => {
            const work = JSON.parse(document.getElementById('work').textContent);
            const token = document.cookie.split('accord_csrf=')[1].split(';')[0];
            const entries = work.screens.flatMap((screen) => screen.criteria.flatMap((criterion) =>
              [...Array(screen.places).keys()].map((place) => ({
                uuid: crypto.randomUUID(), kind: 'judgement', task: screen.id, criterion, place, cannot: true,
              }))));
            await fetch('/save', {
              method: 'POST', headers: { 'Content-Type': 'application/json', 'X-CSRFToken': token },
              body: JSON.stringify({ entries }),
            });
        }"""
    )
    walk.page.goto(f"{walk.address}/questionnaire")


def test_nothing_is_kept_of_a_rater_who_leaves_the_device(walk):
    page = walk.page
    choose(page, "little")
    walk.sent()
    page.keyboard.press("?")
    page.get_by_role("button", name="Leave this device").click()
    page.wait_for_selector("text=Come in by your invitation")
    assert pages_kept(page) == 0
    assert page.evaluate("Object.keys(localStorage)") == []
    walk.context.set_offline(True)
    with pytest.raises(Exception, match="ERR_"):
        page.goto(f"{walk.address}/work")


def test_leaving_waits_for_what_is_not_sent_yet(walk):
    page = walk.page
    walk.context.set_offline(True)
    choose(page, "little")
    page.keyboard.press("?")
    page.get_by_role("button", name="Leave this device").click()
    assert page.locator("#leave-later").is_visible()
    assert pages_kept(page) == 1


def test_the_next_rater_on_the_same_device_never_sees_the_work_of_the_one_before(served, walk):
    page = walk.page
    choose(page, "little")
    walk.sent()
    before = walk.work["owner"]
    page.goto(served.invite()[0])
    page.wait_for_selector("input[name=consent]")
    assert pages_kept(page) == 0
    walk.context.set_offline(True)
    with pytest.raises(Exception, match="ERR_"):
        page.goto(f"{walk.address}/work")
    walk.context.set_offline(False)
    walk.click_to_work(f"{walk.address}/welcome")
    assert before not in page.evaluate("Object.keys(localStorage).join()")
    assert walk.work["owner"] != before and chosen(page) == []


def test_a_kept_page_is_dropped_when_the_log_in_has_ended(walk):
    page = walk.page
    walk.context.clear_cookies(name="accord_session")
    assert page.goto(f"{walk.address}/work").status == 401
    assert pages_kept(page) == 0


def test_a_question_to_the_organiser_waits_for_a_line_like_an_answer(served, walk):
    page = walk.page
    walk.context.set_offline(True)
    page.keyboard.press("?")
    page.fill("#question", "What is a sentence?")
    page.get_by_role("button", name="Send").click()
    assert page.locator("#question-kept").is_visible()
    page.keyboard.press("Escape")
    page.wait_for_selector("#saved[data-state=offline]")
    walk.context.set_offline(False)
    walk.saved()
    walk.sent()
    with closing(sqlite3.connect(served.folder / "accord.sqlite3")) as database:
        asked = database.execute("SELECT about, text FROM server_remark WHERE text LIKE 'What is%'").fetchall()
    assert asked == [("question", "What is a sentence?")]


def test_what_was_typed_about_oneself_comes_back_after_a_new_log_in(served, chromium):
    walk = Walk(chromium, DESK, served.address, keeps_pages=True)
    link = served.invite()[0]
    page = walk.page
    page.goto(link)
    page.check("input[name=consent]")
    page.click("button.primary")
    page.wait_for_url("**/about-you")
    page.get_by_text("another", exact=True).click()
    walk.context.clear_cookies(name="accord_session")
    page.click("button.primary")
    page.wait_for_selector("text=Come in by your invitation")
    page.goto(link)
    page.wait_for_selector("input[value=another]:checked")
    walk.context.close()
