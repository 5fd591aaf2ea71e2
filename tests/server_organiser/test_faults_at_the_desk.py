"""Faults at a rater's desk: a stepped clock, two tabs, requests that come late; one answer counts and none is lost."""

from datetime import timedelta
from uuid import uuid4

import pytest


@pytest.fixture
def rater(organised):
    from accord.server.models import Rater

    return Rater.objects.first()


def save(rater, task, value, revision, **more):
    from accord.server.recording import record

    entry = {"uuid": str(uuid4()), "kind": "judgement", "task": task.pk, "criterion": "quality", "place": 0,
             "value": value, "revision": revision, **more}  # fmt: skip
    assert record(rater, entry).status == "saved"


def counted(task):
    from accord.server.organiser.ratings import collect
    from accord.server.progress import current_judgements

    row = current_judgements([task.pk])[task.pk, "quality", 0]
    ratings = collect().criteria["quality"].only(rater=task.rater.pseudonym)
    assert row.value in ratings.scores.tolist(), "the pages and the analysis count the same answer"
    return row.value


def tasks_of(rater):
    return list(rater.tasks.filter(role="system").select_related("rater").order_by("order"))


def test_a_server_clock_that_steps_back_an_hour_changes_no_answer(rater, monkeypatch):
    from django.utils import timezone

    task = tasks_of(rater)[0]
    now = timezone.now()
    for step, value in ((0, 11.5), (-3600, 12.5), (7200, 13.5), (-86400, 14.5)):
        monkeypatch.setattr(timezone, "now", lambda step=step: now + timedelta(seconds=step))
        save(rater, task, value, revision=100 + int(value))
    assert counted(task) == 14.5


def test_a_raters_clock_in_another_century_changes_no_answer(rater):
    task = tasks_of(rater)[1]
    for revision, (made, value) in enumerate(
        [("2099-01-01T00:00:00Z", 21.5), ("1970-01-01T00:00:00Z", 22.5)], start=200
    ):
        save(rater, task, value, revision, made=made)
    assert counted(task) == 22.5


def test_of_two_tabs_the_last_answer_counts_and_both_are_kept(rater):
    from accord.server.models import Judgement

    task = tasks_of(rater)[2]
    before = Judgement.objects.filter(task=task).count()
    save(rater, task, 31.5, revision=300)
    save(rater, task, 32.5, revision=300)
    assert counted(task) == 32.5 and Judgement.objects.filter(task=task).count() == before + 2


def test_a_request_that_comes_late_does_not_undo_a_later_answer(rater):
    task = tasks_of(rater)[3]
    save(rater, task, 42.5, revision=402)
    save(rater, task, 41.5, revision=401)
    assert counted(task) == 42.5
