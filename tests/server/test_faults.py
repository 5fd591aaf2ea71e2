"""What was acknowledged is in the export, whatever happens to the server."""

import json
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.request
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from uuid import uuid4

import pytest

from served_study import Served, free_port, make_study


class Person:
    """A rater without a browser: comes in by the link and saves as the page does."""

    def __init__(self, address, link):
        self.address = address
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.get(link)
        for page, form in (("welcome", "consent=yes"), ("about-you", "native=another"), ("guidelines", "")):
            self.get(f"{address}/{page}")
            self.post(f"{address}/{page}", form.encode(), "application/x-www-form-urlencoded")
        page = self.get(f"{address}/work").decode()
        work = json.loads(re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)[1])
        self.tasks = [screen["id"] for screen in work["screens"] if screen["scenario"] == "alone"]

    def get(self, address):
        return self.opener.open(address, timeout=10).read()

    def post(self, address, body, kind):
        token = next(cookie.value for cookie in self.jar if cookie.name == "accord_csrf")
        request = urllib.request.Request(address, body, {"Content-Type": kind, "X-CSRFToken": token})
        return self.opener.open(request, timeout=10).read()

    def save(self, revision):
        """One judgement; returns its uuid once the server has acknowledged it."""
        entry = {
            "uuid": str(uuid4()), "kind": "judgement", "task": self.tasks[revision % len(self.tasks)],
            "criterion": "quality", "place": 0, "value": revision % 101, "revision": revision,
        }  # fmt: skip
        told = json.loads(
            self.post(f"{self.address}/save", json.dumps({"entries": [entry]}).encode(), "application/json")
        )
        assert told["results"][0]["status"] == "saved"
        return entry["uuid"]


def save_until_it_dies(person, start, acknowledged, stop):
    revision = start
    while not stop.is_set():
        revision += 1
        try:
            acknowledged.append(person.save(revision))
        except (OSError, HTTPException, json.JSONDecodeError):
            return


def killed_in_mid_load(server, people, rounds):
    """Load from threads, SIGKILL, restart, again; returns all that was acknowledged."""
    acknowledged: list[str] = []
    for number in range(rounds):
        before, stop = len(acknowledged), threading.Event()
        threads = [
            threading.Thread(target=save_until_it_dies, args=(person, number * 10_000 + 1, acknowledged, stop))
            for person in people
        ]
        for thread in threads:
            thread.start()
        while len(acknowledged) < before + 20 + 7 * number:
            threading.Event().wait(0.02)
        server.kill()
        stop.set()
        for thread in threads:
            thread.join(30)
        server.start()
    return acknowledged


def assert_nothing_lost(server, acknowledged):
    kept = [row["uuid"] for row in server.export("--judgements")]
    assert len(acknowledged) >= 60 and set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))


@pytest.mark.parametrize("rounds", [3, pytest.param(20, marks=pytest.mark.hard)])
def test_every_acknowledged_judgement_survives_kill_9_in_mid_load(tmp_path, rounds):
    server = Served(make_study(tmp_path / "study"))
    try:
        people = [Person(server.address, link) for link in server.invite(4)]
        assert_nothing_lost(server, killed_in_mid_load(server, people, rounds))
    finally:
        server.stop()


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL of our own on loopback, gone afterwards."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not tools:
        pytest.skip("needs PostgreSQL's own programs under /usr/lib/postgresql")
    folder, port = Path(tempfile.mkdtemp(prefix="accord-pg-")), free_port()
    shutil.chown(folder, "postgres")

    def run(program, *arguments):
        command = ["runuser", "-u", "postgres", "--", tools[-1] / program, *arguments]
        subprocess.run([str(part) for part in command], check=True, capture_output=True, cwd="/", timeout=60)

    data = folder / "data"
    run("initdb", "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    run("pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start")
    yield f"postgres://postgres@127.0.0.1:{port}/postgres"
    run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.mark.postgres
def test_a_team_s_postgresql_keeps_every_acknowledged_judgement_too(tmp_path, postgres):
    server = Served(make_study(tmp_path / "study"), env={"ACCORD_DATABASE_URL": postgres})
    try:
        assert not (tmp_path / "study" / "accord.sqlite3").exists()
        people = [Person(server.address, link) for link in server.invite(3)]
        acknowledged = killed_in_mid_load(server, people, 3)
        assert_nothing_lost(server, acknowledged)
        rated = server.export()
        assert {row["criterion"] for row in rated} == {"quality"} and len(rated) == sum(len(p.tasks) for p in people)
    finally:
        server.stop()
    restored_from_postgres(tmp_path, postgres, acknowledged)


def restored_from_postgres(tmp_path, postgres, acknowledged):
    """The backup of a team's database opens as a folder with its own SQLite."""
    from served_study import accord

    archive = tmp_path / "study.zip"
    accord("backup", tmp_path / "study", archive, env={"ACCORD_DATABASE_URL": postgres})
    accord("restore", archive, tmp_path / "restored")
    kept = accord("export", tmp_path / "restored", "--judgements").stdout
    assert all(uuid in kept for uuid in acknowledged)
