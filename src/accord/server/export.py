"""Tables out of the database: ratings in the contract's columns, judgements with history, answers, times."""

import hashlib
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Max, Min, Sum

from accord.server.models import Judgement, QuestionnaireAnswer, Rater, Remark, Task
from accord.server.progress import current_judgements
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, LoadedStudy, current
from accord.server.values import rated_value
from accord.tables.csv_lines import csv_writer

__all__ = ["TABLES", "csv_lines", "judgement_rows", "questionnaire_rows", "rating_rows", "system_names", "timing_rows"]

Row = Mapping[str, Any]
_SUFFIX = {"degraded": "#bad", "reference": "#ref", "attention": "#attention"}
RATING_COLUMNS = (
    "item", "rater", "value", "criterion", "system", "document", "segment", "scenario", "condition", "group", "phase",
    "occasion", "role", "batch", "time_s", "comment", "order",
)  # fmt: skip


def system_names(study: LoadedStudy, *, named: bool = False) -> dict[str, str]:
    """What exports call each system: a code in an order that says nothing, or its own name if asked."""
    systems = study.study.systems
    if named:
        return {system: system for system in systems}
    mixed = sorted(systems, key=lambda s: hashlib.sha256(f"{study.settings.seed}\x1f{s}".encode()).digest())
    return {system: f"system-{number}" for number, system in enumerate(mixed, start=1)}


def rating_rows(*, named: bool = False) -> Iterator[Row]:
    """One row for each question a rater settled; 'cannot judge' and an empty answer have an empty value."""
    study = current()
    names = system_names(study, named=named)
    comments = _comments()
    for tasks in _rater_by_rater():
        seconds = _seconds([task.pk for task in tasks])
        by_key = {task.pk: task for task in tasks}
        for (key, criterion, place), judgement in sorted(_current(tasks), key=lambda pair: _order(by_key, study, pair)):
            task = by_key[key]
            common = _common(study, task) | {
                "criterion": criterion,
                "time_s": seconds[key, criterion, place],
                "comment": comments.get(key, ""),
            }
            yield from _rated(study, names, task, judgement, common)


def _rater_by_rater() -> Iterator[list[Task]]:
    """A rater at a time, so that memory stays flat however many judgements there are."""
    for rater in Rater.objects.all():
        yield list(rater.tasks.exclude(role=PRACTICE).select_related("rater").order_by("order"))


def _current(tasks: Sequence[Task]) -> Iterable[tuple[tuple[int, str, int | None], Judgement]]:
    return current_judgements([task.pk for task in tasks]).items()


def _order(tasks: Mapping[int, Task], study: LoadedStudy, pair: Any) -> tuple[int, int, int]:
    (key, criterion, place), _ = pair
    return tasks[key].order, list(study.criteria).index(criterion), -1 if place is None else place


def _common(study: LoadedStudy, task: Task) -> dict[str, Any]:
    item = study.study.item_by_id.get(task.item)
    return {
        "item": task.item or task.document, "rater": task.rater.pseudonym, "document": task.document,
        "segment": item.segment if item else "", "scenario": task.scenario, "condition": task.condition,
        "group": task.rater.group, "phase": task.phase, "occasion": task.occasion, "role": task.role,
        "batch": task.batch, "order": task.order, "system": "",
    }  # fmt: skip


def _rated(study: LoadedStudy, names: Mapping[str, str], task: Task, row: Judgement, common: Row) -> Iterator[Row]:
    criterion = study.criteria[row.criterion]
    shown = [names.get(system, system) for system in task.systems]
    if criterion.kind == "ranking":
        for place, rank in enumerate(row.value or [""] * len(shown)):
            yield _of_system(task, place, shown[place], common) | {"value": rank}
        return
    if row.place is None or not shown:
        common = {**common, "item": _compared(study, task, shown) + _SUFFIX.get(task.role, "")}
    else:
        common = _of_system(task, row.place, shown[row.place], common)
    if row.value is None:
        yield {**common, "value": ""}
        return
    original = ""
    if criterion.kind == "post_edit":
        original = shown_texts(study, task, row.place or 0).get("target", "")
    yield {**common, "value": rated_value(criterion, row.value, shown, original)}


