"""The plan: a frozen list of tasks for each rater, kept in columns so that millions fit."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.records import dataclass

__all__ = ["AssignmentPlan", "Role", "Task", "Unit", "shown_order"]

Column = NDArray[np.int32]


class Role(IntEnum):
    """Why a task is there: an ordinary one, or a control item."""

    SYSTEM = 0
    REPEAT = 1
    DEGRADED = 2
    REFERENCE = 3
    GOLD = 4
    ATTENTION = 5

    @property
    def key(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that can be judged: an item (or, where ``item`` is '', a document) by some systems in a scenario."""

    item: str
    document: str
    scenario: str
    systems: tuple[str, ...]
    source: str
    test_set: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One screen of one rater.

    ``item`` is '' where the whole document is judged. ``systems`` is in the order of the screen.
    ``texts`` holds what is shown instead of the systems' own texts, in that order, and is empty for
    nearly all; ``altered`` then names the system whose text was spoilt. ``occasion`` is 2 for a repeat.
    """

    rater: str
    group: str
    order: int
    item: str
    document: str
    scenario: str
    condition: str
    phase: str
    role: str
    occasion: int
    batch: str
    systems: tuple[str, ...]
    texts: tuple[str, ...] = ()
    altered: str = ""


@dataclass(frozen=True)
class AssignmentPlan:
    """Who judges what, in which order. Rows are sorted by rater and order.

    ``unit`` points into ``units``; ``turn`` says in which order the systems are shown;
    ``altered`` holds the spoilt text of a control item by unit, role and segment.
    """

    raters: tuple[str, ...]
    groups: tuple[str, ...]
    units: tuple[Unit, ...]
    phases: tuple[str, ...]
    rater: Column
    unit: Column
    role: NDArray[np.int8]
    phase: NDArray[np.int8]
    batch: Column
    turn: NDArray[np.int8]
    design: str
    seed: int
    altered: Mapping[tuple[int, int], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rater)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.searchsorted(self.rater, np.arange(len(self.raters) + 1))

    def rows_of(self, rater: str) -> range:
        """The rows of a rater."""
        place = self.raters.index(rater)
        return range(int(self._starts[place]), int(self._starts[place + 1]))

    def tasks_of(self, rater: str) -> list[Task]:
        """All tasks of a rater, in order."""
        return [self._task(row, order) for order, row in enumerate(self.rows_of(rater), start=1)]

    def tasks(self) -> Iterator[Task]:
        """All tasks, rater by rater."""
        for rater in self.raters:
            yield from self.tasks_of(rater)

    def _task(self, row: int, order: int) -> Task:
        unit, role = self.units[self.unit[row]], Role(int(self.role[row]))
        systems = shown_order(unit.systems, int(self.turn[row]))
        texts: tuple[str, ...] = ()
        spoilt = unit.systems[0] if role in (Role.DEGRADED, Role.ATTENTION) else ""
        if role is Role.REFERENCE:
            systems = ("reference",)
        text = self.altered.get((int(self.unit[row]), int(role)))
        if text is not None:
            texts = tuple(text if system in (spoilt, "reference") else "" for system in systems)
        slot = int(self.rater[row])
        return Task(
            rater=self.raters[slot], group=self.groups[slot], order=order, item=unit.item, document=unit.document,
            scenario=unit.scenario, condition=unit.test_set, phase=self._phase(row), role=role.key,
            occasion=2 if role is Role.REPEAT else 1, batch=str(int(self.batch[row]) + 1), systems=systems,
            texts=texts, altered=spoilt,
        )  # fmt: skip

    def _phase(self, row: int) -> str:
        return self.phases[self.phase[row]] if self.phases else ""

    @cached_property
    def ordinary(self) -> NDArray[np.bool_]:
        """Rows that are not control items."""
        ordinary: NDArray[np.bool_] = self.role == int(Role.SYSTEM)
        return ordinary

    def loads(self) -> NDArray[np.int64]:
        """Tasks of each rater, control items included."""
        return np.bincount(self.rater, minlength=len(self.raters))

    def overlap(self, phase: str | None = None) -> NDArray[np.int64]:
        """Units that each pair of raters has in common, control items left out; own units on the diagonal.

        With ``phase`` only what both judge in that phase.
        """
        rows = self.ordinary if phase is None else self.ordinary & (self.phase == self.phases.index(phase))
        seen = np.zeros((len(self.units), len(self.raters)), dtype=np.float32)
        seen[self.unit[rows], self.rater[rows]] = 1
        shared: NDArray[np.int64] = np.rint(seen.T @ seen).astype(np.int64)
        return shared


def shown_order(systems: tuple[str, ...], turn: int) -> tuple[str, ...]:
    """Systems turned round ``turn`` times, and read backwards after a full round of three or more."""
    if len(systems) < 2:
        return systems
    backwards, turned = divmod(turn, len(systems))
    order = systems[turned:] + systems[:turned]
    return order[::-1] if backwards % 2 else order
