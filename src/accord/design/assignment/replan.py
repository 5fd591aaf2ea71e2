"""Plan again when raters leave or join: what was given stays as it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.design.assignment.control_items import batches
from accord.design.assignment.make import altered_texts, plan_assignment
from accord.design.assignment.plan import AssignmentPlan, Role
from accord.design.load import Study
from accord.errors import OptionError
from accord.records import dataclass

__all__ = ["replan"]

Rows = NDArray[np.int32]
"""Rows of a plan: rater, unit, role, phase, batch, turn."""
_WHOLE = ("crossed", "latin-square", "complementary-halves")
"""Designs in which every rater of a group does the same work: a newcomer does all of it."""


@dataclass
class _Slot:
    """One rater while the plan is being made again."""

    name: str
    group: str
    rows: Rows
    given: int
    is_leaving: bool = False
    is_new: bool = False


def replan(
    study: Study,
    plan: AssignmentPlan,
    *,
    given: Mapping[str, int],
    left: Sequence[str] = (),
    joined: Sequence[str] = (),
) -> AssignmentPlan:
    """The plan after some raters left and others joined.

    ``given`` says how many tasks each rater has been handed; these first rows never change. ``left`` are
    raters who will do no more, ``joined`` the group of each newcomer ('' where there are no groups).
    Work that nobody may take any more is named in the notes.
    """
    _require_known(plan, [*given, *left], joined)
    slots = _slots(plan, given, left, joined)
    rng = np.random.default_rng([plan.seed, len(plan.raters), len(left), sum(given.values())])
    if plan.design in _WHOLE:
        orphans = sum(len(slot.rows) - slot.given for slot in slots if slot.is_leaving)
        _keep_given(slots)
        _whole_lists(study, plan, slots)
        orphans = 0 if any(slot.is_new for slot in slots) else orphans
    else:
        orphans = _shared_out(study, plan, slots)
        _with_controls(study, plan, slots, rng)
    return _assembled(study, plan, slots, orphans, rng)


def _require_known(plan: AssignmentPlan, names: Sequence[str], joined: Sequence[str]) -> None:
    if unknown := sorted(set(names) - set(plan.raters)):
        raise OptionError(
            f"the plan has no rater {unknown[0]!r}. Its raters are {plan.raters[0]} to {plan.raters[-1]}."
        )
    if wrong := sorted(set(joined) - set(plan.groups)):
        known = ", ".join(sorted({*plan.groups} - {""}))
        raise OptionError(f"the plan has no group {wrong[0]!r}. {f'Its groups: {known}' if known else 'It has none'}.")


def _slots(plan: AssignmentPlan, given: Mapping[str, int], left: Sequence[str], joined: Sequence[str]) -> list[_Slot]:
    table = np.stack([plan.rater, plan.unit, plan.role, plan.phase, plan.batch, plan.turn], axis=1).astype(np.int32)
    slots = []
    for name, group in zip(plan.raters, plan.groups, strict=True):
        rows = plan.rows_of(name)
        own = table[rows.start : rows.stop]
        slots.append(_Slot(name, group, own, min(given.get(name, 0), len(own)), name in left))
    width = len(plan.raters[0]) - 1
    empty = np.empty((0, 6), dtype=np.int32)
    for number, group in enumerate(joined, start=len(plan.raters) + 1):
        slots.append(_Slot(f"R{number:0{width}d}", group, empty, 0, is_new=True))
    return slots


def _keep_given(slots: Sequence[_Slot]) -> None:
    for slot in slots:
        if slot.is_leaving:
            slot.rows = slot.rows[: slot.given]


def _whole_lists(study: Study, plan: AssignmentPlan, slots: Sequence[_Slot]) -> None:
    """Each newcomer gets the list of a rater of the group (a leaver's first), in an order of its own."""
    known = {unit: place for place, unit in enumerate(plan.units)}
    for number, slot in enumerate([slot for slot in slots if slot.is_new], start=1):
        peers = [place for place, peer in enumerate(slots) if peer.group == slot.group and not peer.is_new]
        leavers = [place for place in peers if slots[place].is_leaving]
        pattern = (leavers or peers)[(number - 1) % len(leavers or peers)]
        other = plan_assignment(study, order=len(plan.raters) + number)
        rows = other.rows_of(other.raters[pattern % len(other.raters)])
        part = slice(rows.start, rows.stop)
        unit = np.array([known[other.units[place]] for place in other.unit[part]], dtype=np.int32)
        columns = (other.rater[part], unit, other.role[part], other.phase[part], other.batch[part], other.turn[part])
        slot.rows = np.stack(columns, axis=1).astype(np.int32)


def _shared_out(study: Study, plan: AssignmentPlan, slots: Sequence[_Slot]) -> int:
    """Hand the leavers' open work to the least loaded who may take it; then newcomers relieve the most loaded."""
    open_work = [
        (slot.group, chunk) for slot in slots if slot.is_leaving for chunk in _chunks(plan, slot.rows[slot.given :])
    ]
    _keep_given(slots)
    once = study.settings.assignment.source_once
    staying = [slot for slot in slots if not slot.is_leaving]
    orphans = 0
    for group, chunk in open_work:
        takers = [slot for slot in staying if slot.group == group and _may_take(plan, slot, chunk, once)]
        if takers:
            taker = min(takers, key=lambda slot: len(slot.rows))
            taker.rows = np.concatenate([taker.rows, chunk])
        else:
            orphans += len(chunk)
    for slot in staying:
        if slot.is_new:
            _relieve(plan, slot, [peer for peer in staying if peer.group == slot.group and peer is not slot], once)
    return orphans


def _relieve(plan: AssignmentPlan, newcomer: _Slot, peers: Sequence[_Slot], once: bool) -> None:
    while peers:
        busiest = max(peers, key=lambda slot: len(slot.rows))
        chunks = [
            chunk for chunk in _chunks(plan, busiest.rows[busiest.given :]) if _may_take(plan, newcomer, chunk, once)
        ]
        if not chunks or len(busiest.rows) - len(newcomer.rows) < 2 * len(chunks[-1]):
            return
        moved = chunks[-1]
        gone = np.isin(busiest.rows[:, 1], moved[:, 1]) & (np.arange(len(busiest.rows)) >= busiest.given)
        busiest.rows = busiest.rows[~gone]
        newcomer.rows = np.concatenate([newcomer.rows, moved])


def _chunks(plan: AssignmentPlan, rows: Rows) -> Iterator[Rows]:
    """Ordinary rows that belong together: one sentence alone, or what is left of a document."""
    ordinary = rows[rows[:, 2] == int(Role.SYSTEM)]
    keys = [(plan.units[unit].source, plan.units[unit].systems, phase) for unit, phase in ordinary[:, [1, 3]]]
    start = 0
    for place in range(1, len(keys) + 1):
        if place == len(keys) or keys[place] != keys[start]:
            yield ordinary[start:place]
            start = place


def _may_take(plan: AssignmentPlan, slot: _Slot, chunk: Rows, once: bool) -> bool:
    if np.isin(slot.rows[:, 1], chunk[:, 1]).any():
        return False
    if not once:
        return True
    sources = {plan.units[unit].source for unit in chunk[:, 1]}
    return not any(plan.units[unit].source in sources for unit in slot.rows[:, 1])


def _with_controls(study: Study, plan: AssignmentPlan, slots: Sequence[_Slot], rng: np.random.Generator) -> None:
    """Newcomers get control items of their own."""
    controls = study.settings.controls
    for slot in slots:
        if slot.is_new and controls.total and len(slot.rows):
            sources = [plan.units[unit].source for unit in slot.rows[:, 1]]
            rows = np.arange(len(slot.rows), dtype=np.int32)
            placed = batches(rows, controls, np.empty(0, np.int32), sources, rng)
            rows = slot.rows[placed.bundle].copy()
            rows[:, 2], rows[:, 4] = placed.role, placed.batch
            slot.rows = rows


def _assembled(
    study: Study, plan: AssignmentPlan, slots: Sequence[_Slot], orphans: int, rng: np.random.Generator
) -> AssignmentPlan:
    for place, slot in enumerate(slots):
        slot.rows[:, 0] = place
    table = np.concatenate([slot.rows for slot in slots])
    fresh = altered_texts(study, list(plan.units), table[:, 1], table[:, 2], rng)
    notes = list(plan.notes)
    if orphans:
        notes.append(f"{orphans} tasks of raters who left can be taken by nobody else. Let a newcomer join.")
    return replace(
        plan, raters=tuple(slot.name for slot in slots), groups=tuple(slot.group for slot in slots),
        rater=table[:, 0], unit=table[:, 1], role=table[:, 2].astype(np.int8), phase=table[:, 3].astype(np.int8),
        batch=table[:, 4], turn=table[:, 5].astype(np.int8), altered={**fresh, **plan.altered}, notes=tuple(notes),
    )  # fmt: skip
