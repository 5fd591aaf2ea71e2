"""Several files of one tool read as one: doccano and Prodigy write a file for each rater."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.errors import FormatError
from accord.formats import reading
from accord.formats.building import ratings_of
from accord.formats.imported import Imported, RepairLog
from accord.formats.options import ReadOptions
from accord.formats.rows import rating_rows

__all__ = ["read_several"]


def read_several(paths: Sequence[os.PathLike[str]], *, format: str | None = None, **options: Any) -> Imported:
    """Read each file, and put what they hold together; items and raters of one name are the same in all."""
    parts = [reading.read(path, format=format, **options) for path in paths]
    first = parts[0]
    other = next((place for place, part in enumerate(parts) if part.format != first.format), None)
    if other is not None:
        raise FormatError(
            f"{paths[0]} is read as {first.format} ({first.reason}), but {paths[other]} as {parts[other].format} "
            f"({parts[other].reason}). Files of one kind only can be read together."
        )
    names = [Path(path).name for path in paths]
    source = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
    rows = [
        {"item": row.item, "rater": row.rater, "value": row.value, **row.more}
        for part in parts for row in rating_rows(part.ratings)
    ]  # fmt: skip
    log = RepairLog(tuple(
        replace(entry, file="/".join(filter(None, (name, entry.file))))
        for name, part in zip(names, parts, strict=True) for entry in part.log
    ))  # fmt: skip
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    told = (*notes, *filter(None, [log.summary()]))
    ratings = ratings_of(rows, source, _declared(parts, ReadOptions.of(options)), notes=told)
    return replace(
        first,
        ratings=replace(ratings, missing=ratings.missing + sum(part.ratings.missing for part in parts)),
        spans=tuple(span for part in parts for span in part.spans),
        log=log,
        texts={item: texts for part in reversed(parts) for item, texts in part.texts.items()},
        notes=notes,
    )


def _declared(parts: Sequence[Imported], options: ReadOptions) -> ReadOptions:
    """The options with the scale or level that the files themselves declare, if all declare the same."""
    scales = [part.ratings.scale for part in parts]
    if options.level is not None or options.scale is not None or options.scales is not None:
        return options
    if scales[0].declared and all(scale == scales[0] for scale in scales):
        return replace(options, scale=scales[0])
    guessed = any(words.startswith("level guessed") for scale in scales for words in scale.guesses)
    if not guessed and len({scale.level for scale in scales}) == 1:
        return replace(options, level=scales[0].level)
    return options
