"""A whole zip brings a study with its judgements into a workspace, and nothing that opens a door there."""

import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

from served_workspace import Workspace
from warm_process import accord_words

RECORDED = Path(__file__).parent.parent / "recorded" / "studies" / "esa.zip"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    server = Workspace(tmp_path_factory.mktemp("workspace"), is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


def rows(database, table):
    connection = sqlite3.connect(database)
    try:
        return connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
    finally:
        connection.close()


def changed(database, *statements):
    connection = sqlite3.connect(database)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def study(tmp_path):
    """A study with judgements, an account of its own, a token of a program, and a job that names another file."""
    with zipfile.ZipFile(RECORDED) as archive:
        archive.extractall(tmp_path)
    (database,) = (tmp_path / "study").glob("*.sqlite3")
    columns = "password, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined"
    changed(
        database,
        "DELETE FROM auth_user",
        f"INSERT INTO auth_user ({columns}) VALUES ('x', 1, 'mallory', '', '', '', 1, 1, '2026-01-01')",
        "INSERT INTO server_organiserlink (token_hash, made_at) VALUES ('abc', '2026-01-01')",
        # The record was drawn, not collected: two of its marks lie beyond the end of their text.
        "UPDATE server_judgement SET value = '[]' WHERE value LIKE '%\"end\": 12,%' AND criterion = 'spans'",
    )
    return tmp_path / "study"


def whole(folder):
    target = folder.parent / ".whole.zip"
    target.unlink(missing_ok=True)
    done = subprocess.run(accord_words("backup", str(folder), str(target)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target.read_bytes()


def again(content, drop=(), **more):
    """The zip with other entries, without the manifest that would tell."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            if name not in drop:
                new.writestr(name, more.pop(name, old.read(name)))
        for name, text in more.items():
            new.writestr(name, text)
    return made.getvalue()


def test_a_whole_zip_comes_in_with_its_judgements_and_goes_out_again(workspace, owner, study):
    """It became a draft, and «Judgements come with accord restore» was the end of the way."""
    (database,) = study.glob("*.sqlite3")
    judgements = rows(database, "server_judgement")
    assert judgements > 20
    owner.upload("/import", "moved.zip", whole(study))
    assert owner.status == 200 and "/s/" in owner.url and owner.url.endswith("/organiser"), owner.url
    key = owner.url.split("/")[-2]
    made = workspace.folder / key / "accord.sqlite3"
    assert rows(made, "server_judgement") == judgements and made.stat().st_mode & 0o077 == 0
    assert (workspace.folder / key / "study.toml").read_bytes() == (study / "study.toml").read_bytes()
    # Sessions and accounts of where it comes from open nothing here.
    assert [rows(made, table) for table in ("auth_user", "server_organiserlink", "server_apitoken")] == [0, 0, 0]
    assert rows(database, "auth_user") == 1, "the study that was moved stays as it was"
    owner.upload("/import", "moved.zip", whole(study))
    assert owner.url.split("/")[-2] != key, "the same zip twice is two studies"


@pytest.mark.parametrize(
    "more, said",
    [
        ({"../evil.md": "x"}, "names that lead out of the folder"),
        ({"accord.secret": "x"}, "holds accord.secret, which no backup has"),
        ({"study.toml": "title = 'x'"}, "does not match its manifest"),
        ({"accord.sqlite3": "no database"}, "does not match its manifest"),
        ({"accord-manifest.json": "{}"}, "does not match its manifest"),
    ],
    ids=lambda one: next(iter(one)) if isinstance(one, dict) else "",
)
def test_a_whole_zip_that_was_tampered_with_changes_nothing(workspace, owner, study, more, said):
    before = sorted(path.name for path in workspace.folder.iterdir())
    page = owner.upload("/import", "moved.zip", again(whole(study), **more))
    assert owner.status == 400 and said in page and str(workspace.folder) not in page
    assert sorted(path.name for path in workspace.folder.iterdir()) == before
    assert not (workspace.folder.parent / "evil.md").exists()


def test_a_database_with_a_program_in_it_is_refused(workspace, owner, study):
    (database,) = study.glob("*.sqlite3")
    changed(database, "CREATE TRIGGER planted AFTER INSERT ON server_judgement BEGIN DELETE FROM server_task; END")
    before = sorted(path.name for path in workspace.folder.iterdir())
    page = owner.upload("/import", "moved.zip", whole(study))
    assert owner.status == 400 and "holds planted, which no study has" in page
    assert sorted(path.name for path in workspace.folder.iterdir()) == before


def test_a_file_that_a_made_up_job_names_is_never_given_out(workspace, owner, study):
    """Jobs stay behind, and a name in one never leads out of the folder of results."""
    owner.upload("/import", "moved.zip", whole(study))
    key = owner.url.split("/")[-2]
    folder = workspace.folder / key
    moment = "2026-01-01 00:00:00"
    changed(
        folder / "accord.sqlite3",
        "INSERT INTO server_job (id, kind, state, done, by, begun_at, seen_at, problem, data_state, file, size) VALUES "
        f"(7, 'ratings', 'done', 1, 'x', '{moment}', '{moment}', '', '', '../../workspace.sqlite3', 1)",
    )
    assert (workspace.folder / "workspace.sqlite3").is_file()
    (folder / "results").mkdir(exist_ok=True)
    owner.get(f"/s/{key}/organiser/reports/7/file")
    assert owner.status == 404
    owner.upload("/import", "again.zip", whole(folder))
    again_key = owner.url.split("/")[-2]
    assert again_key != key and rows(workspace.folder / again_key / "accord.sqlite3", "server_job") == 0


def test_only_who_may_make_studies_brings_one_in(workspace, study):
    page = workspace.stranger().get("/import")
    assert "Zip file" not in page


def folders(workspace):
    return sorted(path.name for path in workspace.folder.iterdir())


_VALUE = "UPDATE server_judgement SET value = '{}' WHERE id = (SELECT MAX(id) FROM server_judgement)"
BROKEN = {
    "H1": _VALUE.replace("{}", '{"no": 1}'),
    "H1 off the scale": _VALUE.replace("{}", '"99999"'),
    "M1 marks": "UPDATE server_keptstudy SET marks = '[]', changes = '7'",
    "M1 systems": "UPDATE server_task SET systems = '5'",
    "M1 table": "DROP TABLE server_remark",
    "M2": "DELETE FROM django_migrations WHERE app = 'server' AND id > (SELECT MIN(id) + 3 FROM django_migrations)",
}


@pytest.mark.parametrize("hole", BROKEN)
def test_h1_m1_a_zip_with_an_impossible_database_is_refused_in_a_sentence_and_leaves_nothing(
    workspace, owner, study, hole
):
    """The page answered 500, the study stayed, and the home page was gone for everybody."""
    content = whole(study)
    changed(study / "accord.sqlite3", BROKEN[hole])
    bad = again(content, ["accord-manifest.json"], **{"accord.sqlite3": (study / "accord.sqlite3").read_bytes()})
    bad = with_manifest(bad)
    before = folders(workspace)
    page = owner.upload("/import", "moved.zip", bad)
    assert owner.status == 400 and "This zip cannot be imported: " in page and "went wrong" not in page
    assert folders(workspace) == before and str(workspace.folder) not in page
    # M2: the next zip, a good one of the same title, is not answered with this one's reason.
    owner.upload("/import", "moved.zip", content)
    assert owner.status == 200 and owner.url.endswith("/organiser")
    owner.get("/")
    assert owner.status == 200


def with_manifest(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        told = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
    return again(content, **{"accord-manifest.json": json.dumps(told)})


def test_m5_what_swells_is_refused_by_page_and_restore(workspace, owner, study, tmp_path):
    made = io.BytesIO(again(whole(study), ["accord-manifest.json"]))
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.md", bytes(11_000_000))
    bad, before = with_manifest_kept(made), folders(workspace)
    page = owner.upload("/import", "moved.zip", bad)
    assert owner.status == 400 and "zeros.md swells to more than 300 times its size" in page
    assert folders(workspace) == before
    (tmp_path / "bad.zip").write_bytes(bad)
    words = accord_words("restore", str(tmp_path / "bad.zip"), str(tmp_path / "out"))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "zeros.md swells" in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def with_manifest_kept(made):
    """The manifest beside entries that stay packed as they are."""
    with zipfile.ZipFile(made) as archive:
        told = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("accord-manifest.json", json.dumps(told))
    return made.getvalue()


def test_h1_home_shows_the_other_studies_when_one_cannot_be_read(workspace, owner, study):
    owner.upload("/import", "moved.zip", whole(study))
    good = owner.url.split("/")[-2]
    shutil.copytree(study, workspace.folder / "damaged")
    changed(workspace.folder / "damaged" / "accord.sqlite3", BROKEN["M1 marks"])
    owner.get("/s/damaged/organiser")  # opens it, so that home counts it at once
    page = owner.get("/")
    assert owner.status == 200 and f"/s/{good}/" in page
    deadline = time.monotonic() + 300
    while "Its database holds what cannot be read" not in page and time.monotonic() < deadline:
        time.sleep(0.2)
        page = owner.get("/")
        assert owner.status == 200
    assert "Its database holds what cannot be read" in page and f"/s/{good}/" in page


def test_m3_a_program_imports_a_whole_zip_with_its_judgements(workspace, owner, study):
    """It made an empty draft of it, and answered 201 without a word."""
    token = re.search(r"accord_[\w-]+", owner.post("/tokens", {"label": "m3"}))[0]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/zip"}
    address = f"{workspace.address}/api/v1/studies/zip?name=moved"
    with urllib.request.urlopen(urllib.request.Request(address, whole(study), headers), timeout=120) as answer:
        made = json.loads(answer.read())
    assert answer.status == 201 and made["state"] in ("running", "closed") and made["key"] == "moved"
    judgements = rows(study / "accord.sqlite3", "server_judgement")
    assert rows(workspace.folder / made["key"] / "accord.sqlite3", "server_judgement") == judgements > 20


def test_what_a_killed_import_left_is_taken_away_after_a_day(tmp_path):
    from accord.server.workspace.aside import sweep_up

    old, young = (tmp_path / f".new-{name}" for name in ("old", "young"))
    for made in (old, young):
        (made / "study").mkdir(parents=True)
        (made / "whole.zip").write_bytes(b"answers")
    os.utime(old, (1, 1))
    sweep_up(tmp_path)
    assert not old.exists() and young.exists()
