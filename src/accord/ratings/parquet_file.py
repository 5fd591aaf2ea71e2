"""Parquet files read whole through DuckDB."""

from pathlib import Path
from typing import Any

from accord.errors import UnreadableFileError
from accord.ratings.duck import duckdb_module
from accord.ratings.raw import RawTable

__all__ = ["glob_free", "parquet_metadata", "parquet_rows", "read_parquet"]


def read_parquet(path: Path, data: bytes, source: str) -> RawTable:
    """The columns of a Parquet file."""
    import numpy as np

    duckdb = duckdb_module("Reading Parquet files")
    if not (data.startswith(b"PAR1") and data.endswith(b"PAR1")):
        raise UnreadableFileError(f"{source} is not a whole Parquet file; it may be truncated. Copy it again.")
    try:
        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")
            fetched = connection.execute("SELECT * FROM read_parquet(?)", [glob_free(str(path))]).fetchnumpy()
    except (duckdb.Error, ValueError, OverflowError, MemoryError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnreadableFileError(f"{source} is a damaged Parquet file: {reason}") from None
    columns = {name: _plain(column) for name, column in fetched.items()}
    rows = len(next(iter(columns.values()))) if columns else 0
    if not rows:
        raise UnreadableFileError(f"{source} is a Parquet file without rows.")
    return RawTable(columns, np.arange(1, rows + 1), source)


def parquet_rows(path: Path) -> int:
    """The number of rows as the file's footer says; 0 if it cannot be read."""
    duckdb = duckdb_module("Reading Parquet files")

    try:
        with duckdb.connect() as connection:
            asked = "SELECT num_rows FROM parquet_file_metadata(?)"
            found = connection.execute(asked, [glob_free(str(path))]).fetchone()
    except duckdb.Error:
        return 0
    return int(found[0]) if found else 0


def _plain(column: Any) -> Any:
    """Numbers stay arrays (masked where empty); everything else becomes a list, None where empty."""
    import numpy as np

    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column
    return column.tolist()


def glob_free(path: str) -> str:
    """A path that DuckDB does not take for a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path)


def parquet_metadata(path: Path, key: str) -> str:
    """The text under this key of the file's metadata; '' if there is none."""
    duckdb = duckdb_module("Reading Parquet files")

    try:
        with duckdb.connect() as connection:
            asked = "SELECT value FROM parquet_kv_metadata(?) WHERE key = ?"
            found = connection.execute(asked, [glob_free(str(path)), key.encode()]).fetchone()
    except duckdb.Error:
        return ""
    return bytes(found[0]).decode("utf-8", errors="replace") if found else ""
