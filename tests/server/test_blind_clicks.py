"""A check and an ordinary text, worked click by click in a real browser: the page looks and behaves alike."""

import pytest

from browser_walk import DESK, Walk, until
from served_study import Served, write_folder
from server.test_blind import CONTROLLED, SENTENCE

pytestmark = pytest.mark.browser

LOOKS = """() => {
  const words = /^(id|name|aria-label|aria-valuenow|aria-valuetext|data-start|style)$/;
  const told = ({ name, value }) => (words.test(name) ? name : `${name}=${value}`);
  const outline = (node) => [node.tagName, [...node.attributes].map(told).sort(), [...node.children].map(outline)];
  const row = document.querySelector('.segment.current');
  const rows = [...document.querySelectorAll('.doc .segment')];
  return JSON.stringify({
    layout: document.body.dataset.layout, hand: outline(row), panel: outline(document.getElementById('panel')),
    others: rows.filter((one) => one !== row).map((one) => [one.className.replace(' current', ''), one.children.length,
      one.querySelector('.number').tagName]), rows: rows.length, notes: document.getElementById('message').textContent,
    title: document.getElementById('scenario').textContent,
  });
}"""
"""All that a rater can see of a screen but its words."""


@pytest.fixture(scope="module")
def controlled(tmp_path_factory):
    items = [
        (f"d{d}", str(s), f"{SENTENCE} {d} {s}", f"um {d} {s} {SENTENCE}", f"dois {d} {s} {SENTENCE}")
        for d in range(8)
        for s in range(1, 4)
    ]
    folder = write_folder(tmp_path_factory.mktemp("blind"), CONTROLLED, "# Read.\n", ["target:a", "reference"], items)
    server = Served(folder)
    yield server
    server.stop()


def test_a_check_looks_and_behaves_as_every_other_text(controlled, chromium):
    walk = Walk(chromium, DESK, controlled.address)
    walk.to_work(controlled.invite()[0])
    page, seen, asked = walk.page, {}, []
    page.on("request", lambda request: asked.append((number, request.url.rsplit("/", 1)[-1].split("?")[0])))
    number = 0
    screens = walk.work["screens"]
    assert [one["id"] for one in screens] == sorted(one["id"] for one in screens), "a number tells nothing of a check"
    for number in range(1, len(screens) + 1):
        until(page, "number => location.hash === `#${number}`", number)
        looks = [page.evaluate(LOOKS)]
        page.keyboard.press("5")
        page.keyboard.press("5")
        looks.append(page.evaluate(LOOKS))
        page.locator(".current .text.target").click()
        looks.append(page.evaluate(LOOKS))
        seen[number] = tuple(looks)
        page.keyboard.press("Enter")
    page.wait_for_url("**/thanks")
    walk.close()
    roles = {int(row["order"]): row["role"] for row in controlled.export("--judgements")}
    assert set(roles.values()) == {"system", "repeat", "degraded", "reference", "attention"}
    ordinary = {looks for at, looks in seen.items() if roles[at] == "system"}
    told_apart = {roles[at] for at, looks in seen.items() if looks not in ordinary}
    assert told_apart == set(), "every way a check looks is a way an ordinary text looks"
    kinds = {role: {name for at, name in asked if at and roles[at] == role} for role in set(roles.values())}
    assert all(names <= {"save", "thanks", "questionnaire"} or names <= kinds["system"] for names in kinds.values())
