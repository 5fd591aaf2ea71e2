"""MQM: scores of segments, raters and systems from lists of errors, and the arbitration of contested ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from statistics import fmean

from accord.errors import FormatError, OptionError, Problem
from accord.formats.mqm_weights import UnknownSeverityError, error_weight, severity_name
from accord.noise import ordered
from accord.records import dataclass
from accord.scoring.counted_rows import TELLING, codebook_beside, counted_rows
from accord.scoring.sheet import Row, Sheet, read_sheet, rows_of_people

__all__ = [
    "Arbitration", "MqmError", "Part", "Ruling", "SegmentMqm", "arbitrated", "error_sheet", "errors_of", "mqm_segments",
    "mqm_systems", "part_of", "read_mqm_errors", "repeated_errors",
]  # fmt: skip


Part = tuple[tuple[str, str], ...]
"""The round or condition of a judgement: each column that keeps judgements apart, with the name it has there."""


class Ruling(StrEnum):
    """What an arbiter decides about one contested error."""

    ACCEPT = "accept"
    REJECT = "reject"
    DOWNGRADE = "downgrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class MqmError:
    """One error a rater marked in an item, or the statement that there is none (severity No-error)."""

    item: str
    rater: str
    category: str
    severity: str
    system: str = ""
    document: str = ""
    text: str = ""
    ruling: Ruling | None = None
    downgraded_to: str = "Minor"
    segment: str = ""
    """The source segment that systems share, numbered within its document; the item where it is not named."""
    part: Part = ()

    @property
    def weight(self) -> float:
        return error_weight(self.category, self.severity)

    @property
    def counts(self) -> bool:
        """Whether it is an error at all."""
        return _is_error(self.severity, self.category)


@cache
def _is_error(severity: str, category: str) -> bool:
    return severity_name(severity) != "no-error" and category.strip().lower() != "no-error"


@dataclass(frozen=True, slots=True)
class SegmentMqm:
    """The score of one rater for one item: minus the weights of its errors; 0 is faultless.

    ``errors`` is None where only the penalty is known.
    """

    item: str
    rater: str
    system: str
    document: str
    score: float
    errors: int | None
    segment: str = ""
    part: Part = ()


_OF_ERRORS = (
    "item",
    "rater",
    "system",
    "document",
    "segment",
    "category",
    "severity",
    "text",
    "ruling",
    "kind",
    *TELLING,
)
_ITEM_PARTS = ("document", "segment")


def read_mqm_errors(path: str | Path) -> tuple[MqmError, ...]:
    """The errors of a sheet with item, rater, category and severity, as far as they say something of systems."""
    sheet = error_sheet(path)
    counted = counted_rows(sheet, book=codebook_beside(path), is_merged=True)
    return errors_of(replace(sheet, rows=counted.rows), counted.apart)


def error_sheet(path: str | Path, named: Mapping[str, str] | None = None) -> Sheet:
    """A list of errors by people with the columns that are needed, found by common names or as ``named`` says."""
    sheet, told = rows_of_people(read_sheet(path, wanted=_OF_ERRORS, named=named, printed=False))
    sheet = replace(sheet, notes=(*sheet.notes, *told))
    sheet.require("item" if "segment" not in sheet.columns else "segment", "rater", "category", "severity")
    if "item" in sheet.columns:
        return sheet
    parts = [part for part in _ITEM_PARTS if part in sheet.columns]
    rows = tuple(
        replace(row, cells={**row.cells, "item": "|".join(row.text(part) for part in parts)}) for row in sheet.rows
    )
    said = f"an item is taken to be {' + '.join(parts)}"
    return replace(sheet, columns=(*sheet.columns, "item"), rows=rows, notes=(*sheet.notes, said))


def errors_of(sheet: Sheet, apart: Sequence[str] = ()) -> tuple[MqmError, ...]:
    """The errors of its rows; every severity without a weight is named at once.

    ``apart`` are the columns that keep judgements apart: errors of two parts are never added up.
    """
    made, problems = [], []
    for row in sheet.rows:
        ruling, _, lower = row.text("ruling").lower().partition(":")
        try:
            error = MqmError(
                item=row.text("item"), rater=row.text("rater"), category=row.text("category"),
                severity=row.text("severity"), system=row.text("system"), document=row.text("document"),
                text=row.text("text"), ruling=Ruling(ruling) if ruling else None, downgraded_to=lower or "Minor",
                segment=row.text("segment"), part=part_of(row, apart),
            )  # fmt: skip
            error.weight, error_weight(error.category, error.downgraded_to)
            made.append(error)
        except UnknownSeverityError as error:
            problems.append(Problem(str(error), row.number, sheet.source))
        except ValueError:
            words = f"the ruling {ruling!r} is none of {', '.join(Ruling)} (downgrade:Minor names the new severity)"
            problems.append(Problem(words, row.number, sheet.source))
    if problems:
        raise FormatError(f"{sheet.source} has {len(problems):,} rows that cannot be scored:", problems)
    return tuple(made)


def part_of(row: Row, apart: Sequence[str]) -> Part:
    """Which part of these columns a row belongs to."""
    return tuple((column, row.text(column)) for column in apart)


def mqm_segments(errors: Iterable[MqmError], *, limit: int | None = None) -> tuple[SegmentMqm, ...]:
    """One score for each item and rater, and for each part that they judged it in.

    With ``limit`` only the heaviest so many errors count (MQM asks for five).
    """
    if limit is not None and limit < 1:
        raise OptionError(f"A limit of {limit} errors per segment is not possible: at least 1.")
    by_rating: dict[tuple[str, str, str, Part], list[MqmError]] = {}
    for error in errors:
        by_rating.setdefault((error.item, error.rater, error.system, error.part), []).append(error)
    made = []
    for (item, rater, system, part), found in by_rating.items():
        weights = sorted((error.weight for error in found if error.counts), reverse=True)
        score = -round(sum(weights[:limit]), 10) + 0.0
        made.append(SegmentMqm(item, rater, system, found[0].document, score, len(weights), found[0].segment, part))
    return tuple(made)


def mqm_systems(segments: Sequence[SegmentMqm]) -> Mapping[str, float]:
    """Mean over items of the mean over raters (and over the parts that they judged an item in), best first."""
    by_item: dict[str, dict[str, list[float]]] = {}
    for segment in segments:
        by_item.setdefault(segment.system, {}).setdefault(segment.item, []).append(segment.score)
    means = {system: fmean(fmean(scores) for scores in items.values()) for system, items in by_item.items()}
    return dict(ordered(means.items(), lambda pair: pair[1], lambda pair: pair[0], highest=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arbitration:
    """Penalty before and after the rulings, and how often the reviewer's errors did not stand."""

    reviewer: str
    errors: int
    accepted: int
    rejected: int
    downgraded: int
    before: float
    after: float

    @property
    def overturned(self) -> float:
        """Share of the ruled errors that were rejected or downgraded."""
        ruled = self.accepted + self.rejected + self.downgraded
        return (self.rejected + self.downgraded) / ruled if ruled else 0.0


