"""What a save and a page cost on a real server, and what that means for many raters: docs/explanation/capacity.md.

Run it on a quiet machine: .venv/bin/python tools/capacity_study.py. Processor time is measured, not waiting; then
arrivals are simulated against it. Saves that wait together are committed together: a commit costs something of its own,
and something for each save in it. Both are found from saves that come alone and from more saves than a server takes.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parent)]

from accord.server.group_commit import APART, APART_EACH, MOST  # noqa: E402
from own_postgres import own_postgres  # noqa: E402
from saving_people import Person  # noqa: E402
from served_study import Served, make_study  # noqa: E402

SAVES, PAGES = 400, 60
FLOOD, FLOOD_SECONDS = 3_000, 6
EVERY = 25.0
"""Seconds between two saves of a rater."""
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(parent: int) -> float:
    """Of a process and all its children."""
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == parent or int(fields[1]) == parent:
            total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


def measured(database: str) -> dict[str, float]:
    """Milliseconds of the server's processor for a save alone, for one among many, and for the rater's page."""
    with tempfile.TemporaryDirectory() as scratch:
        env = {"ACCORD_DATABASE_URL": database} if database else {}
        server = Served(make_study(Path(scratch) / "study"), env=env)
        try:
            person = Person(server.address, server.invite(1)[0])
            for _ in range(50):
                person.save()
            start = processor_seconds(server.process.pid)
            for _ in range(SAVES):
                person.save()
            middle = processor_seconds(server.process.pid)
            for _ in range(PAGES):
                person.get(f"{server.address}/work")
            end = processor_seconds(server.process.pid)
            flooded = flood(server, person)
            last = processor_seconds(server.process.pid)
        finally:
            server.stop()
    save, page = (middle - start) / SAVES * 1000, (end - middle) / PAGES * 1000
    return {"save": save, "page": page, "together": (last - end) / flooded * 1000}


def flood(server: Served, person: Person) -> int:
    """More saves than the server takes; returns how many there were."""
    from sent_saves import run

    session = next(cookie.value for cookie in person.jar if cookie.name == "accord_session")
    return len(run(server.port, [(session, person.tasks)], FLOOD, FLOOD_SECONDS, 1_000_000).due)


def waits(
    per_second: float, alone: float, each: float, cores: int, rng: np.random.Generator, number: int = 100_000
) -> np.ndarray:
    """Milliseconds from arrival to answer: arrivals at random, a writer a core, who takes all that wait for it.

    A commit of n saves takes ``alone - each + n * each``, varied by a third.
    """
    arrivals = np.cumsum(rng.exponential(1000 / per_second, number))
    took = np.empty(number)
    for core in range(cores):
        own = np.arange(core, number, cores)
        free, place = 0.0, 0
        while place < len(own):
            begin = max(free, arrivals[own[place]])
            waiting = int(np.searchsorted(arrivals[own[place : place + MOST]], begin, side="right"))
            some = own[place : place + waiting]
            end = begin + rng.gamma(9, (alone + (len(some) - 1) * each) / 9)
            took[some] = end - arrivals[some]
            pause = 1000 * min(APART, len(some) * APART_EACH) if len(some) > 1 else 0.0
            free = max(end, begin + pause)
            place += len(some)
    return took[number // 10 :]


def main() -> None:
    with own_postgres() as address:
        costs = {"SQLite": measured(""), "PostgreSQL": measured(address)}
    print(f"load average {os.getloadavg()[0]:.1f}\n")
    for name, cost in costs.items():
        print(f"| {name} | {cost['save']:.1f} ms | {cost['together']:.2f} ms | {cost['page']:.1f} ms |")
    rng = np.random.default_rng(1)
    print("\n| cores | saves a second | raters at once | of what they take | median | 99 of 100 under |")
    print("|---|---|---|---|---|---|")
    alone, together = costs["SQLite"]["save"], costs["SQLite"]["together"]
    each = max(0.0, (MOST * together - alone) / (MOST - 1))
    for cores in (2, 4, 8, 16):
        for busy in (0.3, 0.6, 0.8, 0.9):
            rate = busy * cores * 1000 / together
            took = waits(rate, alone, each, cores, rng)
            low, high = np.quantile(took, [0.5, 0.99])
            print(f"| {cores} | {rate:,.0f} | {rate * EVERY:,.0f} | {busy:.0%} | {low:.0f} ms | {high:.0f} ms |")


if __name__ == "__main__":
    main()
