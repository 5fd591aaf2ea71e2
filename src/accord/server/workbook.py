"""Spreadsheets for raters who work without the browser: a file of their own, drop-downs for every answer."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from accord.design.study import CriterionSettings
from accord.errors import OperationError, OptionError
from accord.ratings.answer_values import TIE
from accord.server.guidelines import latest
from accord.server.models import Rater, Task
from accord.server.one_moment import one_moment
from accord.server.phases import closed_phases
from accord.server.progress import current_judgements
from accord.server.screens import WorkPage
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.workbook_questions import QUESTIONS, SHEET, asked_of

__all__ = ["CANNOT", "COMPARED", "FIXED", "options_of", "spelled", "write_workbooks"]

FIXED = ("task", "text", "scenario", "document", "segment", "source", "reference", "output")
COMPARED = "all"
CANNOT = "cannot judge"
_LISTS = "answers"
_WIDTHS = {"source": 50, "reference": 50, "output": 50, "scenario": 14, "document": 16}


def options_of(criterion: CriterionSettings, systems: int) -> dict[str, Any]:
    """What a cell may say, and the value it stands for; empty where the cell is free text."""
    if criterion.kind == "scale":
        labels = list(criterion.labels) + [""] * (len(criterion.values) - len(criterion.labels))
        pairs = zip(criterion.values, labels, strict=True)
        return {f"{value}: {label}" if label else str(value): value for value, label in pairs}
    if criterion.kind == "categories":
        none = criterion.none_label or "no errors"
        return {none: [], **{str(value): [value] for value in criterion.values}}
    if criterion.kind == "pairwise":
        letters = {"ABCDEFGHIJ"[place]: place for place in range(systems)}
        return {**letters, **({"equal": TIE} if criterion.ties else {})}
    return {}


def spelled(criterion: CriterionSettings, value: Any, systems: int) -> str:
    """The cell that stands for a value already given."""
    if criterion.kind == "categories" and value:
        return "; ".join(str(part) for part in value)
    for text, known in options_of(criterion, systems).items():
        if known == value:
            return text
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


@one_moment()
def write_workbooks(folder: Path) -> int:
    """One file for each invited rater, with guidelines, questions and what they answered; returns how many raters.

    Nobody's file holds anything of another rater.
    """
    study = current()
    if folder.suffix.lower() == ".xlsx":
        words = "each rater gets a file of their own, so that nobody sees another's answers. Name a folder for them"
        raise OptionError(f"{folder}: {words}: --workbook {folder.with_suffix('')}")
    raters = list(Rater.people.all())
    if not raters:
        raise OperationError("Nobody is invited yet. Make places for the raters first: accord invite DIR NUMBER")
    marking = [criterion.key for criterion in study.settings.criteria if criterion.kind == "spans"]
    if marking:
        raise OptionError(f"{', '.join(marking)}: places in a text cannot be marked in a spreadsheet. Use the browser.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for rater in raters:
            _book(study, rater).save(folder / f"{rater.pseudonym}.xlsx")
    except OSError as error:
        raise OperationError(f"{folder}: cannot be written ({error.strerror}).") from None
    return len(raters)


def _book(study: LoadedStudy, rater: Rater) -> Any:
    from openpyxl import Workbook

    book = Workbook()
    lists: Any = book.active
    lists.title, lists.sheet_state = _LISTS, "hidden"
    ranges = _write_lists(lists, study)
    _write_guidelines(book.create_sheet("guidelines"))
    _write_sheet(book.create_sheet(rater.pseudonym), study, rater, ranges)
    _write_questions(book, study, rater)
    book.active = 1
    return book


def _write_guidelines(sheet: Any) -> None:
    from openpyxl.styles import Alignment

    sheet.column_dimensions["A"].width = 110
    for row, line in enumerate(latest().text.splitlines(), start=1):
        _put(sheet, row, 1, line).alignment = Alignment(wrap_text=True, vertical="top")


def _write_questions(book: Any, study: LoadedStudy, rater: Rater) -> None:
    """What is asked about the rater and after the work; the answers to choose from stand in the hidden sheet."""
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    asked = list(asked_of(rater, study.settings))
    if not asked:
        return
    sheet, lists = book.create_sheet(SHEET + rater.pseudonym), book[_LISTS]
    for column, (name, width) in enumerate(zip(QUESTIONS, (4, 4, 22, 80, 24), strict=True), start=1):
        _put(sheet, 1, column, name).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.column_dimensions["A"].hidden = sheet.column_dimensions["B"].hidden = True
    for row, (cells, choices) in enumerate(asked, start=2):
        for column, text in enumerate(cells, start=1):
            _put(sheet, row, column, text).alignment = Alignment(wrap_text=True, vertical="top")
        if choices:
            letter = get_column_letter(lists.max_column + 1)
            for place, choice in enumerate(choices, start=1):
                _put(lists, place, lists.max_column + (place == 1), choice)
            formula = f"'{_LISTS}'!${letter}$1:${letter}${len(choices)}"
            rule = DataValidation(type="list", formula1=formula, allow_blank=True, showErrorMessage=True)
            rule.error = "Choose one of the answers of the list."
            rule.add(f"E{row}")
            sheet.add_data_validation(rule)


def _write_lists(sheet: Any, study: LoadedStudy) -> dict[str, str]:
    """The answers of each criterion in a column of a hidden sheet; returns the ranges of the drop-downs."""
    from openpyxl.utils import get_column_letter

    systems = max(scenario.systems for scenario in study.settings.scenarios)
    ranges = {}
    for number, criterion in enumerate(study.settings.criteria, start=1):
        words = [*options_of(criterion, systems), CANNOT]
        for row, text in enumerate(words, start=1):
            _put(sheet, row, number, text)
        letter = get_column_letter(number)
        ranges[criterion.key] = f"'{_LISTS}'!${letter}$1:${letter}${len(words)}"
    return ranges


def _put(sheet: Any, row: int, column: int, text: Any) -> Any:
    """A cell that is text: a sentence that begins with '=' is no formula."""
    cell = sheet.cell(row, column)
    cell.value = text
    if isinstance(text, str):
        cell.data_type = "s"
    return cell


def _write_sheet(sheet: Any, study: LoadedStudy, rater: Rater, ranges: dict[str, str]) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    criteria = list(study.settings.criteria)
    heads = [*FIXED, *(criterion.key for criterion in criteria), "comment"]
    for column, name in enumerate(heads, start=1):
        _put(sheet, 1, column, name).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(column)].width = _WIDTHS.get(name, 18)
    sheet.column_dimensions["A"].hidden = True
    grey = PatternFill("solid", fgColor="EEEEEE")
    tasks = list(rater.tasks.exclude(role=PRACTICE).exclude(phase__in=closed_phases()).order_by("order"))
    known = current_judgements([task.pk for task in tasks])
    last = 1
    for last, (task, place, cells) in enumerate(_rows(study, rater, tasks), start=2):
        for column, text in enumerate(cells, start=1):
            _put(sheet, last, column, text).alignment = Alignment(wrap_text=True, vertical="top")
        asked = {criterion.key for criterion in study.asked_in(task.scenario, task.item)}
        for column, criterion in enumerate(criteria, start=len(FIXED) + 1):
            if criterion.key not in asked or criterion.once_per_task != (place is None):
                sheet.cell(last, column).fill = grey
            elif judgement := known.get((task.pk, criterion.key, place)):
                cannot = judgement.cannot_judge
                if cannot or judgement.value is not None:
                    words = CANNOT if cannot else spelled(criterion, judgement.value, len(task.systems))
                    _put(sheet, last, column, words)
    sheet.freeze_panes = sheet.cell(2, len(FIXED) + 1)
    _add_drop_downs(sheet, criteria, ranges, last)


def _rows(study: LoadedStudy, rater: Rater, tasks: Sequence[Task]) -> Iterator[tuple[Task, int | None, list[Any]]]:
    """A row for each text that is judged, and one where texts are compared."""
    page = WorkPage(study, rater.group)
    for task, screen in zip(tasks, page.screens(tasks), strict=True):
        rows = page.contexts[screen["context"]]
        shown = rows if screen["row"] is None else [rows[screen["row"]]]
        item = study.study.item_by_id.get(task.item)
        common = [task.pk, task.scenario, task.document, item.segment if item else ""]
        for place in range(screen["places"]):
            output = " ".join(row["targets"][place] for row in shown)
            texts = [" ".join(row[side] for row in shown) for side in ("source", "reference")]
            letter = "ABCDEFGHIJ"[place]
            yield task, place, [common[0], letter, *common[1:], *texts, output]
        if any(criterion.once_per_task for criterion in study.asked_in(task.scenario, task.item)):
            yield task, None, [common[0], COMPARED, *common[1:], "", "", ""]


def _add_drop_downs(sheet: Any, criteria: Sequence[CriterionSettings], ranges: dict[str, str], last: int) -> None:
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    for column, criterion in enumerate(criteria, start=len(FIXED) + 1):
        if criterion.kind in ("post_edit", "ranking", "slider", "number"):
            continue
        strict = not (criterion.several or criterion.repeated)
        rule = DataValidation(type="list", formula1=ranges[criterion.key], allow_blank=True, showErrorMessage=strict)
        rule.error = "Choose one of the answers of the list."
        rule.promptTitle = criterion.key
        rule.prompt = (criterion.question if strict else f"{criterion.question} Several: a; b")[:250]
        rule.showInputMessage = True
        letter = get_column_letter(column)
        rule.add(f"{letter}2:{letter}{max(2, last)}")
        sheet.add_data_validation(rule)