def ruled(error: MqmError) -> MqmError | None:
    """The error as it stands after its ruling; None if it was rejected."""
    if error.ruling is Ruling.REJECT:
        return None
    if error.ruling is Ruling.DOWNGRADE:
        lower = replace(error, severity=error.downgraded_to)
        if lower.weight > error.weight:
            raise OptionError(f"{error.severity} cannot be downgraded to {error.downgraded_to}: that weighs more.")
        return lower
    return error


def arbitrated(errors: Iterable[MqmError]) -> tuple[Arbitration, ...]:
    """Each reviewer's errors before and after arbitration; an error without a ruling stands."""
    by_rater: dict[str, list[MqmError]] = {}
    for error in errors:
        if error.counts:
            by_rater.setdefault(error.rater, []).append(error)
    made = []
    for rater, found in by_rater.items():
        stands = [error for error in map(ruled, found) if error is not None]
        count = {kind: sum(error.ruling is kind for error in found) for kind in Ruling}
        made.append(Arbitration(
            reviewer=rater, errors=len(found), accepted=count[Ruling.ACCEPT], rejected=count[Ruling.REJECT],
            downgraded=count[Ruling.DOWNGRADE], before=sum(error.weight for error in found),
            after=sum(error.weight for error in stands),
        ))  # fmt: skip
    return tuple(made)


def repeated_errors(errors: Iterable[MqmError]) -> tuple[tuple[MqmError, int], ...]:
    """Errors a rater counted more than once: the same category on the same words. Count them once."""
    seen: dict[tuple[str, str, str, str, Part], list[MqmError]] = {}
    for error in errors:
        if error.counts and error.text:
            key = (error.rater, error.system, error.category.lower(), error.text.casefold(), error.part)
            seen.setdefault(key, []).append(error)
    return tuple((found[0], len(found)) for found in seen.values() if len(found) > 1)
