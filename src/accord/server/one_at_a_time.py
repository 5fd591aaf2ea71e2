"""Commands that start at the same moment on one study make its tables one after the other."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.server.environment import DATABASE_FILE

__all__ = ["one_at_a_time"]

_PREPARING = 0x6163636F7264
"""The name of the lock in PostgreSQL, which knows numbers only: 'accord' in bytes."""


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
    try:
        import fcntl

        # A file of its own: closing any other handle of an SQLite file would let go of the locks SQLite holds on it.
        handle = os.open(folder / f"{DATABASE_FILE}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except (ImportError, OSError):  # no such locks here, or no new files: two commands at once are the user's to avoid
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
