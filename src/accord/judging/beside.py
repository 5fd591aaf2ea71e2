r"""Agreement of the judge with people beside that of people with each other, and the difference, over documents.

Both are computed from pairs of ratings of one item: the judge with each person, and person with person. An item's pairs
together weigh as its ratings do in Krippendorff's alpha, so that alpha of people is that of ``accord agree``. The
error comes from leaving out each document (or item) in turn, on both sides at once: the difference is a paired one.
"""

import numpy as np

from accord.arrays import Codes, Floats, Integers
from accord.coefficients.features import View
from accord.coefficients.registry import COHEN_KAPPA, COHEN_KAPPA_QUADRATIC, GAMMA, KRIPPENDORFF_ALPHA, PEARSON
from accord.coefficients.sums import statistic_of_view
from accord.diagnosis.reliabilities import across
from accord.inference.interval import Interval
from accord.judging.panel import Panel
from accord.judging.summing import by_cluster
from accord.quantiles import stdtr, stdtrit
from accord.ratings.counts import Patterns
from accord.records import dataclass

__all__ = ["Beside", "agreement_beside"]

_FINE = 30
"""Values above which gamma gives way to Pearson's r."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One coefficient on both sides; ``people`` is nan where no item has two people."""

    coefficient: str
    title: str
    judge: float
    judge_interval: Interval | None
    people: float
    people_interval: Interval | None
    difference: float
    difference_interval: Interval | None
    p: float

    def to_dict(self) -> dict[str, object]:
        ends = {
            f"{name}_interval": None if one is None else one.to_dict()
            for name, one in (
                ("judge", self.judge_interval),
                ("people", self.people_interval),
                ("difference", self.difference_interval),
            )
        }
        return {
            "coefficient": self.coefficient,
            "judge": self.judge,
            "people": self.people,
            "difference": self.difference,
            "p": self.p,
            **ends,
        }


@dataclass(frozen=True, slots=True)
class _Side:
    """Pairs of values (codes) with the place of their document and their weight."""

    codes: Codes
    cluster: Integers
    weight: Floats


def agreement_beside(panel: Panel, *, level: float = 0.95) -> list[Beside]:
    """Alpha, kappa, gamma (or r) and cross-replication, each with the judge and among people."""
    values = _values(panel)
    cluster = np.unique(panel.cluster[panel.labelled], return_inverse=True)[1]
    place = np.full(len(panel.items), -1)
    place[panel.labelled] = cluster
    clusters = int(cluster.max()) + 1
    keys = _keys(panel, len(values))
    judge, people = _with_judge(panel, values, place), _among_people(panel, values, place)
    on_judge = _leave_out(panel, judge, keys, clusters)
    on_people = _leave_out(panel, people, keys, clusters) if len(people.codes) else None
    crossed = _cross_replication(panel, place, clusters)
    titles = [*(_TITLES[key] for key in keys), "cross-replication κx"]
    names = [*keys, "cross_replication"]
    mine = np.column_stack([on_judge, crossed])
    # Cross-replication among people has no meaning of its own: it stands beside their alpha, as its authors do.
    theirs = None if on_people is None else np.column_stack([on_people, on_people[:, 0]])
    return [
        _beside_of_people(
            names[one], titles[one], mine[:, one], None if theirs is None else theirs[:, one], level, panel.units
        )
        for one in range(len(names))
    ]


_TITLES = {
    KRIPPENDORFF_ALPHA: "Krippendorff's α",
    COHEN_KAPPA: "Cohen's κ",
    COHEN_KAPPA_QUADRATIC: "weighted κ",
    GAMMA: "Goodman and Kruskal's γ",
    PEARSON: "Pearson's r",
}


def _keys(panel: Panel, values: int) -> list[str]:
    if not panel.ordered:
        return [KRIPPENDORFF_ALPHA, COHEN_KAPPA]
    return [KRIPPENDORFF_ALPHA, COHEN_KAPPA_QUADRATIC, GAMMA if values <= _FINE else PEARSON]


def _values(panel: Panel) -> Floats:
    """The values of the scale in the order of their codes."""
    scale = panel.part.ratings.scale
    return scale.array if panel.ordered else np.arange(len(scale.values), dtype=np.float64)


def _code(values: Floats, scores: Floats) -> Codes:
    order = np.argsort(values)
    return order[np.searchsorted(values[order], scores)].astype(np.int32)


def _with_judge(panel: Panel, values: Floats, place: Integers) -> _Side:
    answer, rating, weight = panel.pairs
    codes = np.column_stack([_code(values, answer), _code(values, panel.value[rating])])
    return _Side(codes, place[panel.item[rating]], weight)


