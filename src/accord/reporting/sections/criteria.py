"""What was asked: every criterion with its question, definition, unit, level and good end, as far as it is known."""

from collections.abc import Sequence

from accord.design.criterion import Criterion
from accord.design.scale import Direction
from accord.reporting.analysis import Analysis
from accord.reporting.document import Rows, Section
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed

__all__ = ["criteria"]

_GOOD = {
    Direction.HIGH: "the high end",
    Direction.LOW: "the low end",
    Direction.NONE: "none",
    Direction.UNKNOWN: "not declared",
}


def criteria(analysis: Analysis) -> Section | None:
    """One row a criterion; nothing where nobody recorded a question, a definition or a unit."""
    known = [one for one in analysis.ratings.codebook.criteria.values() if one.question or one.definition or one.unit]
    if not known:
        return None
    columns = [
        Column("criterion", "criterion"), Column("question", "question"), Column("definition", "definition"),
        Column("unit", "unit"), Column("level", "level"), Column("good", "good end"),
    ]  # fmt: skip
    rows = [_row(one) for one in known]
    used = [column for column in columns if any(row[column.key] for row in rows)]
    return Section("criteria", "What was asked", _finding(known), [Rows(Table("Criteria", used, rows))])


def _finding(known: Sequence[Criterion]) -> str:
    """How many questions, and of which nobody said which end is good."""
    unsaid = [one.title for one in known if one.direction is Direction.UNKNOWN]
    ends = f"which end is good is not declared for {listed(unsaid)}" if unsaid else _known(len(known))
    return f"{counted(len(known), 'question')}; {ends}."


def _known(number: int) -> str:
    return "its good end is known" if number == 1 else "the good end of each is known"


def _row(one: Criterion) -> dict[str, Cell]:
    return {
        "criterion": one.title, "question": one.question, "definition": one.definition, "unit": one.unit,
        "level": str(one.level), "good": _GOOD[one.direction],
    }  # fmt: skip
