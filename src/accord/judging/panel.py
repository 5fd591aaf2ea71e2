"""A panel: what one judge and people said about the items of one criterion, item by item."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers, distinct
from accord.design.scale import Direction
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError, OptionError
from accord.formats.texts import text_sides
from accord.judging.answers import Answers, turned, ways
from accord.records import dataclass
from accord.words import counted, shown_names

__all__ = ["HUMAN", "MODEL", "EveryRating", "Panel", "judges_of", "known_judge", "panel_of"]

MODEL, HUMAN = "model", "human"
_TARGETED = ("targeted", "aimed")
"""What the column ``sampling`` says of items that were labelled for what they show, and not drawn at random."""


@dataclass(frozen=True, slots=True)
class EveryRating:
    """All ratings of the judge, those of items it rated again among them; ``rows`` are those of the table."""

    item: Integers
    value: Floats
    rows: Integers


@dataclass(frozen=True)
class Panel:
    """Items that the judge rated; ``answers`` has all that it said about each, in every run and order.

    ``judge`` is the mean of its answers, or its commonest label. ``item`` are places in the judge's items: people's
    ratings of items that the judge did not see are left out and counted in ``unseen``. Labels that are ``targeted`` (so
    many items) are a sample of nothing and left out too, unless the panel was asked for with them. Values are scores
    where the scale has an order, else codes of labels. ``setting`` is the way of asking that counts where there are
    several, and ``notes`` says so.
    """

    part: Part
    name: str
    items: Integers
    judge: Floats
    item: Integers
    rater: Integers
    value: Floats
    people: tuple[str, ...]
    answers: Answers
    unseen: int = 0
    targeted: int = 0
    setting: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

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
    def own(self) -> EveryRating:
        """Every run and order of the way of asking that counts, with values as they stand in the table."""
        rows = self.answers.rows
        table = self.part.ratings
        value = table.scores[rows] if self.ordered else table.value[rows].astype(np.float64)
        return EveryRating(table.item.codes[rows].astype(np.int64), value, rows)

    def said(self, test: Callable[[Floats], NDArray[np.bool_]]) -> Floats:
        """Of each item, the share of the judge's answers that are so."""
        return self.answers.mean(test(self.answers.value).astype(float), len(self.items))

    @cached_property
    def pairs(self) -> tuple[Floats, Integers, Floats]:
        """Each answer with each rating of people: the answer, the place of the rating, and one over an item's pairs."""
        answer, rating = self.answers.pairs(self.item, len(self.items))
        return self.answers.value[answer], rating, self.answers.weight[answer] / self.counts[self.item[rating]]

    @cached_property
    def _row(self) -> Integers:
        """The judge's first row of each item, to look its other columns up."""
        return self.answers.rows[np.unique(self.answers.item, return_index=True)[1]]

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
            if found is not None and (found[0] >= 0).any() and len(distinct(found[0])) < len(self.items):
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

    def cluster_names(self, places: Integers) -> list[str]:
        """The name of the document (or segment, or item) of each of these items."""
        found = self.column(self.unit)
        names = self.names(places)
        if found is None:
            return names
        return [found[1][code] if code >= 0 else name for code, name in zip(found[0][places], names, strict=True)]

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
        if scale.low is not None and scale.high is not None and scale.low < scale.high:
            return float(scale.low), float(scale.high)
        values = scale.array
        return (float(values.min()), float(values.max())) if 1 < len(values) <= 20 else None

    @cached_property
    def step(self) -> float:
        """The smallest step between two values of the scale; none where anything between may be given."""
        if not self.ordered:
            return 1.0
        scale = self.part.ratings.scale
        used = distinct(scale.array[distinct(self.part.code)])
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


def panel_of(
    part: Part,
    judge: str,
    models: Sequence[str] = (),
    setting: Mapping[str, str] | None = None,
    *,
    with_targeted: bool = False,
) -> Panel:
    """The judge of this name, asked in one way, and all people; other models are no people."""
    names: Mapping[str, int] = {name: code for code, name in enumerate(part.rater_names)}
    others = {names[name] for name in (*models, judge) if name in names}
    rows = np.sort(np.concatenate([part.rows, part.repeats]))
    rows = rows[part.ratings.rater.codes[rows] == names.get(judge, -1)]
    if not len(rows):
        raise NotEnoughDataError(f"{judge} has rated nothing for {part.title}.")
    rows, taken, notes = ways(part, rows, judge, setting or {})
    rows = rows[np.argsort(_when(part, rows), kind="stable")]
    items, own = np.unique(part.ratings.item.codes[rows].astype(np.int64), return_inverse=True)
    answers = Answers.of(own, _values(part, rows), rows, len(items))
    place = np.full(len(part.item_names), -1, dtype=np.int64)
    place[items] = np.arange(len(items))
    human = ~np.isin(part.rater, list(others))
    seen = human & (place[part.item] >= 0)
    _check_people(part, judge, human, seen, len(items))
    aimed = seen & _targeted(part, rows)
    if not with_targeted:
        seen = seen & ~aimed
        _check_sample(part, aimed, seen)
    people, rater = np.unique(part.rater[seen], return_inverse=True)
    several = answers.mean(answers.value, len(items)) if part.ordered else answers.commonest(len(items))
    return Panel(
        part=part,
        name=judge,
        items=items,
        judge=several,
        item=place[part.item[seen]],
        rater=rater,
        value=_values(part, part.rows[seen]),
        people=tuple(part.name(int(code)) for code in people),
        answers=answers,
        unseen=len(distinct(part.item[human & (place[part.item] < 0)])),
        targeted=len(distinct(part.item[aimed])),
        setting=taken,
        notes=tuple(notes),
    )


def _when(part: Part, rows: Integers) -> Integers:
    """First answers before later ones, whatever the order of the file."""
    return np.isin(rows, part.repeats).astype(np.int64)


def _targeted(part: Part, judged: Integers) -> NDArray[np.bool_]:
    """Which ratings are of items labelled for what they show: their row says so, or the judge's where it is silent."""
    factor = part.ratings.columns.get("sampling")
    if factor is None:
        return np.zeros(len(part.rows), dtype=np.bool_)
    aimed = np.array([*(name.strip().casefold() in _TARGETED for name in factor.names), False])
    of_item = np.zeros(len(part.item_names), dtype=np.bool_)
    of_item[part.ratings.item.codes[judged[aimed[factor.codes[judged]]]]] = True
    own = factor.codes[part.rows]
    return np.asarray(np.where(own >= 0, aimed[own], of_item[part.item]))


def _values(part: Part, rows: Integers) -> Floats:
    if part.ordered:
        return part.ratings.scores[rows]
    return turned(part, rows, part.ratings.value[rows].astype(np.float64))


def _check_sample(part: Part, aimed: NDArray[np.bool_], seen: NDArray[np.bool_]) -> None:
    if not seen.any():
        raise NotEnoughDataError(
            f"All {counted(len(distinct(part.item[aimed])), 'item')} of {part.title} that people labelled were chosen "
            "for what they show (sampling: targeted), and that is no sample. Label items that are drawn at random."
        )


def _check_people(part: Part, judge: str, human: NDArray[np.bool_], seen: NDArray[np.bool_], items: int) -> None:
    if not human.any():
        raise NotEnoughDataError(
            f"Only models rated ({part.title}): a judge can be tested only beside people. "
            "Add human ratings of some of the same items."
        )
    if not seen.any():
        raise NotEnoughDataError(
            f"People and {judge} share no item of {part.title}. Items must have the same names in both; "
            f"people rated {counted(len(distinct(part.item[human])), 'item')}, {judge} {items:,}."
        )
