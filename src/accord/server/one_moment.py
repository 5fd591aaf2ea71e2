"""Read a study as it stood at one moment, in however many questions, while people go on saving."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

__all__ = ["one_moment"]


@contextmanager
def one_moment() -> Iterator[None]:
    """Whatever is read inside is of one moment. Nothing may be written there; nobody who saves waits for it."""
    here = connections[DEFAULT_DB_ALIAS]
    if here.in_atomic_block:
        yield
        return
    with _reading(here), transaction.atomic():
        if here.vendor == "postgresql":
            with here.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


@contextmanager
def _reading(here: BaseDatabaseWrapper) -> Iterator[None]:
    """Ours begin as writers, of which SQLite has one at a time: a reader that did so would keep all raters waiting."""
    if here.vendor != "sqlite":
        yield
        return
    here.ensure_connection()
    usual, here.transaction_mode = here.transaction_mode, None  # type: ignore[attr-defined]  # of SQLite's alone
    try:
        yield
    finally:
        here.transaction_mode = usual  # type: ignore[attr-defined]
