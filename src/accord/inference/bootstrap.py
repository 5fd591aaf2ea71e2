"""The bootstrap: the statistics of many resamples, from a few rating patterns, at any size."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers
from accord.errors import NotEnoughDataError
from accord.inference.statistic import SumStatistic
from accord.records import dataclass

__all__ = [
    "NORMAL_LIMIT_ITEMS", "Progress", "Resampled", "bootstrap", "draw_patterns", "normal_draws", "normal_limit",
    "poisson_bootstrap", "quadratic_bootstrap",
]  # fmt: skip

Progress = Callable[[int, int], None]
"""``progress(done, total)``, called now and then."""

NORMAL_LIMIT_ITEMS = 1000
"""Under this many units the normal limit is never used."""
_CHUNK_CELLS = 1 << 20
_NO_SPREAD = 1e-12
"""Of correlated sums, whose spread is 1 each: less than so much in some direction is rounding."""


@dataclass(frozen=True, slots=True)
class Resampled:
    """The statistics of every resample: (replicates, statistics), and how they were drawn.

    ``unit`` names in words what was resampled ("items"), ``engine`` how ("exact", "normal limit",
    "Poisson weights").
    """

    draws: Floats
    unit: str = "items"
    engine: str = "exact"

    @property
    def replicates(self) -> int:
        return len(self.draws)

    @property
    def undefined(self) -> Integers:
        """How many replicates had no value, one number a statistic."""
        return np.asarray(np.isnan(self.draws).sum(axis=0), dtype=np.int64)


def bootstrap(
    statistic: SumStatistic,
    *,
    replicates: int,
    rng: np.random.Generator,
    unit: str = "items",
    exact: bool = False,
    progress: Progress | None = None,
) -> Resampled:
    """Resample the units of a statistic with replacement.

    Exact while patterns x replicates are not too many, or if asked for. Beyond that, and with at least
    ``NORMAL_LIMIT_ITEMS`` units, the sums are drawn from their normal limit; the result says so.
    """
    patterns, units = len(statistic.multiplicity), int(statistic.multiplicity.sum())
    if units < 2:
        raise NotEnoughDataError(f"A bootstrap over {unit} needs at least two of them; there are {units}.")
    if not exact and not sizes.are_drawn_exactly(patterns, replicates) and units >= NORMAL_LIMIT_ITEMS:
        return normal_limit(statistic, replicates=replicates, rng=rng, unit=unit)
    draws = np.empty((replicates, len(statistic.names)))
    done, rows = 0, max(1, _CHUNK_CELLS // max(statistic.features.shape[1], 1))
    for counts in draw_patterns(statistic.multiplicity, replicates, rng):
        for start in range(0, len(counts), rows):
            some = counts[start : start + rows]
            draws[done : done + len(some)] = statistic.evaluate(some @ statistic.features)
            done += len(some)
        if progress:
            progress(done, replicates)
    return Resampled(draws, unit)


def draw_patterns(multiplicity: np.ndarray, replicates: int, rng: np.random.Generator) -> Iterator[Floats]:
    """How often each pattern occurs in each resample, in chunks that bound the memory.

    Resampling items with replacement is a multinomial draw over patterns. Where nearly every item
    is a pattern of its own, drawing items and counting them is faster, and the same distribution. What is drawn
    depends on the patterns alone, never on what will be made of it.
    """
    units, patterns = int(multiplicity.sum()), len(multiplicity)
    by_item = patterns > units / 5
    chunk = max(1, _CHUNK_CELLS // max(units if by_item else patterns, 1))
    pattern_of = np.repeat(np.arange(patterns), multiplicity)
    for start in range(0, replicates, chunk):
        rows = min(chunk, replicates - start)
        if by_item:
            drawn = pattern_of[rng.integers(0, units, size=(rows, units), dtype=np.int32)]
            drawn += (np.arange(rows) * patterns)[:, None]
            yield np.bincount(drawn.ravel(), minlength=rows * patterns).reshape(rows, patterns).astype(np.float64)
        else:
            yield rng.multinomial(units, multiplicity / units, size=rows).astype(np.float64)


def normal_limit(
    statistic: SumStatistic, *, replicates: int, rng: np.random.Generator, unit: str = "items"
) -> Resampled:
    """Draw the sums from the normal distribution with their bootstrap mean and covariance.

    Needs only first and second moments of the features of an item, so the cost does not grow with the
    number of items. The statistic itself is not linearised.
    """
    units = int(statistic.multiplicity.sum())
    if units < NORMAL_LIMIT_ITEMS:
        raise NotEnoughDataError(f"The normal limit needs at least {NORMAL_LIMIT_ITEMS:,} {unit}; there are {units:,}.")
    weights = statistic.multiplicity / units
    mean = weights @ statistic.features
    centred = statistic.features - mean
    covariance = (centred * weights[:, None]).T @ centred
    sums = units * mean + np.sqrt(units) * normal_draws(covariance, replicates, rng)
    # A count that is small can be drawn below zero; no resample holds fewer than none.
    never_negative = (statistic.features >= 0).all(axis=0)
    sums[:, never_negative] = np.clip(sums[:, never_negative], 0, None)
    return Resampled(statistic.evaluate(sums), unit, "normal limit")


def normal_draws(covariance: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    """Normal vectors around zero with this covariance, which need not have full rank: (replicates, width).

    They are made with the symmetric root, of which there is one. The signs of directions, and which of those of equal
    spread are found, differ between machines: a root made of them alone drew other numbers from the same seed.
    """
    widths = np.sqrt(np.diag(covariance))
    each = np.divide(1.0, widths, out=np.zeros(len(widths)), where=widths > 0)
    spread, directions = np.linalg.eigh(covariance * each[:, None] * each)
    # What is nothing but for rounding must be nothing: its root is not small beside that of the others.
    root = (directions * np.sqrt(np.where(spread > _NO_SPREAD, spread, 0.0))) @ directions.T
    return np.asarray(rng.standard_normal((replicates, len(spread))) @ (root * widths))


def quadratic_bootstrap(
    forms: Floats,
    evaluate: Callable[[Floats], Floats],
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Resampled:
    """Resample raters where the statistics are functions of sums over pairs of raters.

    ``forms[f, r, s]`` is what the pair (r, s) adds to sum f. A resample that holds rater r a times and
    rater s b times holds the pair a x b times; a rater is never paired with a copy of itself, as that
    pair would agree perfectly.
    """
    raters = forms.shape[1]
    if raters < 3:
        raise NotEnoughDataError(f"Resampling raters needs at least three of them; there are {raters}.")
    between = forms * (1 - np.eye(raters))
    weights = rng.multinomial(raters, np.full(raters, 1 / raters), size=replicates).astype(np.float64)
    sums = np.stack([((weights @ form) * weights).sum(axis=1) for form in between], axis=1)
    return Resampled(evaluate(sums), "raters")


def poisson_bootstrap(
    statistic: SumStatistic, draws: Iterable[Integers], *, replicates: int, progress: Progress | None = None
) -> Resampled:
    """Items weighted by hashes of their names instead of drawn: ``draws`` hold (patterns, some replicates).

    The weight of an item depends on (seed, item, replicate) only, so the sums over parts of the items can be added up
    wherever they lie (:mod:`accord.ratings.poisson_weights`).
    """
    values = np.empty((replicates, len(statistic.names)))
    done = 0
    for weights in draws:
        values[done : done + weights.shape[1]] = statistic.evaluate(weights.T.astype(np.float64) @ statistic.features)
        done += weights.shape[1]
        if progress:
            progress(done, replicates)
    return Resampled(values, "items", "Poisson weights")