def _among_people(panel: Panel, values: Floats, place: Integers) -> _Side:
    """Every two people of an item, both ways round, each way with half the weight."""
    order = np.argsort(panel.item, kind="stable")
    item, code = panel.item[order], _code(values, panel.value)[order]
    first, second = [], []
    for apart in range(1, int(panel.counts.max())):
        same = np.flatnonzero(item[apart:] == item[:-apart])
        first.append(same)
        second.append(same + apart)
    one = np.concatenate(first) if first else np.empty(0, dtype=np.int64)
    other = np.concatenate(second) if second else one
    both = np.column_stack([np.concatenate([code[one], code[other]]), np.concatenate([code[other], code[one]])])
    weight = 0.5 / (panel.counts[item[one]] - 1)
    cluster = place[item[one]]
    return _Side(both.astype(np.int32), np.concatenate([cluster, cluster]), np.concatenate([weight, weight]))


def _leave_out(panel: Panel, side: _Side, keys: list[str], clusters: int) -> Floats:
    """The coefficients: first row of all pairs, then without each document."""
    patterns, pattern = np.unique(side.codes, axis=0, return_inverse=True)
    view = View(Patterns(patterns.astype(np.int32), np.ones(len(patterns), dtype=np.int64)), panel.part.ratings.scale)
    statistic = statistic_of_view(view, keys)
    times = np.zeros((clusters, len(patterns)))
    np.add.at(times, (side.cluster, pattern.ravel()), side.weight)
    sums = times @ statistic.features
    whole = sums.sum(axis=0, keepdims=True)
    return np.asarray(statistic.evaluate(np.vstack([whole, whole - sums])))


def _cross_replication(panel: Panel, place: Integers, clusters: int) -> Floats:
    """Wong, Paritosh and Aroyo's xRR of the judge with people, whole and without each document."""
    ordered = panel.ordered
    rows = panel.labelled
    spot = np.full(len(panel.items), -1)
    spot[rows] = np.arange(len(rows))
    own = panel.answers
    there = spot[own.item] >= 0
    mine = _sums(panel, own.value[there], spot[own.item[there]], len(rows), own.weight[there])
    theirs = _sums(panel, panel.value, spot[panel.item], len(rows))
    weight = mine[:, 0] + theirs[:, 0]
    features = np.column_stack([across(ordered, mine, theirs) * weight, weight, mine, theirs])
    sums = by_cluster(features, place[rows], clusters)
    total = sums.sum(axis=0, keepdims=True)
    left = np.vstack([total, total - sums])
    width = mine.shape[1]
    expected = across(ordered, left[:, 2 : 2 + width], left[:, 2 + width :])
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(expected > 1e-12, 1 - left[:, 0] / left[:, 1] / expected, np.nan)
    return found


def _sums(panel: Panel, values: Floats, item: Integers, items: int, weight: Floats | None = None) -> Floats:
    if panel.ordered:
        features = np.column_stack([np.ones(len(values)), values, values**2])
    else:
        features = np.zeros((len(values), 1 + len(panel.part.ratings.scale.values)))
        features[:, 0] = 1
        features[np.arange(len(values)), 1 + values.astype(np.int64)] = 1
    return by_cluster(features if weight is None else features * weight[:, None], item, items)


def _beside_of_people(key: str, title: str, judge: Floats, people: Floats | None, level: float, units: str) -> Beside:
    gap = None if people is None else judge - people
    value = float("nan") if gap is None else float(gap[0])
    error, freedom = (float("nan"), 1) if gap is None else _error(gap)
    p = float(2 * stdtr(freedom, -abs(value) / error)) if error > 0 else float("nan")
    return Beside(
        coefficient=key,
        title=title,
        judge=float(judge[0]),
        judge_interval=_interval(judge, level, units),
        people=float("nan") if people is None else float(people[0]),
        people_interval=None if people is None else _interval(people, level, units),
        difference=value,
        difference_interval=None if gap is None else _interval(gap, level, units, highest=2.0),
        p=p,
    )


def _error(values: Floats) -> tuple[float, int]:
    left = values[1:][np.isfinite(values[1:])]
    units = len(left)
    if units < 3:
        return float("nan"), 1
    return float(np.sqrt((units - 1) / units * np.square(left - left.mean()).sum())), units - 1


def _interval(values: Floats, level: float, units: str, highest: float = 1.0) -> Interval | None:
    error, freedom = _error(values)
    if not error > 0:
        return None
    reach = float(stdtrit(freedom, (1 + level) / 2)) * error
    method = f"jackknife over {units}, t({freedom:,})"
    value = float(values[0])
    return Interval(low=max(value - reach, -highest), high=min(value + reach, highest), level=level, method=method)
