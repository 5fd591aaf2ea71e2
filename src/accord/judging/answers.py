"""What a judge answered: one way of asking it (prompt, rubric, version), and every run and order of it."""

from collections.abc import Mapping, Sequence

import numpy as np

from accord.arrays import Floats, Integers, distinct
from accord.diagnosis.part import Part
from accord.errors import OptionError
from accord.records import dataclass
from accord.words import counted, listed, spelled

__all__ = ["POSITIONS", "SETTINGS", "TIES", "Answers", "by_place", "settings_in", "swapped_rows", "turned", "ways"]

SETTINGS = ("prompt", "rubric", "version", "model")
"""Columns that say how a judge was asked: another value is another judge."""
POSITIONS = ("shown", "swapped", "shown_first")
"""Columns that say in which order outputs were shown: the same item in another order is no second run."""
YES, NO = ("yes", "true", "1", "swapped", "ba"), ("no", "false", "0", "original", "ab", "")
TIES = ("tie", "equal", "both", "neither", "none", "same", "draw", "=", "c")
_PLACES = {"first": "second", "1": "2", "left": "right"}
_MANY = 20
"""Prompts above which the column holds what was put to the systems, and not how the judge was asked."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The judge's answers: ``item`` is a place among its items, ``weight`` one over the answers to that item."""

    item: Integers
    value: Floats
    rows: Integers
    weight: Floats

    @classmethod
    def of(cls, item: Integers, value: Floats, rows: Integers, items: int) -> "Answers":
        order = np.argsort(item, kind="stable")
        item = item[order]
        return cls(item, value[order], rows[order], 1 / np.bincount(item, minlength=items)[item])

    def mean(self, values: Floats, items: int) -> Floats:
        """The mean of so many numbers, one an answer, over the answers to each item."""
        return np.bincount(self.item, values * self.weight, items).astype(np.float64)

    def commonest(self, items: int) -> Floats:
        """The label that was given most to each item, the first of them where several were."""
        if len(self.item) == items:
            return self.value
        place, label = np.unique(np.column_stack([self.item, self.value]), axis=0, return_inverse=True)
        label = label.reshape(-1)
        first = np.full(len(place), len(self.item))
        np.minimum.at(first, label, np.arange(len(self.item)))
        order = np.lexsort((first, -np.bincount(label), place[:, 0]))
        chosen = np.unique(place[order, 0], return_index=True)[1]
        return np.asarray(place[order[chosen], 1])

    def pairs(self, item: Integers, items: int) -> tuple[Integers, Integers]:
        """Every answer with every rating of the same item by people: places among answers, and among ratings."""
        number = np.bincount(self.item, minlength=items)
        start = np.cumsum(number) - number
        each = number[item]
        rating = np.repeat(np.arange(len(item)), each)
        within = np.arange(len(rating)) - np.repeat(np.cumsum(each) - each, each)
        return start[item][rating] + within, rating


def ways(
    part: Part, rows: Integers, judge: str, chosen: Mapping[str, str]
) -> tuple[Integers, dict[str, str], list[str]]:
    """The rows of one way of asking, which one it is, and what must be said about the others.

    Where the same items were judged with several prompts (rubrics, versions, models), only one of them counts: the one
    that is chosen, or else the one with most items. Items that were each judged in one way stay together.
    """
    taken: dict[str, str] = {}
    said: list[str] = []
    for column in SETTINGS:
        factor = part.ratings.columns.get(column)
        used = [] if factor is None else settings_in(factor.codes[rows].astype(np.int64), column)
        if factor is None or (len(used) < 2 and column not in chosen):
            if column in chosen and factor is None:
                raise OptionError(f"--setting {column}={chosen[column]}: the ratings have no column {column}.")
            continue
        codes, names = factor.codes[rows].astype(np.int64), [factor.names[code] for code in used]
        items = part.ratings.item.codes[rows].astype(np.int64)
        if column in chosen:
            code = used[_named(names, column, chosen[column], judge)]
        elif _of_the_same_items(items, codes):
            code = _usual(items, codes, used)
            others = listed([_short(name) for name in names if name != factor.names[code]][:5])
            said.append(
                f"{judge} judged the same items with {counted(len(used), column)}: this is about {column} "
                f"{_short(factor.names[code])}, not {others}. --setting {column}=NAME is about another."
            )
        else:
            said.append(
                f"{judge} judged with {counted(len(used), column)}, each item with one: all are taken together."
            )
            continue
        taken[column] = factor.names[code]
        rows = rows[codes == code]
    return rows, taken, said


def _named(names: Sequence[str], column: str, wanted: str, judge: str) -> int:
    """The place of a value by its name or, of a long prompt, by how it begins."""
    like = [place for place, name in enumerate(names) if name == wanted]
    like = like or [place for place, name in enumerate(names) if wanted and name.startswith(wanted)]
    if len(like) != 1:
        raise OptionError(
            f"--setting {column}={wanted}: {judge} judged with {listed([_short(name) for name in names[:10]])}. "
            "Give one of them, or how it alone begins."
        )
    return like[0]


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def settings_in(codes: Integers, column: str) -> list[int]:
    """The values of a column in these rows; none where so many prompts are no prompts of a judge."""
    used = [int(code) for code in distinct(codes) if code >= 0]
    return [] if column == "prompt" and len(used) > _MANY else used


def _of_the_same_items(item: Integers, codes: Integers) -> bool:
    known = codes >= 0
    met = np.unique(np.column_stack([item[known], codes[known]]), axis=0)
    return len(met) > len(distinct(met[:, 0]))


def _usual(item: Integers, codes: Integers, used: Sequence[int]) -> int:
    """The value with most items, of several the one that comes first in the file."""
    items = [len(distinct(item[codes == code])) for code in used]
    first = [int(np.argmax(codes == code)) for code in used]
    return used[min(range(len(used)), key=lambda place: (-items[place], first[place]))]


def by_place(values: Sequence[object]) -> bool:
    """Whether choices name places (first, second) and not outputs."""
    said = {spelled(value).strip().casefold() for value in values}
    places = {*_PLACES, *_PLACES.values()}
    return bool(said & places) and said <= {*places, *TIES}


def swapped_rows(part: Part, rows: Integers) -> Integers:
    """1 where a row says that its outputs were swapped, 0 where not, -1 where it says something else."""
    factor = part.ratings.columns.get("swapped")
    if factor is None:
        return np.zeros(len(rows), dtype=np.int64)
    words = [*(name.strip().casefold() for name in factor.names), ""]
    sense = np.array([1 if word in YES else 0 if word in NO else -1 for word in words])
    return np.asarray(sense[factor.codes[rows]])


def turned(part: Part, rows: Integers, codes: Floats) -> Floats:
    """Choices as outputs: of swapped outputs, "first" is the one that is second elsewhere."""
    values = part.ratings.scale.values
    if part.ordered or "swapped" not in part.ratings.columns or not by_place(values):
        return codes
    names = [spelled(value).strip().casefold() for value in values]
    other = _PLACES | {second: first for first, second in _PLACES.items()}
    opposite = np.array([names.index(other[name]) if other.get(name) in names else place
                         for place, name in enumerate(names)], dtype=np.float64)  # fmt: skip
    return np.where(swapped_rows(part, rows) == 1, opposite[codes.astype(np.int64)], codes)
