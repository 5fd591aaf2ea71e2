"""Simulated raters fill in a study, so that analysis and report can be rehearsed before anyone is asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.design.assignment import AssignmentPlan, Task
from accord.design.load import Study
from accord.design.study import CriterionSettings
from accord.design.working_time import expected_seconds
from accord.planning import answers
from accord.planning.simulated_raters import Mark, RaterTraits, Traits, Truth, draw_raters, draw_truth, true_marks
from accord.ratings.answer_values import NO_ERROR, MarkedError, penalty, value_of
from accord.ratings.coding import code_names
from accord.ratings.repeats import TELL_APART, next_occasions
from accord.ratings.roles import BESIDE
from accord.records import dataclass

__all__ = ["RATING_COLUMNS", "Simulation", "simulate_study"]

Cell = str | int | float
Row = Mapping[str, Cell]

RATING_COLUMNS = (
    "item", "rater", "criterion", "value", "system", "document", "segment", "scenario", "condition", "group", "phase",
    "occasion", "role", "batch", "time_s", "comment", "order",
)  # fmt: skip
_JUDGEMENT = ("item", "rater", "criterion", "system", "document", "segment", "scenario")
_JUDGED_AGAIN = ("condition", "phase", "occasion", "role")
_MARK = ("side", "start", "end", "category", "severity", "text")
_SUFFIX = {"degraded": "#bad", "reference": "#ref", "attention": "#attention"}
_SPOILT = {"degraded": -1.5, "attention": -1.0}


@dataclass(frozen=True, slots=True)
class Simulation:
    """What simulated raters answered, and the truth behind it."""

    ratings: tuple[Row, ...]
    errors: tuple[Row, ...]
    questionnaire: tuple[Row, ...]
    truth: Truth
    raters: Mapping[str, Traits]

    @property
    def rating_columns(self) -> tuple[str, ...]:
        """The columns of the ratings: the contract's, then those the items bring."""
        return tuple(dict.fromkeys((*RATING_COLUMNS, *(name for row in self.ratings for name in row))))

    @property
    def error_columns(self) -> tuple[str, ...]:
        """The columns of the errors."""
        return tuple(self.errors[0]) if self.errors else ()


def simulate_study(study: Study, plan: AssignmentPlan, traits: RaterTraits, rng: np.random.Generator) -> Simulation:
    """Every task of the plan answered by simulated raters."""
    truth = draw_truth(study, rng)
    raters = draw_raters(traits, plan.raters, rng)
    hand = _Hand(study, traits, truth, rng)
    ratings: list[Row] = []
    errors: list[Row] = []
    for name in plan.raters:
        tasks = plan.tasks_of(name)
        for task in tasks:
            rated, marked = hand.fill_in(task, raters[name], task.order / max(len(tasks), 1))
            ratings += rated
            errors += marked
    asked = tuple(_questionnaire(study, plan, rng))
    return Simulation(_told_apart(ratings), _as_judged(errors, ratings), asked, truth, raters)


def _as_judged(errors: Sequence[Row], ratings: Sequence[Row]) -> tuple[Row, ...]:
    """The errors with what tells judgements of one text apart, where the study has any such; else without it."""
    alike = {name for name in _JUDGED_AGAIN if len({row[name] for row in ratings}) < 2}
    return tuple({name: cell for name, cell in row.items() if name not in alike} for row in errors)


def _told_apart(ratings: Sequence[Row]) -> tuple[Row, ...]:
    """Where a rater meets a text again (ranked against another one), the next occasion, as in a collected study."""
    names = ("item", "rater", *TELL_APART)
    columns = {name: code_names([row[name] for row in ratings]) for name in names if ratings and name in ratings[0]}
    if not columns:
        return tuple(ratings)
    occasions = next_occasions(columns).labels().tolist()
    return tuple({**row, "occasion": int(occasion)} for row, occasion in zip(ratings, occasions, strict=True))


