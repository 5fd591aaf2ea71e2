"""How many human labels until a gate decides: for each criterion that is open, if what was found stays as it is."""

from math import ceil

import numpy as np

from accord.inference.interval import Interval
from accord.judging.alternative import LEAST_ITEMS, AltTest, HumanLeftOut
from accord.judging.labels import labels_to_reach
from accord.quantiles import stdtrit

__all__ = ["labels_to_decide", "labels_to_win"]

_SURE = 1.645
"""Of repeated studies of that size, 95% shall come out the same way."""


def labels_to_decide(
    value: float, interval: Interval, limit: float, labels: int, documents: int, *, either_side: bool = False
) -> int | None:
    """Labelled items in all until the interval lies on one side of the limit; None where the value lies on it.

    ``either_side`` is for a bias, which may lie off zero by so much up or down.
    """
    if either_side:
        inside = abs(value) < limit
        reach = max(interval.high - value, value - interval.low)
        wanted = abs(limit - abs(value))
        reach = reach if inside else value - interval.low if value > 0 else interval.high - value
    else:
        wanted = abs(value - limit)
        reach = value - interval.low if value > limit else interval.high - value
    return labels_to_reach(reach, wanted, labels, documents, level=interval.level)


def labels_to_win(test: AltTest, limit: float) -> int | None:
    """Items that each person must share until the winning rate is clear; None where a person lies right at ε.

    A person's share of wins beyond the judge's stays as it is, and its error falls with the root of the items.
    """
    needed = sorted(found for human in test.humans if (found := _items(human, test.epsilon)) is not None)
    wins = ceil(limit * len(test.humans) - 1e-9)
    likely = [human for human in test.humans if human.human_wins - human.judge_wins < test.epsilon]
    if len(likely) >= wins:
        # As many people as the gate asks for must be shown to be matched.
        sure = sorted(found for human in likely if (found := _items(human, test.epsilon)) is not None)
        return sure[wins - 1] if 0 < wins <= len(sure) else None
    return needed[-1] if needed else None


def _items(human: HumanLeftOut, epsilon: float) -> int | None:
    gap = epsilon - (human.human_wins - human.judge_wins)
    p = min(max(human.p, 1e-12), 1 - 1e-12)
    now = float(stdtrit(max(human.items - 1, 1), 1 - p))
    if abs(gap) < 1e-9 or abs(now) < 1e-9:
        return None
    error = abs(gap / now) * human.items**0.5
    wanted = float(stdtrit(max(human.items - 1, 1), 0.95)) + _SURE if gap > 0 else _SURE
    return max(int(np.ceil((wanted * error / abs(gap)) ** 2)), LEAST_ITEMS)
