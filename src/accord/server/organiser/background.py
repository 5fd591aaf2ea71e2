"""The process that computes: ``python -m accord.server.organiser.background``, started by the server itself."""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from accord.errors import AccordError

__all__ = ["main"]

_LOG = logging.getLogger("accord.background")
_POLITE = 10
"""Saving goes before computing, but somebody waits for results too: at 15 they came minutes late on a busy machine."""


def main() -> None:
    """Do one piece of work for the study the server serves, politely: results, an effect, a job or a report."""
    from accord.server.connect import connect

    what, *about = sys.argv[1:] or ["snapshot"]
    os.nice(max(0, _POLITE - os.nice(0)))  # whoever started this may be polite as well
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    folder = Path(os.environ["ACCORD_STUDY"])
    try:
        connect(folder, must_exist=True)
    except AccordError:
        if folder.is_dir():
            raise
        sys.exit(0)  # a demonstration was removed meanwhile, and nobody waits for its results
    try:
        _WORK[what](*about)
    except Exception:
        # Python's own last words would show what raters wrote, and wait for somebody to read them.
        _LOG.exception("A computation failed: %s", what)
        sys.exit(1)


def _snapshot() -> None:
    from accord.server.organiser.snapshot import compute_snapshot

    compute_snapshot()


def _effect(rater: str) -> None:
    from accord.server.organiser.kept_effect import compute_effect

    compute_effect(rater)


def _job(key: str) -> None:
    from accord.server.organiser.jobs import run, stop_when_cancelled

    threading.Thread(target=stop_when_cancelled, args=(int(key),), daemon=True).start()
    run(int(key))


def _report(target: str, named: str) -> None:
    """A report for whoever waits, with the systems' names if these are for them; why there is none stands beside it."""
    from accord.server.reporting import write_report

    try:
        write_report(Path(target), named=named == "named")
    except AccordError as error:
        Path(f"{target}.problem").write_text(str(error), encoding="utf-8")


_WORK: Mapping[str, Callable[..., None]] = {
    "snapshot": _snapshot, "effect": _effect, "job": _job, "report": _report,
}  # fmt: skip


def _end_with(server: int) -> None:
    """Nobody waits for results of a server that is gone, however it went."""
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    main()
