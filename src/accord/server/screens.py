"""What a rater's browser is told: texts, questions and places, never the name of a system."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import get_language

from accord.design.items import Item
from accord.design.study import CriterionSettings, Group, Scenario
from accord.server.models import Task
from accord.server.study import PRACTICE, LoadedStudy, current, practice_number
from accord.server.validation import Shown

__all__ = ["WorkPage", "describe_criterion", "shown_texts", "spoken"]

Json = dict[str, Any]


def shown_texts(study: LoadedStudy, task: Task, place: int) -> Shown:
    """The texts of one place of a task by side, against which marks are checked."""
    if task.scenario == PRACTICE:
        practice = study.settings.practice[practice_number(task.item)]
        return {"source": practice.source, "target": practice.target}
    if not task.item:
        return {}
    item = study.study.item_by_id[task.item]
    return {"source": item.source, "target": _targets(item, task)[place]}


def _targets(item: Item, task: Task) -> list[str]:
    return task.texts or [item.outputs.get(system, "") for system in task.systems]


def spoken(text: str) -> str:
    """A text of the study in the reader's language, where the study has it."""
    return current().settings.spoken(text, get_language() or "")


def describe_criterion(criterion: CriterionSettings) -> Json:
    """A criterion as the page needs it, in the reader's language."""
    return {
        "key": criterion.key, "question": spoken(criterion.question), "kind": criterion.kind,
        "values": list(criterion.values), "labels": [spoken(label) for label in criterion.labels], "low": criterion.low,
        "high": criterion.high, "lowLabel": spoken(criterion.low_label), "highLabel": spoken(criterion.high_label),
        "anchors": {at: spoken(words) for at, words in criterion.anchors.items()},
        "several": criterion.several, "repeated": criterion.repeated,
        "noneLabel": spoken(criterion.none_label), "sides": list(criterion.sides), "omissions": criterion.omissions,
        "severities": [{"key": s.key, "label": spoken(s.label)} for s in criterion.severities],
        "maxSpans": criterion.max_spans, "ties": criterion.ties, "required": criterion.required,
        "help": spoken(criterion.help), "definition": spoken(criterion.definition), "unit": spoken(criterion.unit),
        "best": best_value(criterion),
    }  # fmt: skip


def best_value(criterion: CriterionSettings) -> str:
    """The best answer, where raters could take the wrong end for it: ranks, and numbers without words."""
    if criterion.kind == "ranking":
        return "1"
    numbers = [value for value in criterion.values if not isinstance(value, str)]
    if criterion.kind != "scale" or criterion.labels or criterion.best is None or not numbers:
        return ""
    return f"{max(numbers) if criterion.best == 'high' else min(numbers):g}"


class WorkPage:
    """Collects the screens of one rater; a document shown on many screens is sent once."""

    def __init__(self, study: LoadedStudy, group: str) -> None:
        self.study = study
        self.group = next((g for g in study.settings.groups if g.key == group), None)
        self.contexts: list[list[Json]] = []
        self.families: list[list[int | None]] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self._families: dict[tuple[Any, ...], int] = {}

    def screens(self, tasks: Sequence[Task]) -> list[Json]:
        """One for each task, in order, each with the tasks of its sibling segments."""
        siblings: dict[tuple[Any, ...], dict[str, int]] = {}
        for task in tasks:
            if task.item and task.scenario != PRACTICE and not task.texts:
                siblings.setdefault(_family(task), {})[task.item] = task.pk
        return [self._screen(task, siblings) for task in tasks]

    def _screen(self, task: Task, siblings: Mapping[tuple[Any, ...], Mapping[str, int]]) -> Json:
        criteria = [criterion.key for criterion in self.study.asked_in(task.scenario, task.item)]
        screen: Json = {
            "id": task.pk, "scenario": task.scenario, "criteria": criteria,
            "places": max(1, len(task.systems)), "isDocumentPart": False,
        }  # fmt: skip
        if task.scenario == PRACTICE:
            return screen | self._practice(task)
        scenario = self.study.scenarios[task.scenario]
        whole = scenario.kind == "document" or not task.item
        if not whole and scenario.kind == "random-sentence":
            item = self.study.study.item_by_id[task.item]
            return screen | {"context": self._context(scenario, task, (item,), task.item), "row": 0}
        items = self.study.study.documents[task.document]
        row = None if whole else self.study.rows[task.document][task.item]
        screen |= {"context": self._context(scenario, task, items, task.document), "row": row, "isDocumentPart": True}
        if row is not None:
            screen["family"] = self._family(_family(task), items, siblings)
        if task.texts:
            screen["targets"] = task.texts
        return screen

    def _family(
        self, name: tuple[Any, ...], items: Sequence[Item], siblings: Mapping[tuple[Any, ...], Mapping[str, int]]
    ) -> int:
        """The tasks of a document's segments in order, sent once however many segments there are."""
        if name not in self._families:
            self._families[name] = len(self.families)
            known = siblings.get(name, {})
            self.families.append([known.get(item.id) for item in items])
        return self._families[name]

    def _practice(self, task: Task) -> Json:
        practice = self.study.settings.practice[practice_number(task.item)]
        self.contexts.append([{
            "source": practice.source, "reference": practice.reference, "postEdit": "", "targets": [practice.target],
        }])  # fmt: skip
        feedback = {"expected": list(practice.expected), "feedback": spoken(practice.feedback)}
        return {"context": len(self.contexts) - 1, "row": 0, "places": 1, "practice": feedback}

    def _context(self, scenario: Scenario, task: Task, items: Iterable[Item], name: str) -> int:
        key = (scenario.key, name, *task.systems, *(task.texts if scenario.kind == "random-sentence" else ()))
        if key not in self._known:
            self._known[key] = len(self.contexts)
            own = task.texts if scenario.kind == "random-sentence" else []
            self.contexts.append([self._row(scenario, self.group, item, task, own) for item in items])
        return self._known[key]

    def _row(self, scenario: Scenario, group: Group | None, item: Item, task: Task, texts: Sequence[str]) -> Json:
        show = group.show if group and group.show is not None else scenario.show
        reference = (group.reference if group else None) or scenario.reference
        return {
            "source": item.source if "source" in show else "",
            "reference": item.reference(reference) if "reference" in show else "",
            "postEdit": item.post_edit if "post_edit" in show else "",
            "targets": list(texts) or [item.outputs.get(system, "") for system in task.systems],
        }


def _family(task: Task) -> tuple[Any, ...]:
    return (task.scenario, task.phase, task.document, task.role, task.occasion, *task.systems)
