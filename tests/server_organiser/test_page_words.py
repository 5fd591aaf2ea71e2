"""Pages speak of what can be done in a page: no option of a command stands in them."""

import re

import pytest

from organised_study import logged_in

OPTION = re.compile(r"(?<![\w-])--[a-z]+")


@pytest.mark.parametrize(
    ("advice", "told"),
    [
        ("Compute without them: --leave-out R2.", ""),
        ("Look at each with --show stability; a change of 0.5 means nothing.", "A change of 0.5 means nothing."),
        ("Ask the raters.", "Ask the raters."),
    ],
)  # fmt: skip
def test_advice_keeps_the_sentences_without_options(advice, told):
    from accord.server.organiser.page_words import advice_on_page

    assert advice_on_page(advice) == told


def test_every_advice_of_the_registry_can_be_given_on_a_page(organised):
    from accord.diagnosis.registry import FINDINGS
    from accord.server.organiser.page_words import advice_on_page

    for code, one in FINDINGS.items():
        told = advice_on_page(one.advice)
        assert not OPTION.search(told), code
        assert told == one.advice or OPTION.search(one.advice), (code, told)


def test_who_breaks_a_rule_and_counts_is_to_be_decided_about_on_a_page():
    from accord.ratings.remark import Remark
    from accord.server.organiser.page_words import remark_on_page

    seen = Remark(code="x", message="rater R2 breaks a rule.", do="Compute without them: --leave-out R2.", who=("R2",))
    assert remark_on_page(seen) == (
        "rater R2 breaks a rule. Decide on the page of R2: there you see what leaving them out changes."
    )


def test_neither_overview_nor_numbers_nor_the_first_screen_of_the_report_name_an_option(organised, tmp_path):
    from accord.server.organiser.snapshot import refresh
    from accord.server.reporting import write_report

    refresh(here=True)
    client = logged_in("ola")
    for path in ("/organiser", "/organiser/results", "/organiser/quality"):
        page = re.sub(r"<(script|style|code|svg).*?</\1>", "", client.get(path).content.decode(), flags=re.S)
        assert not OPTION.search(re.sub(r"<[^>]+>", " ", page)), path
    write_report(tmp_path / "report.md")
    first = (tmp_path / "report.md").read_text("utf-8")[:6000]
    assert "Decide on the page of R5" in first and "--leave-out R5" not in first
