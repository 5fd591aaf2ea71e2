"""A check and an ordinary text, worked click by click in a real browser: the page looks and behaves alike."""

import pytest

from browser_walk import DESK, Walk, until
from served_study import Served, write_folder
from server.test_blind import PROTOCOLS, controlled_items, controlled_study

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


ACTS = {
    "da": "55", "esa": "55", "mqm": "0", "grades": "2", "categories": "1", "number": "4", "editing": "0",
    "pairwise": "1", "ranking": "12",
}  # fmt: skip
"""The keys that answer a screen."""
OFTEN = ("da", "mqm", "pairwise")
"""Walked every time; the others with --hard."""


@pytest.fixture
def controlled(tmp_path, protocol):
    columns, items = controlled_items(PROTOCOLS[protocol][1], documents=8)
    server = Served(
        write_folder(tmp_path / "blind", controlled_study(protocol), "# Read.\n", columns, items), is_forked=True
    )
    yield server
    server.stop()


@pytest.mark.parametrize(
    "protocol", [one if one in OFTEN else pytest.param(one, marks=pytest.mark.hard) for one in PROTOCOLS]
)
def test_a_check_looks_and_behaves_as_every_other_text(controlled, chromium, protocol):
    walk = Walk(chromium, DESK, controlled.address)
    walk.page.clock.install()
    walk.to_work(controlled.invite()[0])
    page, seen, asked = walk.page, {}, []
    page.on("request", lambda request: asked.append((number, request.url.rsplit("/", 1)[-1].split("?")[0])))
    number = 0
    screens = walk.work["screens"]
    assert [one["id"] for one in screens] == sorted(one["id"] for one in screens), "a number tells nothing of a check"
    for number in range(1, len(screens) + 1):
        until(page, "number => location.hash === `#${number}`", number)
        page.clock.run_for(1_100)  # read first: an act in the first second would hold the page
        looks = [page.evaluate(LOOKS)]
        page.locator(".current .text.target").first.click()
        looks.append(page.evaluate(LOOKS))
        page.keyboard.press("Escape")
        for key in ACTS[protocol]:
            page.keyboard.press(key)
        if number == len(screens) or page.url.endswith(f"#{number}"):  # "no errors" goes on at once
            page.keyboard.press("c")  # whoever does something stays
            page.keyboard.press("Escape")
            looks.append(page.evaluate(LOOKS))
            page.keyboard.press("Enter")
        seen[number] = tuple(looks)
    page.wait_for_url("**/thanks")
    walk.close()
    roles = {int(row["order"]): row["role"] for row in controlled.export("--judgements")}
    checks = {"degraded", "reference", "attention"} if PROTOCOLS[protocol][1] == 1 else set()
    assert set(roles.values()) == {"system", "repeat"} | checks
    ordinary = {looks for at, looks in seen.items() if roles[at] == "system"}
    told_apart = {roles[at] for at, looks in seen.items() if looks not in ordinary}
    assert told_apart == set(), "every way a check looks is a way an ordinary text looks"
    kinds = {role: {name for at, name in asked if at and roles[at] == role} for role in set(roles.values())}
    assert all(names <= {"save", "thanks", "questionnaire"} or names <= kinds["system"] for names in kinds.values())
