"""A table that was downloaded as a zip: the table with what it means, read without being unpacked by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import BadZipFile, ZipFile

from accord.errors import UnreadableFileError
from accord.ratings.data_package import PACKAGE_NAME

__all__ = ["is_exported_zip", "unpacked_table"]


def is_exported_zip(source: Any) -> bool:
    """Whether this is a zip that holds one table and a Data Package, and nothing else."""
    path = Path(source)
    if path.suffix.lower() != ".zip" or not path.is_file():
        return False
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, BadZipFile):
        return False
    # A name with a folder in it is not ours, and might lead out of the place it is unpacked to.
    tables = [name for name in names if name.endswith(".csv") and "/" not in name and "\\" not in name]
    return len(tables) == 1 and set(names) - set(tables) in ({PACKAGE_NAME}, {f"{tables[0]}.{PACKAGE_NAME}"})


@contextmanager
def unpacked_table(source: str | Path) -> Iterator[Path]:
    """The table of the zip, beside what it means, until the block ends."""
    with TemporaryDirectory() as scratch:
        try:
            with ZipFile(source) as archive:
                archive.extractall(scratch)
        except (OSError, BadZipFile, NotImplementedError, RuntimeError, EOFError):
            raise UnreadableFileError(f"{source} is damaged and cannot be unpacked. Download it again.") from None
        yield next(Path(scratch).glob("*.csv"))
