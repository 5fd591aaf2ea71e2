"""Who must not work at the same moment takes turns: commands that make a study's tables, writers of one SQLite file."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from accord.server.environment import DATABASE_FILE

__all__ = ["give_out_in_turn", "in_turn", "one_at_a_time", "write_in_turn"]

_PREPARING = 0x6163636F7264
"""The name of the lock in PostgreSQL, which knows numbers only: 'accord' in bytes."""
_PLACES = 0x706C6163
"""The lock on places, a number of four bytes, 'plac', beside the study's own."""


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Hold the study until its tables are made; whoever comes meanwhile waits."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_PREPARING])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_PREPARING])
        return
    with _held(folder / f"{DATABASE_FILE}.lock"):
        yield


def give_out_in_turn() -> None:
    """Until the end of this transaction nobody else gives out places of this study: two would take the same one.

    PostgreSQL would refuse the second of two newcomers; SQLite has one writer at a time anyway.
    """
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))", [_PLACES])


@contextmanager
def in_turn(folder: Path) -> Iterator[None]:
    """Whoever names or launches a study of this workspace, one after the other."""
    with _held(folder / ".naming"):
        yield


@contextmanager
def write_in_turn() -> Iterator[None]:
    """SQLite has one writer at a time, and who waits for it looks again after ever longer pauses: here one is woken.

    It only keeps writers of several workers from waiting in vain; what is written is guarded by SQLite itself. Whoever
    is next holds a lock of its own: a writer that always has more to write would take its turn again before the other
    is awake.
    """
    from django.db import connection

    if connection.vendor != "sqlite":
        yield
        return
    name = connection.settings_dict["NAME"]
    with ExitStack() as turn:
        with _held(Path(f"{name}.next")):
            turn.enter_context(_held(Path(f"{name}.turn")))
        yield


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """A lock between processes, by a file that holds nothing."""
    try:
        import fcntl

        # A file of its own: closing any other handle of an SQLite file would let go of the locks SQLite holds on it.
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except (ImportError, OSError):  # no such locks here, or no new files: two commands at once are the user's to avoid
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
