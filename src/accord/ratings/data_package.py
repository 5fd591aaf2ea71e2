"""The codebook beside its table: a Data Package (``datapackage.json``), or the metadata of a Parquet file.

One resource a table. A ``datapackage.json`` that Accord did not write is never changed: the codebook then goes into
``TABLE.datapackage.json``. A resource counts for a table only if its path names it; a file that
does not name the table and looks as if it were meant for it gets a line.
"""

import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, TypeGuard

from accord.design.nearest import did_you_mean
from accord.errors import AccordError, FormatError, OperationError, Problem
from accord.ratings.codebook import KEPT_APART, Codebook
from accord.ratings.codebook_json import Place, codebook_of_json, json_of_codebook
from accord.ratings.fields import schema_of
from accord.ratings.package_file import PACKAGE_NAME, package_json, package_places, package_text_at
from accord.records import dataclass
from accord.words import listed, shown_names

__all__ = [
    "METADATA_KEY",
    "PACKAGE_NAME",
    "Described",
    "found_beside",
    "package_text",
    "parse_package",
    "read_codebook",
    "write_codebook",
]

METADATA_KEY = "datapackage"
"""The key of Parquet metadata that holds the same text."""
_OURS = "accord"
_PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_VERSION = 1
_MEDIA = {
    ".csv": ("csv", "text/csv"), ".tsv": ("tsv", "text/tab-separated-values"), ".tab": ("tsv", "text/plain"),
    ".jsonl": ("jsonl", "application/jsonl"), ".ndjson": ("jsonl", "application/jsonl"),
    ".json": ("json", "application/json"), ".parquet": ("parquet", "application/vnd.apache.parquet"),
    ".xlsx": ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}  # fmt: skip
_PARTS = ("item", "rater", "value")
_HASHED = 200_000_000
"""Larger tables are compared by their size only: hashing them would take longer than counting them."""


@dataclass(frozen=True)
class Described:
    """A codebook as it was found: ``columns`` says which of the table's own columns play which part."""

    codebook: Codebook
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    where: str = ""
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """What a package of others says stands for no rating, beside the usual words."""


def write_codebook(
    codebook: Codebook | None,
    table: str | os.PathLike[str],
    columns: Sequence[str],
    *,
    numbers: Collection[str] = (),
    named: Mapping[str, Sequence[str]] | None = None,
) -> Path:
    """Write what a table means into the Data Package beside it, and return its path.

    ``columns`` are the columns of the table in their order, none for a file that is no table (JSON of a tool);
    ``numbers`` are those that hold numbers besides the usual ones; ``named`` says which columns are item, rater and
    value where the table has names of its own. A table that holds no ratings (times, answers) has no codebook: it is
    listed with its columns.
    """
    path = Path(table)
    try:
        resource = _resource(codebook, path.name, path.read_bytes(), columns, numbers, named or {})
        target, package = _target(path)
        _replace_resource(package, resource)
        part = target.with_name(f".{target.name}.part")
        part.write_text(_text(package), encoding="utf-8")
        part.replace(target)
    except OSError as error:
        raise OperationError(f"The codebook of {path} cannot be written: {error.strerror or error}.") from None
    return target


