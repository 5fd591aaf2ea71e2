"""Reports and files that take a while: made in a process of their own, with progress, cancel and a kept result."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accord.errors import AccordError, InputError
from accord.records import dataclass
from accord.server.access_log import note_access
from accord.server.ages import younger
from accord.server.export import TABLES, codebook_of_table, csv_lines, write_zip
from accord.server.models_organiser import Job
from accord.server.one_moment import one_moment
from accord.server.organiser.computing import start
from accord.server.organiser.downloads import FILES, analysed_rows, file_of
from accord.server.organiser.names import FILE_TITLES
from accord.server.organiser.ratings import state_of_judgements, whole_codebook
from accord.server.reporting import write_report
from accord.server.serving import study_folder

__all__ = [
    "FORMS",
    "KINDS",
    "begin",
    "bury_the_dead",
    "cancel",
    "is_report",
    "path_of",
    "remove_made",
    "run",
    "says_names",
    "shown_jobs",
    "stop_when_cancelled",
    "with_names",
]

FORMS = {"html": "HTML", "md": "Markdown", "tex": "LaTeX", "json": "JSON"}
_REPORT = "report-"
"""How the kinds of reports begin."""
_NAMED = "-named"
"""How the kinds end that say the systems' own names."""
_ANALYSED = "analysed"
_FOLDER = "results"
_KEPT = 20
"""So many results are kept; older files are removed, that they were made is not."""
_SILENT = timedelta(minutes=2)
"""A job that has said nothing for so long has died, with the server or by itself."""

_BEGUN = 0.02
"""The share that is told when the process is there: to start it takes as long as some of the steps."""
_READ, _ANALYSED_ALL = 0.1, 0.9
"""The shares of a report when what was collected is read, and when all is analysed and the file is to be written."""
_STEP = 0.05
"""So much more is told at once, however soon after the last time."""

Tell = Callable[[float], None]


class CancelledError(Exception):
    """Somebody cancelled the job."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What can be made: its title, and the function that writes it."""

    title: str | Promise
    ending: str
    make: Callable[[Path, Tell], None]


def _report(*, named: bool = False) -> Callable[[Path, Tell], None]:
    def make(target: Path, tell: Tell) -> None:
        write_report(
            target, lambda done, steps: tell(_READ + (_ANALYSED_ALL - _READ) * done / max(1, steps)), named=named
        )

    return make


def _columns_and_rows(name: str, *, named: bool) -> tuple[Sequence[str], Iterator[Mapping[str, Any]]]:
    if name in TABLES:
        return TABLES[name](named=named)
    columns, rows = file_of(name)
    return columns, analysed_rows(named=named) if name == _ANALYSED else rows


def _zip(name: str, *, named: bool = False) -> Callable[[Path, Tell], None]:
    """A table as CSV with its Data Package, in one file."""

    @one_moment()
    def make(target: Path, tell: Tell) -> None:
        columns, rows = _columns_and_rows(name, named=named)
        lines = []
        for line in csv_lines((columns, rows)):
            lines.append(line)
            if len(lines) % 2_000 == 0:
                # Nobody knows how many there are: half of what is left, again and again.
                tell(1 - 1 / (1 + len(lines) / 50_000))
        content = "".join(lines).encode("utf-8")
        codebook = whole_codebook(named=named) if name == _ANALYSED else codebook_of_table(name, named=named)
        write_zip(target, name, content, columns, codebook)

    return make


_WITH_NAMES = _("with the systems’ real names")
_BLIND: Mapping[str, Kind] = {
    **{
        f"{_REPORT}{form}": Kind(format_lazy("{}, {}", _("Report"), title), form, _report())
        for form, title in FORMS.items()
    },
    **{name: Kind(FILE_TITLES[name], "zip", _zip(name)) for name in (*TABLES, *FILES)},
}
_MAKERS = {
    **dict.fromkeys((f"{_REPORT}{form}" for form in FORMS), _report(named=True)),
    **{name: _zip(name, named=True) for name in ("ratings", "judgements", _ANALYSED, "suggestions")},
}
"""What speaks of systems, and how it is made with their names."""
KINDS: Mapping[str, Kind] = {
    **_BLIND,
    **{
        f"{name}{_NAMED}": Kind(format_lazy("{}, {}", _BLIND[name].title, _WITH_NAMES), _BLIND[name].ending, make)
        for name, make in _MAKERS.items()
    },
}


def with_names(kind: str) -> str:
    """The kind that says the systems' own names; one that speaks of no system stays as it is."""
    return f"{kind}{_NAMED}" if f"{kind}{_NAMED}" in KINDS else kind


def says_names(job: Job) -> bool:
    """Whether systems stand in it under their own names."""
    return job.kind.endswith(_NAMED)


