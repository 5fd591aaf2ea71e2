"""Files of a zip archive as text, those packed by Zstandard among them, which Python's zipfile reads from 3.14 on."""

import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["unpacked"]

_ZSTANDARD = 93
_HEADER = 30
"""Bytes of the head that each file of an archive has; the lengths of its name and of what follows are the last four."""


def unpacked(archive: zipfile.ZipFile, names: Sequence[str]) -> list[str | bytes]:
    """What the files of these names hold, in their order; those packed by Zstandard must each be one object of JSON.

    Raises ``BadZipFile`` for a damaged one, as the archive itself does.
    """
    found: dict[str, str | bytes] = {}
    packed = []
    for name in names:
        if archive.getinfo(name).compress_type == _ZSTANDARD and _ZSTANDARD not in _known():
            packed.append(name)
        else:
            found[name] = archive.read(name)
    return [(found | _of_zstandard(archive, packed))[name] for name in names]


def _known() -> set[int]:
    return {
        getattr(zipfile, name) for name in ("ZIP_STORED", "ZIP_DEFLATED", "ZIP_ZSTANDARD") if hasattr(zipfile, name)
    }


def _of_zstandard(archive: zipfile.ZipFile, names: Sequence[str]) -> dict[str, str]:
    """DuckDB unpacks them: each is written as it lies in the archive to a file of its own, which it reads as JSON."""
    if not names:
        return {}
    import duckdb

    infos = [archive.getinfo(name) for name in names]
    with TemporaryDirectory(prefix="accord-") as folder, duckdb.connect() as connection:
        for place, info in enumerate(infos):
            (Path(folder) / f"{place}.zst").write_bytes(_as_it_lies(archive, info))
        connection.execute("SET enable_progress_bar = false")
        connection.execute("SET threads = 1")
        # No file may be larger than the archive says: a small one that unpacks to a disk full is stopped there.
        most = max(info.file_size for info in infos) + 1
        try:
            rows = connection.execute(
                "SELECT filename, json FROM read_json_objects(?, format = 'unstructured', compression = 'zstd', "
                "filename = true, maximum_object_size = ?)",
                [f"{folder}/*.zst", most],
            ).fetchall()
        except duckdb.Error as error:
            raise zipfile.BadZipFile(str(error).splitlines()[0].replace(f"{folder}/", "")) from None
    texts = {int(Path(name).stem): str(text) for name, text in rows}
    if len(texts) < len(names) or len(rows) > len(names):
        raise zipfile.BadZipFile("a file of it is not one object of JSON")
    return {name: texts[place] for place, name in enumerate(names)}


def _as_it_lies(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The packed bytes of one file."""
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile("it is closed")
    file.seek(info.header_offset)
    head = file.read(_HEADER)
    if len(head) < _HEADER:
        raise zipfile.BadZipFile("it ends too early")
    name, more = struct.unpack("<HH", head[-4:])
    file.seek(info.header_offset + _HEADER + name + more)
    return bytes(file.read(info.compress_size))
