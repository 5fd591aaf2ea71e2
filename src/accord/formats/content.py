"""The content of a file, read safely: bytes to text, JSON, JSON lines and delimited rows, with line numbers."""

import codecs
import csv
import io
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.errors import FormatError, Problem
from accord.formats.collect import Collector
from accord.formats.options import ReadOptions
from accord.ratings.text_file import decoded, file_bytes, is_tar

__all__ = [
    "SAMPLE_BYTES", "delimited", "json_documents", "json_lines", "read_json", "read_text", "sample_of",
]  # fmt: skip

SAMPLE_BYTES = 1 << 16
_JSON_BYTES = 1 << 22

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def sample_of(path: Path) -> str:
    """The beginning of a file as text, for detection only; undecodable bytes become marks."""
    try:
        with path.open("rb") as file:
            start = file.read(SAMPLE_BYTES)
            if start.startswith(b"\x1f\x8b"):
                start = zlib.decompressobj(wbits=31).decompress(start, SAMPLE_BYTES)
            elif start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
                start += file.read(_JSON_BYTES)  # one object must fit in, and may hold a log of actions
        if is_tar(start):
            start = _first_in_archive(path)
    except (OSError, EOFError, ValueError, zlib.error):
        return ""
    return start.decode(_marked(start) or "utf-8", errors="replace").lstrip("\ufeff")


def _first_in_archive(path: Path) -> bytes:
    import tarfile  # only where there is one: it is slow to load

    try:
        with tarfile.open(path) as archive:
            member = next((member for member in archive if member.isfile()), None)
            opened = None if member is None else archive.extractfile(member)
            return b"" if opened is None else opened.read(SAMPLE_BYTES)
    except tarfile.TarError:
        return b""


def read_text(path: Path, options: ReadOptions, collect: Collector | None = None) -> str:
    """The file as text (gzip is opened); an encoding that had to be guessed goes into the log."""
    found = decoded(file_bytes(path), str(path), options.encoding)
    for guess in found.notes:
        if collect is not None:
            collect.guessed(None, guess)
    return found.text


def read_json(path: Path, options: ReadOptions, collect: Collector | None = None) -> Any:
    """A file that is one JSON document."""
    text = read_text(path, options, collect)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = "it is cut off" if error.pos >= len(text.rstrip()) else error.msg
        raise FormatError(f"{path}:{error.lineno}: not JSON: {cut}.") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: not usable JSON: {_why(error)}.") from None


def json_lines(
    path: Path, options: ReadOptions, collect: Collector | None = None
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line number and object of each line of a JSON lines file; all broken lines at once as an error.

    The rows are entered into the account of ``collect``, here and in :func:`json_documents`.
    """
    rows: list[tuple[int, Mapping[str, Any]]] = []
    broken: list[Problem] = []
    for number, line in enumerate(read_text(path, options, collect).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            broken.append(Problem(f"not JSON, or cut off: {_why(error)}", number, str(path)))
            continue
        if isinstance(row, Mapping):
            rows.append((number, row))
        else:
            broken.append(Problem(f"holds {_kind(row)} where an object {{...}} should be", number, str(path)))
    if broken:
        raise FormatError(f"{path}: {len(broken):,} lines are not JSON objects. Nothing was read.", broken)
    yield from rows if collect is None else collect.counted(rows)


def json_documents(
    path: Path, options: ReadOptions, collect: Collector | None = None
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Objects of a JSON list, of a single object, or of JSON lines, whichever the file is."""
    text = read_text(path, options, collect).lstrip()
    if not text.startswith("["):
        single = _single_object(text)
        if single is None:
            yield from json_lines(path, options, collect)
        else:
            yield from [(1, single)] if collect is None else collect.counted([(1, single)])
        return
    rows = read_json(path, options)
    wrong = [place for place, row in enumerate(rows, 1) if not isinstance(row, Mapping)]
    if wrong:
        problems = [Problem(f"entry {place} is not an object {{...}}", None, str(path)) for place in wrong]
        raise FormatError(f"{path}: a list of objects should be here.", problems)
    yield from enumerate(rows, 1) if collect is None else collect.counted(enumerate(rows, 1))


def delimited(text: str, delimiter: str, source: str, *, quoted: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row; without quoting a quote is a letter like any other."""
    if not quoted:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip("\r"):
                yield number, line.rstrip("\r").split(delimiter)
        return
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        start = rows.line_num + 1
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise FormatError(
                f"{source}:{start}: not {'CSV' if delimiter == ',' else 'delimited text'}: {error}."
            ) from None
        if any(cells):
            yield start, cells


def _marked(content: bytes) -> str | None:
    return next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)


def _single_object(text: str) -> Mapping[str, Any] | None:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, Mapping) else None


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


def _kind(value: object) -> str:
    return {list: "a list", str: "a text", bool: "true or false", type(None): "null"}.get(type(value), "a number")
