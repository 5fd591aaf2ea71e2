"""Bring in spreadsheets that raters filled in: all of it, or a list of what is wrong and nothing."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import is_zipfile

from django.db import transaction
from django.utils import timezone

from accord.design.study import CriterionSettings
from accord.errors import FormatError, InputError, Problem, UnreadableFileError
from accord.ratings.xlsx_file import check_workbook, open_workbook, sheet_rows, uncomputed
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
_Sheet = tuple[str, list[str], list[Any]]


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
    came: dict[str, str] = {}
    for book in sorted(path.glob("*.xlsx")) if path.is_dir() else [path]:
        found, same = _one_book(book, raters, came, problems)
        new += found
        known += same
    if problems:
        raise FormatError(f"{path}: nothing was brought in.", problems)
    with transaction.atomic():
        for rater in raters.values():
            # Only who agreed here: another may have agreed in the browser since the raters were read.
            Rater.objects.filter(pk=rater.pk, consent_at=None).update(consent_at=rater.consent_at)
        for row in new:
            row.save(force_insert=True)
    return Brought(len(new), known)


def _one_book(
    path: Path, raters: Mapping[str, Rater], came: dict[str, str], problems: list[Problem]
) -> tuple[list[_Row], int]:
    """What is new in a workbook, and how much was known; ``came`` says in which file each rater's answers came."""
    study = current()
    new: list[_Row] = []
    known = 0
    sheets = list(_sheets(path, problems))
    problems += _unread(sheets, raters)
    cells = [
        cell
        for title, heads, rows in sheets
        if heads[: len(FIXED)] == list(FIXED)
        for cell in _sheet_cells(title, heads, rows, problems)
    ]
    asked = {title.removeprefix(SHEET): (title, rows) for title, heads, rows in sheets if heads == list(QUESTIONS)}
    problems += _of_others(path, list(dict.fromkeys([*(cell.sheet for cell in cells), *asked])), came)
    problems += _doubled(cells)
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


def _unread(sheets: Iterable[_Sheet], raters: Collection[str]) -> Iterator[Problem]:
    """Sheets of raters whose first row was changed: what stands in them would be left out without a word."""
    for title, heads, rows in sheets:
        wanted = list(FIXED) if title in raters else list(QUESTIONS) if title.removeprefix(SHEET) in raters else heads
        if rows and heads[: len(wanted)] != wanted:
            yield Problem(f"the first row was changed: it begins with {', '.join(wanted)}", 1, title)


def _of_others(path: Path, names: Sequence[str], came: dict[str, str]) -> Iterator[Problem]:
    """Each rater has a file of their own: nobody answers in another's name, and no file comes in two versions."""
    if len(names) > 1:
        yield Problem(f"holds answers of {', '.join(names)}: each rater fills in a file of their own", file=path.name)
    for name in names:
        if came.setdefault(name, path.name) != path.name:
            yield Problem(f"holds answers of {name} as {came[name]} does: leave one of them out", file=path.name)


def _doubled(cells: Iterable[_Cell]) -> Iterator[Problem]:
    """A question that is answered in two rows or columns: which answer is meant cannot be told."""
    first: dict[tuple[str, int, int | None, str], _Cell] = {}
    for cell in cells:
        # A remark is on the screen, and the rows of its texts each have a cell for one.
        where = None if cell.criterion == "comment" else cell.place
        known = first.setdefault((cell.sheet, cell.task, where, cell.criterion), cell)
        if known is not cell and known.text != cell.text and cell.criterion != "comment":
            yield Problem(f"{cell.criterion!r} is answered otherwise in row {known.row}", cell.row, cell.sheet)


def _sheets(path: Path, problems: list[Problem]) -> Iterator[_Sheet]:
    """The name, heads and rows of every sheet; a formula that was never computed is no answer and no empty cell."""
    if not path.is_file():
        raise UnreadableFileError(f"{path} is not there.")
    if path.stat().st_size > _LARGEST:
        raise UnreadableFileError(f"{path} is larger than {_LARGEST // 1_000_000} MB.")
    content = path.read_bytes()
    if not is_zipfile(path):
        raise UnreadableFileError(f"{path} is not an Excel workbook (.xlsx).")
    try:
        check_workbook(content, str(path))
        found = {sheet.title: sheet_rows(sheet) for sheet in open_workbook(content).worksheets}
        lost = [(title, row) for title, rows in found.items() for row in uncomputed(content, title, rows)]
    except InputError:
        raise
    except Exception:  # openpyxl raises whatever its parsers raise on a damaged book
        raise UnreadableFileError(f"{path} is not an Excel workbook (.xlsx).") from None
    words = "a formula without a result: open the workbook, save it and bring it in again"
    problems += [Problem(words, row, title) for title, row in lost]
    for title, rows in found.items():
        yield title, [str(cell or "").strip() for cell in next(iter(rows), ())], rows[1:]


def _sheet_cells(title: str, heads: list[str], rows: Any, problems: list[Problem]) -> Iterator[_Cell]:
    for number, row in enumerate(rows, start=2):
        if not any(cell is not None and str(cell).strip() for cell in (row[0], *row[len(FIXED) :])):
            continue
        place = _place(row[1])
        if type(row[0]) is not int or place is False:
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
                made = Judgement(
                    uuid=uuid4(), task=task, criterion=cell.criterion, place=cell.place, value=value,
                    cannot_judge=cannot, revision=old.revision + 1 if old else 1, guideline=guideline, made_at=now,
                )  # fmt: skip
                before[task.pk, cell.criterion, cell.place] = made
                new.append(made)
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
