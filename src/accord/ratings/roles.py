"""Roles of ratings that say nothing about the texts under study: practice, items that check the rater, repeats.

What each role is for stands in the codebook; here are the spellings of other tools, and which rows count.
"""

import numpy as np
from numpy.typing import NDArray

from accord.ratings.codebook import ROLES
from accord.ratings.table import Ratings

__all__ = [
    "BESIDE",
    "REPEAT",
    "SPELLINGS",
    "control_rows",
    "is_control",
    "is_ordinary",
    "ordinary",
    "other_rows",
    "repeat_rows",
    "role_named",
    "under_study",
]

REPEAT = "repeat"
BESIDE = "control"
"""The role of a text that was shown beside one that checks the rater: nothing is wrong with it, and it counts once."""
SPELLINGS = {
    **{role: role for role in ROLES},
    **dict.fromkeys(("", "system", "tgt", "incomplete", "duplicate"), ""),
    **dict.fromkeys(("bad", "bad_ref", "badref"), "degraded"),
    **dict.fromkeys(("chk", "dup"), REPEAT),
    "ref": "reference",
    "training": "practice",
}
"""How tools spell a role -> the role of the codebook; "" is an ordinary rating."""


def role_named(name: str) -> str:
    """The role of the codebook; "" for an ordinary rating, and for a name that nobody knows."""
    return SPELLINGS.get(name.strip().casefold(), "")


def is_control(role: str) -> bool:
    """Whether such a row checks or trains the rater: no agreement and no system's score is computed from it."""
    return role_named(role) not in ("", REPEAT)


def is_ordinary(role: str) -> bool:
    """Whether such a row counts between raters. A repeat does not: it says how a rater agrees with himself."""
    return role_named(role) == ""


def control_rows(ratings: Ratings) -> NDArray[np.bool_] | None:
    """Rows of control items; None where there are none, or nothing else."""
    found = _rows(ratings, [is_control(name) for name in _names(ratings)])
    return None if found is None or found.all() else found


def other_rows(ratings: Ratings) -> NDArray[np.bool_] | None:
    """Rows that do not count between raters, control items and repeats; None where there are none, or nothing else."""
    found = _rows(ratings, [not is_ordinary(name) for name in _names(ratings)])
    return None if found is None or found.all() else found


def ordinary(ratings: Ratings) -> Ratings | None:
    """Without control items and without repeats; None if nothing is left."""
    others = _rows(ratings, [not is_ordinary(name) for name in _names(ratings)])
    if others is None:
        return ratings
    return None if others.all() else ratings.where(~others)


def under_study(ratings: Ratings) -> tuple[Ratings, int]:
    """The ratings of the texts under study, repeats included, and how many items check or train raters instead."""
    checking = control_rows(ratings)
    texts = ratings if checking is None else ratings.where(~checking)
    return texts, ratings.items - texts.items


def repeat_rows(ratings: Ratings) -> NDArray[np.bool_] | None:
    """Rows that are marked as a repeat of an item; None where there are none."""
    return _rows(ratings, [role_named(name) == REPEAT for name in _names(ratings)])


def _names(ratings: Ratings) -> tuple[str, ...]:
    role = ratings.columns.get("role")
    return () if role is None else tuple(role.names)


def _rows(ratings: Ratings, wanted: list[bool]) -> NDArray[np.bool_] | None:
    if not any(wanted):
        return None
    found = np.array([*wanted, False])[ratings.columns["role"].codes]
    return found if found.any() else None
