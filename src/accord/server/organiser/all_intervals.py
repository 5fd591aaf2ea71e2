"""Intervals of all coefficients, computed when somebody asks: the results have those of the ones to report only."""

from collections.abc import Sequence
from typing import Any

from accord.reliability.group import UNTOLD
from accord.reliability.result import GroupReliability
from accord.server.organiser.analysis import estimates_of, reliability_of, rows_of
from accord.server.organiser.ratings import collect
from accord.server.organiser.which_part import match
from accord.server.study import current

__all__ = ["all_intervals", "lack_intervals", "with_all_intervals"]

Plain = dict[str, Any]


def lack_intervals(estimates: Sequence[Plain]) -> bool:
    """Whether some coefficients have no interval only because none was asked for; without any, there are none to ask.

    What forbids those to report one, as too few items do, forbids it the others too.
    """
    return any(one["low"] is not None for one in estimates) and any(UNTOLD in one["cautions"] for one in estimates)


def with_all_intervals(groups: Sequence[Plain]) -> list[Plain]:
    """Each group with its coefficients as the judgements of this moment have them, and how many these are."""
    rows = all_intervals()
    told = [(group, match(group, rows)) for group in groups]
    return [{**group, **{name: found[name] for name in _COUNTED}} if found else group for group, found in told]


def all_intervals() -> list[Plain]:
    """The groups of all criteria, with every coefficient that fits and its interval, from the judgements as they are.

    All criteria at once, as the results are computed: parted one by one they would have other scales, and other ends.
    """
    ratings = collect().analysed()
    if ratings is None:
        return []
    rows = rows_of(ratings, reliability_of(ratings, whole=True, seed=current().settings.seed))
    return [{**_counted(row.pop("group")), **row} for row in rows]


_COUNTED = "items", "raters", "ratings", "estimates"


def _counted(group: GroupReliability) -> Plain:
    return {"items": group.items, "raters": group.raters, "ratings": group.ratings, "estimates": estimates_of(group)}
