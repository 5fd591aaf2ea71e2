"""Operations: forgetting a rater, tokens by command, upgrades, backup while running, health and logs."""

import json
import logging
import re
import sqlite3
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from organised_study import logged_in, write_study


def test_a_forgotten_rater_leaves_judgements_and_nothing_else(organised, visitor):
    from accord.server.api.tokens import make_token
    from accord.server.export import TABLES
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement, QuestionnaireAnswer, Rater, Remark
    from accord.server.models_organiser import Job
    from accord.server.organiser.forgetting import forget
    from accord.server.organiser.jobs import shown_jobs
    from accord.server.serving import study_folder

    rater, token = invite_raters(1)[0]
    Rater.objects.filter(pk=rater.pk).update(crowd_id="prolific-123456", crowd_session="session-9")
    visitor.get(f"/i/{token}")
    answer = {"uuid": uuid4(), "rater": rater, "scenario": "@rater", "question": "name", "value": "Maria da Silva"}
    QuestionnaireAnswer.objects.create(**answer)
    Remark.objects.create(uuid=uuid4(), rater=rater, about="question", text="I am Maria, call 555-1234")
    _, key = make_token("rater", "hers", rater)
    first = Rater.objects.get(pseudonym="R1")
    before = Judgement.objects.count()
    made = study_folder() / "results"
    made.mkdir(exist_ok=True)
    (made / "1-questionnaires.zip").write_text("Maria da Silva")
    Job.objects.create(kind="questionnaires", state=Job.State.DONE, file="1-questionnaires.zip", by="olga")
    done = forget(rater.pseudonym)
    assert (done.answers, done.comments, done.sessions, done.files) == (1, 1, 1, 1)
    assert not list(made.iterdir()) and not any(job["has_file"] for job in shown_jobs())
    from django.db import connection

    connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    tables = json.dumps([list(TABLES[name]()[1]) for name in TABLES], default=str)
    for secret in ("Maria", "555-1234", "prolific-123456", "session-9"):
        assert secret not in tables
        assert not Rater.objects.filter(crowd_id=secret).exists()
    assert visitor.get("/welcome").status_code == 401, "the log-in is gone"
    assert visitor.get(f"/i/{token}").status_code == 404, "the link is gone"
    assert visitor.get("/api/v1/tasks", headers={"Authorization": f"Bearer {key}"}).status_code == 401
    forget("R1")
    assert Judgement.objects.filter(task__rater=first).exists() and Judgement.objects.count() == before


def test_a_rater_who_asks_is_shown_all_that_is_kept(organised, visitor):
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement, QuestionnaireAnswer, Rater, Remark
    from accord.server.organiser.forgetting import forget
    from accord.server.organiser.stored import stored_about

    rater, _ = invite_raters(1)[0]
    Rater.objects.filter(pk=rater.pk).update(crowd_id="prolific-777777", crowd_session="session-7")
    answer = {"uuid": uuid4(), "rater": rater, "scenario": "@rater", "question": "name", "value": "Ana Lima"}
    QuestionnaireAnswer.objects.create(**answer)
    Remark.objects.create(uuid=uuid4(), rater=rater, about="question", text="call 555-9876")
    told = json.dumps(stored_about(rater.pseudonym), default=str)
    assert all(kept in told for kept in ("prolific-777777", "session-7", "Ana Lima", "call 555-9876"))
    first = stored_about("R1")
    assert len(first["judgements"]) == Judgement.objects.filter(task__rater__pseudonym="R1").count() > 0
    forget(rater.pseudonym)
    after = json.dumps(stored_about(rater.pseudonym), default=str)
    assert not any(gone in after for gone in ("prolific-777777", "session-7", "Ana Lima", "call 555-9876"))


