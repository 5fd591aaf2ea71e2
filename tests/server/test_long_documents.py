"""A text of 150 sentences: the one in question is always in sight, and the page stays as long as its questions."""

import pytest

import served_study
from browser_walk import DESK, PHONE, Walk

pytestmark = pytest.mark.browser

SENTENCES = 150
IN_SIGHT = """() => {
    const text = document.querySelector('.texts.document').getBoundingClientRect();
    const now = document.querySelector('.segment.current').getBoundingClientRect();
    const middle = (now.top + now.bottom) / 2;
    return text.top < middle && middle < text.bottom && now.top < innerHeight && text.top >= 0;
}"""


@pytest.fixture(scope="module")
def long_study(tmp_path_factory):
    folder = served_study.make_study(tmp_path_factory.mktemp("long"))
    rows = [
        f"d1\t{number}\tThe dog runs. {'It is very fast. ' * (number % 7)}\tO cão corre {number}.\tO cachorro.\tO cão."
        for number in range(1, SENTENCES + 1)
    ]
    heads = "document\tsegment\tsource\ttarget:alpha\ttarget:beta\treference"
    (folder / "items.tsv").write_text("\n".join([heads, *rows]) + "\n", encoding="utf-8")
    server = served_study.Served(folder, is_forked=True)
    yield server
    server.stop()


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_sentence_in_question_is_in_sight_in_a_very_long_text(long_study, chromium, size):
    walk = Walk(chromium, size, long_study.address)
    walk.to_work(long_study.invite()[0])
    page = walk.page
    pairs = [place for place, screen in enumerate(walk.work["screens"], start=1) if screen["scenario"] == "pair"]
    for place in (pairs[0], pairs[80], pairs[-1], pairs[3]):
        page.evaluate("place => { location.hash = place; }", place)
        page.wait_for_timeout(300)
        assert page.evaluate(IN_SIGHT), place
    assert page.evaluate("document.documentElement.scrollHeight") < 4 * size["height"], "it ends after the questions"
    assert page.locator("button.number").count() == SENTENCES - 1, "every other sentence can be reached"
    page.set_viewport_size({"width": size["height"], "height": size["width"]})
    page.wait_for_timeout(300)
    assert page.evaluate(IN_SIGHT), "after the device was turned"
    walk.close()
