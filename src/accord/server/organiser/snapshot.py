"""Results kept with the state they belong to, computed in a process of their own so that pages stay quick."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accord.errors import AccordError
from accord.server.models import Judgement
from accord.server.models_organiser import Computation, Snapshot
from accord.server.organiser.analysis import analyse, headline
from accord.server.organiser.progress import progress
from accord.server.organiser.quality import checks_of
from accord.server.organiser.ratings import collect, excluded_raters, state_of_judgements
from accord.server.study import current

__all__ = ["compute_snapshot", "history", "is_computing", "latest_snapshot", "problem", "refresh"]

_NAME = "snapshot"
_ABANDONED = timedelta(minutes=15)
_PAUSE = timedelta(seconds=15)
_FEWEST = 4
"""Below this many judgements nothing can be said."""


def latest_snapshot() -> Snapshot | None:
    """The newest results there are."""
    return Snapshot.objects.last()


def history() -> list[dict[str, Any]]:
    """The main numbers of every state that was analysed, oldest first."""
    return list(Snapshot.objects.values("judgements", "made_at", "headline"))


def is_computing() -> bool:
    """Whether a computation is under way."""
    return Computation.objects.filter(name=_NAME, started_at__gte=timezone.now() - _ABANDONED).exists()


def problem() -> str:
    """Why the last computation gave no results; empty if it did."""
    row = Computation.objects.filter(name=_NAME).first()
    return row.problem if row else ""


def refresh(*, here: bool = False) -> bool:
    """See to it that there are results for this state; True if they are there or on their way.

    ``here`` computes in this process, as commands and tests do.
    """
    last = latest_snapshot()
    if last is not None and last.state == state_of_judgements():
        return True
    if Judgement.objects.count() < _FEWEST:
        return False
    if not here and last is not None and timezone.now() - last.made_at < max(_PAUSE, 3 * _taken(last)):
        return True
    if not _claim():
        return True
    if here:
        compute_snapshot()
    else:
        _start()
    return True


def _taken(snapshot: Snapshot) -> timedelta:
    return timedelta(seconds=snapshot.seconds)


def _claim() -> bool:
    """One computation at a time, whoever asks; a claim that was abandoned can be taken over."""
    now = timezone.now()
    with transaction.atomic():
        Computation.objects.get_or_create(name=_NAME)
        free = Computation.objects.filter(name=_NAME).exclude(started_at__gte=now - _ABANDONED)
        return free.update(started_at=now) == 1


def _start() -> None:
    environment = {**os.environ, "ACCORD_STUDY": str(settings.STUDY_FOLDER)}
    environment.pop("ACCORD_WORKER", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "accord.server.organiser.background"], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    # Somebody has to take note of its end, or it stays in the table of processes.
    threading.Thread(target=process.wait, daemon=True).start()


def compute_snapshot() -> Snapshot | None:
    """Analyse the judgements as they are and keep the results; what cannot be analysed is said in words."""
    start = time.monotonic()
    told = ""
    try:
        return _analysed(start)
    except AccordError as error:
        told = str(error)
    finally:
        Computation.objects.update_or_create(name=_NAME, defaults={"started_at": None, "problem": told})
    return None


def _analysed(start: float) -> Snapshot:
    collected = collect()
    excluded = excluded_raters()
    results = analyse(collected.analysed(excluded), seed=current().settings.seed)
    checks = checks_of(current(), collected, progress())
    results["checks"] = {name: [asdict(check) for check in found] for name, found in checks.items()}
    results["excluded"] = [
        {"rater": name, "reason": decision.reason, "rule": decision.rule} for name, decision in sorted(excluded.items())
    ]
    with transaction.atomic():
        # A decision that was taken back leads to an old state: its results become the newest again.
        Snapshot.objects.filter(state=collected.state).delete()
        # The history needs the main numbers only; results of every state would fill the disk.
        Snapshot.objects.exclude(results={}).update(results={})
        return Snapshot.objects.create(
            state=collected.state, fingerprint=collected.fingerprint, judgements=collected.judgements, results=results,
            headline=headline(results), seconds=time.monotonic() - start,
        )  # fmt: skip
