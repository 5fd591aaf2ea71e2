"""Several files of one tool read as one: doccano and Prodigy write a file for each rater."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.design.scale import Scale
from accord.errors import FormatError
from accord.formats import reading
from accord.formats.building import ratings_of
from accord.formats.imported import Imported, RepairLog, RowAccount
from accord.formats.options import ReadOptions
from accord.formats.rows import rating_rows
from accord.formats.texts import text_factors
from accord.ratings.codebook import Codebook

__all__ = ["read_several"]


_LOGS = frozenset({"promptfoo", "inspect", "langfuse", "deepeval", "mlflow"})
"""Logs of judges, beside which people's labels lie in a table of their own."""
_TABLES = frozenset({"csv", "tsv", "jsonl", "xlsx", "parquet"})


def _go_together(one: str, other: str) -> bool:
    """Files of one format, or a log of judges and a table of people."""
    return one == other or (one in _LOGS and other in _TABLES) or (one in _TABLES and other in _LOGS)


def read_several(paths: Sequence[os.PathLike[str]], *, format: str | None = None, **options: Any) -> Imported:
    """Read each file, and put what they hold together; items and raters of one name are the same in all."""
    parts = [reading.read(path, format=format, **options) for path in paths]
    first = parts[0]
    other = next((place for place, part in enumerate(parts) if not _go_together(part.format, first.format)), None)
    if other is not None:
        raise FormatError(
            f"{paths[0]} is read as {first.format} ({first.reason}), but {paths[other]} as {parts[other].format} "
            f"({parts[other].reason}). Files of one kind only can be read together."
        )
    names = [Path(path).name for path in paths]
    source = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
    texts = {item: held for part in reversed(parts) for item, held in part.texts.items()}
    of_texts = {name for part in parts for name in part.ratings.codebook.item.texts}
    rows = [
        {"item": row.item, "rater": row.rater, "value": row.value,
         **{name: cell for name, cell in row.more.items() if name not in of_texts}}
        for part in parts for row in rating_rows(part.ratings)
    ]  # fmt: skip
    log = RepairLog(
        tuple(
            replace(entry, file="/".join(filter(None, (name, entry.file))))
            for name, part in zip(names, parts, strict=True)
            for entry in part.log
        )
    )
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    account = _summed(parts)
    summary = str(account) if account is not None and account.rows != account.ratings else ""
    told = [note.rstrip(".") for note in (*notes, summary, log.summary()) if note]
    columns = text_factors([str(row["item"]) for row in rows], texts)
    ratings = ratings_of(
        rows, source, ReadOptions.of(options), notes=told, texts=columns, codebook=_together(parts, tuple(columns))
    )
    return replace(
        first,
        ratings=replace(ratings, missing=ratings.missing + sum(part.ratings.missing for part in parts)),
        spans=tuple(span for part in parts for span in part.spans),
        log=log,
        notes=notes,
        account=account,
    )


def _summed(parts: Sequence[Imported]) -> RowAccount | None:
    """What became of the rows of all files, where each says it."""
    accounts = [part.account for part in parts if part.account is not None]
    return sum(accounts, RowAccount()) if len(accounts) == len(parts) else None


def _together(parts: Sequence[Imported], texts: tuple[str, ...]) -> Codebook:
    """The codebook of the first file, with the scale or at least the level that all files declare alike.

    Of scales that differ only in how many values occur (grades with and without partial credit) the widest holds all.
    """
    books = [part.ratings.codebook for part in parts]
    criteria = {}
    for key in dict.fromkeys(key for book in books for key in book.criteria):
        said = [book.criteria[key] for book in books if key in book.criteria]
        levels = {one.level for one in said}
        widest = max(said, key=lambda one: len(one.scale.values))
        if all(one.scale.declared and _part_of(one.scale, widest.scale) for one in said):
            criteria[key] = widest
        elif len(levels) == 1 and not any(one.scale.has_guessed_level for one in said):
            criteria[key] = replace(said[0], scale=Scale(said[0].level, (), direction=said[0].direction))
    item = replace(books[0].item, texts=texts)
    judges = {judge.name: judge for book in reversed(books) for judge in book.judges}
    return replace(books[0], criteria=criteria, item=item, guesses=(), judges=tuple(judges.values()))


def _part_of(scale: Scale, whole: Scale) -> bool:
    """Whether a scale has values of another in the same order, and is like it in all else."""
    same = tuple(value for value in whole.values if value in set(scale.values)) == scale.values
    return same and replace(scale, values=whole.values) == whole
