"""Two scores of one segment on a phone: both can be pointed at, and the page goes on after the second."""

import json

import pytest

from browser_walk import PHONE, Walk, until
from hands import Finger
from served_study import Served, write_folder

pytestmark = pytest.mark.browser

STUDY = """
title = "Two scores"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 4
order = "fixed"
[[scenarios]]
key = "text"
kind = "sentence-in-context"
""" + "".join(
    f'[[criteria]]\nkey = "{key}"\nquestion = "{key}?"\nkind = "slider"\nlow = 0\nhigh = 100\nbest = "high"\n'
    for key in ("adequacy", "fluency")
)
ITEMS = [("d", str(n), f"The boats wait {n}.", f"Die Boote warten {n}.") for n in range(1, 4)]


@pytest.fixture
def served_scores(tmp_path):
    server = Served(write_folder(tmp_path / "study", STUDY, "# Read.\n", ["target:a"], ITEMS), is_forked=True)
    yield server
    server.stop()


def test_neither_score_lies_on_the_other_and_the_second_goes_on(served_scores, chromium):
    walk = Walk(chromium, PHONE, served_scores.address, touch=True)
    walk.to_work(served_scores.invite()[0])
    page, finger = walk.page, Finger(walk.page, None)
    boxes = [page.locator(".current .question.slider").nth(n).bounding_box() for n in range(2)]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    for number, share in enumerate((0.25, 0.75)):
        track = page.locator(".current .track").nth(number)
        size = track.bounding_box()
        finger.hit(track, position={"x": size["width"] * share, "y": size["height"] / 2})
        page.wait_for_timeout(100)
    until(page, "location.hash === '#2'")
    walk.saved()
    walk.sent()
    walk.close()
    told = {row["criterion"]: json.loads(row["value"]) for row in served_scores.export("--judgements")}
    assert abs(told["adequacy"] - 25) <= 2 and abs(told["fluency"] - 75) <= 2
