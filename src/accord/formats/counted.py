"""Tables of counts instead of ratings: a contingency table of two raters, or items with counts of each category."""

from collections.abc import Sequence
from pathlib import Path

from accord.errors import FormatError
from accord.formats.collect import Collector, as_int, as_number
from accord.formats.content import delimited, read_text
from accord.formats.detection import delimiter_of
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions

__all__ = ["detect_contingency", "detect_counts", "read_contingency", "read_counts"]

_MOST = 5_000_000
"""The most ratings that a table of counts is written out into."""
_FEWEST_ITEMS = 5
"""From so many rows on, equal sums are no chance."""
_TOTALS = {"total", "totals", "sum", "all", "summe", "gesamt"}
_PATTERN = {"count", "counts", "freq", "frequency", "n", "times"}
_CORNER = ("\\", "/", "|", " x ", " by ")

_Table = tuple[list[str], list[tuple[int, list[str]]]]


def _table(text: str, source: str) -> _Table:
    """The header and the rows with their lines, as wide as the header, without margins."""
    delimiter = ";" if ";" in text.split("\n", 1)[0] else delimiter_of(text)
    rows = [(line, [cell.strip() for cell in cells]) for line, cells in delimited(text, delimiter, source)]
    return (rows[0][1], rows[1:]) if rows else ([], [])


def _without_margins(names: Sequence[str], rows: Sequence[tuple[int, list[str]]]) -> _Table:
    kept = [place for place, name in enumerate(names) if place == 0 or name.casefold() not in _TOTALS]
    body = [(line, cells) for line, cells in rows if cells[0].casefold() not in _TOTALS]
    return [names[place] for place in kept], [
        (line, [cells[place] for place in kept if place < len(cells)]) for line, cells in body
    ]


def _margins_said(collect: Collector, names: Sequence[str], rows: Sequence[tuple[int, list[str]]]) -> None:
    """The rows and columns of totals, which hold no rating of their own, each with its line."""
    for line, cells in rows:
        if cells[0].casefold() in _TOTALS:
            collect.row(line)
            collect.dropped(line, f"the row {cells[0]} sums up the others")
    if columns := [name for name in names[1:] if name.casefold() in _TOTALS]:
        collect.note(f"The column {columns[0]} sums up the others and is left out")


def detect_contingency(sample: str, path: Path) -> str | None:
    """As many rows as columns, with the same names in both, and whole numbers inside."""
    if len(sample) > 1 << 15:
        return None
    try:
        names, rows = _without_margins(*_table(sample, str(path)))
    except FormatError:
        return None
    labels = [cells[0] for _, cells in rows]
    if len(names) < 3 or len(set(labels)) != len(labels) or set(labels) != set(names[1:]):
        return None
    cells = [cell for _, row in rows for cell in row[1:]]
    if len(cells) != len(labels) ** 2 or any(_count(cell) is None for cell in cells):
        return None
    return f"{len(labels)} rows and {len(labels)} columns of the same names, with counts"


def detect_counts(sample: str, path: Path) -> str | None:
    """Items of which every row adds up to the same number of ratings, as Fleiss's table does.

    Rows that hold the same numbers in another order are rankings, whose sums are equal too.
    """
    if len(sample) >= 1 << 15:
        return None
    try:
        names, rows = _without_margins(*_table(sample, str(path)))
    except FormatError:
        return None
    if len(names) < 3 or len(rows) < _FEWEST_ITEMS or any(len(cells) != len(names) for _, cells in rows):
        return None
    counts = [[_count(cell) if cell else None for cell in cells[1:]] for _, cells in rows]
    if any(count is None for row in counts for count in row) or len({cells[0] for _, cells in rows}) < len(rows):
        return None
    known = [[count or 0 for count in row] for row in counts]
    sums = {sum(row) for row in known}
    alike = len({tuple(sorted(row)) for row in known}) == 1
    if len(sums) != 1 or alike or max(sums) < 2 or not any(0 in row for row in known):
        return None
    return f"every one of {len(rows)} rows adds up to {sums.pop()} ratings"


def _count(cell: str) -> int | None:
    number = as_int(cell.replace(",", "")) if cell else 0
    return number if number is not None and number >= 0 else None


