"""Which kind of file it is, by its content first and its name second, and its table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.errors import OptionError, UnreadableFileError
from accord.ratings.csv_file import read_csv_text
from accord.ratings.raw import RawTable
from accord.ratings.text_file import decoded, file_bytes

__all__ = ["FILE_FORMATS", "has_pattern", "is_large", "large_files", "read_file", "read_stream"]

FILE_FORMATS = ("csv", "tsv", "jsonl", "parquet", "xlsx")


_LARGE_ROWS = 5_000_000
_LARGE_TEXT = 200_000_000


def has_pattern(path: str) -> bool:
    """Whether a path stands for many files."""
    return any(letter in path for letter in "*?[")


def is_large(path: Path) -> bool:
    """Whether a file holds more ratings than are read into memory: over 5 million rows, or 200 MB of text."""
    try:
        size = path.stat().st_size
        if size < 5_000_000 or not path.is_file():
            return False
        with path.open("rb") as opened:
            start = opened.read(4)
    except (OSError, ValueError):
        return False
    if start == b"PAR1":
        from accord.ratings.parquet_file import parquet_rows

        return parquet_rows(path) > _LARGE_ROWS
    return size > _LARGE_TEXT and path.suffix.lower() in (".csv", ".tsv", ".tab", ".txt")


def large_files(paths: Sequence[Path]) -> bool:
    """Whether several files together hold more ratings than are read into memory."""
    rows, text = 0, 0
    for path in paths:
        if is_large(path):
            return True
        if _starts_as_parquet(path):
            from accord.ratings.parquet_file import parquet_rows

            rows += parquet_rows(path)
        else:
            text += path.stat().st_size
    return rows > _LARGE_ROWS or text > _LARGE_TEXT


def _starts_as_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as opened:
            return opened.read(4) == b"PAR1"
    except OSError:
        return False


def read_file(
    path: Path,
    *,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | int | None = None,
) -> RawTable:
    """The table in a file, read whole."""
    return _table(file_bytes(path), path, path.name, format, encoding, delimiter, sheet)


def read_stream(
    stream: Any,
    *,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | int | None = None,
) -> RawTable:
    """The table in an open file or a text in memory."""
    try:
        content = stream.read()
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"The open file cannot be read: {error}.") from None
    data = content.encode("utf-8") if isinstance(content, str) else bytes(content)
    if not data.strip():
        raise UnreadableFileError("The open file is empty, or was read to its end before.")
    name = Path(str(getattr(stream, "name", "") or ""))
    return _table(data, name, name.name or "the text", format, encoding, delimiter, sheet)


def _table(
    data: bytes, path: Path, source: str, format: str | None, encoding: str | None, delimiter: str | None,
    sheet: str | int | None,
) -> RawTable:  # fmt: skip
    if format is not None and format not in FILE_FORMATS:
        raise OptionError(f"The format {format!r} is not known. Known: {', '.join(FILE_FORMATS)}.")
    kind = format or kind_of(data, path)
    if kind == "parquet":
        from accord.ratings.parquet_file import read_parquet

        return read_parquet(path, data, source)
    if kind == "xlsx":
        from accord.ratings.xlsx_file import read_xlsx

        return read_xlsx(data, source, sheet)
    text = decoded(data, source, encoding)
    if kind == "jsonl":
        from accord.ratings.json_file import read_json_text

        return read_json_text(text, source)
    return read_csv_text(text, source, "\t" if kind == "tsv" and delimiter is None else delimiter)


def kind_of(data: bytes, path: Path) -> str:
    """The format told by the first bytes, else by the name."""
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(b"PK\x03\x04"):
        return "xlsx"
    suffixes: list[Any] = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    last = suffixes[-1] if suffixes else ""
    if last in (".jsonl", ".ndjson", ".json"):
        return "jsonl"
    if last in (".tsv", ".tab"):
        return "tsv"
    if last in (".parquet", ".pq"):
        return "parquet"
    if last in (".xlsx", ".xlsm"):
        return "xlsx"
    start = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return "jsonl" if start.startswith((b"{", b"[{", b"[ {")) else "csv"
