"""DuckDB where it is installed, or one sentence that says how to get it: it is a quarter of a base install."""

from typing import Any

from accord.errors import MissingExtraError

__all__ = ["duckdb_connection", "duckdb_module"]


def duckdb_module(purpose: str) -> Any:
    """The module, imported when first needed."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(purpose, "formats") from None
    return duckdb


def duckdb_connection(purpose: str) -> Any:
    """A connection to a database in memory of its own. None is kept open: a process that is forked would hang in it."""
    connection = duckdb_module(purpose).connect()
    connection.execute("SET enable_progress_bar = false")
    return connection