def read_contingency(path: Path, options: ReadOptions) -> Imported:
    """Two raters, as many items as the counts add up to; the rows are one rater's categories, the columns the other's.

    The corner may name them, as in ``Anna / Ben``.
    """
    collect = Collector(path)
    whole = _table(read_text(path, options, collect), str(path))
    _margins_said(collect, *whole)
    names, rows = _without_margins(*whole)
    if len(names) < 2:
        raise FormatError(f"{path}: a contingency table needs a column for each category of one rater.")
    first, second = _raters(collect, names[0])
    number = 0
    for line, cells in collect.counted(rows):
        counts = _counts(path, line, cells, len(names))
        _check_size(path, number + sum(counts))
        if not sum(counts):
            collect.dropped(line, f"no item was called {cells[0]} by {first}")
        for category, count in zip(names[1:], counts, strict=True):
            for _ in range(count):
                number += 1
                collect.rate(line, str(number), first, cells[0])
                collect.rate(line, str(number), second, category)
    collect.note("Items of a contingency table have no names: they are numbered.")
    return collect.imported("contingency", options)


def _raters(collect: Collector, corner: str) -> tuple[str, str]:
    for sign in _CORNER:
        first, found, second = corner.partition(sign)
        if found and first.strip() and second.strip():
            return first.strip(), second.strip()
    collect.guessed(None, "the corner of the table does not name the raters; called rows and columns")
    return "rows", "columns"


def _counts(path: Path, line: int, cells: Sequence[str], width: int) -> list[int]:
    if len(cells) != width:
        raise FormatError(f"{path}:{line}: {len(cells)} cells where the header has {width}.")
    counts = [_count(cell) for cell in cells[1:]]
    wrong = next((cell for cell, count in zip(cells[1:], counts, strict=True) if count is None), None)
    if wrong is not None:
        share = " Shares need the number of items: give counts." if (as_number(wrong) or 0) % 1 else ""
        raise FormatError(f"{path}:{line}: {wrong!r} is no count of ratings (a whole number from 0).{share}")
    return [count for count in counts if count is not None]


def _check_size(path: Path, number: int) -> None:
    if number > _MOST:
        raise FormatError(f"{path}: the counts add up to more than {_MOST:,}, too many to be written out as ratings.")


def read_counts(path: Path, options: ReadOptions) -> Imported:
    """One row an item with the count of each category; or one row a pattern of answers with how often it occurs."""
    collect = Collector(path)
    names, rows = _table(read_text(path, options, collect), str(path))
    times = next((place for place, name in enumerate(names) if name.casefold() in _PATTERN), None)
    if times is not None and len(names) >= 3 and len({name.casefold() for name in names} & _PATTERN) == 1:
        _take_patterns(collect, path, names, times, rows)
    else:
        _margins_said(collect, names, rows)
        _take_items(collect, path, *_without_margins(names, rows))
    return collect.imported("counts", options)


def _take_items(collect: Collector, path: Path, names: Sequence[str], rows: Sequence[tuple[int, list[str]]]) -> None:
    if len(names) < 3:
        raise FormatError(f"{path}: a table of counts needs the item and a column for each of two or more categories.")
    number = 0
    for line, cells in collect.counted(rows):
        counts = _counts(path, line, cells, len(names))
        number += sum(counts)
        _check_size(path, number)
        given = [name for name, count in zip(names[1:], counts, strict=True) for _ in range(count)]
        for place, category in enumerate(given, 1):
            collect.rate(line, cells[0], f"rater {place}", category)
        if not given:
            collect.dropped(line, f"nobody rated {cells[0]}")
    collect.guessed(
        None,
        "the table does not say who gave which rating; raters are numbered within each item, so nothing about single "
        "raters or pairs of raters can be learnt",
    )


def _take_patterns(
    collect: Collector, path: Path, names: Sequence[str], times: int, rows: Sequence[tuple[int, list[str]]]
) -> None:
    number = 0
    raters = [(place, name) for place, name in enumerate(names) if place != times]
    for line, cells in collect.counted(rows):
        count = _count(cells[times]) if len(cells) == len(names) else None
        if count is None:
            raise FormatError(f"{path}:{line}: {names[times]} should be a whole number from 0.")
        if not count:
            collect.dropped(line, "the pattern does not occur")
        _check_size(path, (number + count) * len(raters))
        for _ in range(count):
            number += 1
            for place, name in raters:
                collect.rate(line, str(number), name, cells[place] or None)
    collect.note("Items of a table of patterns have no names: they are numbered.")
