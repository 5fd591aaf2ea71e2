"""Tables out of the database: ratings in the contract's columns, judgements with history, answers, times."""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import Count, Max, Min, Sum
from django.http import HttpResponse

from accord.errors import OperationError
from accord.ratings.codebook import Codebook
from accord.ratings.collected import collected_columns, column_names
from accord.ratings.data_package import PACKAGE_NAME, package_text, write_codebook
from accord.ratings.questionnaire import ABOUT_RATER, QUESTIONNAIRE_COLUMNS
from accord.ratings.study_codebook import system_names
from accord.server.collected_rows import fetch_rows, judges_now
from accord.server.models import Judgement, QuestionnaireAnswer, Task
from accord.server.models_organiser import Again
from accord.server.one_moment import one_moment
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.suggestions import SUGGESTION_COLUMNS, suggestion_rows
from accord.server.taken_back import Question
from accord.tables.csv_lines import csv_writer

__all__ = [
    "TABLES", "codebook_of_table", "csv_lines", "judgement_rows", "lines_of_one_moment", "questionnaire_rows",
    "rating_rows", "timing_rows", "write_table", "write_zip", "zip_of",
]  # fmt: skip

Row = Mapping[str, Any]


def rating_columns() -> Sequence[str]:
    """The columns of the contract, the user's own, and the texts."""
    return column_names(current().study, kinds=bool(judges_now()))


def rating_rows(*, named: bool = False) -> Iterator[Row]:
    """One row for each question a rater settled; 'cannot judge' and an empty answer have an empty value."""
    columns = collected_columns(current().study, fetch_rows(), named=named)
    for cells in zip(*columns.values(), strict=True):
        yield dict(zip(columns, cells, strict=True))


def _common(study: LoadedStudy, task: Task) -> dict[str, Any]:
    item = study.study.item_by_id.get(task.item)
    return {
        "item": task.item or task.document, "rater": task.rater.pseudonym, "document": task.document,
        "segment": item.segment if item else "", "scenario": task.scenario, "condition": task.condition,
        "group": task.rater.group, "phase": task.phase, "occasion": task.occasion, "role": task.role,
        "batch": task.batch, "order": task.order, "system": "",
    }  # fmt: skip


def judgement_rows(*, named: bool = False) -> Iterator[Row]:
    """Every judgement ever made, practice included, with what replaced it."""
    study = current()
    names = system_names(study.study, named=named)
    rows = Judgement.objects.select_related("task__rater", "guideline").order_by("id")
    newest: dict[Question, tuple[int, int, str]] = {}
    for key in rows.values_list("task", "criterion", "place", "revision", "id", "uuid").iterator():
        question, rank = (key[0], key[1], key[2]), (key[3], key[4], str(key[5]))
        newest[question] = max(newest.get(question, rank), rank)
    again = _given_again(newest)
    for row in rows.iterator(chunk_size=2000):
        question = (row.task_id, row.criterion, row.place)
        last = again.get(question) or newest[question][2]
        shown = [names.get(system, system) for system in row.task.systems]
        yield _common(study, row.task) | {
            "uuid": str(row.uuid), "criterion": row.criterion, "revision": row.revision,
            "system": shown[row.place] if row.place is not None and shown else "", "systems_shown": "|".join(shown),
            "value": json.dumps(row.value, ensure_ascii=False), "cannot_judge": row.cannot_judge,
            "superseded_by": "" if last == str(row.uuid) else last, "time_s": round(row.seconds, 2),
            "guideline": row.guideline.number, "made_at": row.made_at.isoformat(),
            "received_at": row.received_at.isoformat(),
        }  # fmt: skip


def _given_again(newest: Mapping[Question, tuple[int, int, str]]) -> dict[Question, str]:
    """What counts instead of an answer whose screen an organiser let the rater judge again, once that has begun."""
    begun = Again.objects.filter(round=None, task__judgements__isnull=False)
    following = dict(begun.values_list("original", "task"))
    of_screen = {task: rank[2] for (task, _, _), rank in newest.items()}
    found = {}
    for task, criterion, place in newest if following else ():
        later = task
        while later in following:
            later = following[later]
        if later != task:
            same = newest.get((later, criterion, place))
            found[task, criterion, place] = same[2] if same else of_screen[later]
    return found


def questionnaire_rows(*, named: bool = False) -> Iterator[Row]:
    """The last answer of each rater to each question about the work."""
    return (row for row in _answers() if row["scenario"] != ABOUT_RATER)


def background_rows(*, named: bool = False) -> Iterator[Row]:
    """What raters said about themselves."""
    return (row for row in _answers() if row["scenario"] == ABOUT_RATER)


