"""Pages are made in a process beside the one that saves: asked and answered as the application itself would be."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from served_study import Served, make_study

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere pages are made in the process that saves")

PATIENCE = 300
"""Seconds that only end a wait which would never end: on a busy machine all takes longer, and passes."""


BEGIN = """
import io, json, os, signal, sys, time
from accord.server.pages import OPENED, beside

def application(environ, start):
    body = environ["wsgi.input"].read()
    if environ["PATH_INFO"] == "/broken":
        start("200 OK", [])
        yield b"half"
        raise ValueError("it broke half-way")
    environ[OPENED] = ("folder", 7)
    start("200 OK", [("X-Process", str(os.getpid())), ("X-Nice", str(os.nice(0)))])
    yield environ["PATH_INFO"].encode()
    yield body

noted = []
asked = beside(application, 1, noted.append)

def answer(path, body=b""):
    told = []
    environ = {"PATH_INFO": path, "wsgi.input": io.BytesIO(body), "wsgi.errors": sys.stderr}
    chunks = asked(environ, lambda status, headers, error=None: told.extend([status, dict(headers)]))
    return list(chunks), told

def show(what):
    print(json.dumps(what, default=lambda b: b.decode()), flush=True)
"""


def told_by(*lines):
    """What a program says that divides itself in two and goes on with these lines."""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([BEGIN, *lines])], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_it_answers_as_the_application_would_in_another_process_that_gives_way():
    chunks, (status, headers), noted, own, nice = told_by(
        "chunks, told = answer('/page', b'x' * 3_000_000)",
        "show([len(b''.join(chunks)), chunks[0]])",
        "show(told)", "show(noted)", "show(os.getpid())", "show(os.nice(0))",
    )  # fmt: skip
    assert chunks == [3_000_005, "/page"] and status == "200 OK"
    assert int(headers["X-Process"]) != own and int(headers["X-Nice"]) == min(nice + 5, 19)
    assert noted == [["folder", 7]]


def test_what_fails_there_fails_here_with_its_traceback_and_harms_no_other():
    failure, after = told_by(
        "try:",
        "    answer('/broken')",
        "except Exception as error:",
        "    show(str(error))",
        "show(answer('/page')[0])",
    )
    assert "it broke half-way" in failure and "Traceback" in failure
    assert after == ["/page", ""]


def test_an_answer_that_is_not_read_to_its_end_is_not_given_to_the_next():
    assert told_by(
        "environ = {'PATH_INFO': '/first', 'wsgi.input': io.BytesIO(b'rest'), 'wsgi.errors': sys.stderr}",
        "chunks = asked(environ, lambda *_: None)",
        "next(chunks)",
        "chunks.close()",
        "show(answer('/second')[0])",
    ) == [["/second", ""]]


def test_signals_to_the_group_are_for_the_first_process():
    assert told_by(
        "pid = int(answer('/page')[1][1]['X-Process'])",
        "os.kill(pid, signal.SIGTERM)",
        "os.kill(pid, signal.SIGINT)",
        "show(answer('/page')[0])",
    ) == [["/page", ""]]


def test_when_the_other_process_is_gone_this_one_ends_too_and_is_started_anew():
    assert told_by(
        "signal.signal(signal.SIGTERM, lambda *_: show('asked to end'))",
        "os.kill(int(answer('/page')[1][1]['X-Process']), signal.SIGKILL)",
        "try:",
        "    answer('/page')",
        "except (EOFError, OSError):",
        "    show('not answered')",
    ) == ["asked to end", "not answered"]


def test_the_other_process_ends_with_the_first():
    lines = [BEGIN, "show(answer('/page')[1][1]['X-Process'])", "time.sleep(60)"]
    first = subprocess.Popen([sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, text=True)
    with first:
        other = Path("/proc") / json.loads(first.stdout.readline())
        assert other.exists()
        first.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE
    while other.exists() and (other / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < deadline, "it is still there"
        time.sleep(0.05)


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def answers(server):
    try:
        with urllib.request.urlopen(f"{server.address}/health", timeout=60) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_a_server_whose_page_process_was_killed_answers_again(tmp_path):
    """The worker ends, and the server starts another, as it does when a worker itself is killed."""
    server = Served(make_study(tmp_path / "study"))
    try:
        (worker,) = children(server.process.pid)
        (pages,) = children(worker)
        os.kill(pages, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while not answers(server) or children(server.process.pid) == [worker]:
            assert time.monotonic() < deadline, server.output
            time.sleep(0.1)
    finally:
        server.stop()


def test_a_study_that_another_process_opened_is_known_here(collecting, tmp_path, monkeypatch):
    """Pages are made in a process of their own, which opens studies; the one that saves is told."""
    from django.conf import settings

    from accord.server.workspace import studies

    monkeypatch.setattr(settings, "WORKSPACE_FOLDER", tmp_path)
    make_study(tmp_path / "one")
    assert studies.opened_before("one") is None
    studies.note_opened((str(tmp_path / "one"), 0))
    assert studies.opened_before("one") == studies.place_of("one")
    studies.mark_created(tmp_path / "one", "ana", "now")  # another study in the same folder: it must be opened first
    assert studies.opened_before("one") is None
