"""Write the codebook of a file that somebody else made, beside it, with the columns as that file names them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.errors import OptionError
from accord.formats.reading import detect
from accord.formats.registry import format_named
from accord.ratings.data_package import write_codebook
from accord.ratings.files import FILE_FORMATS, has_pattern, read_file
from accord.ratings.mapping import map_columns
from accord.ratings.shapes import shape_of

__all__ = ["write_description"]


def write_description(path: Path, ratings: Any, reading: Mapping[str, Any]) -> Path:
    """Write the codebook of these ratings beside the file that they were read from, as ``reading`` says."""
    if path.is_dir():
        raise OptionError(f"{path} is a folder. A study says in study.toml what its ratings mean; edit that.")
    if not path.exists() and has_pattern(str(path)):
        raise OptionError(f"{path} stands for several files. Write the codebook of each by itself.")
    name = reading.get("format")
    spec = format_named(name) if name else detect(path)[0]
    # What was asked for now is declared from now on: only what is still a guess is called one.
    codebook = replace(ratings.codebook, source=ratings.codebook.source or "accord describe")
    if not spec.plain or spec.name.removeprefix("wide-") not in FILE_FORMATS:
        return write_codebook(codebook, path, ())
    table = read_file(path, format=spec.name.removeprefix("wide-"), encoding=reading.get("encoding"))
    columns = list(table.columns)
    item = reading.get("item")
    given: dict[str, Any] = {role: reading.get(role) for role in ("rater", "value", "criterion")}
    given |= {"item": item[0] if item and len(item) == 1 else item, **_pairs(reading.get("columns") or ())}
    given = {role: column for role, column in given.items() if column}
    mapped = map_columns(columns, given)
    cells = shape_of(table, mapped, reading.get("wide") or None, list(given)).cells
    told = {"value"} | ({"rater"} if cells[0].rater else set()) if cells else set()
    named = {role: parts for role, parts in mapped.columns.items() if role not in told}
    return write_codebook(codebook, path, columns, named=named)


def _pairs(columns: Any) -> Mapping[str, str]:
    if isinstance(columns, Mapping):
        return columns
    return {name: column for name, _, column in (pair.partition("=") for pair in columns)}
