"""Units that are more than an item: documents and other clusters of items that are resampled whole."""

from dataclasses import replace

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers
from accord.inference.statistic import SumStatistic

__all__ = ["clustered", "clustered_features"]


def clustered(
    statistic: SumStatistic, cluster: Integers, pattern: Integers, times: Integers | None = None
) -> SumStatistic:
    """The same statistics with clusters as units: the features of a cluster are the sums over its items.

    ``cluster[i]`` and ``pattern[i]`` say for item i which cluster it belongs to and which row of
    ``statistic.features`` it is; ``times[i]`` how many such items there are, 1 if not given.
    """
    features = clustered_features(statistic.features, cluster, pattern, times)
    return replace(statistic, features=features, multiplicity=np.ones(len(features), dtype=np.int64))


def clustered_features(features: Floats, cluster: Integers, pattern: Integers, times: Integers | None = None) -> Floats:
    """The sums of the features over each cluster, (clusters, width)."""
    clusters, patterns = int(cluster.max(initial=-1)) + 1, len(features)
    each = np.ones(len(cluster)) if times is None else times.astype(np.float64)
    if sizes.is_small_table(clusters * patterns):
        places = cluster.astype(np.int64) * patterns + pattern
        table = np.bincount(places, weights=each, minlength=clusters * patterns).reshape(clusters, patterns)
        return np.asarray(table @ features)
    # Cluster by cluster, so that nothing larger than the features themselves is laid out.
    order = np.argsort(cluster, kind="stable")
    used, starts = np.unique(cluster[order], return_index=True)
    summed = np.zeros((clusters, features.shape[1]))
    if len(used):
        # Documents stand one after the other as a rule, each item once: then nothing is copied.
        rows = pattern[order]
        items = features if np.array_equal(rows, np.arange(patterns)) else features[rows]
        items = items if (each == 1).all() else items * each[order][:, None]
        summed[used] = np.add.reduceat(items, starts, axis=0)
    return summed
