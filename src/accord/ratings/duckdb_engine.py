"""Count ratings in Parquet and CSV files with DuckDB, out of core, under a stated memory limit."""

import glob
import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from accord.errors import OperationError, OptionError, UnreadableFileError
from accord.ratings.engine import Progress
from accord.ratings.parquet_file import glob_free
from accord.ratings.poisson_weights import KEY_DIGITS
from accord.ratings.sql import literal
from accord.words import counted

__all__ = ["MEMORY", "DuckDBEngine", "files_of"]

MEMORY = "1.5GB"
_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_MEMORY = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]I?B)\s*\Z", re.IGNORECASE)
_EVERY = 0.2
_DENSE_BITS = 20
"""Groups by numbers with so few bits are counted in a plain table, without hashing: 1,000 raters by 5 values are."""
_BYTES_AN_ITEM = 30
_START = 4_096
_OTHERS = {b"{": "JSON", b"[": "JSON", b"PK\x03\x04": "an Excel workbook or another zip", b"$FL": "an SPSS file"}
_MANY = ("STRUCT", "MAP", "UNION", "BLOB")
_SHARE = 0.6
"""Measured: 12.5 million items with five counts each, of 8 bytes, take 0.87 GB, 70 bytes an item."""


def files_of(paths: str | Path | Sequence[str | Path]) -> list[str]:
    """The files a path, a pattern or a list of them names."""
    asked = [paths] if isinstance(paths, str | Path) else list(paths)
    found: list[str] = []
    for one in map(str, asked):
        if Path(one).is_dir():
            raise UnreadableFileError(
                f"{one} is a directory. Name files in it, for example {one.rstrip('/')}/*.parquet."
            )
        matches = [one] if Path(one).exists() else sorted(glob.glob(one, recursive=True))  # noqa: PTH207 (absolute too)
        if not matches:
            raise UnreadableFileError(f"There is no file {one}.")
        found += [match for match in matches if Path(match).is_file()]
    return found