def test_who_opened_what_raters_said_is_kept(organised, organiser, visitor):
    from accord.server.api.tokens import make_token
    from accord.server.models_organiser import Access

    Access.objects.all().delete()
    organiser.get("/organiser")
    assert not Access.objects.exists(), "the dashboard holds no person's words"
    organiser.get("/organiser/raters/R1")
    organiser.get("/organiser/raters/R404")
    organiser.get("/organiser/export/judgements.csv")
    _, key = make_token("organiser", "nightly")
    visitor.get("/api/v1/exports/ratings", headers={"Authorization": f"Bearer {key}"})
    seen = list(Access.objects.values_list("by", "what"))
    assert [what for _, what in seen][:2] == ["GET /organiser/raters/R1", "GET /organiser/export/judgements.csv"]
    assert seen[2][0] == "program nightly" and "R404" not in str(seen)
    lines = b"".join(organiser.get("/organiser/files/access.csv")).decode().splitlines()
    assert lines[0] == "by,what,at" and "/organiser/raters/R1" in lines[1]


def test_a_rater_who_does_not_exist_cannot_be_forgotten(organised):
    from accord.errors import InputError
    from accord.server.organiser.forgetting import forget

    with pytest.raises(InputError, match="no rater 'R99'"):
        forget("R99")


def test_tokens_and_forgetting_work_from_the_command_line(tmp_path, accord_command):
    folder = write_study(tmp_path / "study")
    made = accord_command("token", folder, "--label", "nightly export")
    assert made.returncode == 0 and made.stdout.startswith("accord_") and len(made.stdout.strip()) > 30
    assert made.stdout.strip() not in (folder / "accord.sqlite3").read_bytes().decode("latin-1")
    accord_command("invite", folder, 1)
    done = accord_command("forget", folder, "R1")
    assert done.returncode == 0 and "0 judgements stay" in done.stdout
    for wrong in (("forget", folder, "R9"), ("token", folder, "--rater", "R9")):
        refused = accord_command(*wrong)
        assert refused.returncode == 2 and "no rater 'R9'" in refused.stderr and "Traceback" not in refused.stderr


def test_a_study_collected_with_the_previous_version_opens(django_on, tmp_path):
    """Tables as they were before the organiser's side, with a judgement in them."""
    from django.core.management import call_command
    from django.db import connection, connections

    folder = django_on(write_study(tmp_path / "old"))
    before = Path(connection.settings_dict["NAME"])
    assert before == folder / "accord.sqlite3"
    connections.close_all()
    for file in folder.glob("accord.sqlite3*"):
        file.unlink()
    call_command("migrate", "auth", verbosity=0)
    call_command("migrate", "sessions", verbosity=0)
    call_command("migrate", "server", "0001", verbosity=0)
    connections.close_all()
    old = sqlite3.connect(folder / "accord.sqlite3")
    tables = {name for (name,) in old.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "server_judgement" in tables and "server_snapshot" not in tables
    collected_before(old)
    old.close()

    django_on(folder)
    from accord.server.models import Judgement

    assert Judgement.objects.get().value == 2
    page = logged_in("ana").get("/organiser").content.decode()
    assert re.search(r"; answers: 1<(/dd|br)>", page)


def collected_before(old):
    """Rows in the words of the old tables."""
    now = "2026-01-01 00:00:00"
    old.execute("INSERT INTO server_guidelineversion VALUES (1, 1, 'text', 'digest', ?, '')", [now])
    values = {
        "id": 1, "pseudonym": "R1", "owner": uuid4().hex, "slot": 0, "group": "novice", "state": "active",
        "language": "", "guidelines_read": 1, "crowd_session": "",
    }  # fmt: skip
    insert(old, "server_rater", values)
    insert(old, "server_task", {
        "id": 1, "rater_id": 1, "order": 1, "scenario": "alone", "document": "d1", "item": "d1-1",
        "systems": '["alpha"]', "texts": "[]", "altered": "", "phase": "", "condition": "", "batch": "1",
        "role": "system", "occasion": 1,
    })  # fmt: skip
    insert(old, "server_judgement", {
        "id": 1, "uuid": uuid4().hex, "task_id": 1, "criterion": "meaning", "place": 0, "value": "2",
        "cannot_judge": 0, "revision": 1, "seconds": 3.0, "guideline_id": 1, "made_at": now, "received_at": now,
    })  # fmt: skip
    old.commit()


def insert(database, table, values):
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    database.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(values.values()))


