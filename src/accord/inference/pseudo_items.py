r"""Intervals from few or one-sided items: the Bayesian bootstrap with items that might have been seen.

Twenty items with one agreed error say little, and a bootstrap does not know it: what did not occur cannot be drawn.
So every unit gets a random weight, Gamma(1), and a few pseudo-items stand beside the seen ones with small masses: all
raters give one value (mass .75 in all), or some give a and the others b (mass 1.5 in all, each number of dissenters
alike). The masses are those of two items, so they fade as items come in.

Where raters hardly ever agree on a rare value, the ends lean on what might have been seen: raters at chance, values
95/5, 200 items, agree on the rare one in no item of most studies, and a bootstrap then says that they agree less than
by chance. The upper end is therefore also taken with items agreed on a rare value (:func:`hopeful_patterns`), the lower
one also with items on which one rater leaves the most frequent value (:func:`doubtful_patterns`).

The weights of n units spread by :math:`n/(n+1)` and know no Student's t. The percentiles are therefore those at
:math:`\Phi(-\sqrt{n/(n-1)}\, t_{n-1})` (Hesterberg 2015), with n the effective number of units
:math:`(\sum m)^2 / \sum m^2` where they are documents of m items.
docs/explanation/promises.md shows what this covers.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers
from accord.inference.bootstrap import Resampled
from accord.inference.interval import Interval
from accord.inference.statistic import SumStatistic
from accord.quantiles import ndtr, of_sample, stdtrit

__all__ = [
    "bayesian_bootstrap",
    "bayesian_intervals",
    "doubtful_patterns",
    "effective_units",
    "expanded_level",
    "hopeful_patterns",
    "hull",
    "pseudo_patterns",
]

Codes = NDArray[np.int32]
_UNANIMOUS = 0.75
_DIVIDED = 1.5
_HOPE, _DOUBT = 0.5, 0.75
_MOST_ROWS = 240
"""More pseudo-items than this would cost more than the items."""
_FEW_SETS = 6
_KEPT_CELLS = 1 << 23
"""Weights and sums of pseudo-items that are kept, 64 MB: six parts of the demonstration study share one drawing of
0.04 s, four of them sums of 0.03 s."""
_NOTHING = 1e-200
_CHUNK_CELLS = 1 << 17
"""Weights or sums worked on at a time, so that they stay near the processor and their memory is used again: with
1 << 19 each chunk got new pages, and three coefficients of ten items took 86 instead of 63 ms."""
_FEWEST_REPLICATES = 128
"""Replicates worked on at a time at least: where many raters have gaps, an item has 20,000 features, read anew for each
chunk. Cohen's kappa of 60 raters and 60 items took 16 s of processor with six at a time, and takes 4."""


