"""Rows of MQM errors, one line an error: gathered into one score for each item and rater."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from accord.design.scale import Value
from accord.errors import FormatError, Problem
from accord.formats.collect import Collector
from accord.formats.imported import Imported, Span
from accord.formats.mqm_weights import UnknownSeverityError, error_weight, mqm_score
from accord.formats.rows import RatingRow, by_rating, rating_rows
from accord.records import dataclass
from accord.words import counted

__all__ = ["CRITERION", "ErrorRow", "ErrorRows", "is_no_error", "lost_scores", "rows_to_write"]

CRITERION = "MQM"


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One error, or the statement that there is none."""

    line: int
    category: str
    severity: str
    cells: str = ""
    """The whole row as it stands in the file, to find rows that are there twice; empty where it is not looked at."""


@dataclass
class ErrorRows:
    """Errors of each (item, rater), in the order of the file."""

    path: Path
    errors: dict[tuple[str, str], list[ErrorRow]] = field(default_factory=dict)
    more: dict[tuple[str, str], Mapping[str, Value | None]] = field(default_factory=dict)
    unknown: list[Problem] = field(default_factory=list)

    def add(self, item: str, rater: str, row: ErrorRow, more: Mapping[str, Value | None]) -> None:
        try:
            error_weight(row.category, row.severity)
        except UnknownSeverityError as error:
            self.unknown.append(Problem(str(error), row.line, str(self.path)))
            return
        self.errors.setdefault((item, rater), []).append(row)
        self.more.setdefault((item, rater), more)

    def rate(self, collect: Collector) -> None:
        """One MQM score for each item and rater; an unknown severity is an error, never 0."""
        if self.unknown:
            raise FormatError(
                f"{self.path}: {len(self.unknown):,} errors have a severity without a weight.", self.unknown
            )
        self._look_for_copies(collect)
        long = 0
        for (item, rater), rows in self.errors.items():
            score = mqm_score((row.category, row.severity) for row in rows)
            collect.rate(rows[0].line, item, rater, score, criterion=CRITERION, **self.more[item, rater])
            long += len(rows) > 5
            for row in rows:
                if not is_no_error(row.category, row.severity):
                    collect.error(item, rater, row.category, row.severity)
            for row in rows[1:]:
                collect.merged(row.line)
        if long:
            collect.note(
                f"{counted(long, 'segment has', 'segments have')} more than five errors of one rater; all of them "
                "count, as in Google's scorer."
            )

    def _look_for_copies(self, collect: Collector) -> None:
        """Say how many rows are there word by word again, and refuse a file that holds its segments twice.

        A rater may mark one category twice, and an error without a place looks the same each time: a few such rows
        are no mistake. Most segments whole again are one, for each of their errors would count twice.
        """
        again, whole = 0, []
        for (item, rater), rows in self.errors.items():
            times = Counter(row.cells for row in rows if row.cells)
            again += sum(times.values()) - len(times)
            if times and min(times.values()) > 1:
                whole.append((item, rater))
        if len(whole) > max(_FEW_COPIES, _COPIED * len(self.errors)):
            item, rater = whole[0]
            raise FormatError(
                f"{self.path}: {len(whole):,} of {len(self.errors):,} segments of a rater stand here twice with every "
                f"row, such as {item} of {rater}, so that each of their errors would count twice. Was the file "
                "pasted or exported twice? Keep each row once."
            )
        if again:
            collect.note(
                f"{counted(again, 'row is', 'rows are')} word by word the same as another of the same rater and "
                "segment; all of them count"
            )


_FEW_COPIES, _COPIED = 2, 0.5
"""More segments than these, and than this share of all, that stand in a file twice are no chance; without marked words
a fair share of segments has the same error twice and nothing else."""


def is_no_error(category: str, severity: str) -> bool:
    words = {category.strip().lower().replace(" ", "-"), severity.strip().lower().replace(" ", "-")}
    return "no-error" in words


def rows_to_write(imported: Imported) -> Iterator[tuple[RatingRow, Span | None]]:
    """Each rating with each of its errors, or with None if it has none."""
    marks = by_rating(imported.spans)
    for row in rating_rows(imported.ratings):
        spans: Sequence[Span | None] = marks.get((row.item, row.rater)) or [None]
        yield from ((row, span) for span in spans)


def lost_scores(imported: Imported) -> tuple[str, ...]:
    """A sentence if values are not what the errors add up to: the format holds errors, not scores."""
    marks = by_rating(imported.spans)
    differing = 0
    for row in rating_rows(imported.ratings):
        try:
            score = mqm_score((span.category, span.severity) for span in marks.get((row.item, row.rater), ()))
        except UnknownSeverityError:
            score = None
        differing += score != row.value
    return (
        (f"{differing:,} values: the format holds errors, and these do not add up to the value.",) if differing else ()
    )
