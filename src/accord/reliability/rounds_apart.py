"""Rounds that agree differently: where a combined α would hide it, the rounds are said one by one."""

from collections.abc import Sequence
from math import isnan

from accord.ratings.apart import ROUNDS
from accord.reliability.estimate import Estimate
from accord.reliability.result import GroupReliability
from accord.words import listed, steady

__all__ = ["rounds_apart"]

_MOST = 4
"""So many rounds are told one by one; of more, the first and the last."""


def rounds_apart(whole: GroupReliability, groups: Sequence[GroupReliability], key: str) -> str:
    """``Agreement differs clearly by phase: 0.29 (before) and 0.91 (after)``.

    '' where rounds are not combined, or not apart.

    Intervals that do not even touch show a difference; where they overlap, ``accord compare`` tests it.
    """
    if len(whole.combined) != 1 or whole.combined[0] not in ROUNDS:
        return ""
    (column,) = whole.combined
    known = [
        (group.by[column], group[key])
        for group in groups
        if column in group.by and {**group.by, column: ""} == {**whole.by, column: ""} and key in group
    ]
    known = [(name, one) for name, one in known if one.interval is not None and not isnan(one.value)]
    if not _are_apart([one for _, one in known]):
        return ""
    told = [f"{steady(one.value):.2f} ({name})" for name, one in known]
    told = told if len(told) <= _MOST else [f"first {told[0]}", f"last {told[-1]}"]
    return f"Agreement differs clearly by {column}: {listed(told)}; the combined value stands for none of them"


def _are_apart(known: Sequence[Estimate]) -> bool:
    ends = [one.interval for one in known if one.interval is not None]
    return len(ends) > 1 and max(end.low for end in ends) > min(end.high for end in ends)
