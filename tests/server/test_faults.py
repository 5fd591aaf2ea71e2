"""What was acknowledged is in the export, whatever happens to the server."""

import json
import os
import re
import statistics
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from http.client import HTTPException
from http.cookiejar import CookieJar
from uuid import uuid4

import pytest

from own_postgres import own_postgres
from served_study import Served, make_study


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
    assert len(acknowledged) >= 20 * rounds
    return acknowledged


def assert_nothing_lost(server, acknowledged):
    kept = [row["uuid"] for row in server.export("--judgements")]
    assert acknowledged and set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))


@pytest.mark.parametrize("rounds", [3, pytest.param(20, marks=pytest.mark.hard)])
def test_every_acknowledged_judgement_survives_kill_9_in_mid_load(tmp_path, rounds):
    server = Served(make_study(tmp_path / "study"))
    try:
        people = [Person(server.address, link) for link in server.invite(4)]
        assert_nothing_lost(server, killed_in_mid_load(server, people, rounds))
    finally:
        server.stop()


@pytest.fixture
def postgres():
    with own_postgres() as address:
        yield address


@pytest.mark.postgres
@pytest.mark.parametrize("rounds", [3, pytest.param(20, marks=pytest.mark.hard)])
def test_a_team_s_postgresql_keeps_every_acknowledged_judgement_too(tmp_path, postgres, rounds):
    server = Served(make_study(tmp_path / "study"), env={"ACCORD_DATABASE_URL": postgres})
    try:
        assert not (tmp_path / "study" / "accord.sqlite3").exists()
        people = [Person(server.address, link) for link in server.invite(3)]
        acknowledged = killed_in_mid_load(server, people, rounds)
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


LOAD_RATERS = int(os.environ.get("ACCORD_LOAD_RATERS", "200"))
LOAD_EVERY = float(os.environ.get("ACCORD_LOAD_EVERY", "2"))
LOAD_SECONDS = int(os.environ.get("ACCORD_LOAD_SECONDS", "60"))


@pytest.mark.hard
@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_two_hundred_raters_save_every_two_seconds_without_an_error(tmp_path, database, capsys):
    """Times are printed, not judged: they say as much of the machine as of the server."""
    with own_postgres() if database == "postgres" else nullcontext("") as address:
        server = Served(make_study(tmp_path / "study"), workers=2, env={"ACCORD_DATABASE_URL": address})
        try:
            people = [Person(server.address, link) for link in server.invite(LOAD_RATERS)]
            for person in people:
                person.save(1)
            acknowledged, times, errors = saved_in_turn(people)
            assert errors == []
            assert_nothing_lost(server, acknowledged)
        finally:
            server.stop()
    times.sort()
    with capsys.disabled():
        print(
            f"\n{database}: {len(times):,} saves of {len(people)} raters in {LOAD_SECONDS} s, no error, median "
            f"{statistics.median(times) * 1000:.0f} ms, p99 {times[int(len(times) * 0.99)] * 1000:.0f} ms"
        )


def saved_in_turn(people):
    """Each saves every so many seconds, evenly spread; what was acknowledged, how long it took, what went wrong."""
    acknowledged, times, errors = [], [], []

    def save(person, revision):
        start = time.monotonic()
        try:
            acknowledged.append(person.save(revision))
        except Exception as error:
            errors.append(repr(error))
        times.append(time.monotonic() - start)

    start = time.monotonic()
    with ThreadPoolExecutor(64) as pool:
        for turn in range(int(LOAD_SECONDS / LOAD_EVERY)):
            for place, person in enumerate(people):
                time.sleep(max(0.0, start + LOAD_EVERY * (turn + place / len(people)) - time.monotonic()))
                pool.submit(save, person, turn + 2)
    return acknowledged, times, errors
