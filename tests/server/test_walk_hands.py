"""Every preset by finger on a dark phone, and a text from right to left, to the thanks; what was done is exported."""

import json
import random

import pytest

from accord.design.preset import PRESETS
from browser_walk import DESK, PHONE, Walk
from hands import Finger, Keyboard, Mouse, markable
from served_study import Served, write_folder
from server.test_walk_presets import Rater, command, compare, exported, make

pytestmark = pytest.mark.browser

OFTEN = ("esa", "mqm", "pairwise")
"""The protocols that differ most are walked every time, the others with --hard."""


@pytest.mark.parametrize(
    "preset", [one if one in OFTEN else pytest.param(one, marks=pytest.mark.hard) for one in PRESETS]
)
def test_a_preset_walked_by_finger_on_a_dark_phone_exports_exactly_what_was_answered(chromium, tmp_path, preset):
    folder = make(preset, tmp_path / preset)
    server = Served(folder, is_forked=True)
    try:
        [invited] = json.loads(command("invite", folder, 1, "--address", server.address, "--json"))["invitations"]
        walk = Walk(chromium, PHONE, server.address, touch=True, dark=True)
        rater = Rater(walk, Finger, folder, f"{preset} finger").walk_through(invited["link"])
        walk.close()
        asked = ([], ["--judgements"], ["--questionnaire"], ["--background"])
        compare(rater, folder, *[exported(folder, invited["rater"], *options) for options in asked])
    finally:
        server.stop()


ARABIC = """
title = "من اليمين"
seed = 1
ui_language = "ar"
[languages]
source = "en"
target = "ar"
[assignment]
design = "crossed"
raters = 20
order = "fixed"
[[scenarios]]
key = "text"
kind = "sentence-in-context"
[[criteria]]
key = "errors"
question = "ضع علامة على الأخطاء."
kind = "spans"
severities = [{ key = "minor", label = "طفيف", weight = 1 }, { key = "major", label = "جسيم", weight = 5 }]
[[criteria]]
key = "score"
question = "ما جودة الترجمة؟"
kind = "slider"
low = 0
high = 100
best = "high"
"""
TEXTS = [
    ("d", "1", "We left the hut before sunrise.", "غادرنا الكوخ قبل شروق الشمس بساعة."),
    ("d", "2", "The path was icy, and we walked slowly.", "كان الطريق مغطى بالجليد وسرنا ببطء."),
]


@pytest.fixture(scope="module")
def arabic(tmp_path_factory):
    server = Served(
        write_folder(tmp_path_factory.mktemp("arabic"), ARABIC, "# اقرأ\n", ["target:a"], TEXTS), is_forked=True
    )
    yield server
    server.stop()


@pytest.mark.parametrize(
    ("hand", "size", "dark"), [(Mouse, DESK, True), (Finger, PHONE, False), (Keyboard, DESK, False)]
)
def test_a_text_from_right_to_left_is_marked_where_it_was_touched(arabic, chromium, hand, size, dark):
    walk = Walk(chromium, size, arabic.address, touch=hand is Finger, dark=dark)
    walk.to_work(arabic.invite()[0])
    page, wanted = walk.page, {}
    assert page.get_attribute("html", "dir") == "rtl"
    for number, (_, segment, _, text) in enumerate(TEXTS, start=1):
        page.wait_for_timeout(100)
        assert page.url.endswith(f"#{number}")
        works = hand(page, random.Random(number))
        if hand is Keyboard:
            page.focus(markable("target"))
            for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowLeft"):  # the second and the third word
                works.press(key)
        else:
            words = text.split()
            start, end = len(words[0]) + 1, len(" ".join(words[:3]))
            works.drag(*reversed(page.evaluate(_EDGES, [markable("target"), start, end])))
            page.wait_for_selector(".pending")
        assert page.text_content(".mark-bar q") == " ".join(text.split()[1:3])
        works.say_severity(1)
        wanted[segment] = works.slide(1) if hand is not Keyboard else _typed(works)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it does not scroll sideways"
        works.forward()
    page.wait_for_url("**/thanks")
    walk.close()
    rows = [row for row in arabic.export("--judgements") if not row["superseded_by"]][-4:]
    assert {row["segment"]: json.loads(row["value"]) for row in rows if row["criterion"] == "score"} == wanted
    marks = [(row["segment"], json.loads(row["value"])) for row in rows if row["criterion"] == "errors"]
    for segment, [mark] in marks:
        text = TEXTS[int(segment) - 1][3]
        assert text[mark["start"] : mark["end"]] == " ".join(text.split()[1:3]) and mark["severity"] == "major"


def _typed(works):
    works.press("8")
    works.press("7")
    return 87


_EDGES = """([selector, start, end]) => {
  const text = document.querySelector(selector);
  text.scrollIntoView({ block: 'center' });
  const node = text.firstChild.firstChild;
  const at = (place) => {
    const range = document.createRange();
    range.setStart(node, place);
    range.setEnd(node, place + 1);
    const box = range.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  return [at(end - 1), at(start)];
}"""
"""The middle of the last and of the first character."""
