"""DuckDB where it is installed, or one sentence that says how to get it: it is a quarter of a base install."""

from typing import Any

from accord.errors import MissingExtraError

__all__ = ["duckdb_module"]


def duckdb_module(purpose: str) -> Any:
    """The module, imported when first needed."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(purpose, "formats") from None
    return duckdb
