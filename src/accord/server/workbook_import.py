"""Bring in spreadsheets that raters filled in: all of it, or a list of what is wrong and nothing."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from accord.design.study import CriterionSettings
from accord.errors import FormatError, InputError, Problem, UnreadableFileError
from accord.ratings.xlsx_file import sheet_rows
from accord.records import dataclass
from accord.server.guidelines import latest
from accord.server.models import Judgement, QuestionnaireAnswer, Rater, Remark, Task
from accord.server.phases import closed_phases
from accord.server.progress import current_judgements
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.validation import check_value
from accord.server.workbook import CANNOT, COMPARED, FIXED, options_of
from accord.server.workbook_questions import QUESTIONS, SHEET, agrees, brought_answers

__all__ = ["Brought", "import_workbook"]

_LARGEST = 50_000_000
_Row = Judgement | Remark | QuestionnaireAnswer


@dataclass(frozen=True, slots=True)
class Brought:
    """What a workbook brought."""

    new: int
    known: int


@dataclass(frozen=True, slots=True)
class _Cell:
    """An answer found in a sheet, and where."""

    sheet: str
    row: int
    task: int
    place: int | None
    criterion: str
    text: str


def import_workbook(path: Path) -> Brought:
    """Save every answer of a workbook, or of all workbooks of a folder; the same ones twice change nothing."""
    problems: list[Problem] = []
    new: list[_Row] = []
    known = 0
    raters = {rater.pseudonym: rater for rater in Rater.objects.all()}
    for book in sorted(path.glob("*.xlsx")) if path.is_dir() else [path]:
        found, same = _one_book(book, raters, problems)
        new += found
        known += same
    if problems:
        raise FormatError(f"{path}: nothing was brought in.", problems)
    with transaction.atomic():
        for rater in raters.values():
            rater.save(update_fields=["consent_at"])
        for row in new:
            row.save(force_insert=True)
    return Brought(len(new), known)


def _one_book(path: Path, raters: Mapping[str, Rater], problems: list[Problem]) -> tuple[list[_Row], int]:
    study = current()
    new: list[_Row] = []
    known = 0
    sheets = list(_sheets(path))
    cells = [
        cell
        for title, heads, rows in sheets
        if heads[: len(FIXED)] == list(FIXED)
        for cell in _sheet_cells(title, heads, rows, problems)
    ]
    asked = {title.removeprefix(SHEET): (title, rows) for title, heads, rows in sheets if heads == list(QUESTIONS)}
    for name in dict.fromkeys([*(cell.sheet for cell in cells), *asked]):
        if name not in raters:
            problems.append(Problem("is not one of the raters of this study", file=name))
            continue
        found, same = _judgements(study, raters[name], [cell for cell in cells if cell.sheet == name], problems)
        known += same
        if name in asked:
            answers, same = brought_answers(raters[name], study.settings, *asked[name], problems)
            found += answers
            known += same
        if not agrees(raters[name], study.settings, asked[name][1] if name in asked else ()) and found:
            words = "has not agreed to take part: the answer in the first row of the questions is empty"
            problems.append(Problem(words, file=name))
        new += found
    return new, known


def _sheets(path: Path) -> Iterator[tuple[str, list[str], list[Any]]]:
    """The name, heads and rows of every sheet."""
    from openpyxl import load_workbook

    if not path.is_file():
        raise UnreadableFileError(f"{path} is not there.")
    if path.stat().st_size > _LARGEST:
        raise UnreadableFileError(f"{path} is larger than {_LARGEST // 1_000_000} MB.")
    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception:
        raise UnreadableFileError(f"{path} is not an Excel workbook (.xlsx).") from None
    for sheet in book.worksheets:
        rows = iter(sheet_rows(sheet))
        heads = [str(cell or "").strip() for cell in next(rows, ())]
        yield sheet.title, heads, list(rows)


def _sheet_cells(title: str, heads: list[str], rows: Any, problems: list[Problem]) -> Iterator[_Cell]:
    for number, row in enumerate(rows, start=2):
        if not row or row[0] is None:
            continue
        place = _place(row[1])
        if not isinstance(row[0], int) or place is False:
            problems.append(Problem("the first two columns were changed; they say which text is meant", number, title))
            continue
        for name, cell in list(zip(heads, row, strict=False))[len(FIXED) :]:
            if name and cell is not None and str(cell).strip():
                yield _Cell(title, number, row[0], None if place is None else int(place), name, str(cell).strip())


def _place(cell: Any) -> int | bool | None:
    """The text meant: a letter, or all of them; False for anything else."""
    if cell == COMPARED:
        return None
    return "ABCDEFGHIJ".index(cell) if isinstance(cell, str) and len(cell) == 1 and cell in "ABCDEFGHIJ" else False


def _judgements(
    study: LoadedStudy, rater: Rater, cells: list[_Cell], problems: list[Problem]
) -> tuple[list[_Row], int]:
    tasks = {task.pk: task for task in rater.tasks.exclude(role=PRACTICE)}
    before = current_judgements(list(tasks))
    remarks = {r.task_id: r for r in rater.remarks.filter(about=Remark.About.ITEM).order_by("revision", "id")}
    guideline, now, closed = latest(), timezone.now(), closed_phases()
    new: list[_Row] = []
    for cell in cells:
        task = tasks.get(cell.task)
        if task is None:
            problems.append(Problem("belongs to another rater or study", cell.row, cell.sheet))
        elif task.phase in closed:
            words = f"belongs to the phase {task.phase!r}, which is closed. Open it first"
            problems.append(Problem(words, cell.row, cell.sheet))
        elif cell.criterion == "comment":
            last = remarks.get(task.pk)
            if last is None or last.text != cell.text:
                revision = last.revision + 1 if last else 1
                about = Remark.About.ITEM
                new.append(Remark(uuid=uuid4(), rater=rater, task=task, about=about, text=cell.text, revision=revision))
        else:
            try:
                value, cannot = _value(study, task, cell)
            except InputError as error:
                problems.append(Problem(str(error), cell.row, cell.sheet))
                continue
            old = before.get((task.pk, cell.criterion, cell.place))
            if old is None or (old.value, old.cannot_judge) != (value, cannot):
                new.append(Judgement(
                    uuid=uuid4(), task=task, criterion=cell.criterion, place=cell.place, value=value,
                    cannot_judge=cannot, revision=old.revision + 1 if old else 1, guideline=guideline, made_at=now,
                ))  # fmt: skip
    return new, len(cells) - len(new)


def _value(study: LoadedStudy, task: Task, cell: _Cell) -> tuple[Any, bool]:
    asked = {criterion.key: criterion for criterion in study.asked_in(task.scenario, task.item)}
    criterion = asked.get(cell.criterion)
    systems = max(1, len(task.systems))
    fits = criterion is not None and criterion.once_per_task == (cell.place is None)
    if criterion is None or not fits or (cell.place or 0) >= systems:
        raise InputError(f"{cell.criterion!r} is not asked here: leave the cell empty")
    if cell.text.lower() == CANNOT:
        return None, True
    value = _meant(criterion, cell.text, systems)
    check_value(criterion, value, shown_texts(study, task, cell.place or 0), systems)
    return value, False


def _meant(criterion: CriterionSettings, text: str, systems: int) -> Any:
    """The value of a cell: a drop-down's words, the bare value, or several joined by semicolons."""
    options = options_of(criterion, systems)
    by_word = {word.lower(): value for word, value in options.items()}
    if text.lower() in by_word:
        return by_word[text.lower()]
    if criterion.kind == "scale":
        return next((value for value in criterion.values if str(value) == text.removesuffix(".0")), text)
    if criterion.kind == "categories":
        parts = [part.strip() for part in text.split(";") if part.strip()]
        return [next((value for value in criterion.values if str(value) == part), part) for part in parts]
    if criterion.kind == "ranking":
        return [int(part) if part.strip().isdecimal() else part for part in text.split(";")]
    if criterion.kind in ("slider", "number"):
        try:
            return float(text)
        except ValueError:
            return text
    return text
