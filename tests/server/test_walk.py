"""A walk in a real browser, from the invitation to the thanks; the export holds exactly what was clicked."""

import json
import sqlite3
from contextlib import closing

import pytest

from accord.ratings.answer_values import edit_rate
from browser_walk import CONTRAST, DESK, PHONE, Walk, barriers, is_sent, turn_to, until

pytestmark = pytest.mark.browser


def question(page, words, text=None):
    found = page.locator("fieldset.question").filter(has_text=words)
    return found.filter(has_text=text) if text else found


def forward(page):
    before = page.url
    page.click("#next")
    until(page, "before => location.href !== before", before)


def rows_of(server, rater, *options):
    return [row for row in server.export(*options) if row["rater"] == rater]


def newest_rater(server):
    return max(server.export("--judgements"), key=lambda row: row["received_at"])["rater"]


def screens_of(walk):
    """The screens in order, each with its scenario and the text that is judged first."""
    work = walk.work
    return [
        (screen["scenario"], work["contexts"][screen["context"]][screen["row"] or 0]["targets"][0])
        for screen in work["screens"]
    ]


def by_mouse_alone(page, text):
    """All kinds on one screen; the slider says nothing before it is moved, and zero is an answer."""
    assert page.input_value(".score-box") == "" and page.locator(".thumb").is_hidden()
    assert page.get_attribute(".score-box", "aria-description") == "not answered yet"
    question(page, "How much of the meaning").get_by_text("little").click()
    track = page.locator(".track")
    track.click(position={"x": 1, "y": track.bounding_box()["height"] / 2})
    assert page.input_value(".score-box") == "0"
    for name in ("Wrong word", "Wrong word", "Word order"):
        question(page, "Which errors").get_by_text(name).click()
    drag_over(page, ".target.markable", 2, 5)
    question(page, "Mark the errors").get_by_text("Major").click()
    page.locator(".source.markable").click(position={"x": 12, "y": 12})
    page.locator(".mark-bar").get_by_text("Something is missing").click()
    page.locator(".mark-bar").get_by_text("Minor").click()
    page.fill("textarea.post-edit", "O cão corre bem.")
    page.click("details.remarks summary")
    page.get_by_label("Comment on this sentence").fill("<b>strange</b>")
    marks = [
        {"side": "target", "start": 2, "end": 5, "severity": "major"},
        {"side": "source", "start": 0, "end": 3, "omission": True, "severity": "minor"},
    ]
    rated = {"meaning": "1", "quality": "0", "kinds": "order|wrong", "marks": "6.0"}
    return rated | {"edit": str(edit_rate(text, "O cão corre bem."))}, marks


def by_mouse_nothing(page):
    question(page, "How much of the meaning").get_by_text("cannot judge").click()
    question(page, "How good is it").get_by_text("cannot judge").click()
    question(page, "Which errors").get_by_text("No errors").click()
    question(page, "Mark the errors").get_by_text("No errors").click()
    return {"meaning": "", "quality": "", "kinds": "no-error", "marks": "0.0", "edit": ""}


def by_mouse_pair(page):
    question(page, "How much of the meaning", "Text A").get_by_text("all", exact=True).click()
    question(page, "How much of the meaning", "Text B").get_by_text("none", exact=True).click()
    question(page, "Which is better").get_by_text("Equally good").click()


def by_mouse_whole(page):
    for text in ("Text A", "Text B"):
        question(page, "How much of the meaning", text).get_by_text("most").click()
        page.locator(".rank-chip", has_text=text).click()
        page.locator(".rank-slot[data-rank='1']").click(position={"x": 12, "y": 12})
    assert question(page, "Put them in order").get_by_text("1 is best.").is_visible()


def test_every_kind_of_answer_by_mouse_reaches_the_export_as_clicked(served, chromium):
    walk = Walk(chromium, DESK, served.address, keeps_pages=True)
    page = walk.page
    walk.click_to_work(served.invite()[0])
    screens = screens_of(walk)
    rated, marks = {}, None
    for number, (scenario, text) in enumerate(screens, start=1):
        until(page, "n => (location.hash || '#1') === `#${n}`", number)
        if scenario == "practice":
            page.get_by_text("all", exact=True).click()
            assert "Nothing is missing." in page.text_content("#feedback")
        elif scenario == "alone" and marks is None:
            rated[number], marks = by_mouse_alone(page, text)
        elif scenario == "alone":
            rated[number] = by_mouse_nothing(page)
        else:
            {"pair": by_mouse_pair, "whole": by_mouse_whole}[scenario](page)
        page.click("#next")
    page.wait_for_url("**/questionnaire")
    page.get_by_text("4", exact=True).click()
    walk.saved()
    page.click("button.primary")
    page.wait_for_url("**/thanks")
    assert page.text_content("#completion-code") == "DONE-42"
    walk.close()
    assert_exported(served, rated, marks)


