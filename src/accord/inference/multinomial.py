r"""Exact multinomial draws over thousands of patterns, without a binomial draw for each.

If :math:`N \sim \mathrm{Poisson}(m)`, then :math:`N` items drawn one by one fall on the patterns as independent
Poisson numbers. So a little less than all :math:`n` items are drawn as Poisson numbers, one a pattern, and the
:math:`n - N` that are missing one by one (Brown and Bromberg 1984); in the rare case of :math:`N > n` the row is
drawn again. Patterns of equal multiplicity have the same distribution, whose numbers are looked up in a table
(Marsaglia 1963; Chen and Asau 1974).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers

__all__ = ["multinomial_counts"]

_SHORTFALL = 3.0
"""Standard deviations by which the first stage falls short of all items: one row in 700 is drawn again."""
_SLOTS = 1 << 16
_TABLED_RATE = 40.0
_NUMBERS = 128
_SHARED = 255


class _Table(NamedTuple):
    """Parts of equal probability and the number that lies in each; ``_SHARED`` where several do."""

    number: NDArray[np.uint8]
    cumulated: Floats


def multinomial_counts(multiplicity: Integers, replicates: int, rng: np.random.Generator) -> Floats:
    """How often each pattern occurs in each of so many resamples of all items: (replicates, patterns)."""
    order = np.argsort(multiplicity, kind="stable")
    pattern_of = np.repeat(np.arange(len(order)), multiplicity[order])
    counts = _first_stage(multiplicity[order], replicates, rng)
    while len(over := np.flatnonzero(counts.sum(axis=1) > len(pattern_of))):
        counts[over] = _first_stage(multiplicity[order], len(over), rng)
    missing = len(pattern_of) - counts.sum(axis=1).astype(np.int64)
    drawn = pattern_of[rng.integers(0, len(pattern_of), size=int(missing.sum()))]
    drawn += np.repeat(np.arange(replicates) * len(order), missing)
    np.add.at(counts.reshape(-1), drawn, 1.0)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return np.take(counts, place, axis=1)


def _first_stage(multiplicity: Integers, replicates: int, rng: np.random.Generator) -> Floats:
    """Independent Poisson numbers; ``multiplicity`` rises from pattern to pattern."""
    rate = max(0.0, 1 - _SHORTFALL / float(np.sqrt(multiplicity.sum())))
    counts = np.empty((replicates, len(multiplicity)))
    found, starts = np.unique(multiplicity, return_index=True)
    tabled = int(starts[found * rate <= _TABLED_RATE].size)
    ends = [*starts[1:].tolist(), len(multiplicity)]
    for times, start, end in zip(found[:tabled].tolist(), starts.tolist(), ends, strict=False):
        counts[:, start:end] = _looked_up(_poisson_table(times * rate), (replicates, end - start), rng)
    rest = ends[tabled - 1] if tabled else 0
    counts[:, rest:] = rng.poisson(multiplicity[rest:] * rate, size=(replicates, len(multiplicity) - rest))
    return counts


def _looked_up(table: _Table, shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Numbers by the part that a random number falls in; where several share the part, by its place within."""
    slot = rng.integers(0, _SLOTS, size=shape, dtype=np.uint16).ravel()
    numbers = np.take(table.number, slot)
    shared = np.flatnonzero(numbers == _SHARED)
    within = (slot[shared] + rng.random(len(shared))) / _SLOTS
    numbers[shared] = np.searchsorted(table.cumulated, within, side="right")
    return numbers.reshape(shape)


@lru_cache(maxsize=64)
def _poisson_table(rate: float) -> _Table:
    """The table of a Poisson distribution; beyond its last number lies less than rounding."""
    from scipy.special import pdtr

    cumulated = np.asarray(pdtr(np.arange(_NUMBERS - 1), rate), dtype=np.float64)
    edges = (cumulated * _SLOTS).astype(np.int64)
    number = np.repeat(np.arange(_NUMBERS), np.diff(edges, prepend=0, append=_SLOTS)).astype(np.uint8)
    number[edges[edges < _SLOTS]] = _SHARED
    return _Table(number, cumulated)
