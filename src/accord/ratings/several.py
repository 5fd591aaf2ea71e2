"""Several files, by a pattern or a list, read into memory as one table; each line keeps the file it stands in."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.ratings.files import has_pattern, large_files, read_file
from accord.ratings.joined_tables import joined_tables
from accord.ratings.raw import RawTable

__all__ = ["fit_in_memory", "is_paths", "is_several", "listed_files", "read_files"]


def is_paths(source: Any) -> bool:
    """Whether this is a list of paths."""
    listed = isinstance(source, list | tuple) and len(source) > 0
    return listed and all(isinstance(one, str | os.PathLike) for one in source)


def is_several(source: Any) -> bool:
    """Whether a source stands for several files of this machine: a list of paths, or a pattern."""
    if isinstance(source, str | os.PathLike):
        name = str(source)
        return "://" not in name and has_pattern(name) and not Path(name).exists()
    return is_paths(source)


def listed_files(source: Any) -> list[Path]:
    """The files that a pattern or a list of paths stands for; an error where there are none."""
    from accord.ratings.duckdb_engine import files_of

    return [Path(name) for name in files_of(str(source) if isinstance(source, str | os.PathLike) else source)]


def fit_in_memory(source: Any) -> bool:
    """Whether the files that a source stands for are small enough together to be read into memory."""
    return not large_files(listed_files(source))


def read_files(files: Sequence[Path], **options: Any) -> RawTable:
    """One table of all files; a column that a file lacks is empty in its rows."""
    tables = [read_file(path, **options) for path in files]
    return tables[0] if len(tables) == 1 else joined_tables(tables)
