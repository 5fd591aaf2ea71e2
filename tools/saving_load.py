"""How many saves a second a server takes, and how long they wait: docs/reliability.md.

.venv/bin/python tools/saving_load.py --database sqlite --rates 200 500 1000 --seconds 30

Saves arrive at random moments, whatever became of those before; the time of each counts from the moment it should have
been sent. Load, server, database and an open dashboard share the machine. Every request and answer is written down and
replayed against the export.
"""

import argparse
import os
import sys
import tempfile
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parent)]

from processor_shares import Shares, shares  # noqa: E402
from sent_saves import Sent, run  # noqa: E402

from organised_study import STUDY, write_study  # noqa: E402
from own_postgres import own_postgres  # noqa: E402
from saved_history import SAVED, History, complaints  # noqa: E402
from served_study import Served  # noqa: E402

RATERS = 1_000


def told(sent: Sent, spent: Shares) -> str:
    """How long saves waited, from when they were due and from when they left, and who took the processor meanwhile."""
    answers = [event for event in sent.events if event["event"] == "answered"]
    failed = len(sent.due) - sum(event["status"] == SAVED for event in answers)
    seconds = sent.due[-1]
    middle, high, top = np.quantile(sent.took, [0.5, 0.99, 0.999]) * 1000
    left = np.quantile(sent.took - sent.late, 0.99) * 1000
    others = spent.busy - spent.saving - spent.pages - spent.computing - spent.database - sent.processor
    share = {
        "saving": spent.saving, "pages": spent.pages, "computing": spent.computing, "database": spent.database,
        "load": sent.processor, "others": others, "other machines": spent.stolen,
    }  # fmt: skip
    return (
        f"{len(sent.due):,} saves, {failed} not saved, median {middle:.0f} ms, p99 {high:.0f} ms, p99.9 {top:.0f} ms, "
        f"p99 from leaving {left:.0f} ms, p99 of lateness {np.quantile(sent.late, 0.99) * 1000:.1f} ms;\n"
        f"    workers {spent.saving / len(answers) * 1000:.2f} ms a save; of the processors "
        + ", ".join(f"{name} {part / seconds / (os.cpu_count() or 1):.0%}" for name, part in share.items())
    )


def measured(server: Served, people: list[Any], organiser: str, options: argparse.Namespace) -> History:
    """One line for each rate."""
    from server_organiser.test_hard import watch

    whole, stop, seen, errors = History(), threading.Event(), [0.0], []
    watcher = threading.Thread(target=watch, args=(server, organiser, stop, seen, [], errors))
    watcher.start()
    try:
        # A cold start is another measurement.
        whole.events += run(server.port, people, 50, 8, 0).events
        for number, rate in enumerate(options.rates, 1):
            before, first = shares(server.process.pid), len(seen) - 1
            sent = run(server.port, people, rate, options.seconds, number * 1_000_000)
            spent = shares(server.process.pid) - before
            whole.events += sent.events
            if options.waits:
                with Path(options.waits).open("ab") as file:
                    rows = np.column_stack((np.full(len(sent.due), rate), sent.due, sent.late, sent.took))
                    np.savetxt(file, rows, "%.6f")
            print(f"{options.database}, {options.workers} workers, {rate:,.0f} a second: {told(sent, spent)}")
            print(f"    dashboard {np.median(seen[first:]) * 1000:.0f} ms (median)", flush=True)
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
