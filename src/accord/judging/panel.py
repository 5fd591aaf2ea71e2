"""A panel: what one judge and people said about the items of one criterion, item by item."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from accord.arrays import Floats, Integers
from accord.design.scale import Direction
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError, OptionError
from accord.formats.texts import text_sides
from accord.records import dataclass
from accord.words import counted, shown_names

__all__ = ["HUMAN", "MODEL", "POSITIONS", "EveryRating", "Panel", "judges_of", "known_judge", "panel_of"]

MODEL, HUMAN = "model", "human"
POSITIONS = ("shown", "swapped", "shown_first")
"""Columns that say in which order outputs were shown: the same item in another order is no second run."""


@dataclass(frozen=True, slots=True)
class EveryRating:
    """All ratings of the judge, those of items it rated again among them; ``rows`` are those of the table."""

    item: Integers
    value: Floats
    rows: Integers


@dataclass(frozen=True)
class Panel:
    """Items that the judge rated; ``judge`` has its first value of each, people's ratings are rows of their own.

    ``item`` are places in the judge's items: people's ratings of items that the judge did not see are left out and
    counted in ``unseen``. Values are scores where the scale has an order, else codes of labels.
    """

    part: Part
    name: str
    items: Integers
    judge: Floats
    item: Integers
    rater: Integers
    value: Floats
    people: tuple[str, ...]
    unseen: int = 0

    @property
    def ordered(self) -> bool:
        return self.part.ordered

    @property
    def direction(self) -> Direction:
        return self.part.direction

    def names(self, places: Integers) -> list[str]:
        """The names of items at these places."""
        return [self.part.item_names[code] for code in self.items[places]]

    @cached_property
    def counts(self) -> Integers:
        """How many people rated each item."""
        return np.bincount(self.item, minlength=len(self.items)).astype(np.int64)

    @cached_property
    def mean(self) -> Floats:
        """People's mean of each item, nan where nobody rated it."""
        total = np.bincount(self.item, self.value, len(self.items))
        mean: Floats = np.full(len(self.items), np.nan)
        np.divide(total, self.counts, out=mean, where=self.counts > 0)
        return mean

    @cached_property
    def labelled(self) -> Integers:
        """Places of items that people rated."""
        return np.flatnonzero(self.counts)

    @cached_property
    def matrix(self) -> Floats:
        """People's values: labelled items x people, nan where there is none."""
        place = np.full(len(self.items), -1)
        place[self.labelled] = np.arange(len(self.labelled))
        table = np.full((len(self.labelled), len(self.people)), np.nan)
        table[place[self.item], self.rater] = self.value
        return table

    @cached_property
    def every(self) -> EveryRating:
        """Every run, prompt and order of the judge."""
        rows = np.concatenate([self.part.rows, self.part.repeats])
        table = self.part.ratings
        own = rows[table.rater.codes[rows] == self.part.rater_names.index(self.name)]
        value = table.scores[own] if self.ordered else table.value[own].astype(np.float64)
        return EveryRating(table.item.codes[own].astype(np.int64), value, own)

    @cached_property
    def _row(self) -> Integers:
        """The judge's row of each item, to look its other columns up."""
        mine = self.part.rater == self.part.rater_names.index(self.name)
        rows = np.full(len(self.part.item_names), -1, dtype=np.int64)
        rows[self.part.item[mine]] = self.part.rows[mine]
        return rows[self.items]

    def column(self, name: str) -> tuple[Integers, Sequence[str]] | None:
        """Codes of a column for each item with its names; an empty cell is -1. None where there is no such column.

        Where the judge's row has none, as with two files of which one names systems, it is that of people's rows.
        """
        factor = self.part.ratings.columns.get(name)
        if factor is None:
            return None
        codes = factor.codes[self._row].astype(np.int64)
        if (codes < 0).any():
            of_item = np.full(len(self.part.item_names), -1, dtype=np.int64)
            np.maximum.at(of_item, self.part.item, factor.codes[self.part.rows].astype(np.int64))
            codes = np.where(codes < 0, of_item[self.items], codes)
        return codes, factor.names

    @cached_property
    def unit(self) -> str:
        """What varies as a whole: documents, else segments that several systems translate, else items."""
        named = self.part.ratings.codebook.item.cluster or "document"
        for name in (named, "document", "segment"):
            found = self.column(name)
            if found is not None and (found[0] >= 0).any() and len(np.unique(found[0])) < len(self.items):
                return name
        return "item"

    @cached_property
    def cluster(self) -> Integers:
        """The document (or segment, or item) of each item, as a code; items without one are each their own."""
        found = self.column(self.unit)
        if found is None:
            return np.arange(len(self.items))
        codes = np.where(found[0] >= 0, found[0], len(found[1]) + np.arange(len(self.items)))
        return np.unique(codes, return_inverse=True)[1]

    @property
    def units(self) -> str:
        return f"{self.unit}s"

    @cached_property
    def systems(self) -> tuple[Integers, tuple[str, ...]]:
        """The system of each item; one without a name where nobody names systems."""
        found = self.column("system")
        if found is None or (found[0] < 0).all():
            return np.zeros(len(self.items), dtype=np.int64), ("",)
        used, codes = np.unique(found[0], return_inverse=True)
        return codes, tuple((*found[1], "")[code] for code in used)

    @cached_property
    def lengths(self) -> Floats | None:
        """The length of each item's target text in characters, where texts are there."""
        _, target = text_sides(self.part.ratings)
        found = None if target is None else self.column(target)
        if found is None:
            return None
        sizes = np.array([*(len(name) for name in found[1]), np.nan])
        return np.asarray(sizes[found[0]])

    def texts(self, places: Sequence[int]) -> list[str]:
        """The target text of these items, "" where there is none."""
        _, target = text_sides(self.part.ratings)
        found = None if target is None else self.column(target)
        return ["" if found is None else (*found[1], "")[found[0][place]] for place in places]

    @cached_property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the scale: declared, or those of the values that occur where these are few."""
        scale = self.part.ratings.scale
        if not self.ordered:
            return None
        if scale.low is not None and scale.high is not None:
            return float(scale.low), float(scale.high)
        values = scale.array
        return (float(values.min()), float(values.max())) if 1 < len(values) <= 20 else None

    @cached_property
    def step(self) -> float:
        """The smallest step between two values of the scale; none where anything between may be given."""
        if not self.ordered:
            return 1.0
        scale = self.part.ratings.scale
        used = np.unique(scale.array[np.unique(self.part.code)])
        return float(np.diff(used).min()) if 1 < len(used) <= 20 else 0.0


def judges_of(part: Part) -> list[str]:
    """Raters of the kind model, the one with the most ratings first."""
    kind = part.ratings.columns.get("kind")
    if kind is None or MODEL not in kind.names:
        return []
    own = part.rows[kind.codes[part.rows] == list(kind.names).index(MODEL)]
    counts = np.bincount(part.ratings.rater.codes[own], minlength=len(part.rater_names))
    return [part.rater_names[code] for code in np.argsort(-counts, kind="stable") if counts[code]]


def known_judge(names: Sequence[str], judge: str) -> str:
    """The judge's name if somebody of this name rated, or an error that tells who did."""
    if judge not in names:
        raise OptionError(f"There is no rater named {judge!r}. Raters: {shown_names(names, 20)}.")
    return judge


