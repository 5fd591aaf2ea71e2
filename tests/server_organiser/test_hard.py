"""The long suite: faults and load on a real server; run by ./test --hard, results in docs/reliability.md."""

import http.client
import json
import os
import random
import resource
import socket
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from organised_study import STUDY, write_study
from served_study import Served, free_port

LOAD_SECONDS = int(os.environ.get("ACCORD_LOAD_SECONDS", "300"))
LOAD_RATERS = int(os.environ.get("ACCORD_LOAD_RATERS", "1000"))
LOAD_EVERY = float(os.environ.get("ACCORD_LOAD_EVERY", "25"))
KILLS = int(os.environ.get("ACCORD_KILLS", "100"))


class Program:
    """A rater's program: saves by a token, and repeats a request until it is acknowledged."""

    def __init__(self, port, token, tasks):
        self.port, self.token, self.tasks = port, token, tasks
        self.revision = 0
        self.connection = None

    def entry(self):
        self.revision += 1
        return {"uuid": str(uuid4()), "task": random.choice(self.tasks), "criterion": "quality", "place": 0,
                "value": self.revision % 101, "revision": self.revision}  # fmt: skip

    def send(self, entries, timeout=10):
        """The status of each entry; raises what the network raises."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
            self.connection.request("POST", "/api/v1/judgements", json.dumps({"entries": entries}), headers)
            answer = self.connection.getresponse()
            body = answer.read()
        except BaseException:
            self.close()
            raise
        if answer.status != 200:
            raise ConnectionError(f"{answer.status} {body[:80]!r}")
        return [one["status"] for one in json.loads(body)["results"]]

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


@pytest.fixture
def study(django_on, tmp_path):
    """A folder with four raters, and their programs."""
    folder = django_on(write_study(tmp_path / "study"))
    return folder, programs(4)


def programs(number):
    from accord.server.api.tokens import make_token
    from accord.server.invitations import invite_raters

    made = []
    for rater, _ in invite_raters(number):
        tasks = list(rater.tasks.exclude(role="practice").values_list("pk", flat=True))
        made.append((make_token("rater", "hard", rater)[1], tasks))
    return made


def kept_uuids():
    from accord.server.models import Judgement

    return [str(uuid) for uuid in Judgement.objects.values_list("uuid", flat=True)]


def save_until(stop, program, acknowledged, pause=0.0):
    """Save on and on; an entry that was not acknowledged is sent again, as the browser's queue does."""
    waiting = None
    while not stop.is_set():
        waiting = waiting or program.entry()
        try:
            if program.send([waiting]) == ["saved"]:
                acknowledged.append(waiting["uuid"])
                waiting = None
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            time.sleep(0.05)
        time.sleep(pause)


def under_load(server, known, acknowledged, act):
    """Run something while all programs save."""
    stop = threading.Event()
    clients = [Program(server.port, token, tasks) for token, tasks in known]
    threads = [threading.Thread(target=save_until, args=(stop, client, acknowledged)) for client in clients]
    for thread in threads:
        thread.start()
    try:
        act()
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
        for client in clients:
            client.close()


def assert_safe(acknowledged, least):
    kept = kept_uuids()
    assert len(acknowledged) >= least
    assert set(acknowledged) <= set(kept), "something acknowledged is lost"
    assert len(kept) == len(set(kept)), "something is counted twice"


@pytest.mark.hard
def test_nothing_acknowledged_is_lost_in_a_hundred_kills_under_load(study, capsys):
    folder, known = study
    server = Served(folder)
    acknowledged = []

    def kills():
        for _ in range(KILLS):
            time.sleep(random.uniform(0.05, 0.8))
            server.kill()
            server.start()

    try:
        under_load(server, known, acknowledged, kills)
    finally:
        server.stop()
    assert_safe(acknowledged, KILLS)
    with capsys.disabled():
        print(f"\n{KILLS} kills, {len(acknowledged):,} acknowledged, {len(kept_uuids()):,} kept")


@pytest.mark.hard
def test_a_full_disk_refuses_and_loses_nothing(study, capsys):
    """The files of the server may not grow: every save fails until there is room again."""
    folder, known = study
    server = Served(folder)
    acknowledged = []
    try:
        under_load(server, known, acknowledged, lambda: time.sleep(3))
        before = len(acknowledged)
        pids = family(server.process.pid)
        for pid in pids:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (1_000, resource.RLIM_INFINITY))
        refused = try_in_vain(server.port, known[0])
        for pid in pids:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        under_load(server, known, acknowledged, lambda: time.sleep(4))
    finally:
        server.stop()
    assert_safe(acknowledged, 10)
    assert refused == 4, "nothing is acknowledged that could not be written"
    assert len(acknowledged) > before, "saving goes on as soon as there is room"
    with capsys.disabled():
        print(f"\ndisk full: {before} saved before, {refused} of 4 refused, {len(acknowledged) - before} afterwards")


