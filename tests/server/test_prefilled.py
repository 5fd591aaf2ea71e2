"""Marks that stand there beforehand, what may be consulted, and flags: in a real browser, and what comes of them."""

import csv
import io
import json

import pytest

from browser_walk import DESK, Walk, turn_to
from served_study import Served, accord, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "Suggested marks"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 20
order = "fixed"
[[scenarios]]
key = "text"
kind = "sentence-in-context"
[[criteria]]
key = "fluency"
question = "Does it read well?"
kind = "scale"
level = "ordinal"
best = "high"
values = [0, 1]
labels = ["no", "yes"]
consult = ["context"]
[[criteria]]
key = "errors"
question = "Mark the errors."
kind = "spans"
prefilled = "model.jsonl"
severities = [{ key = "minor", weight = 1 }, { key = "major", weight = 5 }]
[[criteria]]
key = "score"
question = "How good is it?"
kind = "slider"
low = 0
high = 100
best = "high"
"""
ITEMS = [
    ("d1", "1", "The old harbour sleeps in winter.", "Der alte Hafen schläft im kalten Winter."),
    ("d1", "2", "Nobody sails here in the rain.", "Niemand segelt hier bei starkem Regen."),
    ("d1", "3", "The boats wait for spring.", "Die Boote warten auf den Frühling."),
    ("d1", "4", "Then they leave.", "Dann fahren sie ab."),
]
MARKS = {
    "1": [{"text": "kalten", "severity": "minor"}, {"start": 4, "end": 8, "severity": "major"}],
    "2": [{"text": "starkem", "severity": "minor"}],
    "3": [{"text": "den Frühling", "severity": "minor"}],
}


def make(folder):
    write_folder(folder, STUDY, "# Read.\n", ["target:a"], ITEMS)
    lines = [json.dumps({"document": "d1", "segment": s, "system": "a", "marks": m}) for s, m in MARKS.items()]
    (folder / "model.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def suggested(tmp_path_factory):
    server = Served(make(tmp_path_factory.mktemp("prefilled")), is_forked=True)
    yield server
    server.stop()


@pytest.fixture
def walk(suggested, chromium):
    made = Walk(chromium, DESK, suggested.address)
    made.page.clock.install()
    made.to_work(suggested.invite()[0])
    yield made
    made.close()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    page.clock.run_for(50)


def test_marks_beforehand_are_kept_changed_or_deleted_and_the_table_says_which(walk, suggested):
    page = walk.page
    assert page.locator(".current mark.suggested").all_inner_texts() == ["alte", "kalten"]
    assert page.locator(".doc .summary").nth(1).inner_text() == "1 suggested"
    press(page, "1", "0")  # fluent; the marks are right
    assert page.locator(".current mark").count() == 2 and page.locator(".current mark.suggested").count() == 0
    press(page, "8", "0", "Enter")
    assert page.locator(".doc .segment").first.locator("mark.suggested").count() == 0
    press(page, "1", "e", "2", "Escape", "7", "0", "Enter")  # graver
    press(page, "1", "e", "Backspace", "9", "0", "Enter")  # no error at all
    page.clock.run_for(800)
    walk.sent()
    rows = suggested.export("--judgements")
    last = {row["segment"]: json.loads(row["value"]) for row in rows if row["criterion"] == "errors"}
    assert last["1"] == [
        {"side": "target", "start": 26, "end": 32, "severity": "minor", "prefilled": 0},
        {"side": "target", "start": 4, "end": 8, "severity": "major", "prefilled": 1},
    ]
    assert last["2"][0]["severity"] == "major" and last["2"][0]["prefilled"] == 0 and last["3"] == []
    done = accord("export", suggested.folder, "--suggestions")
    own = rows[-1]["rater"]
    told = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["rater"] == own]
    assert [(row["text"], row["fate"]) for row in told] == [
        ("kalten", "kept"), ("alte", "kept"), ("starkem", "changed"), ("den Frühling", "deleted"),
    ]  # fmt: skip
    assert done.stderr.startswith("Of 4 marks that stood there beforehand 2 (50%) were kept as they were")


def test_a_score_keeps_the_marks_as_they_stand_and_undo_takes_both_back(walk, suggested):
    page = walk.page
    press(page, "1", "5", "5")
    page.clock.run_for(800)
    walk.sent()
    newest = max(suggested.export("--judgements"), key=lambda row: row["received_at"])["rater"]
    rows = [row for row in suggested.export("--judgements") if row["rater"] == newest]
    assert [len(json.loads(row["value"])) for row in rows if row["criterion"] == "errors"] == [2]
    assert page.url.endswith("#2") and page.locator(".doc .segment:first-child mark.suggested").count() == 0
    press(page, "u")
    assert page.url.endswith("#1"), "what is taken back is in sight again"
    assert page.locator(".current mark.suggested").count() == 2
    assert page.locator(".current .score-box").input_value() == ""


def test_what_may_not_be_consulted_is_not_seen_while_its_question_is_in_hand(walk):
    page = walk.page
    source = page.locator(".current .text.source")
    assert not source.is_visible() and page.locator("#hidden-now").inner_text().startswith("Source:")
    press(page, "1")
    assert source.is_visible() and not page.locator("#hidden-now").is_visible()
    press(page, "ArrowUp")
    assert not source.is_visible()


def test_a_flag_stays_and_is_told_before_the_end(walk):
    page = walk.page
    press(page, "f")
    for _ in range(4):
        press(page, "1", "5", "0", "Enter")
    page.wait_for_selector("#message:not(:empty)")
    assert page.inner_text("#message").startswith("You flagged 1 to look at again.") and page.url.endswith("#1")
    page.reload()
    page.wait_for_selector(".question")
    turn_to(page, 1)
    assert page.locator("#flag").get_attribute("aria-pressed") == "true"
    press(page, "f")
    turn_to(page, 4)
    press(page, "Enter")
    page.wait_for_url("**/thanks")
