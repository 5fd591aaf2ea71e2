"""The study in this process (Django's test client), and as a real server for browsers and faults."""

import json
import os
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from empty_database import opened_study
from served_study import Served, make_study
from small_application import saves_go  # noqa: F401 - a fixture that every test takes

# Passwords are hashed as always, but not a million times: that this is slow is Django's promise, and tested there.
PBKDF2PasswordHasher.iterations = 1_000


@pytest.fixture(scope="module")
def collecting(tmp_path_factory):
    """Django on a study folder of its own, tables made; anew for each module, as others move it to theirs."""
    for name in ("ACCORD_DATABASE_URL", "ACCORD_ORIGIN", "ACCORD_SECRET", "ACCORD_DEBUG"):
        os.environ.pop(name, None)
    yield opened_study(make_study(tmp_path_factory.mktemp("study")))
    from django.db import connections

    connections.close_all()


@pytest.fixture
def client(collecting):
    from django.test import Client

    from accord.server.models import Attempt

    Attempt.objects.all().delete()
    return Client(headers={"host": "127.0.0.1"})


@pytest.fixture
def rater(collecting):
    """A fresh rater and the token of the invitation."""
    from accord.server.invitations import invite_raters

    return invite_raters(1)[0]


@pytest.fixture
def working(client, rater):
    """A client in which a rater has come as far as the tasks; the rater hangs on it."""
    person, token = rater
    client.get(f"/i/{token}")
    client.post("/welcome", {"consent": "yes"})
    client.post("/about-you", {"native": "Portuguese"})
    client.post("/guidelines")
    person.refresh_from_db()
    client.rater = person
    return client


@pytest.fixture
def organiser(collecting):
    """A client that is logged in as an organiser."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    user = get_user_model().objects.create_user(username=f"o{uuid4().hex[:8]}", password="a long pass phrase")
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    return client


@pytest.fixture
def save():
    """Send entries as the page does; returns the answer."""

    def send(client, *entries, **headers):
        body = json.dumps({"entries": [{"uuid": str(uuid4()), "kind": "judgement", **entry} for entry in entries]})
        return client.post("/save", body, content_type="application/json", **headers)

    return send


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A real server on the study of all kinds, for the whole session."""
    server = Served(make_study(tmp_path_factory.mktemp("served")), is_forked=True)
    yield server
    server.stop()
