"""What the files given to ``accord mqm`` hold: errors, or penalties of segments, of the judgements that count."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from accord.design.scale import Direction
from accord.errors import OptionError
from accord.ratings.apart import words_of
from accord.ratings.only_rows import asked_rows
from accord.ratings.remark import Remark
from accord.reading import read
from accord.records import dataclass
from accord.scoring.counted_rows import CountedRows, codebook_beside, counted_rows
from accord.scoring.mqm import MqmError, SegmentMqm, error_sheet, errors_of
from accord.scoring.mqm_exports import read_exported
from accord.scoring.mqm_raters import WhoCounts
from accord.scoring.mqm_ratings import Penalties, completed, holds_errors, penalties_of, penalty_sheet
from accord.scoring.rows_again import rows_again
from accord.scoring.sheet import Sheet, with_names

__all__ = ["Judged", "Source", "judged"]


class Source(NamedTuple):
    """The file of errors, the ratings beside it, how both are read, and which of their rows are asked for.

    ``named`` is the file or study folder as the user gave it.
    """

    path: Path
    ratings: Path | None
    named: str | os.PathLike[str]
    criterion: str | None
    format: str | None
    columns: Mapping[str, str]
    who: WhoCounts
    where: Sequence[str] = ()
    pool: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Errors, or the scores of segments where only penalties are known (``errors`` is then None), and what to say."""

    errors: tuple[MqmError, ...] | None
    segments: tuple[SegmentMqm, ...] = ()
    averaged_over: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()


def judged(source: Source, limit: int | None) -> Judged:
    """A list of errors, with the faultless segments where they are known, or ratings that are penalties."""
    path, who = source.path, source.who
    exported = None if source.columns else read_exported(path, format=source.format, where=source.where)
    if exported is not None:
        if source.ratings is not None:
            raise OptionError(f"{path} says itself which segments were judged: --ratings is for a list of errors.")
        who = who.checked(error.rater for error in exported.errors)
        before = tuple(f"{line}." for line in who.absent)
        after = tuple(f"Note: {note}." for note in exported.notes)
        found = who.among(exported.errors)
        return Judged(errors=found, averaged_over=exported.averaged_over, before=before, after=after)
    if not source.columns and not holds_errors(path):
        if limit is not None or source.ratings is not None:
            raise OptionError(f"{path} holds penalties, not errors: --limit and --ratings are for a list of errors.")
        penalties = _penalties(source)
        _check_penalties(source)
        return Judged(
            errors=None,
            segments=penalties.segments,
            averaged_over=penalties.averaged_over,
            before=_pooled(source),
            after=penalties.notes,
        )
    return _listed(source)


def _penalties(source: Source) -> Penalties:
    sheet, told = penalty_sheet(source.path, source.criterion, source.where)
    who = source.who.checked(row.text("rater") for row in sheet.rows)
    return penalties_of(who.of_sheet(sheet), (*told, *who.absent), codebook_beside(source.path), source.pool)


def _listed(source: Source) -> Judged:
    """The errors of a plain list."""
    whole = error_sheet(source.path, source.columns)
    if source.ratings is None:
        sheet = with_names(whole, source.where)
        who = source.who.checked(row.text("rater") for row in sheet.rows)
        counts = _counted_errors(who.of_sheet(sheet), source)
        found = errors_of(replace(sheet, rows=counts.rows), counts.apart)
        said = [f"{line}." for line in (*who.absent, *counts.told)]
        if all(error.counts for error in found):
            said.append(
                "Only segments with an error are listed. If others were judged too, give them with --ratings, or "
                "as rows with the severity No-error: without them scores are too low."
            )
    else:
        of_list, of_ratings = _each_where(source, whole)
        sheet = with_names(whole, of_list)
        ratings, told = penalty_sheet(source.ratings, source.criterion, of_ratings)
        who = source.who.checked(row.text("rater") for row in (*sheet.rows, *ratings.rows))
        ratings = who.of_sheet(ratings)
        counts = counted_rows(ratings, book=codebook_beside(source.ratings), pool=source.pool)
        found, fit = completed(who.of_sheet(sheet), ratings, counts)
        said = [*(f"{line}." for line in (*who.absent, *told, *counts.told)), *fit]
    notes, remarks = rows_again(sheet)
    return Judged(
        errors=found,
        averaged_over=counts.averaged_over(),
        before=(*_pooled(source), *said),
        after=tuple(f"Note: {note}." for note in (*sheet.notes, *notes)),
        remarks=remarks,
    )


def _counted_errors(sheet: Sheet, source: Source) -> CountedRows:
    return counted_rows(sheet, book=codebook_beside(source.path), pool=source.pool, is_merged=True)


def _each_where(source: Source, errors: Sheet) -> tuple[list[str], list[str]]:
    """The rows asked for of the list and of the ratings: a column may be in one of them only."""
    assert source.ratings is not None  # noqa: S101 - asked only where there are ratings
    ratings, _ = penalty_sheet(source.ratings, source.criterion)
    both = (*errors.columns, *errors.called, *ratings.columns, *ratings.called)
    asked_rows(source.where, both)
    has = [{"item", "rater", *sheet.columns, *sheet.called} for sheet in (errors, ratings)]
    of_list, of_ratings = ([one for one in source.where if one.partition("=")[0] in known] for known in has)
    return of_list, of_ratings


def _pooled(source: Source) -> tuple[str, ...]:
    if not source.pool:
        return ()
    return (f"Pooled over {words_of(source.pool)}, as asked: its parts are one judgement, whose errors add up.",)


def _check_penalties(source: Source) -> None:
    """Scores where 5 is best would come out upside down: somebody must have said that low values are good."""
    if source.criterion is not None:
        return
    ratings = read(source.path, keep_all=True)
    if all(one.kind == "spans" or one.scale.direction is Direction.LOW for one in ratings.codebook.criteria.values()):
        return
    raise OptionError(
        f"{source.named} holds ratings, and nothing says that their values are penalties (0 is faultless, low is "
        f"good). If they are, {_how_to_say(source)}. Scores of systems are ranked with accord rank, and a list of "
        "errors needs the columns item, rater, category and severity."
    )


def _how_to_say(source: Source) -> str:
    """A study folder has its criteria in study.toml; beside a file stands a codebook."""
    if Path(source.named) != source.path:
        return 'its study.toml says it: direction = "low"; or name the criterion whose values they are with --criterion'
    return f"write it down once: accord describe {source.path} --direction low --write"
