"""MQM penalties as a study exports them: one rating a segment, faultless segments included, control items left out."""

from collections.abc import Sequence
from pathlib import Path

from accord.errors import ColumnError, FormatError, NotEnoughDataError, OptionError, Problem
from accord.ratings.number_spellings import plain_number
from accord.ratings.roles import is_control
from accord.records import dataclass
from accord.scoring.mqm import MqmError, SegmentMqm, mqm_segments
from accord.scoring.sheet import Row, Sheet, read_sheet, rows_of_people

__all__ = ["CONTROL_MARKS", "Penalties", "completed", "holds_errors", "read_penalties", "without_control_items"]

CONTROL_MARKS = ("#bad", "#ref", "#attention")
"""How the items of control copies end in exported and simulated ratings."""


@dataclass(frozen=True, slots=True)
class Penalties:
    """The segments that were judged, and the cautions of reading them."""

    segments: tuple[SegmentMqm, ...]
    notes: tuple[str, ...]


def holds_errors(path: str | Path) -> bool:
    """Whether a sheet lists errors; ratings of penalties have a value and no severity."""
    columns = read_sheet(path, wanted=("severity", "value"), printed=False).columns
    return "severity" in columns or "value" not in columns


def read_penalties(path: str | Path, *, criterion: str | None = None) -> Penalties:
    """Ratings (item, rater, value) whose values are penalties: 0 is faultless, a score is minus the penalty."""
    wanted = ("item", "rater", "value", "criterion", "system", "document", "segment", "role", "kind")
    sheet, told = rows_of_people(read_sheet(path, wanted=wanted, printed=False))
    sheet.require("item", "rater", "value")
    rows = _of_criterion(sheet, criterion)
    ordinary = [row for row in rows if not _is_control(row)]
    made, problems = [], []
    for row in ordinary:
        penalty = plain_number(row.text("value"))
        if penalty is None:
            problems.append(Problem(f"the penalty {row.text('value')!r} is not a number", row.number, sheet.source))
            continue
        if penalty < 0:
            problems.append(Problem(f"the penalty {penalty:g} is below 0", row.number, sheet.source))
        made.append(
            SegmentMqm(
                row.text("item"),
                row.text("rater"),
                row.text("system"),
                row.text("document"),
                0.0 - penalty,
                None,
                row.text("segment"),
            )
        )
    if problems:
        raise FormatError(f"{sheet.source} has {len(problems):,} values that are not penalties:", problems)
    if not made:
        raise NotEnoughDataError(f"{sheet.source} holds no penalty of a system.")
    left = len(rows) - len(ordinary)
    controls = (f"{left:,} ratings of control items are left out.",) if left else ()
    return Penalties(tuple(made), (*(f"{line}." for line in told), *controls))


def _of_criterion(sheet: Sheet, criterion: str | None) -> list[Row]:
    answered = [row for row in sheet.rows if row.text("value")]
    names = list(dict.fromkeys(row.text("criterion") for row in answered))
    if criterion is None and len(names) > 1:
        raise OptionError(
            f"{sheet.source} holds ratings of {', '.join(names)}. Which are penalties? Say it with --criterion."
        )
    if criterion is not None and criterion not in names:
        raise ColumnError(f"--criterion {criterion}: {sheet.source} has {', '.join(names)}.")
    return [row for row in answered if criterion is None or row.text("criterion") == criterion]


def _is_control(row: Row) -> bool:
    return is_control(row.text("role")) or row.text("item").endswith(CONTROL_MARKS)


def without_control_items(errors: Sequence[MqmError]) -> tuple[tuple[MqmError, ...], int]:
    """Errors in the texts of systems only, and how many were marked in spoilt copies and references."""
    kept = tuple(error for error in errors if not error.item.endswith(CONTROL_MARKS))
    return kept, len(errors) - len(kept)


def completed(errors: Sequence[MqmError], judged: Penalties) -> tuple[tuple[MqmError, ...], list[str]]:
    """The errors, with a row No-error for each judged segment that has none; what does not fit is said."""
    known = {(segment.item, segment.rater): segment for segment in judged.segments}
    kept = tuple(error for error in errors if (error.item, error.rater) in known)
    said = list(judged.notes)
    if lost := len(errors) - len(kept):
        said.append(f"{lost:,} errors are in segments that the ratings do not hold, and are left out.")
    faulty = {(error.item, error.rater) for error in kept}
    clean = tuple(
        MqmError(item=item, rater=rater, category="No-error", severity="No-error", system=segment.system,
                 document=segment.document, segment=segment.segment)
        for (item, rater), segment in known.items() if (item, rater) not in faulty
    )  # fmt: skip
    said.append(f"{len(clean):,} of {len(known):,} judged segments have no error.")
    other = sum(abs(made.score - known[made.item, made.rater].score) > 1e-6 for made in mqm_segments(kept))
    if other:
        said.append(
            f"{other:,} penalties of the ratings differ from the weights used here: the study has weights of its own. "
            "Score the ratings themselves to use those."
        )
    return (*kept, *clean), said