class _Hand:
    """Fills in one task after the other; remembers answers, because some raters copy."""

    def __init__(self, study: Study, traits: RaterTraits, truth: Truth, rng: np.random.Generator) -> None:
        self.study = study
        self.settings = study.settings
        self.traits = traits
        self.truth = truth
        self.rng = rng
        self._shared: dict[tuple[str, str], float] = {}
        self._answers: dict[tuple[str, str], Cell] = {}
        self._marks: dict[tuple[str, str], list[MarkedError]] = {}

    def fill_in(self, task: Task, rater: Traits, progress: float) -> tuple[list[Row], list[Row]]:
        rated: list[Row] = []
        marked: list[Row] = []
        for criterion in self.settings.asked_in(task.scenario):
            if criterion.kind == "pairwise" and len(task.systems) > 1:
                rated.append(self._compared(criterion, task, rater, progress))
            elif criterion.kind == "ranking" and len(task.systems) > 1:
                rated += self._ranked(criterion, task, rater, progress)
            elif not criterion.once_per_task:
                for system in task.systems:
                    row, errors = self._judged(criterion, task, system, rater, progress)
                    rated.append(row)
                    marked += errors
        return rated, marked

    def _perceived(
        self, criterion: CriterionSettings, task: Task, system: str, rater: Traits, progress: float
    ) -> float:
        """True quality, seen through this rater's eyes in this scenario."""
        seen = self.truth.of(task.item or task.document, system)
        item = self.study.item_by_id.get(task.item)
        scenario = self.settings.scenario(task.scenario)
        if item is not None and item.ambiguity and "context" in scenario.show and criterion.key != "fluency":
            seen -= self.traits.context
        if task.role in _SPOILT and system == task.altered:
            seen += _SPOILT[task.role]
        seen += self._of_reference(task)
        return seen - rater.severity - rater.drift * progress + float(self.rng.normal(scale=rater.noise))

    def _of_reference(self, task: Task) -> float:
        """The error that all who see the same reference share."""
        group = next((group for group in self.settings.groups if group.key == task.group), None)
        scenario = self.settings.scenario(task.scenario)
        show = group.show if group is not None and group.show is not None else scenario.show
        if "reference" not in show:
            return 0.0
        name = (group.reference if group is not None else None) or scenario.reference or ""
        key = (task.item, name)
        if key not in self._shared:
            self._shared[key] = float(self.rng.normal(scale=self.traits.reference))
        return self._shared[key]

    def _judged(
        self, criterion: CriterionSettings, task: Task, system: str, rater: Traits, progress: float
    ) -> tuple[Row, list[Row]]:
        perceived = self._perceived(criterion, task, system, rater, progress)
        if self.rng.random() < rater.inattention:
            perceived = float(self.rng.normal())
        row = self._row(criterion, task, system)
        if criterion.kind in ("categories", "spans"):
            return self._marked(criterion, task, system, rater, progress, row)
        if criterion.kind == "post_edit":
            value: Cell = round(float(np.clip(0.35 - 0.2 * perceived, 0, 1)), 3)
        else:
            gold = self.study.item_by_id[task.item].gold.get(criterion.key) if task.role == "gold" else None
            told = answers.known(criterion, gold, rater, self.rng) if gold else None
            value = answers.on_scale(criterion, perceived) if told is None else told
            value = value_of(criterion, value, (), self._texts(task, system)["target"])
        return {**row, "value": self._settled(row, value, rater)}, []

    def _marked(
        self, criterion: CriterionSettings, task: Task, system: str, rater: Traits, progress: float, row: Row
    ) -> tuple[Row, list[Row]]:
        texts = self._texts(task, system)
        strict = rater.severity + rater.drift * progress
        key = (str(row["item"]), criterion.key)
        if key in self._marks and row["occasion"] == 1 and self.rng.random() < rater.copying:
            found = self._marks[key]
        else:
            marks = self._true_marks(task, system)
            if self.rng.random() < rater.inattention:
                marks = true_marks(texts["target"], float(self.rng.normal()), self.rng)
            lengths = {side: len(text) for side, text in texts.items()}
            found = answers.errors_of(criterion, marks, lengths, rater, strict, self.rng)
        self._marks[key] = found
        if criterion.kind == "categories" and not criterion.several:
            found = found[:1]
        if criterion.kind == "spans":
            value: Cell = penalty(criterion, found)
        else:
            value = "|".join(sorted({error.category for error in found})) or NO_ERROR
        errors: list[Row] = [
            {**{name: row[name] for name in (*_JUDGEMENT, *_JUDGED_AGAIN)}, "side": error.side, "start": error.start,
             "end": error.end, "category": error.category, "severity": error.severity,
             "text": texts[error.side][error.start : error.end]}
            for error in found
        ]  # fmt: skip
        return {**row, "value": value}, errors

    def _true_marks(self, task: Task, system: str) -> tuple[Mark, ...]:
        """The errors of the text as it is shown: what was spoilt on purpose is one of them, and plain to see."""
        marks = self.truth.marks[task.item or task.document, system]
        item = self.study.item_by_id.get(task.item)
        if item is None or system != task.altered:
            return marks
        before, after = item.outputs[system], self._texts(task, system)["target"]
        start = _shared(before, after)
        rest = _shared(before[start:][::-1], after[start:][::-1])
        moved = len(after) - len(before)
        kept = [mark for mark in marks if mark.side == "source" or mark.end <= start]
        kept += [
            replace(mark, start=mark.start + moved, end=mark.end + moved)
            for mark in marks
            if mark.side == "target" and mark.start >= len(before) - rest
        ]
        spoilt = Mark(start, max(len(after) - rest, start + 1), float(self.rng.random()), 0.0, visible=0.0)
        return (*kept, spoilt)

    def _texts(self, task: Task, system: str) -> dict[str, str]:
        item = self.study.item_by_id.get(task.item)
        return {"target": self._text(task, system), "source": item.source if item is not None else ""}

    def _text(self, task: Task, system: str) -> str:
        if task.texts and task.texts[task.systems.index(system)]:
            return task.texts[task.systems.index(system)]
        item = self.study.item_by_id.get(task.item)
        return item.outputs.get(system, "") if item is not None else ""

    def _compared(self, criterion: CriterionSettings, task: Task, rater: Traits, progress: float) -> Row:
        perceived = [self._perceived(criterion, task, system, rater, progress) for system in task.systems]
        if self.rng.random() < rater.inattention:
            perceived = self.rng.normal(size=len(perceived)).tolist()
        row = self._row(criterion, task, "")
        value: Cell = answers.preferred(task.systems, perceived, criterion.ties)
        return {**row, "value": self._settled(row, value, rater)}

    def _ranked(self, criterion: CriterionSettings, task: Task, rater: Traits, progress: float) -> Iterator[Row]:
        perceived = [self._perceived(criterion, task, system, rater, progress) for system in task.systems]
        for system, rank in zip(task.systems, answers.ranks(perceived, criterion.ties), strict=True):
            yield {**self._row(criterion, task, system), "value": rank}

    def _settled(self, row: Row, value: Cell, rater: Traits) -> Cell:
        """The rater's own answer, or the one of the rater before if this one copies."""
        key = (str(row["item"]), str(row["criterion"]))
        if key in self._answers and row["occasion"] == 1 and self.rng.random() < rater.copying:
            return self._answers[key]
        self._answers[key] = value
        return value

    def _row(self, criterion: CriterionSettings, task: Task, system: str) -> dict[str, Cell]:
        item = self.study.item_by_id.get(task.item)
        seconds = expected_seconds(self.settings, task.scenario)
        asked = len(self.settings.asked_in(task.scenario)) * len(task.systems)
        role = BESIDE if task.altered and system not in ("", task.altered) else task.role
        return {
            "item": _rated_item(self.study, task, system) + _SUFFIX.get(task.role, ""), "rater": task.rater,
            "criterion": criterion.key, "value": "", "system": system, "document": task.document,
            "segment": item.segment if item is not None else "", "scenario": task.scenario,
            "condition": task.condition, "group": task.group, "phase": task.phase, "occasion": task.occasion,
            "role": role, "batch": task.batch,
            "time_s": round(float(self.rng.gamma(4.0, seconds / asked / 4.0)), 1), "comment": "", "order": task.order,
            **self.study.columns_of(task.document, task.item, system),
        }  # fmt: skip


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _rated_item(study: Study, task: Task, system: str) -> str:
    """What is rated: the item as this system rendered it; in a comparison the item and who met."""
    item = task.item or task.document
    if system:
        return f"{item}:{system}"
    return item if len(study.systems) == len(task.systems) else f"{item}:{'~'.join(sorted(task.systems))}"


def _questionnaire(study: Study, plan: AssignmentPlan, rng: np.random.Generator) -> Iterator[Row]:
    """One answer a statement, scenario and rater; sentences alone are the harder work."""
    asked = study.settings.questionnaire
    if asked is None:
        return
    for rater, group in zip(plan.raters, plan.groups, strict=True):
        for scenario in study.settings.scenarios:
            ease = -0.6 if scenario.kind == "random-sentence" else 0.4
            for statement in study.settings.statements_of(scenario.key):
                value: Cell = int(
                    np.clip(round((asked.low + asked.high) / 2 + rng.normal(ease, 1)), asked.low, asked.high)
                )
                if statement.choices:
                    value = statement.choices[int(rng.integers(len(statement.choices)))]
                yield {
                    "rater": rater,
                    "group": group,
                    "scenario": scenario.key,
                    "question": statement.key,
                    "value": value,
                }
