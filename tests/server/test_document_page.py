"""A document on one page, worked by mouse, finger and keys in a real browser; what was done is what is saved."""

import json

import pytest

from browser_walk import DESK, PHONE, Walk, barriers, turn_to, until
from hands import PLACES, markable
from served_study import Served, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "Whole documents"
seed = 1
[languages]
source = "en"
target = "ja"
[assignment]
design = "crossed"
raters = 60
order = "fixed"
[[scenarios]]
key = "text"
kind = "sentence-in-context"
[[criteria]]
key = "errors"
question = "Mark the errors."
kind = "spans"
sides = ["target", "source"]
omissions = true
max_spans = 5
severities = [
    { key = "major", label = "Major: the reader is stopped", weight = 5 },
    { key = "minor", label = "Minor: noticed", weight = 1 },
]
[[criteria]]
key = "score"
question = "How good is it?"
kind = "slider"
best = "high"
low = 0
high = 100
[criteria.anchors]
0 = "nothing kept"
20 = "a little"
50 = "half"
100 = "perfect"
"""
JAPANESE = "道は凍っていて、私たちはゆっくり歩いた。"
THAI = "เราออกจากกระท่อมก่อนพระอาทิตย์ขึ้น"
ACCENTED = "O cafe\u0301 👩‍👩‍👧 e\u0301 caro, na\u0303o?"
ARABIC = "غادرنا الكوخ قبل شروق الشمس."
ITEMS = [
    ("d1", "1", "The old harbour sleeps in winter.", "Der alte Hafen schläft im kalten Winter."),
    ("d1", "2", "Nobody sails here in the rain.", "Niemand segelt hier bei starkem Regen."),
    ("d1", "3", "The boats wait for spring.", "Die Boote warten auf den Frühling."),
    ("d2", "1", "The path was icy.", JAPANESE),
    ("d2", "2", "We left before sunrise.", THAI),
    ("d2", "3", "The café is dear.", ACCENTED),
    ("d2", "4", "We left the hut.", ARABIC),
]
CHARACTERS = """(selector) => {
  const text = document.querySelector(selector);
  text.scrollIntoView({ block: 'center' });
  const node = text.firstChild.firstChild;
  const found = [];
  let units = 0;
  let points = 0;
  for (const { segment } of new Intl.Segmenter('ja', { granularity: 'grapheme' }).segment(node.data)) {
    const range = document.createRange();
    range.setStart(node, units);
    range.setEnd(node, units + segment.length);
    const box = [...range.getClientRects()].at(-1);
    const long = [...segment].length;
    const { left, width } = box;
    found.push({ points, end: points + long, text: segment, left, width, y: box.top + box.height / 2 });
    units += segment.length;
    points += long;
  }
  return found;
}"""
"""Every character as people see it, with its box and its place in code points."""


@pytest.fixture(scope="module")
def served_documents(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("documents"), STUDY, "# Read.\n", ["target:a"], ITEMS)
    server = Served(folder, is_forked=True)
    yield server
    server.stop()


@pytest.fixture
def walk(served_documents, chromium):
    made = Walk(chromium, DESK, served_documents.address)
    made.page.clock.install()
    made.to_work(served_documents.invite()[0])
    yield made
    made.close()


def go_to(page, number):
    turn_to(page, number)
    until(
        page,
        "document.querySelector('.segment.current') !== null && document.getElementById('texts').textContent !== ''",
    )


def drag(page, selector, start, end):
    (x1, y1), (x2, y2) = page.evaluate(PLACES, [selector, start, end])
    page.mouse.move(x1 + 1, y1)
    page.mouse.down()
    page.mouse.move(x2 - 1, y2, steps=4)
    page.mouse.up()
    page.wait_for_selector(".pending")


def quote(page):
    return page.text_content(".mark-bar q")


def saved(walk, server):
    """The last answers by segment and criterion."""
    walk.page.clock.run_for(750)
    walk.sent()
    rows = server.export("--judgements")
    last = max(rows, key=lambda row: row["received_at"])["rater"]
    own = [row for row in rows if row["rater"] == last and not row["superseded_by"]]
    return {(row["document"], row["segment"], row["criterion"]): json.loads(row["value"]) for row in own}


def test_an_error_and_a_score_are_four_actions_and_no_errors_follow_from_a_score(walk, served_documents):
    page = walk.page
    press = page.keyboard.press
    drag(page, markable("target"), 9, 13)
    for key in "287":
        press(key)
    drag(page, ".doc .segment:nth-child(2) .text.target", 8, 14)
    assert page.url.endswith("#2"), "to mark in another segment brings it into hand"
    for key in "105":
        press(key)
    press("Enter")
    for key in "100":
        press(key)
    found = saved(walk, served_documents)
    assert found["d1", "1", "errors"] == [{"side": "target", "start": 9, "end": 14, "severity": "major"}]
    assert found["d1", "2", "errors"] == [{"side": "target", "start": 8, "end": 14, "severity": "minor"}]
    assert [found["d1", segment, "score"] for segment in "123"] == [87, 5, 100]
    assert found["d1", "3", "errors"] == []
    assert page.locator(".doc .summary").first.inner_text().split() == ["87", "1", "mark"]


def test_marks_are_edited_moved_split_deleted_undone_and_done_again(walk, served_documents):
    page, press = walk.page, walk.page.keyboard.press
    drag(page, markable("target"), 4, 14)
    press("1")
    page.locator(".chip button").first.click()  # edit
    press("2")
    assert "Major" in page.inner_text(".chip")
    press("e")
    press("Shift+ArrowRight")  # its end moves by a word
    assert quote(page) == "alte Hafen schläft"
    press("/")
    assert page.locator(".chip").count() == 2
    page.locator(".chip").nth(1).locator("button").last.click()  # delete
    assert page.locator(".chip").count() == 1
    press("u")
    assert page.locator(".chip").count() == 2
    press("U")
    assert page.locator(".chip").count() == 1
    found = saved(walk, served_documents)["d1", "1", "errors"]
    assert [mark["severity"] for mark in found] == ["major"] and found[0]["start"] == 4


def test_what_is_missing_stands_where_it_is_missing(walk, served_documents):
    page, press = walk.page, walk.page.keyboard.press
    press("m")
    press("ArrowLeft")
    press("ArrowLeft")
    press("1")
    gap = saved(walk, served_documents)["d1", "1", "errors"][0]
    text = ITEMS[0][3]
    assert gap["omission"] and gap["start"] == gap["end"] == text.index("Winter") - 1
    assert page.locator(".text.target .gap").count() == 1 and page.text_content(".current .text.target") == text


def test_the_limit_is_told_before_it_is_reached_and_a_sixth_mark_says_why_not(walk):
    page, press = walk.page, walk.page.keyboard.press
    assert page.inner_text(".limit") == "0 of at most 5"
    for word in range(5):
        page.focus(markable("target"))
        for _ in range(word + 1):
            press("ArrowRight")
        press("1")
    assert page.inner_text(".limit").startswith("5 of at most 5: edit or delete")
    drag(page, markable("target"), 15, 22)
    assert "5 is the most" in page.inner_text(".mark-bar") and not page.locator(".sevs").is_visible()
    press("Escape")
    assert page.locator(".chip").count() == 5
    assert (
        min(page.evaluate("[...document.querySelectorAll('.chip q')].map((q) => q.clientWidth / q.textContent.length)"))
        > 4
    )


def test_graver_marks_are_darker_whatever_order_the_study_has_them_in(walk):
    page, press = walk.page, walk.page.keyboard.press
    for start, end, key in ((0, 3, "1"), (9, 14, "2")):
        drag(page, markable("target"), start, end)
        press(key)
    light = """(name) => {
      const mark = document.querySelector(`.current mark.${name}`);
      const [r, g, b] = getComputedStyle(mark).backgroundColor.match(/\\d+/g);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }"""
    assert page.evaluate(light, "minor") > page.evaluate(light, "major") + 40


@pytest.mark.hard
@pytest.mark.parametrize(("number", "text"), [(4, JAPANESE), (5, THAI), (6, ACCENTED), (7, ARABIC)])
def test_a_tap_at_any_part_of_any_character_takes_the_word_it_stands_in(walk, number, text):
    page = walk.page
    go_to(page, number)
    selector = markable("target")
    for at in range(len(page.evaluate(CHARACTERS, selector))):
        one = page.evaluate(CHARACTERS, selector)[at]
        if not one["text"].strip() or one["width"] < 3:
            continue
        for share in (0.15, 0.85):
            page.mouse.click(one["left"] + one["width"] * share, one["y"])
            start, end = page.evaluate(
                """(selector) => {
                  const pieces = [...document.querySelector(selector).children];
                  const piece = pieces.find((one) => one.matches('.pending'));
                  return [Number(piece.dataset.start), Number(piece.dataset.start) + [...piece.textContent].length];
                }""",
                selector,
            )
            assert start <= one["points"] and one["end"] <= end, (one["text"], share, text[start:end])
            assert quote(page) == text[start:end]
            page.keyboard.press("Escape")


def test_on_a_phone_help_language_pause_and_the_way_out_are_one_touch_away(served_documents, chromium):
    walk = Walk(chromium, PHONE, served_documents.address, touch=True)
    walk.to_work(served_documents.invite()[0])
    page = walk.page
    page.get_by_role("button", name="Help").tap()
    help_page = page.locator("#keys")
    for name in ("Guidelines", "Pause", "Leave this device", "Send"):
        assert help_page.get_by_role("button", name=name).is_visible()
    assert help_page.get_by_label("Language").is_visible()
    help_page.get_by_role("button", name="Pause").tap()
    assert page.locator("#pause").get_by_text("no time is counted").is_visible()
    page.locator("#pause").get_by_role("button", name="Go on").tap()
    score, text = page.locator(".current .track").bounding_box(), page.locator(".current .text.target").bounding_box()
    assert text["y"] + text["height"] < score["y"] < PHONE["height"] - 60, "text and score are on the screen together"
    walk.close()


def test_the_document_page_has_no_serious_barrier_with_a_bar_a_mark_a_flag_and_help(walk):
    page, press = walk.page, walk.page.keyboard.press
    assert barriers(page) == []
    page.focus(markable("target"))
    press("ArrowRight")
    assert barriers(page) == []
    for key in "2f":
        press(key)
    page.emulate_media(color_scheme="dark")
    assert barriers(page) == []
    press("?")
    assert barriers(page) == []


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_a_tap_on_a_second_word_takes_all_in_between_and_a_third_begins_anew(served_documents, chromium, touch):
    walk = Walk(chromium, PHONE if touch else DESK, served_documents.address, touch=touch)
    walk.to_work(served_documents.invite()[0])
    page, selector = walk.page, markable("target")

    def tap(start, end):
        (x1, y), (x2, _) = page.evaluate(PLACES, [selector, start, end])
        (page.touchscreen.tap if touch else page.mouse.click)((x1 + x2) / 2, y)
        page.wait_for_selector(".pending")
        page.wait_for_timeout(50)

    tap(4, 8)
    assert quote(page) == "alte"
    tap(15, 22)
    assert quote(page) == "alte Hafen schläft"
    tap(9, 14)
    assert quote(page) == "Hafen"
    walk.close()


TICKS = """() => {
  const middle = ({ left, width }) => left + width / 2;
  const ticks = [...document.querySelectorAll('.tick')].map((one) => middle(one.getBoundingClientRect()));
  return [...document.querySelectorAll('.anchors div')].map((cell, place, all) => {
    const range = document.createRange();
    range.selectNodeContents(cell.querySelector('dt'));
    const words = range.getBoundingClientRect();
    const at = place === 0 ? words.left : place === all.length - 1 ? words.right : middle(words);
    return Math.abs(at - ticks[place]);
  });
}"""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_words_of_a_scale_stand_under_their_ticks_however_unevenly_these_lie(served_documents, chromium, size):
    walk = Walk(chromium, size, served_documents.address)
    walk.to_work(served_documents.invite()[0])
    away = walk.page.evaluate(TICKS)
    # Words at an end begin there, beyond the tick by the half width of a digit.
    assert len(away) == 4 and max(away[1:-1]) < 2 and max(away[0], away[-1]) < 10, away
    walk.close()


@pytest.mark.parametrize("language", ["en", "de", "es", "pt", "ar", "zh-hans"])
def test_on_a_phone_no_button_of_the_dock_touches_the_next_one(served_documents, chromium, language):
    walk = Walk(chromium, PHONE, served_documents.address, touch=True)
    walk.context.add_cookies([{"name": "accord_language", "value": language, "url": served_documents.address}])
    walk.to_work(served_documents.invite()[0])
    assert walk.page.locator("html").get_attribute("lang") == language
    gaps, beyond = walk.page.evaluate(
        """() => {
          const box = document.querySelector(".steps");
          const shown = [...box.querySelectorAll("button")].filter((one) => one.offsetParent);
          const words = shown.map((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            return range.getBoundingClientRect();
          }).sort((a, b) => a.left - b.left);
          return [words.slice(1).map((one, place) => one.left - words[place].right),
                  document.documentElement.scrollWidth - innerWidth];
        }"""
    )
    assert min(gaps) >= 8 and beyond <= 0, (gaps, beyond)
    walk.close()
