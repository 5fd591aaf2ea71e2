"""What was acknowledged is in the export, once and as it was sent, whatever happens to the server or its database.

Each fault comes while raters save, on SQLite and on PostgreSQL; every request and answer is written down and replayed
against the export (``saved_history``).
"""

import os
import random
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

import pytest

from own_postgres import own_cluster, own_postgres
from saved_history import UNKNOWN, History, complaints
from saving_people import Person, while_saving
from served_study import Served, accord, make_study

KILLS = int(os.environ.get("ACCORD_KILLS", "100"))
DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


class World:
    """A server on a study, its database, its raters and their history; ``through`` is the address they use."""

    def __init__(self, folder, cluster=None, env=None, raters=4):
        self.cluster, self.history = cluster, History()
        self.env = {**(env or {}), **({"ACCORD_DATABASE_URL": cluster.address} if cluster else {})}
        self.server = Served(make_study(folder), env=self.env)
        self.people = [Person(self.server.address, link, self.history) for link in self.server.invite(raters)]

    def saved(self, more):
        """Wait until so many more entries are acknowledged."""
        wanted, deadline = self.history.acknowledged + more, time.monotonic() + 120
        while self.history.acknowledged < wanted:
            assert time.monotonic() < deadline, "saving does not go on"
            time.sleep(0.02)

    def check(self, capsys, fault):
        assert complaints(self.history, self.server.export("--judgements")) == []
        unknown = sum(event.get("status") == UNKNOWN for event in self.history.events)
        database = "PostgreSQL" if self.cluster else "SQLite"
        with capsys.disabled():
            print(f"\n{fault}, {database}: {self.history.acknowledged:,} acknowledged, {unknown:,} requests unanswered")


@contextmanager
def world(database, tmp_path, disk=None, env=None):
    """A world on this database; on a disk of its own where one is given."""
    with ExitStack() as stack:
        on_disk = disk or tmp_path
        cluster = stack.enter_context(own_cluster(on_disk if disk else None)) if database == "postgres" else None
        made = World((tmp_path if cluster else on_disk) / "study", cluster, env)
        stack.callback(made.server.stop)
        yield made


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("kills", [3, pytest.param(KILLS, marks=pytest.mark.hard)])
def test_every_acknowledged_judgement_survives_kill_9_in_mid_load(tmp_path, database, kills, capsys):
    with world(database, tmp_path) as here:
        assert (tmp_path / "study" / "accord.sqlite3").exists() == (database == "sqlite")

        def kill():
            for _ in range(kills):
                here.saved(random.randint(5, 60))
                time.sleep(random.uniform(0, 0.05))
                here.server.kill()
                here.server.start()
            here.saved(5)

        while_saving(here.people, kill)
        here.check(capsys, f"{kills} kills")
        if database == "postgres":
            assert_restored_as_a_folder(tmp_path, here)


def assert_restored_as_a_folder(tmp_path, here):
    """The backup of a team's database opens as a folder with its own SQLite."""
    rated = here.server.export()
    assert {row["criterion"] for row in rated} == {"quality"}
    assert len(rated) == sum(len(person.tasks) for person in here.people)
    archive = tmp_path / "study.zip"
    accord("backup", tmp_path / "study", archive, env=here.env)
    accord("restore", archive, tmp_path / "restored")
    here.server.folder, here.server.env = tmp_path / "restored", {}
    assert complaints(here.history, here.server.export("--judgements")) == []


@pytest.mark.hard
@pytest.mark.parametrize("database", DATABASES)
def test_a_server_that_is_stopped_and_started_loses_nothing(tmp_path, database, capsys):
    with world(database, tmp_path) as here:

        def restart():
            for _ in range(10):
                here.saved(30)
                here.server.stop()
                here.server.start()
            here.saved(30)

        while_saving(here.people, restart)
        here.check(capsys, "10 restarts")


@pytest.mark.hard
@pytest.mark.postgres
def test_a_database_that_crashes_and_comes_back_loses_nothing(tmp_path, capsys):
    with world("postgres", tmp_path) as here:

        def crash():
            for _ in range(10):
                here.saved(30)
                here.cluster.stop()
                here.cluster.start()
            here.saved(30)

        while_saving(here.people, crash)
        here.check(capsys, "10 crashes of the database")


@contextmanager
def small_disk(megabytes):
    """A folder on a disk of its own, which can really be full."""
    # Not below the folders of pytest, which PostgreSQL's own user may not enter.
    folder = Path(tempfile.mkdtemp(prefix="accord-disk-"))
    try:
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)]
        if subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("needs the right to mount a small disk")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=True)
    finally:
        folder.rmdir()


def fill(ballast):
    """Not a byte is left."""
    with suppress(OSError), ballast.open("ab", buffering=0) as file:
        while True:
            file.write(b"0" * 4096)


@pytest.mark.hard
@pytest.mark.parametrize(("database", "megabytes"), [
    ("sqlite", 16), pytest.param("postgres", 160, marks=pytest.mark.postgres),
])  # fmt: skip
def test_a_full_disk_refuses_in_words_and_loses_nothing(tmp_path, database, megabytes, capsys):
    with small_disk(megabytes) as disk, world(database, tmp_path, disk) as here:
        ballast = disk / "ballast"

        def full():
            for _ in range(3):
                here.saved(50)
                fill(ballast)
                refused(here)
                ballast.unlink()
                here.saved(50)

        while_saving(here.people, full)
        here.check(capsys, "disk full 3 times")