def panel_of(part: Part, judge: str, models: Sequence[str] = ()) -> Panel:
    """The judge of this name and all people; other models are no people."""
    names: Mapping[str, int] = {name: code for code, name in enumerate(part.rater_names)}
    others = {names[name] for name in (*models, judge) if name in names}
    mine = part.rater == names.get(judge, -1)
    if not mine.any():
        raise NotEnoughDataError(f"{judge} has rated nothing for {part.title}.")
    values = part.score if part.ordered else part.code.astype(np.float64)
    items, first = np.unique(part.item[mine], return_index=True)
    place = np.full(len(part.item_names), -1, dtype=np.int64)
    place[items] = np.arange(len(items))
    human = ~np.isin(part.rater, list(others))
    if not human.any():
        raise NotEnoughDataError(
            f"Only models rated ({part.title}): a judge can be tested only beside people. "
            "Add human ratings of some of the same items."
        )
    seen = human & (place[part.item] >= 0)
    if not seen.any():
        raise NotEnoughDataError(
            f"People and {judge} share no item of {part.title}. Items must have the same names in both; "
            f"people rated {counted(len(np.unique(part.item[human])), 'item')}, {judge} {len(items):,}."
        )
    people, rater = np.unique(part.rater[seen], return_inverse=True)
    return Panel(
        part=part,
        name=judge,
        items=items,
        judge=values[mine][first],
        item=place[part.item[seen]],
        rater=rater,
        value=values[seen],
        people=tuple(part.name(int(code)) for code in people),
        unseen=len(np.unique(part.item[human & (place[part.item] < 0)])),
    )
