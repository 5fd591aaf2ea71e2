"""Who is forgotten or paused while their words wait to be written: nothing stays, on either database."""

import json
import threading
from contextlib import nullcontext
from uuid import uuid4

import pytest

from empty_database import opened_study
from own_postgres import own_postgres
from served_study import make_study

pytestmark = pytest.mark.parametrize("saves_go", ["by Django"], indirect=True)
WORDS = "my name is Ana"
_LONG = 2.0
"""Seconds in which somebody who need not wait is forgotten many times over."""


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def study(request, tmp_path_factory):
    """A study on each database, in this process."""
    with (
        own_postgres() if request.param == "postgres" else nullcontext("") as address,
        pytest.MonkeyPatch.context() as to,
    ):
        to.delenv("ACCORD_DATABASE_URL", raising=False)
        if address:
            to.setenv("ACCORD_DATABASE_URL", address)
        yield opened_study(make_study(tmp_path_factory.mktemp("meanwhile")))
        from django.db import connections

        connections.close_all()


@pytest.fixture
def client(study):
    """A browser in which a rater has come as far as the tasks; the rater hangs on it."""
    from django.test import Client

    from accord.server.invitations import invite_raters

    client = Client(headers={"host": "127.0.0.1"})
    client.rater, token = invite_raters(1)[0]
    client.get(f"/i/{token}")
    client.post("/welcome", {"consent": "yes"})
    client.post("/about-you", {"native": "Portuguese"})
    client.post("/guidelines")
    client.rater.refresh_from_db()
    return client


class Elsewhere:
    """Something another worker does once, at a chosen moment; it may have to wait for what is written here."""

    def __init__(self, do):
        self._do, self._thread, self.failed = do, None, []

    def begin(self):
        if self._thread is None:
            self._thread = threading.Thread(target=self._run)
            self._thread.start()
            self._thread.join(_LONG)

    def end(self):
        self._thread.join()
        assert not self.failed

    def _run(self):
        from django.db import connection

        try:
            self._do()
        except Exception as error:  # told to the thread that waits
            self.failed.append(error)
        finally:
            connection.close()


def forgotten(person):
    from accord.server.organiser.forgetting import forget

    return Elsewhere(lambda: forget(person.pseudonym))


def said(person):
    """All words of this rater that are kept."""
    from accord.server.models import QuestionnaireAnswer, Remark
    from accord.server.questionnaire import ABOUT_YOU

    about = QuestionnaireAnswer.objects.filter(rater=person, scenario=ABOUT_YOU)
    return [*Remark.objects.filter(rater=person).exclude(text="").values_list("text", flat=True), *about]


def after(module, name, do, to):
    """Let something happen once this function has answered."""
    answer = getattr(module, name)

    def answered(*args, **options):
        found = answer(*args, **options)
        do()
        return found

    to.setattr(module, name, answered)


def before(owner, name, do, to):
    """Let something happen when this function is called."""
    answer = getattr(owner, name)

    def answered(*args, **options):
        do()
        return answer(*args, **options)

    to.setattr(owner, name, answered)


def remark(client):
    task = client.rater.tasks.first()
    return {"uuid": str(uuid4()), "kind": "remark", "task": task.pk, "about": "item", "text": WORDS}


def by_question(client):
    from accord.server.api.tokens import make_token

    _, token = make_token("rater", "a program", client.rater)
    return lambda: client.post(
        "/api/v1/questions", json.dumps({"text": WORDS}), content_type="application/json",
        headers={"authorization": f"Bearer {token}"},
    )  # fmt: skip


def by_entries(client):
    body = json.dumps({"entries": [remark(client)]})
    return lambda: client.post("/save", body, content_type="application/json")


def by_page(client):
    return lambda: client.post("/work", {"question": WORDS})


def about_you(client):
    return lambda: client.post("/about-you", {"native": "another"})


def quickly(client):
    from accord.server.quick_save import _Save, _Sender, committed

    sent = _Save(None, _Sender(client.session.session_key), [remark(client)])
    return lambda: committed([sent])


PAGES = [by_entries, by_page, about_you]


@pytest.mark.parametrize("way", [by_question, *PAGES])
def test_what_was_let_in_before_the_rater_was_forgotten_is_not_written(client, way, monkeypatch):
    from accord.server import access
    from accord.server.api import scopes

    send, forgetting = way(client), forgotten(client.rater)
    for module, name in ((access, "rater_of"), (scopes, "token_of")):
        after(module, name, forgetting.begin, monkeypatch)
    answer = send()
    forgetting.end()
    assert said(client.rater) == []
    assert answer.status_code in (401, 403)


@pytest.mark.parametrize("way", [by_question, *PAGES, quickly])
def test_who_is_forgotten_waits_for_words_that_are_being_written_and_removes_them(client, way, monkeypatch):
    from django.db.models import Manager

    from accord.server import recording

    send, forgetting = way(client), forgotten(client.rater)
    before(recording, "add", forgetting.begin, monkeypatch)
    before(Manager, "create", forgetting.begin, monkeypatch)
    send()
    monkeypatch.undo()
    forgetting.end()
    assert said(client.rater) == []


def test_a_pause_is_not_undone_by_a_rater_who_comes_to_the_end_at_that_moment(client, monkeypatch):
    from accord.server.models import RaterState
    from accord.server.organiser.decisions import decide
    from accord.server.views import rater as pages

    pausing = Elsewhere(lambda: decide(client.rater, "pause", "a break", "somebody"))
    monkeypatch.setattr(pages, "_next_step", lambda rater, study: "thanks")
    before(pages.timezone, "now", pausing.begin, monkeypatch)
    client.get("/thanks")
    monkeypatch.undo()
    pausing.end()
    client.rater.refresh_from_db()
    assert client.rater.state == RaterState.PAUSED


def test_a_paused_rater_is_told_so_and_keeps_what_was_not_written(client, monkeypatch):
    from accord.server import access
    from accord.server.organiser.decisions import decide

    pausing = Elsewhere(lambda: decide(client.rater, "pause", "a break", "somebody"))
    after(access, "rater_of", pausing.begin, monkeypatch)
    answer = by_entries(client)()
    pausing.end()
    assert (answer.status_code, answer.json()) == (401, {"error": "paused"})
