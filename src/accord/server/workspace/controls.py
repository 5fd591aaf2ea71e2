"""Control items as the plan has them: where texts are few it has fewer than the settings ask for."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from accord.design.assignment import AssignmentPlan
from accord.design.assignment.plan import Role
from accord.server.organiser.names import CONTROLS

__all__ = ["COUNTS", "planned_controls"]

COUNTS = ("repeats", "degraded", "references", "attention")
_ROLES = dict(zip(COUNTS, (Role.REPEAT, Role.DEGRADED, Role.REFERENCE, Role.ATTENTION), strict=True))


def planned_controls(plan: AssignmentPlan, asked: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name and number of the control items of each rater, with the number that was asked for where it is larger."""
    batch = int(asked.get("batch") or 0) if asked.get("per") == "batch" else 0
    return [
        (str(CONTROLS[name]), _copies_in_words(plan, _ROLES[name], int(asked[name]), batch))
        for name in COUNTS
        if asked.get(name)
    ]


def _copies_in_words(plan: AssignmentPlan, role: Role, asked: int, batch: int) -> str:
    copies, screens = _range(_copies(plan, role)), _range(_screens(plan, role))
    shown = f"{copies[0]}" if copies[0] == copies[1] else f"{copies[0]}–{copies[1]}"
    if batch and shown != f"{asked}":
        words = _("{shown} (in a whole batch of {batch} texts {asked})")
        return words.format(shown=shown, batch=batch, asked=asked)
    if copies[1] < asked:
        return _("{shown}, though {asked} are asked for: there are too few texts").format(shown=shown, asked=asked)
    if screens != copies:
        of_all = f"{screens[0]}" if screens[0] == screens[1] else f"{screens[0]}–{screens[1]}"
        return _("{shown} (whole texts of {screens} screens together)").format(shown=shown, screens=of_all)
    return shown


def _range(counts: Sequence[int]) -> tuple[int, int]:
    return min(counts), max(counts)


def _screens(plan: AssignmentPlan, role: Role) -> list[int]:
    counts: list[int] = np.bincount(plan.rater[plan.role == role], minlength=len(plan.raters)).tolist()
    return counts


def _copies(plan: AssignmentPlan, role: Role) -> list[int]:
    """Of each rater: a text that is shown sentence by sentence is copied as a whole, and is one copy."""
    found: list[set[tuple[str, tuple[str, ...]]]] = [set() for _rater in plan.raters]
    for row in np.flatnonzero(plan.role == role).tolist():
        unit = plan.units[plan.unit[row]]
        found[plan.rater[row]].add((unit.source, unit.systems))
    return [len(one) for one in found]