def assert_exported(served, rated, marks):
    rater = newest_rater(served)
    rows = rows_of(served, rater)
    for number, expected in rated.items():
        order = str(number - 1)  # practice has no number
        assert {row["criterion"]: row["value"] for row in rows if row["order"] == order} == expected
    pair = [row for row in rows if row["scenario"] == "pair"]
    assert [row["value"] for row in pair if row["criterion"] == "better"] == ["tie", "tie"]
    assert sorted(row["value"] for row in pair if row["criterion"] == "meaning") == ["0", "0", "3", "3"]
    assert sorted(row["value"] for row in rows if row["scenario"] == "whole") == ["1", "1", "2", "2"]
    assert {row["comment"] for row in rows if row["scenario"] == "alone"} == {"<b>strange</b>", ""}
    history = rows_of(served, rater, "--judgements")
    final = {(row["criterion"], row["order"]): json.loads(row["value"]) for row in history if not row["superseded_by"]}
    first = str(min(rated) - 1)
    assert final["marks", first] == marks and final["kinds", first] == ["wrong", "wrong", "order"]
    answers = [*rows_of(served, rater, "--questionnaire"), *rows_of(served, rater, "--background")]
    assert {row["question"]: row["value"] for row in answers} == {"native": "Portuguese", "tiring": "4"}
    assert not any("practice" in row["role"] for row in rows)


def drag_over(page, selector, start, end):
    """Drag the mouse from one character to another; offsets count UTF-16 units of the plain text."""
    box = page.evaluate(
        """([selector, start, end]) => {
            const node = document.querySelector(selector).firstChild.firstChild;
            const range = document.createRange();
            const edge = (at, side) => {
              const from = Math.min(at, node.length - 1);
              range.setStart(node, from);
              range.setEnd(node, from + (node.data.codePointAt(from) > 0xffff ? 2 : 1));
              const box = range.getBoundingClientRect();
              return [box[side], box.top + box.height / 2];
            };
            return [edge(start, "left"), edge(end - 1, "right")];
        }""",
        [selector, start, end],
    )
    (x1, y1), (x2, y2) = box
    page.mouse.move(x1 + 1, y1)
    page.mouse.down()
    page.mouse.move(x2 - 1, y2, steps=6)
    page.mouse.move(x2, y2)
    page.mouse.up()
    page.wait_for_selector(".pending")


def by_keys_alone(page):
    """Two errors are marked and undone, one is marked and trimmed by a character."""
    press = page.keyboard.press
    press("2")  # meaning, which hands over to the slider
    press("Home")
    press("PageUp")
    press("ArrowDown")  # inside the slider: one less
    tab_to(page, ".categories button")
    for key in ("1", "1", "0"):
        press(key)
    tab_to(page, ".target.markable", backwards=True)
    for key in ["ArrowRight", "ArrowRight", "Shift+ArrowRight", "2", "u", "ArrowRight", "ArrowRight", ",", "1"]:
        press(key)
    page.wait_for_selector(".marks li")
    return {"meaning": "2", "quality": "9", "kinds": "no-error", "marks": "1.0", "edit": ""}


def by_keys_nothing(page):
    for key in ("0", "x", "0", "0"):
        page.keyboard.press(key)
    return {"meaning": "0", "quality": "", "kinds": "no-error", "marks": "0.0", "edit": ""}


def by_keys_whole(page):
    page.keyboard.press("1")
    page.keyboard.press("2")
    for rank in ("2", "1"):
        page.keyboard.press(rank)


