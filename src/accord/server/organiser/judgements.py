"""Everything said about one item: each judgement with its history, text, comments, times and guideline version."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from accord.ratings.study_codebook import system_names
from accord.records import dataclass
from accord.server.collected_rows import replaced_tasks
from accord.server.models import Judgement, Remark, Task
from accord.server.organiser.ratings import left_out_now
from accord.server.screens import shown_texts
from accord.server.study import PRACTICE, LoadedStudy
from accord.words import spelled

__all__ = [
    "SUFFIXES",
    "ItemName",
    "Said",
    "ShownText",
    "item_of",
    "main_turn",
    "said_about",
    "shortened",
    "shown_value",
    "texts_of",
    "told_answer",
]

SUFFIXES = {"degraded": "#bad", "reference": "#ref", "attention": "#attention"}
"""How the names of control items end, by their role."""


_IN_A_LIST = 170
"""Characters of a text that are shown among others."""


@dataclass(frozen=True, slots=True)
class ItemName:
    """What the name of a rated item stands for: an item or document, a system by its code, and a control role."""

    name: str
    item: str
    code: str
    role: str


@dataclass(frozen=True, slots=True)
class ShownText:
    """A segment of the document around the item, as raters saw it."""

    segment: str
    source: str
    target: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class Said:
    """One judgement on the item, and whether it counts."""

    key: int
    rater: str
    criterion: str
    value: str
    cannot: bool
    counts: bool
    excluded: bool
    revision: int
    seconds: float
    guideline: int
    phase: str
    occasion: int
    made_at: datetime
    comments: tuple[str, ...]
    task: int
    scenario: str
    raw: Any
    """The answer as the page sent it."""
    texts: Mapping[str, str]
    """The texts that were marked, by side; empty where nothing is marked."""

    @property
    def turn(self) -> tuple[str, str]:
        """The phase or round and the version: answers of two turns are not compared."""
        return self.phase, str(self.guideline)


def main_turn(said: Sequence[Said]) -> list[Said]:
    """What counts of the turn with most raters, the newest of them: what is said of a text is said of that one."""
    turns: dict[tuple[str, str], list[Said]] = {}
    for one in said:
        if one.counts and not one.excluded and one.occasion == 1:
            turns.setdefault(one.turn, []).append(one)
    return max(
        turns.values(),
        key=lambda own: (len({one.rater for one in own}), max(one.made_at for one in own)),
        default=[],
    )


def item_of(study: LoadedStudy, name: str) -> ItemName | None:
    """Take the name of a rated item apart; None if the study has no such item."""
    role = next((role for role, suffix in SUFFIXES.items() if name.endswith(suffix)), "")
    bare = name.removesuffix(SUFFIXES.get(role, ""))
    for base, code in ((bare, ""), bare.rpartition(":")[::2]):
        if base in study.study.item_by_id or base in study.study.documents:
            return ItemName(name, base, code, role)
    return None


def _tasks(study: LoadedStudy, item: ItemName) -> list[tuple[Task, int | None]]:
    """Tasks that showed it, each with the place of its system; all places where no system is named."""
    field = "item" if item.item in study.study.item_by_id else "document"
    tasks = Task.objects.filter(**{field: item.item}).exclude(role=PRACTICE).select_related("rater")
    if field == "document":
        tasks = tasks.filter(item="")
    names = system_names(study.study)
    found: list[tuple[Task, int | None]] = []
    for task in tasks:
        if item.role and task.role != item.role:
            continue
        if not item.role and task.role in SUFFIXES:
            continue
        codes = [names.get(system, system) for system in task.systems]
        if item.code in codes:
            found.append((task, codes.index(item.code)))
        elif not item.code or "~" in item.code:
            found.append((task, None))
    return found


def said_about(study: LoadedStudy, item: ItemName) -> list[Said]:
    """Every judgement, the newest of each question marked as the one that counts, unless it was taken back.

    Of a screen that was done again, because its rater was asked to, the new answers count.
    """
    places = {task.pk: (task, place) for task, place in _tasks(study, item)}
    replaced = replaced_tasks()
    rows = Judgement.objects.filter(task__in=places).select_related("guideline").order_by("criterion", "task", "id")
    kept = [row for row in rows if row.place is None or places[row.task_id][1] in (None, row.place)]
    newest: dict[tuple[int, str, int | None], tuple[int, int]] = {}
    for row in kept:
        question = (row.task_id, row.criterion, row.place)
        newest[question] = max(newest.get(question, (0, 0)), (row.revision, row.pk))
    comments = _comments(list(places))
    excluded = left_out_now()
    return [
        Said(
            key=row.pk,
            rater=(task := places[row.task_id][0]).rater.pseudonym,
            criterion=row.criterion,
            value=told_answer(study, row, task),
            cannot=row.cannot_judge,
            counts=newest[row.task_id, row.criterion, row.place] == (row.revision, row.pk)
            and row.task_id not in replaced
            and not _is_taken_back(study, row),
            excluded=task.rater.pseudonym in excluded,
            revision=row.revision,
            seconds=row.seconds,
            guideline=row.guideline.number,
            phase=task.phase,
            occasion=task.occasion,
            made_at=row.made_at,
            comments=tuple(comments[row.task_id]),
            task=task.pk,
            scenario=task.scenario,
            raw=row.value,
            texts=shown_texts(study, task, row.place or 0) if study.criteria[row.criterion].kind == "spans" else {},
        )
        for row in kept
    ]


def _is_taken_back(study: LoadedStudy, row: Judgement) -> bool:
    """Whether the rater took the answer back: an empty one where one must be given."""
    return row.value is None and not row.cannot_judge and study.criteria[row.criterion].required


def told_answer(study: LoadedStudy, row: Judgement, task: Task) -> str:
    """The answer in words; a choice between texts by the code of the system that was chosen, not by its place."""
    chosen = row.value
    if study.criteria[row.criterion].kind == "pairwise" and isinstance(chosen, int) and chosen < len(task.systems):
        return str(system_names(study.study).get(task.systems[chosen], task.systems[chosen]))
    return shown_value(study, row.criterion, row.value)


def _comments(tasks: list[int]) -> Mapping[int, list[str]]:
    last: dict[tuple[int, str], str] = {}
    for task, about, text in (
        Remark.objects.filter(task__in=tasks).order_by("revision", "id").values_list("task", "about", "text")
    ):
        last[task, about] = text
    found: dict[int, list[str]] = defaultdict(list)
    for (task, _), text in last.items():
        if text:
            found[task].append(text)
    return found


def shown_value(study: LoadedStudy, criterion: str, value: Any) -> str:
    """An answer in words: a label beside its value, marks counted by severity."""
    asked = study.criteria[criterion]
    if value is None:
        return ""
    if asked.kind == "scale" and value in asked.values and asked.labels:
        words = asked.labels[asked.values.index(value)]
        return spelled(value) if words == str(value) else f"{value} – {words}"
    if asked.kind == "spans":
        counts: dict[str, int] = defaultdict(int)
        for mark in value:
            counts[mark.get("severity") or "mark"] += 1
        return ", ".join(f"{count} {name}" for name, count in counts.items()) or "no errors"
    return spelled(value)


def shortened(text: str, most: int = _IN_A_LIST) -> str:
    """A text as it stands in a list, cut at a word; the page of the item has it all."""
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[:most].rsplit(' ', 1)[0]} …"


def texts_of(study: LoadedStudy, item: ItemName) -> list[ShownText]:
    """The item in its document, in the rendering that was rated."""
    known = study.study.item_by_id.get(item.item)
    systems = {code: system for system, code in system_names(study.study).items()}
    system = systems.get(item.code, "")
    spoilt = (
        next((task.texts[place or 0] for task, place in _tasks(study, item) if task.texts), "") if item.role else ""
    )
    segments = study.study.documents[known.document if known else item.item]

    def target(outputs: Mapping[str, str], here: bool) -> str:
        if here and spoilt:
            return spoilt
        return outputs.get(system, "") if system else "\n".join(outputs.values())

    return [
        ShownText(one.segment, one.source, target(one.outputs, one is known), one is known or known is None)
        for one in segments
    ]
