"""What items that were measured again had before: the newest answers before a round, the same in every place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.arrays import Integers
from accord.ratings.apart import ROUNDS
from accord.ratings.counting import InMemory, counted_rows
from accord.ratings.guideline_rounds import round_of
from accord.ratings.rated_elsewhere import rows_of_one_turn
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.group import group_reliability
from accord.reliability.plan import IntervalKind
from accord.reliability.request import Origin, Request
from accord.reliability.result import GroupReliability, SameItems

__all__ = ["BeforeRound", "before_round", "round_and_beside", "with_same_items"]


@dataclass(frozen=True, slots=True)
class BeforeRound:
    """Rows of the ratings on both sides of a round."""

    before: Integers
    after: Integers
    not_compared: int
    """Newest answers from before, whose text most raters judged under another version."""


def round_and_beside(by: Mapping[str, str]) -> tuple[int, Mapping[str, str]]:
    """The round after which a part was measured, 0 before any, and what it is of beside time: criterion, scenario."""
    return round_of(by.get("phase", "")), {column: name for column, name in by.items() if column not in ROUNDS}


def before_round(ratings: Ratings, number: int) -> BeforeRound:
    """What was measured after this round, and each rater's newest answer before it on the same items.

    These are the items that several raters judged again. Their answers before may be of several rounds and versions: of
    an item only those of one version are taken, as no two versions are paired.
    """
    turns = _turns(ratings)
    after = np.flatnonzero(turns == number)
    again = np.isin(ratings.item.codes, _paired(ratings, after))
    earlier = np.flatnonzero(again & (turns < number))
    cell = ratings.item.codes.astype(np.int64) * (ratings.raters + 1) + ratings.rater.codes
    order = earlier[np.lexsort((earlier, turns[earlier], cell[earlier]))]
    newest = np.sort(order[np.r_[cell[order][1:] != cell[order][:-1], True]] if len(order) else order)
    apart = [column for column in ("phase", "guideline") if column in ratings.codebook.kept_apart]
    together = rows_of_one_turn(ratings.where(newest), apart)
    return BeforeRound(newest[together], after, int((~together).sum()))


def with_same_items(groups: Sequence[GroupReliability], table: Ratings, request: Request) -> list[GroupReliability]:
    """The groups of parts; one that was measured after a round knows the values before it on its items."""
    if not any(round_and_beside(group.by)[0] for group in groups):
        return list(groups)
    beside = [column for column in groups[0].by if column not in ROUNDS]
    parts = [(part.by, _ordinary(part.ratings)) for part in table.split(beside)]
    found = []
    for group in groups:
        turn, own = round_and_beside(group.by)
        part = next((ratings for by, ratings in parts if by == own), None)
        found.append(
            replace(group, same_items=_of_same(part, turn, group, request)) if part is not None and turn else group
        )
    return found


def _of_same(ratings: Ratings, turn: int, group: GroupReliability, request: Request) -> SameItems:
    """The values of the newest answers before a round on the items that several raters judged again."""
    rows = before_round(ratings, turn)
    shared, again = _paired(ratings, rows.before), _paired(ratings, rows.after)
    if not len(shared):
        return SameItems((), 0, False, {})
    own = ratings.where(rows.before)
    told = tuple(_parts_of(own, [column for column in group.by if column in ROUNDS]))
    columns = {name: factor for name, factor in own.columns.items() if name not in ROUNDS}
    own = replace(own, columns=columns, pooled=())
    asked = tuple(one.coefficient for one in group.estimates)
    plan = replace(request.plan, interval=IntervalKind.NONE)
    bare = replace(request, asked=asked, plan=plan, pairs=False, told=False)
    by = round_and_beside(group.by)[1]
    made = group_reliability(InMemory(own), bare, lambda: Origin.of(ratings, own), by=by)
    values = {one.coefficient: one.value for one in made.estimates}
    return SameItems(told, len(shared), len(shared) == len(again), values)


def _ordinary(ratings: Ratings) -> Ratings:
    """The ratings that count between raters: of each round by itself, as what is measured again is no repeat."""
    turns, kept = _turns(ratings), np.zeros(len(ratings), dtype=bool)
    for turn in np.unique(turns):
        rows = np.flatnonzero(turns == turn)
        counts = counted_rows(ratings.where(rows))
        kept[rows if counts is None else rows[counts]] = True
    return ratings.where(kept & (ratings.value >= 0))


def _turns(ratings: Ratings) -> Integers:
    """The round after which each rating was given, 0 before any."""
    if "phase" not in ratings.columns:
        return np.zeros(len(ratings), dtype=np.int64)
    phase = ratings.columns["phase"]
    return np.array([*map(round_of, phase.names), 0])[phase.codes]


def _parts_of(ratings: Ratings, columns: Sequence[str]) -> Iterator[Mapping[str, str]]:
    for group in ratings.split(columns):
        yield {column: group.by[column] for column in columns}


def _paired(ratings: Ratings, rows: Integers) -> Integers:
    """Codes of the items that two or more rated in these rows."""
    return np.flatnonzero(np.bincount(ratings.item.codes[rows], minlength=ratings.items) >= 2)