def test_every_kind_of_answer_by_keyboard_only_reaches_the_export_as_typed(served, chromium):
    walk = Walk(chromium, DESK, served.address, keeps_pages=True)
    page = walk.page
    press = page.keyboard.press
    page.goto(served.invite()[0])
    for selector, key, there in (
        ("input[name=consent]", "Space", "about-you"), ("input[type=radio]", "Space", "guidelines"), (None, "", "work"),
    ):  # fmt: skip
        if selector:
            tab_to(page, selector)
            press(key)
        tab_to(page, "button.primary")
        go(page, "Enter", there)
    page.wait_for_selector(".question")
    press("g")
    assert page.locator("#guidelines[open]").count() == 1
    press("Escape")
    rated, marked = {}, None
    for number, (scenario, _) in enumerate(screens_of(walk), start=1):
        until(page, "n => (location.hash || '#1') === `#${n}`", number)
        if scenario == "practice":
            press("3")
        elif scenario == "alone" and marked is None:
            rated[number], marked = by_keys_alone(page), number
        elif scenario == "alone":
            rated[number] = by_keys_nothing(page)
        elif scenario == "pair":
            for key in ("3", "0", "3"):
                press(key)
        else:
            by_keys_whole(page)
        press("n")
    page.wait_for_url("**/questionnaire")
    tab_to(page, "input[type=radio]")
    press("ArrowRight")
    walk.saved()
    tab_to(page, "button.primary")
    go(page, "Enter", "thanks")
    walk.close()
    rater = newest_rater(served)
    rows = rows_of(served, rater)
    for number, expected in rated.items():
        assert {row["criterion"]: row["value"] for row in rows if row["order"] == str(number - 1)} == expected
    better = [row for row in rows if row["criterion"] == "better"]
    assert all(row["value"].startswith("system-") for row in better)
    history = [row for row in rows_of(served, rater, "--judgements") if row["criterion"] == "marks"]
    last = [json.loads(row["value"]) for row in history if row["order"] == str(marked - 1) and not row["superseded_by"]]
    assert [(mark["start"], mark["severity"]) for mark in last[0]] == [(2, "minor")]
    assert sorted(row["value"] for row in rows if row["criterion"] == "rank") == ["1", "2"]


