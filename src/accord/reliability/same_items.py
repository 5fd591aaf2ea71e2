"""What the items that were measured again had before: a change is told of the same items."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.ratings.apart import ROUNDS
from accord.ratings.counting import InMemory
from accord.ratings.counts import CountSource
from accord.ratings.guideline_rounds import round_of
from accord.ratings.table import Ratings
from accord.reliability.group import group_reliability
from accord.reliability.plan import IntervalKind
from accord.reliability.request import Origin, Request
from accord.reliability.result import GroupReliability, SameItems

__all__ = ["round_and_beside", "with_same_items"]


def round_and_beside(by: Mapping[str, str]) -> tuple[int, Mapping[str, str]]:
    """The round after which a part was measured, 0 before any, and what it is of beside time: criterion, scenario."""
    return round_of(by.get("phase", "")), {column: name for column, name in by.items() if column not in ROUNDS}


def with_same_items(
    groups: Sequence[GroupReliability], counts: Sequence[CountSource], request: Request
) -> list[GroupReliability]:
    """The groups of parts; one of fewer items than the measurement before it knows the values before on its items."""
    known = [(*round_and_beside(group.by), group, source) for group, source in zip(groups, counts, strict=True)]
    found = []
    for turn, beside, group, source in known:
        earlier = [one for one in known if one[1] == beside and one[0] < turn]
        last = max((one[0] for one in earlier), default=0)
        before = [
            _of_same(source.counted, one[2], one[3].counted, group, request)
            for one in earlier
            if one[0] == last and isinstance(source, InMemory) and isinstance(one[3], InMemory)
        ]
        same = tuple(one for one in before if one)
        found.append(replace(group, same_items=same) if same else group)
    return found


def _of_same(
    newer: Ratings, before: GroupReliability, earlier: Ratings, group: GroupReliability, request: Request
) -> SameItems | None:
    """The values of an earlier part on the items that several raters judged again; None if those are all of it."""
    again = _paired(newer) & _paired(earlier)
    if again == _paired(earlier):
        return None
    own = earlier.where(np.isin(earlier.item.labels(), list(again)))
    if not again:
        return SameItems(before.by, 0, {})
    asked = tuple(one.coefficient for one in group.estimates)
    plan = replace(request.plan, interval=IntervalKind.NONE)
    bare = replace(request, asked=asked, plan=plan, pairs=False, told=False)
    made = group_reliability(InMemory(own), bare, lambda: Origin.of(earlier, own), by=before.by)
    return SameItems(before.by, len(again), {one.coefficient: one.value for one in made.estimates})


def _paired(ratings: Ratings) -> set[str]:
    """Items that two or more rated."""
    number = np.bincount(ratings.item.codes, minlength=ratings.items)
    return {name for name, n in zip(ratings.item.names, number.tolist(), strict=True) if n >= 2}