def try_in_vain(port, known):
    """A few saves, as many as the unread pipe of the server's log holds; returns how many were refused."""
    program, refused = Program(port, *known), 0
    for _ in range(4):
        try:
            program.send([program.entry()])
        except (OSError, http.client.HTTPException):
            refused += 1
    program.close()
    return refused


def family(pid):
    """The process and its children, whichever thread started them."""
    children = [one for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()]
    return [pid, *(child for one in children for child in family(int(one)))]


class DroppingProxy:
    """Hands requests on, and throws every fifth answer away after the server has given it."""

    def __init__(self, target):
        self.target, self.count, self.dropped = target, 0, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self.target)) as upstream:
            while request := self.message(client):
                upstream.sendall(request)
                answer = self.message(upstream)
                self.count += 1
                if self.count % 5 == 0:
                    self.dropped += 1
                    return
                client.sendall(answer)

    def message(self, source):
        """One HTTP message with a Content-Length."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = source.recv(65536)
            if not more:
                return b""
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
        )
        while len(body) < length:
            body += source.recv(65536)
        return head + b"\r\n\r\n" + body


@pytest.mark.hard
def test_a_proxy_that_drops_every_fifth_answer_loses_and_doubles_nothing(study, capsys):
    folder, known = study
    server = Served(folder)
    proxy = DroppingProxy(server.port)
    acknowledged = []
    try:
        through = type("Through", (), {"port": proxy.port})
        under_load(through, known, acknowledged, lambda: time.sleep(20))
    finally:
        server.stop()
        proxy.server.close()
    assert proxy.dropped > 20
    assert_safe(acknowledged, 100)
    assert len(set(kept_uuids()) - set(acknowledged)) <= len(known), "each program has one request open at the end"
    with capsys.disabled():
        print(f"\nproxy: {proxy.dropped:,} of {proxy.count:,} answers dropped, {len(acknowledged):,} acknowledged")


@pytest.mark.hard
def test_doubled_and_reordered_requests_end_in_the_last_revision(study):
    from accord.server.models import Task
    from accord.server.progress import current_judgements

    folder, known = study
    server = Served(folder)
    sent = {}
    try:
        for token, tasks in known:
            program = Program(server.port, token, tasks)
            entries = [program.entry() for _ in range(300)]
            for entry in entries:
                if entry["revision"] > sent.get(entry["task"], {"revision": 0})["revision"]:
                    sent[entry["task"]] = entry
            posted = entries * 3
            random.shuffle(posted)
            with ThreadPoolExecutor(4) as pool:
                parts = [posted[place::4] for place in range(4)]
                list(pool.map(lambda part, token=token: send_all(server.port, token, part), parts))
    finally:
        server.stop()
    current = current_judgements(Task.objects.all())
    assert {task: row.value for (task, _, _), row in current.items()} == {t: e["value"] for t, e in sent.items()}
    assert len(kept_uuids()) == len(set(kept_uuids())) == 300 * len(known)


def send_all(port, token, entries):
    program = Program(port, token, [])
    for start in range(0, len(entries), 10):
        assert set(program.send(entries[start : start + 10])) == {"saved"}
    program.close()


@pytest.mark.hard
def test_a_thousand_raters_save_every_25_seconds_with_the_dashboard_open(django_on, tmp_path, capsys):
    """No error, the slowest of a hundred under half a second, and memory that does not grow."""
    settings = STUDY.replace("raters = 6", f"raters = {LOAD_RATERS}").replace(
        "raters = 3", f"raters = {LOAD_RATERS // 2}"
    )
    folder = django_on(write_study(tmp_path / "study", settings))
    people, organiser = sessions(LOAD_RATERS)
    server = Served(folder, workers=2)
    times, errors, sizes, dashboards = [], [], [], []
    for turn in range(20):
        # Every worker has answered once before the clock starts: a cold start is another measurement.
        save_once(server.port, people[turn % len(people)], 1_000 + turn, [], errors)
    stop = threading.Event()
    watcher = threading.Thread(target=watch, args=(server, organiser, stop, dashboards, sizes, errors))
    watcher.start()
    try:
        with ThreadPoolExecutor(64) as pool:
            start = time.monotonic()
            for turn in range(max(1, int(LOAD_SECONDS / LOAD_EVERY))):
                for place, person in enumerate(people):
                    due = start + LOAD_EVERY * (turn + place / len(people))
                    time.sleep(max(0.0, due - time.monotonic()))
                    pool.submit(save_once, server.port, person, turn, times, errors)
    finally:
        stop.set()
        watcher.join(60)
        server.stop()
    times.sort()
    p99 = times[int(len(times) * 0.99)]
    quarter = max(1, len(sizes) // 4)
    growth = statistics.median(sizes[-quarter:]) / statistics.median(sizes[quarter : 2 * quarter] or sizes)
    with capsys.disabled():
        print(
            f"\nload: {len(times):,} saves of {len(people):,} raters in {LOAD_SECONDS} s, {len(errors)} errors, median "
            f"{statistics.median(times) * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms; dashboard median "
            f"{statistics.median(dashboards) * 1000:.0f} ms; memory {sizes[0]:.0f} to {sizes[-1]:.0f} MB "
            f"(last quarter / second quarter {growth:.2f})"
        )
    assert errors == []
    assert len(kept_uuids()) == len(times) + 20
    assert p99 < 0.5
    assert growth < 1.15


def sessions(number):
    """Cookies of so many raters and of an organiser, as if they had come in by their links."""
    from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
    from django.contrib.sessions.backends.db import SessionStore
    from django.utils import timezone

    from accord.server.invitations import invite_raters
    from accord.server.models import Rater

    people = []
    for rater, _ in invite_raters(number):
        session = SessionStore()
        session["rater"] = rater.pk
        session.save()
        people.append((session.session_key, list(rater.tasks.values_list("pk", flat=True))))
    Rater.objects.update(started_at=timezone.now(), guidelines_read=1, state="active")
    user = get_user_model().objects.create_user(username="watcher", password=uuid4().hex)
    session = SessionStore()
    session[SESSION_KEY], session["_auth_user_backend"] = str(user.pk), "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return people, session.session_key


def save_once(port, person, turn, times, errors):
    key, tasks = person
    csrf = "a" * 32
    entry = {"uuid": str(uuid4()), "kind": "judgement", "task": tasks[turn % len(tasks)], "criterion": "quality",
             "place": 0, "value": turn % 101, "seconds": 12.5}  # fmt: skip
    start = time.monotonic()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {"Cookie": f"accord_session={key}; accord_csrf={csrf}", "X-CSRFToken": csrf,
                   "Content-Type": "application/json"}  # fmt: skip
        connection.request("POST", "/save", json.dumps({"entries": [entry]}), headers)
        answer = connection.getresponse()
        told = answer.read()
        connection.close()
        if answer.status != 200 or b'"saved"' not in told:
            errors.append((answer.status, told[:100]))
    except OSError as error:
        errors.append(repr(error))
    times.append(time.monotonic() - start)


def watch(server, key, stop, dashboards, sizes, errors):
    """An open dashboard: its parts every five seconds; the memory of the server beside it."""
    while not stop.is_set():
        start = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request("GET", "/organiser/live", headers={"Cookie": f"accord_session={key}"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                errors.append(("dashboard", answer.status))
            connection.close()
        except OSError as error:
            errors.append(("dashboard", repr(error)))
        dashboards.append(time.monotonic() - start)
        sizes.append(sum(resident(pid) for pid in served_by(server)))
        stop.wait(5)


def served_by(server):
    """The server and its workers; the process that computes comes and goes and is not counted."""
    own = [server.process.pid, *(int(child) for child in family(server.process.pid)[1:])]
    return [pid for pid in own if "background" not in command(pid)]


def command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return "background"


def resident(pid):
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 1e6


@pytest.mark.hard
@pytest.mark.postgres
def test_a_restarted_database_loses_nothing(tmp_path, capsys):
    """PostgreSQL is stopped and started in mid load; raters' programs send again what was not acknowledged."""
    import shutil
    import subprocess
    import tempfile

    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not tools:
        pytest.skip("needs PostgreSQL's own programs under /usr/lib/postgresql")
    home, port = Path(tempfile.mkdtemp(prefix="accord-pg-")), free_port()
    shutil.chown(home, "postgres")

    def run(program, *arguments):
        line = ["runuser", "-u", "postgres", "--", tools[-1] / program, *arguments]
        subprocess.run([str(part) for part in line], check=True, capture_output=True, cwd="/", timeout=60)

    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home}"
    run("initdb", "-D", home / "data", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    start = ("-D", home / "data", "-o", options, "-l", home / "log", "-w", "start")
    run("pg_ctl", *start)
    environment = {"ACCORD_DATABASE_URL": f"postgres://postgres@127.0.0.1:{port}/postgres"}
    folder = write_study(tmp_path / "study")
    server = Served(folder, env=environment)
    acknowledged = []
    try:
        known = tokens_by_command(folder, environment)

        def restarts():
            for _ in range(3):
                time.sleep(2)
                run("pg_ctl", "-D", home / "data", "-m", "immediate", "-w", "stop")
                run("pg_ctl", *start)
            time.sleep(3)

        under_load(server, known, acknowledged, restarts)
        kept = [row["uuid"] for row in server.export("--judgements")]
    finally:
        server.stop()
        run("pg_ctl", "-D", home / "data", "-m", "immediate", "stop")
        shutil.rmtree(home)
    assert len(acknowledged) > 50 and set(acknowledged) <= set(kept) and len(kept) == len(set(kept))
    with capsys.disabled():
        print(f"\ndatabase restarted 3 times, {len(acknowledged):,} acknowledged, {len(kept):,} kept")


def tokens_by_command(folder, environment):
    from served_study import accord

    accord("invite", folder, 2, env=environment)
    made = []
    for name in ("R1", "R4"):
        token = accord("token", folder, "--rater", name, env=environment).stdout.strip()
        made.append((token, list(range(1 if name == "R1" else 28, 20 if name == "R1" else 50))))
    return made
