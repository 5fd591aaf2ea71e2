"""In real browsers: a study made in the wizard of thirty own texts, rated by two people, watched, and reported."""

import re

import pytest

from browser_walk import DESK, PHONE, Walk, barriers, until
from served_workspace import PASSWORD, Workspace

TEXTS = "\n".join(f"Der {n}. Satz von mir steht hier.\tThe {n}th of my texts is here to be read." for n in range(1, 31))
PAGES = (
    "", "/results", "/judgements", "/people", "/phases", "/quality", "/comments", "/rounds", "/arbitration", "/reports",
    "/tokens", "/raters/R1", "/raters/R1/ask/exclude", "/replace?rater=R1", "/agreement/CRITERION",
)  # fmt: skip
HOME = ("/", "/people", "/log", "/new", "/import")
SHOWN = r"document.body.innerText.match(/The (\d+)th of my texts/)"
pytestmark = pytest.mark.browser


def walked(chromium, workspace, size, dark):
    """Somebody at the first page of a workspace, with an account."""
    walk = Walk(chromium, size, workspace.address, dark=dark)
    walk.page.goto(workspace.owner_link)
    for name, text in {"username": "ola", "password1": PASSWORD}.items():
        walk.page.fill(f"input[name={name}]", text)
    walk.page.click("button.primary")
    return walk


def made(page, workspace):
    """A launched study for two raters, made by clicks; gives its key and the links of the raters."""
    page.goto(f"{workspace.address}/new")
    page.click("form:has(input[value=direct-assessment-segments]) button")
    page.fill("#pasted", TEXTS)
    page.click("#table-form button[type=submit]")
    page.fill("input[name=title]", "Thirty of mine")
    page.fill("input[name=source]", "de")
    page.fill("input[name=target]", "en")
    page.click("text=Continue to questions")
    page.click("text=Continue to guidelines")
    page.click("text=Continue to raters and plan")
    page.fill("input[name=raters]", "2")
    page.select_option("select[name=design]", "crossed")
    page.click("text=Draw this plan")
    page.click("text=Continue to the rehearsal")
    page.click("text=Continue to launch")
    page.click("button:has-text('Launch')")
    page.wait_for_url("**/organiser/people")
    page.click("button:has-text('Make links')")
    links = page.locator("#new-links code").all_inner_texts()
    return page.url.split("/s/")[1].split("/")[0], links


def rated(chromium, workspace, link, size, away):
    """One person judges every text by the keys of the scores."""
    walk = Walk(chromium, size, workspace.address, keeps_pages=True)
    walk.to_work(link)
    while True:
        until(walk.page, f"!location.pathname.endsWith('/work') || {SHOWN}")
        if not walk.page.url.split("#")[0].endswith("/work"):
            break
        number = int(walk.page.evaluate(SHOWN)[1])
        walk.page.fill(".score-box", str(min(99, max(10, number * 3 + away * (number % 3 - 1)))))
        # The page goes on by itself where it can: a click is for what is still there.
        walk.page.evaluate(
            f"(seen) => setTimeout(() => {{ if (({SHOWN})?.[1] === seen) document.getElementById('next').click() }})",
            str(number),
        )
        until(walk.page, f"(seen) => !location.pathname.endsWith('/work') || ({SHOWN})?.[1] !== seen", str(number))
    walk.close()


@pytest.mark.parametrize("size, dark", [(DESK, False), (PHONE, True)], ids=["desk", "phone-dark"])
def test_a_study_of_the_wizard_is_rated_by_two_people_watched_and_reported(chromium, tmp_path, size, dark):
    workspace = Workspace(tmp_path, is_forked=True)
    try:
        walk = walked(chromium, workspace, size, dark)
        key, links = made(walk.page, workspace)
        assert len(links) == 2
        for place, link in enumerate(links):
            rated(chromium, workspace, link, size, away=6 * place)
        watched(walk.page, f"{workspace.address}/s/{key}/organiser")
        looked(walk, workspace, key, size)
        walk.close()
    finally:
        workspace.stop()


def watched(page, address):
    """The number stands on the open overview by itself; the report is made, and it is the study's."""
    page.goto(address)
    until(page, "document.body.innerText.includes('Krippendorff') && document.body.innerText.includes('100%')")
    assert "60" in page.locator("[data-live=standing]").inner_text()
    page.goto(f"{address}/reports")
    page.click("text=Make the report")
    until(page, "!!document.querySelector('.jobs a.button')")
    with page.expect_download() as kept:
        page.click(".jobs a.button")
    text = kept.value.path().read_text(encoding="utf-8")
    assert "Thirty of mine" in text and "adequacy" in text


