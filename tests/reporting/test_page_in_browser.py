"""The page in a real browser: nothing fails, nothing leaves the machine, everyone can reach everything."""

import pytest

import accord
from browser_walk import CONTRAST, barriers
from real_browser import in_browser, real_browser
from reporting.hostile import hostile_ratings
from reporting.test_report import EXAMPLES

pytestmark = [pytest.mark.browser, in_browser]


@pytest.fixture(scope="module")
def browser():
    with real_browser() as running:
        yield running


@pytest.fixture(scope="module")
def report_file(tmp_path_factory):
    return accord.report(
        accord.read(EXAMPLES / "context.csv", direction="high"), tmp_path_factory.mktemp("page") / "report.html"
    )


@pytest.fixture
def opened(browser, report_file):
    """Open the page at a width; complaints and requests of the page are collected."""
    contexts = []

    def open_page(file=report_file, width=1280, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.set_default_timeout(90_000)
        contexts.append(context)
        page = context.new_page()
        page.troubles = []
        page.on("console", lambda message: page.troubles.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(("file:", "data:")) else page.troubles.append(request.url),
        )
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_draws_without_complaint_and_without_the_network(opened, width):
    page = opened(width=width)
    assert page.locator("#answer h1").is_visible()
    bars = page.locator("main svg.ci")
    assert bars.count() >= 6
    assert bars.first.bounding_box()["width"] > 100
    page.locator("#unfold").click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.locator("figure svg").first.bounding_box()["height"] > 100
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.troubles == []


def test_a_number_leads_to_its_evidence(opened):
    page = opened()
    page.locator("#reliability > summary").click()
    page.locator("#criterion-0 > summary").click()
    link = page.locator("#reliability tbody a").first
    target = link.get_attribute("href")
    assert not page.locator(target).is_visible()
    link.click()
    assert page.locator(target).is_visible()
    assert page.locator(target).locator("pre").first.is_visible()


def test_long_tables_are_paged_and_paper_holds_their_first_rows(opened):
    page = opened()
    page.locator("#unfold").click()
    table = page.locator("#items table.paged").first
    total = table.locator("tbody tr").count()
    shown = "t => [...t.tBodies[0].rows].filter(r => getComputedStyle(r).display !== 'none').length"
    assert total > 25
    assert page.evaluate(shown, table.element_handle()) == 20
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    kept = page.evaluate(shown, table.element_handle())
    assert 0 < kept < 20
    assert page.get_by_text(f"{total - kept:,} more rows are in the page.").first.is_visible()


def test_sections_open_by_keyboard_and_say_so(opened):
    page = opened()
    page.locator("#reliability > summary").focus()
    assert not page.locator("#reliability .inside").is_visible()
    page.keyboard.press("Enter")
    assert page.locator("#reliability .inside").is_visible()
    assert page.get_by_role("heading", name="Reliability by criterion").count() == 1
    page.locator("#unfold").click()
    assert page.locator("#methods .inside").is_visible()
    assert page.locator("#unfold").text_content() == "Close all"


def test_everything_is_reached_by_keyboard(opened):
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.tagName"))
    assert {"A", "SUMMARY"} <= seen


FIRST_OF_EACH = """
document.querySelectorAll('tbody tr:nth-child(n+4), details details:nth-of-type(n+3)').forEach((like) => like.remove())
"""
"""Rows and evidence like those above them: to look for the contrast of their thousands of words takes half a minute."""


@pytest.mark.parametrize(
    "before", [FIRST_OF_EACH, pytest.param("0", marks=pytest.mark.hard)], ids=["first of each", "whole"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_violation(opened, scheme, before):
    page = opened(scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.evaluate(before)
    assert barriers(page, CONTRAST if scheme == "dark" else None) == []


def test_hostile_names_do_not_run(opened, tmp_path):
    page = opened(accord.report(hostile_ratings(), tmp_path / "hostile.html"))
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.wait_for_timeout(300)
    assert page.title().startswith("Reliability of <script>")
    assert page.troubles == []


def test_the_page_prints_as_pdf(tmp_path):
    target = accord.report(accord.read(EXAMPLES / "adequacy.csv"), tmp_path / "report.pdf")
    assert target.read_bytes()[:5] == b"%PDF-"


def test_paper_shows_methods_and_hides_evidence_that_nobody_opened(opened):
    page = opened()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#methods pre.prose").is_visible()
    assert not page.locator("#behind-0").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator("#methods pre.prose").is_visible()


def test_words_of_a_table_are_read_on_a_phone_without_scrolling(opened):
    page = opened(width=390)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    cells = page.locator("#reliability table.wordy tbody tr").nth(2).locator("td")
    boxes = [cells.nth(place).bounding_box() for place in range(cells.count())]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes if box)
