"""``accord check``: all problems of a study folder, or a preview of its plan."""

from dataclasses import asdict
from math import nan
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit, progress
from accord.coefficients.registry import COEFFICIENTS
from accord.design.assignment import AssignmentPlan, Role, plan_assignment
from accord.design.items import own_columns
from accord.design.load import Study, load_study
from accord.design.scale import Direction, Scale
from accord.errors import NotEnoughDataError, OperationError, OptionError
from accord.planning.plan_check import require_sound_plan
from accord.planning.precision import items_needed, raters_needed, width_grid
from accord.planning.preview import Precision, Preview, phases_apart, planned_scale, preview_study
from accord.plots.chart import FORMATS
from accord.tables.table import Cell, Column, Table
from accord.words import listed, steady

__all__ = ["check"]

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")]
_Plan = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the expected widths of every criterion: .svg, .png, .html.")
]
_Guess = Annotated[float, typer.Option(help="Reliability that is hoped for, or was found in a pilot.")]
_Width = Annotated[float | None, typer.Option(help="Wanted width of the interval: items and raters it takes.")]
_Coefficient = Annotated[
    str | None, typer.Option(help="Coefficient whose interval is expected; the declared one, else Krippendorff's α.")
]
_Confidence = Annotated[
    float | None,
    typer.Option(min=0.5, max=0.999, help="Confidence level of the interval; the declared one, else 0.95."),
]
_Studies = Annotated[int, typer.Option(min=50, max=10_000, help="Simulated studies behind each width.")]
_PAIRS_SHOWN = 12


