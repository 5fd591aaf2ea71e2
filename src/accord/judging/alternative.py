"""May a judge stand in for a person? Calderon, Reichart and Dror's alternative annotator test, with intervals."""

from dataclasses import replace

import numpy as np

from accord.arrays import Floats, distinct
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.inference.intervals import t_interval
from accord.inference.multiple import Adjustment, adjusted
from accord.judging.panel import Panel
from accord.judging.summing import by_cluster
from accord.records import dataclass
from accord.tables.plain import PlainData

__all__ = ["LEAST_ITEMS", "LEAST_UNITS", "AltTest", "HumanLeftOut", "alternative_annotator"]

LEAST_ITEMS = 30
LEAST_UNITS = 3
"""Of fewer documents none can be redrawn, so nothing is said of others."""
_FALSE_DISCOVERY = 0.05
_REPLICATES = 1000
_CELLS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanLeftOut(PlainData):
    """The judge against one person, both measured by how well they go with the remaining people.

    ``judge_wins`` and ``human_wins`` are shares of items; a tie counts for both.
    """

    human: str
    items: int
    judge_wins: float
    human_wins: float
    p: float
    beaten: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AltTest:
    """The test: ``winning_rate`` is the share of people whom the judge beats; at 0.5 or more it may stand in for them.

    ``advantage`` is the advantage probability: how often the judge fits the others at least as well as the person
    left out. ``passing`` is the share of resamples in which the judge passes.
    """

    judge: str
    epsilon: float
    humans: tuple[HumanLeftOut, ...]
    winning_rate: float
    passed: bool
    advantage: float
    winning_interval: Interval | None = None
    advantage_interval: Interval | None = None
    passing: float = float("nan")
    left: tuple[str, ...] = ()
    """People with too few items to be left out."""

    def to_dict(self) -> dict[str, object]:
        told = {"winning_interval": self.winning_interval, "advantage_interval": self.advantage_interval}
        ends = {name: None if one is None else one.to_dict() for name, one in told.items()}
        return {
            "judge": self.judge,
            "epsilon": self.epsilon,
            "humans": [human.to_dict() for human in self.humans],
            "winning_rate": self.winning_rate,
            "passed": self.passed,
            "advantage": self.advantage,
            **ends,
            "passing": self.passing,
            "left": list(self.left),
        }


@dataclass(frozen=True, slots=True)
class _Wins:
    """Item by item (rows) and person left out (columns): whether the judge and the person win; nan where not tested."""

    judge: Floats
    human: Floats

    @property
    def gap(self) -> Floats:
        return self.human - self.judge


def alternative_annotator(
    panel: Panel, *, epsilon: float = 0.2, level: float = 0.95, rng: np.random.Generator | None = None
) -> AltTest:
    """Leave out each person in turn: does the judge go with the others as well as that person does?

    ``epsilon`` is what a person costs more than the judge: 0.2 for experts, 0.15 for skilled, 0.1 for crowd workers.
    One-sided t-tests of the share of wins, false discoveries held at 5% (Benjamini and Yekutieli), as published. The
    intervals redraw documents, or items where there are none; without ``rng`` there are none.
    """
    if not 0 <= epsilon < 1:
        raise OptionError(f"Epsilon must lie between 0 and 1, not {epsilon}.")
    if len(panel.people) < 2:
        raise NotEnoughDataError("The test leaves out one person in turn, so it needs at least two people.")
    if len(distinct(np.concatenate([panel.value, panel.answers.value]))) < 2:
        raise NotEnoughDataError(
            "Everybody gave one and the same value, so nothing tells a good judge from one that always says it."
        )
    wins = _wins(panel)
    tested = (~np.isnan(wins.judge)).sum(axis=0)
    enough = np.flatnonzero(tested >= LEAST_ITEMS)
    if not len(enough):
        raise NotEnoughDataError(f"No person shares {LEAST_ITEMS} items with the judge and with another person.")
    wins = _Wins(wins.judge[:, enough], wins.human[:, enough])
    humans = [
        _left_out(panel.people[one], wins.judge[:, place], wins.human[:, place], epsilon)
        for place, one in enumerate(enough)
    ]
    beaten = _beaten(np.array([[human.p for human in humans]]))[0]
    rate, advantage = float(beaten.mean()), float(np.mean([human.judge_wins for human in humans]))
    made = AltTest(
        judge=panel.name,
        epsilon=epsilon,
        winning_rate=rate,
        passed=rate >= 0.5,
        advantage=advantage,
        humans=tuple(replace(human, beaten=bool(win)) for human, win in zip(humans, beaten, strict=True)),
        left=tuple(name for place, name in enumerate(panel.people) if place not in set(enough.tolist())),
    )
    return made if rng is None else _with_intervals(made, panel, wins, level, rng)


