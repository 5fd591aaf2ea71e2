"""Of what a number is: its criterion, and the version, round and scenario, named even where there is one of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from accord.arrays import distinct
from accord.ratings.apart import ROUNDS
from accord.ratings.roles import other_rows
from accord.ratings.table import Ratings

__all__ = ["Identity", "charted", "is_of_turns", "known_by", "led_by", "match", "part_of"]

Plain = Mapping[str, Any]
Identity = tuple[str, bool, frozenset[tuple[str, str]]]


def part_of(ratings: Ratings, by: Mapping[str, str]) -> dict[str, str]:
    """The name of the ratings of this part in each column that keeps ratings apart, where they have one name there."""
    others = other_rows(ratings)
    rows = np.ones(len(ratings), dtype=bool) if others is None else ~others
    for column, name in by.items():
        if factor := ratings.columns.get(column):
            rows &= factor.codes == (factor.names.index(name) if name in factor.names else -1)
    told = {}
    for column in (one for one in ratings.codebook.kept_apart if one in ratings.columns):
        codes = distinct(ratings.columns[column].codes[rows])
        if len(codes) == 1 and codes[0] >= 0:
            told[column] = ratings.columns[column].names[codes[0]]
    return told | {name: value for name, value in by.items() if name != "criterion"}


def known_by(group: Plain) -> Identity:
    """By what a group is found again in the ratings without a rater, or with one more, whatever it is called there.

    A column that tells no parts from each other there names none of them, and the same part has another title.
    """
    is_combined = bool(group["combined"])
    names = group["by"] if is_combined else group["of"]
    own = frozenset((name, value) for name, value in names.items() if value and name != "criterion")
    return group["criterion"], is_combined, own


def is_of_turns(combined: Iterable[str]) -> bool:
    """Whether what is combined follows one another in time: versions, phases or rounds."""
    return bool(set(combined) & set(ROUNDS))


def charted(groups: Sequence[Any]) -> list[Any]:
    """The groups that stand for a criterion: what combines its parts, or else each part."""
    combined = {group["criterion"] for group in groups if group.get("combined")}
    return [group for group in groups if group.get("combined") or group["criterion"] not in combined]


def led_by(groups: Sequence[Any]) -> list[Any]:
    """As ``charted``, and the versions and rounds one by one where these are combined.

    Without a rater one of them may have no number any more: what was the number of all is then that of another.
    """
    turns = {group["criterion"] for group in groups if is_of_turns(group.get("combined", ()))}
    chosen = charted(groups)
    return [group for group in groups if group in chosen or group["criterion"] in turns]


def match(wanted: Plain, found: Sequence[Any]) -> Any:
    """Which of the groups of another moment is this one: what combined its parts then, or the only part there was."""
    own = [one for one in found if one["criterion"] == wanted["criterion"]]
    if wanted.get("combined"):
        together = [one for one in own if one.get("combined")]
        return next(iter(together or (own if len(own) == 1 else ())), None)
    by = {name: value for name, value in wanted["by"].items() if name != "criterion"}
    same = (one for one in own if not one.get("combined"))
    return next((one for one in same if all(one["of"].get(name, "") == value for name, value in by.items())), None)
