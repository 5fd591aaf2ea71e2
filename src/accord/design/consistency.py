"""What the parts of a study must be to each other; asked even where some parts are wrong."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import comb
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from accord.design.gold import known_answers
from accord.design.items import CONTROL, ItemsFile
from accord.design.nearest import did_you_mean
from accord.design.phase_checks import Found, Place, phase_problems
from accord.design.practice_checks import practice_problems
from accord.design.scale import Level
from accord.design.study import (
    UI_LANGUAGES,
    AnalysisPlan,
    Assignment,
    Controls,
    CriterionSettings,
    Group,
    Phase,
    Practice,
    Questionnaire,
    Scenario,
    Statement,
    TestSet,
)
from accord.design.toml_lines import TomlLines
from accord.design.translation_checks import translation_problems
from accord.errors import Problem
from accord.records import dataclass
from accord.words import counted

__all__ = ["inconsistencies"]

Model = TypeVar("Model", bound=BaseModel)
_FILE = "study.toml"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class _Parts:
    """The parts of study.toml that could be read by themselves, each with its place."""

    criteria: Mapping[int, CriterionSettings]
    scenarios: Mapping[int, Scenario]
    groups: Mapping[int, Group]
    test_sets: Mapping[int, TestSet]
    practice: Mapping[int, Practice]
    statements: Mapping[int, Statement]
    assignment: Assignment | None
    controls: Controls
    questionnaire: Questionnaire | None
    phases: Mapping[int, Phase]
    items: ItemsFile


def inconsistencies(raw: Mapping[str, Any], items: ItemsFile, lines: TomlLines) -> list[Problem]:
    """Every contradiction between parts of the study, in words, with the line it stands on."""
    parts = _parts(raw, items)
    checks = (_criteria, _keys, _names, _raters, _design, _sizes, _controls, _texts, _questions)
    found = [(place, message) for check in checks for place, message in check(parts)]
    found += [*_plan(raw, parts), *translation_problems(raw)]
    found += phase_problems(parts.phases, [item.document for item in items.items])
    found += [*_double_keys(raw), *_rules(raw, parts.controls), *_languages(raw), *_characters(raw)]
    return known_answers(parts.criteria.values(), items) + [
        Problem(message, lines.line(place), _FILE) for place, message in found
    ]


def _parts(raw: Mapping[str, Any], items: ItemsFile) -> _Parts:
    asked = raw.get("questionnaire", {})
    statements = asked.get("statements", []) if isinstance(asked, Mapping) else []
    return _Parts(
        _tables(CriterionSettings, raw.get("criteria")), _tables(Scenario, raw.get("scenarios")),
        _tables(Group, raw.get("groups")),
        _tables(TestSet, raw.get("test_sets")), _tables(Practice, raw.get("practice")), _tables(Statement, statements),
        _valid(Assignment, raw.get("assignment")), _valid(Controls, raw.get("controls")) or Controls.by_default(),
        _valid(Questionnaire, asked), _tables(Phase, raw.get("phases")), items,
    )  # fmt: skip


def _valid(model: type[Model], raw: Any) -> Model | None:
    try:
        return model.model_validate(raw)
    except ValidationError:
        return None


def _tables(model: type[Model], raw: Any) -> dict[int, Model]:
    tables = raw if isinstance(raw, Sequence) else []
    read = {number: _valid(model, table) for number, table in enumerate(tables)}
    return {number: part for number, part in read.items() if part is not None}


def _double_keys(raw: Mapping[str, Any]) -> Found:
    for name in ("criteria", "scenarios", "groups", "test_sets", "phases", "rater_questions"):
        tables = raw.get(name)
        seen: set[str] = set()
        for number, table in enumerate(tables if isinstance(tables, Sequence) else []):
            key = table.get("key") if isinstance(table, Mapping) else None
            if isinstance(key, str):
                if key in seen:
                    yield (name, number, "key"), f"the key {key!r} is used twice in `{name}`. Choose another"
                seen.add(key)


def _criteria(parts: _Parts) -> Found:
    for number, criterion in parts.criteria.items():
        for field, message in (*_CHECKS_OF_KIND[criterion.kind](criterion), *_of_other_kinds(criterion)):
            yield ("criteria", number, *field), f"criterion {criterion.key!r}: {message}"
        if criterion.labels and len(criterion.labels) != len(criterion.values):
            counts = f"{counted(len(criterion.labels), 'label')} for {counted(len(criterion.values), 'value')}"
            yield ("criteria", number, "labels"), f"criterion {criterion.key!r}: {counts}. Give one for each"
        if len(set(criterion.values)) < len(criterion.values):
            yield ("criteria", number, "values"), f"criterion {criterion.key!r}: a value is listed twice"


def _of_scale(criterion: CriterionSettings) -> Found:
    if criterion.level is None:
        yield ("level",), "a scale needs its `level`: nominal, ordinal, interval or ratio. Coefficients depend on it"
    if len(criterion.values) < 2:
        yield ("values",), "a scale needs its `values`, two or more, in order from one end to the other"
        return
    numbers = [value for value in criterion.values if not isinstance(value, str)]
    if numbers and len(numbers) < len(criterion.values):
        yield ("values",), "values are numbers and words. Use one of them, and `labels` for the words"
    elif numbers and criterion.level is not Level.NOMINAL and not _in_order(numbers):
        yield ("values",), f"the values {numbers} are in no order. Write them from one end to the other"
    elif not numbers and criterion.level is not None and criterion.level.has_distance:
        a = "an" if criterion.level is Level.INTERVAL else "a"
        yield ("values",), f"{a} {criterion.level} scale needs numbers. Words can be nominal or ordinal"
    if criterion.threshold is not None and numbers and not min(numbers) <= criterion.threshold <= max(numbers):
        yield ("threshold",), f"the threshold {criterion.threshold:g} lies outside the values"


def _in_order(numbers: Sequence[float]) -> bool:
    steps = [after - before for before, after in pairwise(numbers)]
    return all(step > 0 for step in steps) or all(step < 0 for step in steps)


def _of_slider(criterion: CriterionSettings) -> Found:
    if criterion.low is None or criterion.high is None:
        yield ("low",), "a slider needs `low` and `high`"
        return
    if criterion.low >= criterion.high:
        yield ("low",), f"`low` {criterion.low:g} must be less than `high` {criterion.high:g}"
    for anchor in criterion.anchors:
        try:
            inside = criterion.low <= float(anchor) <= criterion.high
        except ValueError:
            inside = False
        if not inside:
            yield ("anchors",), f"the anchor {anchor!r} is not a number between `low` and `high`"
    if criterion.threshold is not None and not criterion.low <= criterion.threshold <= criterion.high:
        yield ("threshold",), f"the threshold {criterion.threshold:g} lies outside `low` and `high`"


def _of_number(criterion: CriterionSettings) -> Found:
    if criterion.high is not None and (criterion.low or 0.0) >= criterion.high:
        yield ("low",), f"`low` {criterion.low or 0:g} must be less than `high` {criterion.high:g}"


def _of_categories(criterion: CriterionSettings) -> Found:
    if not criterion.values:
        yield ("values",), "categories need `values`: the errors that can be marked"
    if criterion.repeated and not criterion.several:
        yield ("repeated",), "`repeated` needs `several = true`"


def _of_spans(criterion: CriterionSettings) -> Found:
    if not criterion.severities and not criterion.values:
        yield ("severities",), "spans need `severities`, or error categories in `values`, or both"
    severities = {severity.key for severity in criterion.severities}
    for name in criterion.weights:
        severity, _, category = name.partition("/")
        if severity not in severities:
            yield ("weights",), f"the weight {name!r} names an unknown severity{did_you_mean(severity, severities)}"
        elif category and category not in criterion.values:
            known = [str(value) for value in criterion.values]
            yield ("weights",), f"the weight {name!r} names an unknown category{did_you_mean(category, known)}"


def _of_other_kinds(criterion: CriterionSettings) -> Found:
    if criterion.prefilled and criterion.kind != "spans":
        yield ("prefilled",), f"{criterion.kind} has no marks that could stand there beforehand"
    if criterion.per and criterion.kind != "number":
        yield ("per",), f"only a number is counted by the word, not a {criterion.kind}"


def _of_nothing(criterion: CriterionSettings) -> Found:
    if criterion.values:
        is_text = criterion.kind == "post_edit"
        answers = "its answer is the corrected text" if is_text else "its answers are the systems shown"
        yield ("values",), f"{criterion.kind} has no `values` of its own: {answers}"


_CHECKS_OF_KIND = {
    "scale": _of_scale, "slider": _of_slider, "number": _of_number, "categories": _of_categories, "spans": _of_spans,
    "pairwise": _of_nothing, "ranking": _of_nothing, "post_edit": _of_nothing,
}  # fmt: skip


def _keys(parts: _Parts) -> Found:
    """Names that point to other parts."""
    scenarios = {scenario.key for scenario in parts.scenarios.values()}
    named: list[tuple[Place, str]] = []
    for number, criterion in parts.criteria.items():
        named += [(("criteria", number, "scenarios"), key) for key in criterion.scenarios]
    for number, statement in parts.statements.items():
        named += [(("questionnaire", "statements", number, "scenarios"), key) for key in statement.scenarios]
    for number, scenario in parts.scenarios.items():
        named += [(("scenarios", number, "after"), scenario.after)] if scenario.after else []
    own = {scenario.key for scenario in parts.scenarios.values() if scenario.after is None}
    for number, scenario in parts.scenarios.items():
        if scenario.after in scenarios - own:
            words = f"scenario {scenario.key!r} follows {scenario.after!r}, which is not handed out by itself"
            yield ("scenarios", number, "after"), f"{words}. Name one that has no `after`"
    for place, key in named:
        if key not in scenarios:
            yield place, f"there is no scenario {key!r}{did_you_mean(key, scenarios)}"
    criteria = {criterion.key for criterion in parts.criteria.values()}
    for number, practice in parts.practice.items():
        if criteria and practice.criterion not in criteria:
            hint = did_you_mean(practice.criterion, criteria)
            yield ("practice", number, "criterion"), f"there is no criterion {practice.criterion!r}{hint}"


def _names(parts: _Parts) -> Found:
    """Names that point to the items."""
    items = parts.items.items
    if not items:
        return
    documents = {item.document for item in items}
    for number, test_set in parts.test_sets.items():
        for document in test_set.documents:
            if document not in documents:
                hint = did_you_mean(document, documents)
                yield ("test_sets", number, "documents"), f"the items hold no document {document!r}{hint}"
    yield from _test_sets(parts)
    references = {name for item in items for name in item.references}
    asked: list[tuple[Place, str | None]] = [(("groups", n, "reference"), g.reference) for n, g in parts.groups.items()]
    asked += [(("scenarios", n, "reference"), s.reference) for n, s in parts.scenarios.items()]
    for place, name in asked:
        if name is not None and name not in references:
            yield place, f"the items hold no reference {name!r}{did_you_mean(name, references or {'reference'})}"


def _test_sets(parts: _Parts) -> Found:
    """A document is in one test set; where some are listed, all must be."""
    listed = [(number, document) for number, part in parts.test_sets.items() for document in part.documents]
    seen: dict[str, int] = {}
    for number, document in listed:
        if seen.setdefault(document, number) != number:
            yield ("test_sets", number, "documents"), f"the document {document!r} is in two test sets. Keep it in one"
    rest = sorted({item.document for item in parts.items.items if not item.test_set} - set(seen))
    if listed and rest:
        others = f" and {len(rest) - 1} more are" if len(rest) > 1 else " is"
        words = f"the document {rest[0]!r}{others} in no test set"
        yield ("test_sets", listed[0][0], "documents"), f"{words}. List them all, or none to have them dealt evenly"


def _sizes(parts: _Parts) -> Found:
    """Numbers of the plan that the items cannot fill."""
    assignment, items = parts.assignment, parts.items.items
    if assignment is None or not items or not parts.scenarios:
        return
    systems = len(parts.items.systems)
    if assignment.systems_per_input is not None and assignment.systems_per_input > systems:
        words = f"each input is to be taken in {assignment.systems_per_input} systems, but there are {systems}"
        yield ("assignment", "systems_per_input"), f"{words}. Make it smaller, or leave it out to take all"
    most = max(_bundles(scenario, parts) for scenario in parts.scenarios.values())
    if assignment.design == "minimum-overlap" and (assignment.overlap or 0) > most:
        words = f"all raters are to share {assignment.overlap}, but there are only {most} texts to hand out"
        yield ("assignment", "overlap"), f"{words}. Make it smaller, or choose `crossed`"
    yield from _sources_once(parts, assignment, systems)
    controls = parts.controls
    copies = controls.repeats + controls.degraded + controls.references + controls.attention
    room = controls.batch or most
    if copies > room:
        words = f"{copies} items are to be shown again, but a rater has at most {room} of them"
        yield ("controls",), f"{words}{' in a batch' if controls.batch else ''}. Ask for fewer control items"


def _sources_once(parts: _Parts, assignment: Assignment, systems: int) -> Found:
    """Where no rater may see a source twice, each of its texts needs raters of its own."""
    if assignment.design != "incomplete-blocks" or not assignment.source_once or not assignment.ratings_per_item:
        return
    taken = min(assignment.systems_per_input or systems, systems)
    texts = max(comb(taken if s.systems == 1 else systems, s.systems) for s in parts.scenarios.values())
    needed = texts * assignment.ratings_per_item
    if needed > assignment.raters:
        words = f"no rater may see a source twice: {texts} texts of a source x {assignment.ratings_per_item} raters"
        yield (
            ("assignment", "source_once"),
            f"{words} need {needed} raters, but there are {assignment.raters}. Ask for fewer ratings or more raters",
        )


def _languages(raw: Mapping[str, Any]) -> Found:
    languages = raw.get("languages")
    for name, code in (languages if isinstance(languages, Mapping) else {}).items():
        if isinstance(code, str) and not _LANGUAGE.fullmatch(code):
            yield ("languages", name), f"{code!r} is not a language code. Write one such as en, de or pt-BR"
    spoken = raw.get("ui_language", "en")
    if isinstance(spoken, str) and spoken.lower().split("-")[0] not in {name.split("-")[0] for name in UI_LANGUAGES}:
        known = ", ".join(UI_LANGUAGES)
        yield ("ui_language",), f"there are no buttons and messages in {spoken!r}. Languages there are: {known}"


def _bundles(scenario: Scenario, parts: _Parts) -> int:
    items = parts.items.items
    texts = len(items) if scenario.kind == "random-sentence" else len({item.document for item in items})
    return texts * comb(len(parts.items.systems), scenario.systems)


_NEEDS = {
    "degraded_not_lower": "degraded",
    "repeats_differ": "repeats",
    "gold_wrong": "gold",
    "attention_failed": "attention",
}


def _rules(raw: Mapping[str, Any], controls: Controls) -> Found:
    """A rule of exclusion must have something to look at."""
    rules = raw.get("exclusions")
    for number, rule in enumerate(rules if isinstance(rules, Sequence) else []):
        name = rule.get("rule") if isinstance(rule, Mapping) else None
        needed = _NEEDS.get(name) if isinstance(name, str) else None
        if needed and not getattr(controls, needed):
            words = f"the rule {name!r} looks at control items that the study does not have"
            yield ("exclusions", number, "rule"), f"{words}. Set `{needed}` in [controls], or drop the rule"


def _plan(raw: Mapping[str, Any], parts: _Parts) -> Found:
    """The plan of analysis names a criterion that is asked."""
    plan = _valid(AnalysisPlan, raw.get("analysis"))
    criteria = {criterion.key for criterion in parts.criteria.values()}
    if plan is not None and plan.criterion is not None and criteria and plan.criterion not in criteria:
        hint = did_you_mean(plan.criterion, criteria)
        yield ("analysis", "criterion"), f"there is no criterion {plan.criterion!r}{hint}"


def _characters(raw: Any, place: Place = ()) -> Found:
    """Control characters that were written as escapes."""
    if isinstance(raw, Mapping):
        for key, value in raw.items():
            yield from _characters(value, (*place, key))
    elif isinstance(raw, list):
        for number, value in enumerate(raw):
            yield from _characters(value, (*place, number))
    elif isinstance(raw, str) and (found := CONTROL.search(raw)):
        yield place, f"`{place[-1]}` holds the control character U+{ord(found[0]):04X}. Remove it"


def _raters(parts: _Parts) -> Found:
    if parts.assignment is None:
        return
    raters = parts.assignment.raters
    if len(parts.groups) > raters:
        words = f"{len(parts.groups)} groups for {counted(raters, 'rater')}. Each group needs at least one"
        yield ("assignment", "raters"), words
        return
    sizes = [group.raters for group in parts.groups.values()]
    stated = sum(size for size in sizes if size is not None)
    if sizes and None not in sizes and stated != raters:
        yield ("assignment", "raters"), f"the groups have {stated} raters together, but `raters` is {raters}"
    elif stated + sizes.count(None) > raters:
        yield ("assignment", "raters"), f"the groups need more raters than the {raters} there are"
    per_item = parts.assignment.ratings_per_item
    if per_item is not None and per_item > raters:
        words = f"each item is to have {per_item} raters, but there are only {raters}"
        yield ("assignment", "ratings_per_item"), words


def _design(parts: _Parts) -> Found:
    assignment = parts.assignment
    if assignment is None:
        return
    design = assignment.design
    if design in ("incomplete-blocks", "nested") and assignment.ratings_per_item is None:
        yield ("assignment",), f"{design} needs `ratings_per_item`: how many raters each item gets"
    per_item, groups = assignment.ratings_per_item or 0, len(parts.groups)
    if design == "incomplete-blocks" and groups and per_item % groups:
        words = f"{per_item} ratings of each item cannot be shared evenly by {groups} groups"
        yield ("assignment", "ratings_per_item"), f"{words}. Choose a multiple"
    if design == "nested" and assignment.ratings_per_item and assignment.raters % assignment.ratings_per_item:
        words = f"nested teams of {assignment.ratings_per_item} cannot be made of {assignment.raters} raters"
        yield ("assignment", "ratings_per_item"), f"{words}. Choose a divisor"
    if design == "minimum-overlap" and assignment.overlap is None:
        yield ("assignment",), "minimum-overlap needs `overlap`: how many items all raters share"
    halves = sum(not phase.has_own_documents and phase.again is None for phase in parts.phases.values())
    if design == "complementary-halves" and halves != 2:
        yield ("assignment", "design"), f"complementary halves need two phases, not {halves}"
    if design == "latin-square":
        yield from _latin_square(parts)


def _latin_square(parts: _Parts) -> Found:
    conditions = sum(scenario.after is None for scenario in parts.scenarios.values())
    if len(parts.test_sets) != conditions:
        words = f"a Latin square needs one test set for each scenario: {len(parts.test_sets)} for {conditions}"
        yield ("assignment", "design"), f"{words} (scenarios with `after` do not count)"
    if parts.groups and len(parts.groups) != conditions:
        words = f"a Latin square needs one group for each scenario: {len(parts.groups)} for {conditions}"
        yield ("assignment", "design"), words


def _controls(parts: _Parts) -> Found:
    controls, items = parts.controls, parts.items.items
    if controls.spacing > controls.blocks // 2:
        words = f"a copy cannot be {controls.spacing} blocks away in {controls.blocks} blocks"
        yield ("controls", "spacing"), f"{words}. Make it at most half of them"
    spoils = [name for name in ("degraded", "attention", "references") if getattr(controls, name)]
    if spoils and any(scenario.kind == "document" for scenario in parts.scenarios.values()):
        yield ("controls", spoils[0]), f"`{spoils[0]}` changes sentences, but a scenario judges whole documents"
    if controls.references and any(scenario.systems > 1 for scenario in parts.scenarios.values()):
        yield ("controls", "references"), "a reference is shown alone, but a scenario shows several systems"
    if not items:
        return
    if controls.references and not any(item.references for item in items):
        yield ("controls", "references"), "references are wanted as control items, but the items hold none"
    if controls.gold and not any(item.gold for item in items):
        yield ("controls", "gold"), "gold items are wanted, but no item has a known answer (`gold:CRITERION`)"
    if controls.gold and all(item.gold for item in items):
        yield ("controls", "gold"), "every item has a known answer, so none is left to judge. Add items without one"
    if (controls.degraded or controls.attention) and len(items) < 2:
        yield ("controls",), "degraded items take words from other items, but there is only one"


def _texts(parts: _Parts) -> Found:
    """What is shown must be there for every item."""
    items = parts.items.items
    for number, scenario in parts.scenarios.items():
        place: Place = ("scenarios", number, "show")
        fewest = min((len(item.outputs) for item in items), default=scenario.systems)
        if fewest < scenario.systems:
            without = next(item for item in items if len(item.outputs) == fewest)
            words = f"scenario {scenario.key!r} shows {counted(scenario.systems, 'system')}, but item {without.id!r}"
            yield ("scenarios", number, "systems"), f"{words} has {fewest}"
        for what, missing in (("source", "source"), ("reference", "references"), ("post_edit", "post_edit")):
            lacking = [item for item in items if not getattr(item, missing)]
            if what in scenario.show and lacking:
                have = f"{counted(len(lacking), 'item')} {'has' if len(lacking) == 1 else 'have'} none"
                first = f"{have}, first {lacking[0].id!r} (line {lacking[0].line})"
                yield place, f"scenario {scenario.key!r} shows the {what}, but {first}"
        if scenario.kind == "document" and "context" in scenario.show:
            yield place, f"scenario {scenario.key!r} judges whole documents: `context` is what it shows anyway"
    for number, criterion in parts.criteria.items():
        shown = [s for s in parts.scenarios.values() if not criterion.scenarios or s.key in criterion.scenarios]
        alone = [scenario.key for scenario in shown if scenario.systems < 2]
        if criterion.once_per_task and alone:
            words = f"criterion {criterion.key!r} compares systems, but scenario {alone[0]!r} shows one"
            yield ("criteria", number, "kind"), f"{words}. Raise `systems` there, or limit `scenarios` here"


def _questions(parts: _Parts) -> Found:
    asked = parts.questionnaire
    if asked is not None and asked.low >= asked.high:
        yield ("questionnaire", "low"), f"`low` {asked.low} must be less than `high` {asked.high}"
    for number, practice in parts.practice.items():
        criterion = next((c for c in parts.criteria.values() if c.key == practice.criterion), None)
        if criterion is not None:
            yield from ((("practice", number, key), words) for key, words in practice_problems(practice, criterion))
