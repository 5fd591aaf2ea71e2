"""``accord.read``: ratings from anything, a study folder among it, without the raters whose ratings do not count."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from accord.design.study_file import STUDY_FILE
from accord.errors import NotEnoughDataError, OptionError
from accord.formats.options import Reading, require_options
from accord.formats.sources import read as read_source
from accord.ratings.leaving_out import with_exclusions
from accord.ratings.readable import Files, SparkFrame
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame
    from numpy.typing import NDArray

    from accord.formats.imported import Imported
    from accord.ratings.codebook import Codebook

__all__ = [
    "hidden_names_told", "imported_from", "is_study", "ratings_file", "read", "read_answers", "study_ratings",
]  # fmt: skip


@overload
def read(
    source: Files, *, engine: Literal["memory"], leave_out: Iterable[str] = (), keep_all: bool = False,
    systems: bool = False, **options: Unpack[Reading],
) -> Ratings: ...  # fmt: skip
@overload
def read(
    source: Files, *, engine: Literal["duckdb", "spark"], leave_out: Iterable[str] = (), keep_all: bool = False,
    systems: bool = False, **options: Unpack[Reading],
) -> StoredRatings: ...  # fmt: skip
@overload
def read(
    source: Files, *, engine: None = None, leave_out: Iterable[str] = (), keep_all: bool = False,
    systems: bool = False, **options: Unpack[Reading],
) -> Ratings | StoredRatings: ...  # fmt: skip
@overload
def read(
    source: SparkFrame, *, leave_out: Iterable[str] = (), keep_all: bool = False, **options: Unpack[Reading]
) -> StoredRatings: ...
@overload
def read(
    source: "IntoFrame | NDArray[Any]",
    *,
    leave_out: Iterable[str] = (),
    keep_all: bool = False,
    **options: Unpack[Reading],
) -> Ratings: ...
def read(
    source: Any, *, leave_out: Iterable[str] = (), keep_all: bool = False, systems: bool = False,
    engine: str | None = None, **options: Any,
) -> Ratings | StoredRatings:  # fmt: skip
    """Read ratings from a study folder, a file of any known format, a data frame or an array.

    Parameters
    ----------
    source
        A study folder; a path, a pattern or a list of paths; any frame that Narwhals knows; a PySpark frame; or an
        array of items x raters. Files of other tools are recognised by their content.
    leave_out, keep_all
        Raters to leave out besides those whom the codebook leaves out; or keep those too. The notes say whom and why.
    systems
        Name the systems of a study folder, which have codes otherwise.
    engine
        duckdb or spark count files where they lie, memory reads any file whole. Without it, files of more than about
        five million ratings are counted where they lie.
    options
        ``item``, ``rater``, ``value``, ``criterion`` and the other columns of the contract name the columns of a plain
        table; those not named are found by common names. ``level``, ``scale``, ``scales`` and ``direction`` declare
        what the ratings mean, before a ``codebook`` and before one that lies beside the file. ``wide`` says that each
        rater has a column; several columns in ``value`` are several criteria. ``duplicates`` says which rating counts
        where a rater rated an item twice (first, last, mean), ``separator`` parts labels that were given together,
        ``missing`` are spellings of no answer. ``map_rater`` gives raters other names, ``drop_off_scale`` leaves out
        values off the scale, declared or evident.
        ``format``, ``encoding``, ``delimiter`` and ``sheet`` override what is recognised; ``strict`` makes it an error
        that a row was dropped, repaired or guessed. ``memory`` and ``master`` are for the engines.

    Returns
    -------
    Ratings or StoredRatings
        Ratings in memory; or stored ones, which give counts and no rows, where an engine counts them. With
        ``engine="memory"`` a type checker knows that they are ``Ratings``. ``notes`` say what was guessed or repaired,
        ``codebook`` what the ratings mean.

    Examples
    --------
    >>> import accord
    >>> ratings = accord.read("fluency.csv", value="fluency", scale="1..5", direction="high")
    >>> ratings.items, ratings.raters, str(ratings.scale.direction)
    (20, 3, 'high')
    """
    require_options("read", options, ("leave_out", "keep_all", "systems", "engine"))
    if engine is not None:
        options["engine"] = engine
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
    found = _of_zip(source, options) if is_zip(source) else read_source(source, **options)
    return with_exclusions(found, leave_out=leave_out, keep_all=keep_all)


def _of_zip(source: str | os.PathLike[str], options: dict[str, Any]) -> Ratings:
    """The ratings of a zip that was downloaded; what is in it goes once it is read, so nothing can count it there."""
    from accord.formats.exported_zip import unpacked_table

    if options.get("engine") not in (None, "memory"):
        raise OptionError(f"{source} is a zip archive: unpack it, and {options['engine']} counts the table in it.")
    with unpacked_table(Path(source)) as table:
        return replace(read_source(table, **options | {"engine": "memory"}), source=str(source))


def is_zip(source: Any) -> bool:
    """Whether this is an export of a study as a browser downloads it: a table and what it means, in one zip."""
    if not isinstance(source, str | os.PathLike) or not str(source).lower().endswith(".zip"):
        return False
    from accord.formats.exported_zip import is_exported_zip

    return is_exported_zip(source)


def _refuse(options: dict[str, Any], folder: Any) -> None:
    asked = [name for name, value in options.items() if value not in (None, False, (), {}, "")]
    if asked:
        declare = 'Which end is good is declared in its study.toml: best = "high" (or "low") under [[criteria]]. '
        raise OptionError(
            f"{folder} is a study folder, which says itself what its ratings mean: {', '.join(asked)} cannot be given. "
            f"{declare if 'direction' in asked else ''}To read them in another way, write them to a file first: "
            f"accord export {folder} -o ratings.csv"
        )


def is_study(source: Any) -> bool:
    """Whether this is a folder with a study in it."""
    return isinstance(source, str | os.PathLike) and (Path(source) / STUDY_FILE).is_file()


def _open(folder: str | os.PathLike[str]) -> None:
    """Go to the database of a study, and bring it up to date."""
    from accord.server.connect import connect, prepare

    connect(Path(folder), must_exist=True)
    prepare()


def study_ratings(folder: str | os.PathLike[str], *, named: bool = False) -> Ratings:
    """All ratings collected so far with their codebook, those of raters who are left out among them."""
    _open(folder)
    from accord.server.organiser.ratings import all_ratings, collect

    # Kept, because who is left out, and whom the report calls hasty, is counted from the same table.
    ratings = all_ratings(named=True) if named else collect().everything
    if ratings is None:
        raise NotEnoughDataError(f"{folder} holds no judgements yet. Raters give them at: accord serve {folder}")
    return ratings


def hidden_names_told(codebook: "Codebook") -> str:
    """What is said where texts of the open study still hold words that are names of its systems or raters too."""
    from accord.ratings.named_in_texts import names_in_texts
    from accord.server.organiser.ratings import hidden_names

    return names_in_texts(codebook, hidden_names())


def imported_from(source: str | os.PathLike[str], **options: Any) -> "Imported":
    """A file, a folder, a pattern of files or a study folder with all that a reader tells of it, to be converted."""
    from accord.formats.imported import Imported
    from accord.formats.joining import read_several
    from accord.formats.reading import read
    from accord.ratings.several import is_several, listed_files

    if is_zip(source):
        from accord.formats.exported_zip import unpacked_table

        with unpacked_table(Path(source)) as table:
            return read(table, **options)
    if not is_study(source):
        return read_several(listed_files(source), **options) if is_several(source) else read(source, **options)
    if given := [name for name, value in options.items() if value]:
        raise OptionError(f"{source} is a study folder, which says itself how it is read: drop {', '.join(given)}.")
    return Imported(study_ratings(source), format="study", reason=f"it holds {STUDY_FILE}")


def read_answers(source: str | os.PathLike[str], *, is_open: bool = False) -> Ratings | None:
    """Answers to the questionnaire of a study folder, or in a file; None where a study has none.

    ``is_open``: the ratings of this study have just been read, so its database is known to be up to date.
    """
    from accord.ratings import questionnaire

    if not is_study(source):
        return questionnaire.read_answers(Path(source))
    if not is_open:
        _open(source)
    from accord.server.organiser.ratings import questionnaire_answers

    return questionnaire_answers()


@contextmanager
def ratings_file(source: Path) -> Iterator[Path]:
    """A file of ratings for what reads files only: the file itself, or the ratings of a study folder as CSV.

    The file holds every rater; the codebook beside it says whose ratings do not count.
    """
    if not is_study(source):
        yield source
        return
    from accord.formats.imported import Imported
    from accord.formats.writing import write

    with TemporaryDirectory() as scratch:
        path = Path(scratch) / f"{source.resolve().name}.csv"
        write(Imported(study_ratings(source)), path, to="csv")
        yield path
