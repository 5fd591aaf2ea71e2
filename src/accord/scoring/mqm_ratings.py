"""MQM penalties as a study exports them: one rating a segment, faultless segments included, control items left out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from accord.errors import ColumnError, FormatError, NotEnoughDataError, OptionError, Problem
from accord.ratings.codebook import Codebook
from accord.ratings.number_spellings import plain_number
from accord.records import dataclass
from accord.scoring.counted_rows import TELLING, CountedRows, codebook_beside, counted_rows, telling_role
from accord.scoring.mqm import MqmError, SegmentMqm, errors_of, mqm_segments, part_of
from accord.scoring.sheet import Row, Sheet, read_sheet, rows_of_people, with_names
from accord.words import counted, listed

__all__ = ["Penalties", "completed", "holds_errors", "penalties_of", "penalty_sheet", "read_penalties"]

_WANTED = ("item", "rater", "value", "criterion", "system", "document", "segment", "kind", *TELLING)


@dataclass(frozen=True, slots=True)
class Penalties:
    """The segments that were judged, and the cautions of reading them."""

    segments: tuple[SegmentMqm, ...]
    notes: tuple[str, ...]
    averaged_over: tuple[str, ...]
    """What scores are means over though agreement is kept apart there."""


def holds_errors(path: str | Path) -> bool:
    """Whether a sheet lists errors; ratings of penalties have a value and no severity."""
    columns = read_sheet(path, wanted=("severity", "value"), printed=False).columns
    return "severity" in columns or "value" not in columns


def read_penalties(path: str | Path, *, criterion: str | None = None) -> Penalties:
    """Ratings (item, rater, value) whose values are penalties: 0 is faultless, a score is minus the penalty."""
    sheet, told = penalty_sheet(path, criterion)
    return penalties_of(sheet, told, codebook_beside(path))


def penalty_sheet(
    path: str | Path, criterion: str | None = None, where: Sequence[str] = ()
) -> tuple[Sheet, tuple[str, ...]]:
    """The ratings of people on one criterion, and a line where those of models are left out."""
    sheet, told = rows_of_people(read_sheet(path, wanted=_WANTED, printed=False))
    sheet.require("item", "rater", "value")
    return replace(sheet, rows=tuple(_of_criterion(with_names(sheet, where), criterion))), told


def penalties_of(sheet: Sheet, told: Sequence[str], book: Codebook, pool: Sequence[str] = ()) -> Penalties:
    """The penalties of the rows that count."""
    counts = counted_rows(sheet, book=book, pool=pool)
    made, problems = [], []
    for row in counts.rows:
        penalty = plain_number(row.text("value"))
        if penalty is None:
            problems.append(Problem(f"the penalty {row.text('value')!r} is not a number", row.number, sheet.source))
            continue
        if penalty < 0:
            problems.append(Problem(f"the penalty {penalty:g} is below 0", row.number, sheet.source))
        made.append(_segment(row, counts.apart, 0.0 - penalty))
    if problems:
        raise FormatError(f"{sheet.source} has {len(problems):,} values that are not penalties:", problems)
    if not made:
        raise NotEnoughDataError(f"{sheet.source} holds no penalty of a system.")
    notes = tuple(f"{line}." for line in (*told, *counts.told))
    return Penalties(tuple(made), notes, counts.averaged_over())


def _segment(row: Row, apart: Sequence[str], score: float) -> SegmentMqm:
    item, rater, system, document = (row.text(name) for name in ("item", "rater", "system", "document"))
    return SegmentMqm(item, rater, system, document, score, None, row.text("segment"), part_of(row, apart))


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


def completed(errors: Sheet, judged: Sheet, counts: CountedRows) -> tuple[tuple[MqmError, ...], list[str]]:
    """The errors, with a row No-error for each judged segment that has none; what does not fit is said.

    ``judged`` are all ratings, ``counts`` those that count: an error counts where its judgement does.
    """
    shared = [name for name in ("item", "rater", *TELLING, *counts.apart) if name in errors.columns]
    shared = [name for name in dict.fromkeys(shared) if name in judged.columns]
    _check_told_apart(errors, judged, counts, shared)
    apart = [name for name in counts.apart if name in shared]
    known = {_key(row, shared): row for row in counts.rows}
    left_out = {_key(row, shared) for row in judged.rows} - known.keys()
    keys = [_key(row, shared) for row in errors.rows]
    kept = tuple(row for row, key in zip(errors.rows, keys, strict=True) if key in known)
    made = errors_of(replace(errors, rows=kept), apart)
    said = []
    if lost := sum(key not in known and key not in left_out for key in keys):
        said.append(f"{lost:,} errors are in segments that the ratings do not hold, and are left out.")
    faulty = known.keys() & set(keys)
    clean = tuple(
        MqmError(item=row.text("item"), rater=row.text("rater"), category="No-error", severity="No-error",
                 system=row.text("system"), document=row.text("document"), segment=row.text("segment"),
                 part=part_of(row, apart))
        for key, row in known.items() if key not in faulty
    )  # fmt: skip
    said.append(f"{len(clean):,} of {len(known):,} judged segments have no error.")
    penalties = {_of(row, apart): plain_number(row.text("value")) or 0.0 for row in counts.rows}
    other = sum(abs(one.score + penalties[one.item, one.rater, one.part]) > 1e-6 for one in mqm_segments(made))
    if other:
        said.append(
            f"{other:,} penalties of the ratings differ from the weights used here: the study has weights of its own. "
            "Score the ratings themselves to use those."
        )
    return (*made, *clean), said


def _key(row: Row, columns: Sequence[str]) -> tuple[str, ...]:
    """Which judgement a row is about, as far as these columns tell."""
    return tuple(telling_role(row) if name == "role" else row.text(name) for name in columns)


def _of(row: Row, apart: Sequence[str]) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return row.text("item"), row.text("rater"), part_of(row, apart)


def _check_told_apart(errors: Sheet, judged: Sheet, counts: CountedRows, shared: Sequence[str]) -> None:
    """Errors of a segment that was judged twice belong to one of the judgements: the list must say to which."""
    telling = [name for name in dict.fromkeys((*TELLING, *counts.apart)) if name in judged.columns]
    judgements: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for row in judged.rows:
        judgements.setdefault(_key(row, shared), set()).add(_key(row, telling))
    several = {key for key, found in judgements.items() if len(found) > 1}
    unclear = several & {_key(row, shared) for row in errors.rows}
    if not unclear:
        return
    missing = [
        name
        for place, name in enumerate(telling)
        if name not in shared and any(len({one[place] for one in judgements[key]}) > 1 for key in unclear)
    ]
    number = counted(len(unclear), "segment was", "segments were")
    columns = "this column" if len(missing) == 1 else "these columns"
    raise FormatError(
        f"{errors.source} does not say which judgement its errors belong to: {number} judged more than once by the "
        f"same rater, and the ratings tell these apart by {listed(missing)}. Add {columns} to the list of errors, or "
        f"score the ratings themselves: accord mqm {judged.source}."
    )
