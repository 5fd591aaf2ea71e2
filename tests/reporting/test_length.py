"""A report is as long as what it has to say: the first screen stands alone, and nothing unasked is printed."""

import re

import numpy as np
import pytest

import accord
from accord.reporting.compose import compose
from accord.reporting.html import to_html
from accord.reporting.markdown import to_markdown
from accord.reporting.pdf import to_pdf
from real_browser import in_browser, real_browser


@pytest.fixture(scope="module")
def demo(demonstration):
    """The folder of the demonstration study, with its report as ``accord demo`` writes it."""
    return demonstration.folder


def _pages(html, folder):
    to_pdf(html, folder / "report.pdf")
    return len(re.findall(rb"/Type\s*/Page[^s]", (folder / "report.pdf").read_bytes()))


@in_browser
@pytest.mark.browser
def test_the_report_of_the_demo_answers_on_its_first_screen_and_is_short_until_opened(demo):
    with real_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto((demo / "report.html").as_uri())
        answer, numbers = page.locator("h1.answer").bounding_box(), page.locator("dl.figures").bounding_box()
        height = page.evaluate("document.documentElement.scrollHeight")
    assert answer["y"] + answer["height"] <= 700
    assert numbers["y"] + numbers["height"] <= 700
    assert height <= 2_000


@in_browser
@pytest.mark.browser
def test_the_report_of_the_demo_prints_on_fifteen_pages(demo, tmp_path):
    assert _pages((demo / "report.html").read_text(encoding="utf-8"), tmp_path) <= 15


def test_the_report_of_the_demo_has_fewer_than_900_lines_of_markdown(demo):
    text = to_markdown(compose(accord.read(demo)))
    assert len(text.splitlines()) < 900
    assert "frozenset" not in text


def _pilot():
    """Ten items, four raters, four criteria, texts and comments: what a team tries before it collects."""
    rng = np.random.default_rng(5)
    columns = {name: [] for name in ("item", "rater", "criterion", "value", "source", "target", "comment")}
    for criterion in ("adequacy", "fluency", "terminology", "style"):
        for item in range(10):
            for rater in ("Ana", "Ben", "Cleo", "Dan"):
                value = int(np.clip(1 + item % 5 + rng.integers(-1, 2), 1, 5))
                row = (f"s{item}", rater, criterion, value, f"The {item}th sentence of a guide to the harbour.",
                       f"Der {item}. Satz eines Hafenführers.", "not sure" if value == 3 else "")  # fmt: skip
                for name, cell in zip(columns, row, strict=True):
                    columns[name].append(cell)
    return columns


@in_browser
@pytest.mark.browser
def test_a_pilot_of_ten_items_prints_on_six_pages(tmp_path):
    pandas = pytest.importorskip("pandas")
    ratings = accord.read(pandas.DataFrame(_pilot()), level="ordinal", direction="high")
    assert _pages(to_html(compose(ratings)), tmp_path) <= 6


def test_the_report_of_two_scores_opens_with_what_they_say(tmp_path):
    (tmp_path / "two.csv").write_text("item,rater,value\njob,Ana,76.85\njob,Ben,81.99\n")
    lines = to_markdown(compose(accord.read(tmp_path / "two.csv"))).splitlines()
    answer = next(at for at, line in enumerate(lines) if line.startswith("**"))
    expected = accord.score([76.85, 81.99], confidence=0.8).intervals[0].clipped
    assert answer < 10
    assert lines[answer] == (
        f"**job scores 79.42 (2 scores, 80% interval {expected.low:.4g} to {expected.high:.4g}).**"
    )
    assert len(lines) < 150


def test_no_python_is_shown_for_sets_of_labels(tmp_path):
    labels = ["omission|addition", "omission", "other", "word-order|addition", "omission"]
    rows = [
        f"i{item},{rater},{labels[(item * step) % 5]}" for item in range(30) for rater, step in (("A", 1), ("B", 2))
    ]
    (tmp_path / "sets.csv").write_text("\n".join(["item,rater,value", *rows]) + "\n")
    document = compose(accord.read(tmp_path / "sets.csv", separator="|"))
    for text in (to_html(document), to_markdown(document)):
        assert "frozenset" not in text and "Level." not in text and "nan" not in re.findall(r"\bnan\b", text)
        assert "addition + " in text