class DuckDBEngine:
    """Runs statements in this process; what does not fit into memory goes to a folder that is removed."""

    name = "duckdb"
    table = "accord_ratings"

    def __init__(self, files: Sequence[str], *, memory: str = MEMORY, threads: int | None = None) -> None:
        self.files = list(files)
        self.memory = memory
        self.bytes = _bytes(memory)
        self.threads = threads
        self._kind = _kind(self.files)

    def column_names(self) -> list[str]:
        """The columns of the files that hold one thing in each cell: lists, parts and bytes cannot be counted."""
        told = next(iter(self.run([f"DESCRIBE SELECT * FROM {self.table}"])))  # noqa: S608
        kinds = zip(map(str, told["column_name"]), map(str, told["column_type"]), strict=True)
        return [name for name, kind in kinds if not kind.endswith("]") and not kind.startswith(_MANY)]

    def run(self, statements: Sequence[str], progress: Progress | None = None) -> Iterator[Mapping[str, Any]]:
        import duckdb

        # The folder goes when the block is left: also on an error, and on Ctrl-C.
        with TemporaryDirectory(prefix="accord-") as folder, duckdb.connect() as connection:
            try:
                self._prepare(connection, folder)
                for done, statement in enumerate(statements):
                    with _watched(connection, done, len(statements), progress):
                        fetched = connection.execute(statement).fetchnumpy()
                    yield fetched
            except duckdb.Error as error:
                raise self._explained(error) from None
            except RuntimeError as error:
                if "interrupted" not in str(error):
                    raise
                raise KeyboardInterrupt from None  # Ctrl-C reaches DuckDB first, which says so in its own way
        if progress is not None:
            progress(100 * len(statements), 100 * len(statements))

    def _prepare(self, connection: Any, folder: str) -> None:
        connection.execute(f"SET memory_limit = '{self.bytes}B'")
        connection.execute(f"SET temp_directory = {literal(folder)}")
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"SET perfect_ht_threshold = {_DENSE_BITS}")
        connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
        if self.threads is not None:
            connection.execute(f"SET threads = {int(self.threads)}")
        listed = ", ".join(literal(glob_free(name)) for name in self.files)
        if self._kind == "parquet":
            reader = f"read_parquet([{listed}], union_by_name = true)"
        else:
            reader = f"read_csv([{listed}], header = true, all_varchar = true, union_by_name = true)"
        connection.execute(f"CREATE VIEW {self.table} AS SELECT * FROM {reader}")  # noqa: S608

    def _explained(self, error: Exception) -> Exception:
        import duckdb

        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, duckdb.OutOfMemoryException):
            return OperationError(f"Counting needs more than {self.memory} of memory. Give more: memory='4GB'.")
        if isinstance(error, duckdb.InterruptException):
            return KeyboardInterrupt()  # type: ignore[return-value]
        return UnreadableFileError(f"{self._files_in_words()} cannot be counted: {first}")

    def _files_in_words(self) -> str:
        return self.files[0] + (f" and {counted(len(self.files) - 1, 'more file')}" if len(self.files) > 1 else "")

    def buckets(self, items: int, columns: int) -> int:
        """In how many parts to count, so that the table of items stays within its share of memory."""
        needed = items * (_BYTES_AN_ITEM + 8 * columns)
        return max(1, -(-needed // int(_SHARE * self.bytes)))

    def in_bucket(self, item: str, bucket: int, buckets: int) -> str:
        return f"HASH({item}) % {buckets} = {bucket}"

    def item_key(self, item: str, place: int) -> str:
        digits = f"SUBSTR(MD5(CAST({item} AS VARCHAR)), {1 + place * KEY_DIGITS}, {KEY_DIGITS})"
        return f"CAST('0x' || {digits} AS BIGINT)"


@contextmanager
def _watched(connection: Any, done: int, total: int, progress: Progress | None) -> Iterator[None]:
    """Tell the percentage of a running statement now and then, from a thread of its own."""
    if progress is None:
        yield
        return
    progress(100 * done, 100 * total)
    ended = Event()

    def watch() -> None:
        while not ended.wait(_EVERY):
            percent = int(connection.query_progress())
            if 0 <= percent <= 100:
                progress(100 * done + percent, 100 * total)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _bytes(memory: str) -> int:
    match = _MEMORY.match(memory)
    if match is None:
        raise OptionError(f"The memory limit {memory!r} is not understood. Write it like 800MB or 2GB.")
    number = int(float(match[1]) * _UNITS[match[2].upper()])
    if number < 50 * 10**6:
        raise OptionError(f"The memory limit {memory!r} is too small; counting needs at least 50MB.")
    return number


def _kind(files: Sequence[str]) -> str:
    kinds = set()
    for name in files:
        try:
            start = _start(Path(name))
            kinds.add("parquet" if start.startswith(b"PAR1") else "csv")
            _refuse_other(name, start)
        except OSError as error:
            raise UnreadableFileError(f"{name} cannot be read: {error.strerror or error}.") from None
    if len(kinds) != 1:
        raise UnreadableFileError("The files are partly Parquet and partly text. Count one kind at a time.")
    return kinds.pop()


def _start(path: Path) -> bytes:
    """The first bytes, unpacked where DuckDB unpacks them: by the name."""
    with path.open("rb") as opened:
        if path.suffix.lower() != ".gz":
            return opened.read(_START)
        with gzip.open(opened) as unpacked:
            try:
                return unpacked.read(_START)
            except (EOFError, zlib.error):
                raise UnreadableFileError(f"{path} is a damaged or truncated gzip file. Copy it again.") from None


def _refuse_other(name: str, start: bytes) -> None:
    """What would be taken for a table of one odd column."""
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if what := next((what for begins, what in _OTHERS.items() if text.startswith(begins)), ""):
        raise UnreadableFileError(
            f"{name} is {what}, and an engine counts Parquet and CSV where they lie. Leave the engine out to read it "
            f"whole, or write it as Parquet first: accord convert {name} {Path(name).stem}.parquet"
        )
