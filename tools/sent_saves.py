"""Saves that leave at moments drawn beforehand, whatever became of those before: the load of tools/saving_load.py.

Every request is made before the first one leaves and every answer is read apart after the last one came, so that the
load takes little of the processor it shares with the server: what is sent late is the fault of no server.
"""

import json
import random
import resource
import select
import socket
import time
from collections import deque
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any
from uuid import UUID

import numpy as np

from saved_history import UNKNOWN, History

__all__ = ["Sent", "run"]

TOKEN = "a" * 32
FIRST_LINES = 64
"""Connections that are open from the start, as those of browsers are; more are opened when all are busy."""
LONGEST_WAIT = 30.0
"""Seconds after which an answer is no longer waited for: the run ends by itself, and tells that it is missing."""


@dataclass
class Sent:
    """A run: of each save when it was due, how late it left and how long it took from when it was due, in seconds."""

    due: np.ndarray
    late: np.ndarray
    took: np.ndarray
    events: list[dict[str, Any]]
    processor: float
    """Seconds of the processor that the load took while it ran."""


@dataclass(slots=True)
class Line:
    """A connection of a browser: one request at a time."""

    socket: socket.socket
    number: int = -1
    got: bytes = b""


@dataclass
class Plan:
    """All that will be sent, and when."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    requests: list[bytes] = field(default_factory=list)
    due: list[float] = field(default_factory=list)


def planned(people: list[Any], rate: float, seconds: float, first: int) -> Plan:
    """Saves at random moments, of one rater after the other."""
    draw, plan, at, revision = random.Random(first), Plan(), 0.0, first
    while (at := at + draw.expovariate(rate)) < seconds:
        revision += 1
        key, tasks = people[revision % len(people)]
        uuid = UUID(int=draw.getrandbits(128), version=4)
        entry = {"uuid": str(uuid), "kind": "judgement", "task": tasks[revision % len(tasks)], "criterion": "quality",
                 "place": 0, "value": revision % 101, "revision": revision, "seconds": 12.5}  # fmt: skip
        body = json.dumps({"entries": [entry]})
        head = (
            f"POST /save HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: accord_session={key}; accord_csrf={TOKEN}\r\n"
            f"X-CSRFToken: {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        plan.entries.append(entry)
        plan.requests.append((head + body).encode())
        plan.due.append(at)
    return plan


class Load:
    """Sends what is planned and keeps each answer as it came."""

    def __init__(self, port: int, plan: Plan) -> None:
        self.port, self.plan = port, plan
        self.left, self.ended = [0.0] * len(plan.due), [0.0] * len(plan.due)
        self.answers = [b""] * len(plan.due)
        self.order: list[tuple[bool, int]] = []
        """What happened one after the other: whether it was an answer, and to which request."""
        self.by_file: dict[int, Line] = {}
        self.watching = select.epoll()
        self.free: deque[Line] = deque()
        for _ in range(FIRST_LINES):
            self.free.append(self.open())

    def open(self) -> Line:
        line = Line(socket.create_connection(("127.0.0.1", self.port)))
        line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.by_file[line.socket.fileno()] = line
        self.watching.register(line.socket.fileno(), select.EPOLLIN)
        return line

    def run(self) -> None:
        due, now = self.plan.due, time.monotonic
        start, number, busy = now(), 0, 0
        while number < len(due) or busy:
            while number < len(due) and due[number] <= now() - start:
                self.send(number)
                self.left[number] = now() - start
                number, busy = number + 1, busy + 1
            wait = due[number] - (now() - start) if number < len(due) else LONGEST_WAIT
            found = self.watching.poll(max(0.0, wait))
            if not found and number == len(due):
                return
            for file, _ in found:
                busy -= self.received(self.by_file[file], now() - start)

    def send(self, number: int) -> None:
        line = self.free.popleft() if self.free else self.open()
        line.number, line.got = number, b""
        self.order.append((False, number))
        line.socket.sendall(self.plan.requests[number])

    def received(self, line: Line, at: float) -> bool:
        """Whether the answer is whole, or will not come."""
        some = line.socket.recv(65536)
        line.got += some
        if some and not _is_whole(line.got):
            return False
        if line.number >= 0:
            self.answers[line.number], self.ended[line.number] = line.got, at
            self.order.append((True, line.number))
        was_waited_for, line.number = line.number >= 0, -1
        if some:
            self.free.append(line)
        else:
            self.watching.unregister(line.socket.fileno())
            del self.by_file[line.socket.fileno()]
            line.socket.close()
            if line in self.free:
                self.free.remove(line)
        return was_waited_for

    def told(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """The moments, and every request and answer in the order in which they came."""
        history = History()
        for is_answer, number in self.order:
            entry = self.plan.entries[number]
            if is_answer:
                history.answered(entry["uuid"], _status(self.answers[number]))
            else:
                history.sent(entry)
        due, left, ended = np.array(self.plan.due), np.array(self.left), np.array(self.ended)
        ended[ended == 0.0] = np.inf
        return due, left - due, ended - due, history.events


def _is_whole(got: bytes) -> bool:
    head, end, body = got.partition(b"\r\n\r\n")
    return bool(end) and len(body) >= int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


def _status(answer: bytes) -> str:
    head, _, body = answer.partition(b"\r\n\r\n")
    return str(json.loads(body)["results"][0]["status"]) if b" 200 " in head[:16] else UNKNOWN


def _load(port: int, people: list[Any], rate: float, seconds: float, first: int, pipe: Any) -> None:
    load = Load(port, planned(people, rate, seconds, first))
    before = _processor()
    load.run()
    processor = _processor() - before
    pipe.send((*load.told(), processor))


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def run(port: int, people: list[Any], rate: float, seconds: float, first: int) -> Sent:
    """In a process of its own, as browsers are elsewhere."""
    pipe, other = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_load, args=(port, people, rate, seconds, first, other))
    process.start()
    other.close()  # or a process that failed would be waited for without end
    sent = Sent(*pipe.recv())
    process.join()
    return sent
