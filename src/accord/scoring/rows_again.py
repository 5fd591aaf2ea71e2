"""Rows of a list of errors that are there again, cell for cell: copied lists, which nothing else shows."""

from accord.formats.mqm_weights import severity_name
from accord.ratings.remark import Remark, rows_in_words
from accord.scoring.sheet import Row, Sheet

__all__ = ["rows_again"]

_SIZEABLE = 0.1
"""From this share of the rows on it is to be checked first."""
_PLACES = ("start", "end", "begin", "offset", "position", "span", "text")
"""Columns that say where an error stands: without them two errors of a segment may well look alike."""


def rows_again(sheet: Sheet) -> tuple[tuple[str, ...], tuple[Remark, ...]]:
    """A note where rows are there again, and a remark where they are a sizeable part: each counts once more."""
    places = [name for name in sheet.columns if name.casefold() in _PLACES]
    seen: set[tuple[str, ...]] = set()
    again, telling = [], 0
    for row in sheet.rows:
        if not (_says_none(row) or any(row.text(name) for name in places)):
            continue
        telling += 1
        cells = tuple(row.text(name) for name in sheet.columns)
        if cells in seen:
            again.append(str(row.number))
        seen.add(cells)
    if not again:
        return (), ()
    one = len(again) == 1
    is_there = "is there again" if one else "are there again"
    told = f"{len(again):,} of {telling:,} rows that can be told apart {is_there}, cell for cell"
    if len(again) < _SIZEABLE * telling:
        return (f"{told} ({rows_in_words(again)}); {'it counts' if one else 'each counts'} once more",), ()
    said = f"{told} ({rows_in_words(again)}): a part of the list seems to be there twice, and its errors count twice."
    do = "If it was copied by accident, take these rows out."
    return (), (Remark(code="rows_again", message=said, do=do, rows=tuple(again)),)


def _says_none(row: Row) -> bool:
    """Whether the row says that a segment has no error: nobody says that twice."""
    return "no-error" in (severity_name(row.text("severity")), row.text("category").lower())
