"""HEDS 3.0: the human evaluation datasheet as JSON that its form reads, with the questions that the data answer.

The form at nlp-heds.github.io stores each answer under the id of its field, by criterion where a question is
asked of each criterion. Questions that only the author can answer are there and empty, so that the form shows them.
"""

from collections.abc import Iterable, Mapping
from math import isnan

import numpy as np

from accord import __version__
from accord.arrays import distinct_rows
from accord.design.scale import Level, Scale
from accord.ratings.roles import under_study
from accord.reliability.estimate import Estimate
from accord.reliability.result import GroupReliability
from accord.reporting.analysis import Analysis, part_name
from accord.reporting.checklist import background
from accord.words import spelled, steady

__all__ = ["heds"]

_SAMPLE = "heds-sample_evaluators_design-sample"
_EVALUATORS = "heds-sample_evaluators_design-evaluators"
_DESIGN = "heds-sample_evaluators_design-experimental_design"
_CRITERION = "heds-criteria-criterion"
_RESPONSE = f"{_CRITERION}-response_elicitation"

_QUALITY = f"{_DESIGN}-quality_assurance-method"
_FORM = f"{_RESPONSE}-form_of_response"

_MANY_VALUES = 25
_NO_INTRA = "IntraAA not assessed"

_AUTHOR = {
    f"{_SAMPLE}-statistical_power-method": "3.1.3.1", f"{_SAMPLE}-statistical_power-value": "3.1.3.2",
    f"{_SAMPLE}-statistical_power-script": "3.1.3.3", f"{_EVALUATORS}-recruitment_method": "3.2.3",
    f"{_EVALUATORS}-training_practice": "3.2.4", f"{_EVALUATORS}-characteristics": "3.2.5",
    f"{_DESIGN}-collection_method": "3.3.2", f"{_DESIGN}-what_evaluators_see-link": "3.3.4.1",
    f"{_DESIGN}-what_evaluators_see-description": "3.3.4.2", f"{_DESIGN}-evaluators_place_of_choosing": "3.3.8",
    "heds-ethics-review_body": "5.1", "heds-ethics-impact_assessments": "5.4",
}  # fmt: skip
"""Text fields of the whole study that ratings cannot answer: id -> number of the question."""

_AUTHOR_BY_CRITERION = {
    f"{_RESPONSE}-qc_name-mapped_criterion_name": "4.3.1.2",
    f"{_RESPONSE}-verbatim_question": "4.3.7",
    # The form's own id spells it like this.
    f"{_RESPONSE}-participant_criterion_definiiton": "4.3.2",
}


def heds(analysis: Analysis) -> dict[str, dict[str, object]]:
    """Fields of the form by id; save as a .json file and load it with the form's "upload json"."""
    criteria = {_named(group): group for group in analysis.reliability.parts}
    fields = {key: _field(number, {"": ""}) for key, number in _AUTHOR.items()}
    fields |= {key: _field(number, dict.fromkeys(criteria, "")) for key, number in _AUTHOR_BY_CRITERION.items()}
    fields |= _whole(analysis)
    fields |= _recorded(analysis, criteria)
    fields |= _chosen(analysis, criteria)
    fields[_CRITERION] = {
        "data": {},
        "control": {name: place == 0 for place, name in enumerate(criteria)},
        "text": {},
        "number": "",
    }
    return fields | _by_criterion(analysis, criteria)


def _recorded(analysis: Analysis, criteria: Mapping[str, GroupReliability]) -> dict[str, dict[str, object]]:
    """What a study records; where it does not, the form's question stays open."""
    book = analysis.ratings.codebook
    facts = book.study
    whole = {
        f"{_EVALUATORS}-recruitment_method": facts.recruitment,
        f"{_EVALUATORS}-training_practice": facts.training,
        f"{_EVALUATORS}-characteristics": background(facts),
        f"{_DESIGN}-what_evaluators_see-description": facts.shown,
        f"{_DESIGN}-collection_method": "in the browser, with Accord" if facts.title else "",
        "heds-ethics-review_body": facts.ethics,
    }
    asked = {name: book.criterion(group.by.get("criterion", "")) for name, group in criteria.items()}
    of_criteria = {
        f"{_RESPONSE}-verbatim_question": {name: one.question for name, one in asked.items()},
        f"{_RESPONSE}-participant_criterion_definiiton": {name: one.definition for name, one in asked.items()},
    }
    found = {key: _field(_AUTHOR[key], {"": words}) for key, words in whole.items() if words}
    return found | {
        key: _field(_AUTHOR_BY_CRITERION[key], words) for key, words in of_criteria.items() if any(words.values())
    }


def _named(group: GroupReliability) -> str:
    """The form wants a name for every criterion."""
    return part_name(group.by, "ratings")


def _field(number: str, data: Mapping[str, str]) -> dict[str, object]:
    return {"data": dict(data), "control": {}, "number": number}


def _chosen(analysis: Analysis, criteria: Mapping[str, GroupReliability]) -> dict[str, dict[str, object]]:
    """The options of multiple-choice questions that the ratings decide; the form leaves all others open.

    Checks were run on the ratings: this report did. Values that are sets of labels are labels. Whether a
    single value stands for direct estimation, a statement or a preference only the author knows.
    """
    labelled = [
        name
        for name, one in zip(criteria, analysis.criteria, strict=True)
        if any(isinstance(value, frozenset) for value in one.part.ratings.scale.values)
    ]
    checked = "2. Automatic quality checking methods are used during and/or after evaluation"
    chosen = {f"{_QUALITY}-2": _option("3.3.3.1", checked, [""])}
    if labelled:
        chosen[f"{_FORM}-7"] = _option("4.3.8", "7. Output classification or labelling", labelled)
    return chosen