def _wins(panel: Panel) -> _Wins:
    """Who fits better, item by item; each of the judge's answers is held against the person, and they share it."""
    table = panel.matrix
    judge, human = np.full(table.shape, np.nan), np.full(table.shape, np.nan)
    spot = np.full(len(panel.items), -1)
    spot[panel.labelled] = np.arange(len(panel.labelled))
    answer = np.flatnonzero(spot[panel.answers.item] >= 0)
    of_answer, weight = spot[panel.answers.item[answer]], panel.answers.weight[answer]
    for person in range(table.shape[1]):
        rest = np.delete(table, person, axis=1)
        known = ~np.isnan(table[:, person]) & ~np.isnan(rest).all(axis=1)
        used = known[of_answer]
        place = of_answer[used]
        mine = _fit(panel.ordered, panel.answers.value[answer[used]], rest[place])
        theirs = _fit(panel.ordered, table[place, person], rest[place])
        for wins, better in ((judge, mine >= theirs), (human, theirs >= mine)):
            wins[known, person] = np.bincount(place, better * weight[used], len(table))[known]
    return _Wins(judge, human)


def _fit(ordered: bool, own: Floats, rest: Floats) -> Floats:
    """How well one rater goes with the rest, item by item: share of equal values, or minus the root mean square."""
    known = ~np.isnan(rest)
    count = known.sum(axis=1)
    if ordered:
        squares = np.where(known, np.square(rest - own[:, None]), 0.0).sum(axis=1)
        distances: Floats = np.sqrt(squares / count)
        return -distances
    shares: Floats = (known & (rest == own[:, None])).sum(axis=1) / count
    return shares


def _left_out(name: str, judge: Floats, human: Floats, epsilon: float) -> HumanLeftOut:
    known = ~np.isnan(judge)
    judge, human = judge[known], human[known]
    gap = human - judge
    p = _p_values(np.array(float(len(gap))), np.array(gap.sum()), np.array(np.square(gap).sum()), epsilon)
    return HumanLeftOut(
        human=name,
        items=len(gap),
        judge_wins=float(judge.mean()),
        human_wins=float(human.mean()),
        p=float(p),
        beaten=False,
    )


def _p_values(count: Floats, total: Floats, squares: Floats, epsilon: float) -> Floats:
    """The one-sided t-test that the person wins by less than epsilon, from sums."""
    from accord.quantiles import stdtr

    mean = total / count
    variance = np.maximum(squares - count * mean**2, 0.0) / np.maximum(count - 1, 1)
    error = np.sqrt(variance / count)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = stdtr(np.maximum(count - 1, 1), (mean - epsilon) / error)
    return np.asarray(np.where(error > 1e-12, p, (mean >= epsilon).astype(float)))


def _beaten(p: Floats) -> Floats:
    """Which tests of each row stand when false discoveries are held at 5% under any dependence."""
    return np.stack([adjusted(row, Adjustment.BENJAMINI_YEKUTIELI) <= _FALSE_DISCOVERY for row in p]).astype(float)


def _with_intervals(made: AltTest, panel: Panel, wins: _Wins, level: float, rng: np.random.Generator) -> AltTest:
    """Redraw documents whole: what other items would have given, with these people."""
    cluster = panel.cluster[panel.labelled]
    known = ~np.isnan(wins.judge)
    features = [
        known.astype(float),
        np.where(known, wins.gap, 0),
        np.where(known, wins.gap**2, 0),
        np.where(known, wins.judge, 0),
    ]
    used, place = np.unique(cluster, return_inverse=True)
    sums = by_cluster(np.stack(features, axis=1).reshape(len(cluster), -1), place, len(used))
    sums = sums[sums.any(axis=1)]
    units = len(sums)
    if units < LEAST_UNITS:
        return made
    people = wins.judge.shape[1]
    rates = []
    for start in range(0, _REPLICATES, max(1, _CELLS // units)):
        draws = min(max(1, _CELLS // units), _REPLICATES - start)
        weights = rng.multinomial(units, np.full(units, 1 / units), draws).astype(float)
        count, gap, squares, _ = np.moveaxis((weights @ sums).reshape(draws, 4, people), 1, 0)
        rates.append(_beaten(_p_values(np.maximum(count, 1), gap, squares, made.epsilon)).mean(axis=1))
    rate = np.concatenate(rates)
    low, high = np.quantile(rate, [(1 - level) / 2, (1 + level) / 2])
    winning = Interval(
        low=float(low),
        high=float(high),
        level=level,
        method=f"bootstrap over {panel.units}, percentile",
        replicates=_REPLICATES,
    )
    return replace(
        made,
        winning_interval=winning,
        passing=float((rate >= 0.5).mean()),
        advantage_interval=_advantage_interval(made, sums, people, level, panel.units),
    )


def _advantage_interval(made: AltTest, sums: Floats, people: int, level: float, units: str) -> Interval | None:
    total = sums.sum(axis=0)
    rest = (total - sums).reshape(len(sums), 4, people)
    with np.errstate(invalid="ignore", divide="ignore"):
        left = (rest[:, 3] / rest[:, 0]).mean(axis=1)
    left = left[np.isfinite(left)]
    error = float(np.sqrt((len(left) - 1) / len(left) * np.square(left - made.advantage).sum()))
    found = t_interval(
        made.advantage, error, len(left) - 1, level=level, method=f"jackknife over {units}, t({len(left) - 1:,})"
    )
    return None if found is None else replace(found, low=max(found.low, 0.0))
