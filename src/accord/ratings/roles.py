"""Roles of ratings that say nothing about the texts under study: practice, and items that check the rater."""

import numpy as np
from numpy.typing import NDArray

from accord.ratings.table import Ratings

__all__ = ["CONTROL_ROLES", "REPEAT", "control_rows", "is_control", "ordinary"]

REPEAT = "repeat"
"""The role of an item shown again to the same rater: it says how raters agree with themselves."""

CONTROL_ROLES = frozenset({
    "attention", "bad", "bad_ref", "badref", "chk", "control", "degraded", "gold", "practice", "ref", "reference",
    "training", "tutorial",
})  # fmt: skip
"""Roles of items that check or train the rater; no agreement and no system's score is computed from them."""


def is_control(role: str) -> bool:
    return role.strip().casefold() in CONTROL_ROLES


def control_rows(ratings: Ratings) -> NDArray[np.bool_] | None:
    """Rows of control items; None where there are none, or nothing else."""
    role = ratings.columns.get("role")
    if role is None:
        return None
    control = np.array([*(is_control(name) for name in role.names), False])[role.codes]
    return control if control.any() and not control.all() else None


def ordinary(ratings: Ratings) -> Ratings | None:
    """Without control items and without repeats; None if nothing is left."""
    role = ratings.columns.get("role")
    if role is None:
        return ratings
    apart = np.array([*(is_control(name) or name.strip().casefold() == REPEAT for name in role.names), False])
    rows = ~apart[role.codes]
    return ratings.where(rows) if rows.any() else None
