"""Is a judge steady? Its answers to the same item between runs, prompts and versions, and its drift over time."""

import numpy as np

from accord.arrays import Floats, Integers, distinct
from accord.inference.interval import Interval
from accord.inference.proportion import wilson_interval
from accord.judging.answers import POSITIONS, SETTINGS
from accord.judging.errs import Apart, Effect, adjusted_effects, effect_of
from accord.judging.panel import EveryRating, Panel
from accord.judging.probes import slope_effect
from accord.judging.summing import by_cluster
from accord.records import dataclass
from accord.words import steady

__all__ = ["Runs", "drift_of", "runs_of", "settings_of"]

_FEW = 5
_TIMES = ("date", "time", "round", "batch", "version", "occasion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The same item judged again: ``judging`` is the variance between runs, ``answers`` that of items beside it."""

    items: int
    ratings: int
    same: float
    judging: float
    answers: float
    interval: Interval | None = None
    """Of ``share``, by leaving out documents."""

    @property
    def share(self) -> float:
        """The part of a single score's variance that is the judge's own unsteadiness."""
        whole = self.judging + self.answers
        return self.judging / whole if whole > 0 else float("nan")

    def to_dict(self) -> dict[str, object]:
        return {
            "items": self.items,
            "ratings": self.ratings,
            "same": self.same,
            "judging_variance": self.judging,
            "answer_variance": self.answers,
            "judging_share": self.share,
            "interval": None if self.interval is None else self.interval.to_dict(),
        }


def runs_of(panel: Panel, *, level: float = 0.95) -> Runs | None:
    """Answers apart from judging, from repeats asked in the same way; None where nothing was judged twice."""
    every = panel.own
    key = every.item
    for column in (*SETTINGS, *POSITIONS):
        factor = panel.part.ratings.columns.get(column)
        if factor is not None:
            key = key * (len(factor.names) + 2) + factor.codes[every.rows] + 1
    place = np.unique(key, return_inverse=True)[1]
    count = np.bincount(place)
    if count.max(initial=0) < 2:
        return None
    several = count[place] >= 2
    place, value = np.unique(place[several], return_inverse=True)[1], every.value[several]
    count = np.bincount(place)
    first = np.full(len(count), np.nan)
    first[place[::-1]] = value[::-1]
    within = between = float("nan")
    interval = None
    item = np.zeros(len(count), dtype=np.int64)
    item[place] = every.item[several]
    if panel.ordered:
        cluster = panel.cluster[np.searchsorted(panel.items, item)]
        within, between, interval = _variances(place, value, cluster, panel.units, level)
    again = value == first[place]
    same = float((again.sum() - len(count)) / (len(value) - len(count)))
    return Runs(
        items=len(distinct(item)), ratings=len(value), same=same, judging=within, answers=between, interval=interval
    )


def _variances(
    place: Integers, value: Floats, cluster: Integers, units: str, level: float
) -> tuple[float, float, Interval | None]:
    """The variance between runs, that between items beside it, and the interval of the first one's share."""
    count = np.bincount(place).astype(float)
    mean = np.bincount(place, value) / count
    within = np.bincount(place, np.square(value - mean[place]))
    documents = int(cluster.max()) + 1
    features = np.column_stack([np.ones_like(count), count, within, mean, mean**2])
    sums = by_cluster(features, cluster, documents)
    used = sums[:, 0] > 0
    judging, answers = _split(sums.sum(axis=0)[None, :])
    without = _split(sums.sum(axis=0) - sums[used])
    number = int(used.sum())
    whole = judging[0] + answers[0]
    if number < _FEW or not whole > 0:
        return float(judging[0]), float(answers[0]), None
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.nan_to_num(without[0] / (without[0] + without[1]))
    error = float(np.sqrt((number - 1) / number * np.square(shares - shares.mean()).sum()))
    return (
        float(judging[0]),
        float(answers[0]),
        wilson_interval(float(judging[0] / whole), error, number, level=level, unit=units),
    )


def _split(sums: Floats) -> tuple[Floats, Floats]:
    """Variance of judging and of answers from items, ratings, squares within, and sums of item means and squares."""
    items, ratings, squares, means, squared = sums.T
    judging = squares / np.maximum(ratings - items, 1)
    spread = np.maximum(squared - means**2 / np.maximum(items, 1), 0) / np.maximum(items - 1, 1)
    return judging, np.maximum(spread - judging * items / np.maximum(ratings, 1), 0.0)


def settings_of(panel: Panel, *, level: float = 0.95) -> list[Effect]:
    """Of each prompt, rubric or version but the commonest: how much it moves the score of the same items."""
    if not panel.ordered:
        return []
    every = panel.every
    found = []
    for column in SETTINGS:
        factor = panel.part.ratings.columns.get(column)
        if factor is None:
            continue
        codes = factor.codes[every.rows]
        counts = np.bincount(codes[codes >= 0], minlength=len(factor.names))
        if (counts > 0).sum() < 2:
            continue
        usual = int(counts.argmax())
        base = _item_means(every, codes == usual)
        for other in np.flatnonzero(counts):
            if other == usual:
                continue
            mine = _item_means(every, codes == other)
            shared = np.array(sorted(set(base) & set(mine)))
            if len(shared) < 5:
                continue
            place = np.searchsorted(panel.items, shared)
            change = np.array([mine[item] - base[item] for item in shared.tolist()])
            cluster = np.unique(panel.cluster[place], return_inverse=True)[1]
            name = f"{column} {factor.names[int(other)]} against {factor.names[usual]}"
            same = float((change == 0).mean())
            found.append(
                effect_of(name, change, cluster, level=level, units=panel.units, note=f"{steady(same):.0%} the same")
            )
    return adjusted_effects(found)


def _item_means(every: EveryRating, rows: np.ndarray) -> dict[int, float]:
    items, place = np.unique(every.item[rows], return_inverse=True)
    means = np.bincount(place, every.value[rows]) / np.bincount(place)
    return dict(zip(items.tolist(), means.tolist(), strict=True))


def drift_of(panel: Panel, *, level: float = 0.95) -> Effect | str:
    """How the distance from people changes from the first to the last item in time, in score points."""
    if not panel.ordered:
        return "Drift: labels have no distance that could change."
    for name in _TIMES:
        found = panel.column(name)
        if found is None:
            continue
        apart = Apart.of(panel)
        codes = found[0][apart.places]
        names = sorted({found[1][code] for code in codes if code >= 0}, key=_as_time)
        if len(names) < 2 or (codes < 0).any():
            continue
        rank = {name: place / (len(names) - 1) for place, name in enumerate(names)}
        x = np.array([rank[found[1][code]] for code in codes])
        return slope_effect(f"from the first {name} to the last", apart, x, np.ones(len(x), dtype=bool), panel, level)
    return "Drift: no column says when the judge rated (date, round, batch or version)."


def _as_time(name: str) -> tuple[float, str]:
    try:
        return float(name), ""
    except ValueError:
        return float("inf"), name
