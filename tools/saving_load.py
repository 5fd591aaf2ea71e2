"""How many saves a second a server takes, and how long they wait: docs/reliability.md.

.venv/bin/python tools/saving_load.py --database sqlite --rates 200 500 1000 --seconds 30

Saves arrive at random moments, whatever became of those before; the time of each counts from the moment it should have
been sent. Load, server, database and an open dashboard share the machine. Every request and answer is written down and
replayed against the export.
"""

import argparse
import json
import os
import random
import selectors
import socket
import sys
import tempfile
import threading
import time
from collections import deque
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parent)]

from capacity_study import processor_seconds  # noqa: E402

from organised_study import STUDY, write_study  # noqa: E402
from own_postgres import own_postgres  # noqa: E402
from saved_history import SAVED, UNKNOWN, History, complaints  # noqa: E402
from served_study import Served  # noqa: E402

RATERS = 1_000
TOKEN = "a" * 32


def request_of(person: tuple[str, list[int]], revision: int) -> tuple[dict[str, Any], bytes]:
    """An entry, and the bytes that a browser sends."""
    key, tasks = person
    entry = {"uuid": str(uuid4()), "kind": "judgement", "task": tasks[revision % len(tasks)], "criterion": "quality",
             "place": 0, "value": revision % 101, "revision": revision, "seconds": 12.5}  # fmt: skip
    body = json.dumps({"entries": [entry]})
    head = (
        f"POST /save HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: accord_session={key}; accord_csrf={TOKEN}\r\n"
        f"X-CSRFToken: {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return entry, (head + body).encode()


class Line:
    """A connection of a browser: one request at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.due, self.late, self.uuid, self.got = 0.0, 0.0, "", b""

    def send(self, due: float, uuid: str, request: bytes) -> None:
        self.due, self.uuid, self.got = due, uuid, b""
        self.socket.sendall(request)

    def answer(self) -> str | None:
        """What it was told, once it is there."""
        some = self.socket.recv(65536)
        self.got += some
        head, end, body = self.got.partition(b"\r\n\r\n")
        if not some:
            return UNKNOWN
        if not end:
            return None
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(body) < length:
            return None
        return str(json.loads(body)["results"][0]["status"]) if b" 200 " in head[:16] else UNKNOWN


def load(port: int, people: list[Any], rate: float, seconds: float, first: int, seed: int, pipe: Any) -> None:
    """In a process of its own: send, receive, write down when each save was due, how late it left, how long it took."""
    draw = random.Random(seed)
    history, times, revision = History(), [], first
    free: deque[Line] = deque(Line(port) for _ in range(32))
    watching, busy = selectors.DefaultSelector(), 0
    due = start = time.monotonic()
    while due < start + seconds or busy:
        now = time.monotonic()
        while due <= now and due < start + seconds:
            revision += 1
            entry, request = request_of(people[revision % len(people)], revision)
            line = free.popleft() if free else Line(port)
            history.sent(entry)
            line.send(due, entry["uuid"], request)
            line.late = time.monotonic() - due
            watching.register(line.socket, selectors.EVENT_READ, line)
            busy += 1
            due += draw.expovariate(rate)
        wait = due - time.monotonic() if due < start + seconds else 1.0
        for key, _ in watching.select(max(0.0, wait)):
            line = key.data
            if (told := line.answer()) is None:
                continue
            times.append((line.due, line.late, time.monotonic() - line.due))
            history.answered(line.uuid, told)
            watching.unregister(line.socket)
            busy -= 1
            if told != UNKNOWN:
                free.append(line)
    pipe.send((times, history.events))


def run(server: Served, people: list[Any], rate: float, seconds: float, first: int) -> tuple[list[Any], list[Any]]:
    pipe, other = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=load, args=(server.port, people, rate, seconds, first, first, other))
    process.start()
    other.close()  # or a process that failed would be waited for without end
    told: tuple[list[Any], list[Any]] = pipe.recv()
    process.join()
    return told


def measured(server: Served, people: list[Any], organiser: str, options: argparse.Namespace) -> History:
    """One line for each rate."""
    from server_organiser.test_hard import watch

    whole, stop, seen, errors = History(), threading.Event(), [0.0], []
    watcher = threading.Thread(target=watch, args=(server, organiser, stop, seen, [], errors))
    watcher.start()
    try:
        # A cold start is another measurement.
        whole.events += run(server, people, 50, 8, 0)[1]
        for number, rate in enumerate(options.rates, 1):
            begin, first = processor_seconds(server.process.pid), len(seen) - 1
            times, events = run(server, people, rate, options.seconds, number * 1_000_000)
            spent = processor_seconds(server.process.pid) - begin
            whole.events += events
            answers = [event for event in events if event["event"] == "answered"]
            failed = sum(event["status"] != SAVED for event in answers)
            due, late, took = np.array(times).T
            middle, high, top = np.quantile(took, [0.5, 0.99, 0.999]) * 1000
            if options.waits:
                with Path(options.waits).open("ab") as file:
                    np.savetxt(file, np.column_stack((np.full(len(due), rate), due - due.min(), late, took)), "%.6f")
            print(
                f"{options.database}, {options.workers} workers, {rate:,.0f} a second for {options.seconds:.0f} s: "
                f"{len(answers):,} saves, {failed} not saved, median {middle:.0f} ms, p99 {high:.0f} ms, "
                f"p99.9 {top:.0f} ms, p99 of leaving {np.quantile(late, 0.99) * 1000:.0f} ms; "
                f"server {spent / len(answers) * 1000:.2f} ms a save, "
                f"dashboard {np.median(seen[first:]) * 1000:.0f} ms; load average {os.getloadavg()[0]:.1f}",
                flush=True,
            )
    finally:
        stop.set()
        watcher.join()
    if errors:
        print(f"the dashboard failed {len(errors)} times: {errors[0]}")
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--rates", type=float, nargs="+", default=[100, 300, 500, 1000, 1500])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--waits", help="a file for the rate, moment, lateness and time of each save")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as scratch,
        own_postgres() if options.database == "postgres" else nullcontext("") as address,
    ):
        os.environ.pop("ACCORD_DATABASE_URL", None)
        if address:
            os.environ["ACCORD_DATABASE_URL"] = address
        from accord.server.connect import connect, prepare

        settings = STUDY.replace("raters = 6", f"raters = {RATERS}").replace("raters = 3", f"raters = {RATERS // 2}")
        folder = write_study(Path(scratch) / "study", settings)
        connect(folder)
        prepare()
        from django.db import connections

        from server_organiser.test_hard import sessions

        people, organiser = sessions(RATERS)
        connections.close_all()
        server = Served(folder, workers=options.workers)
        try:
            history = measured(server, people, organiser, options)
            found = complaints(history, server.export("--judgements"))
        finally:
            server.stop()
    print("\n".join(found[:20]) or f"{history.acknowledged:,} acknowledged: nothing lost, nothing twice")


if __name__ == "__main__":
    main()
