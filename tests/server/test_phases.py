"""Phases are gates: who is done waits, saving to a closed phase is refused, and the organiser or a rule opens it."""

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest

from empty_database import opened_study
from served_study import write_folder

STUDY = """
title = "Two phases and a reserve"
seed = 3
[languages]
source = "en"
target = "pt"
[assignment]
design = "complementary-halves"
raters = 2
[[phases]]
key = "first"
[[phases]]
key = "second"
title = "The other half"
message = "It follows in March."
OPENS
[[phases]]
key = "reserve"
documents = ["d3"]
reserve = true
[[scenarios]]
key = "alone"
kind = "random-sentence"
[[criteria]]
key = "meaning"
question = "How much of the meaning is there?"
kind = "scale"
level = "ordinal"
values = [0, 1, 2, 3]
[questionnaire]
per_scenario = false
[[questionnaire.statements]]
key = "tiring"
text = "It was tiring."
"""
ITEMS = [(f"d{number}", "1", f"Source {number}.", f"Texto {number}.") for number in (1, 2, 3)]


@pytest.fixture(params=[""])
def phased(request, tmp_path):
    """Two raters invited to a fresh study; the phase 'second' opens by the parameter."""
    opened_study(
        write_folder(tmp_path / "study", STUDY.replace("OPENS", request.param), "# Read.\n", ["target:a"], ITEMS)
    )
    from accord.server.invitations import invite_raters

    yield [coming(token) for _, token in invite_raters(2)]
    from django.db import connections

    connections.close_all()


def coming(token):
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    client.get(f"/i/{token}")
    client.post("/welcome")
    client.post("/guidelines")
    return client


def screens(client):
    page = client.get("/work").content.decode()
    return json.loads(re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)[1])["screens"]


def answer(client, *tasks, **more):
    entries = [
        {
            "uuid": str(uuid4()),
            "kind": "judgement",
            "task": task,
            "criterion": "meaning",
            "place": 0,
            "value": 2,
            **more,
        }
        for task in tasks
    ]
    return client.post("/save", json.dumps({"entries": entries}), content_type="application/json").json()["results"]


def answer_what_is_open(client):
    return answer(client, *(screen["id"] for screen in screens(client)))


def tasks_in(phase):
    from accord.server.models import Task

    return [task.pk for task in Task.objects.filter(phase=phase, rater__slot=0)]


def test_a_rater_sees_the_first_phase_only_and_then_a_page_that_says_to_come_back(phased):
    one, _ = phased
    assert {screen["id"] for screen in screens(one)} == set(tasks_in("first"))
    assert {result["status"] for result in answer_what_is_open(one)} == {"saved"}
    assert one.get("/questionnaire").url == "/come-back" == one.get("/thanks").url
    page = one.get("/come-back").content.decode()
    assert "Done for now" in page and "The other half" in page and "It follows in March." in page
    assert "The organiser opens it and will tell you." in page
    # The answers so far can be looked at and corrected.
    assert len(screens(one)) == len(tasks_in("first"))


def test_who_is_not_done_is_not_sent_to_wait(phased):
    assert phased[0].get("/come-back").url == "/work"


def test_saving_to_a_closed_phase_is_refused_with_a_sentence(phased):
    from accord.server.models import Judgement

    results = answer(phased[0], tasks_in("second")[0])
    assert results[0]["status"] == "refused" and results[0]["why"] == "part", "the page keeps it, and sends it later"
    assert results[0]["message"] == "This part of the study is closed at the moment. All you did before is saved."
    assert not Judgement.objects.exists()


def test_the_organiser_opens_a_phase_and_raters_go_on_where_they_were(phased):
    from accord.server.phases import change_phase

    one, _ = phased
    answer_what_is_open(one)
    change_phase("second", "open", "ana")
    assert one.get("/come-back").url == "/work"
    assert {screen["id"] for screen in screens(one)} == set(tasks_in("first")) | set(tasks_in("second"))
    assert answer(one, *tasks_in("second"))[0]["status"] == "saved"
    assert one.get("/work").status_code == 200 and one.get("/come-back").url == "/questionnaire"


def test_a_reserve_is_not_waited_for_and_brings_who_was_done_back_when_it_opens(phased):
    from accord.server.models import Rater, RaterState
    from accord.server.phases import change_phase

    one, _ = phased
    change_phase("second", "open", "ana")
    answer_what_is_open(one)
    one.post("/questionnaire", {"|tiring": "2"})
    assert "Thank you" in one.get("/thanks").content.decode()
    assert Rater.objects.get(slot=0).state == RaterState.FINISHED
    change_phase("reserve", "open", "ana")
    assert Rater.objects.get(slot=0).state == RaterState.ACTIVE
    assert one.get("/thanks").url == "/work"
    assert set(tasks_in("reserve")) < {screen["id"] for screen in screens(one)}


def test_what_was_answered_before_a_phase_was_closed_is_taken_and_later_answers_are_not(phased):
    from django.utils import timezone

    from accord.server.phases import change_phase

    before = (timezone.now() - timedelta(minutes=5)).isoformat()
    change_phase("first", "close", "ana")
    task = tasks_in("first")[0]
    assert answer(phased[0], task, made=before)[0]["status"] == "saved"
    assert answer(phased[0], task, revision=2)[0]["status"] == "refused"
    page = phased[0].get("/work")
    assert page.url == "/come-back"


