"""Read a small sheet of named columns as files of ratings are read, or from TOML; each cell as its text."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from accord.errors import ColumnError, FormatError, Problem, UnreadableFileError
from accord.ratings.apart import models_left_out
from accord.ratings.column_languages import plain_name
from accord.ratings.factor import Factor
from accord.ratings.files import read_file
from accord.ratings.kinds import KIND, MODEL, with_kinds
from accord.ratings.mapping import KNOWN_NAMES
from accord.ratings.number_spellings import numbers_in
from accord.ratings.only_rows import asked_rows, nothing_left
from accord.ratings.text_file import decoded, file_bytes
from accord.records import dataclass

__all__ = ["Row", "Sheet", "read_sheet", "rows_of_people", "with_names"]

_NAMES = {
    **KNOWN_NAMES,
    "category": (
        "error_type",
        "error_category",
        "error",
        "error_class",
        "issue",
        "issue_type",
        "type",
        "mqm_category",
        "fehlertyp",
        "fehlerart",
        "fehlerkategorie",
        "tipo de error",
        "tipo de erro",
        "type d'erreur",
        "错误类型",
    ),
    "severity": (
        "error_severity",
        "severity_level",
        "issue_severity",
        "schweregrad",
        "schwere",
        "gravedad",
        "severidad",
        "gravidade",
        "gravité",
        "sévérité",
        "gravità",
        "严重程度",
    ),
    "coefficient": ("measure", "statistic", "metric", "agreement measure", "koeffizient", "maß", "coeficiente", "系数"),
    "score": KNOWN_NAMES["value"],
    "date": ("datum", "fecha", "data", "日期", "التاريخ"),
    "vendor": ("supplier", "lsp", "anbieter", "lieferant", "proveedor", "fornecedor", "fournisseur", "供应商"),
    "words": ("word_count", "number of words", "wörter", "wortzahl", "palabras", "palavras", "mots", "字数"),
    "first": ("system_a", "system_1", "first_system", "model_a", "model_1", "left", "left_system", "option_a"),
    "second": ("system_b", "system_2", "second_system", "model_b", "model_2", "right", "right_system", "option_b"),
    "preferred": (
        "preference",
        "winner",
        "better",
        "preferred_system",
        "choice",
        "which is better",
        "which one is better",
        "which translation is better",
        "which text is better",
        "which do you prefer",
        "which one do you prefer",
        "better translation",
        "better system",
        "preferred translation",
        "verdict",
        "präferenz",
        "besser",
        "preferencia",
        "preferência",
        "préférence",
        "preferenza",
    ),
}
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells by column, as text, and the line it stands on."""

    number: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        return self.cells.get(column, "").strip()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of a file with named columns."""

    source: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    """The name here of each column that the file calls otherwise."""

    def require(self, *columns: str) -> None:
        """Stop with one sentence if a column is missing."""
        if missing := [column for column in columns if column not in self.columns]:
            raise ColumnError(
                f"{self.source} has no column {', '.join(map(repr, missing))}. It has: {', '.join(self.columns)}."
            )

    def numbers(self, column: str) -> list[float | None]:
        """A column of numbers, None where empty; every cell that is not a number is named in one error."""
        texts = [row.text(column) or None for row in self.rows]
        values, _ = numbers_in(texts)
        problems = [
            Problem(f"{text!r} in column {column!r} is not a number", row.number, self.source)
            for row, text, value in zip(self.rows, texts, values, strict=True)
            if text is not None and value is None
        ]
        if problems:
            raise FormatError(f"{self.source} has cells that are not numbers:", problems)
        return values


def read_sheet(
    path: str | Path,
    lists: str = "row",
    *,
    wanted: Sequence[str] = (),
    named: Mapping[str, str] | None = None,
    printed: bool = True,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Sheet:
    """The sheet in this file; in TOML the rows are tables named ``[[row]]`` (or as ``lists`` says).

    ``wanted`` are columns that the caller knows: one that is spelled otherwise (Annotator, Doc ID) is taken for it.
    ``named`` says which column of the file holds which of them. A huge file holds no
    ``printed`` numbers. ``encoding`` and ``sheet`` are those of :func:`accord.read`.
    """
    file = Path(path)
    if printed and file.is_file() and file.stat().st_size > _LARGEST:
        raise UnreadableFileError(f"{file} is larger than 64 MB, too large for a sheet of printed numbers.")
    is_toml = file.suffix.lower() == ".toml"
    held = _toml(file, lists) if is_toml else _table(file, encoding=encoding, sheet=sheet)
    if not held.rows:
        raise UnreadableFileError(f"{file} has no rows below its header.")
    return _renamed(held, wanted, named or {})


def _table(file: Path, **reading: str | None) -> Sheet:
    table = read_file(file, **reading)
    columns = {
        name: [cell.strip() if type(cell) is str else _text(cell) for cell in cells]
        for name, cells in table.columns.items()
    }
    # A column without a name and without a cell is what a spreadsheet leaves at its right edge.
    used = {name: cells for name, cells in columns.items() if any(cells) or not _UNNAMED.match(name)}
    rows = tuple(
        Row(int(line), dict(zip(used, cells, strict=True)))
        for line, cells in zip(table.row_numbers, zip(*used.values(), strict=True), strict=True)
    )
    return Sheet(str(file), tuple(used), rows, table.notes)


_UNNAMED = re.compile(r"column \d+\Z")


def _text(cell: Any) -> str:
    return "" if cell is None or cell != cell else str(cell).strip()


def _renamed(sheet: Sheet, wanted: Sequence[str], named: Mapping[str, str]) -> Sheet:
    """The sheet with the names that the caller knows, where a column is spelled otherwise or the user says which."""
    sheet.require(*named.values())
    new = {column: name for name, column in named.items() if column != name}
    plain = {plain_name(name): name for name in reversed(sheet.columns) if name not in wanted and name not in new}
    for name in wanted:
        if name in sheet.columns or name in named:
            continue
        found = next((plain[key] for key in map(plain_name, (name, *_NAMES.get(name, ()))) if key in plain), None)
        if found is not None and found not in new:
            new[found] = name
    if not new:
        return sheet
    # A column that the user gives another part to does not keep the name of that part.
    new = {name: f"{name} (as in the file)" for name in sheet.columns if name in new.values() and name not in new} | new
    rows = tuple(Row(row.number, {new.get(name, name): cell for name, cell in row.cells.items()}) for row in sheet.rows)
    notes = tuple(f"column {old!r} is taken as {name}" for old, name in new.items() if _says_more(old, name, wanted))
    columns = tuple(new.get(name, name) for name in sheet.columns)
    return replace(sheet, columns=columns, rows=rows, notes=(*sheet.notes, *notes), called=new)


def with_names(sheet: Sheet, where: Sequence[str]) -> Sheet:
    """The rows with the names that ``COLUMN=NAME`` asks for; columns by their names here or in the file."""
    wanted = asked_rows(where, sheet.columns, lambda name: sheet.called.get(name, name))
    rows = tuple(row for row in sheet.rows if all(row.text(column) in names for column, names in wanted.items()))
    if not rows:
        raise nothing_left(where)
    return replace(sheet, rows=rows)


def _says_more(old: str, name: str, wanted: Sequence[str]) -> bool:
    """Whether it is worth a word that a column is taken for another: «Score» is the score anyway."""
    return name in wanted and plain_name(old) != plain_name(name)


def rows_of_people(sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Where people and models rated, the rows of people, and lines that say so; else all of them."""
    if KIND not in sheet.columns:
        return sheet, ()
    own = (Factor.of([row.text(name) for row in sheet.rows]) for name in (KIND, "rater", "item"))
    kind, said = with_kinds(*own)
    is_model = (kind.labels() == MODEL).tolist()
    if all(is_model) or not any(is_model):
        return sheet, said
    others = tuple(row for row, model in zip(sheet.rows, is_model, strict=True) if not model)
    names = sorted({row.text("rater") for row, model in zip(sheet.rows, is_model, strict=True) if model})
    return replace(sheet, rows=others), (*said, models_left_out(sum(is_model), names))


def _toml(file: Path, lists: str) -> Sheet:
    """Numbers should be written as text ("0.30") in TOML where the printed zeros matter."""
    try:
        content: Mapping[str, Any] = tomllib.loads(decoded(file_bytes(file), str(file)).text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFileError(f"{file} is not valid TOML: {error}.") from error
    tables = content.get(lists)
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise FormatError(f"{file} must hold its rows as tables named [[{lists}]].")
    columns = tuple(dict.fromkeys(name for table in tables for name in table))
    rows = tuple(Row(number, {k: str(v) for k, v in table.items()}) for number, table in enumerate(tables, 1))
    return Sheet(str(file), columns, rows)