def test_going_back_and_changing_one_s_mind_keeps_both_answers(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    walk.to_work(served.invite()[0])
    press = walk.page.keyboard.press
    press("3")
    press("n")
    until(walk.page, "location.hash === '#2'")
    walk.page.go_back()
    walk.page.wait_for_selector("label.choice:has-text('all') input:checked")
    press("1")
    walk.saved()
    walk.sent()
    walk.close()
    practice = [row for row in rows_of(served, newest_rater(served), "--judgements") if row["role"] == "practice"]
    assert [(row["value"], bool(row["superseded_by"])) for row in practice] == [("3", True), ("1", False)]


def tab_to(page, selector, *, backwards=False):
    """Only the keyboard: Tab until the element has the focus."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


def go(page, key, name):
    with page.expect_navigation():
        page.keyboard.press(key)
    assert page.url.split("#")[0].endswith(f"/{name}")


def test_offline_answers_wait_in_the_browser_across_a_closed_tab(served, chromium):
    walk = Walk(chromium, DESK, served.address, keeps_pages=True)
    link = served.invite()[0]
    walk.to_work(link)
    page = walk.page
    walk.context.set_offline(True)
    page.get_by_text("most", exact=True).click()
    page.wait_for_selector("#saved[data-state=offline]")
    assert "1 kept here" in page.text_content("#saved")
    task = walk.work["screens"][0]["id"]
    page.close()
    walk.context.set_offline(False)
    again = walk.context.new_page()
    again.goto(f"{served.address}/work#1")
    again.wait_for_selector("#saved[data-state=saved]")
    assert again.locator("label.choice:has(input:checked)").inner_text().endswith("most")
    is_sent(again)
    walk.context.close()
    other = Walk(chromium, PHONE, served.address)
    other.page.goto(link)
    other.page.wait_for_selector(".question")
    known = [answer for answer in other.work["answers"] if answer["task"] == task]
    assert [answer["value"] for answer in known] == [2]
    other.close()


def test_an_expired_log_in_loses_nothing(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    link = served.invite()[0]
    walk.to_work(link)
    page = walk.page
    walk.context.clear_cookies(name="accord_session")
    page.get_by_text("little", exact=True).click()
    page.wait_for_selector("#saved[data-state=login]")
    assert page.locator("#login-notice").is_visible()
    assert page.evaluate("document.getElementById('next').getBoundingClientRect().bottom <= innerHeight")
    tab = walk.context.new_page()
    tab.goto(link)
    tab.goto(f"{served.address}/work#1")
    tab.wait_for_selector("#saved[data-state=saved]")
    is_sent(tab)
    assert tab.locator("label.choice:has(input:checked)").inner_text().endswith("little")
    walk.context.close()


def test_who_is_paused_is_told_so_keeps_what_they_answer_and_goes_on_once_resumed(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    link = served.invite()[0]
    walk.to_work(link)
    page = walk.page
    page.get_by_text("little", exact=True).click()
    walk.saved()
    rater = newest_rater(served)
    set_state(served, rater, "paused")
    page.get_by_text("most", exact=True).click()
    page.wait_for_selector("#saved[data-state=paused]")
    assert page.locator("#paused-notice").is_visible() and page.locator("#login-notice").is_hidden()
    assert page.text_content("#saved") == "Paused: 1 kept here"
    page.click("#next")
    assert page.evaluate("document.getElementById('next').getBoundingClientRect().bottom <= innerHeight")
    page.goto(f"{served.address}/work")
    assert "Your work is paused" in page.inner_text("main")
    set_state(served, rater, "active")
    page.reload()
    page.goto(f"{served.address}/work#1")
    page.wait_for_selector("#saved[data-state=saved]")
    is_sent(page)
    assert page.locator("label.choice:has(input:checked)").inner_text().endswith("most")
    set_state(served, rater, "paused")
    page.get_by_text("none", exact=True).click()
    page.wait_for_selector("#saved[data-state=paused]")
    set_state(served, rater, "active")
    page.wait_for_selector("#saved[data-state=saved]")  # by itself, on the page that stayed open
    assert page.locator("#paused-notice").is_hidden()
    walk.context.close()
    practice = [row for row in rows_of(served, rater, "--judgements") if row["role"] == "practice"]
    assert [row["value"] for row in practice] == ["1", "2", "0"]


def test_new_guidelines_are_read_before_the_next_screen_on_a_page_that_stayed_open(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    walk.to_work(served.invite()[0])
    page = walk.page
    page.get_by_text("little", exact=True).click()
    walk.saved()
    with closing(sqlite3.connect(served.folder / "accord.sqlite3", timeout=120)) as database, database:
        # As publishing does.
        columns = "text, digest, change, published_at"
        database.execute(
            f"INSERT INTO server_guidelineversion (number, {columns}) SELECT MAX(number) + 1, 'Read anew', "
            "'another', 'Articles too', published_at FROM server_guidelineversion"
        )
        database.execute("UPDATE server_rater SET guidelines_read = 0")
    page.get_by_text("most", exact=True).click()
    walk.saved()
    assert page.url.endswith("/work#1"), "who has begun a screen finishes it"
    page.click("#next")
    page.wait_for_url("**/guidelines*")
    assert "Read anew" in page.inner_text("main") and "Articles too" in page.inner_text("main")
    page.click("button.primary")
    page.wait_for_selector(".question")
    assert page.url.split("#")[1] == "2" and walk.work["guideline"] > 1
    walk.close()
    rater = newest_rater(served)
    assert [row["value"] for row in rows_of(served, rater, "--judgements")] == ["1", "2"]


def set_state(server, rater, state):
    """As the organiser's page does, without its reason."""
    with closing(sqlite3.connect(server.folder / "accord.sqlite3", timeout=120)) as database, database:
        database.execute("UPDATE server_rater SET state = ? WHERE pseudonym = ?", (state, rater))


def test_two_tabs_see_each_others_answers(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    walk.to_work(served.invite()[0])
    other = walk.context.new_page()
    other.goto(f"{served.address}/work")
    other.wait_for_selector(".question")
    walk.page.get_by_text("all", exact=True).click()
    other.wait_for_selector("label.choice:has-text('all') input:checked")
    other.get_by_text("none", exact=True).click()
    walk.page.wait_for_selector("label.choice:has-text('none') input:checked")
    walk.saved()
    walk.close()
    rater = newest_rater(served)
    practice = [row for row in rows_of(served, rater, "--judgements") if row["role"] == "practice"]
    assert [(row["value"], row["revision"]) for row in practice] == [("3", "1"), ("0", "2")]


def test_pages_have_no_serious_barrier(served, chromium):
    walk = Walk(chromium, PHONE, served.address)
    page = walk.page
    page.goto(served.address)
    assert barriers(page) == [], page.url
    page.goto(served.invite()[0])
    assert barriers(page) == [], page.url
    walk.to_work(page.url)
    for number in range(1, len(walk.work["screens"]) + 1):
        turn_to(page, number)
        assert barriers(page) == [], page.url
    page.keyboard.press("g")
    assert barriers(page) == [], page.url
    page.emulate_media(color_scheme="dark")
    assert barriers(page, CONTRAST) == [], page.url
    walk.context.close()


def test_a_marked_place_counts_code_points_not_utf16_units(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    walk.to_work(served.invite()[0])
    page = walk.page
    place = next(place for place, (scenario, _) in enumerate(screens_of(walk), start=1) if scenario == "alone")
    text = screens_of(walk)[place - 1][1]
    page.evaluate("place => { location.hash = place; }", place)
    page.wait_for_selector(".target.markable")
    dog = text.index("🐕")
    drag_over(page, ".target.markable", dog, dog + 8)
    page.locator(".mark-bar").get_by_text("Minor").click()
    walk.saved()
    walk.close()
    rater = newest_rater(served)
    row = [row for row in rows_of(served, rater, "--judgements") if row["criterion"] == "marks"][-1]
    mark = json.loads(row["value"])[0]
    assert text[mark["start"] : mark["end"]] == "🐕 corre"[: mark["end"] - mark["start"]]
    assert (mark["start"], mark["end"]) == (dog, dog + 7)


def test_a_place_is_marked_by_touching_its_first_and_last_word(served, chromium):
    walk = Walk(chromium, PHONE, served.address, touch=True)
    walk.to_work(served.invite()[0])
    page = walk.page
    place = next(place for place, (scenario, _) in enumerate(screens_of(walk), start=1) if scenario == "alone")
    page.evaluate("place => { location.hash = place; }", place)
    page.wait_for_selector(".target.markable")
    box = page.locator(".target.markable").bounding_box()
    page.touchscreen.tap(box["x"] + 12, box["y"] + 20)
    assert page.text_content(".mark-bar q") == "O"
    page.touchscreen.tap(box["x"] + 42, box["y"] + 20)
    text = screens_of(walk)[place - 1][1]
    assert page.text_content(".mark-bar q") == " ".join(text.split()[:2])
    page.locator(".mark-bar").get_by_text("Major").tap()
    walk.saved()
    assert page.locator(".marks li").count() == 1
    page.get_by_role("button", name="Undo").tap()
    assert page.locator(".marks li").count() == 0
    walk.close()


def test_the_interface_speaks_six_languages_and_turns_for_arabic(served, chromium):
    walk = Walk(chromium, PHONE, served.address)
    page = walk.page
    words = {"pt": "Bem-vindo", "es": "Bienvenid", "de": "Willkommen", "zh-hans": "欢迎", "ar": "أهل", "en": "Welcome"}
    page.goto(served.invite()[0])
    for code, welcome in words.items():
        with page.expect_navigation():
            page.select_option("#language", code)
        assert welcome in page.text_content("h1")
        assert page.get_attribute("html", "dir") == ("rtl" if code == "ar" else "ltr")
    walk.close()


def test_texts_are_ranked_by_dragging_and_show_where_they_differ_on_demand(served, chromium):
    walk = Walk(chromium, DESK, served.address)
    walk.to_work(served.invite()[0])
    page = walk.page
    places = {scenario: place for place, (scenario, _) in enumerate(screens_of(walk), start=1)}
    page.evaluate("place => { location.hash = place; }", places["whole"])
    page.wait_for_selector(".rank-chip")
    for text, rank in (("Text A", 2), ("Text B", 1)):
        page.locator(".rank-chip", has_text=text).drag_to(page.locator(f".rank-slot[data-rank='{rank}']"))
    walk.sent()
    page.evaluate("place => { location.hash = place; }", places["pair"])
    page.wait_for_selector(".differences")
    before = page.locator(".current .text.target").all_inner_texts()
    page.keyboard.press("d")
    shown = page.locator(".current .differs").all_inner_texts()
    assert all(any(part in text for text in before) for part in shown) and len(shown) > 0
    page.keyboard.press("d")
    assert page.locator(".differs").count() == 0
    assert page.locator(".current .text.target").all_inner_texts() == before
    walk.close()
    rows = [row for row in rows_of(served, newest_rater(served), "--judgements") if row["criterion"] == "rank"]
    assert json.loads(rows[-1]["value"]) == [2, 1]
