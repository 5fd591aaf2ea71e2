"""Make the assignment plan of a study: deterministic from its seed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.design.assignment import blocks
from accord.design.assignment.bundles import Bundle, bundles_of, main_scenarios, test_set_of
from accord.design.assignment.control_items import Placed, batches
from accord.design.assignment.degrading import degraded, with_foreign_phrase
from accord.design.assignment.even_overlap import Overlap, pairs_met
from accord.design.assignment.order_notes import order_notes
from accord.design.assignment.phases import Material, materials, repeating
from accord.design.assignment.plan import AssignmentPlan, Role, Unit
from accord.design.items import Item
from accord.design.load import Study
from accord.design.study import StudySettings
from accord.errors import InputError
from accord.records import dataclass

__all__ = ["altered_texts", "group_sizes", "plan_assignment"]

_MOST_PLACES = 20_000_000
"""Raters times texts: each is looked at, whoever judges it. 100,000 raters of 200 texts take about 2 GB."""

Indices = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class _Session:
    """A stretch of one rater's work: bundles that may be shuffled among themselves."""

    bundles: Indices
    phase: int = 0
    is_again: bool = False


def plan_assignment(study: Study, *, order: int = 0) -> AssignmentPlan:
    """Who judges what, in which order, with which control items.

    Another ``order`` gives the same units in other hands and another order: late joiners draw from it.
    """
    rng = np.random.default_rng([study.settings.seed, order])
    chooser = np.random.default_rng(study.settings.seed)
    units: list[Unit] = []
    sets = test_set_of(study)
    by_scenario = [bundles_of(study, scenario, units, sets, chooser) for scenario in main_scenarios(study)]
    bundles = [bundle for made in by_scenario for bundle in made]
    _refuse_beyond_memory(study.settings.assignment.raters, len(bundles))
    sizes = group_sizes(study.settings)
    parts = materials(study, _numbered(by_scenario, study.settings))
    sessions = _sessions(study.settings, parts, sizes, rng)
    gold = np.array([place for place, bundle in enumerate(bundles) if _is_gold(study, bundle)], dtype=np.int32)
    sources = [bundle.source for bundle in bundles]
    ordered = [_in_order(study, part, gold, sources, rng) for part in sessions]
    notes = (*_overlap_notes(study.settings, parts, sizes, sessions), *order_notes(study, sessions, by_scenario))
    return replace(_assembled(study, units, bundles, ordered, sizes, rng), notes=notes)


def _refuse_beyond_memory(raters: int, texts: int) -> None:
    if raters * texts > _MOST_PLACES:
        raise InputError(
            f"A plan of {raters:,} raters and {texts:,} texts has {raters * texts:,} places, more than the "
            f"{_MOST_PLACES:,} that are planned at once. Ask fewer raters, or make several studies of the texts."
        )


def group_sizes(settings: StudySettings) -> list[int]:
    """How many raters each group has; those without a number share the rest evenly."""
    raters, groups = settings.assignment.raters, settings.groups
    if not groups:
        return [raters]
    rest = raters - sum(group.raters or 0 for group in groups)
    open_groups = [place for place, group in enumerate(groups) if group.raters is None]
    sizes = [group.raters or 0 for group in groups]
    for turn, place in enumerate(open_groups):
        sizes[place] = rest // len(open_groups) + (turn < rest % len(open_groups))
    return sizes


def _is_gold(study: Study, bundle: Bundle) -> bool:
    return bundle.is_gold and study.settings.controls.gold > 0


def _sessions(
    settings: StudySettings, parts: Sequence[Material], sizes: list[int], rng: np.random.Generator
) -> list[list[_Session]]:
    """For each rater the stretches of work, in order: phase by phase, and again what a phase repeats."""
    found: list[list[_Session]] = [[] for _ in range(settings.assignment.raters)]
    for part in parts:
        for own, more in zip(found, _part_sessions(settings, part, sizes, rng), strict=True):
            own.extend(more)
    for own in found:
        for phase, repeated in repeating(settings):
            own.extend([replace(one, phase=phase, is_again=True) for one in own if one.phase == repeated])
    return [sorted(own, key=lambda session: session.phase) for own in found]


def _part_sessions(
    settings: StudySettings, part: Material, sizes: list[int], rng: np.random.Generator
) -> list[list[_Session]]:
    if settings.assignment.design == "latin-square":
        return _latin_square(settings, part, sizes, rng)
    raters = settings.assignment.raters
    found: list[list[_Session]] = [[] for _ in range(raters)]
    orders = blocks.williams(len(part.by_scenario))
    made = [_scenario_sessions(settings, rows, part.phases, sizes, rng) for rows in part.by_scenario]
    for rater in range(raters):
        for scenario in orders[rater % len(orders)]:
            found[rater].extend(made[scenario][rater])
    return found


