"""Control items as the plan has them: where texts are few it has fewer than the settings ask for."""

from collections.abc import Mapping
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
        (str(CONTROLS[name]), _told(plan, _ROLES[name], int(asked[name]), batch)) for name in COUNTS if asked.get(name)
    ]


def _told(plan: AssignmentPlan, role: Role, asked: int, batch: int) -> str:
    counts = np.bincount(plan.rater[plan.role == role], minlength=len(plan.raters))
    few, many = int(counts.min()), int(counts.max())
    shown = f"{few}" if few == many else f"{few}–{many}"
    if batch and shown != f"{asked}":
        words = _("{shown} (in a whole batch of {batch} texts {asked})")
        return words.format(shown=shown, batch=batch, asked=asked)
    if many >= asked:
        return shown
    return _("{shown}, though {asked} are asked for: there are too few texts").format(shown=shown, asked=asked)
