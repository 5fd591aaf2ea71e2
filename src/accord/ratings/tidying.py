"""Rows of a spreadsheet that are no ratings: titles above, second header rows, totals anywhere and notes below."""

import re
from collections.abc import Sequence
from typing import Any

from accord.ratings.column_names import is_total
from accord.ratings.number_spellings import plain_number
from accord.ratings.total_rows import total_rows
from accord.records import dataclass
from accord.words import shown_names

__all__ = ["LEFT_OUT", "TidyRows", "holds_one_cell", "no_ratings", "tidied"]

_FEW_NAMES = re.compile(r"(?:count|n|min|max|anzahl|minimum|maximum)\s*[:.]?\Z", re.I)
_MOST_TITLES = 20
_TOTALS = "a row of totals"
_NOTE = "a note below the table"
LEFT_OUT = "left out row"
"""A note on rows that are no part of a table begins like this."""
_IMPORT_ID = '{"ImportId"'


@dataclass(frozen=True)
class TidyRows:
    """The header, the rows with their lines, and the line and reason of every row that was left out."""

    header: list[Any]
    rows: Sequence[Sequence[Any]]
    lines: Sequence[int]
    left_out: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    questions: Sequence[Any] = ()
    """The row in which a survey tool spells out the question of each column; empty where there is none."""


def tidied(rows: Sequence[Sequence[Any]], lines: Sequence[int]) -> TidyRows:
    """The table among the rows of a sheet or a separated file, whose first row should be its header."""
    left_out: list[tuple[int, str]] = []
    notes: list[str] = []
    end = len(rows)
    start = _first_of_table(rows, lines)
    left_out += [(line, "a title above the table") for line in lines[:start]]
    header = list(rows[start])
    body = start + 1
    if body < end and (merged := _merged_header(header, rows[body], rows[body + 1] if body + 1 < end else ())):
        header = merged
        notes.append(f"two header rows were put together: {next(name for name in merged if ' ' in name)!r}")
        left_out.append((lines[body], "a second header row"))
        body += 1
    questions: Sequence[Any] = ()
    if (surveyed := _survey_headers(rows[body : body + 2])) > 0:
        questions = rows[body] if surveyed > 1 else ()
        left_out += [(lines[place], "questions and ids of the survey tool") for place in range(body, body + surveyed)]
        body += surveyed
    kept, lines_kept = rows[body:], lines[body:]
    if others := no_ratings(kept, len(header)):
        left_out += [(lines_kept[place], why) for place, why in others.items()]
        places = [place for place in range(len(kept)) if place not in others]
        kept, lines_kept = [kept[place] for place in places], [lines_kept[place] for place in places]
    notes += _left_out_by_reason(left_out)
    return TidyRows(header, kept, lines_kept, tuple(sorted(left_out)), tuple(notes), questions)


def no_ratings(rows: Sequence[Sequence[Any]], width: int) -> dict[int, str]:
    """Place and reason of rows below the header that are none of the table: totals anywhere, notes at the end."""
    found = {place: _of_totals(name) for place, name in total_rows(rows).items()}
    end = len(rows)
    while end > 1 and (why := found.get(end - 1) or _foot_of_table(rows[end - 1], width)):
        if why == _NOTE and _is_one_of(rows[end - 1], rows[: end - 1]):
            break
        end -= 1
        found[end] = why
    return found


def _of_totals(name: str) -> str:
    return f"{_TOTALS} ({name})"


def _first_of_table(rows: Sequence[Sequence[Any]], lines: Sequence[int]) -> int:
    """Where the header stands: below titles of one cell, and below pairs («Date: | 2 May») that a gap parts off."""
    head = [_filled(row) for row in rows[: _MOST_TITLES + 1]]
    first = next((place for place, filled in enumerate(head) if filled > 1), 0)
    if max(head[first:], default=0) < 3:
        return first
    place = first
    while place < len(head) - 1 and head[place] <= 2:
        place += 1
        parted = head[place - 1] == 0 or lines[place] > lines[place - 1] + 1
        if parted and head[place] > 2:
            return place
    return first


