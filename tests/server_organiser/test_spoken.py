"""The sentence that leads an overview is in the reader's language, with the study's own names and numbers in it."""

import re

import pytest

from accord.reporting.verdicts import IN_DOUBT, JUDGEMENTS

LANGUAGES = ("pt", "es", "de", "zh-hans", "ar")
LENIENT = (
    "fluency, “One sentence”: R08 is lenient: rates 0.57 higher than the other raters on the same items, 0.5 standard "
    "deviations of all ratings."
)
RANKED = (
    "System 1 is best by adequacy and fluency.",
    "System 1 is best.",
    "No winner by adequacy: System 2 and System 1 cannot be told apart.",
    "No winner: System 2 and System 1 cannot be told apart.",
    "System 1 and System 2 may each be best by adequacy; System 3 is not.",
    "System 1 and System 2 may each be best by adequacy; the other 2 are not.",
    "System 1 and System 2 may each be best; System 3 is not.",
    "System 1 and System 2 may each be best; the other 2 are not.",
    "Nobody said which end of the scale is good, so no system is called best by adequacy.",
    "Nobody said which end of the scale is good, so no system is called best.",
)
CHOSEN = (
    "System 2 is preferred to System 1: 38 of 43 decided choices. This holds for other raters and other items too.",
    "With these 2 raters System 2 is preferred to System 1 on other documents too: 38 of 43 decided choices. Two "
    "raters are too few to speak of other raters.",
    "With these 4 raters System 2 is preferred to System 1 on other items too: 38 of 43 decided choices. It is not "
    "shown that other raters would choose alike.",
    "With these 2 raters no preference is shown: 24 of 43 decided choices prefer System 2.",
    "System 2 and System 1 cannot be told apart: 24 of 43 decided choices prefer System 2.",
)


@pytest.fixture
def spoken(organised):
    from django.utils import translation

    from accord.server.organiser.spoken import spoken

    def said(sentence, language):
        with translation.override(language):
            return spoken(sentence)

    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_that_can_lead_is_said_in_every_language(spoken, language):
    verdicts = (*JUDGEMENTS.values(), IN_DOUBT)
    answers = [one.alone for one in verdicts]
    answers += [f"Judgements of adequacy, x and tone {one.several}." for one in verdicts]
    answers += [f"{system} Single judgements here cannot be relied on." for system in (*RANKED, *CHOSEN)]
    answers += ["One rater gave 12 ratings, which nobody else confirms or contradicts.", LENIENT]
    for answer in answers:
        told, is_english = spoken(answer, language)
        assert not is_english and told != answer, answer
        assert "judgements" not in told.lower() and "{" not in told
    assert "12" in spoken(answers[-2], language)[0]
    told = spoken(LENIENT, language)[0]
    assert all(words in told for words in ("fluency, “One sentence”", "R08", "0.57", "0.5"))


def test_several_verdicts_are_one_sentence(spoken):
    told, _ = spoken(
        "Judgements of errors and fluency are not shown to be reliable; those of tone can be relied on.", "de"
    )
    assert (
        told == "Urteile über errors und fluency sind nicht erkennbar zuverlässig; Urteile über tone sind verlässlich."
    )


def test_what_has_no_translation_stays_english_and_is_marked_so(spoken, organiser):
    from accord.server.organiser.snapshot import refresh

    assert refresh(here=True)
    sentence = "Something that nobody has translated: 3 of 4."
    assert spoken(sentence, "de") == (sentence, True)
    assert spoken(LENIENT, "en") == (LENIENT, True)
    organiser.cookies["accord_language"] = "de"
    page = organiser.get("/organiser").content.decode()
    heading = re.search(r'<h1 class="answer"([^>]*)>(.*?)</h1>', page, re.S)
    assert 'lang="en"' not in heading[1] and "rteile" in heading[2], heading[2]


def test_whoever_may_read_the_report_finds_it_on_its_page(organiser):
    page = organiser.get("/organiser/reports").content.decode()
    address = re.search(r'<a href="([^"]+)">The report as it is now</a>', page)[1]
    assert organiser.get(address).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_needed_is_said_in_every_language(spoken, language):
    for words, numbers in {
        "The interval is already as narrow as ±0.05.": ["0.05"],
        "At this rate 1,686 more items for ±0.05 (now ±0.17).": ["1,686", "0.05", "0.17"],
        "At this rate 86 more items, or 1 more rater of every item for ±0.05 (now ±0.07).": ["86", "0.05", "0.07"],
        "At this rate 86 more items, or 3 more raters of every item for ±0.05 (now ±0.07).": [
            "86",
            "3",
            "0.05",
            "0.07",
        ],
    }.items():
        told, is_english = spoken(words, language)
        assert not is_english and told != words and all(number in told for number in numbers)


def test_the_page_of_a_criterion_says_what_is_needed_in_the_reader_s_language(organised):
    from django.template.loader import render_to_string
    from django.utils import translation

    from accord.server.organiser.analysis import analyse
    from accord.server.organiser.ratings import collect

    groups = analyse(collect().ordinary("meaning"))["groups"]
    groups[0]["needed"] = {"words": "At this rate 86 more items for ±0.05 (now ±0.07)."}
    with translation.override("de"):
        page = render_to_string("organiser/agreement.html", {"groups": groups, "criterion": {"key": "meaning"}})
    assert "At this rate" not in page and "So weiter wären es 86 Items mehr" in page


def test_every_heading_of_a_protocol_is_known_to_the_pages(organised):
    from accord.design.preset import PRESETS, preset_settings
    from accord.server.headings import OF_PROTOCOLS

    titles = {one.get("title", "") for name in PRESETS for one in preset_settings(name)["scenarios"]}
    assert titles - {""} == OF_PROTOCOLS
