"""The small application beside Django answers plain saves only, and lets nobody in whom Django would not."""

import asyncio
import json
import threading
from uuid import uuid4

import pytest

from server.test_slow_clients import Scope, Wire


def entry_of(client, **more):
    task = client.rater.tasks.filter(scenario="alone").order_by("order").first()
    return {"task": task.pk, "criterion": "meaning", "place": 0, "value": 1, **more}


def statuses(answer):
    assert answer.status_code == 200, answer.content
    return [result["status"] for result in answer.json()["results"]]


def test_a_plain_save_is_answered_beside_django(working, save, saves_go):
    assert statuses(save(working, entry_of(working))) == ["saved"]
    assert saves_go.answered == 1


def test_its_answer_is_the_one_of_django_header_by_header(working, save, saves_go, monkeypatch):
    entry = entry_of(working, uuid=str(uuid4()))
    quick = save(working, entry)
    assert saves_go.answered == 1
    monkeypatch.undo()
    by_django = save(working, entry)
    assert quick.content == by_django.content
    headers = {name.lower(): value for name, value in by_django.headers.items()}
    del headers["content-length"]  # which the web server sends
    assert dict(quick.headers) == headers and len(headers) > 9


@pytest.mark.parametrize("asked", [
    {"headers": {"host": "evil.example"}}, {"query_params": {"a": "b"}}, {"content_type": "text/plain"},
    {"headers": {"host": "127.0.0.1", "origin": "https://evil.example"}},
])  # fmt: skip
def test_whatever_is_not_plain_is_left_to_django(working, saves_go, asked):
    body = json.dumps({"entries": [{"uuid": str(uuid4()), "kind": "judgement", **entry_of(working)}]})
    working.handler.enforce_csrf_checks = "origin" in asked.get("headers", {})
    working.post("/save", body, **{"content_type": "application/json"} | asked)
    assert saves_go.answered == 0


def test_a_rater_who_was_paused_a_moment_ago_is_not_let_through(working, save, saves_go):
    from accord.server.models import Judgement, Rater

    assert statuses(save(working, entry_of(working))) == ["saved"]
    Rater.objects.filter(pk=working.rater.pk).update(state="paused")
    answer = save(working, entry_of(working))
    assert answer.status_code == 401 and answer.json() == {"error": "paused"}
    assert saves_go.answered == 1 and Judgement.objects.filter(task__rater=working.rater).count() == 1


@pytest.mark.parametrize("lost", ["ended", "deleted", "another's"])
def test_a_session_that_is_lost_saves_nothing(working, save, saves_go, lost):
    from datetime import timedelta

    from django.contrib.sessions.models import Session
    from django.utils import timezone

    from accord.server.models import Judgement

    mine = Session.objects.filter(session_key=working.cookies["accord_session"].value)
    if lost == "ended":
        mine.update(expire_date=timezone.now() - timedelta(seconds=1))
    elif lost == "deleted":
        mine.delete()
    else:
        mine.update(session_data=mine.get().session_data[:-4] + "AAAA")
    assert save(working, entry_of(working)).status_code == 401
    assert saves_go.answered == 0 and not Judgement.objects.filter(task__rater=working.rater).exists()


def test_a_study_that_was_closed_a_moment_ago_takes_nothing_more_and_says_so_in_the_rater_s_language(working, save):
    from accord.server.closing import change_study

    assert statuses(save(working, entry_of(working))) == ["saved"]
    working.cookies["accord_language"] = "de"
    change_study("close", "ana")
    try:
        told = save(working, entry_of(working, revision=2)).json()["results"][0]
    finally:
        change_study("reopen", "ana")
    assert told["status"] == "refused" and told["message"].startswith("Die Studie")


def test_without_its_token_nothing_is_saved(working, save, saves_go):
    working.handler.enforce_csrf_checks = True
    assert save(working, entry_of(working)).status_code == 403
    assert saves_go.answered == 0


def test_a_head_that_was_let_in_before_lets_nobody_in_once_its_session_has_ended(working, entry_sent, saves_go):
    """What is remembered of a head is what the head says, never whether somebody may work."""
    from django.contrib.sessions.models import Session

    assert entry_sent() is not None
    Session.objects.filter(pk=working.cookies["accord_session"].value).delete()
    assert entry_sent() is None
    assert saves_go.answered == 1


def test_another_token_with_the_same_session_is_checked_anew(entry_sent):
    assert entry_sent() is not None
    assert entry_sent(HTTP_X_CSRFTOKEN="b" * 32) is None
    assert entry_sent(HTTP_HOST="elsewhere.example") is None
    assert entry_sent(HTTP_COOKIE="accord_csrf=" + "a" * 32) is None
    assert entry_sent() is not None


def test_a_long_head_is_checked_and_not_remembered(entry_sent):
    assert entry_sent(HTTP_X_LONG="x" * 5_000) is not None
    assert entry_sent.small._sender_of.cache_info().currsize == 0


