"""The small table under the answer of ``accord agree``: the rows to report, or one row a criterion or a part."""

from collections.abc import Sequence
from math import nan

from accord.cli.layout import columns_of, small_table, wrapped
from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.reliability.answer import Answer, Answers
from accord.reliability.estimate import Estimate
from accord.tables.bars import bar_heading, interval_bar
from accord.tables.table import Cell, Column, Table
from accord.words import steady

__all__ = ["is_by_criterion", "rows_of", "rows_of_parts"]

_MARKS = (2 / 3, 0.8)
_HEADING = {"0": 0.0, ".5": 0.5, ".67": 2 / 3, ".8": 0.8}
_PLAIN_HEADING = {"0": 0.0, ".5": 0.5}
"""Where .667 and .8 mean nothing: they are Krippendorff's."""
_BAR = 29
_MOST_ROWS = 10
"""More parts than this have one row a criterion, where something combines them."""


def rows_of(answer: Answer) -> list[str]:
    rows: list[dict[str, Cell]] = [
        {"title": one.title, "value": one.value, "interval": _ends(one), "items": one.items} for one in answer.rows
    ]
    level = next((f"{100 * one.interval.level:g}% " for one in answer.rows if one.interval), "")
    columns = (
        Column("title", "report"),
        Column("value", "value"),
        Column("interval", f"{level}interval"),
        Column("items", "items"),
    )
    lines = small_table(Table("", columns, rows))
    return [*lines, *(wrapped(f"Why these: {answer.reason}.") if answer.reason else ())]


def is_by_criterion(answers: Answers) -> bool:
    """Whether a row stands for a criterion and not for a part: several are combined, and the parts are many."""
    combined = [one for one in answers.parts if one.group.combined]
    return len(combined) > 1 and len(answers.parts) > _MOST_ROWS


def rows_of_parts(answers: Answers) -> list[str]:
    """One row a part; where these are many, one a criterion with its parts beside it, as far as there is room."""
    if not is_by_criterion(answers):
        return _row_by_row(answers)
    parts = [one for one in answers.parts if not one.group.combined]
    within = list(dict.fromkeys(_part_name(part, one) for one in answers.whole for part in parts if one.combines(part)))
    rows: list[dict[str, Cell]] = []
    for one in answers.whole:
        own = {_part_name(part, one): part for part in parts if one.combines(part) and part is not one}
        rows.append({
            "name": one.name, "level": one.group.level, "": _with_interval(one.lead),
            "items": one.lead.items if one.lead else 0,
            **{name: _with_interval(part.lead) for name, part in own.items()},
        })  # fmt: skip
    title = next((one.lead.title for one in answers.whole if one.lead), "value")
    rows = [{**dict.fromkeys(within, "–"), **row} for row in rows]
    name, level = Column("name", title), Column("level", "level")
    numbers = [Column("", "combined"), *(Column(part, part) for part in within)]
    for columns in ([name, level, *numbers], [name, *numbers], [name, level, numbers[0], Column("items", "items")]):
        lines = small_table(Table("", columns, rows))
        if max(map(len, lines)) <= columns_of():
            break
    return lines


def _part_name(part: Answer, whole: Answer) -> str:
    return ", ".join(
        value or f"no {column}" for column, value in part.group.by.items() if column in whole.group.combined
    )


def _with_interval(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value != estimate.value:
        return "–"
    return (
        f"{steady(estimate.value):z.2f} ({_ends(estimate, 2)})"
        if estimate.interval
        else f"{steady(estimate.value):z.2f}"
    )


def _row_by_row(answers: Answers) -> list[str]:
    """One row a part, and one for what combines the parts of a criterion."""
    shown = [one for one in _in_order(answers) if one.lead is not None]
    same = len({one.lead.coefficient for one in shown if one.lead}) == 1
    levels = len({one.group.level for one in shown}) > 1
    rows: list[dict[str, Cell]] = [
        {
            "name": f"{one.name}, combined" if one.group.combined else one.name, "level": one.group.level,
            "title": one.lead.title, "value": one.lead.value, "interval": _ends(one.lead, 2), "items": one.lead.items,
            "raters": one.lead.raters, "bar": _bar(one.lead),
        }
        for one in shown if one.lead
    ]  # fmt: skip
    by_alpha = any(one.lead.coefficient == KRIPPENDORFF_ALPHA for one in shown if one.lead)
    heading = bar_heading(_HEADING if by_alpha else _PLAIN_HEADING, width=_BAR)
    confidence = next((f"{100 * one.lead.interval.level:g}% " for one in shown if one.lead and one.lead.interval), "")
    of = shown[0].lead.title if same and shown and shown[0].lead else ""
    columns = [
        Column("name", _heading(shown)), *([Column("level", "level")] if levels else []),
        *([] if same else [Column("title", "report")]), Column("value", of or "value", 2),
        Column("interval", f"{confidence}interval"), Column("items", "items"), Column("raters", "raters"),
        Column("bar", heading),
    ]  # fmt: skip
    lines = small_table(Table("", columns, rows))
    if max(map(len, lines)) <= columns_of():
        return lines
    return small_table(Table("", columns[:-1], rows))


def _in_order(answers: Answers) -> list[Answer]:
    """Parts as they come, and behind the last part of a criterion what combines them."""
    parts = [one for one in answers.parts if not one.group.combined]
    for one in (one for one in answers.parts if one.group.combined):
        own = [place for place, part in enumerate(parts) if part.group.by.items() >= one.group.by.items()]
        parts.insert(own[-1] + 1 if own else len(parts), one)
    return parts


def _heading(shown: Sequence[Answer]) -> str:
    """The columns that the names of the parts come from."""
    columns = dict.fromkeys(column for one in shown for column in one.group.by)
    return ", ".join(column.replace("_", " ") for column in columns) or "ratings"


def _ends(estimate: Estimate, digits: int = 3) -> str:
    interval = estimate.interval
    return f"{steady(interval.low):z.{digits}f} – {steady(interval.high):z.{digits}f}" if interval else "–"


def _bar(estimate: Estimate) -> str:
    """Marks are those of Krippendorff, and belong to his coefficient alone."""
    interval = estimate.interval
    low, high = (interval.low, interval.high) if interval else (nan, nan)
    marks = _MARKS if estimate.coefficient == KRIPPENDORFF_ALPHA else ()
    return interval_bar(estimate.value, low, high, width=_BAR, marks=marks)