def check(
    folder: _Folder,
    plan: _Plan = None,
    guess: _Guess = 0.6,
    width: _Width = None,
    coefficient: _Coefficient = None,
    confidence: _Confidence = None,
    studies: _Studies = 200,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Report all problems at once, or preview what the plan asks of raters and what it will tell."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    if plan is not None and plan.suffix.lower() not in FORMATS:
        raise OptionError(f"A plan cannot be drawn as '{plan.name}'. Name a file that ends in {', '.join(FORMATS)}.")
    study = load_study(folder)
    require_sound_plan(study)
    assignment = plan_assignment(study)
    with progress("Simulating"):
        preview = preview_study(
            study, assignment, guess=guess, key=coefficient, level=confidence, studies=studies
        )  # fmt: skip
        needed = _needed(study, preview, width, guess, studies) if width is not None else []
    tables = [_work_table(preview), *_overlap_tables(assignment), _precision_table(preview, guess)]
    tables += [_needed_table(needed, width, guess)] if width is not None else []
    lines = [*_own_columns(study), *_no_good_end(study), *_practice(study), *_shown_again(assignment)]
    lines += assignment.notes
    if plan is not None:
        with progress("Drawing"):
            _draw(study, preview, plan, guess)
        lines.append(f"Drawn: {plan}")
    emit(
        tables,
        _data(study, assignment, preview, needed, guess),
        form,
        lines=lines,
        opening=[_summary(study, assignment, preview)],
    )


def _summary(study: Study, plan: AssignmentPlan, preview: Preview) -> str:
    cost = f", {preview.cost:,.2f} {preview.currency}" if preview.cost else ""
    held = preview.reserve
    reserve = f" Of these {_number(held.screens, 'task')}, {held.hours:.1f} hours, are a reserve." if held else ""
    return (
        f"No problems. {_number(len(study.items), 'item')}, {_number(len(study.systems), 'system')}, "
        f"{_number(len(plan.raters), 'rater')}, "
        f"{len(plan):,} tasks, {preview.hours:.1f} hours{cost}.{reserve} Design: {plan.design}, seed {plan.seed}."
    )


def _own_columns(study: Study) -> list[str]:
    """Columns that are no part of the study file are named, so that a mistyped one is seen."""
    names = own_columns(study.items)
    return [f"Columns of your own, carried to the ratings: {', '.join(names)}."] if names else []


def _shown_again(plan: AssignmentPlan) -> list[str]:
    """What is judged twice by the same rater: without it nothing is learnt about how steady raters are."""
    again = np.bincount(plan.rater[plan.role == int(Role.REPEAT)], minlength=len(plan.raters))
    if not again.any():
        return ["No item is shown again, so how steady raters are cannot be measured (test and retest)."]
    few, many = int(again.min()), int(again.max())
    number = _number(many, "item") if few == many else f"{few:,} to {many:,} items"
    return [f"Each rater judges {number} again; accord diagnose --show stability will show how steady they are."]


def _no_good_end(study: Study) -> list[str]:
    """Criteria of which study.toml does not say which end is good; the version before this one took the high end."""
    unsaid = [one.key for one in study.settings.criteria if one.meaning().direction is Direction.UNKNOWN]
    if not unsaid:
        return []
    return [
        f"Which end of {listed(unsaid)} is good is not declared, so nothing will be called better there. Write "
        'best = "high" (which was taken for granted before) or best = "low" under [[criteria]].'
    ]


def _practice(study: Study) -> list[str]:
    """Practice items of other language pairs are not shown; where that leaves none, raters start untrained."""
    settings, shown = study.settings, study.settings.tutorial()
    others = [one.pair for place, one in enumerate(settings.practice) if place not in shown]
    if not others:
        return []
    own = settings.language_pair
    are = f"{len(others)} of {_number(len(settings.practice), 'practice item')} {'is' if len(others) == 1 else 'are'}"
    told = f"{are} for {listed(sorted(set(others)))} and not shown in this study, which is {own}."
    if shown:
        return [told]
    return [f"{told} Raters practise nothing: write practice items for {own}, or leave out `pair` where any will do."]


def _number(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _work_table(preview: Preview) -> Table:
    columns = [
        Column("rater", "rater"), Column("group", "group"), Column("tasks", "tasks"),
        Column("controls", "control items"), Column("answers", "answers"), Column("minutes", "minutes", 0),
        Column("cost", f"cost, {preview.currency}", 2),
    ]  # fmt: skip
    rows: list[dict[str, Cell]] = [
        {
            "rater": load.rater, "group": load.group, "tasks": load.tasks, "controls": load.controls,
            "answers": load.answers, "minutes": load.minutes, "cost": load.cost,
        }
        for load in preview.workloads
    ]  # fmt: skip
    return Table("What each rater has to do", columns, rows)


def _overlap_tables(plan: AssignmentPlan) -> list[Table]:
    """What pairs of raters share, in each phase apart where there are several: agreement is computed within one."""
    title = "What pairs of raters have in common"
    if len(plan.phases) < 2:
        return [_overlap_table(plan, plan.overlap(), title)]
    return [
        _overlap_table(plan, plan.overlap(phase), f"{title} in phase {phase}") for phase in phases_apart(plan)
    ]  # fmt: skip


def _overlap_table(plan: AssignmentPlan, overlap: NDArray[np.int64], title: str) -> Table:
    """Pairs of raters by what they share; equal ones are counted where there are many."""
    first, second = np.triu_indices(len(plan.raters), k=1)
    shared = overlap[first, second]
    if len(shared) <= _PAIRS_SHOWN:
        rows: list[dict[str, Cell]] = [
            {"pair": f"{plan.raters[a]} and {plan.raters[b]}", "items": int(n)}
            for a, b, n in zip(first, second, shared, strict=True)
        ]
        return Table(title, [Column("pair", "pair"), Column("items", "items in common")], rows)
    values, counts = np.unique(shared, return_counts=True)
    rows = [{"items": int(n), "pairs": int(count)} for n, count in zip(values, counts, strict=True)]
    return Table(title, [Column("items", "items in common"), Column("pairs", "pairs")], rows)


def _precision_table(preview: Preview, guess: float) -> Table:
    columns = [
        Column("scenario", "scenario"),
        *([Column("phase", "phase")] if any(part.phase for part in preview.precision) else []),
        Column("criterion", "criterion"), Column("items", "items"),
        Column("per_item", "raters of an item", 1), Column("coefficient", "coefficient"), Column("low", "low"),
        Column("high", "high"), Column("width", "width"), Column("why", "why not"),
    ]  # fmt: skip
    rows = [_precision_row(part) for part in preview.precision]
    if not any(row["why"] for row in rows):
        columns = columns[:-1]
    known = next((part.expected for part in preview.precision if part.expected), None)
    notes = [f"If the true reliability is {guess:g}: where the coefficient will lie."]
    if known is not None:
        share, studies = f"{known.interval.level:.0%}", known.interval.replicates
        notes.append(f"{share} of {studies} simulated studies; sentences of one document are taken as independent.")
    return Table("What reliability can be estimated", columns, rows, notes)


def _precision_row(part: Precision) -> dict[str, Cell]:
    expected = part.expected
    return {
        "scenario": part.scenario, "phase": part.phase, "criterion": part.criterion, "items": part.items,
        "per_item": part.raters_per_item,
        "coefficient": COEFFICIENTS[expected.coefficient].title if expected else None,
        "low": expected.interval.low if expected else None, "high": expected.interval.high if expected else None,
        "width": expected.width if expected else None, "why": part.why_not,
    }  # fmt: skip


def _needed(study: Study, preview: Preview, width: float, guess: float, studies: int) -> list[dict[str, Cell]]:
    """Items and raters that would give the wanted width, once for each kind of scale."""
    rng = np.random.default_rng([study.settings.seed, 2])
    rows: list[dict[str, Cell]] = []
    done: set[tuple[object, ...]] = set()
    for part in preview.precision:
        scenario = study.settings.scenario(part.scenario)
        scale = planned_scale(study.settings.criterion(part.criterion), scenario.systems)
        raters = max(2, round(part.raters_per_item))
        if (same := (scale.level, len(scale), raters, part.coefficient)) in done:
            continue
        done.add(same)
        options: dict[str, Any] = {"key": part.coefficient, "level": part.confidence, "studies": studies}
        rows.append({
            "criterion": part.criterion, "scenario": part.scenario, "raters": raters,
            "items_needed": _items(width, raters, scale, guess, rng, options),
            "items": part.items,
            "raters_needed": raters_needed(width, max(part.items, 2), scale, guess, rng, **options),
        })  # fmt: skip
    return rows


def _items(width: float, raters: int, scale: Any, guess: float, rng: Any, options: dict[str, Any]) -> int | None:
    try:
        return items_needed(width, raters, scale, guess, rng, **options)
    except NotEnoughDataError:
        return None


def _needed_table(rows: list[dict[str, Cell]], width: float | None, guess: float) -> Table:
    columns = [
        Column("scenario", "scenario"), Column("criterion", "criterion"), Column("raters", "with raters of an item"),
        Column("items_needed", "items needed"), Column("items", "with items"), Column("raters_needed", "raters needed"),
    ]  # fmt: skip
    notes = ["An empty cell: more than 20,000 items, or more than 12 raters. One line for each kind of scale."]
    return Table(f"What an interval {width:g} wide takes, at a reliability of {guess:g}", columns, rows, notes)


def _draw(study: Study, preview: Preview, path: Path, guess: float) -> None:
    """A panel for each criterion whose reliability can be estimated; equal ones share a panel."""
    from accord.plots.plan import Widths, expected_widths

    rng = np.random.default_rng([study.settings.seed, 3])
    panels = []
    for scale, parts in _alike(study, preview):
        width = parts[0].expected.width if parts[0].expected is not None else nan
        options: dict[str, Any] = {"key": parts[0].coefficient, "level": parts[0].confidence}
        grid = width_grid(parts[0].items, scale, guess, rng, **options)
        names = f"{_names(parts)}: {steady(width):.2f} wide"
        planned = (parts[0].items, width)
        panels.append(Widths(names, grid.items.tolist(), grid.raters.tolist(), grid.widths, planned))
    if not panels:
        raise NotEnoughDataError("No reliability can be estimated from this plan, so there is nothing to draw.")
    widths = sorted(panel.planned[1] for panel in panels)
    keys = " and ".join(dict.fromkeys(part.coefficient for part in preview.precision if part.expected))
    level = preview.precision[0].confidence
    found = f"{steady(widths[0]):.2f}" if len(widths) == 1 else f"{steady(widths[0]):.2f} to {steady(widths[-1]):.2f}"
    chart = expected_widths(
        panels, title=f"This plan gives intervals {found} wide",
        axis=f"expected width of the {level:.0%} interval of {keys}",
        subtitle=f"Expected {level:.0%} intervals of {keys}, simulated with a true reliability of {guess:g}.",
    )  # fmt: skip
    try:
        chart.save(path)
    except OSError as error:
        raise OperationError(f"{path} cannot be written: {error.strerror}.") from None


def _names(parts: list[Precision]) -> str:
    """Criteria by scenario: 'adequacy and fluency (RS, SC)'."""
    by_scenarios: dict[str, list[str]] = {}
    for criterion in dict.fromkeys(part.criterion for part in parts):
        scenarios = ", ".join(f"{part.scenario} {part.phase}".strip() for part in parts if part.criterion == criterion)
        by_scenarios.setdefault(scenarios, []).append(criterion)
    return "; ".join(f"{_listed(names)} ({scenarios})" for scenarios, names in by_scenarios.items())


def _alike(study: Study, preview: Preview) -> list[tuple[Scale, list[Precision]]]:
    """Criteria with a reliability to expect; those with equal scales, items and raters stand together."""
    found: dict[tuple[object, ...], tuple[Scale, list[Precision]]] = {}
    for part in preview.precision:
        if part.expected is None:
            continue
        scenario = study.settings.scenario(part.scenario)
        scale = planned_scale(study.settings.criterion(part.criterion), scenario.systems)
        same = (scale.level, len(scale), part.items, part.raters_per_item, part.coefficient)
        found.setdefault(same, (scale, []))[1].append(part)
    return list(found.values())


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _data(
    study: Study, plan: AssignmentPlan, preview: Preview, needed: list[dict[str, Cell]], guess: float
) -> dict[str, Any]:
    first, second = np.triu_indices(len(plan.raters), k=1)
    apart = {phase: plan.overlap(phase) for phase in plan.phases} if len(plan.phases) > 1 else {}
    return {
        "study": {
            "title": study.settings.title, "items": len(study.items), "systems": len(study.systems),
            "fingerprint": study.fingerprint, "design": plan.design, "seed": plan.seed,
            "own_columns": list(own_columns(study.items)),
        },
        "problems": [],
        "raters": list(_work_table(preview).rows),
        "overlap": [
            {"first": plan.raters[a], "second": plan.raters[b], "items": int(preview.overlap[a, b]),
             **({"phases": {phase: int(shared[a, b]) for phase, shared in apart.items()}} if apart else {})}
            for a, b in zip(first, second, strict=True)
        ],
        "guess": guess,
        "reliability": [_precision_row(part) for part in preview.precision],
        "needed": needed,
        "hours": preview.hours, "cost": preview.cost, "currency": preview.currency,
        "reserve": preview.reserve and asdict(preview.reserve), "notes": list(plan.notes),
    }  # fmt: skip