def package_text(
    codebook: Codebook | None,
    name: str,
    content: bytes | None,
    columns: Sequence[str],
    *,
    numbers: Collection[str] = (),
    named: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """The Data Package of one table that is not on disk: in a zip for a browser, in the metadata of Parquet."""
    package = _new_package()
    _replace_resource(package, _resource(codebook, name, content, columns, numbers, named or {}))
    return _text(package)


def read_codebook(table: str | os.PathLike[str]) -> Described | None:
    """What is said about a table beside it, or in it where it is Parquet; None where nothing is said."""
    return found_beside(table)[0]


def found_beside(table: str | os.PathLike[str]) -> tuple[Described | None, tuple[str, ...]]:
    """What is said about a table, and a line on each file that lies where its codebook would and says nothing of it."""
    path = Path(table)
    notes: list[str] = []
    for place in package_places(path):
        text = package_text_at(place, path.name)
        if text is None:
            continue
        package = package_json(text, str(place), path.name)
        if found := _meant(package, text, path.name, str(place), _first_line(path)):
            described, resource = found
            changed = _changed(resource, path, place)
            return replace(described, notes=(*described.notes, *changed)), tuple(notes)
        notes += _not_of(package, path, place)
    return _in_parquet(path), tuple(notes)


def parse_package(
    text: str, name: str, where: str, also: Collection[str] = ()
) -> tuple[Described, Mapping[str, Any]] | None:
    """The codebook of the table called ``name``, and its resource; an error that names each mistake and its line.

    ``also`` are columns of the table that its schema may not list yet.
    """
    return _meant(package_json(text, where, name), text, name, where, also)


def _meant(
    package: object, text: str, name: str, where: str, also: Collection[str]
) -> tuple[Described, Mapping[str, Any]] | None:
    number, resource = _resource_of(package, name)
    if resource is None:
        return None
    if _OURS not in resource:
        from accord.ratings.foreign_package import standard_meaning

        said = standard_meaning(resource, where)
        return (Described(said[0], where=where, missing=said[1], notes=said[2]), resource) if said else None
    problems: list[tuple[Place, str]] = []
    if not isinstance(resource[_OURS], dict):
        problems.append(((), f"{_OURS} is {json.dumps(resource[_OURS])[:40]}; it should be an object {{...}}"))
        raise _mistakes(text, ("resources", number, _OURS), problems, name, where)
    given = dict(resource[_OURS])
    columns = _columns(given.pop("columns", {}), problems)
    codebook = codebook_of_json(given, lambda place, why: problems.append((place, why)))
    if listed := _field_names(resource):
        problems += _apart_by_nothing(codebook, {*listed, *also, *columns, *sum(columns.values(), ())})
    if problems:
        raise _mistakes(text, ("resources", number, _OURS), problems, name, where)
    return Described(codebook, columns, where, _crossed(columns, where)), resource


def _crossed(columns: Mapping[str, tuple[str, ...]], where: str) -> tuple[str, ...]:
    """A line where a column that is called as one part of a rating plays another: it may have been meant so."""
    played = [(part, role) for role in _PARTS for part in columns.get(role, ())]
    crossed = [f"{part!r} as {role}" for part, role in played if part in _PARTS and part != role]
    return (f"{where} takes the column {listed(crossed)}; check that this is meant",) if crossed else ()


def _not_of(package: object, path: Path, place: Path) -> list[str]:
    """A line where a file that says nothing of a table may have been meant for it: it was renamed, or is no package."""
    listed = package.get("resources") if isinstance(package, dict) else None
    if not isinstance(listed, list):
        return [f"{place} lists no resources, so it is no Data Package and is not used"]
    if _resource_of(package, path.name)[1] is not None:
        return []
    named = [one["path"] for one in listed if isinstance(one, dict) and isinstance(one.get("path"), str)]
    gone = [name for name in named if not (place.parent / name).exists()]
    if place.name != PACKAGE_NAME:
        gone = named
    elif not isinstance(package, dict) or _OURS not in package:
        return []
    if not gone:
        return []
    return [
        f"{place} speaks of {shown_names(gone)} and not of {path.name}, so it is not used; "
        f"if {path.name} is that table renamed, write its new name as the path"
    ]


def _field_names(resource: Mapping[str, Any]) -> list[str]:
    schema = resource.get("schema")
    listed = schema.get("fields") if isinstance(schema, Mapping) else None
    return [str(one.get("name", "")) for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _first_line(path: Path) -> list[str]:
    """The columns of a plain table as its first line has them: somebody may have added one since."""
    if path.suffix.lower() not in (".csv", ".tsv", ".tab", ".txt"):
        return []
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as opened:
            return [cell.strip().strip('"') for cell in re.split(r"[,;\t|]", opened.readline(1 << 16))]
    except OSError:
        return []


def _apart_by_nothing(codebook: Codebook, columns: Collection[str]) -> list[tuple[Place, str]]:
    """Names in ``kept_apart`` that are no column: ratings that were to be kept apart would be paired."""
    return [
        (
            ("kept_apart", number),
            f"{name!r} is to be kept apart, and is no column of the table"
            f"{did_you_mean(name, sorted({*columns, *KEPT_APART}))}",
        )
        for number, name in enumerate(codebook.kept_apart)
        if name and name not in columns and name not in KEPT_APART
    ]


def _mistakes(text: str, inside: Place, problems: Sequence[tuple[Place, str]], name: str, where: str) -> FormatError:
    from accord.ratings.json_places import JsonPlaces

    places = JsonPlaces(text)
    listed = [Problem(why, places.line((*inside, *place)), where) for place, why in problems]
    listed.sort(key=lambda problem: problem.row or 0)
    return FormatError(f"The codebook of {name} cannot be used as it stands:", listed)


def _columns(data: object, problems: list[tuple[Place, str]]) -> dict[str, tuple[str, ...]]:
    if not isinstance(data, dict):
        problems.append((("columns",), 'columns is written as {"item": "segment", "rater": "translator"}'))
        return {}
    columns = {}
    for role, names in data.items():
        listed = [names] if isinstance(names, str) else names
        if isinstance(listed, list) and listed and all(isinstance(one, str) for one in listed):
            columns[role] = tuple(listed)
        else:
            problems.append((("columns", role), f"the column taken as {role} is a name, or a list of names"))
    return columns


def _resource_of(package: object, name: str) -> tuple[int, dict[str, Any] | None]:
    """Number and content of the resource whose path names the table."""
    listed = package.get("resources") if isinstance(package, dict) else None
    for number, one in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(one, dict) and name in _paths(one.get("path")):
            return number, one
    return -1, None


def _paths(path: object) -> list[str]:
    """The files of a resource, one or a list, as their folder names them: ./r.csv is r.csv."""
    listed = path if isinstance(path, list) else [path]
    return [os.path.normpath(one) for one in listed if isinstance(one, str)]


def _changed(resource: Mapping[str, Any], path: Path, place: Path) -> tuple[str, ...]:
    """A sentence if the table is no longer the one that was described."""
    expected, size = resource.get("hash"), resource.get("bytes")
    try:
        same = size is None or path.stat().st_size == size
        if same and isinstance(expected, str) and path.stat().st_size <= _HASHED:
            same = _hash(path.read_bytes()) == expected
    except OSError:
        return ()
    words = f"{path.name} has changed since its codebook was written ({place.name}); check that it still holds"
    return () if same else (words,)


def _in_parquet(path: Path) -> Described | None:
    try:
        with path.open("rb") as opened:
            if opened.read(4) != b"PAR1":
                return None
    except OSError:
        return None
    from accord.ratings.parquet_file import parquet_metadata

    text = parquet_metadata(path, METADATA_KEY)
    package = text and parse_package(text, _only_path(text, path.name), f"the metadata of {path.name}")
    return package[0] if package else None


def _only_path(text: str, name: str) -> str:
    """A Parquet file may have been renamed: its metadata speak of it all the same."""
    try:
        return str(json.loads(text)["resources"][0]["path"])
    except (ValueError, KeyError, IndexError, TypeError):
        return name


def _target(path: Path) -> tuple[Path, dict[str, Any]]:
    """Where to write, and what stands there already: the folder's package if it is ours, else one for this table."""
    alone, shared = package_places(path)
    if (text := package_text_at(alone, path.name)) is not None:
        package = package_json(text, str(alone), path.name)
        if not _is_ours(package):
            raise OperationError(f"{alone} was not written by Accord and is not changed. Move it away, and try again.")
        return alone, package
    try:
        text = package_text_at(shared, path.name)
        package = _new_package() if text is None else package_json(text, str(shared), path.name)
    except AccordError:  # it may speak of other tables: it stays as it is
        return alone, _new_package()
    return (shared, package) if _is_ours(package) else (alone, _new_package())


def _is_ours(package: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(package, dict) and _OURS in package


def _new_package() -> dict[str, Any]:
    return {"$schema": _PROFILE, "name": "ratings", "resources": [], _OURS: {"codebook": _VERSION}}


def _replace_resource(package: dict[str, Any], resource: dict[str, Any]) -> None:
    """Put the resource in its place; what others wrote about the table (licences, sources) stays."""
    if not isinstance(package.get("resources"), list):
        package["resources"] = []
    number, old = _resource_of(package, resource["path"])
    taken = {one.get("name") for one in package["resources"] if isinstance(one, dict) and one is not old}
    resource["name"] = _free(resource["name"], taken)
    if old is None:
        package["resources"].append(resource)
    else:
        kept = {key: part for key, part in old.items() if key not in (_OURS, "dialect")}
        package["resources"][number] = {**kept, **resource}


def _free(name: str, taken: Collection[object]) -> str:
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbered if one not in taken)


def _resource(
    codebook: Codebook | None,
    name: str,
    content: bytes | None,
    columns: Sequence[str],
    numbers: Collection[str],
    named: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    suffix = Path(name.removesuffix(".gz")).suffix.lower()
    format, media = _MEDIA.get(suffix, (suffix.lstrip(".") or "csv", "text/plain"))
    resource: dict[str, Any] = {
        "name": re.sub(r"[^a-z0-9._-]+", "-", Path(name).stem.lower()).strip("-._") or "table",
        "path": name,
        "format": format,
        "mediatype": media,
        "encoding": "utf-8",
    }
    if name.endswith(".gz"):
        resource["compression"] = "gz"
    if format == "tsv":
        resource["dialect"] = {"delimiter": "\t"}
    if content is not None:
        resource |= {"bytes": len(content), "hash": _hash(content)}
    if columns:
        resource |= {"type": "table", "schema": schema_of(codebook, columns, numbers, named)}
    if codebook is not None:
        if columns:
            known = {*columns, *KEPT_APART, *named, ""}
            # A column that is not written keeps nothing apart, and whoever reads the table would be told of a mistake.
            codebook = replace(codebook, kept_apart=tuple(one for one in codebook.kept_apart if one in known))
        own = {role: list(parts) for role, parts in named.items() if list(parts) != [role]}
        resource[_OURS] = json_of_codebook(codebook) | ({"columns": own} if own else {})
    return resource


def _hash(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _text(package: Mapping[str, Any]) -> str:
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"
