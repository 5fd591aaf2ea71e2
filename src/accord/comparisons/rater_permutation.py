"""Two groups of raters: who rated is permuted between the groups, because other raters would differ too."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import comb, sqrt

import numpy as np

from accord.arrays import Codes, Floats, Integers, distinct
from accord.coefficients.options import Options
from accord.coefficients.sums import sum_statistic
from accord.comparisons.difference import Difference
from accord.design.scale import Scale
from accord.inference.interval import Interval
from accord.inference.permutation import permutation_test
from accord.inference.statistic import SumStatistic
from accord.quantiles import stdtr, stdtrit
from accord.ratings.counting import count_source
from accord.ratings.counts import Patterns
from accord.ratings.names import in_order
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.words import steady

__all__ = ["RaterTest", "between_raters", "can_exchange", "rater_tests"]

_MOST_ARRANGEMENTS, _FEWER_ARRANGEMENTS = 1_000, 400
"""Each arrangement computes the coefficients of two groups anew: about 0.5 ms for 100 items and 12 raters with gaps."""
_MANY_CELLS = 200_000
_NUMBERS_AT_ONCE = 500_000
"""Groups whose features are no more numbers than this are computed together."""
_ENOUGH_SHARED = 0.8
"""Share of the items that both groups must have rated before raters can be exchanged between them."""


@dataclass(frozen=True, slots=True)
class RaterTest:
    """One coefficient: its difference between two groups of raters.

    ``smallest`` is the least p that so many raters can give; where it is above .05 no difference can ever be clear.
    ``p`` is None where raters cannot be exchanged because the groups rated different items.
    """

    value: float
    interval: Interval | None
    p: float | None
    smallest: float
    exact: bool
    arrangements: int


def between_raters(
    parts: Sequence[Ratings], raters: tuple[Sequence[str], Sequence[str]], keys: Sequence[str],
    common: Sequence[Difference], shared: int, replicates: int, rng: np.random.Generator, confidence: float,
) -> list[Difference | None]:  # fmt: skip
    """Would other raters show it? ``shared`` is the number of items that both groups rated."""
    exchange = can_exchange(parts, shared)
    tests = [
        # An interval at a level that so few raters cannot reach would say what the test cannot.
        replace(test, interval=None) if _too_few(test, raters) else test
        for test in rater_tests(
            parts, raters, keys, exchange=exchange, replicates=replicates, rng=rng, confidence=confidence
        )
    ]
    return [
        replace(one, unit="raters", method=_method(test, raters), interval=test.interval, p=test.p,
                replicates=test.arrangements, too_few=_too_few(test, raters))
        for one, test in zip(common, tests, strict=True)
    ]  # fmt: skip


def can_exchange(parts: Sequence[Ratings], shared: int) -> bool:
    """Whether both groups rated nearly the same items, so that a rater could have stood in either."""
    return shared >= _ENOUGH_SHARED * max(part.items for part in parts)


def _too_few(test: RaterTest, raters: tuple[Sequence[str], Sequence[str]]) -> str:
    """That no difference could show with so few raters, whatever they said."""
    if not test.arrangements or test.smallest < 0.05:
        return ""
    sizes = f"{len(raters[0])} against {len(raters[1])} raters"
    return f"{sizes} cannot show any difference (the smallest possible p is {steady(test.smallest):.2f})"


def _method(test: RaterTest, raters: tuple[Sequence[str], Sequence[str]]) -> str:
    sizes = f"{len(raters[0])} and {len(raters[1])} raters"
    ends = "; interval by jackknife over raters" if test.interval else ""
    if not test.arrangements:
        return (
            f"jackknife over {sizes}, Welch's t: the groups rated other items, so raters and items cannot be told apart"
        )
    tried = "all" if test.exact else "some"
    hopeless = ": too few raters to show any difference" if test.smallest >= 0.05 else ""
    return (
        f"{sizes} exchanged between the conditions, {tried} {test.arrangements:,} arrangements, smallest possible p "
        f"{test.smallest:.2g}{hopeless}{ends}: other raters, these items"
    )


def rater_tests(
    parts: Sequence[Ratings], groups: tuple[Sequence[str], Sequence[str]], keys: Sequence[str], *, exchange: bool,
    replicates: int, rng: np.random.Generator, confidence: float,
) -> tuple[RaterTest, ...]:  # fmt: skip
    """``second - first`` of each coefficient.

    If the groups are of one population it does not matter who is in which: with ``exchange`` all arrangements of
    the raters (or some, drawn at random, where there are many) give the law of the difference. The interval is
    that of the jackknife over raters, with t on the degrees of freedom of Welch.
    """
    codes = _side_by_side(parts)
    first = np.arange(len(groups[0]))
    second = np.arange(len(groups[0]), codes.shape[1])

    values = partial(_values, codes, parts[0].scale, keys)
    observed = values([second])[0] - values([first])[0]
    everyone = np.concatenate((first, second))
    draws, exact = (
        _arranged(everyone, len(first), values, replicates, codes.size, rng)
        if exchange
        else (np.zeros((0, len(keys))), True)
    )
    smallest = (2 if len(first) == len(second) else 1) / comb(len(everyone), len(first))
    if not exact:
        smallest = max(smallest, 1 / (len(draws) + 1))
    intervals = _intervals(values, first, second, observed, confidence)
    made = []
    for place in range(len(keys)):
        ends = intervals[place]
        defined = draws[:, place][~np.isnan(draws[:, place])]
        test = None
        if exchange and len(defined) and not np.isnan(observed[place]):
            test = permutation_test(float(observed[place]), defined, exact=exact, unit="raters")
        p = test.p if test else None if exchange or ends is None else _welch_p(float(observed[place]), ends)
        made.append(RaterTest(float(observed[place]), ends[0] if ends else None, p, smallest, exact, len(defined)))
    return tuple(made)


def _side_by_side(parts: Sequence[Ratings]) -> Codes:
    """One row an item of either condition, one column per rater: those of the first condition, then of the second."""
    sources = [count_source(part) for part in parts]
    names = in_order(list({name for source in sources for name in source.item_names()}))
    place = {name: at for at, name in enumerate(names)}
    blocks = []
    for source in sources:
        block = np.full((len(names), source.matrix.shape[1]), -1, dtype=np.int32)
        block[[place[name] for name in source.item_names()]] = source.matrix
        blocks.append(block)
    return np.hstack(blocks)


def _welch_p(value: float, ends: tuple[Interval, float, float]) -> float:

    _, error, freedom = ends
    return float(2 * stdtr(freedom, -abs(value) / error))


def _values(codes: Codes, scale: Scale, keys: Sequence[str], groups: Sequence[Integers]) -> Floats:
    """The coefficients of groups of raters, all of one size: (groups, keys).

    Where nothing is missing, the items of many groups are one table whose sums are taken group by group.
    """

    def statistic(part: Codes) -> SumStatistic:
        return sum_statistic(Patterns(part, np.ones(len(part), dtype=np.int64)), scale, keys, Options())

    asked = distinct(np.concatenate(groups))
    codes = codes[(codes[:, asked] >= 0).any(axis=1)]  # what none of them rated adds nothing, and hides no gap
    if len(groups) == 1 or (codes[:, asked] < 0).any():
        return np.stack([statistic(_rated(codes[:, group])).values() for group in groups])
    width = max(statistic(codes[:, groups[0]]).features.shape[1], 1)
    together = max(_NUMBERS_AT_ONCE // (len(codes) * width), 1)
    made = []
    for start in range(0, len(groups), together):
        chosen = np.stack(groups[start : start + together])
        stacked = np.ascontiguousarray(codes[:, chosen].swapaxes(0, 1)).reshape(-1, chosen.shape[1])
        found = statistic(stacked)
        made.append(found.evaluate(found.features.reshape(len(chosen), len(codes), -1).sum(axis=1)))
    return np.concatenate(made)


def _rated(part: Codes) -> Codes:
    """The items that one of these raters rated."""
    return np.ascontiguousarray(part[(part >= 0).any(axis=1)])


def _arranged(
    everyone: Integers, size: int, values: Callable[[Sequence[Integers]], Floats], replicates: int, cells: int,
    rng: np.random.Generator,
) -> tuple[Floats, bool]:  # fmt: skip
    """The difference of every arrangement of the raters in two groups, or of some drawn at random."""
    from itertools import combinations

    most = min(replicates, _MOST_ARRANGEMENTS if cells <= _MANY_CELLS else _FEWER_ARRANGEMENTS)
    exact = comb(len(everyone), size) <= most
    chosen = (
        [np.array(group) for group in combinations(everyone.tolist(), size)]
        if exact
        else [rng.permutation(everyone)[:size] for _ in range(most - 1)]
    )
    first = values(chosen)
    if exact and 2 * size == len(everyone):
        # All halves in the order of their raters: the first is the other half of the last, and so on inwards.
        return first[::-1] - first, exact
    return values([np.setdiff1d(everyone, group) for group in chosen]) - first, exact


def _intervals(
    values: Callable[[Sequence[Integers]], Floats],
    first: Integers,
    second: Integers,
    observed: Floats,
    confidence: float,
) -> list[tuple[Interval, float, float] | None]:
    """Leave out each rater in turn: interval, standard error and degrees of freedom; none for fewer than three."""

    if min(len(first), len(second)) < 3:
        return [None] * len(observed)
    variances = []
    for group in (first, second):
        without = values([np.delete(group, place) for place in range(len(group))])
        variances.append((len(group) - 1) / len(group) * np.square(without - without.mean(axis=0)).sum(axis=0))
    made: list[tuple[Interval, float, float] | None] = []
    for place, value in enumerate(observed.tolist()):
        one, other = float(variances[0][place]), float(variances[1][place])
        if not np.isfinite(value + one + other) or one + other == 0:
            made.append(None)
            continue
        freedom = (one + other) ** 2 / (one**2 / (len(first) - 1) + other**2 / (len(second) - 1))
        reach = float(stdtrit(freedom, (1 + confidence) / 2)) * sqrt(one + other)
        ends = Interval(
            low=value - reach, high=value + reach, level=confidence, method="jackknife over raters, Welch's t"
        )
        made.append((ends, sqrt(one + other), freedom))
    return made
