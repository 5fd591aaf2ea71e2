"""Every part of a judge's dossier drawn: one table from the name of a part to its chart."""

from collections.abc import Callable, Mapping

import numpy as np

from accord.errors import OptionError
from accord.judging.dossier import CriterionDossier
from accord.judging.errs import confusion
from accord.judging.gate import Gate
from accord.judging.labels import labels_for
from accord.plots.chart import Chart
from accord.plots.judges import agreement_chart, bar_chart, effect_chart, met_chart, points_chart, score_chart
from accord.plots.scores import shrinking_interval
from accord.words import steady

__all__ = ["PARTS", "chart_of", "gate_chart"]


def _people(name: str, one: CriterionDossier) -> Chart:
    if one.test is None:
        raise OptionError(f"There is no alternative annotator test to draw. {one.refused}")
    bars = [
        (human.human, who, share)
        for human in one.test.humans
        for who, share in ((name, human.judge_wins), ("the person", human.human_wins))
    ]
    title = f"Who fits the other people better, {name} or the person left out"
    return bar_chart(title, "share of items, a tie counts for both", bars, subtitle=f"ε = {one.test.epsilon:g}")


def _scores(name: str, one: CriterionDossier) -> Chart:
    measure = one.measures[0]
    return score_chart(name, measure.name, [("all", measure.overall), *measure.systems])


def _differences(name: str, one: CriterionDossier) -> Chart:
    found = [(f"{d.first} – {d.second}", d.corrected.mean, d.corrected.interval) for d in one.measures[0].differences]
    return points_chart(f"Differences between systems, scores of {name} corrected by people", "difference", found)


def _verdicts(name: str, one: CriterionDossier) -> Chart:
    said = one.verdicts
    if said is None:
        raise OptionError("There are no verdicts of yes and no to draw. Name what counts as yes with positive=VALUE.")
    points = [
        ("right where people say yes (TPR)", said.true_positive, said.true_positive_interval),
        ("right where people say no (TNR)", said.true_negative, said.true_negative_interval),
        (f"corrected share of {said.positive}", said.corrected, said.corrected_interval),
    ]
    return points_chart(f"Verdicts of {name}", "share", points)


def _confusion(name: str, one: CriterionDossier) -> Chart:
    found = confusion(one.panel)
    if found is None:
        raise OptionError("The scale has too many values for a table of who says what.")
    values, table = found
    rows = np.divide(table, table.sum(axis=1, keepdims=True), out=np.zeros_like(table), where=table > 0)
    return met_chart(name, values, rows.tolist())


def _groups(name: str, one: CriterionDossier) -> Chart:
    return effect_chart(name, "Judge minus people", [effect for group in one.groups.values() for effect in group])


def _steadiness(name: str, one: CriterionDossier) -> Chart:
    if one.runs is None or np.isnan(one.runs.share):
        raise OptionError("There is no steadiness to draw: no item was scored twice in the same way (a column run).")
    bars = [("between items", "variance", one.runs.answers), ("between runs", "variance", one.runs.judging)]
    return bar_chart(f"Variance of scores of {name}", "squared score points", bars)


def _settings(name: str, one: CriterionDossier) -> Chart:
    effects = [*one.settings, *([] if isinstance(one.drift, str) else [one.drift])]
    return effect_chart(name, "Another prompt or version, and drift", effects)


def _several(name: str, one: CriterionDossier) -> Chart:
    if one.several is None:
        raise OptionError("There are not several judges with 20 labelled items in common.")
    found = one.several
    bars = [*zip(found.judges, found.error, strict=True), ("mean of all", found.panel_error)]
    title = f"Errors of {len(found.judges)} judges, worth {steady(found.worth):.1f} independent ones"
    return bar_chart(title, "root mean square error in points, without the shift", [(n, "error", e) for n, e in bars])


def _worth(name: str, one: CriterionDossier) -> Chart:
    if one.worth is None:
        raise OptionError("What its scores are worth needs ten labels in five documents.")
    title = f"What {one.worth.scores:,} scores of {name} are worth beside {one.worth.labels:,} labels"
    return points_chart(title, "human labels", [("labels more", one.worth.value, one.worth.interval)])


def _labels(name: str, one: CriterionDossier) -> Chart:
    overall = one.measures[0].overall
    if overall.interval is None:
        raise OptionError(f"There is no interval to narrow: {overall.refused}.")
    half = overall.interval.width / 2
    needed = [(labels_for(overall, half * share), half * share) for share in (1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3)]
    known = [(labels, width) for labels, width in needed if labels is not None]
    return shrinking_interval(
        [float(labels) for labels, _ in known], [overall.mean - width for _, width in known],
        [overall.mean + width for _, width in known], title=f"How the corrected score of {name} narrows",
        across="human labels", axis=one.measures[0].name,
    )  # fmt: skip


PARTS: Mapping[str, Callable[[str, CriterionDossier], Chart]] = {
    "agreement": lambda name, one: agreement_chart(name, one.beside),
    "people": _people,
    "scores": _scores,
    "differences": _differences,
    "worth": _worth,
    "verdicts": _verdicts,
    "confusion": _confusion,
    "groups": _groups,
    "probes": lambda name, one: effect_chart(name, "Bias probes", one.probes),
    "steadiness": _steadiness,
    "settings": _settings,
    "several": _several,
    "labels": _labels,
}
"""The parts of a dossier by name, in its order."""


def chart_of(part: str, name: str, one: CriterionDossier) -> Chart:
    """The chart of one part."""
    if part not in PARTS:
        raise OptionError(f"There is no part {part!r} to draw. Known: {', '.join((*PARTS, 'gate'))}.")
    return PARTS[part](name, one)


def gate_chart(name: str, gate: Gate | None) -> Chart:
    """What each criterion of the gate found, beside its limit."""
    if gate is None:
        raise OptionError("No gate was asked for: accord.judge(..., gate={'winning_rate': 0.5}).")
    bars = [
        (f"{one.asked} ({one.criterion})", which, value)
        for one in gate.checks
        for which, value in (("found", one.value), ("limit", one.limit))
        if value is not None
    ]
    return bar_chart(f"{gate.verdict}: the gate of {name}", "as the gate names it", bars)
