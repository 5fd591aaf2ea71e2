"""A language model as judge: may it stand in for a person, and what do its scores say once its errors are known?"""

from dataclasses import asdict, dataclass, replace

import numpy as np

from accord.arrays import Floats
from accord.diagnosis.part import Part
from accord.errors import NotEnoughDataError, OptionError

__all__ = ["AltTest", "HumanLeftOut", "alternative_annotator", "corrected_mean", "corrected_share"]

_LEAST_ITEMS = 30
_FALSE_DISCOVERY = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanLeftOut:
    """The judge against one person, both measured by how well they go with the remaining people.

    ``judge_wins`` and ``human_wins`` are shares of items; a tie counts for both.
    """

    human: str
    items: int
    judge_wins: float
    human_wins: float
    p: float
    beaten: bool

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class AltTest:
    """Calderon, Reichart and Dror's alternative annotator test.

    ``winning_rate`` is the share of people whom the judge beats; at 0.5 or more it may stand in for them.
    """

    judge: str
    epsilon: float
    humans: tuple[HumanLeftOut, ...]
    winning_rate: float
    passed: bool

    def to_dict(self) -> dict[str, object]:
        return {**asdict(self), "humans": [human.to_dict() for human in self.humans]}


def alternative_annotator(part: Part, judge: str, *, epsilon: float = 0.2) -> AltTest:
    """Leave out each person in turn: does the judge go with the others as well as that person does?

    ``epsilon`` is what a person costs more than the judge: 0.2 for experts, 0.15 for skilled, 0.1 for crowd workers.
    One-sided t-tests of the share of wins, false discoveries held at 5% (Benjamini and Yekutieli).
    """
    if judge not in part.rater_names:
        raise OptionError(f"There is no rater named {judge!r}. Raters: {', '.join(part.rater_names[:20])}.")
    if not 0 <= epsilon < 1:
        raise OptionError(f"Epsilon must lie between 0 and 1, not {epsilon}.")
    names = [part.name(int(code)) for code in part.raters]
    table = part.matrix() if part.ordered else _code_matrix(part)
    people = [column for column, name in enumerate(names) if name != judge]
    if len(people) < 2:
        raise NotEnoughDataError("The test leaves out one person in turn, so it needs at least two people.")
    tested = [_left_out(part, table, names.index(judge), one, people, names[one], epsilon) for one in people]
    known = [human for human in tested if human is not None]
    if not known:
        raise NotEnoughDataError(f"No person shares {_LEAST_ITEMS} items with the judge and with another person.")
    beaten = _benjamini_yekutieli([human.p for human in known])
    humans = tuple(replace(human, beaten=win) for human, win in zip(known, beaten, strict=True))
    rate = float(np.mean(beaten))
    return AltTest(judge=judge, epsilon=epsilon, humans=humans, winning_rate=rate, passed=rate >= 0.5)


def _code_matrix(part: Part) -> Floats:
    items, item = np.unique(part.item, return_inverse=True)
    table = np.full((len(items), len(part.raters)), np.nan)
    table[item, np.searchsorted(part.raters, part.rater)] = part.code
    return table


def _left_out(
    part: Part, table: Floats, judge: int, human: int, people: list[int], name: str, epsilon: float
) -> HumanLeftOut | None:
    """The test of one person, or nothing if too few items allow it."""
    from scipy.special import stdtr

    others = [column for column in people if column != human]
    usable = ~np.isnan(table[:, [judge, human]]).any(axis=1) & ~np.isnan(table[:, others]).all(axis=1)
    if usable.sum() < _LEAST_ITEMS:
        return None
    rest = table[usable][:, others]
    by_judge, by_human = (_fit_to(part, table[usable, column], rest) for column in (judge, human))
    judge_wins, human_wins = (by_judge >= by_human).astype(float), (by_human >= by_judge).astype(float)
    difference = human_wins - judge_wins
    error = float(difference.std(ddof=1)) / np.sqrt(len(difference))
    gap = float(difference.mean()) - epsilon
    p = float(stdtr(len(difference) - 1, gap / error)) if error > 0 else float(gap >= 0)
    return HumanLeftOut(
        human=name, items=len(difference), judge_wins=float(judge_wins.mean()), human_wins=float(human_wins.mean()),
        p=p, beaten=False,
    )  # fmt: skip