@pytest.fixture
def entry_sent(working, saves_go):
    """Sends a save to one small application, again and again; what it is told, None where Django is to answer."""
    from accord.server.quick_save import QuickSave
    from small_application import without_a_loop

    def sent(**changed):
        token = "a" * 32
        environ = {
            "REQUEST_METHOD": "POST", "PATH_INFO": "/save", "QUERY_STRING": "", "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80", "wsgi.url_scheme": "http", "HTTP_HOST": "127.0.0.1", "HTTP_X_CSRFTOKEN": token,
            "CONTENT_TYPE": "application/json",
            "HTTP_COOKIE": f"accord_session={working.cookies['accord_session'].value}; accord_csrf={token}",
        }  # fmt: skip
        entry = {"uuid": str(uuid4()), "kind": "judgement", **entry_of(working)}
        body = json.dumps({"entries": [entry]}).encode()
        return without_a_loop(sent.small.answer({**environ, **changed}, body))

    sent.small = QuickSave(saves_go)
    return sent


def asked_of(client, *entries):
    from accord.server.quick_save import _Save, _Sender

    whole = [{"uuid": str(uuid4()), "kind": "judgement", **entry} for entry in entries]
    return _Save(None, _Sender(client.cookies["accord_session"].value), whole)


def kept(asked):
    from accord.server.models import Judgement

    return [Judgement.objects.filter(uuid=entry["uuid"]).count() for entry in asked.entries]


def test_nothing_is_acknowledged_when_the_commit_fails(working, monkeypatch):
    from django.db import OperationalError, connection

    from accord.server.quick_save import committed

    def full(*args):
        raise OperationalError("database or disk is full")

    asked = asked_of(working, entry_of(working))
    monkeypatch.setattr(connection, "_commit", full)
    with pytest.raises(OperationalError):
        committed([asked])
    monkeypatch.undo()
    assert kept(asked) == [0]


def test_saves_committed_together_stand_alone(working, monkeypatch):
    """A uuid twice in one commit, one that is taken, a value off its scale: all the others are saved."""
    from accord.server.quick_save import committed

    twice = str(uuid4())
    asked = [
        asked_of(working, entry_of(working), entry_of(working, uuid=twice), entry_of(working, value="none")),
        asked_of(working, entry_of(working, uuid=twice), entry_of(working, task=-1), entry_of(working)),
        asked_of(working, *(entry_of(working, value=value) for value in (0, 1, 2, 3))),
    ]
    answers = [[one["status"] for one in json.loads(told.body)["results"]] for told in committed(asked)]
    assert answers == [["saved", "saved", "refused"], ["saved", "refused", "saved"], ["saved"] * 4]
    assert [kept(one) for one in asked] == [[1, 1, 0], [1, 0, 1], [1, 1, 1, 1]]


class Written:
    """Commits what it is given and remembers what came together; ``bad`` breaks the transaction it is in."""

    def __init__(self):
        self.together, self.first_has_begun, self.may_go_on = [], threading.Event(), threading.Event()

    def __call__(self, sent):
        self.together.append(list(sent))
        self.first_has_begun.set()
        self.may_go_on.wait(300)
        if "bad" in sent:
            raise ValueError("bad")
        return [word.upper() for word in sent]


def all_told(written, words):
    """What those are told who save at the same moment, behind one who came before."""
    from accord.server.group_commit import GroupCommit

    async def saved():
        commits = GroupCommit(written, apart=0.0, database_of=lambda word: word.rpartition(":")[0])
        first = asyncio.ensure_future(commits.save("first"))
        while not written.first_has_begun.is_set():
            await asyncio.sleep(0.01)
        others = [asyncio.ensure_future(commits.save(word)) for word in words]
        await asyncio.sleep(0.01)
        written.may_go_on.set()
        return await asyncio.gather(first, *others, return_exceptions=True)

    return asyncio.run(saved())


def test_what_waits_is_committed_together():
    written = Written()
    assert all_told(written, ["a", "b", "c"]) == ["FIRST", "A", "B", "C"]
    assert written.together == [["first"], ["a", "b", "c"]]


def test_studies_are_committed_apart_and_a_database_that_is_gone_harms_no_other_study():
    from django.db import OperationalError

    class Gone(Written):
        def __call__(self, sent):
            told = super().__call__(sent)
            if sent[0].startswith("two:"):
                raise OperationalError("the database is gone")
            return told

    written = Gone()
    told = all_told(written, ["one:a", "two:b", "one:c", "two:d"])
    assert written.together == [["first"], ["one:a", "one:c"], ["two:b", "two:d"]]
    assert told[1] == "ONE:A" and told[3] == "ONE:C"
    assert isinstance(told[2], OperationalError) and isinstance(told[4], OperationalError)


def test_one_that_breaks_its_commit_harms_no_other():
    told = all_told(Written(), ["a", "bad", "b", "c"])
    assert [word for word in told if isinstance(word, str)] == ["FIRST", "A", "B", "C"]
    assert isinstance(told[2], ValueError)


def test_a_save_that_could_not_be_committed_is_answered_with_an_error():
    from accord.server.gateway import Gateway

    class Full:
        async def answer(self, environ, body):
            raise OSError("the disk is full")

    wire = Wire()
    asyncio.run(Gateway(lambda *_: [b"never"], 1, quick=Full()).__rsgi__(Scope("POST"), wire))
    assert wire.status == 500 and b"Nothing saved is lost" in wire.body
