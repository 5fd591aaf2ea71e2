"""Where a judge errs: how far it lies from people, for whom, on which values, and on which items most."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.arrays import Floats, Integers, distinct
from accord.inference.interval import Interval
from accord.inference.multiple import adjusted
from accord.judging.panel import Panel
from accord.judging.summing import by_cluster
from accord.noise import order_of
from accord.quantiles import stdtr, stdtrit
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.tables.table import Cell
from accord.words import spelled, steady

__all__ = [
    "Apart",
    "Effect",
    "FarItem",
    "adjusted_effects",
    "confusion",
    "effect_left_out",
    "effect_of",
    "far_items",
    "groups_of",
    "scale_use",
]

_GROUPS = ("system", "language_pair", "domain", "scenario", "document")
_FEW = 5
_CLASSES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A mean difference in score points (judge minus people unless said), its interval and its test."""

    name: str
    items: int
    value: float
    interval: Interval | None
    p: float
    note: str = ""
    adjusted: float = float("nan")
    """p after Holm over all that were looked at together; p itself goes with the interval."""

    def to_dict(self) -> dict[str, object]:
        return {
            "name": self.name,
            "items": self.items,
            "value": self.value,
            "p": self.p,
            "adjusted_p": self.adjusted,
            "note": self.note,
            "interval": None if self.interval is None else self.interval.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Apart:
    """Judge minus people on each labelled item: a difference of scores, or 1 where the label is not that of most."""

    places: Integers
    value: Floats
    cluster: Integers

    @classmethod
    def of(cls, panel: Panel) -> "Apart":
        places = panel.labelled
        if panel.ordered:
            value = panel.judge[places] - panel.mean[places]
        else:
            answer, rating, weight = panel.pairs
            same = np.bincount(panel.item[rating], weight * (answer == panel.value[rating]), len(panel.items))
            value = 1.0 - same[places].astype(np.float64)
        return cls(places, value, np.unique(panel.cluster[places], return_inverse=True)[1])


def effect_of(
    name: str, values: Floats, cluster: Integers, *, level: float = 0.95, units: str = "documents", note: str = ""
) -> Effect:
    """The mean of values with its error over documents."""
    documents = int(cluster.max()) + 1 if len(cluster) else 0
    pulls = (values - values.mean()) / max(len(values), 1)
    sums = by_cluster(pulls[:, None], cluster, documents)[:, 0]
    error = float(np.sqrt(sums @ sums * documents / max(documents - 1, 1)))
    return _effect(name, float(values.mean()), error, documents, len(values), f"clustered by {units}", level, note)


def effect_left_out(
    name: str, value: float, left: Floats, *, items: int, level: float = 0.95, units: str = "documents", note: str = ""
) -> Effect:
    """A slope or a contrast with its value without each document in turn; no test where it hangs on one of them."""
    documents = len(left)
    error = float("nan")
    if np.isfinite(left).all():
        error = float(np.sqrt((documents - 1) / documents * np.square(left - value).sum()))
    return _effect(name, value, error, documents, items, f"jackknife over {units}", level, note)


def _effect(
    name: str, value: float, error: float, documents: int, items: int, method: str, level: float, note: str
) -> Effect:
    interval, p = None, float("nan")
    if documents >= _FEW and error > 0:
        reach = float(stdtrit(documents - 1, (1 + level) / 2)) * error
        p = float(2 * stdtr(documents - 1, -abs(value) / error))
        interval = Interval(
            low=value - reach, high=value + reach, level=level, method=f"{method}, t({documents - 1:,})"
        )
    return Effect(name=name, items=items, value=value, interval=interval, p=p, note=note)


def groups_of(panel: Panel, apart: Apart, *, level: float = 0.95) -> dict[str, list[Effect]]:
    """How far the judge lies from people within systems, languages, domains, documents and lengths."""
    found = {}
    for column in _GROUPS:
        told = panel.column(column)
        if told is None:
            continue
        codes = told[0][apart.places]
        used = [int(code) for code in distinct(codes) if code >= 0]
        if len(used) < 2 or (column == "document" and len(used) > 200):
            continue
        found[column] = adjusted_effects([_group(told[1][code], apart, codes == code, level, panel) for code in used])
    if panel.lengths is not None and not np.isnan(panel.lengths[apart.places]).any():
        lengths = panel.lengths[apart.places]
        cuts = distinct(np.quantile(lengths, [0.25, 0.5, 0.75]))
        quarter = np.searchsorted(cuts, lengths, side="left")
        if len(cuts) == 3 and len(lengths) >= 20:
            names = (
                f"to {steady(cuts[0]):.0f} letters",
                f"to {steady(cuts[1]):.0f}",
                f"to {steady(cuts[2]):.0f}",
                "longer",
            )
            found["length"] = adjusted_effects(
                [_group(name, apart, quarter == place, level, panel) for place, name in enumerate(names)]
            )
    return found


def _group(name: str, apart: Apart, rows: np.ndarray, level: float, panel: Panel) -> Effect:
    cluster = np.unique(apart.cluster[rows], return_inverse=True)[1]
    return effect_of(name, apart.value[rows], cluster, level=level, units=panel.units)


def adjusted_effects(effects: Sequence[Effect]) -> list[Effect]:
    """The same with p after Holm over all of them."""
    p = adjusted(np.array([one.p for one in effects]))
    return [replace(one, adjusted=float(more)) for one, more in zip(effects, p, strict=True)]


def confusion(panel: Panel) -> tuple[list[str], Floats] | None:
    """How many ratings of people (rows) met which value of the judge (columns), items weighing alike; None if fine."""
    scale = panel.part.ratings.scale
    values = scale.array if panel.ordered else np.arange(len(scale.values), dtype=np.float64)
    if len(values) > _CLASSES:
        return None
    table = np.zeros((len(values), len(values)))
    order = np.argsort(values)
    answer, rating, weight = panel.pairs
    people, judge = (order[np.searchsorted(values[order], one)] for one in (panel.value[rating], answer))
    np.add.at(table, (people, judge), weight)
    return [spelled(value) for value in scale.values], table


def scale_use(panel: Panel) -> list[dict[str, Cell]]:
    """How judge and people use the scale on the same items: mean, spread, and the ends."""
    rows: list[dict[str, Cell]] = []
    there, rating, _ = panel.pairs
    for who, values in ((panel.name, there), ("people", panel.value[rating])):
        top, bottom = float(panel.part.score.max()), float(panel.part.score.min())
        rows.append(
            {
                "who": who,
                "mean": float(values.mean()),
                "sd": float(values.std()),
                "values": len(distinct(values)),
                "lowest": float((values == bottom).mean()),
                "highest": float((values == top).mean()),
            }
        )
    return rows


@dataclass(frozen=True, slots=True)
class FarItem(PlainData):
    """An item on which the judge lies beyond every person, with what people said and its text."""

    item: str
    judge: str
    people: str
    distance: float
    text: str


def far_items(panel: Panel, most: int = 10) -> list[FarItem]:
    """Items whose every person lies far from the judge on the same side (or gave another label), furthest first."""
    places = panel.labelled
    rank = np.full(len(panel.items), np.nan)
    if panel.ordered:
        low, high = np.full(len(panel.items), np.inf), np.full(len(panel.items), -np.inf)
        np.minimum.at(low, panel.item, panel.value)
        np.maximum.at(high, panel.item, panel.value)
        distance = np.maximum(low[places] - panel.judge[places], panel.judge[places] - high[places])
    else:
        answer, rating, _ = panel.pairs
        same = np.bincount(panel.item[rating], answer == panel.value[rating], len(panel.items))[places]
        # The more people say otherwise, the further.
        distance = np.where(same == 0, panel.counts[places].astype(float), -1.0)
    rank[places] = distance
    furthest = [int(place) for place in places[order_of(distance, highest=True)][:most] if rank[place] > 0]
    order = np.argsort(panel.item, kind="stable")
    starts = np.searchsorted(panel.item[order], furthest)
    told = []
    for place, start, text in zip(furthest, starts, panel.texts(furthest), strict=True):
        said = np.sort(panel.value[order[start : start + panel.counts[place]]])
        told.append(
            FarItem(
                panel.names(np.array([place]))[0],
                _answers_of_judge(panel, place),
                ", ".join(_value(panel, one) for one in said[:8]),
                float(rank[place]),
                text,
            )
        )
    return told


def _answers_of_judge(panel: Panel, place: int) -> str:
    """The judge's score, or each label that it gave."""
    if panel.ordered:
        return _value(panel, panel.judge[place])
    first, last = np.searchsorted(panel.answers.item, [place, place + 1])
    return ", ".join(dict.fromkeys(_value(panel, one) for one in panel.answers.value[first:last]))


def _value(panel: Panel, value: float) -> str:
    values = panel.part.ratings.scale
    if panel.ordered:
        spot = np.flatnonzero(values.array == value)
        return spelled(values.values[int(spot[0])]) if len(spot) else f"{steady(value):.3g}"
    return spelled(values.values[int(value)])
