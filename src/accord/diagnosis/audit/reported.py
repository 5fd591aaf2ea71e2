"""The sheet of printed numbers that an audit reads: one row for each cell group of a published table."""

from collections.abc import Mapping
from pathlib import Path

from accord.design.scale import Level
from accord.diagnosis.audit.printed import Printed
from accord.errors import ColumnError, FormatError, Problem
from accord.records import dataclass
from accord.scoring.sheet import Row, read_sheet

__all__ = ["COEFFICIENTS", "COLUMNS", "ReportedRow", "read_reported"]

COEFFICIENTS = ("cohen_kappa", "weighted_kappa", "fleiss_kappa", "krippendorff_alpha")
_PLACES = ("table", "criterion", "set", "condition", "group")
_WHOLE = ("categories", "raters", "items", "answers")
_PRINTED = ("agreement", *COEFFICIENTS, "mean")
COLUMNS = (*_PLACES, "level", *_WHOLE, *_PRINTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRow:
    """Numbers printed together: what they are about, what is known of the ratings, and the numbers."""

    number: int
    place: Mapping[str, str]
    level: Level | None = None
    categories: int | None = None
    raters: int | None = None
    items: int | None = None
    answers: int | None = None
    printed: Mapping[str, Printed]

    @property
    def title(self) -> str:
        """Where the numbers stand, in the reader's words."""
        words = [f"Table {value}" if name == "table" else value for name, value in self.place.items() if value]
        return ", ".join(words) or f"row {self.number}"

    @property
    def cells(self) -> tuple[str, ...]:
        """Everything that was read of the row, as text."""
        whole = (self.level, self.categories, self.raters, self.items, self.answers)
        return (
            *(self.place.get(name, "") for name in _PLACES),
            *("" if value is None else str(value) for value in whole),
            *(self.printed[name].text if name in self.printed else "" for name in _PRINTED),
        )


def read_reported(path: str | Path) -> tuple[ReportedRow, ...]:
    """Rows of a CSV, TSV, xlsx or TOML sheet; every cell that is not a number is named at once."""
    sheet = read_sheet(path, wanted=COLUMNS)
    if not set(_PRINTED) & set(sheet.columns):
        named = {name.casefold() for name in sheet.columns}
        is_survey = "paper" in named and bool(named & {"coefficient", "measure", "statistic", "metric"})
        raise ColumnError(
            f"{sheet.source} has none of the columns an audit can check: {', '.join(_PRINTED)}. "
            f"It has: {', '.join(sheet.columns)}."
            + (f" A table of what papers report is read by accord audit --survey {path}." if is_survey else "")
        )
    if unknown := [name for name in sheet.columns if name not in COLUMNS]:
        raise ColumnError(
            f"{sheet.source} has columns an audit does not know: {', '.join(unknown)}. Known: {', '.join(COLUMNS)}."
        )
    problems: list[Problem] = []
    rows = tuple(_row(row, sheet.source, problems) for row in sheet.rows)
    if problems:
        raise FormatError(f"{sheet.source} has cells that cannot be read:", problems)
    return rows


def _row(row: Row, source: str, problems: list[Problem]) -> ReportedRow:
    whole: dict[str, int | None] = {}
    for name in _WHOLE:
        text = row.text(name)
        whole[name] = int(text) if text.isdigit() and int(text) > 0 else None
        if text and whole[name] is None:
            problems.append(Problem(f"{text!r} in column {name!r} is not a whole number above 0", row.number, source))
    printed: dict[str, Printed] = {}
    for name in _PRINTED:
        if text := row.text(name):
            try:
                printed[name] = Printed.of(text)
            except (ValueError, ZeroDivisionError):
                problems.append(Problem(f"{text!r} in column {name!r} is not a number", row.number, source))
    level = row.text("level").lower()
    if level and level not in list(Level):
        problems.append(Problem(f"level {level!r} is none of {', '.join(Level)}", row.number, source))
        level = ""
    place = {name: row.text(name) for name in _PLACES if row.text(name)}
    return ReportedRow(number=row.number, place=place, level=Level(level) if level else None, printed=printed, **whole)