def refused(here):
    """Wait until saves are refused for lack of room; what still fits into the files there are is saved."""
    deadline, before = time.monotonic() + 120, len(here.history.events)
    while not any(event.get("status") == UNKNOWN for event in here.history.events[before:]):
        assert time.monotonic() < deadline, "a full disk was not noticed"
        time.sleep(0.05)


class SlowProxy:
    """A bad line: everything arrives late and in small pieces, and every fifth answer never."""

    def __init__(self, target):
        self.target, self.count, self.dropped = target, 0, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with suppress(OSError), client, socket.create_connection(("127.0.0.1", self.target)) as upstream:
            threading.Thread(target=self.pass_on, args=(client, upstream), daemon=True).start()
            self.count += 1
            if self.count % 5 == 0:
                upstream.recv(1)  # the server has answered
                self.dropped += 1
                client.shutdown(socket.SHUT_RDWR)
                return
            self.pass_on(upstream, client)

    def pass_on(self, source, target):
        with suppress(OSError):
            while some := source.recv(200):
                time.sleep(random.uniform(0, 0.03))
                target.sendall(some)


@pytest.mark.hard
@pytest.mark.parametrize("database", DATABASES)
def test_a_slow_line_that_drops_every_fifth_answer_loses_and_doubles_nothing(tmp_path, database, capsys):
    with world(database, tmp_path) as here:
        proxy = SlowProxy(here.server.port)
        for person in here.people:
            person.address = proxy.address
        while_saving(here.people, lambda: here.saved(400))
        proxy.server.close()
        assert proxy.dropped > 20
        here.check(capsys, f"slow line, {proxy.dropped} of {proxy.count} answers dropped")


CLOCK = """
import datetime, os, pathlib
import django.utils.timezone as timezone
_now = timezone.now
def now():
    return _now() + datetime.timedelta(hours=float(pathlib.Path(os.environ["STEPPED_CLOCK"]).read_text()))
timezone.now = now
"""


@pytest.mark.hard
@pytest.mark.parametrize("database", DATABASES)
def test_a_clock_that_steps_by_hours_changes_nothing_about_what_counts(tmp_path, database, capsys):
    """The clock of the server's processes, as that of the machine is everybody's."""
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock" / "sitecustomize.py").write_text(CLOCK)
    hours = tmp_path / "hours"
    hours.write_text("0")
    env = {"PYTHONPATH": str(tmp_path / "clock"), "STEPPED_CLOCK": str(hours)}
    with world(database, tmp_path, env=env) as here:

        def step():
            for ahead in (5, -7, 48, -30, 0.5, -0.01, 0):
                here.saved(30)
                written = hours.with_suffix(".new")
                written.write_text(str(ahead))
                written.rename(hours)
            here.saved(30)

        while_saving(here.people, step)
        here.check(capsys, "7 steps of the clock")
        received = [row["received_at"] for row in here.server.export("--judgements")]
        assert received != sorted(received), "the clock was stepped"


LOAD_RATERS = int(os.environ.get("ACCORD_LOAD_RATERS", "200"))
LOAD_EVERY = float(os.environ.get("ACCORD_LOAD_EVERY", "2"))
LOAD_SECONDS = int(os.environ.get("ACCORD_LOAD_SECONDS", "60"))


@pytest.mark.hard
@pytest.mark.parametrize("database", DATABASES)
def test_two_hundred_raters_save_every_two_seconds_without_an_error(tmp_path, database, capsys):
    """Times are printed, not judged: they say as much of the machine as of the server."""
    with own_postgres() if database == "postgres" else nullcontext("") as address:
        server, history = (
            Served(make_study(tmp_path / "study"), workers=2, env={"ACCORD_DATABASE_URL": address}),
            History(),
        )
        try:
            people = [Person(server.address, link, history) for link in server.invite(LOAD_RATERS)]
            for person in people:
                person.save()
            times, errors = saved_in_turn(people)
            assert errors == []
            assert complaints(history, server.export("--judgements")) == []
        finally:
            server.stop()
    times.sort()
    with capsys.disabled():
        print(
            f"\n{database}: {len(times):,} saves of {len(people)} raters in {LOAD_SECONDS} s, no error, median "
            f"{statistics.median(times) * 1000:.0f} ms, p99 {times[int(len(times) * 0.99)] * 1000:.0f} ms"
        )


def saved_in_turn(people):
    """Each saves every so many seconds, evenly spread; how long it took, what went wrong."""
    times, errors = [], []

    def save(person):
        start = time.monotonic()
        try:
            person.save()
        except Exception as error:
            errors.append(repr(error))
        times.append(time.monotonic() - start)

    start = time.monotonic()
    with ThreadPoolExecutor(64) as pool:
        for turn in range(int(LOAD_SECONDS / LOAD_EVERY)):
            for place, person in enumerate(people):
                time.sleep(max(0.0, start + LOAD_EVERY * (turn + place / len(people)) - time.monotonic()))
                pool.submit(save, person)
    return times, errors