def begin(kind: str, by: str) -> Job:
    """Start making it beside the server; one that is being made already is not made twice."""
    if kind not in KINDS:
        raise InputError(f"{kind!r} cannot be made. Choose one of: {', '.join(KINDS)}.")
    bury_the_dead()
    running = Job.objects.filter(kind=kind, state=Job.State.RUNNING).first()
    if running is not None:
        return running
    made = Job.objects.create(kind=kind, by=by, data_state=state_of_judgements())
    if says_names(made):
        note_access(by, f"made {kind.removesuffix(_NAMED)} with the names of the systems")
    start("job", str(made.pk))
    return made


def bury_the_dead() -> None:
    """A job whose process has gone is told to have failed, so that it can be started again."""
    silent = Job.objects.filter(state=Job.State.RUNNING).exclude(younger("seen_at", _SILENT))
    silent.update(
        state=Job.State.FAILED, finished_at=timezone.now(), problem="It stopped before it was done. Nothing is lost."
    )


def run(key: int) -> None:
    """Make what the job asks for; whatever goes wrong is said in words on the page."""
    job = Job.objects.get(pk=key)
    kind = KINDS[job.kind]
    folder = _folder()
    target = folder / f"{job.pk}-{job.kind.partition('-')[0]}.{kind.ending}"
    unfinished = target.with_name(f"partial-{target.name}")
    try:
        tell = _telling(job)
        tell(_BEGUN)
        kind.make(unfinished, tell)
        unfinished.replace(target)
        kept = Job.objects.filter(pk=key, state=Job.State.RUNNING).update(
            state=Job.State.DONE, done=1.0, finished_at=timezone.now(), file=target.name, size=target.stat().st_size
        )
        if not kept:
            # Cancelled at the last moment, perhaps because somebody's words in it shall be gone.
            target.unlink(missing_ok=True)
    except CancelledError:
        pass
    except (AccordError, OSError) as error:
        _failed(key, str(error))
    except Exception:
        _failed(key, "Something went wrong that is not your fault. Nothing is lost: try again.")
        raise
    finally:
        unfinished.unlink(missing_ok=True)
    _tidy(folder)


def _failed(key: int, words: str) -> None:
    running = Job.objects.filter(pk=key, state=Job.State.RUNNING)
    running.update(state=Job.State.FAILED, problem=words, finished_at=timezone.now())


def _telling(job: Job) -> Tell:
    at, told = float("-inf"), 0.0

    def tell(share: float) -> None:
        nonlocal at, told
        if time.monotonic() - at < 0.5 and share - told < _STEP:
            return
        at, told = time.monotonic(), share
        if connection.in_atomic_block:  # one moment is being read, in which nothing may be written
            _SHARES[job.pk] = share
            return
        running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING)
        if not running.update(done=min(0.99, share), seen_at=timezone.now()):
            raise CancelledError

    return tell


_SHARES: dict[int, float] = {}
"""How much of a job is done, told by the thread that looks whether somebody cancels it."""


def stop_when_cancelled(key: int) -> None:
    """In the process that makes it: end at once when somebody cancels, and show that it lives."""
    while True:
        time.sleep(1)
        seen = {"seen_at": timezone.now()} | ({"done": min(0.99, _SHARES[key])} if key in _SHARES else {})
        if not Job.objects.filter(pk=key, state=Job.State.RUNNING).update(**seen):
            connection.close()
            os._exit(0)


def cancel(job: Job) -> None:
    """Stop it; what is done is done, and a job that has ended stays as it is."""
    running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING)
    running.update(state=Job.State.CANCELLED, finished_at=timezone.now())


def _folder() -> Path:
    folder = study_folder() / _FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def path_of(job: Job) -> Path | None:
    """Where the result is kept; None where there is none, or no longer."""
    path = study_folder() / _FOLDER / Path(job.file).name
    return path if job.file and path.is_file() else None


def _tidy(folder: Path) -> None:
    for old in Job.objects.exclude(file="").order_by("-id")[_KEPT:]:
        (folder / Path(old.file).name).unlink(missing_ok=True)


def remove_made() -> int:
    """Take away every file that was made, also of a job that is at it: somebody's words in them shall be gone."""
    for running in Job.objects.filter(state=Job.State.RUNNING):
        cancel(running)
    made = [path for path in (study_folder() / _FOLDER).glob("*") if path.is_file()]
    for path in made:
        path.unlink(missing_ok=True)
    return len(made)


def is_report(job: Job) -> bool:
    """Whether it says what was found; other files hold what single people gave."""
    return job.kind.startswith(_REPORT)


def shown_jobs() -> list[dict[str, Any]]:
    """The last jobs with what can be done about them."""
    bury_the_dead()
    now = state_of_judgements()
    return [
        {
            "job": job,
            "title": KINDS[job.kind].title if job.kind in KINDS else job.kind,
            "percent": int(100 * job.done),
            "has_file": path_of(job) is not None,
            "is_report": is_report(job),
            "says_names": says_names(job),
            "is_current": job.data_state == now,
        }
        for job in Job.objects.order_by("-id")[:_KEPT]
    ]
