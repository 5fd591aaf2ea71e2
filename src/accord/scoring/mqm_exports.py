"""MQM errors in the files of other tools, Google MQM, Marot and Appraise, as ``accord agree`` reads them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from accord.errors import FormatError
from accord.formats.imported import Imported, MarkedError
from accord.formats.reading import detect, read
from accord.formats.registry import format_named
from accord.formats.rows import rating_rows
from accord.ratings.only_rows import only_rows
from accord.records import dataclass
from accord.scoring.mqm import MqmError
from accord.scoring.ranking.segments import averaged_over, without_controls

__all__ = ["ExportedErrors", "read_exported"]


@dataclass(frozen=True, slots=True)
class ExportedErrors:
    """The errors, with a row No-error for each segment that was judged and has none, and the notes of reading them."""

    errors: tuple[MqmError, ...]
    notes: tuple[str, ...]
    averaged_over: tuple[str, ...] = ()


def read_exported(path: str | Path, *, format: str | None = None, where: Sequence[str] = ()) -> ExportedErrors | None:
    """The errors in a file of another tool; None where it is a plain table."""
    spec, reason = (format_named(format), "named by the user") if format else detect(path)
    if spec.takes_columns:
        return None
    imported = read(path, format=format)
    if not imported.errors:
        if format is None:
            return None
        raise FormatError(f"{path} is read as {spec.name} ({reason}) and lists no MQM errors.")
    rows = "" if imported.account is None else str(imported.account)
    kept, told = without_controls(only_rows(imported.ratings, where))
    imported = replace(imported, ratings=kept)
    notes = (f"read as {spec.name}: {reason}", *told, *imported.notes, rows, imported.log.summary())
    return ExportedErrors(
        _listed(imported), tuple(note.rstrip(".") for note in notes if note), averaged_over(kept, ("system",), "scores")
    )


def _listed(imported: Imported) -> tuple[MqmError, ...]:
    """The errors of each rating that counts."""
    found: dict[tuple[str, str], list[MarkedError]] = {}
    for error in imported.errors:
        found.setdefault((error.item, error.rater), []).append(error)
    made: list[MqmError] = []
    for row in rating_rows(imported.ratings):
        marked: Sequence[MarkedError] = found.get((row.item, row.rater)) or [
            MarkedError(row.item, row.rater, "No-error", "No-error")
        ]
        made += [
            MqmError(item=row.item, rater=row.rater, category=error.category, severity=error.severity,
                     system=row.name("system"), document=row.name("document"), segment=row.name("segment"))
            for error in marked
        ]  # fmt: skip
    return tuple(made)