def _of_system(task: Task, place: int, name: str, common: Row) -> dict[str, Any]:
    """The thing that is rated is the item as this system rendered it; a spoilt copy is another item."""
    is_untouched = bool(task.altered) and task.systems[place] != task.altered
    role = "system" if is_untouched else task.role
    return {**common, "item": f"{common['item']}:{name}{_SUFFIX.get(task.role, '')}", "system": name, "role": role}


def _compared(study: LoadedStudy, task: Task, shown: Sequence[str]) -> str:
    """In a comparison the item, and who met where not all systems did."""
    item = task.item or task.document
    return item if len(shown) in (0, len(study.study.systems)) else f"{item}:{'~'.join(sorted(shown))}"


def _seconds(tasks: Sequence[int]) -> Mapping[tuple[int, str, int | None], float]:
    """All time spent on a question, corrections included."""
    rows = Judgement.objects.filter(task__in=tasks).values_list("task", "criterion", "place").annotate(Sum("seconds"))
    found: dict[tuple[int, str, int | None], float] = defaultdict(float)
    for task, criterion, place, total in rows.order_by():
        found[task, criterion, place] = round(total, 2)
    return found


def _comments() -> dict[int, str]:
    rows = Remark.objects.exclude(task=None).order_by("revision", "id").values_list("task", "about", "text")
    last = {(task, about): text for task, about, text in rows}
    merged: dict[int, list[str]] = defaultdict(list)
    for (task, _), text in sorted(last.items()):
        if text:
            merged[task].append(text)
    return {task: " / ".join(texts) for task, texts in merged.items()}


def judgement_rows(*, named: bool = False) -> Iterator[Row]:
    """Every judgement ever made, practice included, with what replaced it."""
    study = current()
    names = system_names(study, named=named)
    rows = Judgement.objects.select_related("task__rater", "guideline").order_by("id")
    newest: dict[tuple[int, str, int | None], tuple[int, int, str]] = {}
    for key in rows.values_list("task", "criterion", "place", "revision", "id", "uuid").iterator():
        question, rank = (key[0], key[1], key[2]), (key[3], key[4], str(key[5]))
        newest[question] = max(newest.get(question, rank), rank)
    for row in rows.iterator(chunk_size=2000):
        last = newest[row.task_id, row.criterion, row.place][2]
        shown = [names.get(system, system) for system in row.task.systems]
        yield _common(study, row.task) | {
            "uuid": str(row.uuid), "criterion": row.criterion, "revision": row.revision,
            "system": shown[row.place] if row.place is not None and shown else "", "systems_shown": "|".join(shown),
            "value": json.dumps(row.value, ensure_ascii=False), "cannot_judge": row.cannot_judge,
            "superseded_by": "" if last == str(row.uuid) else last, "time_s": round(row.seconds, 2),
            "guideline": row.guideline.number, "made_at": row.made_at.isoformat(),
            "received_at": row.received_at.isoformat(),
        }  # fmt: skip


def questionnaire_rows(*, named: bool = False) -> Iterator[Row]:
    """The last answer of each rater to each question."""
    rows = QuestionnaireAnswer.objects.select_related("rater").order_by("revision", "id")
    last = {(row.rater_id, row.scenario, row.question): row for row in rows}
    for _, row in sorted(last.items()):
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
            "time_s": round(task.seconds, 2), "saves": task.saves,
            "first_saved": task.first.isoformat(), "last_saved": task.last.isoformat(),
        }  # fmt: skip


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

    def __init__(self, columns: Sequence[str], rows: Callable[..., Iterator[Row]]) -> None:
        self.columns = columns
        self.rows = rows

    def __call__(self, *, named: bool = False) -> tuple[Sequence[str], Iterator[Row]]:
        return self.columns, self.rows(named=named)


TABLES = {
    "ratings": ExportedTable(RATING_COLUMNS, rating_rows),
    "judgements": ExportedTable(_JUDGEMENT_COLUMNS, judgement_rows),
    "questionnaire": ExportedTable(("rater", "group", "scenario", "question", "value"), questionnaire_rows),
    "timings": ExportedTable(_TIMING_COLUMNS, timing_rows),
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