def _numbered(by_scenario: Sequence[list[Bundle]], settings: StudySettings) -> list[list[tuple[int, Bundle]]]:
    """Bundles with their places in the whole list; items with known answers are kept for control."""
    found, start = [], 0
    for made in by_scenario:
        rows = [(start + place, bundle) for place, bundle in enumerate(made)]
        found.append([row for row in rows if not (settings.controls.gold and row[1].is_gold)])
        start += len(made)
    return found


def _scenario_sessions(
    settings: StudySettings,
    made: list[tuple[int, Bundle]],
    phases: tuple[int, ...],
    sizes: list[int],
    rng: np.random.Generator,
) -> list[list[_Session]]:
    raters = settings.assignment.raters
    places = np.array([place for place, _ in made], dtype=np.int32)
    if settings.assignment.design == "complementary-halves" and len(phases) == 2:
        first = blocks.complementary_halves(len(made), raters, rng)
        return [[_Session(places[row], phases[0]), _Session(places[~row], phases[1])] for row in first]
    members = _members(settings, made, sizes, rng)
    source = _codes([bundle.source for _, bundle in made])
    phase_of = rng.permutation(np.arange(source.max(initial=-1) + 1) % len(phases))[source]
    by_rater = np.argsort(members[:, 1], kind="stable")
    bounds = np.searchsorted(members[by_rater, 1], np.arange(raters + 1))
    found = []
    for rater in range(raters):
        own = members[by_rater[bounds[rater] : bounds[rater + 1]], 0]
        found.append([_Session(places[own[phase_of[own] == turn]], phase) for turn, phase in enumerate(phases)])
    return found


def _members(
    settings: StudySettings, made: list[tuple[int, Bundle]], sizes: list[int], rng: np.random.Generator
) -> blocks.Members:
    assignment, count = settings.assignment, len(made)
    if assignment.design in ("crossed", "complementary-halves"):
        return blocks.crossed(count, assignment.raters)
    if assignment.design == "nested":
        return blocks.nested(count, assignment.raters, assignment.ratings_per_item or 1, rng)
    if assignment.design == "minimum-overlap":
        return blocks.minimum_overlap(count, assignment.raters, assignment.overlap or 0, rng)
    sources = _codes([bundle.source for _, bundle in made])
    wanted = (assignment.ratings_per_item or 1) // len(sizes)
    start, found = 0, []
    for size in sizes:
        part = blocks.incomplete_blocks(sources, size, wanted, rng, source_once=assignment.source_once)
        found.append(part + np.array([0, start], dtype=np.int32))
        start += size
    return np.concatenate(found).astype(np.int32)


def _overlap_notes(
    settings: StudySettings, parts: Sequence[Material], sizes: list[int], sessions: list[list[_Session]]
) -> tuple[str, ...]:
    """Where pairs of raters in incomplete blocks could not be brought within one of the target."""
    if settings.assignment.design != "incomplete-blocks":
        return ()
    per_bundle = (settings.assignment.ratings_per_item or 1) // len(sizes)
    scenarios = [made for part in parts for made in part.by_scenario]
    last = max((place for made in scenarios for place, _ in made), default=-1)
    inside = np.zeros((last + 1, settings.assignment.raters), dtype=bool)
    for rater, own in enumerate(sessions):
        for session in own:
            inside[session.bundles, rater] = True
    notes = []
    for made in scenarios:
        for stop, size in zip(np.cumsum(sizes), sizes, strict=True):
            shared = pairs_met(inside[[place for place, _ in made], stop - size : stop])
            notes.append(Overlap.of(shared, per_bundle, len(made)).caution)
    return tuple(dict.fromkeys(note for note in notes if note))


def _latin_square(
    settings: StudySettings, part: Material, sizes: list[int], rng: np.random.Generator
) -> list[list[_Session]]:
    """Group g judges test set t in scenario (g + t) mod c, in an order that is counterbalanced in each group."""
    conditions = len(part.by_scenario)
    keys = [part.key for part in settings.test_sets]
    if len(sizes) == 1 and conditions > 1:
        sizes = [
            settings.assignment.raters // conditions + (g < settings.assignment.raters % conditions)
            for g in range(conditions)
        ]
    cells = {
        (scenario, test_set): np.array([p for p, b in part.by_scenario[scenario] if b.test_set == key], dtype=np.int32)
        for scenario in range(conditions)
        for test_set, key in enumerate(keys)
    }
    orders = blocks.williams(conditions)
    found: list[list[_Session]] = []
    for group, size in enumerate(sizes):
        before = len(found)
        for place in rng.permutation(size):
            # An order is a sequence of scenarios, whichever test set the group has for each. A group goes on where
            # the one before stopped: three raters a group and two orders make 3 and 3, not 4 and 2.
            order = orders[(place + before) % len(orders)]
            found.append([_Session(cells[int(s), int((s - group) % conditions)], part.phases[0]) for s in order])
    return found