def _answers() -> Iterator[Row]:
    rows = QuestionnaireAnswer.objects.select_related("rater").order_by("revision", "id")
    last = {(row.rater_id, row.scenario, row.question): row for row in rows}
    for _, row in sorted(last.items()):
        if row.value is None:
            continue  # taken back
        yield {
            "rater": row.rater.pseudonym, "group": row.rater.group, "scenario": row.scenario,
            "question": row.question, "value": row.value,
        }  # fmt: skip


def timing_rows(*, named: bool = False) -> Iterator[Row]:
    """Focused seconds of each task, with the first and last save."""
    study = current()
    summed: Any = Task.objects.exclude(role=PRACTICE).select_related("rater").order_by("rater__slot", "order").annotate(
        seconds=Sum("judgements__seconds"), saves=Count("judgements"),
        first=Min("judgements__received_at"), last=Max("judgements__received_at"),
    )  # fmt: skip
    for task in summed.filter(saves__gt=0).iterator(chunk_size=2000):
        common = _common(study, task)
        yield {name: common[name] for name in ("item", "rater", "group", "document", "scenario", "phase", "order")} | {
            "time_s": round(task.seconds, 2),
            "saves": task.saves,
            "first_saved": task.first.isoformat(),
            "last_saved": task.last.isoformat(),
        }


_JUDGEMENT_COLUMNS = (
    "uuid", "rater", "item", "criterion", "system", "value", "cannot_judge", "revision", "superseded_by", "document",
    "segment", "scenario", "condition", "group", "phase", "occasion", "role", "batch", "order", "systems_shown",
    "time_s", "guideline", "made_at", "received_at",
)  # fmt: skip
_TIMING_COLUMNS = (
    "rater", "group", "order", "scenario", "phase", "document", "item", "time_s", "saves", "first_saved", "last_saved",
)  # fmt: skip


class ExportedTable:
    """A table with its columns and the function that makes its rows."""

    def __init__(self, columns: Callable[[], Sequence[str]], rows: Callable[..., Iterator[Row]]) -> None:
        self.columns = columns
        self.rows = rows

    def __call__(self, *, named: bool = False) -> tuple[Sequence[str], Iterator[Row]]:
        return self.columns(), self.rows(named=named)


TABLES = {
    "ratings": ExportedTable(rating_columns, rating_rows),
    "judgements": ExportedTable(lambda: _JUDGEMENT_COLUMNS, judgement_rows),
    "questionnaire": ExportedTable(lambda: QUESTIONNAIRE_COLUMNS, questionnaire_rows),
    "background": ExportedTable(lambda: ("rater", "group", "question", "value"), background_rows),
    "timings": ExportedTable(lambda: _TIMING_COLUMNS, timing_rows),
    "suggestions": ExportedTable(lambda: SUGGESTION_COLUMNS, suggestion_rows),
}


def csv_lines(table: tuple[Sequence[str], Iterable[Row]]) -> Iterator[str]:
    """CSV, a line at a time."""
    columns, rows = table
    buffer = io.StringIO()
    writer = csv_writer(buffer)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([row.get(column, "") for column in columns])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    if rest := buffer.getvalue():
        yield rest


def lines_of_one_moment(table: Callable[[], tuple[Sequence[str], Iterable[Row]]]) -> Iterator[str]:
    """The same, of a table that is read while the lines are: all of it as it stood when the first was asked for."""
    with one_moment():
        yield from csv_lines(table())


@one_moment()
def write_table(name: str, output: Path, *, named: bool = False) -> Path:
    """Write a table as CSV, and what it means into the Data Package beside it, whose path is returned."""
    columns, rows = TABLES[name](named=named)
    partial = output.with_name(f"{output.name}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="") as file:
            file.writelines(csv_lines((columns, rows)))
        partial.replace(output)
    except OSError as error:
        raise OperationError(f"{output}: cannot be written ({error.strerror}).") from None
    finally:
        partial.unlink(missing_ok=True)
    return write_codebook(codebook_of_table(name, named=named), output, columns)


def write_zip(
    target: Path | io.BytesIO, name: str, content: bytes, columns: Sequence[str], codebook: Codebook | None
) -> None:
    """The table and what it means, each named after the table: several exports can lie in one folder."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}.csv", content)
        archive.writestr(f"{name}.csv.{PACKAGE_NAME}", package_text(codebook, f"{name}.csv", content, columns))


def zip_of(name: str, table: tuple[Sequence[str], Iterable[Row]], codebook: Codebook | None) -> HttpResponse:
    """A table as CSV together with its Data Package, in one file that a browser keeps together.

    Called where it is one moment: codebook and rows are read one after the other.
    """
    buffer = io.BytesIO()
    write_zip(buffer, name, "".join(csv_lines(table)).encode("utf-8"), table[0], codebook)
    response = HttpResponse(buffer.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    return response


def codebook_of_table(name: str, *, named: bool = False) -> Codebook | None:
    """What the ratings mean; other tables have no codebook."""
    from accord.server.organiser.ratings import whole_codebook

    return whole_codebook(named=named) if name == "ratings" else None
