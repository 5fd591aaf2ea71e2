"""Write a file in any format that can be written: whole or not at all, and say what it could not hold."""

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from accord.errors import OperationError, OptionError
from accord.formats.imported import Imported
from accord.formats.plain import columns_of
from accord.formats.registry import FORMATS, FormatSpec, format_named
from accord.ratings.codebook import KEPT_APART
from accord.ratings.data_package import write_codebook
from accord.ratings.table import Ratings
from accord.words import counted, set_by

__all__ = ["format_for", "write"]


def format_for(path: Path, name: str | None = None) -> FormatSpec:
    """The format to write: the one named, or the plain one that belongs to the ending of the path."""
    writable = ", ".join(spec.name for spec in FORMATS.values() if spec.writes)
    if name is not None:
        spec = format_named(name)
        if spec.writes is None:
            raise OptionError(f"{spec.title} can be read, but not written. These can be written: {writable}.")
        return spec
    for spec in FORMATS.values():
        if (spec.plain or spec.name == "spss") and path.suffix.lower() in spec.suffixes:
            return spec
    raise OptionError(f"The ending of {path.name} does not say a format. Name one with {set_by('to')}: {writable}.")


def write(
    imported: Imported, path: str | os.PathLike[str], *, to: str | None = None, force: bool = False
) -> tuple[str, ...]:
    """Write to a path, with the codebook beside it; return in words what the format could not hold.

    The file is written beside its place and moved there when it is whole, so that a stop in between
    leaves nothing half-written. An existing file is overwritten only with ``force``.
    """
    place = Path(path)
    spec = format_for(place, to)
    if spec.writes is None:
        raise OptionError(f"{spec.title} cannot be written.")
    if place.exists() and not force:
        raise OptionError(f"{place} exists. Give {set_by('force', python=True)} to overwrite it.")
    if place.is_dir() and not (spec.folder and force):
        raise OptionError(f"{place} is a folder; {spec.title} is a file.")
    try:
        lost = _moved_into_place(spec, imported, place)
    except OSError as error:
        raise OperationError(f"{place} cannot be written: {error.strerror or error}.") from None
    _describe(spec, imported.ratings, place)
    ratings = imported.ratings
    return (*lost, *_unanswered(ratings), *_apart_no_more(ratings, columns_of(ratings)))


def _describe(spec: FormatSpec, ratings: Ratings, place: Path) -> None:
    """The codebook beside what was written; Parquet carries it inside, and a folder holds no table of its own."""
    if spec.folder or spec.name == "parquet":
        return
    is_long = spec.plain and spec.name != "wide-csv"
    write_codebook(ratings.codebook, place, columns_of(ratings) if is_long else (), numbers=tuple(ratings.numbers))


def _unanswered(ratings: Ratings) -> tuple[str, ...]:
    """A line on ratings without an answer: every format is written from those that have one."""
    number = counted(ratings.missing, "rating")
    words = f"{number} without an answer: who gave none to which item is not kept."
    return (words,) if ratings.missing else ()


def _apart_no_more(ratings: Ratings, written: Sequence[str]) -> tuple[str, ...]:
    """A line for each name that the codebook keeps apart and the table has no column for: it keeps nothing apart."""
    known = {*written, *KEPT_APART, ""}
    return tuple(
        f"{name!r} is kept apart in the codebook and is no column of the table: it is not written, and whoever reads "
        "the table pools over it"
        for name in ratings.codebook.kept_apart
        if name not in known
    )


def _moved_into_place(spec: FormatSpec, imported: Imported, place: Path) -> tuple[str, ...]:
    assert spec.writes is not None  # noqa: S101 - checked by the caller
    room = Path(tempfile.mkdtemp(prefix=".accord-", dir=place.parent))
    try:
        part = room / place.name
        lost = spec.writes(imported, part)
        if place.is_dir():
            place.rename(room / "replaced")
        part.replace(place)
        return lost
    finally:
        shutil.rmtree(room, ignore_errors=True)