def _fit_to(part: Part, own: Floats, rest: Floats) -> Floats:
    """How well one rater goes with the rest, item by item: share of equal values, or minus the root mean square."""
    known = ~np.isnan(rest)
    count = known.sum(axis=1)
    if part.ordered:
        squares = np.where(known, np.square(rest - own[:, None]), 0.0).sum(axis=1)
        distances: Floats = np.sqrt(squares / count)
        return -distances
    shares: Floats = (known & (rest == own[:, None])).sum(axis=1) / count
    return shares


def _benjamini_yekutieli(probabilities: list[float]) -> list[bool]:
    """Which tests stand when false discoveries are held at 5% under any dependence."""
    p = np.array(probabilities)
    order = np.argsort(p)
    harmonic = float(np.sum(1 / np.arange(1, len(p) + 1)))
    limits = np.arange(1, len(p) + 1) * _FALSE_DISCOVERY / (len(p) * harmonic)
    below = np.flatnonzero(p[order] <= limits)
    stands = np.zeros(len(p), dtype=bool)
    if len(below):
        stands[order[: below[-1] + 1]] = True
    return [bool(one) for one in stands]


def corrected_share(share: float, *, true_positive: float, true_negative: float) -> float:
    r"""The true share behind a judge's share of positives (Rogan and Gladen).

    :math:`(p + TNR - 1) / (TPR + TNR - 1)`, clipped to 0 and 1.
    """
    for name, rate in (("share", share), ("true_positive", true_positive), ("true_negative", true_negative)):
        if not 0 <= rate <= 1:
            raise OptionError(f"{name} must lie between 0 and 1, not {rate}.")
    informed = true_positive + true_negative - 1
    if informed <= 0:
        raise NotEnoughDataError("This judge is no better than a coin: nothing can be corrected with it.")
    return min(1.0, max(0.0, (share + true_negative - 1) / informed))


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedMean:
    """A mean over many judged items, corrected on few that people rated too; error of the mean by the normal law."""

    mean: float
    standard_error: float
    weight: float
    people_only: float
    judge_only: float
    rated: int
    judged: int

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def corrected_mean(people: Floats, judge_there: Floats, judge_elsewhere: Floats) -> CorrectedMean:
    r"""Prediction-powered mean (PPI++): :math:`\bar y + \lambda (\bar f_u - \bar f_l)` with the best :math:`\lambda`.

    ``people`` and ``judge_there`` are scores of the same items, ``judge_elsewhere`` those of the other items.
    """
    y, f, u = (np.asarray(scores, dtype=np.float64) for scores in (people, judge_there, judge_elsewhere))
    if len(y) != len(f):
        raise OptionError(f"People rated {len(y)} items, the judge {len(f)}: give both scores of the same items.")
    if len(y) < 3 or len(u) < 1:
        raise NotEnoughDataError(
            "The correction needs three items that people and judge rated, and some of the judge alone."
        )
    everything = np.concatenate([f, u])
    spread = float(everything.var(ddof=1))
    weight = float(np.cov(y, f)[0, 1]) / (spread * (1 + len(y) / len(u))) if spread > 0 else 0.0
    mean = float(y.mean() + weight * (u.mean() - f.mean()))
    variance = float((y - weight * f).var(ddof=1)) / len(y) + weight**2 * spread / len(u)
    return CorrectedMean(
        mean=mean, standard_error=float(np.sqrt(variance)), weight=weight, people_only=float(y.mean()),
        judge_only=float(everything.mean()), rated=len(y), judged=len(u),
    )  # fmt: skip
