"""What a rater's browser is told: texts, questions and places, never the name of a system."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import get_language

from accord.design.items import Item
from accord.design.known_answers import right_between
from accord.design.study import NO_ERROR, CriterionSettings, Practice, Scenario
from accord.server.models import Task
from accord.server.study import PRACTICE, LoadedStudy, current, practice_number
from accord.server.validation import Shown

__all__ = ["WorkPage", "describe_criterion", "prefilled_marks", "shown_texts", "spoken"]

Json = dict[str, Any]


def shown_texts(study: LoadedStudy, task: Task, place: int) -> Shown:
    """The texts of one place of a task by side, against which marks are checked."""
    if task.scenario == PRACTICE:
        practice = study.settings.practice[practice_number(task.item)]
        return {"source": practice.source, "target": practice.target}
    if not task.item:
        return {}
    item = study.study.item_by_id[task.item]
    return {"source": item.source, "target": (task.texts or _outputs(item, task))[place]}


def prefilled_marks(study: LoadedStudy, task: Task, criterion: str) -> list[Json]:
    """The marks that stand in the text of a task beforehand; in a spoilt text those around what was spoilt."""
    if not task.item or len(task.systems) != 1 or task.scenario == PRACTICE:
        return []
    marks = study.study.prefilled.get((criterion, task.item, task.systems[0]), ())
    original = study.study.item_by_id[task.item].outputs.get(task.systems[0], "")
    return [dict(moved) for mark in marks if (moved := _moved(mark, original, (task.texts or [original])[0]))]


def _moved(mark: Mapping[str, Any], original: str, shown: str) -> Mapping[str, Any] | None:
    """The mark where its words stand in the text that is shown; None where they do not."""
    start, end = mark["start"], mark["end"]
    if mark["side"] == "source" or original[:end] == shown[:end]:
        return mark
    if original[start:] == shown[len(shown) - len(original) + start :]:
        by = len(shown) - len(original)
        return {**mark, "start": start + by, "end": end + by}
    return None


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
        "severities": _severities(criterion),
        "maxSpans": criterion.max_spans, "ties": criterion.ties, "required": criterion.required,
        "help": spoken(criterion.help), "definition": spoken(criterion.definition), "unit": spoken(criterion.unit),
        "best": best_value(criterion), "consult": None if criterion.consult is None else list(criterion.consult),
    }  # fmt: skip


def _severities(criterion: CriterionSettings) -> list[Json]:
    """From the lightest to the gravest, each with the ground it is marked by: weight decides, not the order written."""
    ordered = sorted(criterion.severities, key=lambda severity: severity.weight)
    costly = [severity for severity in ordered if severity.weight > 0]
    grounds = {severity.key: "major" for severity in costly[1:]} | {costly[0].key: "minor"} if costly else {}
    if len(costly) > 2:
        grounds[costly[-1].key] = "critical"
    return [
        {"key": severity.key, "label": spoken(severity.label), "ground": grounds.get(severity.key, "neutral")}
        for severity in ordered
    ]


def describe_practice(practice: Practice, criterion: CriterionSettings) -> Json:
    """What was expected of a practice item, and what is said about it."""
    marks = None
    if practice.marks is not None:
        marks = [
            {"side": mark.side, "start": start, "end": start + len(mark.text), "text": mark.text,
             "severity": mark.severity, "category": mark.category}
            for mark in practice.marks
            for start in [practice.text_of(mark.side).find(mark.text)]
        ]  # fmt: skip
    expected = [answer for answer in practice.expected if answer != NO_ERROR]
    if expected and criterion.kind in ("slider", "number"):
        numbers = [float(answer) for answer in expected]
        expected = [
            int(end) if end.is_integer() else end
            for end in right_between(numbers, criterion.kind, criterion.low, criterion.high)
        ]
    return {
        "expected": expected if practice.expected else None, "marks": marks, "feedback": spoken(practice.feedback),
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
    """Collects the screens of one rater.

    Nothing in it may tell a check from ordinary work: every stretch of tasks on one document has texts of its own, so
    that neither a second look at a text nor a text that was spoilt leads back to the first one.
    """

    def __init__(self, study: LoadedStudy, group: str) -> None:
        self.study = study
        self.group = next((g for g in study.settings.groups if g.key == group), None)
        self.contexts: list[list[Json]] = []
        self.families: list[list[int | None]] = []

    def screens(self, tasks: Sequence[Task]) -> list[Json]:
        """One for each task, in order; tasks on one document that follow each other share its texts."""
        made: list[Json] = []
        for _, stretch in groupby(tasks, key=_stretch):
            together = list(stretch)
            if together[0].scenario == PRACTICE:
                made += [self._screen(task) | self._practice(task) for task in together]
            else:
                made += self._stretch(together)
        return made

    def _screen(self, task: Task) -> Json:
        criteria = [criterion.key for criterion in self.study.asked_in(task.scenario, task.item)]
        places = max(1, len(task.systems))
        layout = self.study.settings.layout_of(task.scenario)
        screen = {"id": task.pk, "scenario": task.scenario, "criteria": criteria, "places": places, "layout": layout}
        if self.study.study.prefilled:  # every screen has the field then, or those without would be told apart
            screen["prefilled"] = {key: prefilled_marks(self.study, task, key) for key in criteria}
        return screen

    def _stretch(self, tasks: Sequence[Task]) -> list[Json]:
        first = tasks[0]
        scenario = self.study.scenarios[first.scenario]
        is_alone = bool(first.item) and scenario.kind == "random-sentence"
        item_by_id = self.study.study.item_by_id
        items = [item_by_id[first.item]] if is_alone else self.study.study.documents[first.document]
        own = {task.item: task.texts for task in tasks}
        by_item = {task.item: task.pk for task in tasks if task.item}
        self.contexts.append([self._row(scenario, item, own.get(item.id) or _outputs(item, first)) for item in items])
        self.families.append([by_item.get(item.id) for item in items])
        place = len(self.contexts) - 1
        return [
            self._screen(task) | {"context": place, "row": self._row_of(scenario, task), "isDocumentPart": not is_alone}
            for task in tasks
        ]

    def _row_of(self, scenario: Scenario, task: Task) -> int | None:
        """The sentence in question; None where the document is judged as a whole."""
        if scenario.kind == "document" or not task.item:
            return None
        return 0 if scenario.kind == "random-sentence" else self.study.rows[task.document][task.item]

    def _practice(self, task: Task) -> Json:
        practice = self.study.settings.practice[practice_number(task.item)]
        self.contexts.append([{
            "source": practice.source, "reference": practice.reference, "postEdit": "", "targets": [practice.target],
        }])  # fmt: skip
        self.families.append([task.pk])
        return {
            "context": len(self.contexts) - 1, "row": 0, "isDocumentPart": False, "places": 1,
            "practice": describe_practice(practice, self.study.criteria[practice.criterion]),
        }  # fmt: skip

    def _row(self, scenario: Scenario, item: Item, targets: Sequence[str]) -> Json:
        group = self.group
        show = group.show if group and group.show is not None else scenario.show
        reference = (group.reference if group else None) or scenario.reference
        return {
            "source": item.source if "source" in show else "",
            "reference": item.reference(reference) if "reference" in show else "",
            "postEdit": item.post_edit if "post_edit" in show else "",
            "targets": list(targets),
        }


def _outputs(item: Item, task: Task) -> list[str]:
    return [item.outputs.get(system, "") for system in task.systems]


def _stretch(task: Task) -> tuple[Any, ...]:
    """Tasks that follow each other and are equal in this are segments of one document, seen once."""
    scenario = current().scenarios.get(task.scenario)
    alone = task.item if scenario is None or scenario.kind == "random-sentence" else ""
    return (task.scenario, alone, task.phase, task.document, task.role, task.occasion, task.batch, *task.systems)
