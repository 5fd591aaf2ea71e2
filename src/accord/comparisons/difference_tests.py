"""Tests on the difference of mean kappa between two settings, by every unit that could be resampled.

The units answer different questions. Items: would other items of this kind show it? Judges: would other
judges? Pairs: the textbook bootstrap, which treats pairs that share a judge as independent. Permuting judges
asks whether it matters at all which group a judge was in.
"""

from collections import Counter
from collections.abc import Callable
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, distinct
from accord.comparisons.difference import Difference
from accord.comparisons.pair_kappas import PairKappas, pair_means
from accord.comparisons.pair_settings import PairSettings
from accord.inference.bootstrap import Resampled
from accord.inference.intervals import percentile_intervals
from accord.inference.permutation import permutation_test
from accord.words import steady

__all__ = ["difference_tests", "judge_draws", "pair_weights"]


def difference_tests(
    settings: PairSettings,
    kappas: PairKappas,
    first: str,
    second: str,
    *,
    replicates: int,
    rng: np.random.Generator,
    confidence: float = 0.95,
    what: str = "mean κ",
) -> tuple[Difference, ...]:
    """The difference of two settings by permutation of judges and by bootstrap over each unit."""
    values = kappas.values()
    masks = settings.of(first).astype(np.float64), settings.of(second).astype(np.float64)
    observed = _difference(values, *masks)
    draws: dict[str, Callable[[], Floats]] = {
        "pairs": lambda: _over_pairs(values, *masks, replicates, rng),
        "items": lambda: _over_items(kappas, *masks, replicates, rng),
        "judges": lambda: _over_judges(values, settings, *masks, replicates, rng),
        "judges and items": lambda: _over_both(kappas, settings, *masks, replicates, rng),
    }
    common = {"what": what, "first": first, "second": second, "value": observed, "replicates": replicates}
    results = [_permuted(values, settings, observed, first, second, replicates, rng, common)]
    limit = ", sums at their normal limit" if kappas.is_at_the_limit(replicates) else ""
    for unit, draw in draws.items():
        (interval,) = percentile_intervals(Resampled(draw()[:, None], unit), confidence)
        method = f"bootstrap over {unit}, percentile, {replicates:,} replicates{limit if 'items' in unit else ''}"
        results.append(
            Difference(**common, unit=unit, method=method, interval=interval, sensitivity=True)  # type: ignore[arg-type]
        )
    return tuple(results)


def _difference(kappas: Floats, first: Floats, second: Floats) -> float:
    return float(pair_means(kappas, first) - pair_means(kappas, second))


def _permuted(
    values: Floats,
    settings: PairSettings,
    observed: float,
    first: str,
    second: str,
    replicates: int,
    rng: np.random.Generator,
    common: dict[str, object],
) -> Difference:
    """Shuffle the group labels of the judges that take part in the two settings, and only theirs."""
    taking_part = distinct(settings.pairs[settings.of(first) | settings.of(second)])
    inside = np.isin(settings.pairs, taking_part).all(axis=1)
    place = {judge: at for at, judge in enumerate(taking_part)}
    pairs = np.array([[place[i], place[j]] for i, j in settings.pairs[inside]])
    labels = np.unique([settings.groups[judge] for judge in taking_part], return_inverse=True)[1]
    shuffled = rng.permuted(np.tile(labels, (replicates, 1)), axis=1)
    same = shuffled[:, pairs[:, 0]] == shuffled[:, pairs[:, 1]]
    inner = values[inside]
    draws = pair_means(inner, same.astype(np.float64)) - pair_means(inner, (~same).astype(np.float64))
    sign = 1.0 if first != "DIFF" else -1.0
    test = permutation_test(observed, sign * draws, exact=False, unit="judges")
    least = smallest_p(np.bincount(labels))
    said = f", smallest possible p {steady(least):.2g}" if least > 1 / (replicates + 1) else ""
    method = f"permutation of judges between groups, two-sided, {replicates:,} arrangements{said}"
    return Difference(**common, unit="judge labels", method=method, p=test.p)  # type: ignore[arg-type]


def smallest_p(sizes: NDArray[np.int64]) -> float:
    """One over the ways to part so many judges into groups of these sizes, groups of one size being alike."""
    ways = factorial(int(sizes.sum())) / prod(factorial(int(size)) for size in sizes)
    return prod(factorial(count) for count in Counter(sizes.tolist()).values()) / ways


def _over_pairs(values: Floats, first: Floats, second: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    means = []
    for mask in (first, second):
        pool = values[(mask > 0) & ~np.isnan(values)]
        means.append(rng.choice(pool, size=(replicates, len(pool))).mean(axis=1))
    difference: Floats = means[0] - means[1]
    return difference


def _over_items(kappas: PairKappas, first: Floats, second: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    parts = [pair_means(draw, first) - pair_means(draw, second) for draw in kappas.resampled(replicates, rng)]
    return np.concatenate(parts)


def judge_draws(settings: PairSettings, replicates: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How often each judge is drawn, with replacement inside its own group: (replicates, judges)."""
    groups = np.unique(np.array(settings.groups), return_inverse=True)[1]
    drawn = np.zeros((replicates, len(groups)), dtype=np.int64)
    for group in range(int(groups.max()) + 1):
        members = np.flatnonzero(groups == group)
        drawn[:, members] = rng.multinomial(len(members), np.full(len(members), 1 / len(members)), size=replicates)
    return drawn


def pair_weights(settings: PairSettings, drawn: NDArray[np.int64]) -> Floats:
    """A pair of different judges counts as often as the two were drawn together; a judge never pairs with itself."""
    product: Floats = (drawn[:, settings.pairs[:, 0]] * drawn[:, settings.pairs[:, 1]]).astype(np.float64)
    return product


def _over_judges(
    values: Floats, settings: PairSettings, first: Floats, second: Floats, replicates: int, rng: np.random.Generator
) -> Floats:
    weights = pair_weights(settings, judge_draws(settings, replicates, rng))
    difference: Floats = pair_means(values, weights * first) - pair_means(values, weights * second)
    return difference


def _over_both(
    kappas: PairKappas, settings: PairSettings, first: Floats, second: Floats, replicates: int, rng: np.random.Generator
) -> Floats:
    parts = []
    for draw in kappas.resampled(replicates, rng):
        weights = pair_weights(settings, judge_draws(settings, len(draw), rng))
        parts.append(pair_means(draw, weights * first) - pair_means(draw, weights * second))
    return np.concatenate(parts)