def _in_order(
    study: Study, sessions: list[_Session], gold: Indices, sources: Sequence[str], rng: np.random.Generator
) -> list[tuple[Placed, int]]:
    """The bundles of a rater as they will be shown, session by session, with control items between them."""
    settings = study.settings
    found = []
    for session in sessions:
        if not len(session.bundles):
            continue
        fixed = settings.assignment.order == "fixed"
        own = session.bundles if fixed else session.bundles[rng.permutation(len(session.bundles))]
        role = np.full(len(own), int(Role.REPEAT if session.is_again else Role.SYSTEM), np.int8)
        placed = (
            batches(own, settings.controls, gold, sources, rng)
            if settings.controls.total and not session.is_again
            else Placed(own, role, np.zeros(len(own), np.int32))
        )
        found.append((placed, session.phase))
    return found


def _assembled(
    study: Study, units: list[Unit], bundles: list[Bundle], ordered: list[list[tuple[Placed, int]]],
    sizes: list[int], rng: np.random.Generator,
) -> AssignmentPlan:  # fmt: skip
    first = np.array([bundle.first for bundle in bundles], dtype=np.int32)
    size = np.array([bundle.size for bundle in bundles], dtype=np.int32)
    turns = np.array([_turns(len(bundle.systems)) for bundle in bundles], dtype=np.int32)
    rows: list[tuple[NDArray[np.int32], ...]] = []
    for rater, sessions in enumerate(ordered):
        before = 0
        for placed, phase in sessions:
            turn = _balanced(turns[placed.bundle], rng)
            columns = (placed.bundle, placed.role.astype(np.int32), placed.batch + before, turn)
            length = size[placed.bundle]
            unit = _ranges(first[placed.bundle], length)
            same = np.full(len(unit), rater, dtype=np.int32)
            rows.append((same, unit, np.full_like(same, phase), *(np.repeat(c, length) for c in columns[1:])))
            before += int(placed.batch.max(initial=0)) + 1
    slots, unit, phases, role, batch, turn = (np.concatenate(column) for column in zip(*rows, strict=True))
    width = len(str(study.settings.assignment.raters))
    names = tuple(f"R{slot:0{width}d}" for slot in range(1, study.settings.assignment.raters + 1))
    keys = [group.key for group in study.settings.groups] or [""]
    groups = tuple(key for key, number in zip(keys, sizes, strict=True) for _ in range(number))
    return AssignmentPlan(
        names, groups, tuple(units), tuple(phase.key for phase in study.settings.phases), slots, unit,
        role.astype(np.int8), phases.astype(np.int8), batch, turn.astype(np.int8), study.settings.assignment.design,
        study.settings.seed, altered_texts(study, units, unit, role, rng),
    )  # fmt: skip


def _turns(systems: int) -> int:
    return (1, 1, 2)[systems] if systems < 3 else 2 * systems


def _balanced(turns: Indices, rng: np.random.Generator) -> Indices:
    """An order of systems for each bundle, each order equally often within one."""
    if not len(turns) or turns.max() < 2:
        return np.zeros(len(turns), dtype=np.int32)
    return (rng.permutation(len(turns)) % turns).astype(np.int32)


def _ranges(first: Indices, length: Indices) -> Indices:
    """The numbers first, first + 1, ... of each bundle, one after the other."""
    ends = np.cumsum(length)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - length, length)
    numbers: Indices = (np.repeat(first, length) + within).astype(np.int32)
    return numbers


def _codes(names: list[str]) -> Indices:
    index: dict[str, int] = {}
    return np.array([index.setdefault(name, len(index)) for name in names], dtype=np.int32)


def altered_texts(
    study: Study, units: list[Unit], unit: Indices, role: Indices, rng: np.random.Generator
) -> dict[tuple[int, int], str]:
    """The texts of control items that are not the systems' own; one spoilt text an item, the same for all raters."""
    wanted = sorted(
        {
            (int(place), int(kind))
            for place, kind in zip(unit[role > 1], role[role > 1], strict=True)
            if kind in (Role.DEGRADED, Role.ATTENTION, Role.REFERENCE)
        }
    )
    found = {}
    donors: dict[str, list[Item]] = {}
    for place, kind in wanted:
        shown = units[place]
        if not shown.item:
            continue
        item, system = study.item_by_id[shown.item], shown.systems[0]
        if kind == Role.REFERENCE:
            found[place, kind] = item.reference(study.settings.scenario(shown.scenario).reference)
            continue
        if system not in donors:
            donors[system] = [other for other in study.items if system in other.outputs]
        chosen = int(rng.integers(len(donors[system])))
        if donors[system][chosen].id == item.id:
            chosen = (chosen + 1) % len(donors[system])
        donor = donors[system][chosen].outputs[system]
        spoil = degraded if kind == Role.DEGRADED else with_foreign_phrase
        found[place, kind] = spoil(item.outputs[system], donor, rng)
    return found