def looked(walk, workspace, key, size):
    """Every page opens without barriers, errors, or anything wider than the screen."""
    page, found = walk.page, {}
    page.goto(f"{workspace.address}/s/{key}/organiser/judgements")
    item = page.locator("table.cards tbody a").first.get_attribute("href")
    pages = [*HOME, item, *(f"/s/{key}/organiser{one.replace('CRITERION', 'adequacy')}" for one in PAGES)]
    for one in [*pages, f"/s/{key}/organiser/pairs/adequacy/R1/R2"]:
        assert page.goto(workspace.address + one).status == 200, one
        page.wait_for_load_state("networkidle")
        # A study that is counted for the first time is shown by loading the page again.
        until(page, "!document.querySelector('.pill.unknown')")
        if wrong := barriers(page):
            found[one] = wrong
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], one
    assert found == {}
    for one in ("", "/results", item.partition("/organiser")[2]):
        printed(page, f"{workspace.address}/s/{key}/organiser{one}")


def printed(page, address):
    """On A4, which is 673 pixels wide: nothing is cut off at the side, and what can only be pressed is not there."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 673, "height": 950})
    page.goto(address)
    assert page.locator("h1").is_visible() and page.locator(".brand").is_visible()
    assert not any(one.is_visible() for one in page.locator("nav.menu, button, a.button").all())
    assert page.evaluate("document.documentElement.scrollWidth") <= 673, address
    page.emulate_media(media="screen")


@pytest.fixture(scope="module")
def filled(chromium, tmp_path_factory):
    """A workspace with a study that simulated raters filled in, and the session of its owner."""
    workspace = Workspace(tmp_path_factory.mktemp("languages"), is_forked=True)
    owner = workspace.owner()
    owner.post("/new", {"protocol": "esa"})
    key = owner.url.split("/")[-2]
    rows = "\n".join(f"Sentence {n} of my own.\tSatz {n} von mir.\tEin Satz {n} von mir." for n in range(1, 13))
    owner.post(f"/new/{key}/texts", {"what": "table", "pasted": rows})
    roles = {"role-0": "source", "role-1": "target", "role-2": "target"}
    owner.post(f"/new/{key}/texts", {"title": "Mine", "source": "en", "target": "de", **roles})
    owner.post(f"/new/{key}/rehearse", {})
    rehearsed = re.search(r'href="(/s/[\w-]+/organiser)"', owner.get(f"/new/{key}/rehearse"))[1]
    yield workspace, owner, key, rehearsed
    workspace.stop()


STEPS = ("texts", "questions", "guidelines", "plan", "rehearse", "launch", "study.toml")


LANGUAGES = ("en", "de", "es", "pt", "zh-hans", "ar")
DRAWN = ("de", "ar")
"""Drawn every time: the longest words, and from right to left. English is drawn above; the others with --hard."""


def pages_of(filled):
    _, _, key, study = filled
    steps = [f"/new/{key}/{step}" for step in STEPS]
    return [*HOME, *steps, *(study + one.replace("CRITERION", "score") for one in PAGES)]


def turns(language):
    return "rtl" if language == "ar" else "ltr"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_every_language(filled, language):
    _, owner, *_ = filled
    cookies = "; ".join(f"{one.name}={one.value}" for one in owner.cookies if one.name != "accord_language")
    for one in pages_of(filled):
        page = owner.get(one, Cookie=f"{cookies}; accord_language={language}")
        said = re.search(r'<html lang="([^"]+)" dir="([^"]+)"', page)
        assert owner.status == 200 and said.groups() == (language, turns(language)), one


@pytest.mark.parametrize(
    "language", [one if one in DRAWN else pytest.param(one, marks=pytest.mark.hard) for one in LANGUAGES]
)
def test_every_page_of_a_language_fits_a_phone(chromium, filled, language):
    workspace, owner, *_ = filled
    walk = Walk(chromium, PHONE, workspace.address)
    cookies = [{"name": one.name, "value": one.value, "url": workspace.address} for one in owner.cookies]
    walk.context.add_cookies([*cookies, {"name": "accord_language", "value": language, "url": workspace.address}])
    page = walk.page
    for one in pages_of(filled):
        assert page.goto(workspace.address + one).status == 200, one
        said = page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
        assert said == [language, turns(language)], one
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], one
    assert barriers(page) == []
    walk.close()


def test_a_language_chosen_in_the_menu_stays(chromium, filled):
    workspace, owner, *_ = filled
    walk = Walk(chromium, DESK, workspace.address)
    walk.context.add_cookies(
        [{"name": one.name, "value": one.value, "url": workspace.address} for one in owner.cookies]
    )
    walk.page.goto(f"{workspace.address}/people")
    with walk.page.expect_navigation():
        walk.page.select_option("#language", "de")
    assert walk.page.inner_text("h1") == "Wer was darf"
    walk.page.goto(workspace.address)
    assert walk.page.locator("a.button.primary").inner_text() == "Neue Studie"
    walk.close()
