"""Parquet files read whole through DuckDB."""

from collections.abc import Sequence
from importlib.util import find_spec
from os import SEEK_END
from pathlib import Path
from typing import Any

from accord.errors import UnreadableFileError
from accord.ratings.arrow_texts import coded_texts
from accord.ratings.cell_coding import code_keys
from accord.ratings.coding import coded_values
from accord.ratings.factor import Coded
from accord.ratings.raw import RawTable

__all__ = ["glob_free", "parquet_metadata", "parquet_rows", "read_parquet"]

_WORTH_CODING = 20_000
"""Rows from which on texts are coded by DuckDB; below, fetching them is as fast."""
_WORTH_ARROW = 200_000
"""Rows from which on pyarrow codes them where it is installed, in half of the time; to load it takes 0.06 s."""


def read_parquet(path: Path, data: bytes, source: str) -> RawTable:
    """The columns of a Parquet file."""
    import duckdb

    if not (data.startswith(b"PAR1") and data.endswith(b"PAR1")):
        raise UnreadableFileError(f"{source} is not a whole Parquet file; it may be truncated. Copy it again.")
    try:
        with _connection() as connection:
            columns = _columns(connection, glob_free(str(path)))
    except (duckdb.Error, ValueError, OverflowError, MemoryError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnreadableFileError(f"{source} is a damaged Parquet file: {reason}") from None
    rows = len(next(iter(columns.values()))) if columns else 0
    if not rows:
        raise UnreadableFileError(f"{source} is a Parquet file without rows.")
    return RawTable(columns, range(1, rows + 1), source)


def _connection() -> Any:
    """A connection to a database in memory of its own. None is kept open: a process that is forked would hang in it."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    return connection


def _columns(connection: Any, path: str) -> dict[str, Any]:
    """The columns by name: texts coded where the file is large, everything else as it is."""
    kinds = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [path]).fetchall()
    # All rows of an answer are fetched: DuckDB 2 refuses other work on a connection before.
    [(rows,)] = connection.execute("SELECT num_rows FROM parquet_file_metadata(?)", [path]).fetchall()
    names = [kind[0] for kind in kinds]
    texts = [kind[0] for kind in kinds if kind[1] == "VARCHAR" and rows >= _WORTH_CODING]
    if len({name.lower() for name in (*names, "file_row_number")}) <= len(names):
        texts = []  # two names that DuckDB takes for one, or a column called as the number of a row is
    found: dict[str, Any] = {}
    if texts and rows >= _WORTH_ARROW and find_spec("pyarrow"):
        found, texts = _in_arrow(connection, path, texts), []
    plain = [name for name in names if name not in texts and name not in found]
    asked = ", ".join((*map(_name, plain), *(f"hash({_name(one)})" for one in texts)))
    if not asked:
        return {name: found[name] for name in names}
    fetched = connection.execute(f"SELECT {asked} FROM read_parquet(?)", [path]).fetchnumpy()  # noqa: S608
    columns = list(fetched.values())
    found |= {name: _plain(column) for name, column in zip(plain, columns, strict=False)}
    found |= {
        name: _coded(connection, path, name, keys) for name, keys in zip(texts, columns[len(plain) :], strict=True)
    }
    return {name: found[name] for name in names}


def _in_arrow(connection: Any, path: str, texts: Sequence[str]) -> dict[str, Any]:
    """Columns of texts that stay in Arrow's memory, where equal ones get equal codes."""
    asked = f"SELECT {', '.join(map(_name, texts))} FROM read_parquet(?)"  # noqa: S608
    table = connection.sql(asked, params=[path]).to_arrow_table()
    factors = {name: coded_texts(column) for name, column in zip(texts, table.columns, strict=True)}
    return {name: Coded(factor.codes, factor.names) for name, factor in factors.items()}


def _coded(connection: Any, path: str, name: str, keys: Any) -> Any:
    """A column of texts, each of them fetched once; ``keys`` are 64 bits for each row."""
    import numpy as np

    codes, first = code_keys([np.asarray(keys, dtype=np.uint64)])
    asked = (
        f"SELECT {_name(name)}, min(file_row_number) AS first FROM read_parquet(?, file_row_number = true) "  # noqa: S608
        "GROUP BY 1 ORDER BY 2"
    )
    texts, rows = connection.execute(asked, [path]).fetchnumpy().values()
    if not np.array_equal(rows, first):  # two texts share their bits, which hardly ever happens
        asked = f"SELECT {_name(name)} FROM read_parquet(?)"  # noqa: S608
        return _plain(next(iter(connection.execute(asked, [path]).fetchnumpy().values())))
    return coded_values(codes, texts.tolist())


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def parquet_rows(path: Path) -> int:
    """The number of rows as the file's footer says; 0 if it cannot be read."""
    found = _first_row("SELECT num_rows FROM parquet_file_metadata(?)", path)
    return int(found[0]) if found else 0


def parquet_metadata(path: Path, key: str) -> str:
    """The text under this key of the file's metadata; '' if there is none."""
    if not _may_hold(path, key.encode()):
        return ""
    found = _first_row("SELECT value FROM parquet_kv_metadata(?) WHERE key = ?", path, key.encode())
    try:
        return bytes(found[0]).decode("utf-8") if found else ""
    except UnicodeDecodeError:
        raise UnreadableFileError(f"The metadata of {path} under {key} are not UTF-8. Write the file anew.") from None


def _may_hold(path: Path, key: bytes) -> bool:
    """Whether a key stands in the footer of a file: nearly none does, and each connection to DuckDB costs time."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, SEEK_END)
            file.seek(max(size - 8, 0))
            length, mark = file.read(4), file.read(4)
            if mark != b"PAR1":
                return True  # encrypted, or no Parquet: DuckDB says what it is
            file.seek(max(size - 8 - int.from_bytes(length, "little"), 0))
            return key in file.read()
    except OSError:
        return True


def _first_row(question: str, path: Path, *more: Any) -> Any:
    """The first row of what a file says of itself; None where it says nothing, or is damaged."""
    import duckdb

    try:
        with _connection() as connection:
            return connection.execute(question, [glob_free(str(path)), *more]).fetchone()
    except duckdb.Error:
        return None


def _plain(column: Any) -> Any:
    """Numbers stay arrays (masked where empty); everything else becomes a list, None where empty."""
    import numpy as np

    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column
    return column.tolist()


def glob_free(path: str) -> str:
    """A path that DuckDB does not take for a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path)
