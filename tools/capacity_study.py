"""What a save and a page cost on a real server, and what that means for many raters: docs/explanation/capacity.md.

Run it on a quiet machine: .venv/bin/python tools/capacity_study.py. Processor time is measured, not waiting; then
arrivals are simulated against it, with as many servers as there are cores.
"""

import heapq
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

from own_postgres import own_postgres  # noqa: E402
from served_study import Served, make_study  # noqa: E402
from server.test_faults import Person  # noqa: E402

SAVES, PAGES = 400, 60
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
    """Milliseconds of the server's processor for a save and for the rater's page."""
    with tempfile.TemporaryDirectory() as scratch:
        env = {"ACCORD_DATABASE_URL": database} if database else {}
        server = Served(make_study(Path(scratch) / "study"), env=env)
        try:
            person = Person(server.address, server.invite(1)[0])
            for revision in range(1, 51):
                person.save(revision)
            start = processor_seconds(server.process.pid)
            for revision in range(51, 51 + SAVES):
                person.save(revision)
            middle = processor_seconds(server.process.pid)
            for _ in range(PAGES):
                person.get(f"{server.address}/work")
            end = processor_seconds(server.process.pid)
        finally:
            server.stop()
    return {"save": (middle - start) / SAVES * 1000, "page": (end - middle) / PAGES * 1000}


def waits(per_second: float, service: float, cores: int, rng: np.random.Generator, number: int = 200_000) -> np.ndarray:
    """Milliseconds from arrival to answer: arrivals at random, service times that vary by a third."""
    arrivals = np.cumsum(rng.exponential(1000 / per_second, number))
    lengths = rng.gamma(9, service / 9, number)
    free = [0.0] * cores
    took = np.empty(number)
    for place, (arrival, length) in enumerate(zip(arrivals, lengths, strict=True)):
        begin = max(arrival, heapq.heappop(free))
        heapq.heappush(free, begin + length)
        took[place] = begin + length - arrival
    return took[number // 10 :]


def main() -> None:
    with own_postgres() as address:
        costs = {"SQLite": measured(""), "PostgreSQL": measured(address)}
    for name, cost in costs.items():
        print(f"| {name} | {cost['save']:.1f} ms | {cost['page']:.1f} ms |")
    rng = np.random.default_rng(1)
    print("\n| cores | saves a second | raters at once | busy | median | 99 of 100 under |\n|---|---|---|---|---|---|")
    save = costs["SQLite"]["save"]
    for cores in (2, 4, 8, 16):
        for busy in (0.3, 0.6, 0.8, 0.9):
            rate = busy * cores * 1000 / save
            took = waits(rate, save, cores, rng)
            low, high = np.quantile(took, [0.5, 0.99])
            print(f"| {cores} | {rate:,.0f} | {rate * EVERY:,.0f} | {busy:.0%} | {low:.0f} ms | {high:.0f} ms |")


if __name__ == "__main__":
    main()
