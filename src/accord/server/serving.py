"""Which study a request is about: held for the request, never by the process.

A server of one study has it in its settings. A server of a workspace enters a study for each request: the folder
stands in a context variable, and the connection that Django calls ``default`` is the one to that study's own
database. Sessions, transactions and every query then reach that study and no other, without a word about it.
"""

import os
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from threading import local
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from accord.records import dataclass
from accord.server.environment import DATABASE_FILE, study_database, study_database_url

__all__ = [
    "Place",
    "carried",
    "in_study",
    "in_workspace",
    "is_workspace",
    "let_go",
    "process_environment",
    "served",
    "study_folder",
]

WORKSPACE_ALIAS = "workspace"
_KEPT_CONNECTIONS = 16
"""Of one thread, whatever the number of studies: a file each, or a connection to PostgreSQL each."""

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Place:
    """A study of a workspace: its key in the address, and its folder."""

    key: str
    folder: Path

    @property
    def prefix(self) -> str:
        """What stands before every address of this study."""
        return f"/s/{self.key}"


_served: ContextVar[Place | None] = ContextVar("served_study", default=None)


class _Connections(local):
    """The open connections of this thread, the one used last at the end."""

    def __init__(self) -> None:
        self.by_folder: OrderedDict[str, tuple[int, BaseDatabaseWrapper]] = OrderedDict()


_open = _Connections()


def is_workspace() -> bool:
    """Whether this server holds many studies."""
    return settings.WORKSPACE_FOLDER is not None


def served() -> Place | None:
    """The study of a workspace that this request is about; None at its home, and where the server has one study."""
    return _served.get()


def study_folder() -> Path:
    """The folder of the study this request, or this process, is about."""
    here = _served.get()
    return here.folder if here is not None else _path(settings.STUDY_FOLDER)


@lru_cache
def _path(name: str | Path) -> Path:
    return Path(name)


@contextmanager
def in_study(place: Place) -> Iterator[None]:
    """Everything inside is about this study, in this thread."""
    before = _served.set(place)
    try:
        with _default_is(_connection_to(place)):
            yield
    finally:
        _served.reset(before)


@contextmanager
def in_workspace() -> Iterator[None]:
    """Everything inside is about the workspace itself: its accounts, sessions and log."""
    before = _served.set(None)
    try:
        with _default_is(connections[WORKSPACE_ALIAS]):
            yield
    finally:
        _served.reset(before)


def carried(function: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """The same function for another thread, about the study that this one is about."""
    place = _served.get()
    if place is None:
        return function

    def there(*args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        try:
            with in_study(place):
                return function(*args, **kwargs)
        finally:
            # The thread ends; its connections must not wait for somebody to collect them.
            close_connections()

    return there


def process_environment() -> dict[str, str]:
    """What a process beside the server must be told to work on the same study as this request."""
    environment = {**os.environ, "ACCORD_STUDY": str(study_folder())}
    environment.pop("ACCORD_WORKER", None)
    # Products here are small: a second thread would take a processor from saving, to wait for work on it.
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    if (place := _served.get()) is not None:
        del environment["ACCORD_WORKSPACE"]
        environment["ACCORD_SECRET"] = settings.SECRET_KEY
        if url := study_database_url(place.key):
            environment["ACCORD_DATABASE_URL"] = url
    return environment


def close_connections() -> None:
    """Close what this thread has open."""
    while _open.by_folder:
        _open.by_folder.popitem()[1][1].close()


def let_go(place: Place) -> None:
    """Close what this thread has open of one study: its folder moves, or goes away."""
    if (known := _open.by_folder.pop(str(place.folder), None)) is not None:
        known[1].close()


@contextmanager
def _default_is(connection: BaseDatabaseWrapper) -> Iterator[None]:
    # Each thread has its own table of connections, so no other request sees this.
    before = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connection
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before


def _connection_to(place: Place) -> BaseDatabaseWrapper:
    known = _open.by_folder
    name, file = str(place.folder), _file_of(place)
    if name in known and known[name][0] not in (file, 0):
        # The study was made anew in its folder, as a rehearsal is: who goes on with the old file sees what is gone.
        known.pop(name)[1].close()
    if name not in known:
        if len(known) >= _KEPT_CONNECTIONS:
            known.popitem(last=False)[1][1].close()
        known[name] = (file, _new_connection(study_database(place.folder, place.key)))
    known.move_to_end(name)
    return known[name][1]


def _file_of(place: Place) -> int:
    """Which file its database is, as long as it is open somewhere; 0 where it is none, or none yet."""
    try:
        return (place.folder / DATABASE_FILE).stat().st_ino
    except OSError:
        return 0


def _new_connection(database: dict[str, Any]) -> BaseDatabaseWrapper:
    # Django fills in what is left out where it reads its settings; what is made later is filled in the same way.
    whole = connections.configure_settings({DEFAULT_DB_ALIAS: database})[DEFAULT_DB_ALIAS]
    made: BaseDatabaseWrapper = load_backend(whole["ENGINE"]).DatabaseWrapper(whole, DEFAULT_DB_ALIAS)
    return made
