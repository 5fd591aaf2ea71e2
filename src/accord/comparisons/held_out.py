"""How good predictions are on units that were left out: accuracy, gain over guessing, and AUC, with intervals."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats
from accord.inference.interval import Interval
from accord.noise import ranked

__all__ = ["area_under_curve", "cluster_interval", "folds_of"]

_CHUNK_CELLS = 4_000_000


def folds_of(
    clusters: NDArray[np.int64], labels: NDArray[np.int64], folds: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The fold of each row. A cluster stays whole; clusters are dealt out by their first label, in random order."""
    names, first, codes = np.unique(clusters, return_index=True, return_inverse=True)
    shuffled = rng.permutation(len(names))
    dealt = shuffled[np.argsort(labels[first][shuffled], kind="stable")]
    fold = np.empty(len(names), dtype=np.int64)
    fold[dealt] = np.arange(len(names)) % min(folds, len(names))
    of_rows: NDArray[np.int64] = fold[codes]
    return of_rows


def cluster_interval(
    statistic: Callable[[Floats], Floats],
    clusters: NDArray[np.int64],
    what: str,
    replicates: int,
    rng: np.random.Generator,
    confidence: float,
) -> Interval:
    """Percentile interval of a statistic of row weights (replicates, rows), drawing whole clusters."""
    codes = np.unique(clusters, return_inverse=True)[1]
    size = int(codes.max()) + 1
    share, step = np.full(size, 1 / size), max(1, _CHUNK_CELLS // len(codes))
    draws = np.concatenate(
        [
            statistic(rng.multinomial(size, share, size=min(step, replicates - start))[:, codes].astype(np.float64))
            for start in range(0, replicates, step)
        ]
    )
    defined = draws[~np.isnan(draws)]
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2]) if len(defined) else (np.nan, np.nan)
    return Interval(
        low=float(low), high=float(high), level=confidence, method=f"bootstrap over {what}s, percentile",
        replicates=replicates, undefined=replicates - len(defined),
    )  # fmt: skip


def area_under_curve(positive: NDArray[np.bool_], scores: Floats, weights: Floats) -> Floats:
    """For each row of weights, the probability that a positive scores above a negative; ties count half."""
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(ranked(scores)[order]) > 0])
    weights, positive = weights[:, order], positive[order]
    high = np.add.reduceat(weights * positive, starts, axis=1)
    low = np.add.reduceat(weights * ~positive, starts, axis=1)
    below = low.cumsum(axis=1) - low / 2
    pairs = high.sum(axis=1) * low.sum(axis=1)
    area: Floats = np.divide((high * below).sum(axis=1), pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)
    return area
