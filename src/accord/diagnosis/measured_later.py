"""Items that were measured again after a guideline round: what raters disputed before it may be settled."""

from collections.abc import Sequence

import numpy as np

from accord.diagnosis.part import Part
from accord.ratings.apart import ROUNDS
from accord.ratings.guideline_rounds import round_of

__all__ = ["measured_later", "round_and_rest"]

Rest = frozenset[tuple[str, str]]


def round_and_rest(part: Part) -> tuple[int, Rest]:
    """The round after which a part was measured, 0 before any, and what it is of beside time: criterion, scenario."""
    rest = frozenset((column, name) for column, name in part.by.items() if column not in ROUNDS)
    return round_of(part.by.get("phase", "")), rest


def measured_later(parts: Sequence[Part]) -> list[frozenset[str]]:
    """Of each part the items that two raters or more judged again after a later round, where they can be compared."""
    newest: dict[tuple[Rest, str], int] = {}
    for part in parts:
        turn, rest = round_and_rest(part)
        for code in np.flatnonzero(np.bincount(part.item) > 1).tolist() if turn else ():
            key = rest, part.item_names[code]
            newest[key] = max(turn, newest.get(key, 0))
    later = []
    for part in parts:
        turn, rest = round_and_rest(part)
        later.append(frozenset(name for (beside, name), last in newest.items() if beside == rest and last > turn))
    return later
