"""What raters say about themselves is theirs to see and to correct until they finish."""

import re

import pytest

from empty_database import opened_study
from served_study import ALL_KINDS, make_study

STUDY = ALL_KINDS.replace(
    "[[scenarios]]",
    '[[rater_questions]]\nkey = "town"\nquestion = "Where do you live?"\nrequired = false\n[[scenarios]]',
    1,
)


@pytest.fixture
def person(tmp_path):
    """A rater at work, who said two things; the client hangs on it."""
    from django.db import connections
    from django.test import Client

    opened_study(make_study(tmp_path / "study", STUDY))
    from accord.server.invitations import invite_raters

    rater, token = invite_raters(1)[0]
    rater.client = Client(headers={"host": "127.0.0.1"})
    rater.client.get(f"/i/{token}")
    rater.client.post("/welcome", {"consent": "yes"})
    rater.client.post("/about-you", {"native": "Portuguese", "town": "Faro"})
    rater.client.post("/guidelines")
    yield rater
    connections.close_all()


def background():
    from accord.server.export import TABLES

    return {row["question"]: row["value"] for row in TABLES["background"]()[1]}


def test_the_page_shows_what_was_said_and_takes_a_correction(person):
    page = person.client.get("/work").content.decode()
    assert 'href="/about-you"' in page, "one finds it from the work"
    page = person.client.get("/about-you").content.decode()
    assert re.search(r'value="Portuguese" checked', page) and 'value="Faro"' in page
    answer = person.client.post("/about-you", {"native": "another", "town": "Faro"})
    assert answer["Location"] == "/work" and background() == {"native": "another", "town": "Faro"}
    assert person.answers.count() == 3, "the first word is kept, and what did not change is not said twice"


def test_an_answer_that_was_optional_can_be_taken_back(person):
    person.client.post("/about-you", {"native": "Portuguese", "town": ""})
    from accord.server.collected_rows import _about_raters

    assert background() == {"native": "Portuguese"} == _about_raters()[person.pseudonym]
    assert 'value="Faro"' not in person.client.get("/about-you").content.decode()


def test_after_the_end_nothing_changes_any_more(person):
    from django.utils import timezone

    person.finished_at = timezone.now()
    person.save()
    assert person.client.post("/about-you", {"native": "another"}).status_code == 302
    assert background() == {"native": "Portuguese", "town": "Faro"}
    assert 'href="/about-you"' not in person.client.get("/work").content.decode()
