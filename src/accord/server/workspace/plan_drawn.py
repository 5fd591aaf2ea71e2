"""A plan as the wizard draws it: who judges what, what it costs, and how exactly reliability will be known."""

from collections import Counter
from typing import Any

import numpy as np

from accord.design.assignment import AssignmentPlan
from accord.design.load import Study
from accord.look.bar import Bar
from accord.planning.preview import Preview, preview_study
from accord.records import dataclass
from accord.server.organiser.drawing import drawn_bar

__all__ = ["DrawnPlan", "drawn_plan"]

_STUDIES = 100
_GUESS = 0.6
_MOST_DOCUMENTS, _MOST_RATERS = 24, 24
_SHADES = 5


@dataclass(frozen=True, slots=True)
class DrawnPlan:
    """What the page says and draws of a plan."""

    sentence: str
    why: str
    documents: list[str]
    rows: list[dict[str, Any]]
    more: str
    shared: str
    precision: list[dict[str, Any]]
    notes: tuple[str, ...]


def drawn_plan(study: Study, plan: AssignmentPlan, *, studies: int = _STUDIES) -> DrawnPlan:
    """Everything about a plan; ``studies`` 0 leaves out what has to be simulated."""
    preview = preview_study(study, plan, guess=_GUESS, studies=max(studies, 1)) if studies else None
    documents = list(study.documents)
    numbers = [str(number) for number in range(1, min(len(documents), _MOST_DOCUMENTS) + 1)]
    cut = _cut(len(documents), len(plan.raters))
    return DrawnPlan(
        _sentence(study, plan, preview),
        _why(preview),
        numbers,
        _rows(plan, documents),
        cut,
        _shared(plan),
        _precision(preview),
        plan.notes,
    )


def _sentence(study: Study, plan: AssignmentPlan, preview: Preview | None) -> str:
    raters = f"{len(plan.raters)} rater{'s' if len(plan.raters) != 1 else ''}"
    if preview is None:
        return f"{raters}, {len(study.items):,} segments, {len(plan):,} screens."
    cost = f", {preview.cost:,.0f} {preview.currency}" if preview.cost else ""
    return f"{raters}, {preview.hours:.1f} hours{cost}, {len(plan):,} screens."


def _why(preview: Preview | None) -> str:
    known = [part.expected.width for part in preview.precision if part.expected] if preview else []
    if not known:
        return ""
    low, high = min(known) / 2, max(known) / 2
    within = f"±{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"±{low:.2f} to ±{high:.2f}"
    return f"If the true reliability is {_GUESS:g}, it will be known within {within}, in {_STUDIES} simulated studies."


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
        parts.append(f"{documents - _MOST_DOCUMENTS:,} more documents")
    if raters > _MOST_RATERS:
        parts.append(f"{raters - _MOST_RATERS:,} more raters")
    return f"and {' and '.join(parts)}" if parts else ""


def _shared(plan: AssignmentPlan) -> str:
    if len(plan.raters) < 2:
        return "One rater: nothing can be said about agreement."
    first, second = np.triu_indices(len(plan.raters), k=1)
    shared = plan.overlap()[first, second]
    few, many = int(shared.min()), int(shared.max())
    if not many:
        return "No two raters share a text: agreement cannot be computed."
    return (
        f"Every pair of raters shares {few:,} texts."
        if few == many
        else f"Pairs of raters share {few:,} to {many:,} texts."
    )


def _precision(preview: Preview | None) -> list[dict[str, Any]]:
    rows = []
    for part in preview.precision if preview else ():
        expected = part.expected
        bar = ""
        if expected is not None:
            words = f"expected between {expected.interval.low:.2f} and {expected.interval.high:.2f}"
            bar = drawn_bar(Bar(_GUESS, expected.interval.low, expected.interval.high, words, (0.0, 1.0), (2 / 3, 0.8)))
        rows.append(
            {
                "criterion": part.criterion,
                "scenario": part.scenario,
                "why_not": part.why_not,
                "bar": bar,
                "half": f"±{expected.width / 2:.2f}" if expected else "",
            }
        )
    return rows
