"""DuckDB where it is installed, or one sentence that says how to get it: it is a quarter of a base install."""

import os
from functools import cache
from typing import Any

from accord.errors import MissingExtraError

__all__ = ["duckdb_cursor", "duckdb_module"]


def duckdb_module(purpose: str) -> Any:
    """The module, imported when first needed."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(purpose, "formats") from None
    return duckdb


def duckdb_cursor(purpose: str) -> Any:
    """A connection to a database in memory that a process opens once: opening takes longer than a small question."""
    duckdb_module(purpose)
    return _database(os.getpid()).cursor()


@cache
def _database(process: int) -> Any:
    import duckdb

    database = duckdb.connect()
    database.execute("SET enable_progress_bar = false")
    return database
