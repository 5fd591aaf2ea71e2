"""Units that are more than an item: documents and other clusters of items that are resampled whole."""

from dataclasses import replace

import numpy as np

from accord import sizes
from accord.arrays import Integers
from accord.inference.statistic import SumStatistic

__all__ = ["clustered"]


def clustered(
    statistic: SumStatistic, cluster: Integers, pattern: Integers, times: Integers | None = None
) -> SumStatistic:
    """The same statistics with clusters as units: the features of a cluster are the sums over its items.

    ``cluster[i]`` and ``pattern[i]`` say for item i which cluster it belongs to and which row of
    ``statistic.features`` it is; ``times[i]`` how many such items there are, 1 if not given.
    """
    clusters = int(cluster.max()) + 1 if len(cluster) else 0
    patterns = len(statistic.features)
    each = np.ones(len(cluster)) if times is None else times.astype(np.float64)
    if sizes.is_small_table(clusters * patterns):
        places = cluster.astype(np.int64) * patterns + pattern
        table = np.bincount(places, weights=each, minlength=clusters * patterns).reshape(clusters, patterns)
        features = np.asarray(table @ statistic.features)
    else:
        # Cluster by cluster, so that nothing larger than the features themselves is laid out.
        order = np.argsort(cluster, kind="stable")
        used, starts = np.unique(cluster[order], return_index=True)
        features = np.zeros((clusters, statistic.features.shape[1]))
        if len(used):
            each_row = statistic.features[pattern[order]] * each[order][:, None]
            features[used] = np.add.reduceat(each_row, starts, axis=0)
    return replace(statistic, features=features, multiplicity=np.ones(clusters, dtype=np.int64))
