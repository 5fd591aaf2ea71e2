"""Excel workbooks with one sheet per rater or one sheet per criterion."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from accord.errors import FormatError, MissingExtraError, UnreadableFileError
from accord.formats.collect import Collector, as_name, as_number
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions
from accord.formats.plain import columns_of
from accord.formats.rows import lost_answers, lost_columns, lost_spans, plain_number, rating_rows, spelled
from accord.ratings.coding import MISSING_TOKENS
from accord.ratings.text_file import file_bytes
from accord.ratings.xlsx_file import check_workbook, sheet_rows

__all__ = [
    "detect_criteria",
    "detect_plain",
    "detect_raters",
    "reader",
    "write_criteria",
    "write_plain",
    "write_raters",
]

_PERSON = re.compile(
    r"(rater|annotator|judge|coder|reviewer|translator|assessor|evaluator|worker|expert)[\W_]*\w*$", re.I
)
_CRITERION = re.compile(
    r"(fluency|adequacy|accuracy|grammar|style|coherence|cohesion|relevance|quality|overall|clarity|meaning|terminology|"
    r"informativeness|naturalness|faithfulness|factuality|consistency|comprehension|readability|usefulness)\b",
    re.I,
)
_KEYS = ("item", "system", "document", "segment")
_BAD_TITLE = re.compile(r"[\[\]:*?/\\]")


def _sheets(path: Path, most: int | None = None) -> Iterator[tuple[str, list[tuple[int, list[Any]]]]]:
    """Name and numbered rows of each sheet that has any; what swells when unpacked is refused first."""
    content = file_bytes(path)
    check_workbook(content, str(path))
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("Reading Excel workbooks", "formats") from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        for sheet in book.worksheets:
            rows = enumerate(sheet_rows(sheet, most), 1)
            filled = [(line, row) for line, row in rows if any(cell is not None for cell in row)]
            if filled:
                yield sheet.title, filled
    except Exception as error:  # openpyxl raises whatever its parsers raise on a damaged book
        raise UnreadableFileError(f"{path} is a damaged Excel workbook: {type(error).__name__}.") from None


def _shape(path: Path) -> tuple[list[str], list[str]]:
    """Names of the sheets, and the headings of the first beside the item."""
    sheets = [(title, rows) for title, rows in _sheets(path, most=20) if _first_row(rows) is not None]
    headings = [as_name(cell) for cell in sheets[0][1][_first_row(sheets[0][1]) or 0][1][1:]] if sheets else []
    return [title for title, _ in sheets], [name for name in headings if name]


def _first_row(rows: list[tuple[int, list[Any]]]) -> int | None:
    """Where the headings stand: the first row with two names; titles and remarks above have one."""
    return next((place for place, (_, row) in enumerate(rows) if sum(as_name(cell) != "" for cell in row) > 1), None)


def _kind(sample: str, path: Path) -> tuple[str, str] | None:
    if not sample.startswith("PK"):
        return None
    try:
        sheets, headings = _shape(path)
    except (UnreadableFileError, MissingExtraError):
        return "plain", "a zip archive, as Excel workbooks are"
    if len(sheets) < 2:
        return "plain", "an Excel workbook with one sheet"
    if {"rater", "value"} <= {name.lower() for name in headings}:
        return "plain", "an Excel workbook whose first sheet has the columns rater and value"
    columns = [name for name in headings if name.lower() not in _KEYS]
    down = _share(_PERSON, sheets) + _share(_CRITERION, columns)
    across = _share(_CRITERION, sheets) + _share(_PERSON, columns)
    shown = f"sheets {sheets[0]}, ... and columns {', '.join(columns[:2])}, ..."
    if down > 0.5 and not across:
        return "raters", f"an Excel workbook whose sheets look like raters ({shown})"
    if across > 0.5 and not down:
        return "criteria", f"an Excel workbook whose sheets look like criteria ({shown})"
    return "either", "an Excel workbook with several sheets; names do not tell whether they are raters or criteria"


def _share(pattern: re.Pattern[str], names: list[str]) -> float:
    return sum(bool(pattern.match(name)) for name in names) / max(1, len(names))


def detect_plain(sample: str, path: Path) -> str | None:
    return _reason(sample, path, "plain")


def detect_raters(sample: str, path: Path) -> str | None:
    return _reason(sample, path, "raters")


def detect_criteria(sample: str, path: Path) -> str | None:
    return _reason(sample, path, "criteria")


def _reason(sample: str, path: Path, wanted: str) -> str | None:
    found = _kind(sample, path)
    return found[1] if found and (found[0] == wanted or (found[0] == "either" and wanted != "plain")) else None


def reader(sheets: str) -> Callable[[Path, ReadOptions], Imported]:
    """A reader of workbooks whose sheets are ``raters`` or ``criteria``."""

    def read(path: Path, options: ReadOptions) -> Imported:
        collect = Collector(path)
        for title, rows in _sheets(path):
            _take_sheet(collect, title.strip(), rows, sheets)
        return collect.imported(f"xlsx-{sheets}", options)

    return read


def _take_sheet(collect: Collector, title: str, rows: list[tuple[int, list[Any]]], sheets: str) -> None:
    first = _first_row(rows)
    for line, row in rows[:first]:
        collect.dropped(line, f"not part of a table: {next(filter(None, map(as_name, row)), '')[:40]!r}", title)
    if first is None:
        return
    names = [as_name(cell) for cell in rows[first][1]]
    keys = [place for place, name in enumerate(names) if name.lower() in _KEYS]
    item = next((place for place in keys if names[place].lower() == "item"), keys[0] if keys else 0)
    answers = [place for place, name in enumerate(names) if name and place != item and place not in keys]
    for line, cells in rows[first + 1 :]:
        if any(cell is not None for cell in cells[len(names) :]):
            collect.dropped(line, "more cells than the header; those beyond it are left", title)
        padded = [*cells, *[None] * len(names)][: len(names)]
        name = as_name(padded[item])
        if not name:
            collect.dropped(line, f"no {names[item] or 'item'}", title)
            continue
        more = {names[place].lower(): as_name(padded[place]) for place in keys if place != item}
        for place in answers:
            value = _value(collect, line, title, padded[place])
            rater, criterion = (title, names[place]) if sheets == "raters" else (names[place], title)
            collect.rate(line, name, rater, value, criterion=criterion, **more)


def _value(collect: Collector, line: int, title: str, cell: Any) -> float | str | None:
    if cell is None or as_name(cell).lower() in MISSING_TOKENS - {"#n/a"}:
        return None
    if isinstance(cell, str) and cell.startswith("#") and cell.endswith(("!", "?", "A")):
        collect.dropped(line, f"the cell shows an Excel error, {cell}; taken as no answer", title)
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    number = as_number(cell)
    return number if number is not None else as_name(cell)


def write_raters(imported: Imported, path: Path) -> tuple[str, ...]:
    return _write_sheets(imported, path, "raters")


def write_criteria(imported: Imported, path: Path) -> tuple[str, ...]:
    return _write_sheets(imported, path, "criteria")


def _write_sheets(imported: Imported, path: Path, sheets: str) -> tuple[str, ...]:
    ratings = imported.ratings
    books: dict[str, dict[str, dict[str, Any]]] = {}
    across: dict[str, None] = {}
    for row in rating_rows(ratings):
        criterion = row.name("criterion") or "value"
        sheet, column = (row.rater, criterion) if sheets == "raters" else (criterion, row.rater)
        across.setdefault(column)
        cells = books.setdefault(sheet, {}).setdefault(row.item, {})
        if column in cells:
            raise FormatError(f"A cell holds one rating, but {row.rater} rated {row.item} several times.")
        cells[column] = row.value
    titles = _titles(list(books))
    tables: dict[str, list[list[Any]]] = {
        titles[sheet]: [["item", *across], *([item, *map(cells.get, across)] for item, cells in rows.items())]
        for sheet, rows in books.items()
    }
    _save(tables, path)
    renamed = sorted(name for name, title in titles.items() if name != title)
    unnamed = "criterion" not in ratings.columns or (ratings.columns["criterion"].codes < 0).any()
    return (
        *lost_columns(ratings, {"criterion"}), *lost_spans(imported), *lost_answers(imported),
        *([f"Names that a sheet cannot have were changed: {', '.join(renamed[:5])}."] if renamed else []),
        *(["Ratings without a criterion get the criterion value."] if unnamed else []),
    )  # fmt: skip


def write_plain(imported: Imported, path: Path) -> tuple[str, ...]:
    """One sheet, one row per rating."""
    names = columns_of(imported.ratings)
    rows: list[list[Any]] = [list(names)]
    for row in rating_rows(imported.ratings):
        first = {"item": row.item, "rater": row.rater, "value": row.value}
        rows.append([first[name] if name in first else row.more.get(name) for name in names])
    _save({"ratings": rows}, path)
    return (*lost_spans(imported), *lost_answers(imported))


def _titles(names: list[str]) -> dict[str, str]:
    """Names that Excel accepts for sheets: at most 31 characters, some forbidden, none twice whatever their case."""
    titles: dict[str, str] = {}
    for name in names:
        title = plain = _BAD_TITLE.sub("_", name)[:31].strip("'") or "sheet"
        number = 2
        while title.lower() in {given.lower() for given in titles.values()}:
            title = f"{plain[: 30 - len(str(number))]}~{number}"
            number += 1
        titles[name] = title
    return titles


def _save(tables: dict[str, list[list[Any]]], path: Path) -> None:
    try:
        import openpyxl
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    except ImportError:
        raise MissingExtraError("Writing Excel workbooks", "formats") from None
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in tables.items():
        sheet = book.create_sheet(title)
        for line, row in enumerate(rows, 1):
            for place, value in enumerate(row, 1):
                if value is None:
                    continue
                plain = plain_number(value) if isinstance(value, float) else spelled(value)
                cell = sheet.cell(line, place)
                if isinstance(plain, str):
                    cell.value = ILLEGAL_CHARACTERS_RE.sub("\ufffd", plain)
                    cell.data_type = "s"  # text stays text: a value that begins with = is no formula
                else:
                    cell.value = plain
    book.save(path)
