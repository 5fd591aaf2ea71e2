"""``accord.read``: ratings from anything, a study folder among it, without the raters whose ratings do not count."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from accord.design.load import STUDY_FILE
from accord.errors import NotEnoughDataError, OptionError
from accord.formats.sources import read as read_source
from accord.ratings.leaving_out import with_exclusions
from accord.ratings.table import Ratings

__all__ = ["is_study", "ratings_file", "read", "study_ratings"]


def read(
    source: Any, *, leave_out: Iterable[str] = (), keep_all: bool = False, systems: bool = False, **options: Any
) -> Ratings:
    """Read ratings from a study folder, a file of any known format, a data frame or an array.

    Columns of a plain table are named by ``item``, ``rater``, ``value``, ``criterion`` and the other
    names of the contract (``document="docId"``); those not named are found by common names. ``level``
    and ``scale`` declare the scale, ``wide`` says that each rater has a column, ``duplicates`` which
    rating counts where a rater rated an item twice.

    Files of other tools are recognised by their content; ``format`` overrides. What was dropped,
    repaired or guessed is counted in ``notes``, and ``strict`` makes it an error.
    :func:`accord.formats.read` gives those rows one by one, and the spans.

    Raters whom the codebook leaves out are left out, and so are those named in ``leave_out``; ``keep_all`` keeps
    whom the codebook leaves out. The notes say whom and why. ``systems`` names the systems of a study folder, which
    have codes otherwise.
    """
    if is_study(source):
        _refuse(options, source)
        counted = with_exclusions(study_ratings(source), leave_out=leave_out, keep_all=keep_all)
        if not systems:
            return counted
        # The data are the same, whatever the systems are called: the fingerprint is that of their codes.
        named = with_exclusions(study_ratings(source, named=True), leave_out=leave_out, keep_all=keep_all)
        return replace(named, known_as=counted.fingerprint)
    if systems:
        raise OptionError("Systems have codes in a study folder only; a file holds the names that it holds.")
    return with_exclusions(read_source(source, **options), leave_out=leave_out, keep_all=keep_all)


def _refuse(options: dict[str, Any], folder: Any) -> None:
    asked = [name for name, value in options.items() if value not in (None, False, (), {}, "")]
    if asked:
        raise OptionError(
            f"{folder} is a study folder, which says itself what its ratings mean: {', '.join(asked)} cannot be given. "
            f"To read them in another way, write them to a file first: accord export {folder} -o ratings.csv"
        )


def is_study(source: Any) -> bool:
    """Whether this is a folder with a study in it."""
    return isinstance(source, str | os.PathLike) and (Path(source) / STUDY_FILE).is_file()


def study_ratings(folder: str | os.PathLike[str], *, named: bool = False) -> Ratings:
    """All ratings collected so far with their codebook, those of raters who are left out among them."""
    from accord.server.connect import connect, prepare

    connect(Path(folder), must_exist=True)
    prepare()
    from accord.server.organiser.ratings import all_ratings

    ratings = all_ratings(named=named)
    if ratings is None:
        raise NotEnoughDataError(f"{folder} holds no judgements yet. Raters give them at: accord serve {folder}")
    return ratings


@contextmanager
def ratings_file(source: Path) -> Iterator[Path]:
    """A file of ratings for what reads files only: the file itself, or the ratings of a study folder as CSV."""
    if not is_study(source):
        yield source
        return
    from accord.formats.imported import Imported
    from accord.formats.writing import write

    with TemporaryDirectory() as scratch:
        path = Path(scratch) / f"{source.resolve().name}.csv"
        write(Imported(read(source)), path, to="csv")
        yield path
