"""Excel workbooks with one sheet per rater or one sheet per criterion."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from accord.errors import FormatError, InputError, MissingExtraError, UnreadableFileError
from accord.formats.collect import Collector, as_name, as_number
from accord.formats.imported import Imported
from accord.formats.options import ReadOptions
from accord.formats.plain import columns_of
from accord.formats.plain import read_xlsx as read_plain
from accord.formats.rows import lost_answers, lost_columns, lost_spans, plain_number, rating_rows, spelled
from accord.ratings.coding import MISSING_TOKENS
from accord.ratings.column_names import is_criterion, is_total
from accord.ratings.mapping import map_columns, text_columns
from accord.ratings.repeats import sign_between
from accord.ratings.text_file import file_bytes
from accord.ratings.tidying import no_ratings
from accord.ratings.xlsx_file import check_workbook, open_workbook, sheet_rows

__all__ = [
    "detect_criteria",
    "detect_plain",
    "detect_raters",
    "read_criteria",
    "read_plain",
    "read_raters",
    "write_criteria",
    "write_plain",
    "write_raters",
]

_PERSON = re.compile(
    r"(rater|annotator|judge|coder|reviewer|translator|assessor|evaluator|worker|expert)[\W_]*\w*$", re.I
)
_KEYS = ("item", "system", "document", "segment")
_BAD_TITLE = re.compile(r"[\[\]:*?/\\]")


def _sheets(path: Path, most: int | None = None) -> Iterator[tuple[str, list[tuple[int, list[Any]]]]]:
    """Name and numbered rows of each sheet that has any; what swells when unpacked is refused first."""
    content = file_bytes(path)
    check_workbook(content, str(path))
    try:
        book = open_workbook(content)
        for sheet in book.worksheets:
            rows = enumerate(sheet_rows(sheet, most), 1)
            filled = [(line, row) for line, row in rows if any(cell is not None for cell in row)]
            if filled:
                yield sheet.title, filled
    except InputError:
        raise
    except ImportError:
        raise MissingExtraError("Reading Excel workbooks", "formats") from None
    except Exception as error:  # openpyxl raises whatever its parsers raise on a damaged book
        raise UnreadableFileError(f"{path} is a damaged Excel workbook: {type(error).__name__}.") from None


def _shape(path: Path) -> tuple[list[str], list[str]]:
    """Names of the sheets that have the same headings, and those headings beside the item; none if none have."""
    found = [(title, _headings(rows)) for title, rows in _sheets(path, most=20)]
    often = Counter(headings for _, headings in found if headings)
    shared, times = next(iter(often.most_common(1)), ((), 0))
    if times > 1:
        return [title for title, headings in found if headings == shared], list(shared)
    return [title for title, headings in found if headings][:1], next((list(one) for _, one in found if one), [])


def _headings(rows: list[tuple[int, list[Any]]]) -> tuple[str, ...]:
    """The names of columns beside the first; () where a sheet holds no table."""
    place = _first_row(rows)
    return () if place is None else tuple(name for cell in rows[place][1][1:] if (name := as_name(cell)))


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
        return "plain", "an Excel workbook with one table"
    if {"rater", "value"} <= {name.lower() for name in headings}:
        return "plain", "an Excel workbook whose first sheet has the columns rater and value"
    if "rater" in map_columns(headings, {}).columns:
        return "plain", "an Excel workbook whose sheets name who rated in a column"
    keys = {name for parts in _keys(headings).values() for name in parts}
    columns = [name for name in headings if name not in keys and not _is_beside(name)]
    down = _share(_PERSON.match, sheets) + _share(is_criterion, columns)
    across = _share(is_criterion, sheets) + _share(_PERSON.match, columns)
    shown = f"sheets {sheets[0]}, ... and columns {', '.join(columns[:2])}, ..."
    if down > 0.5 and not across:
        return "raters", f"an Excel workbook whose sheets look like raters ({shown})"
    if across > 0.5 and not down:
        return "criteria", f"an Excel workbook whose sheets look like criteria ({shown})"
    return "either", "an Excel workbook with several sheets; names do not tell whether they are raters or criteria"


def _share(fits: Callable[[str], object], names: list[str]) -> float:
    return sum(bool(fits(name)) for name in names) / max(1, len(names))


def _is_beside(name: str) -> bool:
    """Whether a column is a text, a remark or a summary beside the ratings."""
    return bool(text_columns([name])) or is_total(name) or _is_comment(name)


def _is_comment(name: str) -> bool:
    return map_columns([name], {}).columns.get("comment") == (name,)


def detect_plain(sample: str, path: Path) -> str | None:
    return _reason(sample, path, "plain")


def detect_raters(sample: str, path: Path) -> str | None:
    return _reason(sample, path, "raters")


def detect_criteria(sample: str, path: Path) -> str | None:
    return _reason(sample, path, "criteria")


def _reason(sample: str, path: Path, wanted: str) -> str | None:
    found = _kind(sample, path)
    return found[1] if found and (found[0] == wanted or (found[0] == "either" and wanted != "plain")) else None


def _reader(sheets: str) -> Callable[[Path, ReadOptions], Imported]:
    """A reader of workbooks whose sheets are ``raters`` or ``criteria``."""

    def read(path: Path, options: ReadOptions) -> Imported:
        collect = Collector(path)
        tables = list(_sheets(path))
        often = Counter(_headings(rows) for _, rows in tables)
        shared = max(often.values(), default=0)
        for title, rows in tables:
            if shared > 1 and often[_headings(rows)] == 1 and _headings(rows):
                collect.dropped(rows[0][0], "a sheet with other columns than the rest", title)
            else:
                _take_sheet(collect, title.strip(), rows, sheets)
        return collect.imported(f"xlsx-{sheets}", options)

    return read


read_raters, read_criteria = _reader("raters"), _reader("criteria")


def _keys(names: list[str]) -> dict[str, tuple[str, ...]]:
    """The columns that name the item, and those of its parts, as in a plain table: ID beside System, Document."""
    mapped = map_columns([name for name in names if name], {}).columns
    return {role: mapped[role] for role in _KEYS if role in mapped}


def _take_sheet(collect: Collector, title: str, rows: list[tuple[int, list[Any]]], sheets: str) -> None:
    first = _first_row(rows)
    for line, row in rows[:first]:
        collect.dropped(line, f"not part of a table: {next(filter(None, map(as_name, row)), '')[:40]!r}", title)
    if first is None:
        return
    names = [as_name(cell) for cell in rows[first][1]]
    keys = _keys(names)
    item = [names.index(name) for name in keys.get("item", ())] or [0]
    named = {names.index(name): role for role, parts in keys.items() if role != "item" for name in parts}
    if named and "item" not in map(str.lower, names):
        collect.note(f"An item is taken to be {' + '.join(names[place] for place in item)}.")
    beside = [place for place, name in enumerate(names) if place not in item and _is_beside(name)]
    for place in beside:
        if is_total(names[place]):
            collect.note(f"The column {names[place]!r} is named like a summary of the others and is not a rating.")
    answers = [place for place, name in enumerate(names) if name and place not in (*item, *named, *beside)]
    body = rows[first + 1 :]
    others = no_ratings([cells for _, cells in body], len(names))
    for place, (line, cells) in enumerate(body):
        if place in others:
            collect.dropped(line, others[place], title)
            continue
        if any(cell is not None for cell in cells[len(names) :]):
            collect.dropped(line, "more cells than the header; those beyond it are left out", title)
        padded = [*cells, *[None] * len(names)][: len(names)]
        parts = [as_name(padded[place]) for place in item]
        if not all(parts):
            collect.dropped(line, f"no {names[item[parts.index('')]] or 'item'}", title)
            continue
        name = sign_between("item").join(parts)
        more = {role: as_name(padded[place]) for place, role in named.items() if [place] != item}
        kept = [place for place in beside if not is_total(names[place])]
        more |= {"comment" if _is_comment(names[place]) else names[place]: as_name(padded[place]) for place in kept}
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
        *lost_columns(ratings, {"criterion"}),
        *lost_spans(imported),
        *lost_answers(imported),
        *([f"Names that a sheet cannot have were changed: {', '.join(renamed[:5])}."] if renamed else []),
        *(["Ratings without a criterion get the criterion value."] if unnamed else []),
    )


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
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    except ImportError:
        raise MissingExtraError("Writing Excel workbooks", "formats") from None
    book = openpyxl.Workbook(write_only=True)  # rows go to the file as they come
    for title, rows in tables.items():
        sheet = book.create_sheet(title)

        def written(value: Any, sheet: Any = sheet) -> Any:
            plain = plain_number(value) if isinstance(value, float) else value if value is None else spelled(value)
            if not isinstance(plain, str):
                return plain
            text = ILLEGAL_CHARACTERS_RE.sub("\ufffd", plain)
            if text[:1] not in ("=", "#"):
                return text
            cell = WriteOnlyCell(sheet, text)
            cell.data_type = "s"  # text stays text: a value that begins with = is no formula
            return cell

        for row in rows:
            sheet.append([written(value) for value in row])
    book.save(path)
