"""The organiser's side in this process, on a study of its own for each module of tests."""

import os
from pathlib import Path

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from empty_database import opened_study
from organised_study import fill_in, logged_in, write_study
from small_application import saves_go  # noqa: F401 - a fixture that every test takes

# Passwords are hashed as always, but not a million times: that this is slow is Django's promise, and tested there.
PBKDF2PasswordHasher.iterations = 1_000


@pytest.fixture(scope="module")
def django_on():
    """Point Django at a study folder for one module of tests, and back to where it was afterwards."""
    import django.conf

    for name in ("ACCORD_DATABASE_URL", "ACCORD_ORIGIN", "ACCORD_SECRET", "ACCORD_DEBUG"):
        os.environ.pop(name, None)
    before = Path(django.conf.settings.STUDY_FOLDER) if django.conf.settings.configured else None

    def point(folder: Path) -> Path:
        opened_study(folder)
        from accord.server.organiser import ratings

        ratings._KEPT.clear()
        return folder

    yield point
    from django.db import connections

    connections.close_all()
    if before is not None:
        from accord.server.connect import connect

        connect(before)


@pytest.fixture(scope="module")
def organised(django_on, tmp_path_factory):
    """The study folder, four of six raters invited and done; R5, who breaks rules, counts by decision."""
    folder = django_on(write_study(tmp_path_factory.mktemp("organised")))
    fill_in()
    from accord.server.models import Rater
    from accord.server.models_organiser import Decision

    person = Rater.objects.get(pseudonym="R5")
    Decision.objects.create(rater=person, action="include", reason="Counts here.", by="ana")
    return folder


@pytest.fixture
def visitor(organised):
    from django.test import Client

    from accord.server.models import Attempt

    Attempt.objects.all().delete()
    return Client(headers={"host": "127.0.0.1"})


@pytest.fixture
def organiser(organised):
    """A client that is logged in as the organiser Ana."""
    return logged_in("ana")


@pytest.fixture
def second(organised):
    """Another organiser, Bo."""
    return logged_in("bo")


@pytest.fixture
def rater_client(organised):
    """A client in which the first rater came in by a session."""
    from django.test import Client

    from accord.server.models import Rater

    client = Client(headers={"host": "127.0.0.1"})
    client.get("/")
    session = client.session
    session["rater"] = Rater.objects.first().pk
    session.save()
    client.cookies["accord_session"] = session.session_key
    return client
