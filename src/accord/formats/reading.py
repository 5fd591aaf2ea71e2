"""Read any file: find out its format, say why, read it, and keep the log of repairs."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from accord import sizes
from accord.errors import AccordError, FormatError, OptionError, UnreadableFileError
from accord.formats.content import sample_of
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions
from accord.formats.registry import FORMATS, FormatSpec, format_named
from accord.ratings.data_package import found_beside
from accord.words import set_by

__all__ = ["Detected", "detect", "may_be", "read"]

Detected = tuple[FormatSpec, str]

_WHERE = ("engine", "memory", "master")
_PLAIN = [spec for spec in FORMATS.values() if spec.plain]
_SIGNS = [
    (spec, [(bare, frozenset(bare)) for sign in spec.signs for bare in (sign.rstrip("0123456789"),)])
    for spec in FORMATS.values()
    if not spec.plain
]
"""The signs of each format of another tool without digits, and the letters that each needs."""
_LETTERS = frozenset().union(*(needed for _, signs in _SIGNS for _, needed in signs))
_NAMED = ("item", "rater", "value", "columns", "wide")


def detect(path: str | os.PathLike[str]) -> Detected:
    """The format of a file and the reason; an error if there is none, or more than one."""
    place = Path(path)
    sample = _checked_sample(place)
    found = _of_tools(sample, place) or list(islice(_found(_PLAIN, sample, place), 1))
    if len(found) > 1:
        reasons = "; ".join(f"{spec.name} ({reason})" for spec, reason in found)
        raise FormatError(f"{path} could be in several formats: {reasons}. Say which with {set_by('format')}.")
    if found:
        return found[0]
    if place.is_dir():
        raise UnreadableFileError(
            f"{path} is a folder, but not one of a format that is known. Name a file in it, or several by a pattern."
        )
    if sample.lstrip()[:1] in ("{", "["):
        return FORMATS["jsonl"], "it begins as JSON does"
    return FORMATS["csv"], "nothing else recognised it"


def _of_tools(sample: str, path: Path) -> list[Detected]:
    """What formats of other tools say of a file; only those are asked, and loaded, that its beginning leaves open."""
    if path.is_dir():
        return list(_found([spec for spec in FORMATS.values() if spec.folder], sample, path))
    return list(_found(may_be(f"{path.name}\n{sample}".lower()), sample, path))


def may_be(beginning: str) -> list[FormatSpec]:
    """The formats of other tools in which a file with this name and beginning, in small letters, can be."""
    # Most signs need a letter that a plain table has nowhere.
    letters = {letter for letter in _LETTERS if letter in beginning}
    left = [(spec, [sign for sign, needed in signs if needed <= letters]) for spec, signs in _SIGNS]
    if not sizes.are_looked_for_at_once(sum(sign != "" for _, signs in left for sign in signs)):
        beginning = _different_lines(beginning)
    return [spec for spec, signs in left if any(sign in beginning for sign in signs)]


def _different_lines(text: str) -> str:
    """The lines without digits, each once: of a plain table these are few, and dozens of signs are looked for in it."""
    plain = text.encode("utf-8", "surrogatepass").translate(None, b"0123456789")
    return b"\n".join(set(plain.split(b"\n"))).decode("utf-8", "surrogatepass")


def _found(asked: Iterable[FormatSpec], sample: str, path: Path) -> Iterator[Detected]:
    return ((spec, reason) for spec in asked if (reason := spec.detects(sample, path)))


def _checked_sample(path: Path) -> str:
    try:
        if path.is_dir():
            return ""
        if not path.exists():
            raise UnreadableFileError(f"There is no file {path}.")
        if path.stat().st_size == 0:
            raise UnreadableFileError(f"{path} is empty.")
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    return sample_of(path)


def read(path: str | os.PathLike[str], *, format: str | None = None, strict: bool = False, **options: Any) -> Imported:
    """Read a file of any format that is known.

    ``format`` names it; without it the content tells. ``strict`` turns every row that would be
    dropped, repaired or guessed into an error that lists them all. Other options are those of
    :func:`accord.read`.
    """
    place = Path(path)
    wanted = ReadOptions.of(options)
    spec, reason = _chosen(place, format, wanted)
    asked = [name for name in wanted.table if name not in _WHERE]
    if asked and not spec.takes_columns:
        names = ", ".join(asked)
        raise OptionError(
            f"{path} is read as {spec.name} ({reason}), which names its own columns: {names} cannot be given. "
            "To read it as a plain table, give --format csv, tsv or jsonl."
        )
    said, told = (None, ()) if spec.plain or wanted.codebook is not None else found_beside(place)
    if said is not None:
        wanted = replace(wanted, codebook=said.codebook)
    try:
        imported = spec.reads(place, wanted)
    except AccordError:
        raise
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        # A net under the readers, which the fuzz tests call without it: no user meets a traceback.
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise FormatError(f"{path} is not what {spec.title} should be, and reading stopped ({what}).") from error
    if strict:
        imported.log.refuse(str(path))
    if told := (*told, *(said.notes if said is not None else ())):
        imported = replace(imported, ratings=replace(imported.ratings, notes=(*imported.ratings.notes, *told)))
    return replace(imported, reason=reason)


def _chosen(path: Path, format: str | None, options: ReadOptions) -> Detected:
    """A plain table where the user names its columns; else what is asked for, else what is detected."""
    if format is not None:
        return format_named(format), "named by the user"
    if options.table.get("sheet") is not None:
        return FORMATS["xlsx"], "one of its sheets is named"
    spec, reason = detect(path)
    mapped = [name for name in _NAMED if options.table.get(name) is not None]
    if mapped and not spec.takes_columns:
        for other, _ in _found(_PLAIN, sample_of(path), path):
            return other, f"its columns are named ({', '.join(mapped)})"
    return spec, reason
