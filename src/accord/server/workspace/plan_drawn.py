"""A plan as the wizard draws it: who judges what, what it costs, and how exactly reliability will be known."""

from collections import Counter
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from accord.design.assignment import AssignmentPlan
from accord.design.load import Study
from accord.design.study import StudySettings
from accord.look.bar import Bar
from accord.planning.preview import Preview, preview_study
from accord.records import dataclass
from accord.server.organiser.drawing import drawn_bar
from accord.server.workspace.plan_shows import STUDIES, difference_in_words, hours_text, least_difference, widest
from accord.words import steady

__all__ = ["GUESS", "DrawnPlan", "drawn_plan", "phases_of"]

GUESS = 0.6
"""The reliability that is hoped for, where nobody said another one."""
_MOST_DOCUMENTS, _MOST_RATERS = 24, 24
_SHADES = 5


@dataclass(frozen=True, slots=True)
class DrawnPlan:
    """What the page says and draws of a plan."""

    sentence: str
    reserve: str
    """How much of it is a reserve, in words; empty where nothing is."""
    why: str
    documents: list[str]
    rows: list[dict[str, Any]]
    more: str
    shared: str
    precision: list[dict[str, Any]]
    notes: tuple[str, ...]
    shows: str
    """The smallest difference between systems that it would show, in words."""
    hours: float
    half: float
    """Half the width of the widest interval that is expected; 0 where none is."""
    preview: Preview
    """What it was drawn from: other plans beside it are held against the same numbers."""


def drawn_plan(study: Study, plan: AssignmentPlan, *, studies: int = STUDIES) -> DrawnPlan:
    """Everything about a plan, its precision from so many simulated studies."""
    preview = preview_study(study, plan, guess=GUESS, studies=studies)
    documents = list(study.documents)
    numbers = [str(number) for number in range(1, min(len(documents), _MOST_DOCUMENTS) + 1)]
    cut = _cut(len(documents), len(plan.raters))
    return DrawnPlan(
        _sentence(plan, preview),
        _reserve(preview),
        _why(preview),
        numbers,
        _rows(plan, documents),
        cut,
        _shared(plan),
        _precision(study, preview),
        plan.notes,
        difference_in_words(study, least_difference(study, preview, GUESS)),
        preview.hours,
        widest(preview) or 0.0,
        preview,
    )


def phases_of(settings: StudySettings, plan: AssignmentPlan) -> list[dict[str, Any]]:
    """Each declared phase with its screens, and whether it is a reserve."""
    counts = Counter(plan.phases[place] for place in plan.phase.tolist()) if plan.phases else Counter[str]()
    return [
        {"title": one.title or one.key, "screens": f"{counts[one.key]:,}", "is_reserve": one.reserve}
        for one in settings.phases
    ]


def _sentence(plan: AssignmentPlan, preview: Preview) -> str:
    counts = {"raters": len(plan.raters), "screens": f"{len(plan):,}", "hours": hours_text(preview.hours)}
    if not preview.cost:
        return _("{raters} raters, {hours} hours, {screens} screens.").format(**counts)
    cost = f"{preview.cost:,.0f} {preview.currency}"
    return _("{raters} raters, {hours} hours, {cost}, {screens} screens.").format(**counts, cost=cost)


def _reserve(preview: Preview) -> str:
    if (held := preview.reserve) is None:
        return ""
    counts = {"screens": f"{held.screens:,}", "hours": hours_text(held.hours)}
    if not held.cost:
        words = _("Of this a reserve, asked for only if you open it: {hours} hours, {screens} screens.")
        return words.format(**counts)
    words = _("Of this a reserve, asked for only if you open it: {hours} hours, {cost}, {screens} screens.")
    return words.format(**counts, cost=f"{held.cost:,.0f} {preview.currency}")


def _why(preview: Preview) -> str:
    half = widest(preview)
    if half is None:
        return ""
    words = _("If the true reliability is {guess}, it will be known within {within}, in {n} simulated studies.")
    return words.format(guess=f"{GUESS:g}", within=f"±{steady(half):.2f}", n=STUDIES)


def _rows(plan: AssignmentPlan, documents: list[str]) -> list[dict[str, Any]]:
    counts = Counter(
        (plan.raters[rater], plan.units[unit].document) for rater, unit in zip(plan.rater, plan.unit, strict=True)
    )
    most = max(counts.values(), default=1)
    return [
        {
            "rater": rater,
            "cells": [
                (n := counts[rater, document], -(-n * _SHADES // most)) for document in documents[:_MOST_DOCUMENTS]
            ],
        }
        for rater in plan.raters[:_MOST_RATERS]
    ]


def _cut(documents: int, raters: int) -> str:
    parts = []
    if documents > _MOST_DOCUMENTS:
        parts.append(_("Documents not drawn: {n}.").format(n=f"{documents - _MOST_DOCUMENTS:,}"))
    if raters > _MOST_RATERS:
        parts.append(_("Raters not drawn: {n}.").format(n=f"{raters - _MOST_RATERS:,}"))
    return " ".join(parts)


def _shared(plan: AssignmentPlan) -> str:
    if len(plan.raters) < 2:
        return _("One rater: nothing can be said about agreement.")
    first, second = np.triu_indices(len(plan.raters), k=1)
    shared = plan.overlap()[first, second]
    few, many = int(shared.min()), int(shared.max())
    if not many:
        return _("No two raters share a text: agreement cannot be computed.")
    if few == many:
        return _("Texts that every pair of raters shares: {n}.").format(n=f"{few:,}")
    return _("Texts that pairs of raters share: {few} to {many}.").format(few=f"{few:,}", many=f"{many:,}")


def _precision(study: Study, preview: Preview) -> list[dict[str, Any]]:
    scenarios = study.settings.scenarios
    # Where there is one scenario only, nothing has to be told apart by it.
    titles = {one.key: one.title or one.key for one in scenarios} if len(scenarios) > 1 else {}
    phases = {one.key: one.title or one.key for one in study.settings.phases}
    rows = []
    for part in preview.precision:
        expected = part.expected
        bar = ""
        if expected is not None:
            ends = {"low": f"{steady(expected.interval.low):.2f}", "high": f"{steady(expected.interval.high):.2f}"}
            words = _("expected between {low} and {high}").format(**ends)
            bar = drawn_bar(Bar(GUESS, expected.interval.low, expected.interval.high, words, (0.0, 1.0), (2 / 3, 0.8)))
        rows.append(
            {
                "criterion": part.criterion,
                "part": " · ".join(filter(None, (titles.get(part.scenario, ""), phases.get(part.phase, "")))),
                "why_not": part.why_not,
                "bar": bar,
                "half": f"±{steady(expected.width / 2):.2f}" if expected else "",
            }
        )
    return rows