def pseudo_patterns(codes: Codes, multiplicity: Integers, values: int) -> tuple[Codes, Floats]:
    """Items that might have been seen, as rows of value codes, and the mass of each.

    ``codes`` (patterns, raters) are the items seen, -1 where a rater did not rate. Pseudo-items are rated by the sets
    of raters that rated items together, the most frequent ones.
    """
    sets, weight = _rater_sets(codes, multiplicity)
    rows, mass = [], []
    for raters, share in zip(sets, weight, strict=True):
        for value in range(values):
            row = np.full(codes.shape[1], -1)
            row[raters] = value
            rows.append(row)
            mass.append(_UNANIMOUS * share / values)
        divided = list(_divided(raters, values, _MOST_ROWS // len(sets)))
        for one, other, dissenters, chance in divided:
            row = np.full(codes.shape[1], -1)
            row[raters], row[dissenters] = one, other
            rows.append(row)
            mass.append(_DIVIDED * share * chance)
    return np.array(rows, dtype=np.int32).reshape(-1, codes.shape[1]), np.array(mass)


def hopeful_patterns(codes: Codes, multiplicity: Integers, values: int, usual: int) -> tuple[Codes, Floats]:
    """Items on which all give one value that is not the usual one, and the mass of each."""
    rows, mass = [], []
    for raters, share in zip(*_rater_sets(codes, multiplicity), strict=True):
        for value in (value for value in range(values) if value != usual):
            row = np.full(codes.shape[1], -1)
            row[raters] = value
            rows.append(row)
            mass.append(_HOPE * share / (values - 1))
    return np.array(rows, dtype=np.int32).reshape(-1, codes.shape[1]), np.array(mass)


def doubtful_patterns(codes: Codes, multiplicity: Integers, values: int, usual: int) -> tuple[Codes, Floats]:
    """Items on which one rater leaves the value that the others give, the usual one, and the mass of each."""
    sets, weight = _rater_sets(codes, multiplicity)
    rows, mass = [], []
    for raters, share in zip(sets, weight, strict=True):
        turns = max(1, min(len(raters), _MOST_ROWS // (len(sets) * (values - 1))))
        for place, value in enumerate(value for value in range(values) if value != usual):
            for turn in range(turns):
                row = np.full(codes.shape[1], -1)
                row[raters] = usual
                row[raters[(turn + place) % len(raters)]] = value
                rows.append(row)
                mass.append(_DOUBT * share / ((values - 1) * turns))
    return np.array(rows, dtype=np.int32).reshape(-1, codes.shape[1]), np.array(mass)


def _rater_sets(codes: Codes, multiplicity: Integers) -> tuple[list[Integers], Floats]:
    """Raters who rated an item together, two at least, with the share of such items; the most frequent sets only."""
    given, which = np.unique(codes >= 0, axis=0, return_inverse=True)
    times = np.bincount(which.ravel(), weights=multiplicity, minlength=len(given))
    times[given.sum(axis=1) < 2] = 0
    chosen = [place for place in np.argsort(-times, kind="stable")[:_FEW_SETS] if times[place] > 0]
    weight = times[chosen]
    return [np.flatnonzero(given[place]) for place in chosen], weight / max(float(weight.sum()), 1.0)


def _divided(raters: Integers, values: int, most: int) -> list[tuple[int, int, Integers, float]]:
    """Two values, who gives the second one, and the chance of it; every rater dissents as often as the others."""
    pairs = list(combinations(range(values), 2))
    count = len(raters)
    numbers = list(range(1, count))
    if len(pairs) * len(numbers) > most and count > 3:
        numbers = [1, count // 2, count - 1]
    turns = max(1, min(count, most // max(len(pairs) * len(numbers), 1)))
    chance = 1 / (len(pairs) * len(numbers) * turns) if pairs else 0.0
    return [
        (one, other, raters[(np.arange(number) + turn + place) % count], chance)
        for place, (one, other) in enumerate(pairs)
        for number in numbers
        for turn in range(turns)
    ]


def effective_units(sizes: Floats | Integers) -> float:
    """How many units of equal size would be as good as these: (sum of sizes)^2 / sum of squared sizes."""
    squares = float(np.square(sizes, dtype=np.float64).sum())
    return float(np.sum(sizes, dtype=np.float64)) ** 2 / squares if squares else 0.0


def bayesian_bootstrap(
    statistic: SumStatistic,
    pseudo: Floats,
    mass: Floats,
    *,
    replicates: int,
    rng: np.random.Generator,
    sizes: Floats | Integers | None = None,
    unit: str = "items",
) -> Resampled:
    """Random weights for the units of a statistic and for pseudo-items, whose features are ``pseudo``.

    ``sizes`` are the items of each unit where units are documents. The weights of a replicate add up to the items there
    are, as some coefficients correct for their number.
    """
    times = statistic.multiplicity.astype(np.float64)
    each = np.ones(len(times)) if sizes is None else np.asarray(sizes, dtype=np.float64)
    items = float(times @ each)
    held = np.concatenate((each, np.ones(len(mass))))
    draws = np.empty((replicates, len(statistic.names)))
    start = 0
    for drawn, beside in _drawn(np.concatenate((times, mass)), pseudo, replicates, rng):
        scale = items / (drawn @ held)
        draws[start : start + len(drawn)] = statistic.of_weights(drawn[:, : len(times)], beside, scale)
        start += len(drawn)
    return Resampled(draws, unit, "Bayesian weights")


def _drawn(shape: Floats, pseudo: Floats, replicates: int, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Gamma weights of each replicate and the sums of pseudo-items, which come last, some replicates at a time.

    Parts of a study are alike, and each begins at one seed: the same weights are not drawn twice, nor summed.
    """
    units, width = len(shape) - len(pseudo), max(len(shape), pseudo.shape[1], 1)
    rows = max(_FEWEST_REPLICATES, _CHUNK_CELLS // width)
    if 2 * replicates * width > _KEPT_CELLS:
        for start in range(0, replicates, rows):
            weights = _weights(shape, min(rows, replicates - start), rng)
            yield weights, pseudo.T @ weights[:, units:].T
        return
    key = shape.tobytes(), replicates, repr(rng.bit_generator.state)
    weights, rng.bit_generator.state = _kept(key, lambda: (_weights(shape, replicates, rng), rng.bit_generator.state))
    sums, _ = _kept((*key, pseudo.tobytes()), lambda: (pseudo.T @ weights[:, units:].T, {}))
    for start in range(0, replicates, rows):
        yield weights[start : start + rows], sums[:, start : start + rows]


def _weights(shape: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    """Gamma weights; next to nothing is nothing, as processors take many times as long for numbers under 1e-308."""
    weights = rng.standard_gamma(shape, size=(replicates, len(shape)))
    weights[weights < _NOTHING] = 0.0
    return weights


_Kept = tuple[Floats, Mapping[str, Any]]
_KEPT: dict[tuple[bytes | int | str, ...], _Kept] = {}
"""Weights drawn last and the generator's state after them, and sums made of them."""


def _kept(key: tuple[bytes | int | str, ...], make: Callable[[], _Kept]) -> _Kept:
    """What is kept under a key, or is made now; the newest stands last, and the oldest goes."""
    known = _KEPT.pop(key, None)
    found = _KEPT[key] = known or make()
    while sum(kept.size for kept, _ in tuple(_KEPT.values())) > _KEPT_CELLS:
        _KEPT.pop(next(iter(_KEPT), key), None)
    return found


def expanded_level(level: float, units: float) -> float:
    """The level of percentiles that makes up for few units."""
    units = max(units, 2.0)
    return 1 - 2 * float(ndtr(-sqrt(units / (units - 1)) * stdtrit(units - 1, (1 + level) / 2)))


def bayesian_intervals(
    resampled: Resampled, values: Floats, units: Floats | float, level: float = 0.95
) -> tuple[Interval | None, ...]:
    """The expanded percentiles, stretched to the value where pseudo-items pull away from it; None if undefined.

    ``units`` is one number for all statistics, or one for each.
    """
    made: list[Interval | None] = []
    each = np.broadcast_to(units, values.shape).tolist()
    for draws, value, number in zip(resampled.draws.T, values.tolist(), each, strict=True):
        defined = draws[~np.isnan(draws)]
        if np.isnan(value) or not len(defined):
            made.append(None)
            continue
        inner = expanded_level(level, number)
        low, high = of_sample(defined, (1 - inner) / 2, (1 + inner) / 2)
        method = f"Bayesian bootstrap over {resampled.unit} with pseudo-items"
        made.append(Interval(
            low=min(low, value), high=max(high, value), level=level, method=method,
            replicates=len(draws), undefined=len(draws) - len(defined),
        ))  # fmt: skip
    return tuple(made)


def hull(interval: Interval | None, doubt: Interval | None, hope: Interval | None) -> Interval | None:
    """The interval with its lower end under doubt and its upper end in hope, where these lie further out."""
    if interval is None:
        return None
    low = interval.low if doubt is None else min(interval.low, doubt.low)
    high = interval.high if hope is None else max(interval.high, hope.high)
    return replace(interval, low=low, high=high)