def _option(number: str, words: str, names: Iterable[str]) -> dict[str, object]:
    """A box or button that is ticked: the form keeps its value beside it."""
    names = list(names)
    return {"data": dict.fromkeys(names, True), "control": {}, "text": dict.fromkeys(names, words), "number": number}


def _whole(analysis: Analysis) -> dict[str, dict[str, object]]:
    ratings = analysis.ratings
    excluded = f" {'; '.join(analysis.exclusions)}." if analysis.exclusions else ""
    checks = (
        f"After the evaluation {analysis.diagnosis.checks} automatic checks of the ratings with Accord {__version__}: "
        f"{analysis.diagnosis.summary}.{excluded}"
    )
    return {
        f"{_SAMPLE}-number_of_system_outputs": _field("3.1.1", {"": _outputs(analysis)}),
        f"{_EVALUATORS}-number_of_evaluators": _field("3.2.1", {"": str(ratings.raters)}),
        f"{_DESIGN}-quality_assurance-description": _field("3.3.3.2", {"": checks}),
    }


def _outputs(analysis: Analysis) -> str:
    """Items for each system; a range in words where systems differ."""
    ratings, _ = under_study(analysis.ratings)
    system = ratings.columns.get("system")
    if system is None or not system.names:
        return str(ratings.items)
    pairs = distinct_rows([system.codes, ratings.item.codes])
    counts = np.bincount(pairs[pairs[:, 0] >= 0, 0], minlength=len(system.names))
    if counts.min() == counts.max():
        return str(int(counts.max()))
    return f"{counts.min():,} to {counts.max():,}, by system"


def _by_criterion(analysis: Analysis, criteria: Mapping[str, GroupReliability]) -> dict[str, dict[str, object]]:
    scales = {name: one.part.ratings.scale for name, one in zip(criteria, analysis.criteria, strict=True)}
    tests = {name: _tests(analysis, group.by.get("criterion", "")) for name, group in criteria.items()}
    methods = {name: "; ".join(_method(e) for e in group.estimates) for name, group in criteria.items()}
    values = {name: "; ".join(_value(e) for e in group.estimates) for name, group in criteria.items()}
    mean = "Means over raters for each item." if analysis.rankings else "Single ratings are analysed as they are."
    return {
        f"{_RESPONSE}-qc_name-participant_criterion_name": _field("4.3.1.1", {name: name for name in criteria}),
        f"{_RESPONSE}-size_of_scale": _field("4.3.3", {name: _size(scale) for name, scale in scales.items()}),
        f"{_RESPONSE}-list_or_range": _field("4.3.4", {name: _values(scale) for name, scale in scales.items()}),
        f"{_RESPONSE}-response_aggregation": _field("4.3.9", dict.fromkeys(criteria, mean)),
        f"{_RESPONSE}-effect_size_method": _field("4.3.10", tests),
        f"{_RESPONSE}-inter_annotator-agreement": _field("4.3.11.1", methods),
        f"{_RESPONSE}-inter_annotator-agreement_score": _field("4.3.11.2", values),
        **_intra(analysis, criteria),
    }


def _method(estimate: Estimate) -> str:
    interval = f" ({estimate.interval.level:.0%} interval: {estimate.interval.method})" if estimate.interval else ""
    return f"{estimate.title}{interval}"


def _value(estimate: Estimate) -> str:
    if isnan(estimate.value):
        return f"{estimate.title}: undefined"
    ends = f" [{steady(estimate.interval.low):.3f}, {steady(estimate.interval.high):.3f}]" if estimate.interval else ""
    return f"{estimate.title} = {steady(estimate.value):.3f}{ends}"


def _tests(analysis: Analysis, criterion: str) -> str:
    """The tests that this report ran on the criterion."""
    ranked = [ranking.method for name, ranking in analysis.rankings if name == criterion]
    compared = [
        difference.method
        for several in analysis.comparisons.values()
        for one in several.comparisons
        if one.criterion == criterion
        for difference in one.differences
    ]
    return "; ".join(dict.fromkeys([*ranked, *compared])) or "None"


def _size(scale: Scale) -> str:
    fine = scale.level in (Level.INTERVAL, Level.RATIO) and not scale.declared and len(scale) > _MANY_VALUES
    return "continuous" if fine else str(len(scale))


def _values(scale: Scale) -> str:
    if len(scale) > _MANY_VALUES and scale.level is not Level.NOMINAL:
        return f"[{min(scale.numbers):g}, {max(scale.numbers):g}]"
    words = [spelled(value) for value in scale.values]
    return ", ".join(words[:_MANY_VALUES])


def _intra(analysis: Analysis, criteria: Mapping[str, GroupReliability]) -> dict[str, dict[str, object]]:
    """Agreement of raters with themselves, where items were rated again."""
    methods, values = {}, {}
    for name, one in zip(criteria, analysis.criteria, strict=True):
        found = [row for row in one.stability if not isnan(row.agreement)]
        mean = sum(row.agreement for row in found) / len(found) if found else 0.0
        methods[name] = "share of repeated items given the same value, mean over raters" if found else _NO_INTRA
        values[name] = f"{steady(mean):.3f} ({len(found)} raters)" if found else _NO_INTRA
    key = f"{_RESPONSE}-intra_annotator-intra_annotator_agreement"
    return {key: _field("4.3.12.1", methods), f"{key}_score": _field("4.3.12.2", values)}
