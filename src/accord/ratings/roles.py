"""Roles of ratings that say nothing about the texts under study: practice, and items that check the rater."""

import numpy as np
from numpy.typing import NDArray

from accord.ratings.table import Ratings

__all__ = ["CONTROL_ROLES", "control_rows", "is_control"]

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
