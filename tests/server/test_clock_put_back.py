"""What is compared with the clock goes on when somebody sets the clock back by hours."""

from datetime import timedelta

import pytest

HOURS = timedelta(hours=5)


@pytest.fixture
def put_back(collecting, monkeypatch):
    """Set the clock back by five hours, from now on."""
    from django.utils import timezone

    def turn():
        real = timezone.now
        monkeypatch.setattr(timezone, "now", lambda: real() - HOURS)

    return turn


def test_results_of_before_are_due(put_back):
    from django.utils import timezone

    from accord.server.organiser.computing import due

    made = timezone.now()
    assert not due(made, 1.0) and due(made - HOURS, 1.0)
    put_back()
    assert due(made, 1.0) and not due(timezone.now(), 1.0)


def test_a_computation_that_died_before_is_not_under_way(put_back):
    from accord.server.organiser.computing import claim, is_under_way, let_go

    assert claim("clock") and is_under_way("clock") and not claim("clock")
    put_back()
    assert not is_under_way("clock")
    assert claim("clock") and is_under_way("clock") and not claim("clock")
    let_go("clock")


def test_wrong_passwords_of_before_are_forgotten(put_back, client):
    from django.test import RequestFactory

    from accord.server.models import Attempt
    from accord.server.throttle import must_wait, note_failure

    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7")
    for _ in range(10):
        note_failure(request, "ana")
    assert must_wait(request, "ana")
    put_back()
    assert not must_wait(request, "ana")
    note_failure(request, "ana")
    assert Attempt.objects.count() == 2, "those of before are gone"


def test_a_job_that_died_before_is_told_to_have_stopped(put_back):
    from accord.server.models_organiser import Job
    from accord.server.organiser.jobs import bury_the_dead

    job = Job.objects.create(kind="ratings", by="ana", data_state="")
    bury_the_dead()
    assert Job.objects.get(pk=job.pk).state == Job.State.RUNNING
    put_back()
    bury_the_dead()
    assert Job.objects.get(pk=job.pk).state == Job.State.FAILED


def test_a_card_of_before_is_counted_anew(put_back):
    from django.utils import timezone

    from accord.server.workspace.cards import _is_old
    from accord.server.workspace.models import Card

    card = Card(study="a", said={}, made_at=timezone.now(), seconds=0.1)
    assert not _is_old(card, timezone.now())
    put_back()
    assert _is_old(card, timezone.now())


def test_a_clock_that_is_set_right_by_seconds_changes_nothing(collecting):
    from django.utils import timezone

    from accord.server.ages import is_younger

    now = timezone.now()
    assert is_younger(now + timedelta(seconds=20), timedelta(seconds=15), now)
    assert not is_younger(now - timedelta(seconds=15), timedelta(seconds=15), now)
