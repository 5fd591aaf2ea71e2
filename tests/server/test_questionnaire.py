"""The questions at the end: one part for each scenario the rater worked in, each statement with its own ends."""

import re

import pytest

from empty_database import opened_study


@pytest.fixture
def preset(tmp_path, collecting):
    """Django on the preset that follows the paper, and back to the module's study."""
    from django.db import connections

    from accord.design.preset import copy_preset
    from accord.server.connect import connect

    copy_preset("document-context", tmp_path / "study")
    opened_study(tmp_path / "study")
    yield tmp_path / "study"
    connections.close_all()
    connect(collecting)


@pytest.fixture
def at_the_end(preset):
    """A rater who has done every task."""
    from django.test import Client

    from accord.planning.simulated_raters import RaterTraits
    from accord.server.models import QuestionnaireAnswer
    from accord.server.rehearsal import fill_in

    person = fill_in(1, RaterTraits(), 1)[0]
    person.tasks.filter(role="practice").delete()
    QuestionnaireAnswer.objects.all().delete()
    client = Client(headers={"host": "127.0.0.1"})
    session = client.session
    session["rater"] = person.pk
    session.save()
    client.cookies["accord_session"] = session.session_key
    client.post("/about-you", {"experience_years": "1 to 5"})
    return client


def test_effort_is_asked_for_each_scenario_as_in_tables_11_to_13(at_the_end):
    page = at_the_end.get("/questionnaire").content.decode()
    assert len(re.findall(r"<h2", page)) == 3
    asked = re.findall(r'name="(\w+)\|(\w+)" value="1"', page)
    assert [sum(scenario == key for scenario, _ in asked) for key in ("RS", "SC", "D")] == [10, 10, 3]
    assert page.count("very tiring") == 2 and page.count("strongly agree") == 4 and page.count("very easy") == 17
    assert len(re.findall(r"the worse translation only</span>", page)) == 1


def test_the_same_statement_is_answered_apart_in_each_scenario_and_exported_so(at_the_end, preset):
    from accord.server.export import TABLES

    page = at_the_end.get("/questionnaire").content.decode()
    first = dict(re.findall(r'name="([^"]+)" value="([^"]+)"', page)[::-1])
    first.pop("csrfmiddlewaretoken")
    given = {**first, "RS|tiring": "2", "SC|tiring": "5"}
    assert at_the_end.post("/questionnaire", given)["Location"] == "/thanks"
    told = [{name: str(value) for name, value in row.items()} for row in TABLES["questionnaire"]()[1]]
    assert {row["scenario"]: row["value"] for row in told if row["question"] == "tiring"} == {"RS": "2", "SC": "5"}
    assert sum(row["scenario"] in ("RS", "SC", "D") for row in told) == 26
