"""Whatever enters the database can leave it: values that once broke the page, the database or every export."""

import json
from uuid import uuid4

import pytest


def task_of(client, scenario):
    return client.rater.tasks.filter(scenario=scenario).order_by("order").first()


def outcome(answer):
    assert answer.status_code == 200, answer.content
    return answer.json()["results"][0]


HUGE = int("9" * 401)
BREAKING = [
    ("alone", "quality", 0, HUGE), ("alone", "quality", 0, -HUGE), ("pair", "better", None, HUGE),
    ("whole", "rank", None, [HUGE, 1]), ("alone", "meaning", 0, HUGE),
    ("alone", "marks", 0, [{"side": ["target"], "start": 0, "end": 2, "severity": "minor"}]),
    ("alone", "marks", 0, [{"side": {"a": 1}, "start": 0, "end": 2, "severity": "minor"}]),
    ("alone", "marks", 0, [{"side": "target", "start": HUGE, "end": HUGE, "severity": "minor"}]),
    ("alone", "marks", 0, [{"side": "target", "start": 0, "end": 2, "severity": ["minor"]}]),
    ("alone", "edit", 0, "O c\ud83d corre."), ("alone", "edit", 0, "O c\x00o"), ("alone", "kinds", 0, [["wrong"]]),
    ("alone", "kinds", 0, [{"wrong": 1}]),
]  # fmt: skip


@pytest.mark.parametrize(("scenario", "criterion", "place", "value"), BREAKING)
def test_a_value_that_no_database_can_keep_is_refused_in_words(working, save, scenario, criterion, place, value):
    from accord.server.models import Judgement

    task = task_of(working, scenario)
    told = outcome(save(working, {"task": task.pk, "criterion": criterion, "place": place, "value": value}))
    assert told["status"] == "refused" and told["message"]
    assert not Judgement.objects.filter(task=task, criterion=criterion).exists()


@pytest.mark.parametrize("bad", [7, None, [], {}, {"uuid": 7}, {"uuid": "\ud800", "kind": "judgement"}])
def test_entries_beside_a_bad_one_are_saved(working, bad):
    from accord.server.models import Judgement

    task = task_of(working, "alone")
    good = [
        {"uuid": str(uuid4()), "kind": "judgement", "task": task.pk, "criterion": "meaning", "place": 0, "value": value}
        for value in (1, 2)
    ]
    body = json.dumps({"entries": [good[0], bad, good[1]]})
    answer = working.post("/save", body, content_type="application/json")
    assert answer.status_code == 200
    assert [result["status"] for result in answer.json()["results"]] == ["saved", "refused", "saved"]
    assert Judgement.objects.filter(uuid__in=[entry["uuid"] for entry in good]).count() == 2


@pytest.mark.parametrize(
    "made", ["0001-01-01T00:00:00+00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", 5, None, "x" * 9]
)
def test_a_date_of_another_century_gives_way_to_the_server_s_clock(working, save, made):
    from django.utils import timezone

    from accord.server.models import Judgement

    task = task_of(working, "alone")
    told = outcome(save(working, {"task": task.pk, "criterion": "meaning", "place": 0, "value": 1, "made": made}))
    assert told["status"] == "saved"
    assert abs((Judgement.objects.get(uuid=told["uuid"]).made_at - timezone.now()).total_seconds()) < 3600


def test_no_judgement_is_kept_before_consent(client, rater, save):
    from accord.server.models import Judgement

    person, token = rater
    client.get(f"/i/{token}")
    task = person.tasks.filter(scenario="alone").order_by("order").first()
    told = outcome(save(client, {"task": task.pk, "criterion": "meaning", "place": 0, "value": 1}))
    assert told["status"] == "refused" and "agreed" in told["message"]
    assert not Judgement.objects.filter(task=task).exists()


def test_where_nobody_is_asked_to_agree_the_first_page_still_comes_first(client, rater, save, monkeypatch):
    from accord.server.models import Judgement
    from accord.server.study import current

    asks_nobody = current().settings.model_copy(update={"consent": None})
    monkeypatch.setattr(type(current()), "settings", property(lambda _: asks_nobody))
    person, token = rater
    client.get(f"/i/{token}")
    task = person.tasks.filter(scenario="alone").order_by("order").first()
    entry = {"task": task.pk, "criterion": "meaning", "place": 0, "value": 1}
    told = outcome(save(client, entry))
    assert told["status"] == "refused" and "first page" in told["message"]
    assert not Judgement.objects.filter(task=task).exists()
    client.post("/welcome")
    assert outcome(save(client, entry))["status"] == "saved"


def test_a_file_that_nobody_asked_for_is_refused(client):
    from django.core.files.uploadedfile import SimpleUploadedFile

    answer = client.post("/organiser/login", {"file": SimpleUploadedFile("big.bin", b"0" * 3_000_000)})
    assert answer.status_code == 400