@pytest.mark.parametrize("phased", ['opens = "finished"'], indirect=True)
def test_a_phase_opens_by_itself_when_everybody_has_finished_the_one_before(phased):
    from accord.server.models_organiser import PhaseEvent
    from accord.server.phases import RULE

    one, two = phased
    answer_what_is_open(one)
    page = one.get("/come-back").content.decode()
    assert "It opens as soon as everybody has finished this part." in page
    answer_what_is_open(two)
    assert not PhaseEvent.objects.exists()
    assert one.get("/come-back").url == "/work"
    assert [(event.phase, event.by) for event in PhaseEvent.objects.all()] == [("second", RULE)]


@pytest.mark.parametrize("phased", ['opens = "finished"'], indirect=True)
def test_a_rater_who_is_paused_holds_nobody_up(phased):
    from accord.server.models import Rater
    from accord.server.organiser.decisions import decide

    one, _ = phased
    answer_what_is_open(one)
    assert one.get("/come-back").status_code == 200
    decide(Rater.objects.get(slot=1), "pause", "ill", "ana")
    assert one.get("/come-back").url == "/work"


DAYS = [("opens_on = 2020-01-01", True), ("opens_on = 2999-01-01T10:00:00Z", False)]


@pytest.mark.parametrize("phased, is_open", DAYS, indirect=["phased"])
def test_a_phase_opens_on_its_day(phased, is_open):
    one, _ = phased
    assert (set(tasks_in("second")) < {screen["id"] for screen in screens(one)}) is is_open
    answer_what_is_open(one)
    if not is_open:
        page = one.get("/come-back").content.decode()
        assert "It opens on Jan. 1, 2999, 10 a.m." in page


@pytest.mark.parametrize("phased", ['opens = "at-once"'], indirect=True)
def test_a_phase_that_opens_at_once_is_there_from_the_start(phased):
    assert {screen["id"] for screen in screens(phased[0])} == set(tasks_in("first")) | set(tasks_in("second"))


def test_progress_counts_what_can_be_done_and_names_what_is_closed(phased):
    from accord.server.organiser.progress import progress

    answer_what_is_open(phased[0])
    counted = progress()
    assert (counted.raters[0].done, counted.raters[0].tasks) == (1, 1)
    assert {share.name: share.closed for share in counted.phases} == {"first": False, "second": True, "reserve": True}


def test_a_workbook_holds_open_phases_only(phased, tmp_path):
    from openpyxl import load_workbook

    from accord.server.workbook import write_workbooks

    write_workbooks(tmp_path / "books")
    sheet = load_workbook(tmp_path / "books" / "R1.xlsx")["R1"]
    assert [sheet.cell(row, 1).value for row in range(2, sheet.max_row + 1)] == tasks_in("first")


def test_the_command_opens_closes_and_lists_phases(tmp_path, accord_command):
    folder = write_folder(tmp_path / "study", STUDY.replace("OPENS", ""), "# Read.\n", ["target:a"], ITEMS)
    listed = accord_command("open", folder, "--csv").stdout.splitlines()
    assert [line.split(",")[:3] for line in listed[1:]] == [
        ["first", "open", "at-once"], ["second", "closed", "organiser"], ["reserve", "closed", "organiser"],
    ]  # fmt: skip
    opened = json.loads(accord_command("open", folder, "second", "--json").stdout)["phases"][1]
    assert (opened["state"], opened["by"]) == ("open", "accord open")
    again = accord_command("open", folder, "second")
    assert (again.returncode, again.stderr) == (2, "Phase second is open already.\n")
    assert "closed" in accord_command("open", folder, "second", "--close").stdout
    wrong = accord_command("open", folder, "secnd")
    assert (wrong.returncode, wrong.stderr) == (2, "The study has no phase 'secnd'. Did you mean 'second'?\n")


def test_a_study_of_the_version_before_keeps_all_its_phases_open(tmp_path):
    from pathlib import Path
    from zipfile import ZipFile

    with ZipFile(Path(__file__).parent.parent / "recorded" / "studies" / "two-phases.zip") as archive:
        archive.extractall(tmp_path)
    opened_study(tmp_path / "study")
    from accord.server.phases import closed_phases, gates

    assert closed_phases() == frozenset()
    assert [(gate.phase.key, gate.event.by) for gate in gates()] == [
        (gate.phase.key, "the version before") for gate in gates()
    ]


def test_the_organiser_s_page_and_the_api_show_and_open_phases(phased):
    from django.test import Client

    from accord.server.api.tokens import make_token
    from accord.server.models_organiser import ApiToken
    from organised_study import logged_in

    page = logged_in("ana").get("/organiser/phases").content.decode()
    assert "Open it now" in page and "Raters are not told to wait" not in page and "not told to wait for it" in page
    answer = logged_in("ana").post("/organiser/phases/second", {"action": "open"})
    assert answer.url == "/organiser/phases"
    again = logged_in("ana").post("/organiser/phases/second", {"action": "open"})
    assert again.status_code == 400 and "Phase second is open already." in again.content.decode()
    _, token = make_token(ApiToken.Scope.ORGANISER, "tests", None)
    program = Client(headers={"host": "127.0.0.1", "authorization": f"Bearer {token}"})
    told = {one["phase"]: one for one in program.get("/api/v1/phases").json()["phases"]}
    assert (told["second"]["open"], told["second"]["changed_by"], told["reserve"]["open"]) == (True, "ana", False)
    body = json.dumps({"action": "close"})
    closed = program.post("/api/v1/phases/second", body, content_type="application/json")
    assert closed.status_code == 201 and closed.json()["open"] is False
    _, own = make_token(ApiToken.Scope.RATER, "tests", _first_rater())
    rater = Client(headers={"host": "127.0.0.1", "authorization": f"Bearer {own}"})
    assert {one["id"] for one in rater.get("/api/v1/tasks").json()["screens"]} == set(tasks_in("first"))


def _first_rater():
    from accord.server.models import Rater

    return Rater.objects.get(slot=0)