def _filled(row: Sequence[Any]) -> int:
    return sum(_text(cell) != "" for cell in row)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _is_label(cell: Any) -> bool:
    text = _text(cell)
    return text != "" and plain_number(text) is None


def _merged_header(top: Sequence[Any], second: Sequence[Any], below: Sequence[Any]) -> list[str] | None:
    """Names from two header rows, of which the upper one has merged cells; None if there is one header row."""
    if len(second) != len(top) or len(below) != len(top):
        return None
    under_gaps = [place for place, cell in enumerate(top) if not _text(cell) and _text(second[place])]
    labels = [_is_label(cell) for cell in second if _text(cell)]
    numbers_below = any(
        _is_label(one) and plain_number(_text(two)) is not None for one, two in zip(second, below, strict=True)
    )
    if not under_gaps or not all(labels) or len(labels) < 2 or not numbers_below:
        return None
    names, group = [], ""
    for upper, lower in zip(map(_text, top), map(_text, second), strict=True):
        group = upper or group
        # A name that stands above nothing is a column of its own; the group ends there.
        names.append(f"{group} {lower}".strip() if lower else upper)
        group = group if lower else ""
    return names


def _survey_headers(rows: Sequence[Sequence[Any]]) -> int:
    """How many rows below the header hold the questions and ids of Qualtrics."""
    for number, row in enumerate(rows, start=1):
        cells = [_text(cell) for cell in row if _text(cell)]
        if cells and sum(cell.replace(" ", "").startswith(_IMPORT_ID) for cell in cells) > len(cells) / 2:
            return number
    return 0


def _foot_of_table(row: Sequence[Any], width: int) -> str:
    """Why a row at the end is none of the table; '' if it may be."""
    cells = [_text(cell) for cell in row]
    first = next((cell for cell in cells if cell), "")
    if not first:
        return "an empty row" if width > 1 else ""
    if is_total(first) or _FEW_NAMES.match(first):
        return _of_totals(first)
    alone = width > 2 and holds_one_cell(row)
    return _NOTE if alone and _is_label(first) and (len(row) == 1 or cells[0]) else ""


def holds_one_cell(row: Sequence[Any]) -> bool:
    """Whether a row has one cell that is not empty: a note, or somebody who gave no answer."""
    return _filled(row) == 1


def _is_one_of(row: Sequence[Any], above: Sequence[Sequence[Any]]) -> bool:
    """Whether the only cell of the last row is a name like those above it: somebody who gave no answer, and no note.

    Where names come again, a row is one rating, and one without a rater is none.
    """
    # Another note is no name.
    names = [_text(other[0]) for other in above if len(other) == len(row) and _filled(other) > 1]
    return len(set(names)) == len(names) and _form(_text(row[0])) in set(map(_form, names))


def _form(name: str) -> str:
    """A name with its letters and numbers left open: P12 and P3 have one form, and so have two days."""
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", name))


def _left_out_by_reason(left_out: Sequence[tuple[int, str]]) -> list[str]:
    """One note for each reason, with its rows; rows of totals are one reason, whatever they are called."""
    by_reason: dict[str, list[int]] = {}
    totals: dict[str, None] = {}
    for line, reason in sorted(left_out):
        kind = _TOTALS if reason.startswith(_TOTALS) else reason
        by_reason.setdefault(kind, []).append(line)
        if kind == _TOTALS:
            totals.setdefault(reason.removeprefix(f"{_TOTALS} (").removesuffix(")"))
    said = {_TOTALS: f"{_TOTALS if len(totals) == 1 else 'rows of totals'} ({shown_names(list(totals))})"}
    return [
        f"{LEFT_OUT}{'s' * (len(found) > 1)} {', '.join(map(str, found))}: {said.get(reason, reason)}"
        for reason, found in by_reason.items()
    ]
