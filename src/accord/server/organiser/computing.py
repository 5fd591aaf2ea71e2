"""One computation of a kind at a time, in a process of its own, whoever asks for it."""

import subprocess
import sys
import threading
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from accord.server.ages import is_younger, younger
from accord.server.models_organiser import Computation
from accord.server.serving import process_environment

__all__ = ["claim", "due", "is_under_way", "let_go", "problem_of", "start", "wait_for"]

_ABANDONED = timedelta(minutes=15)
_PAUSE = timedelta(seconds=15)


def is_under_way(name: str) -> bool:
    """Whether such a computation runs."""
    return Computation.objects.filter(younger("started_at", _ABANDONED), name=name).exists()


def problem_of(name: str) -> str:
    """Why the last one gave no results; empty if it did."""
    row = Computation.objects.filter(name=name).first()
    return row.problem if row else ""


def due(made_at: datetime, seconds: float) -> bool:
    """Whether results are old enough to be made anew: what took long is kept for long."""
    return not is_younger(made_at, max(_PAUSE, 3 * timedelta(seconds=seconds)))


def claim(name: str) -> bool:
    """A claim that was abandoned can be taken over."""
    own = Computation.objects.filter(name=name)
    if not own.exists():
        Computation.objects.get_or_create(name=name)
    # One statement: of all who ask at this moment one changes the row.
    free = Q(started_at=None) | ~younger("started_at", _ABANDONED)
    return own.filter(free).update(started_at=timezone.now()) == 1


def let_go(name: str, problem: str = "") -> None:
    """The computation has ended, with results or with a reason why there are none."""
    ended = {"started_at": None, "problem": problem}
    # One statement: between two of them nobody could save, and this process waits behind all others.
    if not Computation.objects.filter(name=name).update(**ended):
        Computation.objects.create(name=name, **ended)


def _command(*what: str) -> list[str]:
    return [sys.executable, "-m", "accord.server.organiser.background", *what]


def wait_for(*what: str) -> None:
    """Do a piece of work in a process of its own and wait until it has ended."""
    subprocess.run(_command(*what), env=process_environment(), stdin=subprocess.DEVNULL, check=True)  # noqa: S603 - as above


def start(*what: str) -> None:
    """Begin what was claimed in a process beside the server."""
    process = subprocess.Popen(  # noqa: S603 - our own program; a rater's name is one argument, never a shell's
        _command(*what), env=process_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        # Not reached by Ctrl-C, and still of the server's session: Linux shares a processor among sessions first. In a
        # session of its own it took as much as all workers together, however nice it was to its neighbours.
        process_group=0,
    )  # fmt: skip
    # Somebody has to take note of its end, or it stays in the table of processes.
    threading.Thread(target=process.wait, daemon=True).start()