def test_a_backup_holds_the_decisions_and_can_be_restored(django_on, tmp_path):
    from accord.server.backup import read_backup, write_backup
    from accord.server.invitations import invite_raters
    from accord.server.models_organiser import Decision
    from accord.server.organiser.decisions import decide

    folder = django_on(write_study(tmp_path / "one"))
    decide(invite_raters(1)[0][0], "exclude", "for the backup", "ana")
    write_backup(folder, tmp_path / "study.zip")
    read_backup(tmp_path / "study.zip", tmp_path / "two")
    django_on(tmp_path / "two")
    assert Decision.objects.get().reason == "for the backup"


def test_health_says_ok_only_while_the_database_answers(visitor, monkeypatch):
    assert visitor.get("/health").json() == {"status": "ok"}
    from django.db import OperationalError
    from django.db.backends.base.base import BaseDatabaseWrapper

    from accord.server import health

    def broken(*_):
        raise OperationalError("gone")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", broken)
    monkeypatch.setattr(health, "_last", {})
    visitor.raise_request_exception = False
    answer = visitor.get("/health")
    assert answer.status_code == 503 and b"gone" not in answer.content


def test_log_lines_are_json_without_tokens_addresses_or_queries():
    from accord.server.logs import JsonLine

    secret = "accord_" + "x" * 27
    record = logging.LogRecord("django", logging.ERROR, "", 0, "Bad: /i/%s?PROLIFIC_PID=abc", (secret,), None)
    line = JsonLine().format(record)
    assert json.loads(line)["level"] == "error" and secret not in line and "PROLIFIC" not in line
    try:
        raise ValueError(secret)
    except ValueError:
        record.exc_info = sys.exc_info()
    assert secret not in JsonLine().format(record)


def test_a_database_that_refuses_a_value_does_not_bring_it_into_the_log():
    """PostgreSQL repeats in its message what it could not keep."""
    from accord.server.logs import JsonLine

    said = (
        "unsupported sequence\nLINE 1: ...1, 'native', E'\"my secret\\u000...\n             ^\n"
        'DETAIL:  Key (name)=(my secret) exists.\nCONTEXT:  JSON data, line 1: "my secret...'
    )
    try:
        raise ValueError(said)
    except ValueError:
        record = logging.LogRecord("django", logging.ERROR, "", 0, "Internal Server Error", (), sys.exc_info())
    line = JsonLine().format(record)
    assert "unsupported sequence" in line and "my secret" not in line


@pytest.fixture
def full_database(organised):
    """A database that may not grow, as on a full disk; SQLite itself says so."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1")
        yield
        cursor.execute("PRAGMA max_page_count = 1073741823")


def test_a_program_is_told_in_words_that_the_disk_is_full(full_database, visitor):
    from accord.server.api.tokens import make_token
    from accord.server.models import Rater
    from accord.server.models_organiser import ApiToken

    ApiToken.objects.all().delete()  # so that there is room for a token, and little more
    key = make_token("rater", "a robot", Rater.people.exclude(state="paused").first())[1]
    for _ in range(200):
        answer = visitor.post(
            "/api/v1/questions", json.dumps({"text": "long " * 1_000}), content_type="application/json",
            headers={"authorization": f"Bearer {key}"},
        )  # fmt: skip
        if answer.status_code != 201:
            break
    assert answer.status_code == 507
    assert answer.json() == {"error": "The disk of the server is full. What was sent is not kept: send it again later."}


def test_forgetting_on_a_full_disk_is_refused_in_a_sentence(organised, monkeypatch, tmp_path):
    from django.db import OperationalError

    from accord.cli.forget import forget
    from accord.errors import OperationError
    from accord.server import connect
    from accord.server.organiser import forgetting

    def full(name, *, comments):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(connect, "connect", lambda folder, must_exist: None)
    monkeypatch.setattr(connect, "prepare", lambda: None)
    monkeypatch.setattr(forgetting, "forget", full)
    with pytest.raises(OperationError, match=r"^The database cannot be used: database or disk is full$"):
        forget(tmp_path, "R1")
