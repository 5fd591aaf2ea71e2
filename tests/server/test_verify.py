"""A database belongs to its study, a backup to its manifest, and ``accord verify`` says whether all is there."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing

import pytest

from accord.errors import OperationError, UnreadableFileError
from own_postgres import own_postgres
from saving_people import Person
from served_study import Served, accord, make_study
from warm_process import accord_words


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A study folder with judgements, nobody serving it."""
    server = Served(make_study(tmp_path_factory.mktemp("judged") / "study"), is_forked=True)
    try:
        for link in server.invite(2):
            person = Person(server.address, link)
            for _ in range(5):
                person.save()
    finally:
        server.stop()
    return server.folder


@pytest.fixture
def study(judged, tmp_path):
    """A copy that a test may spoil."""
    return shutil.copytree(judged, tmp_path / "study")


def refused(accord_command, *arguments):
    done = accord_command(*arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def change_items(folder, old, new):
    path = folder / "items.tsv"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_every_judgement_of_a_study_and_of_its_backup_is_found(study, tmp_path):
    assert accord("verify", study).stdout.startswith("All 10 judgements of 2 raters are there")
    accord("backup", study, tmp_path / "b.zip")
    assert accord("verify", tmp_path / "b.zip").stdout.startswith("All 10 judgements of 2 raters are there")


def test_who_is_invited_and_judged_nothing_is_counted_apart(study):
    accord("invite", study, 1)
    told = accord("verify", study).stdout
    assert told.startswith("All 10 judgements of 2 raters are there")
    assert told.endswith("1 more rater has been invited and judged nothing yet.\n")


def test_a_judgement_that_cannot_leave_is_named(study, accord_command):
    """A criterion that the study does not have: its judgements are in the database and in no rating."""
    with closing(sqlite3.connect(study / "accord.sqlite3")) as database:
        database.execute("UPDATE server_judgement SET criterion = 'gone' WHERE id = 1")
        database.commit()
    done = accord_command("verify", study)
    assert done.returncode == 1
    told = " ".join(done.stdout.split())  # lines break where the name of the folder leaves room
    assert "is not whole" in told and "1 judgements are on criteria that the study no longer has" in told


def spoil(folder, change, *values):
    """Change the first answer to `quality`, which must be answered, by hand."""
    with closing(sqlite3.connect(folder / "accord.sqlite3")) as database:
        first = "(SELECT min(id) FROM server_judgement WHERE criterion = 'quality' AND value IS NOT NULL)"
        assert database.execute(f"UPDATE server_judgement SET {change} WHERE id = {first}", values).rowcount == 1
        database.commit()


def told_of_a_spoilt(study, accord_command):
    done = accord_command("verify", study)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    told = " ".join(done.stdout.split())  # lines break where the name of the folder leaves room
    assert "1 judgement is no answer to what was asked, such as " in told
    assert "whether it can be exported and restored was not tried" in told
    return told


@pytest.mark.parametrize("value", ["900", '{"not": "an answer"}', "[[], null]", '"<b>"'])
def test_an_answer_that_nobody_could_have_given_is_named(study, accord_command, value):
    """Somebody wrote it into the database: pages and exports would count it or break on it."""
    spoil(study, "value = ?", value)
    assert f"'quality': {json.loads(value)!r} is not " in told_of_a_spoilt(study, accord_command)


def test_an_answer_about_a_text_that_was_not_shown_is_named(study, accord_command):
    spoil(study, "place = 7")
    assert "'quality' has no text 7" in told_of_a_spoilt(study, accord_command)


def test_answers_to_a_study_as_it_was_are_not_judged_by_what_it_is_now(study, accord_command):
    """A scale may be shorter now, and a corrected text shorter than a mark that was made in it."""
    spoil(study, "value = ?", "900")
    change_items(study, "Ele é rápido.", "Ele é lento.")
    done = accord_command("verify", study, "--accept-changes")
    assert done.returncode == 0, done.stdout


def test_a_study_in_which_an_answer_was_taken_back_is_whole(study):
    with closing(sqlite3.connect(study / "accord.sqlite3")) as database:
        names = [row[1] for row in database.execute("PRAGMA table_info(server_judgement)") if row[1] != "id"]
        new = {"value": "NULL", "revision": "revision + 1000", "uuid": "'0123456789abcdef0123456789abcdef'"}
        database.execute(
            f"INSERT INTO server_judgement ({', '.join(names)}) SELECT {', '.join(new.get(n, n) for n in names)} "
            "FROM server_judgement WHERE id = 1"
        )
        database.commit()
    assert accord("verify", study).stdout.startswith("All 11 judgements of 2 raters are there")


def test_a_judgement_that_comes_back_from_a_backup_lost_or_changed_is_named(collecting):
    from accord.server.verifying import _restored_problems

    before = {"a": b"1", "b": b"2", "c": b"3"}
    told = list(_restored_problems(before, {"a": b"1", "b": b"9", "d": b"4"}))
    assert "1 judgements did not come back from a backup, such as c" in told[0]
    assert "1 judgements came back from a backup with other cells, such as b" in told[1]
    assert list(_restored_problems(before, before | {"later": b"5"})) == []


def test_a_changed_item_id_is_said_in_words_and_never_a_keyerror(study, accord_command):
    change_items(study, "d1\t2\t", "d1\t7\t")
    for command in ("export", "report", "agree", "verify"):
        told = refused(accord_command, command, study)
        assert "Raters were given what this study does not have: d1-2" in told, told


def test_a_changed_text_is_said_until_it_is_accepted_and_then_stays_in_the_record(study, accord_command, tmp_path):
    change_items(study, "Ele é rápido.", "Ele é lento.")
    told = refused(accord_command, "export", study)
    assert "item d1-2 was changed" in told and "--accept-changes" in told
    assert "Accepted: item d1-2 was changed." in accord("verify", study, "--accept-changes").stdout
    assert len(accord("export", study, "--judgements").stdout.splitlines()) == 11
    accord("report", study, "-o", tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "after 10 judgements, the study was changed: item d1-2 was changed." in text


def test_which_end_is_best_may_still_be_declared_when_collecting_has_begun(study):
    path = study / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert 'best = "high"\n' in text
    path.write_text(text.replace('best = "high"\n', ""), encoding="utf-8")
    accord("export", study)


def test_an_older_program_keeps_its_hands_off_a_newer_database(study, accord_command):
    with closing(sqlite3.connect(study / "accord.sqlite3")) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('server', '0999_new', '2030-01-01')"
        )
        database.commit()
    assert "written by a newer Accord than this one" in refused(accord_command, "export", study)


def test_a_backup_is_not_written_into_the_study_it_saves(study, accord_command):
    """It packed its own growing file until the disk was full."""
    told = accord_command("backup", study, study / "results" / "b.zip")
    assert told.returncode == 2 and "lies in the study folder itself" in told.stderr
    assert not list(study.rglob("b.zip*"))


def test_a_backup_that_was_tampered_with_is_refused(study, tmp_path, accord_command):
    accord("backup", study, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as old, zipfile.ZipFile(tmp_path / "c.zip", "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content + b"\n" if name == "guidelines.md" else content)
    assert "does not match its manifest: guidelines.md" in refused(accord_command, "verify", tmp_path / "c.zip")


def changed(backup, target, change=None, leave_out=(), more=None):
    """A backup with other files in it, its manifest as it was."""
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if name not in leave_out:
                new.writestr(name, (change or {}).get(name, old.read(name)))
        for name, content in (more or {}).items():
            new.writestr(name, content)
    return target


def encrypted(backup, target):
    """The mark of a password on every file, as another program might pack them again."""
    content = bytearray(backup.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for found in re.finditer(re.escape(mark), bytes(content)):
            content[found.start() + place] |= 1
    target.write_bytes(content)
    return target


NO_MANIFEST = ("accord-manifest.json",)
NO_DATABASE = (*NO_MANIFEST, "accord.sqlite3")
SPOILT = {
    "tampered": ({"change": {"guidelines.md": b"Give everybody 100."}}, "does not match its manifest: guidelines.md"),
    "a secret": (
        {"leave_out": NO_MANIFEST, "more": {"accord.secret": "a" * 48}},
        "holds accord.secret, which no backup",
    ),
    "a log": ({"leave_out": NO_MANIFEST, "more": {"accord.sqlite3-wal": "x"}}, "holds accord.sqlite3-wal, which no"),
    "no database": ({"leave_out": NO_DATABASE}, "is no whole backup"),
    "no study": ({"leave_out": (*NO_MANIFEST, "study.toml")}, "is no whole backup"),
    "garbage": (
        {"leave_out": NO_MANIFEST, "change": {"accord.sqlite3": b"garbage" * 999}},
        "is damaged: file is not a",
    ),
    "no data": ({"leave_out": NO_DATABASE, "more": {"database.json": "{"}}, "The data in the backup cannot be read"),
    "other data": (
        {"leave_out": NO_DATABASE, "more": {"database.json": '[{"model": "sites.site", "pk": 1, "fields": {}}]'}},
        "The data in the backup cannot be read",
    ),
    "no words": (
        {"leave_out": NO_MANIFEST, "change": {"accord-backup.json": b"\xff"}},
        "accord-backup.json cannot be read",
    ),
    "no counts": ({"leave_out": NO_MANIFEST, "change": {"accord-backup.json": b"{}"}}, "does not say what it holds"),
    "a list": ({"change": {"accord-manifest.json": b"[]"}}, "accord-manifest.json cannot be read"),
    "a long name": ({"leave_out": NO_MANIFEST, "more": {"x" * 300: ""}}, "cannot be written"),
}


@pytest.fixture(scope="module")
def backup(tmp_path_factory):
    folder = tmp_path_factory.mktemp("backed-up")
    accord("invite", make_study(folder / "study"), 1)
    accord("backup", folder / "study", folder / "b.zip")
    return folder / "b.zip"


@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_backup_is_refused_in_words_and_leaves_no_half_study(backup, tmp_path, accord_command, kind):
    """Each was called restored, or ended in a traceback."""
    how, words = SPOILT[kind]
    spoilt = changed(backup, tmp_path / "spoilt.zip", **how)
    assert words in refused(accord_command, "restore", spoilt, tmp_path / "again")
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("command", ["restore", "verify"])
def test_a_backup_with_a_password_is_refused_in_words(backup, tmp_path, accord_command, command):
    spoilt = encrypted(backup, tmp_path / "spoilt.zip")
    more = [tmp_path / "again"] if command == "restore" else []
    assert "is not a backup, or only a part of one" in refused(accord_command, command, spoilt, *more)


def test_a_restore_that_was_killed_leaves_no_study_to_be_served(backup, tmp_path, accord_command):
    killed = "import os; from accord.server import backup; backup._move_in = lambda *_: os._exit(9); "
    killed += f"from pathlib import Path; backup.read_backup(Path({str(backup)!r}), Path({str(tmp_path / 'half')!r}))"
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == 9
    assert not (tmp_path / "half" / "study.toml").exists()
    assert "half" in refused(accord_command, "verify", tmp_path / "half")
    assert "already holds something" in refused(accord_command, "restore", backup, tmp_path / "half")


@pytest.mark.parametrize("name", ["database.json", "accord-backup.json", "accord-manifest.json"])
def test_a_file_with_a_name_of_the_backup_s_own_is_told_when_it_is_made(study, tmp_path, accord_command, name):
    (study / name).write_text("{}")
    assert f"holds {name}, a name that a backup uses" in refused(accord_command, "backup", study, tmp_path / "b.zip")
    assert not (tmp_path / "b.zip").exists()


def test_the_server_is_not_well_when_nothing_can_be_saved(collecting, client, monkeypatch):
    from django.db import OperationalError

    from accord.server import health
    from accord.server.models import Attempt

    monkeypatch.setattr(health, "_last", {})
    assert client.get("/health").status_code == 200

    def full(*arguments, **more):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(health, "_last", {})
    monkeypatch.setattr(Attempt.objects, "create", full)
    answer = client.get("/health")
    assert answer.status_code == 503 and answer.json() == {"status": "cannot save"}


@pytest.mark.postgres
def test_two_studies_never_mix_in_one_database_and_restoring_leaves_a_live_one_alone(tmp_path, judged):
    with own_postgres() as address:
        env = {"ACCORD_DATABASE_URL": address}
        live = make_study(tmp_path / "live")
        accord("invite", live, 1, env=env)
        other = make_study(tmp_path / "other")
        change_items(other, "d1\t", "e1\t")
        done = run("export", other, env=env)
        assert done.returncode == 2 and "belongs to another study" in done.stderr

        accord("backup", live, tmp_path / "live.zip", env=env)
        accord("invite", live, 1, env=env)
        told = accord("restore", tmp_path / "live.zip", tmp_path / "again", env=env).stderr
        assert "its database was left alone" in told and (tmp_path / "again" / "accord.sqlite3").exists()
        refusal = run("restore", tmp_path / "live.zip", tmp_path / "third", "--into-database", env=env)
        assert refusal.returncode == 2 and "holds a study already" in refusal.stderr
        assert "2 more raters have been invited" in accord("verify", live, env=env).stdout
        told = accord("verify", tmp_path / "live.zip", env=env).stdout
        assert told.startswith("Nobody has judged anything yet") and "1 more rater has been invited" in told


def run(*arguments, env):
    import subprocess

    command = accord_words(*arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, **env})


def test_a_file_that_is_no_backup_is_refused_in_words(tmp_path):
    from accord.server.backup import check_backup

    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("a", "b")
    with pytest.raises(UnreadableFileError, match="not a backup of Accord"):
        check_backup(tmp_path / "x.zip")
    with pytest.raises((UnreadableFileError, OperationError), match="is not there"):
        check_backup(tmp_path / "none.zip")
